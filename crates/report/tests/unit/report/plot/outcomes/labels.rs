use super::*;

#[test]
fn long_labels_are_told_apart_and_fit() {
    let long =
        |middle: &str| format!("{}{middle}{}", "the list [0, 0, ".repeat(8), ", 0]".repeat(20));
    let cases = [long("1"), long("2"), "x".repeat(500), "名".repeat(80), "short".into()];
    let whole: Vec<(usize, &str)> =
        cases.iter().enumerate().map(|(bin, label)| (bin, label.as_str())).collect();
    let labels = labels(&whole);
    for (i, label) in labels.iter().enumerate() {
        assert!(!labels[..i].contains(label), "{label}");
        let lines = lines(label);
        assert!(lines.len() <= 2 && lines.iter().all(|line| columns(line) <= LINE), "{lines:?}");
    }
    assert!(labels[0].starts_with("bin 1: the list") && labels[4] == "short");
}

#[test]
fn ends_of_labels_are_kept() {
    let label = format!("{} last entry in [1, 2)", "length of the output and ".repeat(9));
    assert!(without_middle(&label, 40).ends_with("entry in [1, 2)"));
    assert_eq!(columns(&without_middle(&label, 40)), 40);
}
