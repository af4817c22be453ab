//! Results of attacks, in words, rows and lines.

use super::average::{Averaging, Reached};
use super::link::{LinkQuestion, Linkage, Published};
use super::membership::Membership;
use super::noise::Noise;
use super::reconstruct::{BLATANT, Bounded, Decoder, Disturbance, Rebuilt, Setup};
use super::roc::Attacker;
use plaudit_accountant::Bracket;
use plaudit_accountant::number::{self, brief, chosen, grouped, lower, upper};
use plaudit_core::finding::{AttackKind, AttackLine, AttackPicture, AttackTable};
use plaudit_core::visible::excerpt;
use serde_json::Value;

pub(super) struct AttackTold {
    pub kind: AttackKind,
    pub setting: String,
    pub outcome: String,
    pub succeeded: bool,
    pub table: AttackTable,
    pub picture: AttackPicture,
    pub details: Value,
}

/// Upper bound in four digits, rounded up unless only the last bits of a double exceed them.
pub fn at_most(x: f64) -> String {
    let near = brief(x);
    let is_enough = near.parse::<f64>().is_ok_and(|near| near >= x * (1.0 - 1e-9));
    if is_enough { near } else { upper(x) }
}

/// Bracket, as one number where four digits do not separate its ends.
pub fn bracket(bracket: Bracket) -> String {
    match (brief(bracket.lower), brief(bracket.upper)) {
        (low, high) if low == high => low,
        (low, high) => format!("{low} to {high}"),
    }
}

/// Words for averaging whose goal is an error below this.
pub(super) fn of_average(found: &Averaging, below: f64, details: Value) -> AttackTold {
    let service = &found.service;
    let kept = match (service.cached, service.budget) {
        (true, _) => "the first answer is stored and repeated".to_owned(),
        (false, Some(budget)) => {
            let fresh = grouped(found.fresh_at_most);
            format!("a budget of ε = {} allows {fresh} fresh answers", chosen(budget))
        }
        (false, None) => "each answer is fresh".to_owned(),
    };
    let setting = format!(
        "A query that one person changes by {} is answered with {}, and {kept}. The attacker asks it {} times{}, and \
         guesses whether the person is in the data.",
        chosen(service.sensitivity),
        of_noise(service.noise),
        grouped(found.queries),
        match service.differencing {
            true => ", every other time without that person, averages the differences",
            false => ", averages",
        }
    );
    let last = found.rows.last();
    let error = last.map_or(0.5, |row| row.error);
    let succeeded = error < below;
    let goal = match succeeded {
        true => {
            let reached = found.reached.iter().find(|reached| reached.below == below);
            match reached.and_then(|Reached { answers, .. }| *answers) {
                Some(answers) => format!(" (below {} from {} on)", chosen(below), grouped(answers)),
                None => String::new(),
            }
        }
        false => format!(" (not below {})", chosen(below)),
    };
    let cost = last.map_or_else(String::new, |row| {
        let delta = chosen(service.delta);
        format!("; the answers are ({}, {delta})-DP together", at_most(row.epsilon.upper))
    });
    let outcome = format!("The guess is wrong with probability {}{goal}{cost}.", brief(error));
    let delta = chosen(service.delta);
    let heads =
        ["questions", "fresh answers", "wrong guess", "basic ε", &format!("ε at δ = {delta}")];
    let rows = found.rows.iter().map(|row| {
        let fresh = grouped(row.fresh);
        let (basic, epsilon) = (at_most(row.epsilon_basic), bracket(row.epsilon));
        vec![grouped(row.asked), fresh, brief(row.error), basic, epsilon]
    });
    let table = table(&heads, rows.collect());
    let ends = [1.0, found.queries as f64];
    let picture = AttackPicture {
        x: "questions".into(),
        y: "probability of a wrong guess".into(),
        logarithmic: true,
        lines: vec![
            line("attacker", found.rows.iter().map(|row| [row.asked as f64, row.error])),
            line("coin toss", ends.map(|x| [x, 0.5])),
            line("goal", ends.map(|x| [x, below])),
        ],
    };
    AttackTold { kind: AttackKind::Average, setting, outcome, succeeded, table, picture, details }
}

