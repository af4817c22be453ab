//! Probabilities of regions on given answers, with all errors added.
//!
//! Draws that no condition links are independent, so a region is a product. Where one draw t is in every condition of
//! the others, the probability is an integral over t of its density times, for each other draw, the difference of its
//! distribution function at two ends that move with t. Between the points where a formula changes the integrand is
//! analytic, and the error of Gauss's rule is bounded by its size on an ellipse around each cell (Trefethen 2013,
//! Theorem 19.3).

use super::affine::Unknown;
use super::draws::Noise;
use super::tape::{Draw, Row};
use dashu_ratio::RBig;
use plaudit_accountant::normal;
use std::collections::HashMap;

/// Bounds on a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// At most the number.
    pub lower: f64,
    /// At least the number.
    pub upper: f64,
}

/// A law at a scale.
#[derive(Clone, Copy, Debug)]
struct Law {
    noise: Noise,
    scale: f64,
}

/// An end that moves with t: `slope` · t + `at`.
#[derive(Clone, Copy, Debug)]
struct End {
    slope: f64,
    at: f64,
}

/// A draw besides t, above all of `low` and below all of `high`.
#[derive(Debug)]
struct Leaf {
    law: Law,
    low: Vec<End>,
    high: Vec<End>,
}

/// Error of a distribution function in doubles, a density or an end: far above what the formulas lose.
const ROUNDING: f64 = 1e-13;
/// Error of an end, relative to its size: slope and constant are rounded, their product and their sum.
const PER_UNIT: f64 = 4.0 * f64::EPSILON;
/// How far a condition without noise may be off.
const NEARLY: f64 = 1e-9;
/// Cells of an integral, at most.
const MOST: usize = 200_000;
/// The ellipse around a cell: the sum of its half axes, in half cells. Cells of half the width have it twice as large,
/// which many leaves need: the bound of each is a factor.
const ELLIPSE: [f64; 2] = [4.0, 8.0];
const MANY_LEAVES: usize = 6;

/// Conditions on draws: factors of draws by place, and a constant; their sum is at least 0.
type Link = (Vec<(usize, f64)>, f64);

/// The probability that draws of these laws fulfil all rows, where the answers are `answers`.
///
/// `None` if some draws are linked otherwise than through a single one, or the scales lie too far apart.
pub fn probability(rows: &[Row], draws: &[Draw], answers: &[RBig]) -> Option<Bounds> {
    in_cells(rows, draws, answers, 0)
}

/// As [`probability`]. Where two draws link the others, one of them is cut into cells of the same probability, and in
/// each the conditions are taken as they are at its ends. The bounds lie apart by about 1/`cells`.
pub fn in_cells(rows: &[Row], draws: &[Draw], answers: &[RBig], cells: usize) -> Option<Bounds> {
    let laws: Vec<Law> = draws
        .iter()
        .map(|draw| Law { noise: draw.law, scale: draw.scale.to_f64().value() })
        .collect();
    let mut links: Vec<Link> = Vec::new();
    for row in needed(rows) {
        let mut constant = row.value.constant.clone()?;
        let mut factors = Vec::new();
        for (unknown, factor) in &row.value.terms {
            match unknown {
                Unknown::Answer(at) => constant += factor * answers.get(*at)?,
                Unknown::Draw(at) => factors.push((*at, factor.to_f64().value())),
            }
        }
        if !factors.is_empty() {
            links.push((factors, constant.to_f64().value()));
        } else if constant < RBig::ZERO || row.strict && constant.is_zero() {
            return Some(Bounds { lower: 0.0, upper: 0.0 });
        }
    }
    linked(&laws, &links, cells)
}

/// The probability that all links hold.
fn linked(laws: &[Law], links: &[Link], cells: usize) -> Option<Bounds> {
    let mut product = Bounds { lower: 1.0, upper: 1.0 };
    for members in components(laws.len(), links) {
        let own: Vec<_> =
            links.iter().filter(|(factors, _)| members.contains(&factors[0].0)).collect();
        let found = match members[..] {
            _ if own.is_empty() => continue,
            [only] => {
                let mut leaf = Leaf { law: laws[only], low: Vec::new(), high: Vec::new() };
                own.iter().for_each(|(factors, at)| leaf.bound(factors[0].1, 0.0, *at));
                around(leaf.mass(0.0), ROUNDING)
            }
            _ => {
                let as_star =
                    || members.iter().find_map(|pivot| star(*pivot, &members, &own, laws));
                let by_cells = || members.iter().find_map(|draw| cut(*draw, laws, &own, cells));
                as_star().or_else(by_cells)?
            }
        };
        product = Bounds { lower: product.lower * found.lower, upper: product.upper * found.upper };
    }
    Some(around(
        (product.lower + product.upper) / 2.0,
        (product.upper - product.lower) / 2.0 + 1e-15,
    ))
}

