//! Linear classifiers of vectors: many weak signals add up.
//!
//! Entries, or differences of neighboring entries, or several statistics of a vector are clipped
//! and weighted. [`blind`] weights all alike, and needs no labels; [`trained`] weights them by
//! logistic regression on outcomes that judge nothing else.

use crate::witness::coordinate::operators::Pairing;
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::shape::Shape;
use crate::witness::coordinate::statistic::{Linear, Statistic, Term};
use crate::witness::coordinate::vectors::{LEAST, SUMMARIES, values, varies, vectors};
use crate::witness::coordinate::weighted::{rounded, rounded_center};
use crate::witness::propose::logistic::{Design, Fit, Weight};
use crate::witness::propose::proposal::{Proposal, thresholds};
use rayon::prelude::*;

/// Quantiles of the pooled sample at which numbers are clipped. Widely, for signals that grow with
/// the number (20 of 4 096 numbers are beyond each); at the quartiles; and close to the median,
/// where only the sign counts. Not tuned.
const CLIPS: [(f64, f64); 3] = [(0.005, 0.995), (0.25, 0.75), (0.45, 0.55)];
/// Longest vectors whose entries are weighted: [`MOST_WORK`] then allows 4 882 outcomes per side,
/// more than [`ENOUGH`].
const MOST_ENTRIES: usize = 64;
/// Approximate limit on the multiplications of one step of a regression: outcomes times the square
/// of the number of weights.
const MOST_WORK: usize = 40_000_000;
/// Outcomes per side that train each model, or a quarter of them all, if that is more: a weight's
/// sign is known where it separates the sides by 3/√2048 = .07 standard deviations. Not tuned: the
/// more, the longer all models train.
const ENOUGH: usize = 1 << 12;
/// Number of models that are trained on all outcomes: of at most twelve the ones that separate the
/// sides best. Not tuned: each takes up to four times as long as on a quarter, in half the steps.
const MOST_ON_ALL: usize = 3;
/// Longest vectors whose steps are weighted: each has two columns.
const MOST_STEPS: usize = 32;
/// Logarithm by which the variance of steps is less than that of entries, in the mean. Not tuned: of entries that do not
/// depend on one another it is −ln 2, of a walk of two steps ln 2.
const LESS: f64 = 0.25;
/// Standard errors from which a weight is kept: one of 22 by chance, at the cost of its noise.
const KEPT: f64 = 2.0;
/// Standard errors from which a weight's sign is trusted: by chance one of 370 is.
const TRUSTED: f64 = 3.0;

/// The common length of all vectors, if they have one, and it is above 1.
fn common_length(sample: &Sample<'_>) -> Option<usize> {
    let mut lengths = vectors(&sample.d).chain(vectors(&sample.d_prime)).map(<[f64]>::len);
    let first = lengths.next()?;
    ((2..=MOST_ENTRIES).contains(&first) && lengths.all(|length| length == first)).then_some(first)
}

/// Sums of all entries, or of all differences, each clipped to its usual range. For similar entries
/// that is as good as weights can be.
pub(crate) fn blind(sample: &Sample<'_>, shapes: &[Shape]) -> Vec<Proposal> {
    // Clipped widely, the sum is as good as the sum of the entries, or as the last of them.
    let linears = maps(sample, &CLIPS[1..]).into_iter();
    let scored =
        linears.filter_map(|linear| thresholds(sample, Statistic::Linear(linear), shapes, false));
    scored.collect()
}

/// Entries and differences with each of the clips, all of weight 1.
fn maps(sample: &Sample<'_>, clips: &[(f64, f64)]) -> Vec<Linear> {
    let Some(length) = common_length(sample) else { return vec![] };
    let mut maps: Vec<Linear> = Vec::new();
    for differences in [false, true] {
        let ones = vec![1.0; length];
        let plain =
            Linear { differences, weights: ones.clone(), centers: ones.clone(), scales: ones };
        let of = |at| column(sample, |vector| Some(plain.term(vector, at)));
        let columns: Vec<Vec<f64>> = (0..length).into_par_iter().map(of).collect();
        for clip in clips {
            let mut linear = plain.clone();
            for (at, column) in columns.iter().enumerate() {
                (linear.centers[at], linear.scales[at]) = clip_of(column, *clip);
            }
            if !maps.contains(&linear) {
                maps.push(linear);
            }
        }
    }
    maps
}

/// Some of the values of a number, ascending.
fn column(sample: &Sample<'_>, read: impl Fn(&[f64]) -> Option<f64>) -> Vec<f64> {
    let mut column: Vec<f64> = values(sample, read).collect();
    column.sort_unstable_by(f64::total_cmp);
    column
}

