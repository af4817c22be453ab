//! Answers of one line: to a query, and to the question what else a program answers.

use super::failure::ProgramFailure;
use crate::mechanism::wire::push_line;
use crate::mechanism::{Answer, Outcome, Outcomes};
use serde_json::Value;

/// Key of a program's declared capabilities: no key of an outcome begins with `$`.
const CAPABILITIES: &str = "$capabilities";

/// `true` if a line declares that queries are answered.
pub fn declares_query(line: &[u8]) -> bool {
    let said = serde_json::from_slice::<Value>(line).ok();
    let listed = said.as_ref().and_then(|said| said.get(CAPABILITIES)?.as_array());
    listed.is_some_and(|listed| listed.iter().any(|word| word == "query"))
}

/// The answer to a query, in a line.
pub fn read_numbers(line: &[u8]) -> Result<Answer, ProgramFailure> {
    let protocol =
        |why: String| ProgramFailure::Protocol(format!("its answer to a query is invalid: {why}"));
    let mut outcomes = Outcomes::new();
    push_line(line, &mut outcomes).map_err(|error| protocol(error.to_string()))?;
    match outcomes.get(0).to_owned() {
        Outcome::Number(x) => Ok(Ok(vec![x])),
        Outcome::Vector(values) => Ok(Ok(values)),
        Outcome::Failure(words) => Ok(Err(words)),
        // Distances are compared exactly, so that no answer may be rounded.
        Outcome::Integer(whole) if i128::from(whole) == (whole as f64) as i128 => {
            Ok(Ok(vec![whole as f64]))
        }
        _ => Err(protocol(format!(
            "it is a number, or a list of numbers (integers beyond 2^53 that do not fit in a \
             double are too large), and this is {}",
            plaudit_core::visible::excerpt(line)
        ))),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/mechanism/program/line.rs"]
mod tests;
