//! Outcomes taken apart: what stands within nested lists, maps and texts with numbers.
//!
//! | outcome | taken apart |
//! |---|---|
//! | `[[1, 2], [3, null]]` | the vector of its numbers, row by row |
//! | `{"stat": {"n": 1.5}, "counts": [2, 3]}` | a map: `stat.n`, `counts[0]`, `counts[1]` |
//! | `["north", 1.5]` | a map: `[0]`, `[1]` |
//! | `"1.5"` | the number |
//! | `"north: 1.5"` | a map: under `text` the text with `#` for each number, and `text number 0` |
//!
//! That is a function of the outcome alone, so what it says is said of the outcome.

use super::outcomes::Outcomes;
use super::wire::json::{Value, canonical_text, parse};
use super::{Entry, Keyed, Outcome, OutcomeRef};

/// Leaves that are taken out of an outcome; further ones are left out.
const MOST_LEAVES: usize = 256;
/// Bytes of a path, and of a text without its numbers; what lies deeper stays together.
const MOST_BYTES: usize = 200;

/// All outcomes of a batch, taken apart where they can be; `None` if none can.
pub(super) fn unfold_all(outcomes: &Outcomes) -> Option<Outcomes> {
    if !outcomes.iter().any(|outcome| may_unfold(&outcome)) {
        return None;
    }
    let mut all = Outcomes::new();
    for outcome in outcomes.iter() {
        match unfold(&outcome) {
            Some(apart) => all.push(apart),
            None => all.push_ref(outcome),
        }
    }
    Some(all)
}

