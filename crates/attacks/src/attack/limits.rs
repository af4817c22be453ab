//! Checks of questions about a release and the table that it was made from.

use super::read::is_one_file;
use plaudit_core::visible::{excerpt, visible};
use std::path::PathBuf;

/// Checks that the control is not the original.
pub(super) fn control_is_another(
    original: &PathBuf,
    control: Option<&PathBuf>,
) -> Result<(), String> {
    match control {
        Some(control) if is_one_file([original, control]) => {
            let path = visible(&control.display().to_string());
            Err(format!(
                "the original and the control are the same file: give rows that the release was made without {path}: nothing was computed"
            ))
        }
        _ => Ok(()),
    }
}

/// Checks an excess that is allowed.
pub(super) fn at_most_is_possible(at_most: Option<f64>) -> Result<(), String> {
    match at_most {
        Some(most) if !(0.0..=1.0).contains(&most) => {
            Err(format!("an excess of at most {most} is invalid: it must be from 0 to 1"))
        }
        _ => Ok(()),
    }
}

/// Checks that each column is named once.
pub(super) fn columns_are_different(names: &[String]) -> Result<(), String> {
    let mut places = names.iter().enumerate();
    match places.find(|(place, name)| names[..*place].contains(name)) {
        Some((_, name)) => {
            Err(format!("`{}` is listed twice among the columns", excerpt(name.as_bytes())))
        }
        None => Ok(()),
    }
}
