//! A permutation test for the exchangeability of outcomes, exact for any kind of them.
//!
//! If the runs of a program are independent draws of one law, all orders of their outcomes are
//! equally likely, whatever that law is. So a statistic of how strongly the outcomes of a request
//! (or of neighboring runs, or at the same place of all requests) are correlated is, in the
//! original order, larger than in each of n shuffled orders with probability at most 1/(n + 1)
//! (Lehmann & Romano, *Testing Statistical Hypotheses*, 15.2). The statistic here is the largest of
//! many, each for a feature of the outcomes: the rank of one of their numbers, its distance from
//! the middle, whether the outcome is a given frequent one, and how often rare ones recur.

use super::{Entry, Outcome, OutcomeRef, View, order};
use plaudit_core::random::Stream;
use rand::RngExt;
use std::collections::BTreeSet;

/// Number of examined numbers of a vector or a map, evenly chosen.
const MOST_NUMBERS: usize = 8;
/// Number of outcomes that provide the names of these.
const FIRST: usize = 64;
/// Most frequent outcomes that are examined one by one, and the share that makes one frequent.
const FREQUENT: (usize, f64) = (8, 1.0 / 32.0);
/// Relative amount by which the observed order must exceed a shuffled one, for rounding.
const ROUNDING: f64 = 1e-9;

#[derive(Clone, Copy, Debug)]
pub(in crate::mechanism) enum Groups {
    /// This number of consecutive outcomes.
    Runs(usize),
    /// Outcomes at the same place of each request of this size.
    Places(usize),
}

impl Groups {
    /// Number and size of the groups, among `all` outcomes.
    fn shape(self, all: usize) -> (usize, usize) {
        match self {
            Self::Runs(size) => (all / size, size),
            Self::Places(requests_of) => (requests_of, all / requests_of),
        }
    }

    fn group(self, place: usize) -> usize {
        match self {
            Self::Runs(size) => place / size,
            Self::Places(requests_of) => place % requests_of,
        }
    }

    /// Index of a member of a group.
    fn member(self, group: usize, member: usize) -> usize {
        match self {
            Self::Runs(size) => group * size + member,
            Self::Places(requests_of) => member * requests_of + group,
        }
    }
}

enum Feature {
    /// A number for each outcome, of mean 0.
    Score(Vec<f64>),
    /// For each infrequent outcome the code of its value.
    Recurring { codes: Vec<Option<u32>>, kinds: usize },
}

/// A series of outcomes of one dataset in their original order, with its features.
pub(in crate::mechanism) struct OutcomeSeries {
    length: usize,
    features: Vec<Feature>,
    groups: Vec<Groups>,
    /// `true` if groups with too similar sums also count.
    both_sides: bool,
}

impl OutcomeSeries {
    /// All features of outcomes, for these groups, whose sizes must divide the number of outcomes.
    pub(in crate::mechanism) fn new(
        outcomes: &[Outcome],
        groups: Vec<Groups>,
        both_sides: bool,
    ) -> Self {
        let (codes, counts) = codes(outcomes);
        let mut features = recurring(&codes, &counts);
        for numbers in numbers(outcomes) {
            let centred = ranks(&numbers, f64::total_cmp);
            let distances: Vec<f64> = centred.iter().map(|score| score.abs()).collect();
            features.push(Feature::Score(ranks(&distances, f64::total_cmp)));
            features.push(Feature::Score(centred));
        }
        features.retain(|feature| match feature {
            Feature::Score(scores) => scores.iter().any(|score| *score != 0.0),
            Feature::Recurring { .. } => true,
        });
        Self { length: outcomes.len(), features, groups, both_sides }
    }

    /// Excess of the groups' correlation over that of most orders: the largest of all features, in
    /// approximate standard deviations.
    fn strangeness(&self, shuffled: &[usize]) -> f64 {
        let each = self.features.iter().flat_map(|feature| {
            self.groups.iter().map(move |groups| feature.strangeness(*groups, shuffled))
        });
        let sided = each.map(|z| if self.both_sides { z.abs() } else { z });
        sided.fold(f64::NEG_INFINITY, f64::max)
    }
}