/// Center and scale of a column that is clipped at these quantiles.
fn clip_of(column: &[f64], (low, high): (f64, f64)) -> (f64, f64) {
    let Some(last) = column.len().checked_sub(1) else { return (0.0, 1.0) };
    let at = |level: f64| column[((last as f64 * level).round() as usize).min(last)];
    let (low, high) = (at(low), at(high));
    let scale = 0.5 * (high - low);
    let scale = rounded(if scale > 0.0 && scale.is_finite() { scale } else { 1.0 });
    (rounded_center(0.5 * low + 0.5 * high, scale), scale)
}

/// Classifiers fitted to the labels of `training`, with edges from `sample`, which judges them: no
/// outcome is in both.
pub(crate) fn trained(
    training: &Sample<'_>,
    sample: &Sample<'_>,
    shapes: &[Shape],
) -> Vec<Proposal> {
    let by_weights = || {
        let linear = maps(sample, &CLIPS).into_iter().map(Model::Entries);
        let models: Vec<Model> = linear.chain(derived(sample)).chain(steps(sample)).collect();
        weighed(training, &models)
    };
    let (mut statistics, trees) =
        rayon::join(by_weights, || crate::witness::propose::boosted::trained(training));
    statistics.extend(trees);
    statistics.into_par_iter().filter_map(|s| thresholds(sample, s, shapes, false)).collect()
}

/// Numbers of a vector with fitted weights.
enum Model {
    /// Entries, or differences of neighboring ones.
    Entries(Linear),
    /// Sums of clipped numbers, each with one weight.
    Terms(Vec<Vec<Term>>),
}

impl Model {
    fn columns(&self) -> usize {
        match self {
            Model::Entries(linear) => linear.weights.len(),
            Model::Terms(sums) => sums.len(),
        }
    }

    fn read(&self, vector: &[f64], at: usize) -> f64 {
        match self {
            Model::Entries(linear) => linear.unweighted(vector, at),
            Model::Terms(sums) => sums[at].iter().map(|term| term.unweighted(vector)).sum(),
        }
    }

    fn with(&self, weights: &[(usize, f64)]) -> Statistic {
        match self {
            Model::Entries(linear) => {
                let mut all = vec![0.0; linear.weights.len()];
                weights.iter().for_each(|&(at, weight)| all[at] = weight);
                Statistic::Linear(Linear { weights: all, ..linear.clone() })
            }
            Model::Terms(sums) => {
                let of = |&(at, weight): &(usize, f64)| {
                    sums[at].iter().map(move |term| Term { weight, ..term.clone() })
                };
                Statistic::Weighted(weights.iter().flat_map(of).collect())
            }
        }
    }

    /// The regression of the side on numbers of at most `most` outcomes per side.
    fn fit(&self, training: &Sample<'_>, most: usize, start: Option<&Fit>) -> Option<Fit> {
        let columns = self.columns();
        let most = most.min(MOST_WORK / (columns * columns).max(1) / 2);
        let mut design = Design::new(columns);
        for (batches, is_d) in [(&training.d, true), (&training.d_prime, false)] {
            let before = design.len();
            for vector in vectors(batches).take(most) {
                design.push(is_d, |at| self.read(vector, at));
            }
            if design.len() - before < LEAST {
                return None;
            }
        }
        match start {
            Some(start) => design.fit_from(start),
            None => design.fit(),
        }
    }
}

/// Weights for each model: from some of the outcomes, and for the models that separate the sides
/// best, from all of them.
fn weighed(training: &Sample<'_>, models: &[Model]) -> Vec<Statistic> {
    let all = training.len();
    let some = ENOUGH.max(all / 8);
    let mut fits: Vec<Option<Fit>> =
        models.par_iter().map(|model| model.fit(training, some, None)).collect();
    if some < all / 2 {
        let signal = |at: usize| fits[at].as_ref().map_or(f64::NEG_INFINITY, Fit::signal);
        let mut order: Vec<usize> = (0..models.len()).filter(|&at| fits[at].is_some()).collect();
        order.sort_by(|&a, &b| signal(b).total_cmp(&signal(a)));
        order.truncate(MOST_ON_ALL);
        let again = |&at: &usize| models[at].fit(training, all, fits[at].as_ref());
        let again: Vec<Option<Fit>> = order.par_iter().map(again).collect();
        order.into_iter().zip(again).for_each(|(at, fit)| fits[at] = fit);
    }
    let statistics = models.iter().zip(&fits).flat_map(|(model, fit)| {
        let fit = fit.as_ref();
        let weights = fit.and_then(kept).into_iter();
        // Signs of a few statistics reveal little; of similar entries, all that there is.
        let votes = fit.filter(|_| matches!(model, Model::Entries(_))).and_then(votes);
        weights.chain(votes).map(|weights| model.with(&weights))
    });
    statistics.collect()
}

