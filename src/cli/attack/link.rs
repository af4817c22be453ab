//! `plaudit attack link`.

use super::link_arguments::LinkArguments;
use crate::cli::output::Answer;
use crate::cli::{Failure, exit, output};
use plaudit_accountant::number::{brief, chosen, grouped, lower, upper};
use plaudit_attacks::attack::{ClassSize, LinkQuestion, Linkage, Published, RightLinks};
use plaudit_core::claim::REFERENCE_DELTA;
use plaudit_core::visible::excerpt;
use serde::Serialize;

/// Question and result, for `--format json`.
#[derive(Debug, Serialize)]
struct LinkageJson<'a> {
    files: [String; 2],
    on: &'a [String],
    truth_column: Option<&'a str>,
    alpha: f64,
    seed: u64,
    #[serde(flatten)]
    found: Linkage,
    published: Option<Published>,
}

/// Reads both tables, and joins them.
pub(super) fn answer(raw: &LinkArguments) -> Result<Answer, Failure> {
    let question = LinkQuestion {
        released: raw.released.clone(),
        known: raw.known.clone(),
        on: raw.on.clone(),
        truth: raw.truth.clone(),
        counts: raw.epsilon.map(|epsilon| (epsilon, raw.delta.unwrap_or(REFERENCE_DELTA))),
        alpha: raw.alpha,
    };
    question.check().map_err(Failure::Message)?;
    let (found, published) = question.answer(raw.seed).map_err(Failure::Message)?;
    let answer = LinkageJson {
        files: [&raw.released, &raw.known].map(|file| output::path(file)),
        on: &raw.on,
        truth_column: raw.truth.as_deref(),
        alpha: raw.alpha,
        seed: raw.seed,
        found,
        published,
    };
    Answer::new(&answer, human(&answer), exit::AS_EXPECTED)
}

fn human(answer: &LinkageJson<'_>) -> String {
    let LinkageJson { files, on, found, .. } = answer;
    let columns: Vec<String> = on.iter().map(|name| excerpt(name.as_bytes())).collect();
    let mut out = format!(
        "released: {}: {}\nknown:    {}: {}\njoined on {}\n\n{}",
        files[0],
        rows(found.released),
        files[1],
        rows(found.known),
        columns.join(", "),
        classes(found)
    );
    out.push_str(&format!(
        "\nThe smallest class has {}: the table is {}-anonymous. Unique in their class: {} ({}).\n\n",
        rows(found.smallest),
        grouped(found.smallest),
        rows(found.unique),
        share(found.unique, found.released)
    ));
    out.push_str(&links(found));
    if let Some(truth) = &found.truth {
        out.push_str(&right(truth, found.linked, answer));
    }
    if let Some(published) = &answer.published {
        out.push_str(&counts(published, found, answer.seed));
    }
    out
}

/// Number of classes of each size: sizes up to 4, then powers of ten.
fn classes(found: &Linkage) -> String {
    let mut bands: Vec<(u64, u64, ClassSize)> = Vec::new();
    for class in &found.sizes {
        let (low, high) = band(class.size);
        match bands.last_mut() {
            Some((last, _, sum)) if *last == low => {
                sum.classes += class.classes;
                sum.size += class.rows();
            }
            _ => bands.push((low, high, ClassSize { size: class.rows(), classes: class.classes })),
        }
    }
    let mut out = format!("{:>14}  {:>11}  {:>11}  share\n", "rows in class", "classes", "rows");
    for (low, high, ClassSize { size: rows, classes }) in bands {
        let sizes = match low == high {
            true => grouped(low),
            false => format!("{} to {}", grouped(low), grouped(high)),
        };
        out.push_str(&format!(
            "{sizes:>14}  {:>11}  {:>11}  {}\n",
            grouped(classes),
            grouped(rows),
            share(rows, found.released)
        ));
    }
    out
}

fn band(size: u64) -> (u64, u64) {
    match size {
        0..=4 => (size, size),
        5..=9 => (5, 9),
        _ => {
            let low = 10_u64.pow(size.ilog10());
            (low, low.saturating_mul(10) - 1)
        }
    }
}

fn links(found: &Linkage) -> String {
    let of = found.released;
    let line = |what: &str, count: u64| {
        format!("{what:<46} {:>11}  {}\n", grouped(count), share(count, of))
    };
    [
        line("linked: one row of each table has its values", found.linked),
        line("ambiguous: several rows have", found.several),
        line("no known row has", found.none),
    ]
    .concat()
}

fn right(truth: &RightLinks, linked: u64, answer: &LinkageJson<'_>) -> String {
    let Some(share) = &truth.share else {
        return "\nNo row is linked, so none is linked rightly.\n".to_owned();
    };
    format!(
        "\n{} of {} links are right: {} ({} to {}, with confidence 1 − {}). Links at random would be right in {}.\n",
        grouped(truth.right),
        grouped(linked),
        brief(share.estimate),
        lower(share.lower),
        upper(share.upper),
        chosen(answer.alpha),
        brief(truth.chance)
    )
}

fn counts(published: &Published, found: &Linkage, seed: u64) -> String {
    let Published { epsilon, delta, least, classes, rows, unique, linked, .. } = *published;
    let mut out = format!(
        "\nOnly noisy counts of the classes, (epsilon, delta) = ({}, {}), those from {} up (seed {seed}):\n\n\
         {:<46} {:>11}  {:>11}\n",
        chosen(epsilon),
        chosen(delta),
        grouped(least.unsigned_abs()),
        "",
        "table",
        "counts"
    );
    for (what, plain, noisy) in [
        ("classes", found.classes, classes),
        ("rows in these classes", found.released, rows),
        ("rows that are alone in such a class", found.unique, unique),
        ("of these, linked", found.linked, linked),
    ] {
        out.push_str(&format!("{what:<46} {:>11}  {:>11}\n", grouped(plain), grouped(noisy)));
    }
    out.push_str(&format!(
        "\nOn average over the noise, {} rows that are alone have their class published.\n",
        brief(published.unique_on_average)
    ));
    out.push_str(&match published.error {
        Some(error) => format!(
            "Published counts are off by {} on average. They show which values occur, and about how often.\n",
            brief(error)
        ),
        None => "No count is left: all groups are small, and that is all that is shown. Fewer or coarser columns make larger groups.\n"
            .to_owned(),
    });
    out.push_str(&match unique {
        0 => "No row is left to identify, and no other column.\n".to_owned(),
        _ => format!(
            "Published classes of one row: {}, of which a name can be put to {}. Each shows that this person is in the table,\n\
             and no other column. Choose a delta far below 1/{}, one over the number of rows.\n",
            grouped(unique),
            grouped(linked),
            grouped(found.released)
        ),
    });
    out
}

fn rows(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "row" } else { "rows" })
}

fn share(part: u64, of: u64) -> String {
    brief(part as f64 / of as f64)
}
