use super::*;
use plaudit_core::finding::{AttackKind, AttackLine, AttackPicture, AttackTable};

fn finding(logarithmic: bool, points: Vec<[f64; 2]>) -> AttackFinding {
    let line = |name: &str, points| AttackLine { name: name.into(), points };
    let lines = vec![line("attacker", points), line("coin <toss>", vec![[1.0, 0.5], [100.0, 0.5]])];
    let picture = AttackPicture { x: "questions".into(), y: "wrong".into(), logarithmic, lines };
    AttackFinding {
        name: "it".into(),
        about: None,
        kind: AttackKind::Average,
        setting: String::new(),
        outcome: "It is wrong.".into(),
        succeeded: true,
        expected: true,
        seed: 0,
        alpha: None,
        table: AttackTable::default(),
        picture,
        details: serde_json::Value::Null,
        identity: None,
    }
}

#[test]
fn equal_ratios_are_equally_far_on_a_logarithmic_axis() {
    let plot = attack(&finding(true, vec![[1.0, 1.0], [10.0, 0.0], [100.0, 1.0]])).unwrap();
    let line = plot.svg.split("class=\"violation\" d=\"M").last().unwrap();
    let numbers: Vec<i32> = line
        .split('"')
        .next()
        .unwrap()
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    let [x0, _, x1, _, x2, _] = numbers[..] else { panic!("{line}") };
    assert!(((x1 - x0) - (x2 - x1)).abs() <= 1, "{numbers:?}");
    assert!(plot.svg.contains("coin &lt;toss&gt;"));
}

#[test]
fn one_place_and_no_place_are_no_panic() {
    assert!(attack(&finding(true, vec![[5.0, 0.5]])).is_some());
    let mut none = finding(false, vec![]);
    none.picture.lines.clear();
    assert!(attack(&none).is_none());
}