/// The probability that all links hold, by cells of one draw, without which the others are stars.
fn cut(draw: usize, laws: &[Law], links: &[&Link], cells: usize) -> Option<Bounds> {
    let law = laws[draw];
    let mut sum = Bounds { lower: 0.0, upper: 0.0 };
    let mut low = f64::NEG_INFINITY;
    for cell in 1..=cells {
        let high =
            if cell == cells { f64::INFINITY } else { law.quantile(cell as f64 / cells as f64) };
        // The links in the cell, where they hold the least and the most.
        let inside = |most: bool| {
            let mut rest = Vec::new();
            for (factors, at) in links {
                let of =
                    factors.iter().find(|(other, _)| *other == draw).map(|(_, factor)| *factor);
                let ends = of.map_or((0.0, 0.0), |of| (of * low, of * high));
                let at = at + if most { ends.0.max(ends.1) } else { ends.0.min(ends.1) };
                let others: Vec<_> =
                    factors.iter().copied().filter(|(other, _)| *other != draw).collect();
                match others.is_empty() {
                    true if at < if most { -NEARLY } else { NEARLY } => return Some(0.0),
                    false if at == f64::NEG_INFINITY => return Some(0.0),
                    false if at != f64::INFINITY => rest.push((others, at)),
                    _ => {}
                }
            }
            let found = linked(laws, &rest, 0)?;
            Some(if most { found.upper } else { found.lower })
        };
        let mass = around(law.between(low, high), ROUNDING);
        sum.lower += mass.lower * inside(false)?;
        sum.upper += mass.upper * inside(true)?;
        low = high;
    }
    (cells > 0).then_some(Bounds { lower: sum.lower, upper: sum.upper.min(1.0) })
}

/// Rows without those that one or two others imply, so that fewer draws are linked: a > b > c has a > c.
fn needed(rows: &[Row]) -> Vec<&Row> {
    // Of the same sum of unknowns, the row with the least constant says most.
    let mut least: HashMap<&[(Unknown, RBig)], &Row> = HashMap::new();
    for row in rows.iter().filter(|row| row.value.is_noisy()) {
        let least = least.entry(&row.value.terms).or_insert(row);
        if row.value.constant < least.value.constant {
            *least = row;
        }
    }
    let says_most =
        |row: &&Row| !row.value.is_noisy() || std::ptr::eq(least[&row.value.terms[..]], *row);
    let mut kept: Vec<&Row> = rows.iter().filter(says_most).collect();
    let mut at = 0;
    while at < kept.len() {
        let implied = kept[at].value.is_noisy() && {
            let others = || kept.iter().enumerate().filter(|(other, _)| *other != at);
            others().any(|(i, a)| {
                let rest = kept[at].value.plus(&a.value, &RBig::from(-1));
                let is = |b: &Row| {
                    let left = rest.plus(&b.value, &RBig::from(-1));
                    left.terms.is_empty() && left.constant.is_some_and(|c| c >= RBig::ZERO)
                };
                a.value.is_noisy() && others().any(|(j, b)| j > i && b.value.is_noisy() && is(b))
            })
        };
        if implied {
            kept.remove(at);
        } else {
            at += 1;
        }
    }
    kept
}

fn around(value: f64, error: f64) -> Bounds {
    Bounds { lower: (value - error).clamp(0.0, 1.0), upper: (value + error).clamp(0.0, 1.0) }
}

/// Draws that conditions link, directly or by others.
fn components(draws: usize, links: &[Link]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..draws).collect();
    for (factors, _) in links {
        let first = group[factors[0].0];
        for (at, _) in factors {
            let old = group[*at];
            group.iter_mut().filter(|group| **group == old).for_each(|group| *group = first);
        }
    }
    let members = |name: usize| (0..draws).filter(|at| group[*at] == name).collect::<Vec<_>>();
    (0..draws).map(members).filter(|members| !members.is_empty()).collect()
}

