//! The report's summary for a terminal.

use super::slugs;
use super::telling::Telling;
use super::triage;
use super::words::{self, columns, cut, duration, short_count, visible};
use anstyle::{AnsiColor, Style};
use plaudit_core::finding::{
    AttackFinding, Change, Changes, Finding, Headline, Known, Report, Verdict,
};

const COLUMNS: usize = 8;
const HEAD: [&str; COLUMNS] =
    ["verdict", "audit", "claim", "bound", "claim allows", "expected", "trials", "time"];
const CLAIM: usize = 2;
const BOUND: usize = 3;
const ALLOWS: usize = 4;
const EXPECTED: usize = 5;
const TRIALS: usize = 6;
const TIME: usize = 7;
/// Least width of a claim that is shown.
const LEAST: usize = 12;
/// Columns to leave out when space is short, in this order; of the last, cells that are as expected.
const GIVE_WAY: [usize; 4] = [TIME, TRIALS, CLAIM, EXPECTED];
/// Marks an audit that has notes.
const MARK: &str = "*";

/// A table of the findings; below it a line for each that is unexpected or inconclusive, with the witness and the
/// possible causes of an unexpected violation, and one for each note on how a mechanism was run; and a total. Names are
/// always whole: rows are at most `width` columns wide where that is possible, and have fewer cells where space is
/// short.
///
/// Styled with ANSI escape codes: strip them (`anstream` does) where colours are off.
pub fn table(report: &Report, width: usize) -> String {
    let rows: Vec<_> = report.audits.iter().map(row).collect();
    let layout = Layout::new(&rows, width);
    let mut out = String::new();
    if !rows.is_empty() || report.attacks.is_empty() {
        layout.line(&mut out, &HEAD.map(String::from), &[Style::new().bold(); COLUMNS], false);
    }
    for (finding, row) in report.audits.iter().zip(&rows) {
        let mut styles = [Style::new(); COLUMNS];
        styles[0] = style(finding.verdict);
        styles[EXPECTED] = match (finding.interrupted, finding.as_expected) {
            (true, _) => style(Verdict::Inconclusive),
            (false, true) => Style::new().dimmed(),
            (false, false) => alarm(),
        };
        layout.line(&mut out, row, &styles, finding.interrupted || !finding.as_expected);
    }
    let explained =
        |finding: &&Finding| !finding.as_expected || finding.verdict == Verdict::Inconclusive;
    let slugs = slugs(report);
    let all = report.audits.iter().zip(&slugs).filter(|(finding, _)| explained(finding));
    for (at, (finding, slug)) in all.enumerate() {
        if at == 0 {
            out.push('\n');
        }
        explain(&mut out, finding, slug);
    }
    let noted = || report.audits.iter().filter(|finding| !finding.notes.is_empty());
    if noted().next().is_some() {
        out.push('\n');
    }
    // Notes on several audits are shown once.
    let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
    for finding in noted() {
        for note in &finding.notes {
            match notes.iter_mut().find(|(words, _)| words == note) {
                Some((_, names)) => names.push(&finding.name),
                None => notes.push((note, vec![&finding.name])),
            }
        }
    }
    for (note, names) in notes {
        out.push_str(&format!("{MARK} {}: {}\n", visible(&names.join(", ")), visible(note)));
    }
    if !report.attacks.is_empty() && !rows.is_empty() {
        out.push('\n');
    }
    for finding in &report.attacks {
        attacked(&mut out, finding);
    }
    if let Some(changes) = &report.changes {
        out.push('\n');
        changed(&mut out, changes);
    }
    out.push_str(&format!("\n{}\n", total(report)));
    out
}

fn attacked(out: &mut String, finding: &AttackFinding) {
    let (style, word) = match finding.as_expected() {
        true => (Style::new().dimmed(), "as expected"),
        false => (alarm(), "UNEXPECTED"),
    };
    let [name, outcome] = [&finding.name, &finding.outcome].map(|text| visible(text));
    let end = finding.end();
    out.push_str(&format!("attack {end}, {style}{word}{style:#}: {name}: {outcome}\n"));
}

fn changed(out: &mut String, changes: &Changes) {
    out.push_str("since the previous report:\n");
    if changes.is_empty() {
        out.push_str("    nothing changed\n");
    }
    let lists =
        [("verdict", &changes.verdicts), ("claim", &changes.claims), ("bound", &changes.bounds)];
    for (what, list) in lists {
        for Change { audit, before, now } in list {
            let [audit, before, now] = [audit, before, now].map(|text| visible(text));
            out.push_str(&format!("    {what} of {audit}: {before} → {now}\n"));
        }
    }
    for (what, names) in [("new", &changes.added), ("gone", &changes.removed)] {
        if !names.is_empty() {
            out.push_str(&format!("    {what}: {}\n", visible(&names.join(", "))));
        }
    }
}

