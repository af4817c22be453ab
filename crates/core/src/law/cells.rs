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
    /// Distance from an end to the next outcome: half of a whole number, for a discrete law.
    half: f64,
    /// Bounds, twice as large as the cells show, on f(x) and on |x| f(x) for the density f.
    pub densities: (f64, f64),
}

/// Multiples that draws are on, and the precision of their significands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// Steps of draws below and above 0. A sum with an answer at a power of two has a coarser one above.
    steps: [f64; 2],
    /// Points of both grids.
    offsets: [f64; 2],
    /// All draws are this exact, relatively.
    pub precision: f64,
}

/// Distance from a multiple, over the step, up to which a draw is one: answers have roundoff.
const NEAR: f64 = 0.05;
/// Fewest draws on a side for a step of its own.
const SIDE: usize = 50;
/// Most significant digits that a rounded decimal has.
const DIGITS: i32 = 12;

impl Grid {
    /// The grid that the first draws show.
    ///
    /// If all draws are on a grid, the first of them are on it: the result can only be coarser than the truth, where the
    /// finer grid has even probability 2^(−draws) of looking so.
    pub fn read(draws: &[f64]) -> Self {
        let [below, above] = [-1.0, 1.0]
            .map(|sign| draws.iter().copied().filter(|x| x * sign > 0.0).collect::<Vec<f64>>());
        let first = |side: &[f64]| side.first().copied().unwrap_or(0.0);
        let (steps, offsets) = if below.len() >= SIDE && above.len() >= SIDE {
            ([step_of(&below), step_of(&above)], [first(&below), first(&above)])
        } else {
            ([step_of(draws); 2], [first(draws); 2])
        };
        Self { steps, offsets, precision: precision_of(draws, steps[0].max(steps[1])) }
    }

    /// Whole numbers.
    pub fn of_discrete() -> Self {
        Self { steps: [1.0; 2], offsets: [0.0; 2], precision: 0.0 }
    }

    /// The coarser step.
    pub fn step(&self) -> f64 {
        self.steps[0].max(self.steps[1])
    }

    /// The middle between two points of the grid near a number, if its step is not far below `range`.
    fn between(&self, x: f64, range: f64) -> f64 {
        let side = usize::from(x > 0.0);
        let (step, point) = (self.steps[side], self.offsets[side]);
        if step <= FINEST * range {
            return x;
        }
        let offset = point - (point / step).round() * step;
        let end = ((x - offset) / step).floor().mul_add(step, offset) + 0.5 * step;
        // Beyond 0 the other step holds.
        match side {
            0 if end > 0.0 => 0.5 * self.steps[1],
            1 if end < 0.0 => -0.5 * self.steps[0],
            _ => end,
        }
    }
}

/// Relative precision of the draws: their bits, or their significant decimal digits. Draws on a grid need no more digits
/// than it has.
fn precision_of(draws: &[f64], step: f64) -> f64 {
    let most = draws.iter().copied().map(f64::abs).fold(0.0, f64::max);
    let is_of_grid = |precision: f64| step >= 0.5 * precision * most;
    let bits = draws.iter().map(|x| 53 - trailing(*x)).max().unwrap_or(53);
    let is_short = |digits: &i32| {
        draws.iter().all(|x| format!("{:.*e}", *digits as usize - 1, x).parse() == Ok(*x))
    };
    let decimal = (1..=DIGITS).find(is_short).map(|digits| {
        let digit = 10f64.powi(1 - digits);
        (digit, digit * 10f64.powf(most.log10().floor()) / most)
    });
    let binary = 2f64.powi(-(bits as i32));
    let binary = if is_of_grid(binary) { f64::EPSILON } else { binary };
    // The second number is relative to the largest draw.
    let decimal = decimal.filter(|(_, of_most)| !is_of_grid(*of_most)).map_or(0.0, |it| it.0);
    binary.max(decimal).clamp(0.5 * f64::EPSILON, 0.01)
}

/// Number of zeros at the end of a significand.
fn trailing(x: f64) -> u32 {
    if x == 0.0 { 52 } else { (x.to_bits() & ((1 << 52) - 1)).trailing_zeros().min(52) }
}

/// Largest step of a grid that all draws are on: a power of two or ten, or a common divisor; 0 without one. Zeros alone are
/// on every grid.
fn step_of(draws: &[f64]) -> f64 {
    if !draws.is_empty() && draws.iter().all(|x| *x == 0.0) {
        return f64::INFINITY;
    }
    let lowest = |x: f64| {
        let exponent = ((x.to_bits() >> 52) & 0x7ff) as i32 - 1075;
        exponent.max(-1074) + trailing(x) as i32
    };
    let exponent = draws.iter().filter(|x| **x != 0.0).map(|x| lowest(*x)).min();
    let binary = exponent.map_or(0.0, |exponent| 2f64.powi(exponent));
    let Some(first) = draws.first() else { return binary };
    let apart: Vec<f64> = draws.iter().map(|x| (x - first).abs()).collect();
    let most = apart.iter().copied().fold(0.0, f64::max);
    let is_grid = |step: &f64| {
        let distance = |x: &f64| (x / step - (x / step).round()).abs();
        *step <= most && apart.iter().all(|x| distance(x) <= NEAR)
    };
    let decimals = (-3..=15).map(|digits| 10f64.powi(-digits));
    let divisors = [1e-12, 1e-9].map(|error| common_divisor(&apart, most, error * most));
    let binaries = (-10..=50).map(|bits| 2f64.powi(-bits));
    let found = decimals.chain(binaries).chain(divisors).filter(|step| *step > 0.0).filter(is_grid);
    found.fold(binary, f64::max)
}