/// The probability of a component, if all its conditions are on one other draw besides the pivot, or on the pivot.
fn star(pivot: usize, members: &[usize], links: &[&Link], laws: &[Law]) -> Option<Bounds> {
    let mut own = Leaf { law: laws[pivot], low: Vec::new(), high: Vec::new() };
    let others = members.iter().filter(|at| **at != pivot);
    let mut leaves: Vec<(usize, Leaf)> = others
        .map(|at| (*at, Leaf { law: laws[*at], low: Vec::new(), high: Vec::new() }))
        .collect();
    for (factors, at) in links {
        let of_pivot = factors.iter().find(|(draw, _)| *draw == pivot).map_or(0.0, |(_, f)| *f);
        let mut besides = factors.iter().filter(|(draw, _)| *draw != pivot);
        match (besides.next(), besides.next()) {
            (None, _) => own.bound(of_pivot, 0.0, *at),
            (Some((draw, factor)), None) => {
                let leaf = leaves.iter_mut().find(|(of, _)| of == draw)?;
                leaf.1.bound(*factor, of_pivot, *at);
            }
            _ => return None,
        }
    }
    let leaves: Vec<Leaf> = leaves.into_iter().map(|(_, leaf)| leaf).collect();
    integral(&own, &leaves)
}

impl Leaf {
    /// Adds the condition factor · x + slope · t + at >= 0.
    fn bound(&mut self, factor: f64, slope: f64, at: f64) {
        let end = End { slope: -slope / factor, at: -at / factor };
        if factor > 0.0 { self.low.push(end) } else { self.high.push(end) }
    }

    fn ends(&self, t: f64) -> (f64, f64) {
        let value = |end: &End| if end.slope == 0.0 { end.at } else { end.slope * t + end.at };
        let low = self.low.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
        (low, self.high.iter().map(value).fold(f64::INFINITY, f64::min))
    }

    /// The probability of its range at t.
    fn mass(&self, t: f64) -> f64 {
        let (low, high) = self.ends(t);
        if low >= high { 0.0 } else { self.law.between(low, high) }
    }

    /// Where the formula of its mass changes.
    fn kinks(&self, kinks: &mut Vec<f64>) {
        let ends: Vec<End> = self.low.iter().chain(&self.high).copied().collect();
        for (i, a) in ends.iter().enumerate() {
            for b in &ends[i + 1..] {
                kinks.push((b.at - a.at) / (a.slope - b.slope));
            }
            for own in self.law.kinks() {
                kinks.push((own - a.at) / a.slope);
            }
        }
    }

    /// Largest slope of its ends, in scales.
    fn steepness(&self) -> f64 {
        let slopes = self.low.iter().chain(&self.high).map(|end| end.slope.abs());
        slopes.fold(0.0, f64::max) / self.law.scale
    }
}

impl Law {
    /// The probability of being between two ends, where the first is less than the second.
    fn between(self, low: f64, high: f64) -> f64 {
        let (low, high) = (low / self.scale, high / self.scale);
        match self.noise {
            // In the upper half by what lies above, so that nothing cancels.
            Noise::Laplace if low > 0.0 => ((-low).exp() - (-high).exp()) / 2.0,
            Noise::Gaussian if low > 0.0 => normal::cdf(-low) - normal::cdf(-high),
            _ => self.below(high) - self.below(low),
        }
    }

    /// The distribution function of the law at scale 1.
    fn below(self, x: f64) -> f64 {
        match self.noise {
            Noise::Laplace if x < 0.0 => x.exp() / 2.0,
            Noise::Laplace => 1.0 - (-x).exp() / 2.0,
            Noise::Exponential => -(-x.max(0.0)).exp_m1(),
            Noise::Gumbel => (-(-x).exp()).exp(),
            Noise::Gaussian => normal::cdf(x),
            Noise::Uniform => x.clamp(0.0, 1.0),
        }
    }

