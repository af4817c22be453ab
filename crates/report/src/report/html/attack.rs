//! The section on attacks: what each got, the picture of it, and its numbers.

use super::super::plot;
use super::outside::{NAME, TEXT, text};
use minijinja::{Value, context};
use plaudit_core::finding::{AttackFinding, Report};

/// One entry an attack, those first that did not end as expected.
pub(super) fn attacks(report: &Report) -> Vec<Value> {
    let mut all: Vec<&AttackFinding> = report.attacks.iter().collect();
    all.sort_by_key(|finding| finding.as_expected());
    all.into_iter().enumerate().map(|(place, finding)| value(place, finding)).collect()
}

fn value(place: usize, finding: &AttackFinding) -> Value {
    let cells = |row: &Vec<String>| row.iter().map(|cell| text(cell, NAME)).collect::<Vec<_>>();
    let end = |succeeded: bool| if succeeded { "succeeds" } else { "fails" };
    context! {
        place => place,
        name => text(&finding.name, NAME),
        about => finding.about.as_deref().map(|about| text(about, TEXT)),
        kind => finding.kind.word(),
        end => finding.end(),
        // An attack that ends as it should raises no alarm.
        class => if finding.as_expected() { "not-refuted" } else { "violated" },
        as_expected => finding.as_expected(),
        expected => end(finding.expected),
        setting => text(&finding.setting, TEXT),
        outcome => text(&finding.outcome, TEXT),
        seed => finding.seed.to_string(),
        svg => plot::attack(finding).map(|plot| Value::from_safe_string(plot.svg)),
        heads => cells(&finding.table.heads),
        rows => finding.table.rows.iter().map(cells).collect::<Vec<_>>(),
    }
}