/// Whether there may be something to take apart, at a glance.
fn may_unfold(outcome: &OutcomeRef<'_>) -> bool {
    match outcome {
        OutcomeRef::Structure(json) => *json != "null",
        OutcomeRef::Text(text) => has_digit(text),
        OutcomeRef::Keyed(keyed) => keyed.entries().iter().any(|(_, entry)| match entry {
            Entry::Other(json) => json.starts_with(['[', '{']) || has_digit(json),
            Entry::Number(_) | Entry::Member => false,
        }),
        OutcomeRef::Number(_)
        | OutcomeRef::Integer(_)
        | OutcomeRef::Vector(_)
        | OutcomeRef::Failure(_) => false,
    }
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// The outcome taken apart; `None` if it is all of one piece.
pub(crate) fn unfold(outcome: &OutcomeRef<'_>) -> Option<Outcome> {
    if !may_unfold(outcome) {
        return None;
    }
    let mut leaves = Leaves(Vec::new());
    match outcome {
        OutcomeRef::Structure(json) => match parse(json) {
            Some(value) => {
                if let Some(numbers) = numbers(&value) {
                    return Some(match numbers[..] {
                        [alone] if !matches!(value, Value::List(_)) => Outcome::Number(alone),
                        _ => Outcome::Vector(numbers),
                    });
                }
                leaves.add(String::new(), value);
            }
            None => leaves.add_text("text", json),
        },
        OutcomeRef::Text(text) => {
            if let Ok(number) = text.trim().parse() {
                return Some(Outcome::Number(number));
            }
            leaves.add_text("text", text);
        }
        OutcomeRef::Keyed(keyed) => {
            for (key, entry) in keyed.entries() {
                match entry {
                    Entry::Other(json) => match parse(json) {
                        Some(value) => leaves.add(key.clone(), value),
                        None => leaves.add_text(key, json),
                    },
                    whole => leaves.push(key.clone(), whole.clone()),
                }
            }
        }
        _ => return None,
    }
    Some(Outcome::Keyed(Keyed::new(leaves.0)))
}

/// The numbers of a number or of lists of numbers within lists, if there is nothing else.
fn numbers(value: &Value) -> Option<Vec<f64>> {
    fn add(value: &Value, all: &mut Vec<f64>) -> bool {
        if all.len() >= MOST_LEAVES {
            return true;
        }
        match value {
            Value::List(values) => return values.iter().all(|value| add(value, all)),
            Value::Vector(values) => all.extend(values),
            Value::Null => all.push(f64::NAN),
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

/// The double next to a number.
fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(x) => Some(*x),
        #[allow(clippy::cast_precision_loss)] // next to it is what is wanted
        Value::Integer(i) => Some(*i as f64),
        Value::Large(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// Paths with what stands there.
struct Leaves(Vec<(String, Entry)>);

impl Leaves {
    fn push(&mut self, path: String, entry: Entry) {
        if self.0.len() < MOST_LEAVES {
            self.0.push((path, entry));
        }
    }

    fn add(&mut self, path: String, value: Value) {
        if self.0.len() >= MOST_LEAVES {
            return;
        }
        if path.len() > MOST_BYTES {
            return self.push(path, Entry::Other(value.canonical()));
        }
        match value {
            Value::List(values) => {
                for (place, value) in values.into_iter().enumerate().take(MOST_LEAVES) {
                    self.add(format!("{path}[{place}]"), value);
                }
            }
            Value::Vector(values) => {
                for (place, x) in values.into_iter().enumerate().take(MOST_LEAVES) {
                    self.push(format!("{path}[{place}]"), Entry::Number(x));
                }
            }
            Value::Object(entries) => {
                for (key, value) in entries {
                    let inner = if path.is_empty() { key } else { format!("{path}.{key}") };
                    self.add(inner, value);
                }
            }
            Value::Set(keys) => {
                for key in keys {
                    self.push(format!("{path}.{key}"), Entry::Member);
                }
            }
            Value::Text(text) => self.add_text(&path, &text),
            value => match as_number(&value) {
                Some(x) => self.push(path, Entry::Number(x)),
                None => self.push(path, Entry::Other(value.canonical())),
            },
        }
    }

    /// A text: what stays if its numbers are taken out, and these.
    fn add_text(&mut self, path: &str, text: &str) {
        if let Ok(number) = text.trim().parse() {
            return self.push(path.to_owned(), Entry::Number(number));
        }
        let (mut rest, mut found) = (String::new(), Vec::new());
        let mut at = 0;
        while at < text.len() && rest.len() < MOST_BYTES && found.len() < MOST_LEAVES {
            match number_at(text, at) {
                Some((x, length)) => {
                    rest.push('#');
                    found.push(x);
                    at += length;
                }
                None => {
                    let c = text[at..].chars().next().unwrap_or('#');
                    rest.push(c);
                    at += c.len_utf8();
                }
            }
        }
        self.push(path.to_owned(), Entry::Other(canonical_text(&rest)));
        for (place, x) in found.into_iter().enumerate() {
            self.push(format!("{path} number {place}"), Entry::Number(x));
        }
    }
}

/// The decimal number that starts at a byte, and its length. A `-` belongs to it unless it ends a word,
/// as in a date.
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn apart(outcome: &Outcome) -> Outcome {
        unfold(&outcome.as_ref()).expect("it can be taken apart")
    }

    fn map(entries: &[(&str, f64)], texts: &[(&str, &str)]) -> Outcome {
        let numbers = entries.iter().map(|(key, x)| ((*key).to_owned(), Entry::Number(*x)));
        let texts =
            texts.iter().map(|(key, json)| ((*key).to_owned(), Entry::Other((*json).to_owned())));
        Outcome::Keyed(Keyed::new(numbers.chain(texts)))
    }

    #[test]
    fn lists_maps_and_texts_are_taken_apart() {
        let structure = |json: &str| Outcome::Structure(json.to_owned());
        let matrix = apart(&structure("[[1,2],[3,-4.5e-3]]"));
        assert_eq!(matrix, vec![1.0, 2.0, 3.0, -4.5e-3].into());
        assert_eq!(
            apart(&structure("[\"north\",1.5]")),
            map(&[("[1]", 1.5)], &[("[0]", "\"north\"")])
        );
        let nested = map(&[("k", 7.0)], &[("stat", "{\"n\":1.5}"), ("counts", "[2,3]")]);
        let leaves = [("k", 7.0), ("stat.n", 1.5), ("counts[0]", 2.0), ("counts[1]", 3.0)];
        assert_eq!(apart(&nested), map(&leaves, &[]));
        assert_eq!(apart(&"1.5".into()), 1.5.into());
        assert_eq!(
            apart(&"bin7: -1e3 of 2026-11-23".into()),
            map(
                &[
                    ("text number 0", 7.0),
                    ("text number 1", -1e3),
                    ("text number 2", 2026.0),
                    ("text number 3", 11.0),
                    ("text number 4", 23.0)
                ],
                &[("text", "\"bin#: # of #-#-#\"")]
            )
        );
        assert_eq!(
            apart(&structure("123456789012345678901")),
            123_456_789_012_345_680_000.0.into()
        );
        assert_eq!(apart(&structure("not json 5")).as_ref().to_owned(), {
            map(&[("text number 0", 5.0)], &[("text", "\"not json #\"")])
        });
        for whole in [
            Outcome::Text("north".into()),
            Outcome::Number(1.0),
            structure("null"),
            map(&[("a", 1.0)], &[("b", "\"north\""), ("c", "null")]),
            Outcome::Failure("at 0x7f".into()),
        ] {
            assert!(unfold(&whole.as_ref()).is_none(), "{whole:?}");
        }
    }

    #[test]
    fn what_is_large_or_deep_is_cut_off() {
        let list = |n: usize, entry: &str| format!("[{}]", vec![entry; n].join(","));
        let Outcome::Vector(values) = apart(&Outcome::Structure(list(5000, "[1,2]"))) else {
            panic!("numbers")
        };
        assert_eq!(values.len(), MOST_LEAVES);
        let Outcome::Keyed(leaves) = apart(&Outcome::Structure(list(5000, "\"a\""))) else {
            panic!("texts")
        };
        assert_eq!(leaves.len(), MOST_LEAVES);
        let key = "k".repeat(1000);
        let deep = format!("[{{\"{key}\":{{\"{key}\":[1]}}}}]");
        let Outcome::Keyed(leaves) = apart(&Outcome::Structure(deep)) else { panic!("a path") };
        assert!(leaves.bytes() < 4000);
    }

    proptest! {
        #[test]
        fn no_text_breaks_it_and_all_of_a_batch_is_as_one_by_one(
            texts in prop::collection::vec("\\PC{0,12}|[-0-9.eE+#é]{0,12}|\\[[0-9\",{}:\\[\\]a]{0,9}\\]", 1..20),
        ) {
            let mut batch = Outcomes::new();
            for text in &texts {
                batch.push(Outcome::Text(text.clone()));
                batch.push(Outcome::Structure(text.clone()));
                batch.push(map(&[("x", 1.0)], &[("y", text)]));
            }
            let one_by_one = batch.iter().map(|outcome| {
                unfold(&outcome).unwrap_or_else(|| outcome.to_owned())
            });
            let one_by_one: Vec<String> = one_by_one.map(|outcome| format!("{outcome:?}")).collect();
            if let Some(all) = unfold_all(&batch) {
                let all: Vec<String> = all.iter().map(|o| format!("{:?}", o.to_owned())).collect();
                prop_assert_eq!(all, one_by_one);
            } else {
                let as_is: Vec<String> = batch.iter().map(|o| format!("{:?}", o.to_owned())).collect();
                prop_assert_eq!(as_is, one_by_one);
            }
        }
    }
}