impl Feature {
    fn strangeness(&self, groups: Groups, shuffled: &[usize]) -> f64 {
        let all = shuffled.len();
        let (count, size) = groups.shape(all);
        if count < 2 || size < 2 {
            return f64::NEG_INFINITY;
        }
        match self {
            Self::Score(scores) => {
                let mut sums = vec![0.0; count];
                for (place, from) in shuffled.iter().enumerate() {
                    sums[groups.group(place)] += scores[*from];
                }
                let between: f64 = sums.iter().map(|sum| sum * sum).sum();
                let squares: f64 = scores.iter().map(|score| score * score).sum();
                let each = size as f64 * (all - size) as f64 / (all as f64 * (all - 1) as f64);
                let ratio = between / (count as f64 * each * squares);
                // Wilson & Hilferty: the cube root of a chi-square is about normal.
                let width = 2.0 / (9.0 * (count - 1) as f64);
                (ratio.cbrt() - (1.0 - width)) / width.sqrt()
            }
            Self::Recurring { codes, kinds } => {
                let mut seen = vec![0u32; *kinds];
                let mut pairs = 0u64;
                for group in 0..count {
                    let of_group = || {
                        (0..size).filter_map(|member| codes[shuffled[groups.member(group, member)]])
                    };
                    for code in of_group() {
                        pairs += u64::from(seen[code as usize]);
                        seen[code as usize] += 1;
                    }
                    for code in of_group() {
                        seen[code as usize] = 0;
                    }
                }
                let mut counts = vec![0u64; *kinds];
                codes.iter().flatten().for_each(|code| counts[*code as usize] += 1);
                let in_all: u64 = counts.iter().map(|n| n * n.saturating_sub(1) / 2).sum();
                let share = (size - 1) as f64 / (all - 1) as f64;
                let expected = in_all as f64 * share;
                // About Poisson; a quarter, so that a single pair counts as nothing.
                (pairs as f64 - expected) / (expected + 0.25).sqrt()
            }
        }
    }
}

/// `true` if some series is stranger in its original order than in each of the shuffles of all of
/// them. For independent runs, with probability at most 1/(shuffles + 1).
pub(in crate::mechanism) fn is_strange(
    series: &[OutcomeSeries],
    shuffles: usize,
    random: &mut Stream,
) -> bool {
    let mut orders: Vec<Vec<usize>> =
        series.iter().map(|series| (0..series.length).collect()).collect();
    let strangest = |orders: &[Vec<usize>]| {
        let each = series.iter().zip(orders).map(|(series, order)| series.strangeness(order));
        each.fold(f64::NEG_INFINITY, f64::max)
    };
    let observed = strangest(&orders);
    if observed == f64::NEG_INFINITY {
        return false;
    }
    let least = observed - ROUNDING * (1.0 + observed.abs());
    (0..shuffles).all(|_| {
        orders.iter_mut().for_each(|order| shuffle(order, random));
        strangest(&orders) < least
    })
}

fn shuffle(order: &mut [usize], random: &mut Stream) {
    for place in (1..order.len()).rev() {
        order.swap(place, random.random_range(0..=place));
    }
}

/// Codes of outcomes, the same for equal ones, and the count of each code.
pub(in crate::mechanism) fn codes(outcomes: &[Outcome]) -> (Vec<u32>, Vec<usize>) {
    let mut sorted: Vec<usize> = (0..outcomes.len()).collect();
    sorted.sort_by(|a, b| order(&outcomes[*a].as_ref(), &outcomes[*b].as_ref()));
    let (mut codes, mut counts) = (vec![0; outcomes.len()], Vec::new());
    for (rank, at) in sorted.iter().enumerate() {
        let same = |before: usize| {
            order(&outcomes[sorted[before]].as_ref(), &outcomes[*at].as_ref()).is_eq()
        };
        if !rank.checked_sub(1).is_some_and(same) {
            counts.push(0);
        }
        let code = counts.len() - 1;
        counts[code] += 1;
        codes[*at] = u32::try_from(code).unwrap_or(u32::MAX);
    }
    (codes, counts)
}

