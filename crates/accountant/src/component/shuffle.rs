//! Shuffled answers of k-ary randomized response: how many rows gave each answer, and not which.
//!
//! Two rows x and x' are in question. Each other row answers at random with probability k/W, W = e^ε + k − 1, whatever
//! it has, and else what it has, which may be told (Feldman, McMillan, Talwar 2023): so the N answers that are at random,
//! or of the row in question, have a multinomial law, with the density (k/W)(1 + (e^ε − 1) h/N) of the counts h of x
//! under P, and of x' under Q. Given that m of them are x or x', with y = 2s − 1 for the share s of x among these, y is
//! that of Bin(m, 1/2) with the density 1 + c y under P and 1 − c y under Q, where c = a/(1 + a) and
//! a = (e^ε − 1) m/2N. Its profile E(1 − e^ε + c (1 + e^ε) y)₊ falls with m and grows with c; and more answers at random
//! hide more. So neighboring N and m are put together, with the smallest of both and the largest c.
//!
//! From below, one pair of datasets. Of three values or more, all other rows have a third one, and only the counts of x and
//! x' are seen: then c is another function of m. Of two, all have the second one.

use super::binomial::Binomial;
use super::pair::{LawPair, LawPart};

/// Most groups of numbers of answers, of each of one and of two.
const GROUPS: [u64; 2] = [600, 150];
/// Cells of the losses from 0 on.
const CELLS: usize = 1 << 14;
/// Masses below this are not enumerated.
const SMALLEST: f64 = 1e-28;
/// Bound on what is not, with the terms that are left out one by one.
const LOST: f64 = 1e-20;
/// Bound on the relative error of each mass.
const ERROR: f64 = 1e-9;

/// Shuffled answers of `rows` rows to a question of `values` values, at ε.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shuffle {
    pub epsilon: f64,
    pub rows: u64,
    pub values: u64,
}

/// Answers in question: how many, c, and the probability of both.
type Answers = (u64, f64, f64);

/// Numbers of a law in groups, each with its first and last: all that matter, down to a least one.
fn groups(law: Binomial, least: u64, most: u64) -> impl Iterator<Item = (u64, u64)> {
    let mean = law.draws as f64 * law.rate;
    let reach = 12.0 * (mean + 12.0).sqrt();
    // Between 0 and 10⁹.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let (first, last) = ((mean - reach).max(0.0) as u64, (mean + reach) as u64);
    let (first, last) = (first.max(least), last.min(law.draws + 1).max(least));
    let width = (last - first) / most + 1;
    let group = move |first: u64| (first, (first + width - 1).min(last));
    (first..=last).step_by(usize::try_from(width).unwrap_or(1)).map(group)
}

impl Shuffle {
    /// The probabilities of the true answer, of the other one in question, and of all others.
    fn weights(self) -> (f64, f64, f64) {
        // By e^ε, so that nothing overflows.
        let small = (-self.epsilon).exp();
        let whole = 1.0 + (self.values - 1) as f64 * small;
        (1.0 / whole, small / whole, (self.values - 2) as f64 * small / whole)
    }

    /// From above: the answers in question, and the probability that there are none.
    fn above(self) -> (Vec<Answers>, f64) {
        let (told, other, _) = self.weights();
        let values = self.values as f64;
        let random = Binomial { draws: self.rows - 1, rate: (values * other).min(1.0) };
        let (mut all, mut none) = (Vec::new(), 0.0);
        for (first, last) in groups(random, 0, GROUPS[usize::from(self.values > 2)]) {
            let mass: f64 = (first..=last).map(|k| random.mass(k)).sum();
            let count = first + 1;
            if self.values == 2 {
                all.push((count, (told - other) / (told + other), mass));
                continue;
            }
            let asked = Binomial { draws: count, rate: 2.0 / values };
            let a = |m: u64| 0.5 * (told - other) / other * m as f64 / count as f64;
            let weight = |m: u64| values * other * (1.0 + a(m)) * asked.mass(m);
            none += mass * weight(0);
            all.extend(groups(asked, 1, GROUPS[1]).map(|(first, last)| {
                let a = a(last);
                (first, a / (1.0 + a), mass * (first..=last).map(weight).sum::<f64>())
            }));
        }
        (all, none)
    }

    /// All other rows have a third value: the same, the other rows being `all` times as likely to make all m answers.
    fn below(self) -> (Vec<Answers>, f64) {
        let (told, other, rest) = self.weights();
        let clones = Binomial { draws: self.rows - 1, rate: 2.0 * other };
        let odds = clones.rate / (1.0 - clones.rate);
        let contrast = |m: u64| {
            let all = (clones.draws + 1 - m.min(clones.draws + 1)) as f64 / m as f64 * odds;
            (told - other) / (told + other + rest * all)
        };
        let mass = |m: u64| (told + other) * clones.mass(m - 1) + rest * clones.mass(m);
        let of = |(first, last): (u64, u64)| {
            (last, contrast(first), (first..=last).map(mass).sum::<f64>())
        };
        (groups(clones, 1, GROUPS[0]).map(of).collect(), rest * clones.mass(0))
    }

