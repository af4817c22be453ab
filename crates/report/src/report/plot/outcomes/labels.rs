//! Labels of rows that are distinct at any length.

use crate::report::words::{columns, visible};

/// Longest line of a label, in columns.
pub(super) const LINE: usize = 22;
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
#[path = "../../../../tests/unit/report/plot/outcomes/labels.rs"]
mod tests;
