//! Probabilities of outcomes, and of events of released numbers, on given pairs.

use crate::mechanism::choice::Rational;
use plaudit_accountant::number::words;
use plaudit_aligned::{Affine, Bounds, Cell, Path, Piece, Row, Unknown, in_cells};
use plaudit_core::finding::ProofWorst;
use std::collections::HashMap;

/// Cells into which a draw is cut where two link the others, if the regions are few.
const CELLS: usize = 48;
const FEW_REGIONS: usize = 128;
/// Values of a released number at which events are cut.
const MOST_VALUES: usize = 16;
/// Entries of an outcome that are cut.
const MOST_ENTRIES: usize = 32;
/// Entries of an outcome that are put in words.
const MOST_SHOWN: usize = 24;
/// Regions of one outcome whose corners are events.
const MOST_CORNERS: usize = 4;
/// Paths for which probabilities on pairs are computed.
const MOST_INTEGRATED: usize = 4_096;

/// Probabilities of outcomes on both datasets of each pair.
pub(super) struct OnPairs<'a> {
    pairs: &'a [[Vec<f64>; 2]],
    /// For each pair in both directions, each outcome: events of it. The first is the outcome itself.
    events: Vec<([usize; 3], Vec<Vec<Event>>)>,
    /// `true` if all outcomes are known, and their probabilities.
    all: bool,
}

#[derive(Clone)]
struct Event {
    words: String,
    p: Bounds,
    q: Bounds,
}

impl<'a> OnPairs<'a> {
    /// With all events if `cut`, else without those that cut a released number at a value.
    pub(super) fn new(
        paths: &[Path],
        regions: &[Piece],
        pairs: &'a [[Vec<f64>; 2]],
        cut: bool,
    ) -> Self {
        let mut found = Self { pairs, events: Vec::new(), all: regions.len() <= MOST_INTEGRATED };
        if !found.all {
            return found;
        }
        let cells = if regions.len() <= FEW_REGIONS { CELLS } else { 0 };
        // Who sees an outcome does not see which region it is of.
        let mut seen: Vec<Vec<&Piece>> = Vec::new();
        let mut place: HashMap<Vec<Option<&Cell>>, usize> = HashMap::new();
        for region in regions {
            let cells = &paths[region.paths[0]].outcome;
            let known = |cell: &'_ Cell| cell.number().is_none();
            let what = cells.iter().map(|cell| Some(cell).filter(|cell| known(cell))).collect();
            let at = *place.entry(what).or_insert(seen.len());
            match seen.get_mut(at) {
                Some(alike) => alike.push(region),
                None => seen.push(vec![region]),
            }
        }
        let exact = |list: &Vec<f64>| {
            list.iter().map(|x| Rational::try_from(*x).ok()).collect::<Option<Vec<_>>>()
        };
        for (at, [d, d_prime]) in pairs.iter().enumerate() {
            let (Some(d), Some(d_prime)) = (exact(d), exact(d_prime)) else {
                found.all = false;
                continue;
            };
            let events: Vec<Vec<Event>> =
                seen.iter().map(|alike| events(paths, alike, [&d, &d_prime], cells, cut)).collect();
            found.all &= events.iter().all(|events| !events.is_empty());
            let swapped =
                |event: &Event| Event { p: event.q, q: event.p, words: event.words.clone() };
            let opposite = events.iter().map(|events| events.iter().map(swapped).collect());
            let opposite = opposite.collect();
            found.events.push(([at, 0, 1], events));
            found.events.push(([at, 1, 0], opposite));
        }
        let real = |path: &Path| path.outcome.iter().any(|cell| cell.number().is_some());
        found.all &= !paths.iter().any(real);
        found
    }

    /// The largest δ(ε) of a pair in a direction.
    pub(super) fn delta(&self, epsilon: f64) -> Bounds {
        let factor = epsilon.exp();
        let mut worst = Bounds { lower: 0.0, upper: if self.all { 0.0 } else { 1.0 } };
        for (_, regions) in &self.events {
            let over = |event: &Event| event.p.lower - factor * (1.0 + 1e-15) * event.q.upper;
            let under = |event: &Event| event.p.upper - factor * (1.0 - 1e-15) * event.q.lower;
            let (mut lower, mut upper) = (0.0, 0.0);
            for events in regions {
                lower += events.iter().map(over).fold(0.0, f64::max);
                upper += events.first().map_or(1.0, under).max(0.0);
            }
            worst.lower = worst.lower.max(lower);
            worst.upper = worst.upper.max(upper.min(1.0));
        }
        worst
    }

