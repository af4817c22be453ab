//! A path of a mechanism, and the way to follow one: answers and draws as unknowns, branches as rows.

use super::affine::{Affine, Unknown};
use super::draws::{Draws, Noise};
use dashu_ratio::RBig;
use std::panic::resume_unwind;

/// Noise of a path, in the order in which it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Draw {
    /// Its law at scale 1.
    pub law: Noise,
    /// The factor of it, above 0.
    pub scale: RBig,
}

/// A condition of a path: `value` >= 0, or > 0 if `strict`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The sum that is compared with 0.
    pub value: Affine,
    /// `true` if 0 itself is excluded.
    pub strict: bool,
}

/// A cell of an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// A known number, by its bits, so that NaN is one.
    Known(u64),
    /// Everything that is known of an outcome, in words that tell it from others.
    Named(String),
    /// A number with unknowns.
    Real(Affine),
}

impl Cell {
    /// The number, if it has unknowns.
    pub fn number(&self) -> Option<&Affine> {
        match self {
            Self::Real(number) => Some(number),
            Self::Known(_) | Self::Named(_) => None,
        }
    }
}

/// All runs that take the same branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Its noise, in the order of the draws.
    pub draws: Vec<Draw>,
    /// The conditions on its branches, and the ranges of its draws.
    pub rows: Vec<Row>,
    /// The cells that it releases.
    pub outcome: Vec<Cell>,
}

/// Reason why a mechanism cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFollowed {
    /// Too many paths, or an endless one.
    #[error("it has more than {0} paths, draws or branches")]
    TooLong(usize),
    /// A number that is not finite.
    #[error("it computes with a number that is not finite")]
    NotFinite,
    /// Noise of scale 0 or below.
    #[error("it draws noise of a scale that is not above 0")]
    Scale,
    /// A panic on a path.
    #[error("a path of it panics")]
    Panics,
}

/// Draws and branches of a path, at most.
const MOST: usize = 20_000;

/// A path while it is followed: the branches to take, then the first way of each new one.
pub struct Tape {
    /// The way at each branch, and how many ways it has.
    pub(super) prefix: Vec<(usize, usize)>,
    at: usize,
    pub(super) path: Path,
    pub(super) trouble: Option<NotFollowed>,
}

/// Ends a run from within.
struct End;

impl Tape {
    pub(super) fn new(prefix: Vec<(usize, usize)>) -> Self {
        let path = Path { draws: Vec::new(), rows: Vec::new(), outcome: Vec::new() };
        Self { prefix, at: 0, path, trouble: None }
    }

    fn end(&mut self, trouble: NotFollowed) -> ! {
        self.trouble = Some(trouble);
        resume_unwind(Box::new(End))
    }

    /// The way at a branch of several.
    fn way(&mut self, ways: usize) -> usize {
        if self.at == self.prefix.len() {
            if self.at == MOST {
                self.end(NotFollowed::TooLong(MOST));
            }
            self.prefix.push((0, ways));
        }
        self.at += 1;
        self.prefix[self.at - 1].0
    }

    fn row(&mut self, value: Affine, strict: bool) {
        let row = Row { value, strict };
        if !self.path.rows.contains(&row) {
            self.path.rows.push(row);
        }
    }

    fn whole(&mut self, value: Affine) -> Affine {
        if value.constant.is_none() {
            self.end(NotFollowed::NotFinite);
        }
        value
    }

    /// The truth of `value` >= 0 if it is known: no unknowns, or a condition as before.
    fn known(&self, value: &Affine) -> Option<bool> {
        if value.terms.is_empty() {
            return value.constant.as_ref().map(|constant| *constant >= RBig::ZERO);
        }
        let opposite = value.times(&RBig::from(-1));
        let is = |row: &&Row| row.value == *value || row.strict && row.value == opposite;
        self.path.rows.iter().find(is).map(|row| row.value == *value)
    }
}

impl Draws for Tape {
    type Real = Affine;

    fn noise(&mut self, law: Noise, scale: f64) -> Affine {
        let Some(scale) = RBig::try_from(scale).ok().filter(|scale| *scale > RBig::ZERO) else {
            self.end(NotFollowed::Scale);
        };
        let at = self.path.draws.len();
        if at == MOST {
            self.end(NotFollowed::TooLong(MOST));
        }
        let draw = Affine::of(Unknown::Draw(at));
        if matches!(law, Noise::Exponential | Noise::Uniform) {
            self.path.rows.push(Row { value: draw.clone(), strict: false });
        }
        if law == Noise::Uniform {
            let top = Affine { constant: Some(scale.clone()), terms: Vec::new() };
            self.path.rows.push(Row { value: top - draw.clone(), strict: false });
        }
        self.path.draws.push(Draw { law, scale });
        draw
    }

    fn at_least(&mut self, a: &Affine, b: &Affine) -> bool {
        let value = self.whole(a.clone() - b.clone());
        if let Some(known) = self.known(&value) {
            return known;
        }
        let is_so = self.way(2) == 0;
        match is_so {
            true => self.row(value, false),
            false => self.row(-value, true),
        }
        is_so
    }

    fn release(&mut self, number: Affine) {
        let number = self.whole(number);
        let known = number.constant.as_ref().filter(|_| number.terms.is_empty());
        self.path.outcome.push(match known {
            Some(known) => Cell::Known(known.to_f64().value().to_bits()),
            None => Cell::Real(number),
        });
    }

    fn tell(&mut self, known: f64) {
        // −0 is the same outcome as 0.
        let known = if known == 0.0 { 0.0 } else { known };
        self.path.outcome.push(Cell::Known(known.to_bits()));
    }

    fn largest(
        &mut self,
        count: usize,
        mut number: impl FnMut(&mut Self, usize) -> Affine,
    ) -> (usize, Affine) {
        let numbers: Vec<Affine> = (0..count.max(1)).map(|at| number(self, at)).collect();
        let best = if numbers.len() < 2 { 0 } else { self.way(numbers.len()) };
        for (at, number) in numbers.iter().enumerate() {
            if at == best {
                continue;
            }
            let gap = self.whole(numbers[best].clone() - number.clone());
            match (gap.terms.is_empty(), &gap.constant) {
                // Known to be smaller, or known to be no smaller: the way is there or is not.
                (true, Some(gap)) if *gap > RBig::ZERO || (gap.is_zero() && at > best) => {}
                _ => self.row(gap, at < best),
            }
        }
        (best, numbers[best].clone())
    }
}
