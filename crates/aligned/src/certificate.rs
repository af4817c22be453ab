//! The parts of a proof by alignment.

use super::tape::Row;
use dashu_ratio::RBig;

/// How far the answers of neighbors may move: any of these sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moves {
    /// Answer i by `center[i]`, and at most `radius[i]` more or less.
    Box { center: Vec<RBig>, radius: Vec<RBig> },
    /// The sum of all absolute differences is at most this, of so many answers.
    Sum { most: RBig, answers: usize },
}

impl Moves {
    /// Each of `answers` numbers moves by at most `most`.
    pub fn each(most: &RBig, answers: usize) -> Self {
        Self::Box { center: vec![RBig::ZERO; answers], radius: vec![most.clone(); answers] }
    }

    /// The corners, if there are at most `most`.
    pub fn corners(&self, most: usize) -> Option<Vec<Vec<RBig>>> {
        match self {
            Self::Sum { most: far, answers } => {
                let corner = |at: usize, far: RBig| {
                    (0..*answers).map(|i| if i == at { far.clone() } else { RBig::ZERO }).collect()
                };
                (2 * answers <= most).then(|| {
                    (0..*answers)
                        .flat_map(|at| [corner(at, far.clone()), corner(at, -far)])
                        .collect()
                })
            }
            Self::Box { center, radius } => {
                let mut corners = vec![Vec::new()];
                for (center, radius) in center.iter().zip(radius) {
                    let ends = match radius.is_zero() {
                        true => vec![center.clone()],
                        false => vec![center - radius, center + radius],
                    };
                    let longer = |corner: &Vec<RBig>| {
                        let with = |end: &RBig| [&corner[..], std::slice::from_ref(end)].concat();
                        ends.iter().map(with).collect::<Vec<_>>()
                    };
                    corners = corners.iter().flat_map(longer).collect();
                    if corners.len() > most {
                        return None;
                    }
                }
                Some(corners)
            }
        }
    }
}

/// A shift of the draws for each move of the answers about a center: `base` + `by` · (move − center).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    pub center: Vec<RBig>,
    /// How far each answer moves from the center, at most.
    pub radius: Vec<RBig>,
    /// `true` if the moves, each divided by its radius, are at most 1 in sum; else each is.
    pub in_sum: bool,
    /// The shift of each draw at the center.
    pub base: Vec<RBig>,
    /// For each draw the answers that it follows, and how far.
    pub by: Vec<Vec<(usize, RBig)>>,
}

/// Shifts for all moves of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cover {
    /// One for all of them.
    Whole(Shift),
    /// One for each corner. Between corners, the shifts between.
    Corners(Vec<Shift>),
}

/// A convex set of answers and draws on which the outcome is one list of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The paths that it is the union of, but for a set of probability 0.
    pub paths: Vec<usize>,
    /// Its conditions. Those of the path, if it is one.
    pub rows: Vec<Row>,
    /// For each of its paths and each row: factors of the path's rows, by place, whose sum is the row or below it.
    pub inside: Vec<Vec<Vec<(usize, RBig)>>>,
    /// For each other path that may have such draws: factors of the piece's rows and then the path's, whose sum shows
    /// that no point, or a set of probability 0, fulfils both.
    pub apart: Vec<(usize, Vec<(usize, RBig)>)>,
    /// For each set of moves the shifts.
    pub covers: Vec<Cover>,
}

/// A proof that a mechanism is private by some ε, for all answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Each path is in one of them.
    pub pieces: Vec<Piece>,
}
