//! A trace of a violated audit's program: the lines at which its runs on D and on D' come apart under the same noise.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A trace, as the program's package made it: evidence of a mistake around the noise, on which no verdict depends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// `true` if there is a difference that noise does not explain.
    pub suspected: bool,
    /// The differences, those that are counterexamples by themselves first.
    pub differences: Vec<TraceDifference>,
    /// The whole trace in words, on several lines.
    pub words: String,
}

/// A difference between the two runs that noise does not explain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceDifference {
    /// `data`, `keys`, `sensitivity`, `loss`, `scale`, `reused`, `seed` or `exception`.
    pub kind: String,
    /// The file of its line.
    pub file: String,
    /// The number of its line.
    pub line: u64,
    /// The text of its line.
    pub text: String,
    /// The difference in words.
    pub words: String,
    /// `true` if it is a counterexample by itself.
    pub exact: bool,
}

impl Trace {
    /// One sentence: the lines and what differs there, at most three of them.
    pub fn sentence(&self) -> String {
        if self.differences.is_empty() {
            return "nothing is suspected in what it could follow".to_owned();
        }
        let one = |it: &TraceDifference| format!("{}:{}: {}", it.file, it.line, it.words);
        let more = self.differences.len().saturating_sub(3);
        let mut parts: Vec<String> = self.differences.iter().take(3).map(one).collect();
        if more > 0 {
            parts.push(format!("{more} more"));
        }
        format!("suspected at {}", parts.join("; "))
    }
}
