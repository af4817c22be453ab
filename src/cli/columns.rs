//! Several columns of scores: each an attack of its own, at an equal share of the level.

use plaudit_accountant::number::chosen;
use plaudit_core::claim::Claim;
use serde::Serialize;

/// Results of all columns, for `--format json`.
#[derive(Debug, Serialize)]
pub(super) struct Columns<F, B> {
    pub seed: u64,
    /// Level of all columns together.
    pub alpha: f64,
    pub columns: Vec<Column<F>>,
    /// The largest bounds of any column.
    pub best: B,
    /// `true` if a column refutes the claim; absent without a claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refuted: Option<bool>,
}

/// Result of one column, at its share of the level.
#[derive(Debug, Serialize)]
pub(super) struct Column<F> {
    pub column: String,
    #[serde(flatten)]
    pub found: F,
}

impl<F> Column<F> {
    pub(super) fn all(names: Vec<String>, found: Vec<F>) -> Vec<Self> {
        names.into_iter().zip(found).map(|(column, found)| Self { column, found }).collect()
    }
}

impl<F, B> Columns<F, B> {
    /// The first line: how the level is shared.
    pub(super) fn head(&self) -> String {
        let (count, alpha) = (self.columns.len(), chosen(self.alpha));
        format!(
            "{count} columns of scores, each an attack of its own at level {alpha} / {count} (Bonferroni): all bounds of all \
             columns hold at once with confidence 1 − {alpha}."
        )
    }

    /// The last line: the verdict of all columns on the claim, if there is one.
    pub(super) fn verdict(&self, claim: Option<&Claim>) -> Option<String> {
        let (refuted, claim) = self.refuted.zip(claim)?;
        let verdict = if refuted { "refuted" } else { "not refuted" };
        Some(format!("\nthe claim {claim}, by all columns together: {verdict}"))
    }
}
