//! Unfolding of outcomes: parts of nested lists, maps and texts with numbers.
//!
//! | outcome | taken apart |
//! |---|---|
//! | `[[1, 2], [3, null]]` | the vector of its numbers, row by row |
//! | `{"stat": {"n": 1.5}, "counts": [2, 3]}` | a map: `stat.n`, `counts[0]`, `counts[1]` |
//! | `["north", 1.5]` | a map: `[0]`, `[1]` |
//! | `[["north", 1.5], ["south", 2.5]]` | also `north[1]`, `south[1]`: by the labels, if they differ |
//! | `[{"name": "north", "n": 1.5}]` | also `north.n` |
//! | `"1.5"` | the number |
//! | `"north: 1.5"` | a map: under `text` the text with `#` for each number, and `text number 0` |
//! | a failure: `-1.5 is negative` | a map: `failure`, and `failure number 0` |

use super::wire::json::{JsonValue, canonical_text, parse};
use super::{Entry, Keyed, Outcome, OutcomeRef};
use std::borrow::Cow;
use std::collections::HashSet;

/// Most parts taken out of an outcome, shared by its elements; numbers of a text.
const MOST_LEAVES: usize = 256;
const MOST_IN_TEXT: usize = 32;
/// Bytes of a text that are searched for numbers, and kept bytes of the rest.
const MOST_READ: usize = 1 << 14;
const MOST_REST: usize = 200;
/// Bytes of a path; deeper parts stay together.
const MOST_PATH: usize = 200;
/// Bytes of all paths and texts, besides four times those of the outcome.
const MOST_BYTES: usize = 1 << 10;

