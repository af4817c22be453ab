//! Post-processing of released outcomes. It sees only the outcome, so it cannot distinguish two
//! datasets better than the outcome could.
//!
//! [`PostProcessing`] is read from words (`round:0.1`); [`PostProcessed`] is a processed mechanism.

mod operation;
mod processed;

pub use processed::PostProcessed;

use super::{Outcome, OutcomeRef, Outcomes};
use operation::{Operation, Processed, Scratch};
use std::fmt;

const MOST: usize = 8;

/// Operations on outcomes, applied in order.
///
/// Numbers, integers and lists of numbers are processed; a number is a list of one where an
/// operation takes lists. All other outcomes (failures, texts, maps) stay as they are.
///
/// ```
/// # use plaudit_engine as plaudit;
/// use plaudit::mechanism::{Outcome, PostProcessing};
///
/// let post = PostProcessing::parse(["clamp:0,10", "round:0.5"])?;
/// assert_eq!(post.words(), "clamped between 0 and 10, then rounded to multiples of 0.5");
/// assert_eq!(post.apply(&Outcome::Vector(vec![-1.0, 2.3])), Outcome::Vector(vec![0.0, 2.5]));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PostProcessing(Vec<Operation>);

impl PostProcessing {
    /// Reads operations: `round:0.1`, `clamp:0,10`, `threshold:3`, `argmax`, `top:2`.
    ///
    /// # Errors
    /// A sentence on the first invalid operation.
    pub fn parse<'a>(written: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let operations: Vec<Operation> =
            written.into_iter().map(Operation::parse).collect::<Result<_, _>>()?;
        match operations.len() {
            0 => Err("there is no operation to apply".into()),
            1..=MOST => Ok(Self(operations)),
            many => Err(format!("{many} operations are too many: at most {MOST}")),
        }
    }

    /// The operations as [`PostProcessing::parse`] reads them.
    pub fn written(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// Effect on an outcome, in words: letters, digits, spaces, points, commas and hyphens.
    pub fn words(&self) -> String {
        self.0.iter().map(Operation::words).collect::<Vec<_>>().join(", then ")
    }

    pub fn apply(&self, outcome: &Outcome) -> Outcome {
        let mut scratch = Scratch::default();
        match self.processed(&outcome.as_ref(), &mut scratch) {
            None => outcome.clone(),
            Some(Processed::Number(x)) => Outcome::Number(x),
            Some(Processed::Integer(i)) => Outcome::Integer(i),
            Some(Processed::List) => Outcome::Vector(scratch.into_list()),
        }
    }

    /// Adds each processed outcome of a batch to `to`, without an allocation for each.
    pub fn apply_all(&self, batch: &Outcomes, to: &mut Outcomes) {
        let mut scratch = Scratch::default();
        for outcome in batch.iter() {
            match self.processed(&outcome, &mut scratch) {
                None => to.push_ref(outcome),
                Some(Processed::Number(x)) => to.push_number(x),
                Some(Processed::Integer(i)) => to.push_integer(i),
                Some(Processed::List) => to.push_vector(scratch.list()),
            }
        }
    }

    /// The processed outcome; `None`: it has no numbers to process. A list is left in `scratch`.
    fn processed(&self, outcome: &OutcomeRef<'_>, scratch: &mut Scratch) -> Option<Processed> {
        let first = match *outcome {
            OutcomeRef::Number(x) => Processed::Number(x),
            OutcomeRef::Integer(i) => Processed::Integer(i),
            OutcomeRef::Vector(values) => {
                scratch.start(values);
                Processed::List
            }
            OutcomeRef::Text(_)
            | OutcomeRef::Keyed(_)
            | OutcomeRef::Structure(_)
            | OutcomeRef::Failure(_) => return None,
        };
        Some(self.0.iter().fold(first, |value, operation| operation.apply(value, scratch)))
    }
}

impl fmt::Display for PostProcessing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words())
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/mechanism/post.rs"]
mod tests;