    /// The pair from above, and one that is reached.
    pub fn pairs(self) -> (LawPair, LawPair) {
        let (upper, lower) = rayon::join(
            || Cells::of(self.above()).spread(),
            || match self.values {
                2 => self.against_zeros(),
                _ => Cells::of(self.below()).gathered(),
            },
        );
        let [upper, lower] = [upper, lower].map(|parts| LawPair::Atoms { parts, spacing: None });
        (upper, lower)
    }

    /// Two values, and all other rows have the second one: how many answered the first.
    fn against_zeros(self) -> Vec<LawPart> {
        let (told, other, _) = self.weights();
        let answers = Binomial { draws: self.rows - 1, rate: other };
        let part = |j: u64| {
            let (before, here) =
                (j.checked_sub(1).map_or(0.0, |j| answers.mass(j)), answers.mass(j));
            let (p, q) = (told * before + other * here, other * before + told * here);
            let low = 1.0 - ERROR;
            LawPart { p: p * low, q: q * low, loss: (p / q).ln() }
        };
        let all = groups(answers, 0, u64::MAX).map(|(j, _)| part(j));
        all.filter(|part| part.p.min(part.q) > SMALLEST).collect()
    }
}

/// Masses by loss, from 0 on: those of opposite losses are the same with P and Q exchanged.
struct Cells {
    width: f64,
    /// P- and Q-mass of the losses from a multiple of the width on.
    cells: Vec<(f64, f64)>,
}

impl Cells {
    fn of((mut groups, none): (Vec<Answers>, f64)) -> Self {
        groups.retain(|(.., mass)| *mass > SMALLEST);
        let reach = |m: u64| (24.0 / (m as f64).sqrt()).min(1.0);
        let largest = groups.iter().map(|&(m, c, _)| 2.0 * (c * reach(m)).atanh());
        // The loss of y = 1 is finite unless c is 1.
        let width = largest.fold(1e-300, f64::max).min(50.0) / CELLS as f64;
        let mut cells = vec![(0.0, 0.0); CELLS + 1];
        // Half of what has no loss: the other half is mirrored.
        cells[0] = (0.5 * none, 0.5 * none);
        for (m, c, mass) in groups {
            let shares = Binomial { draws: m, rate: 0.5 };
            let mut x = m.div_ceil(2);
            let mut term = mass * shares.mass(x);
            while x <= m && term > SMALLEST {
                // y = 0 is its own mirror.
                let weight = if 2 * x == m { 0.5 * term } else { term };
                let tilt = c * ((2 * x - m) as f64 / m as f64);
                let loss = 2.0 * tilt.atanh();
                // From 0 to the number of cells.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let place = ((loss / width) as usize).min(CELLS);
                let cell = &mut cells[place];
                cell.0 += weight * (1.0 + tilt);
                cell.1 += weight * (1.0 - tilt);
                term *= (m - x) as f64 / (x + 1) as f64;
                x += 1;
            }
        }
        Self { width, cells }
    }

    /// Each cell's masses at both of its ends.
    fn spread(&self) -> Vec<LawPart> {
        let mut ends = vec![(0.0, 0.0); self.cells.len() + 1];
        for (place, &(p, q)) in self.cells.iter().enumerate() {
            let [low, high] = [place, place + 1].map(|end| (self.width * end as f64).exp());
            let far = ((p - q * low) / (high - low)).clamp(0.0, q);
            for (end, x, q) in [(place, low, q - far), (place + 1, high, far)] {
                ends[end].0 += q * x * (1.0 + ERROR);
                ends[end].1 += q * (1.0 + ERROR);
            }
        }
        let part = |(place, &(p, q)): (usize, &(f64, f64))| LawPart {
            p,
            q,
            loss: self.width * place as f64,
        };
        let mut parts = mirrored(ends.iter().enumerate().map(part));
        parts.insert(0, LawPart { p: 0.0, q: LOST, loss: f64::NEG_INFINITY });
        parts.push(LawPart { p: LOST, q: 0.0, loss: f64::INFINITY });
        parts
    }

    /// Each cell's masses as one outcome.
    fn gathered(&self) -> Vec<LawPart> {
        let low = 1.0 - ERROR;
        let part = |&(p, q): &(f64, f64)| LawPart { p: p * low, q: q * low, loss: (p / q).ln() };
        mirrored(self.cells.iter().map(part))
    }
}

/// The parts with their mirror images, ascending.
fn mirrored(parts: impl Iterator<Item = LawPart>) -> Vec<LawPart> {
    let parts: Vec<LawPart> = parts.filter(|part| part.p > 0.0 && part.q > 0.0).collect();
    parts.iter().rev().map(|part| part.reversed()).chain(parts.iter().copied()).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/shuffle.rs"]
mod tests;
