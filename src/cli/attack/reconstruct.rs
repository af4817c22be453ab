//! `plaudit attack reconstruct`.

use super::bits::bits;
use crate::cli::args::ReconstructArguments;
use crate::cli::output::Answer;
use crate::cli::{Failure, exit, output};
use plaudit_accountant::number::{brief, chosen, grouped};
use plaudit_attacks::attack::words::{at_most, bracket};
use plaudit_attacks::attack::{
    BLATANT, Bounded, Database, Decoder, Disturbance, Noise, Rebuilt, ReconstructError, Setup,
    noise_at, reconstruct,
};
use plaudit_core::random::{Phase, Streams};
use serde::Serialize;

/// Question and result, for `--format json`.
#[derive(Debug, Serialize)]
struct ReconstructionJson {
    entries: usize,
    ones: usize,
    file: Option<String>,
    seed: u64,
    decoder: Decoder,
    delta: f64,
    rows: Vec<Rebuilt>,
}

/// Reads or draws a table, answers queries about it, rebuilds it, and prints the success.
pub(super) fn answer(raw: &ReconstructArguments) -> Result<Answer, Failure> {
    let wrong = |error: ReconstructError| Failure::Message(error.to_string());
    let streams = Streams::new(raw.seed, "attack reconstruct").block(0, Phase::Rebuild);
    let setups = setups(raw)?;
    let (database, file) = match &raw.data {
        Some(file) => (Database::new(bits(file)?), Some(output::path(file))),
        None => {
            setups.iter().try_for_each(|setup| setup.check(raw.entries)).map_err(wrong)?;
            (Database::drawn(raw.entries, &mut streams(0)), None)
        }
    };
    setups.iter().try_for_each(|setup| setup.check(database.entries())).map_err(wrong)?;
    // Each row has its own stream: it is the same next to any other rows.
    let rows = setups.iter().map(|setup| reconstruct(&database, setup, &mut streams(1)));
    let answer = ReconstructionJson {
        entries: database.entries(),
        ones: database.ones(),
        file,
        seed: raw.seed,
        decoder: raw.decoder.decoder(),
        delta: raw.delta,
        rows: rows.collect::<Result<_, _>>().map_err(wrong)?,
    };
    Answer::new(&answer, human(&answer), exit::AS_EXPECTED)
}

/// One for each amount of noise and each number of queries.
fn setups(raw: &ReconstructArguments) -> Result<Vec<Setup>, Failure> {
    let queries: Vec<Option<u64>> = match &raw.queries[..] {
        [] => vec![None],
        some => some.iter().copied().map(Some).collect(),
    };
    let mut all = Vec::new();
    for disturbance in disturbances(raw)? {
        for &queries in &queries {
            let decoder = raw.decoder.decoder();
            all.push(Setup { disturbance, decoder, queries, delta: raw.delta });
        }
    }
    Ok(all)
}

fn disturbances(raw: &ReconstructArguments) -> Result<Vec<Disturbance>, Failure> {
    let of_epsilon = |epsilon: f64| {
        let Disturbance::Noise(noise) = raw.noise.of_scale(1.0) else {
            let why = "--epsilon-per-query is for laplace and gaussian: other noise has no epsilon, so give its --scale";
            return Err(Failure::Message(why.to_owned()));
        };
        if !(epsilon.is_finite() && epsilon > 0.0) {
            let why =
                format!("--epsilon-per-query {epsilon} is invalid: it must be finite and above 0");
            return Err(Failure::Message(why));
        }
        let noise = noise_at(noise, epsilon, raw.delta);
        noise.map(Disturbance::Noise).map_err(|error| Failure::Message(error.to_string()))
    };
    match &raw.epsilon_per_query[..] {
        [] => Ok(raw.scale.iter().map(|scale| raw.noise.of_scale(*scale)).collect()),
        some => some.iter().copied().map(of_epsilon).collect(),
    }
}

