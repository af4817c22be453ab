//! Text from outside, made safe for the page.

use super::super::words::{cut, visible};

/// Longest text from outside that is shown whole.
pub(super) const TEXT: usize = 2_000;
pub(super) const NAME: usize = 200;

/// Text from outside, without what hides or reorders, and not longer than `most`. The template
/// escapes it.
pub(super) fn text(outside: &str, most: usize) -> String {
    cut(&visible(outside), most)
}

/// A value from outside, as JSON.
pub(super) fn json(value: &serde_json::Value) -> String {
    text(&value.to_string(), TEXT)
}