    /// The pair with the largest δ(ε), and the event.
    pub(super) fn worst(&self, epsilon: f64) -> Option<ProofWorst> {
        let factor = epsilon.exp();
        let over = |event: &&Event| event.p.lower - factor * event.q.upper;
        let of = |regions: &'_ Vec<Vec<Event>>| -> Vec<Event> {
            let best = |events: &Vec<Event>| {
                let best = events.iter().max_by(|a, b| over(a).total_cmp(&over(b)));
                best.filter(|event| over(event) > 0.0).cloned()
            };
            regions.iter().filter_map(best).collect()
        };
        let sum = |events: &Vec<Event>| events.iter().map(|event| over(&event)).sum::<f64>();
        let all = self.events.iter().map(|(of_pair, regions)| (of_pair, of(regions)));
        let (&[pair, d, d_prime], mut events) =
            all.max_by(|(_, a), (_, b)| sum(a).total_cmp(&sum(b)))?;
        events.sort_by(|a, b| b.p.lower.total_cmp(&a.p.lower));
        let list = |side: usize| serde_json::json!(self.pairs[pair][side]);
        Some(ProofWorst {
            d: list(d),
            d_prime: list(d_prime),
            outcomes: events.len(),
            outcome: events.iter().take(5).map(|event| event.words.clone()).collect(),
            probability_d: events.iter().map(|event| event.p.lower).sum(),
            probability_d_prime: events.iter().map(|event| event.q.upper).sum::<f64>().min(1.0),
        })
    }
}

/// Events that who sees an outcome can tell: the outcome, and with one released number above or below a value. The
/// outcome comes first. None if a probability cannot be integrated.
fn events(
    paths: &[Path],
    alike: &[&Piece],
    [d, d_prime]: [&[Rational]; 2],
    cells: usize,
    cut: bool,
) -> Vec<Event> {
    let of = |region: &Piece| &paths[region.paths[0]];
    let event = |limits: &[Limit]| {
        let words: Vec<String> = limits.iter().map(Limit::words).collect();
        let mut event = Event { words: outcome(&of(alike[0]).outcome), p: NEVER, q: NEVER };
        if !words.is_empty() {
            event.words = format!("{} with {}", event.words, words.join(" and "));
        }
        for region in alike {
            let path = of(region);
            let mut rows = region.rows.clone();
            for limit in limits {
                rows.push(Row { value: limit.value(path)?, strict: false });
            }
            event.p = sum(event.p, in_cells(&rows, &path.draws, d, cells)?);
            event.q = sum(event.q, in_cells(&rows, &path.draws, d_prime, cells)?);
        }
        Some(event)
    };
    let Some(whole) = event(&[]) else {
        return Vec::new();
    };
    let mut all = vec![whole];
    for region in alike.iter().take(MOST_CORNERS) {
        for [d, d_prime] in [[d, d_prime], [d_prime, d]] {
            let corner = corner(of(region), d, d_prime);
            all.extend((!corner.is_empty()).then(|| event(&corner)).flatten());
        }
    }
    let entries = if cut { of(alike[0]).outcome.len().min(MOST_ENTRIES) } else { 0 };
    for at in 0..entries {
        let numbers = alike.iter().filter_map(|region| of(region).outcome[at].number());
        let mut values: Vec<Rational> =
            numbers.flat_map(|number| [d, d_prime].map(|on| number.at(on))).collect();
        values.sort();
        values.dedup();
        for value in values.iter().take(MOST_VALUES) {
            for sign in [1, -1] {
                let factors = vec![(at, Rational::from(sign))];
                all.extend(event(&[Limit { factors, least: value * Rational::from(sign) }]));
            }
        }
    }
    all
}

/// A sum of released numbers, with factors by their place in the outcome, that is at least a value.
struct Limit {
    factors: Vec<(usize, Rational)>,
    least: Rational,
}

impl Limit {
    /// The sum that is at least 0 on a path.
    fn value(&self, path: &Path) -> Option<Affine> {
        let mut sum = Affine { constant: Some(-&self.least), terms: Vec::new() };
        for (at, factor) in &self.factors {
            sum = sum.plus(path.outcome[*at].number()?, factor);
        }
        Some(sum)
    }