fn human(answer: &ReconstructionJson) -> String {
    let ReconstructionJson { entries, ones, rows, decoder, .. } = answer;
    let first = &rows[0];
    let whose = match &answer.file {
        Some(file) => format!("{file}: a table"),
        None => "A table".to_owned(),
    };
    let (noise, scale) = match first.disturbance {
        Disturbance::Noise(Noise::Laplace { .. }) => ("Laplace noise", "scale"),
        Disturbance::Noise(Noise::Gaussian { .. }) => ("Gaussian noise", "sigma"),
        Disturbance::Bounded(Bounded::Uniform { .. }) => {
            ("an error drawn uniformly up to a bound", "bound")
        }
        Disturbance::Bounded(Bounded::Adversarial { .. }) => {
            ("errors up to a bound that point to another table", "bound")
        }
        Disturbance::Bounded(Bounded::Rounding { .. }) => ("rounding to a multiple", "multiple"),
    };
    let how = match decoder {
        Decoder::Exhaustive if first.misfit.is_some() => {
            "names the table that fits best, of all that there can be"
        }
        Decoder::Exhaustive => {
            "names the table with the least sum of squares, of all that there can be"
        }
        Decoder::LinearProgram => {
            "solves a linear program for the least sum of residuals, and rounds"
        }
        Decoder::LeastSquares => "solves least squares, and rounds",
    };
    let asked = if first.is_all { "all subsets of them" } else { "random subsets of them" };
    let mut out = format!(
        "{whose} of {} people with one bit each, {} of them 1. A service counts the ones in {asked},\n\
         with {noise}.\n\
         The attacker {how}.\n\n",
        grouped(*entries as u64),
        grouped(*ones as u64)
    );
    out.push_str(&table(answer, scale));
    out.push('\n');
    let guess = (*ones).max(entries - ones) as f64 / *entries as f64;
    let blatant = rows.iter().filter(|row| row.is_blatant).count();
    out.push_str(&match blatant {
        0 => format!(
            "No row is blatantly non-private: none has {} % of the bits right.\n",
            100.0 * BLATANT
        ),
        _ => format!(
            "Rows with * are blatantly non-private: {} % of the bits or more are right.\n",
            100.0 * BLATANT
        ),
    });
    out.push_str(&format!(
        "Knowing only the number of ones and guessing the same for everyone gets {} of them right.\n",
        brief(guess)
    ));
    if rows.iter().any(|row| row.gap > Some(0.01)) {
        out.push_str(
            "In some row the linear program ended before its sum was near the least (gap in --format json).\n",
        );
    }
    if first.most_wrong.is_some() {
        out.push_str(
            "4E: with all subsets answered within E (of rounding half of the multiple), no table that fits has more bits wrong\n\
             (Dinur, Nissim 2003). Such noise has no epsilon in general: an answer can rule a table out for certain.\n",
        );
    } else {
        out.push_str(&format!(
            "epsilon: of all answers together, at delta = {}; each of them is charged to everyone.\n",
            chosen(answer.delta)
        ));
    }
    out
}

/// A line a row, with the columns that they have.
fn table(answer: &ReconstructionJson, scale: &str) -> String {
    let first = &answer.rows[0];
    let mut heads = vec![scale, "queries", "right", "share", "wrong"];
    if first.most_wrong.is_some() {
        heads.push("4E");
    }
    if first.survivors.is_some() {
        heads.extend(["tables that fit", "worst has wrong"]);
    }
    if first.cost.is_some() {
        heads.extend(["basic", "advanced", "epsilon"]);
    }
    let mut lines = vec![heads.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    lines.extend(answer.rows.iter().map(|row| cells(row, answer.entries as u64)));
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut out = String::new();
    for (place, line) in lines.iter().enumerate() {
        let cells: Vec<String> =
            line.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        let is_blatant = place > 0 && answer.rows[place - 1].is_blatant;
        out.push_str(&format!("{}{}\n", cells.join("  "), if is_blatant { " *" } else { "" }));
    }
    out
}

fn cells(row: &Rebuilt, entries: u64) -> Vec<String> {
    let mut cells = vec![
        chosen(row.disturbance.scale()),
        grouped(row.queries),
        grouped(row.right),
        brief(row.share),
        grouped(entries - row.right),
    ];
    cells.extend(row.most_wrong.map(grouped));
    if let Some(survivors) = row.survivors {
        cells.extend([survivors.tables, survivors.farthest].map(grouped));
    }
    if let Some(cost) = row.cost {
        let advanced = cost.advanced.map_or("none".to_owned(), at_most);
        cells.extend([at_most(cost.basic), advanced, bracket(cost.pld)]);
    }
    cells
}
