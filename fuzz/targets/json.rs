//! Lines as programs answer: our JSON reader against `jiter`, which takes NaN and the infinities too, and `serde_json`.
#![no_main]

use jiter::JsonErrorType;
use libfuzzer_sys::fuzz_target;
use plaudit::mechanism::wire::{push_line, push_lines, write_line};
use plaudit::mechanism::{Entry, Keyed, Outcome, Outcomes};
use std::collections::{BTreeMap, BTreeSet};

/// Lists and objects within one another that are surely read; beyond, our reader may refuse them (there is a limit of 64).
const DEPTH: usize = 63;
const EXACT: u64 = 1 << 53;

fuzz_target!(|line: &[u8]| {
    let ours = read(line);
    batches(line, &ours);
    round_trip(&ours);
    let theirs = jiter::JsonValue::parse(line, true);
    match &theirs {
        Ok(value) => compare(&ours, of_jiter(value, 0), !says_minus_zero(line), line),
        // On purpose: a number of more than 4300 digits is one.
        Err(error) if error.error_type == JsonErrorType::NumberOutOfRange => {}
        Err(error) => assert!(ours.is_err(), "jiter refuses it ({error}): {ours:?}"),
    }
    match serde_json::from_slice::<serde_json::Value>(line) {
        Ok(value) => {
            let mut exact = true;
            let theirs = of_serde(&value, 0, &mut exact);
            // serde_json keeps the last value of a key, and so hides that an earlier one must be refused: jiter shows that.
            if ours.is_ok() {
                compare(&ours, theirs, exact, line);
            }
        }
        Err(error) => {
            let words = error.to_string();
            // On purpose: 1e999 is infinite, as it is in Python; NaN and the infinities are numbers.
            let lenient = words.starts_with("number out of range")
                || line.windows(3).any(|word| word == b"NaN")
                || line.windows(8).any(|word| word == b"Infinity");
            assert!(lenient || ours.is_err(), "serde_json refuses it ({words}): {ours:?}");
        }
    }
});

type Timed = (Outcome, Option<u64>);

fn read(line: &[u8]) -> Result<Timed, String> {
    let mut outcomes = Outcomes::new();
    let read = push_line(line, &mut outcomes);
    assert_eq!(outcomes.len(), usize::from(read.is_ok()), "a line is one outcome or none");
    read.map(|ns| (outcomes.get(0).to_owned(), ns)).map_err(|error| error.to_string())
}

/// The same line among others, and in a batch that holds something else.
fn batches(line: &[u8], expected: &Result<Timed, String>) {
    if line.contains(&b'\n') {
        return;
    }
    let buffer = [b"0.5\n", line, b"\n[1]\n\"rest"].concat();
    let mut outcomes = Outcomes::new();
    let read = push_lines(&buffer, 9, &mut outcomes);
    match expected {
        Ok((outcome, _)) => {
            assert_eq!(read, Ok((4 + line.len() + 5, 3)));
            assert!(same(&outcomes.get(1).to_owned(), outcome));
            assert!(same(&outcomes.get(2).to_owned(), &vec![1.0].into()));
        }
        Err(_) => assert!(read.is_err() && outcomes.len() == 1),
    }
}

/// What is written of an outcome is JSON, and reads as the same outcome.
fn round_trip(read_before: &Result<Timed, String>) {
    let Ok((outcome, _)) = read_before else { return };
    let line = write_line(&outcome.as_ref());
    let (again, _) = read(line.as_bytes()).unwrap_or_else(|why| panic!("{line}: {why}"));
    assert!(same(&again, outcome), "{line}: {again:?} and {outcome:?}");
    if let Err(error) = serde_json::from_str::<serde_json::Value>(&line) {
        assert!(error.to_string().starts_with("number out of range"), "no JSON: {line}: {error}");
    }
}

/// What a line means, or that it means nothing (`Refused`), or lies too deep to say (`Deep`).
enum Meaning {
    Null,
    Number(f64),
    Integer(i64),
    Large(String),
    Text(String),
    List(Vec<Meaning>),
    Object(BTreeMap<String, Meaning>),
    Set(BTreeSet<String>),
    Error(String),
    Timed(u64, Box<Meaning>),
}

#[derive(Debug)]
enum No {
    Refused,
    Deep,
}

fn compare(ours: &Result<Timed, String>, theirs: Result<Meaning, No>, exact: bool, line: &[u8]) {
    let shown = || String::from_utf8_lossy(line);
    match (ours, theirs) {
        (_, Err(No::Deep)) => {}
        (Err(_), Err(No::Refused)) => {}
        (Ok((ours, ns)), Ok(theirs)) => {
            let (theirs, their_ns) = match theirs {
                Meaning::Timed(ns, value) => (*value, Some(ns)),
                other => (other, None),
            };
            assert_eq!(*ns, their_ns, "{}", shown());
            let theirs = theirs.outcome();
            assert!(!exact || same(ours, &theirs), "{}: {ours:?} and {theirs:?}", shown());
        }
        (Ok(ours), Err(No::Refused)) => panic!("{}: {ours:?} is read, against the rules", shown()),
        (Err(why), Ok(theirs)) => panic!("{}: {why}, but {:?}", shown(), theirs.outcome()),
    }
}