    fn words(&self) -> String {
        let double = |number: &Rational| number.to_f64().value();
        if let [(at, factor)] = &self.factors[..]
            && (factor.is_one() || *factor == Rational::from(-1))
        {
            let sign = if factor.is_one() { ">=" } else { "<=" };
            return format!("entry {at} {sign} {}", words(double(&(&self.least * factor))));
        }
        let term = |(at, factor): &(usize, Rational)| match double(factor) {
            1.0 => format!("+ entry {at}"),
            -1.0 => format!("- entry {at}"),
            factor if factor < 0.0 => format!("- {} entry {at}", words(-factor)),
            factor => format!("+ {} entry {at}", words(factor)),
        };
        let sum = self.factors.iter().map(term).collect::<Vec<_>>().join(" ");
        format!("{} >= {}", sum.trim_start_matches("+ "), words(double(&self.least)))
    }
}

/// The part of a path's outcomes where each draw that the released numbers decide is on the side that D' makes less
/// likely: with Laplace noise the losses of these draws are all at their most.
fn corner(path: &Path, d: &[Rational], d_prime: &[Rational]) -> Vec<Limit> {
    // A draw as a sum of released numbers, less a sum of answers.
    type Solved = (Vec<(usize, Rational)>, Affine);
    let mut solved: HashMap<usize, Solved> = HashMap::new();
    loop {
        let before = solved.len();
        for (cell, number) in path.outcome.iter().enumerate() {
            let Some(number) = number.number() else {
                continue;
            };
            let draw = |(unknown, _): &&(Unknown, Rational)| match unknown {
                Unknown::Draw(at) => !solved.contains_key(at),
                Unknown::Answer(_) => false,
            };
            let mut open = number.terms.iter().filter(draw);
            let (Some((Unknown::Draw(at), factor)), None) = (open.next(), open.next()) else {
                continue;
            };
            let mut factors = vec![(cell, Rational::ONE / factor)];
            let mut answers = number.clone();
            answers.terms.retain(|(unknown, _)| matches!(unknown, Unknown::Answer(_)));
            for (unknown, of_draw) in &number.terms {
                let Unknown::Draw(other) = unknown else { continue };
                let Some((others, less)) = solved.get(other) else { continue };
                answers = answers.plus(less, &-of_draw);
                for (cell, factor_of) in others {
                    let change = -(of_draw * factor_of) / factor;
                    match factors.iter_mut().find(|(at, _)| at == cell) {
                        Some((_, sum)) => *sum += change,
                        None => factors.push((*cell, change)),
                    }
                }
            }
            factors.retain(|(_, factor)| !factor.is_zero());
            let found = (factors, answers.times(&(Rational::ONE / factor)));
            solved.insert(*at, found);
        }
        if solved.len() == before {
            break;
        }
    }
    let mut draws: Vec<_> = solved.into_iter().collect();
    draws.sort_by_key(|(at, _)| *at);
    let limit = |(_, (mut factors, answers)): (usize, Solved)| {
        let shift = answers.at(d) - answers.at(d_prime);
        let sign = Rational::from(if shift < Rational::ZERO { -1 } else { 1 });
        factors.iter_mut().for_each(|(_, factor)| *factor *= sign.clone());
        (!shift.is_zero()).then(|| Limit { factors, least: answers.at(d) * sign })
    };
    draws.into_iter().filter_map(limit).collect()
}

const NEVER: Bounds = Bounds { lower: 0.0, upper: 0.0 };

fn sum(a: Bounds, b: Bounds) -> Bounds {
    Bounds { lower: a.lower + b.lower, upper: a.upper + b.upper }
}

/// Cells of an outcome, with dots for numbers that are not known.
pub(super) fn outcome(cells: &[Cell]) -> String {
    let cell = |cell: &Cell| match cell {
        Cell::Known(bits) => words(f64::from_bits(*bits)).into_owned(),
        Cell::Named(name) => name.clone(),
        Cell::Real(_) => "…".to_owned(),
    };
    if let Some(Cell::Named(name)) = cells.first() {
        return name.clone();
    }
    let shown: Vec<_> = cells.iter().take(MOST_SHOWN).map(cell).collect();
    match cells.len() > MOST_SHOWN {
        true => format!("[{}, and so on: {} entries]", shown.join(", "), cells.len()),
        false => format!("[{}]", shown.join(", ")),
    }
}