/// The verdict and its reasons; of an unexpected one what was found, possible causes, and what to do next.
fn explain(out: &mut String, finding: &Finding, slug: &str) {
    let style = style(finding.verdict);
    let telling = Telling::of(finding, slug);
    let [verdict, name, reason] =
        [&telling.verdict, &telling.name, &telling.reason].map(|text| visible(text));
    out.push_str(&format!("{style}{verdict}{style:#}  {name}: {reason}\n"));
    if finding.as_expected || finding.verdict != Verdict::Violated {
        return;
    }
    for line in telling.lines() {
        out.push_str(&format!("    {}\n", visible(&line)));
    }
}

fn row(finding: &Finding) -> [String; COLUMNS] {
    let headline = finding.numbers().into_iter().next();
    [
        finding.verdict_words(),
        visible(&finding.name),
        words::claim(finding),
        number(headline.as_ref()),
        allows(headline.as_ref()),
        expected(finding),
        short_count(finding.trials.total),
        duration(finding.wall_s),
    ]
}

/// "as expected", "UNEXPECTED" or "interrupted", and the mark of a finding that has notes.
fn expected(finding: &Finding) -> String {
    let word = match (finding.interrupted, finding.as_expected) {
        (true, _) => "interrupted",
        (false, true) => "as expected",
        (false, false) => "UNEXPECTED",
    };
    let mark = if finding.notes.is_empty() { "" } else { MARK };
    format!("{word}{mark}")
}

/// Main number of a finding; one that is not certified shows how it is known.
fn number(headline: Option<&Headline>) -> String {
    match headline {
        Some(Headline { known: known @ (Known::Proved | Known::Estimated), words, .. }) => {
            format!("{} {words}", known.word())
        }
        Some(Headline { words, .. }) => words.clone(),
        None => "–".into(),
    }
}

fn allows(headline: Option<&Headline>) -> String {
    headline.and_then(|number| number.allowed_words.clone()).unwrap_or_else(|| "–".into())
}

/// Widths of the columns, 0 of those that are left out, and of the blank between two of them.
struct Layout {
    widths: [usize; COLUMNS],
    gap: usize,
}

impl Layout {
    /// A layout that fits into `width` if it can: the blanks give way first, then the end of long claims, then whole columns.
    fn new(rows: &[[String; COLUMNS]], width: usize) -> Self {
        let mut widths = HEAD.map(columns);
        for row in rows {
            for (widest, cell) in widths.iter_mut().zip(row) {
                *widest = (*widest).max(columns(cell));
            }
        }
        let claim = widths[CLAIM];
        let mut layout = Self { widths, gap: 2 };
        layout.gap -= usize::from(layout.width() > width);
        for column in GIVE_WAY {
            if layout.widths[CLAIM] > 0 {
                layout.widths[CLAIM] = claim;
                let over = layout.width().saturating_sub(width);
                layout.widths[CLAIM] = claim.saturating_sub(over).max(LEAST.min(claim));
            }
            if layout.width() <= width {
                break;
            }
            layout.widths[column] = 0;
        }
        layout
    }

    fn width(&self) -> usize {
        let shown = self.widths.iter().filter(|width| **width > 0).count();
        self.widths.iter().sum::<usize>() + self.gap * (shown - 1)
    }

    /// A line; with `expected` that cell is at its end where its column is left out.
    fn line(
        &self,
        out: &mut String,
        cells: &[String; COLUMNS],
        styles: &[Style; COLUMNS],
        expected: bool,
    ) {
        let mut parts = Vec::with_capacity(COLUMNS);
        for (at, ((cell, width), style)) in cells.iter().zip(self.widths).zip(styles).enumerate() {
            if width == 0 {
                continue;
            }
            let cell = cut(cell, width);
            let padding = " ".repeat(width - columns(&cell));
            // Numbers to the right, words to the left.
            parts.push(match at {
                BOUND | ALLOWS | TRIALS | TIME => format!("{padding}{style}{cell}{style:#}"),
                _ => format!("{style}{cell}{style:#}{padding}"),
            });
        }
        if expected && self.widths[EXPECTED] == 0 {
            parts.push(format!("{0}{1}{0:#}", styles[EXPECTED], cells[EXPECTED]));
        }
        out.push_str(parts.join(&"  "[..self.gap]).trim_end());
        out.push('\n');
    }
}

/// `not refuted` is not green: nothing was proved.
fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Violated => AnsiColor::Red.on_default().bold(),
        Verdict::Verified | Verdict::Bounded => AnsiColor::Green.on_default(),
        Verdict::NotRefuted => AnsiColor::Cyan.on_default(),
        Verdict::Inconclusive => AnsiColor::Yellow.on_default(),
    }
}

fn alarm() -> Style {
    AnsiColor::Red.on_default().bold()
}

fn total(report: &Report) -> String {
    let audits = report.audits.iter().all(|finding| finding.as_expected || finding.interrupted);
    let as_expected = audits && report.attacks.iter().all(AttackFinding::as_expected);
    let style = if as_expected { Style::new().bold() } else { alarm() };
    let judgement = words::judgement(report);
    let seconds = report.provenance.as_ref().and_then(|provenance| provenance.wall_s);
    format!(
        "{}; {style}{judgement}{style:#}; seed {}, {}{}",
        triage::totals(report),
        report.run.seed,
        triage::level(report),
        seconds.map_or_else(String::new, |seconds| format!(", {}", duration(seconds))),
    )
}
