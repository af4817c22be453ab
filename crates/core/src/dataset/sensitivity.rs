//! How far answers may move between neighbors.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far apart two answers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Norm {
    /// The sum of the differences.
    L1,
    /// The root of the sum of their squares.
    L2,
    /// The largest difference.
    Linf,
}

impl Norm {
    /// The word in specs and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::L1 => "l1",
            Self::L2 => "l2",
            Self::Linf => "linf",
        }
    }
}

/// A declared sensitivity: the answers on neighbors are at most this far apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sensitivity {
    /// Unit of the distance.
    pub norm: Norm,
    /// The largest distance; finite and above 0.
    pub most: f64,
}

impl Sensitivity {
    /// `true` if it can be a sensitivity.
    pub fn is_possible(&self) -> bool {
        self.most > 0.0 && self.most.is_finite()
    }
}

/// "l1 sensitivity 100".
impl std::fmt::Display for Sensitivity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} sensitivity {}",
            self.norm.word(),
            plaudit_accountant::number::words(self.most)
        )
    }
}
