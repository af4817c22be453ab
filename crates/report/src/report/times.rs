//! Where the time of a run went, for a terminal.

use super::words::{columns, duration, short_count, visible};
use plaudit_core::finding::{Finding, Report};

/// Most audits that are listed.
const MOST: usize = 25;
const COLUMNS: usize = 10;
const HEAD: [&str; COLUMNS] = [
    "time",
    "prove",
    "prepare",
    "explore",
    "confirm",
    "shrink",
    "judge",
    "mechanism",
    "runs/s",
    "audit",
];

/// A table of the findings, the slowest first: wall time, that of each step, the time of the mechanism's own runs (added
/// over all threads), and runs a second of wall time. Of findings that this process made: no file has their times but
/// for the provenance of a report.
pub fn times(report: &Report) -> String {
    let mut findings: Vec<&Finding> = report.audits.iter().collect();
    findings.sort_by(|a, b| b.wall_s.total_cmp(&a.wall_s));
    let mut rows = vec![HEAD.map(String::from)];
    rows.extend(findings.iter().take(MOST).map(|finding| row(&[finding], &finding.name)));
    if findings.len() > MOST {
        let others = format!("{} others", findings.len() - MOST);
        rows.push(row(&findings[MOST..], &others));
    }
    if findings.len() > 1 {
        rows.push(row(&findings, "all"));
    }
    let width = |at: usize| rows.iter().map(|row| columns(&row[at])).max().unwrap_or(0);
    let widths: [usize; COLUMNS] = std::array::from_fn(width);
    let mut out = String::from("where the time went, slowest first:\n");
    for row in &rows {
        for (cell, width) in row.iter().zip(widths).take(COLUMNS - 1) {
            out.push_str(&" ".repeat(width - columns(cell)));
            out.push_str(cell);
            out.push_str("  ");
        }
        out.push_str(&row[COLUMNS - 1]);
        out.push('\n');
    }
    out
}

fn row(findings: &[&Finding], name: &str) -> [String; COLUMNS] {
    let sum = |of: &dyn Fn(&Finding) -> f64| findings.iter().map(|it| of(it)).sum::<f64>();
    let wall = sum(&|it| it.wall_s);
    let steps = [
        sum(&|it| it.steps.prove_s),
        sum(&|it| it.steps.prepare_s),
        sum(&|it| it.steps.explore_s),
        sum(&|it| it.steps.confirm_s),
        sum(&|it| it.steps.shrink_s),
    ];
    let [prove, prepare, explore, confirm, shrink] = steps.map(short);
    let judge = short((wall - steps.iter().sum::<f64>()).max(0.0));
    let runs: u64 = findings.iter().map(|finding| finding.trials.total).sum();
    let pace = match runs > 0 && wall > 0.0 {
        // A number of runs a second, far below 2^64.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        true => short_count((runs as f64 / wall) as u64),
        false => "–".to_owned(),
    };
    let mechanism = short(sum(&|it| it.steps.mechanism_s));
    let name = visible(name);
    [duration(wall), prove, prepare, explore, confirm, shrink, judge, mechanism, pace, name]
}

/// A time, or a dash for what takes next to none.
fn short(seconds: f64) -> String {
    if seconds < 0.0005 { "–".to_owned() } else { duration(seconds) }
}

#[cfg(test)]
#[path = "../../tests/unit/report/times.rs"]
mod tests;