/// Features for each frequent outcome, and for the recurring ones among the others.
fn recurring(codes: &[u32], counts: &[usize]) -> Vec<Feature> {
    let all = codes.len();
    let mut frequent: Vec<usize> = (0..counts.len())
        .filter(|code| counts[*code] as f64 >= FREQUENT.1 * all as f64 && counts[*code] > 1)
        .collect();
    frequent.sort_by_key(|code| std::cmp::Reverse(counts[*code]));
    frequent.truncate(FREQUENT.0);
    let score = |frequent: usize| {
        let share = counts[frequent] as f64 / all as f64;
        let each = |code: &u32| f64::from(u8::from(*code as usize == frequent)) - share;
        Feature::Score(codes.iter().map(each).collect())
    };
    let mut features: Vec<Feature> = match frequent[..] {
        [alone] if counts[alone] == all => Vec::new(),
        _ => frequent.iter().map(|code| score(*code)).collect(),
    };
    let rare = |code: u32| counts[code as usize] > 1 && !frequent.contains(&(code as usize));
    let codes: Vec<_> = codes.iter().map(|code| rare(*code).then_some(*code)).collect();
    if codes.iter().any(Option::is_some) {
        features.push(Feature::Recurring { codes, kinds: counts.len() });
    }
    features
}

/// Ranks of values, minus the mean rank, with ties averaged.
fn ranks(values: &[f64], by: impl Fn(&f64, &f64) -> std::cmp::Ordering) -> Vec<f64> {
    let mut sorted: Vec<usize> = (0..values.len()).collect();
    sorted.sort_by(|a, b| by(&values[*a], &values[*b]));
    let mut ranks = vec![0.0; values.len()];
    for tied in sorted.chunk_by(|a, b| by(&values[*a], &values[*b]).is_eq()) {
        let below = sorted.partition_point(|at| by(&values[*at], &values[tied[0]]).is_lt());
        let rank = below as f64 + 0.5 * (tied.len() - 1) as f64;
        tied.iter().for_each(|at| ranks[*at] = rank - 0.5 * (values.len() - 1) as f64);
    }
    ranks
}

/// Columns of the numbers in outcomes, unfolded; a missing number is below all others.
fn numbers(outcomes: &[Outcome]) -> Vec<Vec<f64>> {
    let apart: Vec<Outcome> = outcomes
        .iter()
        .map(|outcome| View::Apart.of(&outcome.as_ref()).unwrap_or_else(|| outcome.clone()))
        .collect();
    let mut names = BTreeSet::new();
    for outcome in apart.iter().take(FIRST) {
        names.extend(NumberPlace::all(&outcome.as_ref()));
    }
    let names: Vec<NumberPlace> = names.into_iter().collect();
    let step = names.len().div_ceil(MOST_NUMBERS).max(1);
    let column = |name: &NumberPlace| -> Vec<f64> {
        let read = |outcome: &Outcome| {
            name.of(&outcome.as_ref()).filter(|x| !x.is_nan()).unwrap_or(f64::NEG_INFINITY)
        };
        apart.iter().map(read).collect()
    };
    names.iter().step_by(step).map(column).collect()
}

/// Place of a number in an outcome.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum NumberPlace {
    Itself,
    Place(usize),
    Key(String),
}

impl NumberPlace {
    fn all(outcome: &OutcomeRef<'_>) -> Vec<Self> {
        match outcome {
            OutcomeRef::Number(_) | OutcomeRef::Integer(_) => vec![Self::Itself],
            OutcomeRef::Vector(values) => (0..values.len()).map(Self::Place).collect(),
            OutcomeRef::Keyed(keyed) => {
                let number = |(key, entry): &(String, Entry)| {
                    matches!(entry, Entry::Number(_)).then(|| Self::Key(key.clone()))
                };
                keyed.entries().iter().filter_map(number).collect()
            }
            _ => Vec::new(),
        }
    }

