//! Operations on outcomes after their release.

use super::Built;
use crate::spec::error::Checked;
use crate::spec::read::{self, Fields, Place};
use plaudit_core::finding::{Expectation, MechanismSummary, PostSummary};
use plaudit_engine::mechanism::{
    CatalogMechanism as _, Outcome, PostProcessed, PostProcessing, order,
};
use toml::de::DeValue;

const EXAMPLE: &str = "post = \"round:0.1\", post = \"clamp:0,10\", post = \"threshold:3\", post = \"argmax\", \
                       post = \"top:2\", or a list of these";

/// The audit of processed outcomes that an audit asks for.
pub(in crate::spec) struct After {
    post: PostProcessing,
    pub expect: Expectation,
}

/// Reads `post`; `expect` is what is expected of the processed outcomes.
pub(in crate::spec) fn read(
    audit: &Fields<'_>,
    expect: Option<Expectation>,
) -> Checked<Option<After>> {
    let Some(value) = audit.get("post") else {
        return match audit.get("expect_after") {
            Some(value) => {
                let message = "`expect_after` requires `post`";
                value.refuse(message, format!("write {EXAMPLE}"))
            }
            None => Ok(None),
        };
    };
    if audit.has(super::recorded::RECORDED) {
        let message = "recorded outcomes are audited as they were recorded";
        let help = "leave `post` out, and record the processed outcomes in files of their own";
        return value.refuse(message, help);
    }
    let written = match value.get_ref() {
        DeValue::Array(_) => {
            read::list_of(value, ("`post`", "an entry of `post`", EXAMPLE), read::text)?
        }
        DeValue::String(word) => vec![word.as_ref()],
        _ => {
            let message = "`post` must be a string, or a list of strings";
            return value.refuse(message, format!("write {EXAMPLE}"));
        }
    };
    let post = PostProcessing::parse(written)
        .map_err(|why| value.wrong(format!("`post`: {why}"), format!("write {EXAMPLE}")))?;
    // Its mistakes have been reported.
    Ok(expect.map(|expect| After { post, expect }))
}

impl After {
    /// Summary for the report, if the audit of the unprocessed outcomes has this name.
    pub(in crate::spec) fn summary(&self, before: &str) -> PostSummary {
        PostSummary { words: self.post.words(), before: before.to_owned() }
    }

    pub(in crate::spec) fn name(&self, before: &str) -> String {
        format!("{before}, then {}", self.post)
    }

    /// The mechanism with its outcomes processed.
    pub(in crate::spec) fn of(&self, built: Built) -> Built {
        let Built { mechanism, summary, missing } = built;
        let mechanism = PostProcessed::new(mechanism, self.post.clone());
        let (description, post) = (mechanism.describe(), self.post.written());
        let summary = MechanismSummary { description, post, ..summary };
        Built { mechanism: Box::new(mechanism), summary, missing }
    }

    /// Processed versions of all outcomes that the mechanism can have, each once.
    pub(in crate::spec) fn alphabet(&self, all: &[Outcome]) -> Vec<Outcome> {
        let mut processed: Vec<Outcome> = all.iter().map(|one| self.post.apply(one)).collect();
        processed.sort_by(|a, b| order(&a.as_ref(), &b.as_ref()));
        processed.dedup_by(|a, b| order(&a.as_ref(), &b.as_ref()).is_eq());
        processed
    }
}