/// Words for a reconstruction of `entries` bits, `ones` of them 1.
pub(super) fn of_reconstruction(
    (entries, ones): (usize, usize),
    setups: &[Setup],
    rows: &[Rebuilt],
    details: Value,
) -> AttackTold {
    let best = rows.iter().max_by_key(|row| row.right);
    let succeeded = best.is_some_and(|row| row.is_blatant);
    let (noise, all) =
        best.map_or((String::new(), false), |row| (of_disturbance(row.disturbance), row.is_all));
    let subsets = if all { "all subsets" } else { "random subsets" };
    let how = match setups.first().map(|setup| setup.decoder) {
        Some(Decoder::Exhaustive) | None => "compares all tables with the answers",
        Some(Decoder::LinearProgram) => "solves a linear program",
        Some(Decoder::LeastSquares) => "solves least squares",
    };
    let setting = format!(
        "A service counts the ones in {subsets} of {} people with one bit each, with {noise}. The attacker {how}.",
        grouped(entries as u64)
    );
    let outcome = best.map_or_else(String::new, |row| {
        let blatant =
            if row.is_blatant { "blatantly non-private" } else { "not blatantly non-private" };
        let right = grouped(row.right);
        format!(
            "{right} of {} bits are right after {} answers: {blatant}, which is {} % or more.",
            grouped(entries as u64),
            grouped(row.queries),
            100.0 * BLATANT
        )
    });
    let scales: Vec<f64> = rows.iter().map(|row| row.disturbance.scale()).collect();
    let by_scale = scales.windows(2).any(|two| two[0] != two[1]);
    let place = |row: &Rebuilt| if by_scale { row.disturbance.scale() } else { row.queries as f64 };
    let mut points: Vec<[f64; 2]> = rows.iter().map(|row| [place(row), row.share]).collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let guess = ones.max(entries - ones) as f64 / entries.max(1) as f64;
    let ends = [points.first(), points.last()].map(|point| point.map_or(1.0, |point| point[0]));
    let picture = AttackPicture {
        x: if by_scale { "size of the noise" } else { "answers" }.into(),
        y: "bits that are right".into(),
        logarithmic: ends[0] > 0.0,
        lines: vec![
            line("attacker", points),
            line("the same guess for everyone", ends.map(|x| [x, guess])),
            line("blatantly non-private", ends.map(|x| [x, BLATANT])),
        ],
    };
    let heads = ["noise", "answers", "bits right", "share", "wrong at most", "ε"];
    let told = rows.iter().map(|row| {
        let most = row.most_wrong.map_or("–".into(), grouped);
        let cost = row.cost.map_or("–".into(), |cost| bracket(cost.pld));
        let scale = chosen(row.disturbance.scale());
        vec![scale, grouped(row.queries), grouped(row.right), brief(row.share), most, cost]
    });
    let table = table(&heads, told.collect());
    AttackTold {
        kind: AttackKind::Reconstruct,
        setting,
        outcome,
        succeeded,
        table,
        picture,
        details,
    }
}

pub(super) fn of_membership(found: &Membership, details: Value) -> AttackTold {
    let bounds = &found.certified;
    let succeeded = match &found.judged {
        Some(judged) => judged.refuted,
        None => bounds.advantage.lower > 0.0,
    };
    let above = match found.attacker {
        Attacker::CallsHighMembers => "above",
        Attacker::CallsLowMembers => "below",
    };
    let setting = format!(
        "{} scores of members and {} of others. The attacker guesses as members those whose score is {above} a threshold; events \
         were chosen on one half of the scores and counted on the other. All bounds hold at once with confidence 1 − {}.",
        grouped(found.members.scores),
        grouped(found.non_members.scores),
        chosen(found.alpha)
    );
    let judged = found.judged.as_ref().map(|judged| {
        let verdict = if judged.refuted { "refuted" } else { "not refuted" };
        format!("The claim {} is {verdict} ({}). ", judged.claim, number::p_value(judged.p_value))
    });
    let warnings = found.warnings.iter().map(|warning| format!(" Warning: {warning}."));
    let warnings = warnings.collect::<String>();
    let outcome = format!(
        "{}Certified: advantage ≥ {}, ε ≥ {} at δ = {}, μ ≥ {}.{warnings}",
        judged.unwrap_or_default(),
        lower(bounds.advantage.lower),
        lower(bounds.epsilon.lower),
        chosen(found.at_delta),
        lower(bounds.mu.lower)
    );
    let heads = ["quantity", "certified", "estimate", "members", "others"];
    let named = [
        (format!("ε at δ = {}", chosen(found.at_delta)), &bounds.epsilon),
        (format!("δ at ε = {}", chosen(found.at_epsilon)), &bounds.delta),
        ("μ".to_owned(), &bounds.mu),
        ("advantage".to_owned(), &bounds.advantage),
    ];
    let rows = named.map(|(name, bound)| {
        let counted = bound.counted;
        let of = |hits: u64, of: u64| format!("{} of {}", grouped(hits), grouped(of));
        let own = of(counted.hits, counted.of);
        let other = of(counted.other_hits, counted.other_of);
        let is_members = bound.event.event.likelier == super::sample::Group::Members;
        let (members, others) = if is_members { (own, other) } else { (other, own) };
        vec![name, format!("≥ {}", lower(bound.lower)), brief(bound.estimate), members, others]
    });
    let table = table(&heads, rows.to_vec());
    let points = found.roc.points.iter().map(|point| [point.false_positives, point.true_positives]);
    let margin = found.roc.true_positives_margin;
    let band = found.roc.points.iter().map(|point| {
        let x = (point.false_positives + found.roc.false_positives_margin).min(1.0);
        [x, (point.true_positives - margin).max(0.0)]
    });
    let picture = AttackPicture {
        x: "false positives".into(),
        y: "true positives".into(),
        logarithmic: false,
        lines: vec![
            line("attacker", points),
            line("chance", [[0.0, 0.0], [1.0, 1.0]]),
            line("lower end of the band", band),
        ],
    };
    AttackTold {
        kind: AttackKind::Membership,
        setting,
        outcome,
        succeeded,
        table,
        picture,
        details,
    }
}