    #[allow(clippy::cast_precision_loss)] // only ranks matter
    fn of(&self, outcome: &OutcomeRef<'_>) -> Option<f64> {
        match (self, outcome) {
            (Self::Itself, OutcomeRef::Number(x)) => Some(*x),
            (Self::Itself, OutcomeRef::Integer(i)) => Some(*i as f64),
            (Self::Place(place), OutcomeRef::Vector(values)) => values.get(*place).copied(),
            (Self::Key(name), OutcomeRef::Keyed(keyed)) => {
                let entries = keyed.entries();
                let at = entries.binary_search_by(|(key, _)| key.as_str().cmp(name)).ok()?;
                match entries[at].1 {
                    Entry::Number(x) => Some(x),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    const ROWS: usize = 12;

    fn random(seed: u64) -> Stream {
        Stream::seed_from_u64(seed)
    }

    /// Twelve requests of `size` runs: by request, by pair and by place.
    fn series(size: usize, mut draw: impl FnMut(usize, usize) -> Outcome) -> OutcomeSeries {
        let outcomes: Vec<Outcome> =
            (0..ROWS * size).map(|place| draw(place / size, place % size)).collect();
        let groups = vec![Groups::Runs(size), Groups::Runs(2), Groups::Places(size)];
        OutcomeSeries::new(&outcomes, groups, true)
    }

    /// At 1 in 20 for each kind of outcome, among 4000: Bin(4000, 1/20) exceeds 288 with
    /// probability below 1e-9.
    #[test]
    fn independent_outcomes_are_strange_as_rarely_as_said() {
        type Draw = fn(&mut Stream) -> Outcome;
        let kinds: [(&str, Draw); 6] = [
            ("number", |r| r.random::<f64>().into()),
            ("bit", |r| r.random_bool(0.75).into()),
            ("rare", |r| r.random_bool(0.01).into()),
            ("word", |r| ["a", "b", "c"][r.random_range(0..3)].into()),
            ("whole", |r| ((20.0 * r.random::<f64>().ln()) as i64).into()),
            ("list", |r| vec![r.random::<f64>(), f64::from(r.random_range(0..2u8))].into()),
        ];
        for (kind, (name, draw)) in kinds.into_iter().enumerate() {
            let strange = |seed: &u64| {
                let mut random = random(seed + 10_000 * kind as u64);
                let of_both = [8, 10].map(|size| series(size, |_, _| draw(&mut random)));
                is_strange(&of_both, 19, &mut random)
            };
            let count = (0..4000).filter(strange).count();
            assert!(count <= 288, "{name}: {count}");
        }
    }

    #[test]
    fn what_never_changes_is_not_strange() {
        let mut random = random(1);
        let constant = series(8, |_, _| Outcome::Number(0.5));
        assert!(!is_strange(&[constant], 99, &mut random));
    }

    /// Each kind of sharing is missed in a fresh draw with probability below 1e-9 at 99 shuffles,
    /// with 32 runs in a request: the shared part is half of the noise or more.
    #[test]
    fn what_a_request_shares_is_strange() {
        let mut random = random(2);
        let mut rng = Stream::seed_from_u64(2);
        let shared: Vec<f64> = (0..ROWS).map(|_| rng.random::<f64>()).collect();
        let fixed: Vec<f64> = (0..32).map(|_| rng.random::<f64>()).collect();
        let bit = |x: f64| Outcome::from(x < 0.5);
        type Kind<'a> = (&'a str, Box<dyn FnMut(usize, usize) -> Outcome + 'a>);
        let mut r = [(); 4].map(|()| Stream::seed_from_u64(rng.random()));
        let [a, b, c, d] = &mut r;
        let (shared, fixed) = (&shared, &fixed);
        let kinds: Vec<Kind<'_>> = vec![
            ("one draw", Box::new(|row, _| shared[row].into())),
            ("an offset", Box::new(|row, _| (2.0 * shared[row] + a.random::<f64>()).into())),
            (
                "a sign",
                Box::new(|row, _| {
                    (b.random::<f64>() * if row % 2 == 0 { 1.0 } else { -1.0 }).into()
                }),
            ),
            (
                "a scale",
                Box::new(|row, _| {
                    let wide = if row % 3 == 0 { 10.0 } else { 1.0 };
                    (wide * (c.random::<f64>() - 0.5)).into()
                }),
            ),
            ("a fixed seed", Box::new(|_, place| fixed[place].into())),
            ("bits of a fixed seed", Box::new(|_, place| bit(fixed[place]))),
            ("an entry of a list", Box::new(|row, _| vec![d.random::<f64>(), shared[row]].into())),
        ];
        for (name, draw) in kinds {
            assert!(is_strange(&[series(32, draw)], 99, &mut random), "{name}");
        }
    }
}
