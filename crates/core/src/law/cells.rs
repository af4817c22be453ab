//! A law cut into cells, and the grid that draws are on.

use super::NoiseLaw;

/// Levels of halving between the quantiles, and more in each tail, each of half the probability of the last.
const LEVELS: i32 = 12;
const TAIL_LEVELS: i32 = 12;
/// Finest grid that moves the edges of cells, over the law's interquartile range.
const FINEST: f64 = 1e-9;

/// Intervals of the line, their probabilities under the law, and the size of rounding errors.
pub(super) struct Cells {
    /// Upper ends of all cells but the last, ascending; no outcome is at an end.
    ends: Vec<f64>,
    /// Of each cell; the sum is 1.
    pub probability: Vec<f64>,
    /// P(X is in an earlier cell) + half of the cell's own probability.
    pub middle: Vec<f64>,
    /// Interquartile range.
    pub range: f64,
    pub median: f64,
}

/// Multiples that draws are on, and the precision of their significands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// All draws are multiples of this.
    pub step: f64,
    /// All draws are this exact, relatively.
    pub precision: f64,
}

impl Grid {
    /// The grid that the first draws show.
    ///
    /// If all draws are on a grid, the first of them are on it: the result can only be coarser than the truth.
    pub fn read(draws: &[f64]) -> Self {
        let trailing = |x: f64| {
            if x == 0.0 { 52 } else { (x.to_bits() & ((1 << 52) - 1)).trailing_zeros().min(52) }
        };
        let bits = draws.iter().map(|x| 53 - trailing(*x)).max().unwrap_or(53);
        let lowest = |x: f64| {
            let exponent = ((x.to_bits() >> 52) & 0x7ff) as i32 - 1075;
            exponent.max(-1074) + trailing(x) as i32
        };
        let exponent = draws.iter().filter(|x| **x != 0.0).map(|x| lowest(*x)).min();
        let binary = exponent.map_or(0.0, |exponent| 2f64.powi(exponent));
        Self { step: binary.max(common_step(draws)), precision: 2f64.powi(-(bits as i32).max(20)) }
    }

    /// A grid without a step: whole numbers of a discrete law.
    pub fn of_discrete() -> Self {
        Self { step: 1.0, precision: 0.0 }
    }
}

/// Largest number that all draws are multiples of, up to roundoff; 0 if there is none that is far above it.
fn common_step(draws: &[f64]) -> f64 {
    let most = draws.iter().copied().map(f64::abs).fold(0.0, f64::max);
    let error = 1e-12 * most;
    // The largest draw is a multiple of all steps on the way, so that their errors do not grow.
    let exact = |step: f64| most / (most / step).round();
    let step = draws.iter().fold(most, |step, x| {
        if step > error { exact(divisor(step, x.abs(), error)) } else { step }
    });
    // Numbers that are not on a grid end near the error.
    if step < 1e3 * error || step <= 0.0 {
        return 0.0;
    }
    let is_multiple = |x: &f64| (x - (x / step).round() * step).abs() <= 10.0 * error;
    if draws.iter().all(is_multiple) { step } else { 0.0 }
}

/// Greatest common divisor of two numbers, of which remainders within an error are 0.
fn divisor(one: f64, other: f64, error: f64) -> f64 {
    let (mut large, mut small) = (one.max(other), one.min(other));
    while small > error {
        let rest = large % small;
        (large, small) = (small, if small - rest <= error { 0.0 } else { rest });
    }
    large
}

/// A quantile: the smallest x with P(X ≤ x) ≥ `p`, or with P(X > x) ≤ `p`.
struct Level {
    p: f64,
    above: bool,
}

impl Cells {
    pub fn new(law: &dyn NoiseLaw, grid: Grid) -> Self {
        let count = 1 << LEVELS;
        let tail = (1..=TAIL_LEVELS).rev().map(|level| 2f64.powi(-LEVELS - level));
        let low: Vec<f64> =
            tail.chain((1..=count / 2).map(|k| f64::from(k) / f64::from(count))).collect();
        let levels = low.iter().map(|p| Level { p: *p, above: false });
        let high = low.iter().rev().skip(1).map(|p| Level { p: *p, above: true });
        let levels: Vec<Level> = levels.chain(high).collect();
        let quantiles = quantiles(law, &levels);
        let at = |p: f64, above| {
            let place = levels.iter().position(|it| it.p == p && it.above == above);
            place.map_or(0.0, |place| quantiles[place])
        };
        let (median, range) = (at(0.5, false), at(0.25, true) - at(0.25, false));
        let step = match grid.step {
            step if law.is_discrete() => step,
            step if step > FINEST * range => step,
            _ => 0.0,
        };
        // An end between two multiples: rounding to the nearest one moves no outcome over it.
        let end = |x: &f64| if step > 0.0 { ((x / step).floor() + 0.5) * step } else { *x };
        let mut ends: Vec<f64> = quantiles.iter().map(end).filter(|x| x.is_finite()).collect();
        ends.dedup();
        let [below, over] = [false, true].map(|above| law.tails(&ends, above));
        Self::of_tails(ends, &below, &over, (median, range))
    }

