//! The benchmark as a Markdown table.

use super::{Benchmark, BudgetResult, FirstViolation, MechanismRow};
use plaudit_accountant::number;
use plaudit_core::finding::Expectation;
use std::fmt::Write;

/// Longest witness that is printed in full, in characters.
const LONGEST: usize = 160;

/// The benchmark in Markdown: how it was run, then a table of the right mechanisms and one of the
/// broken ones.
pub fn markdown(benchmark: &Benchmark) -> String {
    let Benchmark { tool, confidence, seeds, jobs, wall_s, rows } = benchmark;
    let mut words = format!(
        "Written by `plaudit benchmark` ({} {}): {seeds} seeds, {jobs} threads, {wall_s:.0} s in all. \
         Certified ε at {} % confidence, explore included: median over the seeds. A cell in *italics* \
         has an oracle, and in brackets the mean over it. True ε: of the audit's worst pair, and in \
         brackets of the worst pair that is known, where that is another.\n",
        tool.name,
        tool.version,
        number::words((confidence * 1e10).round() / 1e8),
    );
    let parts =
        [("Right", Expectation::NotViolated, false), ("Broken", Expectation::Violated, true)];
    for (title, expected, broken) in parts {
        let rows: Vec<&MechanismRow> = rows.iter().filter(|row| row.expected == expected).collect();
        if !rows.is_empty() {
            // Writing into a string cannot fail.
            let _ = write!(words, "\n## {title}\n\n{}", table(&rows, broken));
        }
    }
    words
}

fn table(rows: &[&MechanismRow], broken: bool) -> String {
    let mut budgets: Vec<u64> =
        rows.iter().flat_map(|row| row.outcomes.iter().map(|outcome| outcome.trials)).collect();
    budgets.sort_unstable();
    budgets.dedup();
    let mut head = vec!["mechanism".to_owned(), "claim".into(), "true ε".into()];
    head.extend(budgets.iter().map(|&trials| format!("{} runs", runs(trials))));
    if rows.iter().any(|row| row.reference.is_some()) {
        head.push("DP-Sniper".into());
    }
    if broken {
        head.push("first violation".into());
    }
    head.push("witness".into());
    let mut words = line(&head) + &line(&vec!["---".to_owned(); head.len()]);
    for row in rows {
        let mut cells = vec![row.name.clone(), row.claim.clone(), truth(row)];
        let at = |trials: u64| row.outcomes.iter().find(|outcome| outcome.trials == trials);
        cells.extend(budgets.iter().map(|&trials| at(trials).map_or("—".into(), certified)));
        if rows.iter().any(|row| row.reference.is_some()) {
            cells.push(row.reference.map_or("—".into(), |epsilon| epsilon.to_string()));
        }
        if broken {
            cells.push(row.first_violation.map_or("—".into(), first));
        }
        cells.push(row.outcomes.last().map_or_else(String::new, witness));
        words.push_str(&line(&cells));
    }
    words
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn runs(trials: u64) -> String {
    format!("{:e}", trials as f64)
}

fn truth(row: &MechanismRow) -> String {
    let word = |epsilon: f64| match epsilon {
        f64::INFINITY => "∞".to_owned(),
        epsilon => number::words((epsilon * 1e4).round() / 1e4).into_owned(),
    };
    match (row.truth.pair, row.truth.best) {
        (Some(pair), Some(best)) if pair != best => format!("{} ({})", word(pair), word(best)),
        (Some(pair), _) => word(pair),
        (None, Some(best)) => format!("({})", word(best)),
        (None, None) => "—".into(),
    }
}

fn certified(outcome: &BudgetResult) -> String {
    let epsilon = number::floored(outcome.epsilon_lower);
    match outcome.ratio {
        Some(ratio) => format!("*{epsilon}* ({ratio:.3})"),
        None => epsilon,
    }
}

fn first(first: FirstViolation) -> String {
    format!("{} runs, {:.2} s", runs(first.trials), first.seconds)
}

fn witness(outcome: &BudgetResult) -> String {
    let words = format!("{} ({})", outcome.witness, outcome.pair);
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &words[..end]),
        None => words,
    }
}