    /// About where the distribution function has a value.
    fn quantile(self, value: f64) -> f64 {
        let (mut low, mut high) = self.range();
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            let below = self.below(middle / self.scale) < value;
            (low, high) = if below { (middle, high) } else { (low, middle) };
        }
        low
    }

    fn density(self, t: f64) -> f64 {
        let x = t / self.scale;
        let unit = match self.noise {
            Noise::Laplace => (-x.abs()).exp() / 2.0,
            Noise::Exponential => {
                if x < 0.0 {
                    0.0
                } else {
                    (-x).exp()
                }
            }
            Noise::Gumbel => (-x - (-x).exp()).exp(),
            Noise::Gaussian => (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt(),
            Noise::Uniform => {
                if (0.0..=1.0).contains(&x) {
                    1.0
                } else {
                    0.0
                }
            }
        };
        unit / self.scale
    }

    /// Where its formulas change.
    fn kinks(self) -> Vec<f64> {
        match self.noise {
            Noise::Laplace | Noise::Exponential => vec![0.0],
            Noise::Gumbel | Noise::Gaussian => Vec::new(),
            Noise::Uniform => vec![0.0, self.scale],
        }
    }

    /// A range outside of which there is less than 1e-16.
    fn range(self) -> (f64, f64) {
        let (low, high) = match self.noise {
            Noise::Laplace => (-40.0, 40.0),
            Noise::Exponential => (0.0, 40.0),
            Noise::Gumbel => (-4.0, 40.0),
            Noise::Gaussian => (-9.0, 9.0),
            Noise::Uniform => (0.0, 1.0),
        };
        (low * self.scale, high * self.scale)
    }

    /// Bound on |F| and, for t, on |density| times the scale, at complex points at most `beyond` scales outside of a
    /// cell and `off` scales off the real line (at most 1), with the formula of that cell.
    fn bound(self, beyond: f64, off: f64) -> f64 {
        match self.noise {
            // |e^z| = e^(Re z).
            Noise::Laplace | Noise::Exponential => 1.0 + beyond.exp(),
            // |exp(−e^(−z))| = exp(−e^(−x) cos y) <= 1, and x e^(−x cos y) <= 1/(e cos y).
            Noise::Gumbel => 1.0 / off.cos(),
            // |φ(x + iy)| <= e^(y²/2)/√(2π), and Φ(x + iy) = Φ(x) + i ∫ φ(x + iu) du.
            Noise::Gaussian => 1.0 + off * (off * off / 2.0).exp(),
            Noise::Uniform => 2.0 + beyond + off,
        }
    }
}

/// The integral over t of its density times the masses of the leaves.
fn integral(own: &Leaf, leaves: &[Leaf]) -> Option<Bounds> {
    let law = own.law;
    let (low, high) = own.ends(0.0);
    let (least, most) = law.range();
    let (low, high) = (low.max(least), high.min(most));
    if low >= high {
        return Some(Bounds { lower: 0.0, upper: 1e-16 });
    }
    let mut cuts = vec![low, high];
    cuts.extend(law.kinks());
    leaves.iter().for_each(|leaf| leaf.kinks(&mut cuts));
    cuts.retain(|cut| cut.is_finite() && (low..=high).contains(cut));
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let ellipse = ELLIPSE[usize::from(leaves.len() > MANY_LEAVES)];
    // A cell is at most one scale of each draw wide.
    let steepest = leaves.iter().map(Leaf::steepness).fold(1.0 / law.scale, f64::max);
    let steepest = steepest * ellipse / ELLIPSE[0];
    if (high - low) * steepest + cuts.len() as f64 > MOST as f64 {
        return None;
    }
    let (mut sum, mut error) = (0.0, 0.0);
    for pair in cuts.windows(2) {
        let cells = ((pair[1] - pair[0]) * steepest).ceil().max(1.0);
        let half = (pair[1] - pair[0]) / cells / 2.0;
        let [long, short] =
            [ellipse + 1.0 / ellipse, ellipse - 1.0 / ellipse].map(|x| x / 2.0 * half);
        let size =
            |law: Law, steepness: f64| law.bound((long - half) * steepness, short * steepness);
        let mut bound = size(law, 1.0 / law.scale) / law.scale;
        leaves.iter().for_each(|leaf| bound *= 2.0 * size(leaf.law, leaf.steepness()));
        let power = ellipse.powi(-2 * (NODES.len() as i32 * 2 - 1));
        error += cells * half * bound * 64.0 / 15.0 * power / (ellipse * ellipse - 1.0);
        for cell in 0..cells as usize {
            let middle = pair[0] + half * (2 * cell + 1) as f64;
            for (node, weight) in NODES {
                for t in [middle - half * node, middle + half * node] {
                    let masses =
                        leaves.iter().fold(law.density(t), |product, leaf| product * leaf.mass(t));
                    sum += half * weight * masses;
                }
            }
        }
    }
    // An end is a sum of at most `far` in size, or so far away that its mass is 0 or 1.
    let far = low.abs().max(high.abs());
    let of_ends = leaves.iter().map(|leaf| 2.0 * leaf.steepness() * far * PER_UNIT).sum::<f64>();
    Some(around(sum, error + of_ends + ROUNDING * (leaves.len() + 2) as f64))
}

/// Nodes above 0 and weights of Gauss's rule with 16 points (Abramowitz & Stegun 1964, Table 25.4).
const NODES: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
    (0.458_016_777_657_227_4, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_7, 0.149_595_988_816_576_73),
    (0.755_404_408_355_003, 0.124_628_971_255_533_87),
    (0.865_631_202_387_831_7, 0.095_158_511_682_492_78),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_89),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_095),
];