/// Whether −0 stands somewhere without a point or an exponent: jiter reads it as 0.
fn says_minus_zero(line: &[u8]) -> bool {
    let ends = |next: Option<&u8>| !next.is_some_and(|byte| b".eE".contains(byte));
    line.windows(2).enumerate().any(|(at, word)| word == b"-0" && ends(line.get(at + 2)))
}

fn of_jiter(value: &jiter::JsonValue<'_>, depth: usize) -> Result<Meaning, No> {
    use jiter::JsonValue;
    Ok(match value {
        _ if depth > DEPTH => return Err(No::Deep),
        JsonValue::Null => Meaning::Null,
        JsonValue::Bool(yes) => Meaning::Integer((*yes).into()),
        JsonValue::Int(i) => Meaning::Integer(*i),
        JsonValue::BigInt(large) => Meaning::Large(large.to_string()),
        JsonValue::Float(x) => Meaning::Number(*x),
        JsonValue::Str(text) => Meaning::Text(text.to_string()),
        JsonValue::Array(list) => {
            let each = list.iter().map(|value| of_jiter(value, depth + 1).and_then(inside));
            Meaning::List(collected(each)?)
        }
        JsonValue::Object(entries) => {
            let each = entries.iter().map(|(key, value)| (&**key, of_jiter(value, depth + 1)));
            object(each, depth)?
        }
    })
}

/// `exact` is set to false where a number is not what was written.
fn of_serde(value: &serde_json::Value, depth: usize, exact: &mut bool) -> Result<Meaning, No> {
    use serde_json::Value;
    Ok(match value {
        _ if depth > DEPTH => return Err(No::Deep),
        Value::Null => Meaning::Null,
        Value::Bool(yes) => Meaning::Integer((*yes).into()),
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(i), ..) => Meaning::Integer(i),
            (_, Some(large), _) => Meaning::Large(large.to_string()),
            (.., Some(x)) => {
                // Whether this was written as an integer is not to be known.
                *exact &= x.abs() < 9e18;
                Meaning::Number(x)
            }
            _ => unreachable!("a number is one of these"),
        },
        Value::String(text) => Meaning::Text(text.clone()),
        Value::Array(list) => {
            let each = list.iter().map(|value| of_serde(value, depth + 1, exact).and_then(inside));
            Meaning::List(collected(each)?)
        }
        Value::Object(entries) => {
            let each = entries.iter().map(|(key, value)| {
                let value = of_serde(value, depth + 1, exact);
                (key.as_str(), value)
            });
            object(each, depth)?
        }
    })
}

/// All of them; too deep if one is, else refused if one is: all are looked at.
fn collected(each: impl Iterator<Item = Result<Meaning, No>>) -> Result<Vec<Meaning>, No> {
    let (mut values, mut no) = (Vec::new(), None);
    for value in each {
        match (value, &no) {
            (Ok(value), _) => values.push(value),
            (Err(_), Some(No::Deep)) => {}
            (Err(why), _) => no = Some(why),
        }
    }
    no.map_or(Ok(values), Err)
}

/// Failures and times stand within nothing else.
fn inside(value: Meaning) -> Result<Meaning, No> {
    match value {
        Meaning::Error(_) | Meaning::Timed(..) => Err(No::Refused),
        value => Ok(value),
    }
}

/// An object; of a key that comes twice the last value counts, as in Python. `$` keys mean what docs/external.md says.
fn object<'a>(
    each: impl Iterator<Item = (&'a str, Result<Meaning, No>)>,
    depth: usize,
) -> Result<Meaning, No> {
    let mut keys = Vec::new();
    let each = each.map(|(key, value)| {
        keys.push(key.to_owned());
        // What was timed may be a failure.
        if key == "value" && depth == 0 { value } else { value.and_then(inside) }
    });
    let values = collected(each)?;
    let mut entries: BTreeMap<String, Meaning> = keys.into_iter().zip(values).collect();
    let Some(key) = entries.keys().find(|key| key.starts_with('$')).cloned() else {
        return match entries.get("value") {
            Some(Meaning::Error(_) | Meaning::Timed(..)) => Err(No::Refused),
            _ => Ok(Meaning::Object(entries)),
        };
    };
    let value = entries.remove(&key);
    let meaning = match (key.as_str(), value, entries.len()) {
        ("$ns", Some(Meaning::Integer(ns)), 1) if ns >= 0 => match entries.remove("value") {
            Some(value) if !matches!(value, Meaning::Timed(..)) => {
                Some(Meaning::Timed(ns.unsigned_abs(), value.into()))
            }
            _ => None,
        },
        ("$set", Some(Meaning::List(keys)), 0) => Some(Meaning::Set(
            as_numbers(&keys)
                .map(|numbers| {
                    numbers.into_iter().map(|x| Meaning::Number(x).canonical()).collect()
                })
                .unwrap_or_else(|| {
                    let key = |key: Meaning| match key {
                        Meaning::Text(text) => text,
                        other => other.canonical(),
                    };
                    keys.into_iter().map(key).collect()
                }),
        )),
        ("$error", Some(Meaning::Text(message)), 0) => Some(Meaning::Error(message)),
        ("$number", Some(Meaning::Text(word)), 0) => match word.as_str() {
            "nan" | "NaN" => Some(Meaning::Number(f64::NAN)),
            "inf" | "Infinity" => Some(Meaning::Number(f64::INFINITY)),
            "-inf" | "-Infinity" => Some(Meaning::Number(f64::NEG_INFINITY)),
            _ => None,
        },
        _ => None,
    };
    meaning.ok_or(No::Refused)
}

