//! File names for audits: safe on every system, and no two alike.

use plaudit_core::finding::Report;
use std::collections::HashSet;

/// Longest slug; leaves room for a number and a plot's name below every system's limit.
const LONGEST: usize = 60;

/// Names that Windows keeps for devices, with any extension.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];

/// One file name (without extension) for each audit of a report, in their order: lower-case ASCII
/// letters, digits and single hyphens, at most 70 bytes, all distinct, the same for the same names
/// in the same order.
pub fn slugs(report: &Report) -> Vec<String> {
    let mut taken = Slugs::default();
    report.audits.iter().map(|finding| taken.of(&finding.name)).collect()
}

#[derive(Default)]
pub(super) struct Slugs(HashSet<String>);

impl Slugs {
    /// The slug of the next audit of this name.
    pub(super) fn of(&mut self, name: &str) -> String {
        let base = slug(name);
        let numbered = (2..).map(|n| format!("{base}-{n}"));
        let free = std::iter::once(base.clone())
            .chain(numbered)
            .find(|candidate| !self.0.contains(candidate))
            .expect("only finitely many of the candidates are used");
        self.0.insert(free.clone());
        free
    }
}

fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().map(|c| c.to_ascii_lowercase()) {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() == LONGEST {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() || is_reserved(slug) {
        return format!("audit-{slug}").trim_end_matches('-').to_owned();
    }
    slug.to_owned()
}

fn is_reserved(slug: &str) -> bool {
    let port = slug.strip_prefix("com").or_else(|| slug.strip_prefix("lpt"));
    RESERVED.contains(&slug)
        || port.is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit())
}

#[cfg(test)]
#[path = "../../tests/unit/report/slug.rs"]
mod tests;