/// `false` if there is nothing to unfold, by a quick test.
pub(super) fn may_unfold(outcome: &OutcomeRef<'_>) -> bool {
    match outcome {
        OutcomeRef::Structure(json) => *json != "null",
        OutcomeRef::Text(words) | OutcomeRef::Failure(words) => has_digit(words),
        OutcomeRef::Keyed(keyed) => keyed.entries().iter().any(|(_, entry)| match entry {
            Entry::Other(json) => json.starts_with(['[', '{']) || has_digit(json),
            Entry::Number(_) | Entry::Member => false,
        }),
        OutcomeRef::Number(_) | OutcomeRef::Integer(_) | OutcomeRef::Vector(_) => false,
    }
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// The unfolded outcome; `None` if it has only one part.
pub(super) fn unfold(outcome: &OutcomeRef<'_>) -> Option<Outcome> {
    if !may_unfold(outcome) {
        return None;
    }
    let mut leaves = Leaves { all: Vec::new(), bytes: MOST_BYTES + 4 * outcome.bytes() };
    match outcome {
        OutcomeRef::Structure(json) => match parse(json) {
            Some(value) => {
                if let Some(numbers) = numbers(&value) {
                    return Some(match numbers[..] {
                        [alone] if !matches!(value, JsonValue::List(_)) => Outcome::Number(alone),
                        _ => Outcome::Vector(numbers),
                    });
                }
                leaves.add(String::new(), &value, MOST_LEAVES);
            }
            None => leaves.add_text("text", json, MOST_LEAVES),
        },
        OutcomeRef::Text(text) => {
            if let Some(number) = lone_number(text) {
                return Some(Outcome::Number(number));
            }
            leaves.add_text("text", text, MOST_LEAVES);
        }
        OutcomeRef::Failure(message) => leaves.add_text("failure", message, MOST_LEAVES),
        OutcomeRef::Keyed(keyed) => {
            let entries = keyed.entries();
            leaves.share(MOST_LEAVES, entries.len(), entries, |leaves, (key, entry), share| {
                let name = name(key).into_owned();
                match entry {
                    Entry::Other(json) => match parse(json) {
                        Some(value) => leaves.add(name, &value, share),
                        None => leaves.add_text(&name, json, share),
                    },
                    whole => leaves.push(name, whole.clone()),
                }
            });
        }
        OutcomeRef::Number(_) | OutcomeRef::Integer(_) | OutcomeRef::Vector(_) => return None,
    }
    Some(Outcome::Keyed(Keyed::new(leaves.all)))
}

/// The numbers of a number or of nested lists of numbers, if there is nothing else.
fn numbers(value: &JsonValue) -> Option<Vec<f64>> {
    fn add(value: &JsonValue, all: &mut Vec<f64>) -> bool {
        if all.len() >= MOST_LEAVES {
            return true;
        }
        match value {
            JsonValue::List(values) => return values.iter().all(|value| add(value, all)),
            JsonValue::Vector(values) => all.extend(values.iter().take(MOST_LEAVES)),
            JsonValue::Null => all.push(f64::NAN),
            other => match as_number(other) {
                Some(x) => all.push(x),
                None => return false,
            },
        }
        true
    }
    let mut all = Vec::new();
    let only_numbers = add(value, &mut all);
    all.truncate(MOST_LEAVES);
    only_numbers.then_some(all)
}

/// The double nearest to a number.
fn as_number(value: &JsonValue) -> Option<f64> {
    match value {
        JsonValue::Number(x) => Some(*x),
        #[allow(clippy::cast_precision_loss)] // next to it is what is wanted
        JsonValue::Integer(i) => Some(*i as f64),
        JsonValue::Large(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// The number, if a text is one.
fn lone_number(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

/// A key in a path: in quotes where it could be taken for a path.
fn name(key: &str) -> Cow<'_, str> {
    let plain = !key.contains(['.', '[', '"']) && !key.contains(" number ");
    if plain { Cow::Borrowed(key) } else { Cow::Owned(canonical_text(key)) }
}

struct Leaves {
    all: Vec<(String, Entry)>,
    /// Bytes of paths and texts that may still be added.
    bytes: usize,
}

impl Leaves {
    fn push(&mut self, path: String, entry: Entry) {
        let text = if let Entry::Other(json) = &entry { json.len() } else { 0 };
        if let Some(left) = self.bytes.checked_sub(path.len() + text) {
            self.bytes = left;
            self.all.push((path, entry));
        }
    }

    /// Adds the leaves of several things, at most `most` in all: an unused share of the first is
    /// left to the others.
    fn share<T>(
        &mut self,
        most: usize,
        count: usize,
        items: impl IntoIterator<Item = T>,
        add: impl Fn(&mut Self, T, usize),
    ) {
        let end = self.all.len() + most;
        for (place, item) in items.into_iter().enumerate() {
            let left = end.saturating_sub(self.all.len());
            if left == 0 || self.bytes == 0 {
                return;
            }
            add(self, item, left.div_ceil(count - place));
        }
    }

    fn add(&mut self, path: String, value: &JsonValue, most: usize) {
        if path.len() > MOST_PATH {
            return self.push(path, Entry::Other(value.canonical()));
        }
        match value {
            JsonValue::List(values) if !values.is_empty() => {
                let most = match labels(values) {
                    Some(labels) => {
                        self.add_labelled(&path, values, &labels, most / 2);
                        most / 2
                    }
                    None => most,
                };
                let items = values.iter().enumerate();
                self.share(most, values.len(), items, |leaves, (place, value), share| {
                    leaves.add(format!("{path}[{place}]"), value, share);
                });
            }
            JsonValue::Vector(values) if !values.is_empty() => {
                for (place, x) in values.iter().enumerate().take(most) {
                    self.push(format!("{path}[{place}]"), Entry::Number(*x));
                }
            }
            JsonValue::Object(entries) if !entries.is_empty() => {
                self.share(most, entries.len(), entries, |leaves, (key, value), share| {
                    leaves.add(inner(&path, key), value, share);
                });
            }
            JsonValue::Set(keys) => {
                for key in keys.iter().take(most) {
                    self.push(inner(&path, key), Entry::Member);
                }
            }
            JsonValue::Text(text) => self.add_text(&path, text, most),
            value => match as_number(value) {
                Some(x) => self.push(path, Entry::Number(x)),
                None => self.push(path, Entry::Other(value.canonical())),
            },
        }
    }

    /// Adds things under their labels, as their positions may be random.
    fn add_labelled(&mut self, path: &str, things: &[JsonValue], labels: &[&str], most: usize) {
        let items = things.iter().zip(labels);
        self.share(most, things.len(), items, |leaves, (thing, label), share| {
            let path = inner(path, label);
            match thing {
                JsonValue::List(parts) => {
                    let parts: Vec<_> = parts.iter().enumerate().skip(1).collect();
                    leaves.share(share, parts.len(), parts, |leaves, (place, part), share| {
                        leaves.add(format!("{path}[{place}]"), part, share);
                    });
                }
                JsonValue::Object(fields) => {
                    let fields: Vec<_> =
                        fields.iter().filter(|(_, field)| text(field) != Some(label)).collect();
                    leaves.share(share, fields.len(), fields, |leaves, (key, field), share| {
                        leaves.add(inner(&path, key), field, share);
                    });
                }
                _ => {}
            }
        });
    }

    /// Adds a text without its numbers, and these numbers.
    fn add_text(&mut self, path: &str, text: &str, most: usize) {
        if let Some(number) = lone_number(text) {
            return self.push(path.to_owned(), Entry::Number(number));
        }
        let (mut rest, mut found) = (String::new(), Vec::new());
        let (mut at, most) = (0, most.saturating_sub(1).min(MOST_IN_TEXT));
        while at < text.len().min(MOST_READ) {
            let (c, length) = match number_at(text, at) {
                Some((x, length)) if found.len() < most => {
                    found.push(x);
                    ('#', length)
                }
                _ => text[at..].chars().next().map_or(('#', 1), |c| (c, c.len_utf8())),
            };
            at += length;
            if rest.len() < MOST_REST {
                rest.push(c);
            } else if found.len() >= most {
                break;
            }
        }
        self.push(path.to_owned(), Entry::Other(canonical_text(&rest)));
        for (place, x) in found.into_iter().enumerate() {
            self.push(format!("{path} number {place}"), Entry::Number(x));
        }
    }
}

fn text(value: &JsonValue) -> Option<&str> {
    if let JsonValue::Text(text) = value { Some(text) } else { None }
}

/// The labels of pairs (`["north", 1.5]`) or records (`{"name": "north", "n": 1.5}`): the first
/// text of each, if they are distinct.
fn labels(things: &[JsonValue]) -> Option<Vec<&str>> {
    fn label(thing: &JsonValue) -> Option<&str> {
        match thing {
            JsonValue::List(parts) if parts.len() > 1 => text(&parts[0]),
            JsonValue::Object(fields) if fields.len() > 1 => {
                fields.iter().find_map(|(_, field)| text(field))
            }
            _ => None,
        }
    }
    let labels = things.iter().map(label).collect::<Option<Vec<_>>>()?;
    let different: HashSet<_> = labels.iter().collect();
    (different.len() == labels.len()).then_some(labels)
}

/// The path of a key in a map at a path.
fn inner(path: &str, key: &str) -> String {
    if path.is_empty() { name(key).into_owned() } else { format!("{path}.{}", name(key)) }
}

/// The decimal number that starts at a byte, and its length. A `-` belongs to it unless it ends a
/// word, as in a date.
fn number_at(text: &str, at: usize) -> Option<(f64, usize)> {
    let bytes = &text.as_bytes()[at..];
    let digits =
        |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let in_word = at > 0 && text.as_bytes()[at - 1].is_ascii_alphanumeric();
    let sign = usize::from(bytes[0] == b'-' && !in_word);
    let whole = digits(sign);
    if whole == 0 {
        return None;
    }
    let mut end = sign + whole;
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = bytes.get(end + 1 + signed).map_or(0, |_| digits(end + 1 + signed));
        if exponent > 0 {
            end += 1 + signed + exponent;
        }
    }
    text[at..at + end].parse().ok().map(|x| (x, end))
}

#[cfg(test)]
#[path = "../../tests/unit/mechanism/unfold.rs"]
mod tests;
