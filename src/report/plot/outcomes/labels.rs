//! Labels of rows that are told apart however long they are.

use crate::report::words::{columns, visible};

/// Longest line of a label, in columns.
pub(super) const LINE: usize = 32;
/// Longest label: two lines.
const MOST: usize = 2 * LINE - 2;

/// Labels that fit: longer ones lose their middle, and have the number of their bin, counted from 1,
/// in front where they would then read alike.
pub(super) fn labels(whole: &[(usize, &str)]) -> Vec<String> {
    let whole: Vec<(usize, String)> =
        whole.iter().map(|(bin, label)| (*bin, visible(label))).collect();
    let short: Vec<String> = whole.iter().map(|(_, label)| without_middle(label, MOST)).collect();
    let alike = |label: &String| short.iter().filter(|other| *other == label).count() > 1;
    let pairs = whole.iter().zip(&short);
    pairs
        .map(|((bin, label), short)| {
            if !alike(short) {
                return short.clone();
            }
            let number = format!("bin {}: ", bin + 1);
            let room = MOST - columns(&number).min(MOST / 2);
            number + &without_middle(label, room)
        })
        .collect()
}

/// A label in one or two lines, the first broken at a space if there is one near its end.
pub(super) fn lines(label: &str) -> Vec<String> {
    if columns(label) <= LINE {
        return vec![label.to_owned()];
    }
    let mut used = 0;
    let (mut hard, mut soft) = (label.len(), None);
    for (at, c) in label.char_indices() {
        used += columns(c.encode_utf8(&mut [0; 4]));
        if used > LINE {
            hard = at;
            break;
        }
        if c == ' ' {
            soft = Some(at + 1);
        }
    }
    // What is left must fit the second line.
    let fits = |at: &usize| columns(&label[*at..]) <= LINE;
    let at = soft.filter(fits).unwrap_or(hard);
    let (first, second) = label.split_at(at);
    vec![first.trim_end().to_owned(), second.to_owned()]
}

/// A text with "…" for what is between its beginning and its end, if it is longer than `most` columns.
fn without_middle(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let most = most - 1;
    let take = |chars: &mut dyn Iterator<Item = char>, room: usize| -> String {
        let mut used = 0;
        chars
            .take_while(|c| {
                used += columns(c.encode_utf8(&mut [0; 4]));
                used <= room
            })
            .collect()
    };
    let end: String = take(&mut text.chars().rev(), most / 2).chars().rev().collect();
    format!("{}…{end}", take(&mut text.chars(), most - most / 2))
}

#[cfg(test)]
mod tests {
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
            assert!(
                lines.len() <= 2 && lines.iter().all(|line| columns(line) <= LINE),
                "{lines:?}"
            );
        }
        assert!(labels[0].starts_with("bin 1: the list") && labels[4] == "short");
    }

    #[test]
    fn ends_of_labels_are_kept() {
        let label = format!("{} last entry in [1, 2)", "length of the output and ".repeat(9));
        assert!(without_middle(&label, 40).ends_with("entry in [1, 2)"));
        assert_eq!(columns(&without_middle(&label, 40)), 40);
    }
}