/// The columns with a weight that is more than chance; the largest is 1 in size.
fn kept(fit: &Fit) -> Option<Vec<(usize, f64)>> {
    let left = fit.sure_of(KEPT);
    let largest = left.iter().fold(0.0f64, |most, w| most.max(w.weight.abs()));
    let scaled = |w: Weight| (w.column, rounded(w.weight / largest));
    (largest > 0.0 && largest.is_finite()).then(|| left.into_iter().map(scaled).collect())
}

/// A weight of 1 in size for each column with a certain sign: where signals are of similar size,
/// outcomes with as many votes are equally typical.
fn votes(fit: &Fit) -> Option<Vec<(usize, f64)>> {
    let certain = fit.sure_of(TRUSTED);
    (certain.len() > 1)
        .then(|| certain.into_iter().map(|w| (w.column, w.weight.signum())).collect())
}

/// Differences of entries a few places apart, and their squares, where they vary less than the entries: the steps of walks,
/// of which a flattened table has one in each column. The first of each walk stay as they are.
fn steps(sample: &Sample<'_>) -> Option<Model> {
    let length = common_length(sample).filter(|&length| length <= MOST_STEPS)?;
    let step = |apart: usize, at: usize| match at.checked_sub(apart) {
        Some(before) if apart > 0 => Statistic::Two {
            by: Pairing::Difference,
            of: Box::new([Statistic::Entry(at), Statistic::Entry(before)]),
        },
        _ => Statistic::Entry(at),
    };
    let spread = |apart: usize| -> f64 {
        let of = |at| variance(values(sample, |vector| step(apart, at).read_vector(vector)));
        (0..length).into_par_iter().map(|at| of(at).ln()).collect::<Vec<_>>().iter().sum()
    };
    let spreads: Vec<f64> = (0..=length / 2).map(spread).collect();
    let apart = (1..spreads.len()).min_by(|a, b| spreads[*a].total_cmp(&spreads[*b]))?;
    let walks = spreads[apart] < spreads[0] - LESS * (length - apart) as f64;
    let mut sums = vec![vec![]; 2 * apart];
    for at in 0..length {
        let of = step(apart, at);
        let (center, scale) = clip_of(&column(sample, |vector| of.read_vector(vector)), CLIPS[0]);
        for squared in [false, true] {
            let sum = &mut sums[2 * (at % apart) + usize::from(squared)];
            sum.push(Term { of: of.clone(), weight: 1.0, center, scale, squared });
        }
    }
    walks.then_some(Model::Terms(sums))
}

fn variance(numbers: impl Iterator<Item = f64>) -> f64 {
    let (count, sum, squares) = numbers
        .fold((0.0, 0.0, 0.0), |(count, sum, squares), x| (count + 1.0, sum + x, squares + x * x));
    squares / count - (sum / count) * (sum / count)
}

/// Statistics of vectors, and their squares, with two of the clips; and a few of them alone, whose
/// weights are known better. Without those that never vary.
fn derived(sample: &Sample<'_>) -> Vec<Model> {
    let columns: Vec<(Statistic, Vec<f64>)> = SUMMARIES
        .into_par_iter()
        .filter(|statistic| varies(sample, statistic))
        .map(|statistic| {
            let column = column(sample, |vector| statistic.read_vector(vector));
            (statistic, column)
        })
        .collect();
    let with = |clip: (f64, f64), squares: bool, some: &dyn Fn(&Statistic) -> bool| {
        let terms = columns.iter().filter(|(statistic, _)| some(statistic));
        let terms = terms.flat_map(|(statistic, column)| {
            let (center, scale) = clip_of(column, clip);
            let term =
                move |squared| Term { of: statistic.clone(), weight: 1.0, center, scale, squared };
            std::iter::once(term(false)).chain(squares.then(|| term(true)))
        });
        terms.collect::<Vec<_>>()
    };
    let few: [&[Statistic]; 2] = [
        &[Statistic::Length, Statistic::Last],
        &[Statistic::Missing, Statistic::Zeros, Statistic::Min],
    ];
    let mut models = vec![];
    for clip in [CLIPS[0], CLIPS[1]] {
        models.push(with(clip, true, &|_| true));
        models.extend(few.iter().map(|few| with(clip, false, &|s| few.contains(s))));
    }
    models.retain(|terms: &Vec<Term>| terms.len() > 1);
    let each = |terms: Vec<Term>| Model::Terms(terms.into_iter().map(|term| vec![term]).collect());
    models.into_iter().map(each).collect()
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/propose/classify.rs"]
mod tests;
