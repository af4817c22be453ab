//! Singling out and inference in words, rows and lines.

use super::excess::{Excess, Guessed};
use super::infer::{InferQuestion, Inference};
use super::single::{SingleOut, SingleQuestion};
use super::words::{AttackTold, line, table};
use plaudit_accountant::number::{brief, chosen, grouped, lower, upper};
use plaudit_core::finding::{AttackKind, AttackPicture};
use plaudit_core::visible::excerpt;
use serde_json::Value;

/// Maximum number of points of a line.
const POINTS: usize = 100;
/// Without a control.
const UNCONTROLLED: &str =
    "Without a control, this does not show whether the release is the reason.";

/// Of singling out, where an excess is certified.
pub const OF_SIZE: &str = "That there is an excess is certified at this level; its size also takes guesses about different \
     people to be independent where there is one.";

/// A share with its interval.
pub fn interval(guessed: &Guessed) -> String {
    let share = &guessed.share;
    format!("{} ({} to {})", brief(share.estimate), lower(share.lower), upper(share.upper))
}

/// The excess in a sentence, and how it stands to the one that is allowed.
pub fn of_excess(excess: &Excess, at_most: Option<f64>, alpha: f64) -> String {
    let allowed = at_most.map(|most| {
        let end = if excess.lower > most { "more than" } else { "not shown to be above" };
        format!(": {end} the {} that is allowed", chosen(most))
    });
    format!(
        "Excess because of the release ≥ {} (estimate {}), with confidence 1 − {}{}.",
        lower(excess.lower),
        brief(excess.estimate),
        chosen(alpha),
        allowed.unwrap_or_default()
    )
}

/// Row of a table: who was guessed about, right guesses, guesses, and the share with its interval.
fn row(about: &str, guessed: &Guessed) -> Vec<String> {
    vec![about.to_owned(), grouped(guessed.right), grouped(guessed.of), interval(guessed)]
}

/// Words for singling out; `columns` are those of the conditions.
pub(super) fn of_single_out(
    question: &SingleQuestion,
    columns: &[String],
    found: &SingleOut,
    details: Value,
) -> AttackTold {
    let names: Vec<String> = columns.iter().map(|name| excerpt(name.as_bytes())).collect();
    let setting = format!(
        "From {} released rows {} guesses are made of conditions on {} of the columns {}, each satisfied by one released \
         row. A guess is right if it is satisfied by one row of the {} that the release was made from.",
        grouped(found.released),
        grouped(found.guessed.of),
        found.conditions,
        names.join(", "),
        grouped(found.original)
    );
    let excess = found.compared.as_ref().map(|compared| &compared.excess);
    let succeeded = excess.is_some_and(|excess| excess.lower > question.at_most.unwrap_or(0.0));
    let told = match excess {
        Some(excess) => {
            let of_size = if excess.lower > 0.0 { format!(" {OF_SIZE}") } else { String::new() };
            of_excess(excess, question.at_most, question.alpha) + &of_size
        }
        None => UNCONTROLLED.to_owned(),
    };
    let right = grouped(found.guessed.right);
    let outcome =
        format!("{right} of {} guesses single out a row. {told}", grouped(found.guessed.of));
    let mut rows =
        vec![row("original", &found.guessed), row("original, blind guesses", &found.blind)];
    let mut lines = Vec::new();
    let mut guesses = found.guessed.of;
    if let Some(compared) = &found.compared {
        rows.push(row("original, compared", &compared.original));
        rows.push(row("control, compared", &compared.control));
        guesses = compared.each.len() as u64;
        lines.push(line("original", so_far(&compared.each, 0)));
        lines.push(line("control", so_far(&compared.each, 1)));
    } else {
        lines.push(line(
            "original",
            [1.0, guesses as f64].map(|x| [x, found.guessed.share.estimate]),
        ));
    }
    lines.push(line("most by chance", [1.0, guesses as f64].map(|x| [x, found.chance])));
    let picture = AttackPicture {
        x: "guesses".into(),
        y: "share that is right".into(),
        logarithmic: false,
        lines,
    };
    let table = table(&["guesses about", "right", "guesses", "share"], rows);
    AttackTold { kind: AttackKind::SingleOut, setting, outcome, succeeded, table, picture, details }
}

/// Share of right guesses after each of at most a hundred numbers of them.
fn so_far(each: &[[bool; 2]], side: usize) -> Vec<[f64; 2]> {
    let mut right = 0;
    let step = each.len().div_ceil(POINTS).max(1);
    let points = each.iter().enumerate().filter_map(|(place, guess)| {
        right += u64::from(guess[side]);
        let count = place + 1;
        (count % step == 0 || count == each.len())
            .then(|| [count as f64, right as f64 / count as f64])
    });
    points.collect()
}

/// Sentence on others, if they are guessed as well: the release teaches that about everyone.
pub fn of_others(found: &Inference) -> Option<&'static str> {
    let excess = found.excess?;
    let shares = [found.original.share.lower, found.control?.share.lower];
    let is_learnt = shares.into_iter().all(|lower| lower > found.constant.share.upper);
    match (is_learnt, excess.lower > 0.0) {
        (true, false) => Some(
            "Others are guessed about as well: that is what the release teaches about everyone, not about these people.",
        ),
        (true, true) => Some(
            "Others are guessed better than blindly, too: that part is what the release teaches about everyone.",
        ),
        (false, _) => None,
    }
}

/// Words for inference.
pub(super) fn of_inference(
    question: &InferQuestion,
    found: &Inference,
    details: Value,
) -> AttackTold {
    let shown = |name: &String| excerpt(name.as_bytes());
    let known: Vec<String> = question.known.iter().map(shown).collect();
    let secret = shown(&question.secret);
    let setting = format!(
        "The attacker knows {} of a person and guesses {secret} by the nearest of {} released rows.",
        known.join(", "),
        grouped(found.released)
    );
    let excess = found.excess;
    let succeeded = excess.is_some_and(|excess| excess.lower > question.at_most.unwrap_or(0.0));
    let told = match &excess {
        Some(excess) => of_excess(excess, question.at_most, question.alpha),
        None => UNCONTROLLED.to_owned(),
    };
    let outcome = format!(
        "{} of {} guesses about the original are right. {told}{}",
        grouped(found.original.right),
        grouped(found.original.of),
        of_others(found).map_or_else(String::new, |others| format!(" {others}"))
    );
    let mut rows = vec![row("original", &found.original)];
    rows.extend(found.control.as_ref().map(|control| row("control", control)));
    rows.push(row("original, one guess for all", &found.constant));
    let picture = AttackPicture {
        x: "distance to the nearest released row, at most".into(),
        y: "share guessed rightly".into(),
        logarithmic: false,
        lines: ["original", "control"]
            .iter()
            .zip(&found.each)
            .filter(|(_, each)| !each.is_empty())
            .map(|(name, each)| line(name, by_distance(each)))
            .collect(),
    };
    let table = table(&["guesses about", "right", "guesses", "share"], rows);
    AttackTold { kind: AttackKind::Infer, setting, outcome, succeeded, table, picture, details }
}

/// Share of all guesses that are right and have a released row within a distance, at about a hundred distances.
fn by_distance(each: &[(f64, bool)]) -> Vec<[f64; 2]> {
    let mut right = 0;
    let step = each.len().div_ceil(POINTS).max(1);
    let points = each.iter().enumerate().filter_map(|(place, (distance, is_right))| {
        right += u64::from(*is_right);
        let is_last = place + 1 == each.len();
        (is_last || place % step == 0).then(|| [*distance, right as f64 / each.len() as f64])
    });
    points.collect()
}