    fn of_tails(ends: Vec<f64>, below: &[f64], over: &[f64], (median, range): (f64, f64)) -> Self {
        let (mut kept, mut probability, mut middle) = (Vec::new(), Vec::new(), Vec::new());
        let mut last = (0.0, 1.0);
        let next = below.iter().copied().zip(over.iter().copied()).chain([(1.0, 0.0)]);
        for (place, (under, beyond)) in next.enumerate() {
            let p = if under <= 0.5 { under - last.0 } else { last.1 - beyond };
            // What is too improbable to be a cell belongs to the next one.
            if p <= 1e-13 && place < ends.len() {
                continue;
            }
            probability.push(p.max(1e-300));
            middle.push((last.0 + under) / 2.0);
            kept.extend(ends.get(place).copied());
            last = (under, beyond);
        }
        let total: f64 = probability.iter().sum();
        probability.iter_mut().for_each(|p| *p /= total);
        Self { ends: kept, probability, middle, range, median }
    }

    /// Place of the cell of an outcome.
    pub fn place(&self, x: f64) -> usize {
        self.ends.partition_point(|end| *end < x)
    }

    pub fn len(&self) -> usize {
        self.probability.len()
    }

    /// Ends of the interval of the cells in a range: infinite at the ends of the line.
    pub fn interval(&self, cells: std::ops::Range<usize>) -> (f64, f64) {
        let low = cells.start.checked_sub(1).map_or(f64::NEG_INFINITY, |place| self.ends[place]);
        (low, self.ends.get(cells.end - 1).copied().unwrap_or(f64::INFINITY))
    }

    /// A number in each cell: its middle, or for one of the two outer cells its end.
    pub fn inside(&self, cell: usize) -> f64 {
        match self.interval(cell..cell + 1) {
            (low, high) if low.is_infinite() => high.min(f64::MAX),
            (low, high) if high.is_infinite() => low,
            (low, high) => low + (high - low) / 2.0,
        }
    }

    /// Logarithm of the density in each cell; an outer cell has that of its neighbor.
    pub fn ln_density(&self) -> Vec<f64> {
        let last = self.len() - 1;
        let density = |cell: usize| {
            let inner = cell.clamp(1.min(last), last.saturating_sub(1).max(1.min(last)));
            let (low, high) = self.interval(inner..inner + 1);
            let width = high - low;
            if width.is_finite() && width > 0.0 {
                (self.probability[inner] / width).ln()
            } else {
                0.0
            }
        };
        (0..self.len()).map(density).collect()
    }

    /// Bounds, twice as large as the cells show, on f(x) and on |x| f(x) for the density f.
    pub fn densities(&self) -> (f64, f64) {
        let each = self.ln_density();
        let inner = 1..self.len().saturating_sub(1).max(1);
        let density = inner.clone().map(|cell| each[cell].exp()).fold(0.0, f64::max);
        let scaled = |cell: usize| {
            let (low, high) = self.interval(cell..cell + 1);
            low.abs().max(high.abs()) * each[cell].exp()
        };
        (2.0 * density, 2.0 * inner.map(scaled).fold(0.0, f64::max))
    }
}

/// Quantiles of many levels at once, by bisection over all doubles.
fn quantiles(law: &dyn NoiseLaw, levels: &[Level]) -> Vec<f64> {
    let (mut low, mut high) =
        (vec![key(f64::MIN); levels.len()], vec![key(f64::MAX); levels.len()]);
    let split = levels.iter().position(|level| level.above).unwrap_or(levels.len());
    for _ in 0..64 {
        let middle: Vec<i64> =
            low.iter().zip(&high).map(|(low, high)| (low & high) + ((low ^ high) >> 1)).collect();
        let at: Vec<f64> = middle.iter().map(|key| of_key(*key)).collect();
        let mut tails = law.tails(&at[..split], false);
        tails.extend(law.tails(&at[split..], true));
        for (place, level) in levels.iter().enumerate() {
            let reached =
                if level.above { tails[place] <= level.p } else { tails[place] >= level.p };
            if reached {
                high[place] = middle[place];
            } else {
                low[place] = middle[place];
            }
        }
    }
    high.into_iter().map(of_key).collect()
}

/// A whole number for each double, in the same order.
fn key(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
}

fn of_key(key: i64) -> f64 {
    let bits = if key < 0 { i64::MIN.wrapping_sub(key) } else { key };
    f64::from_bits(bits as u64)
}
