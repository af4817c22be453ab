//! Cells: a number or a label, as text or as a value.

use super::NumberKind;
use plaudit_core::visible::excerpt;
use plaudit_engine::mechanism::OutcomeRef;
use plaudit_engine::mechanism::recorded::separated;

/// A number as text or as JSON, where what is not finite is a text in quotes.
pub fn parsed(word: &str) -> Option<f64> {
    let word = word.trim();
    let inner = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or(word).parse().ok()
}

/// The number that a cell spells: −0 is 0.
pub fn number(word: &str, kind: NumberKind) -> Result<f64, String> {
    match parsed(word) {
        Some(number) => checked(number, kind),
        None => {
            let bare = word.trim().trim_matches('"');
            Err(separated(bare).unwrap_or_else(|| {
                format!("`{}` is not a number: {}", excerpt(word.trim().as_bytes()), kind.remedy)
            }))
        }
    }
}

fn checked(number: f64, kind: NumberKind) -> Result<f64, String> {
    match kind.nan {
        Some(why) if number.is_nan() => Err(why.to_owned()),
        _ => Ok(number + 0.0),
    }
}

/// The label that a cell spells.
pub fn label(word: &str, kind: NumberKind) -> Result<bool, String> {
    let is_member = kind == NumberKind::SCORES;
    match word.trim().to_ascii_lowercase().as_str() {
        "1" | "1.0" | "true" => Ok(true),
        "0" | "0.0" | "false" => Ok(false),
        "member" if is_member => Ok(true),
        "non-member" | "non_member" | "nonmember" if is_member => Ok(false),
        _ => {
            let [wrong, remedy] = kind.label;
            Err(format!("`{}` {wrong}: {remedy}", excerpt(word.trim().as_bytes())))
        }
    }
}

/// The number of a value of an array or a column.
pub fn number_of(value: OutcomeRef<'_>, kind: NumberKind) -> Result<f64, String> {
    match value {
        OutcomeRef::Number(x) => checked(x, kind),
        #[allow(clippy::cast_precision_loss)] // as the text of such a number is read
        OutcomeRef::Integer(i) => Ok(i as f64),
        other => number(&word_of(other), kind),
    }
}

/// The label of a value of an array or a column.
pub fn label_of(value: OutcomeRef<'_>, kind: NumberKind) -> Result<bool, String> {
    match value {
        OutcomeRef::Integer(0) => Ok(false),
        OutcomeRef::Integer(1) => Ok(true),
        other => label(&word_of(other), kind),
    }
}

/// The text of a value of an array or a column.
pub fn word_of(value: OutcomeRef<'_>) -> String {
    match value {
        OutcomeRef::Number(x) => x.to_string(),
        OutcomeRef::Integer(i) => i.to_string(),
        OutcomeRef::Text(word) | OutcomeRef::Structure(word) => word.to_owned(),
        other => format!("{other:?}"),
    }
}