/// A list of numbers that doubles hold, with null for NaN.
fn as_numbers(list: &[Meaning]) -> Option<Vec<f64>> {
    let number = |value: &Meaning| match value {
        Meaning::Null => Some(f64::NAN),
        value => value.number(),
    };
    list.iter().map(number).collect()
}

impl Meaning {
    fn number(&self) -> Option<f64> {
        match self {
            Self::Number(x) => Some(*x),
            Self::Integer(i) if i.unsigned_abs() <= EXACT => Some(*i as f64),
            _ => None,
        }
    }

    fn outcome(self) -> Outcome {
        match self {
            Self::Number(x) => Outcome::Number(x),
            Self::Integer(i) => Outcome::Integer(i),
            Self::Text(text) => Outcome::Text(text),
            Self::Error(message) => Outcome::Failure(message),
            Self::Set(keys) => Outcome::Keyed(keys.into()),
            Self::Object(entries) => {
                let entry = |value: Self| match value.number() {
                    Some(x) => Entry::Number(x),
                    None => Entry::Other(value.canonical()),
                };
                let entries = entries.into_iter().map(|(key, value)| (key, entry(value)));
                Outcome::Keyed(Keyed::new(entries))
            }
            Self::List(list) => match as_numbers(&list) {
                Some(numbers) => Outcome::Vector(numbers),
                None => Outcome::Structure(Self::List(list).canonical()),
            },
            Self::Null | Self::Large(_) => Outcome::Structure(self.canonical()),
            Self::Timed(..) => unreachable!("times are outside"),
        }
    }

    fn canonical(&self) -> String {
        let text = |text: &str| serde_json::Value::from(text).to_string();
        let joined = |parts: Vec<String>| parts.join(",");
        match self {
            Self::Null => "null".into(),
            Self::Number(x) if x.is_nan() => "NaN".into(),
            Self::Number(x) if x.is_infinite() => {
                if *x > 0.0 { "Infinity" } else { "-Infinity" }.into()
            }
            Self::Number(x) if x.fract() == 0.0 && x.abs() <= EXACT as f64 => x.to_string(),
            Self::Number(x) => format!("{x:?}"),
            Self::Integer(i) => i.to_string(),
            Self::Large(digits) => digits.clone(),
            Self::Text(words) | Self::Error(words) => text(words),
            Self::List(list) => match as_numbers(list) {
                Some(numbers) => {
                    let number = |x: &f64| Self::Number(*x).canonical();
                    format!("[{}]", joined(numbers.iter().map(number).collect()))
                }
                None => format!("[{}]", joined(list.iter().map(Self::canonical).collect())),
            },
            Self::Object(entries) => {
                let entry =
                    |(key, value): (&String, &Self)| format!("{}:{}", text(key), value.canonical());
                format!("{{{}}}", joined(entries.iter().map(entry).collect()))
            }
            Self::Set(keys) => {
                format!("{{\"$set\":[{}]}}", joined(keys.iter().map(|key| text(key)).collect()))
            }
            Self::Timed(_, value) => value.canonical(),
        }
    }
}

/// Equal bit by bit, but for the bits of a NaN.
fn same(a: &Outcome, b: &Outcome) -> bool {
    let number = |x: f64, y: f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    match (a, b) {
        (Outcome::Number(x), Outcome::Number(y)) => number(*x, *y),
        (Outcome::Vector(x), Outcome::Vector(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| number(*x, *y))
        }
        (Outcome::Keyed(x), Outcome::Keyed(y)) => {
            let entry = |((key, x), (other, y)): (&(String, Entry), &(String, Entry))| {
                key == other
                    && match (x, y) {
                        (Entry::Number(x), Entry::Number(y)) => number(*x, *y),
                        (x, y) => x == y,
                    }
            };
            x.len() == y.len() && x.entries().iter().zip(y.entries()).all(entry)
        }
        (a, b) => a == b,
    }
}
