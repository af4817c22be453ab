//! Kind of an audited mechanism.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Kind of a mechanism: a way to run one that plaudit cannot see into, or its name in the catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MechanismKind {
    /// A program, asked over standard input and output.
    #[serde(rename = "process")]
    Program,
    /// A function of the process that plaudit runs in, in another language.
    Function,
    /// A closure in Rust.
    Closure,
    /// Recorded outcomes.
    Recorded,
    /// A mechanism of the catalog, by its name there.
    #[serde(untagged)]
    Catalog(String),
}

impl MechanismKind {
    /// `true` if it is asked by requests: a program, or a function that is asked like one.
    pub fn is_asked(&self) -> bool {
        matches!(self, Self::Program | Self::Function)
    }
}

/// As in reports.
impl fmt::Display for MechanismKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_written_as_before_they_were_typed() {
        use MechanismKind::{Catalog, Closure, Function, Program, Recorded};
        let written = ["process", "function", "closure", "recorded", "laplace"];
        let kinds = [Program, Function, Closure, Recorded, Catalog("laplace".into())];
        for (word, kind) in written.into_iter().zip(kinds) {
            assert_eq!(serde_json::to_value(&kind).unwrap(), word);
            assert_eq!(serde_json::from_value::<MechanismKind>(word.into()).unwrap(), kind);
            assert_eq!(kind.to_string(), word);
        }
    }
}