/// Greatest common divisor of numbers with an error; 0 if they are all 0.
fn common_divisor(numbers: &[f64], most: f64, error: f64) -> f64 {
    if most <= 0.0 {
        return 0.0;
    }
    // The largest number is a multiple of all steps on the way, so that their errors do not grow.
    let exact = |step: f64| most / (most / step).round();
    let step = numbers
        .iter()
        .fold(most, |step, x| if step > error { exact(divisor(step, *x, error)) } else { step });
    // Numbers that are not on a grid end near the error.
    if step < 1e3 * error { 0.0 } else { step }
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
    /// The cells for this number of draws, the furthest of which is `reach` from 0.
    pub fn new(law: &dyn NoiseLaw, grid: Grid, draws: usize, reach: f64) -> Self {
        let count = 1 << LEVELS;
        let tail = (1..=TAIL_LEVELS).rev().map(|level| 2f64.powi(-LEVELS - level));
        let low: Vec<f64> =
            tail.chain((1..=count / 2).map(|k| f64::from(k) / f64::from(count))).collect();
        let levels = low.iter().map(|p| Level { p: *p, above: false });
        let high = low.iter().rev().skip(1).map(|p| Level { p: *p, above: true });
        let levels: Vec<Level> = levels.chain(high).collect();
        let quantiles = quantiles(law, &levels, reach);
        let at = |p: f64, above| {
            let place = levels.iter().position(|it| it.p == p && it.above == above);
            place.map_or(0.0, |place| quantiles[place])
        };
        let (median, range) = (at(0.5, false), at(0.25, true) - at(0.25, false));
        let mut ends: Vec<f64> = quantiles.iter().map(|x| grid.between(*x, range)).collect();
        ends.retain(|x| x.is_finite());
        ends.dedup();
        let fine = Self::of_ends(law, ends.clone(), (median, range));
        // Rounding to significant digits moves outcomes over ends: cells must be much wider than that.
        let wide = (10.0 * draws as f64).sqrt() * grid.precision;
        let mut last = f64::NEG_INFINITY;
        ends.retain(|x| {
            let is_kept = x - last >= wide * x.abs().max(last.abs()) || last == f64::NEG_INFINITY;
            last = if is_kept { *x } else { last };
            is_kept
        });
        Self { densities: fine.bounds(), ..Self::of_ends(law, ends, (median, range)) }
    }

    fn of_ends(law: &dyn NoiseLaw, ends: Vec<f64>, (median, range): (f64, f64)) -> Self {
        let [below, over] = [false, true].map(|above| law.tails(&ends, above));
        let half = if law.is_discrete() { 0.5 } else { 0.0 };
        Self::of_tails(ends, &below, &over, (median, range, half))
    }

    fn of_tails(
        ends: Vec<f64>,
        below: &[f64],
        over: &[f64],
        (median, range, half): (f64, f64, f64),
    ) -> Self {
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
        Self { ends: kept, probability, middle, range, median, half, densities: (0.0, 0.0) }
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
            (low, high) if low.is_infinite() => high.min(f64::MAX) - self.half,
            (low, high) if high.is_infinite() => low + self.half,
            (low, high) => low + (high - low) / 2.0,
        }
    }

    /// Probabilities of the cells under the law scaled about its median by a factor.
    pub fn scaled(&self, law: &dyn NoiseLaw, factor: f64) -> Vec<f64> {
        let at = |end: &f64| self.median + (end - self.median) / factor;
        let ends: Vec<f64> = self.ends.iter().map(at).collect();
        let [below, over] = [false, true].map(|above| law.tails(&ends, above));
        let mut last = (0.0, 1.0);
        let next = below.into_iter().zip(over).chain([(1.0, 0.0)]);
        next.map(|(under, beyond): (f64, f64)| {
            let p = if under <= 0.5 { under - last.0 } else { last.1 - beyond };
            last = (under, beyond);
            p.max(0.0)
        })
        .collect()
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

    fn bounds(&self) -> (f64, f64) {
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

/// Quantiles of many levels at once, by bisection over the doubles in a range that holds all of them: from `reach` on
/// outward, since not all distribution functions can be asked everywhere.
fn quantiles(law: &dyn NoiseLaw, levels: &[Level], reach: f64) -> Vec<f64> {
    let least = levels.iter().map(|level| level.p).fold(1.0, f64::min);
    let outward = |above: bool| {
        let mut bound = reach.clamp(1e-300, 1e300);
        let side = if above { 1.0 } else { -1.0 };
        while bound < 1e300 && law.tails(&[side * bound], above)[0] > 0.5 * least {
            bound *= 16.0;
        }
        key(if bound < 1e300 { side * bound } else { side * f64::MAX })
    };
    let (mut low, mut high) =
        (vec![outward(false); levels.len()], vec![outward(true); levels.len()]);
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