/// Part of the released rows that counts as success.
const LINKED: f64 = 0.01;

pub(super) fn of_linkage(
    question: &LinkQuestion,
    found: &Linkage,
    published: Option<&Published>,
    details: Value,
) -> AttackTold {
    let columns: Vec<String> = question.on.iter().map(|name| excerpt(name.as_bytes())).collect();
    let setting = format!(
        "{} released rows are joined with {} known rows on {}.",
        grouped(found.released),
        grouped(found.known),
        columns.join(", ")
    );
    let rows = found.released as f64;
    let got = found.truth.as_ref().map_or(found.linked, |truth| truth.right);
    let succeeded = got as f64 >= LINKED * rows;
    let right =
        found.truth.as_ref().map(|truth| format!(", {} of them correctly", grouped(truth.right)));
    let counts = published.map(|published| {
        format!(
            " Of noisy counts at ε = {} in its place, {} could be.",
            chosen(published.epsilon),
            grouped(published.linked)
        )
    });
    let outcome = format!(
        "{} of {} released rows are linked to a person{}; {} are alone in their class.{}",
        grouped(found.linked),
        grouped(found.released),
        right.unwrap_or_default(),
        grouped(found.unique),
        counts.unwrap_or_default()
    );
    let shares = [
        ("alone in their class", found.unique, published.map(|it| it.unique)),
        ("linked to one known row", found.linked, published.map(|it| it.linked)),
        ("several known rows", found.several, None),
        ("no known row", found.none, None),
    ];
    let told = shares.map(|(what, count, counts)| {
        let share = brief(count as f64 / rows);
        vec![what.to_owned(), grouped(count), share, counts.map_or("–".into(), grouped)]
    });
    let table = table(&["released rows", "table", "share", "noisy counts"], told.to_vec());
    let mut sum = 0.0;
    let mut points = vec![[1.0, 0.0]];
    for class in &found.sizes {
        points.push([class.size as f64, sum]);
        sum += class.rows() as f64 / rows;
        points.push([class.size as f64, sum]);
    }
    let ends = [1.0, found.sizes.last().map_or(1.0, |class| class.size as f64)];
    let picture = AttackPicture {
        x: "rows in a class, at most".into(),
        y: "share of the released rows".into(),
        logarithmic: true,
        lines: vec![
            line("in classes of at most this number of rows", points),
            line("linked", ends.map(|x| [x, found.linked as f64 / rows])),
        ],
    };
    AttackTold { kind: AttackKind::Link, setting, outcome, succeeded, table, picture, details }
}

fn of_noise(noise: Noise) -> String {
    match noise {
        Noise::Laplace { scale } => format!("Laplace noise of scale {}", chosen(scale)),
        Noise::Gaussian { sigma } => {
            format!("Gaussian noise of standard deviation {}", chosen(sigma))
        }
    }
}

fn of_disturbance(disturbance: Disturbance) -> String {
    match disturbance {
        Disturbance::Noise(noise) => of_noise(noise),
        Disturbance::Bounded(Bounded::Uniform { error }) => {
            format!("an error drawn uniformly up to {}", chosen(error))
        }
        Disturbance::Bounded(Bounded::Adversarial { error }) => {
            format!("errors up to {} that point to another table", chosen(error))
        }
        Disturbance::Bounded(Bounded::Rounding { multiple }) => {
            format!("rounding to multiples of {}", chosen(multiple))
        }
    }
}

pub(super) fn table(heads: &[&str], rows: Vec<Vec<String>>) -> AttackTable {
    AttackTable { heads: heads.iter().map(|head| (*head).to_owned()).collect(), rows }
}

pub(super) fn line(name: &str, points: impl IntoIterator<Item = [f64; 2]>) -> AttackLine {
    AttackLine { name: name.to_owned(), points: points.into_iter().collect() }
}
