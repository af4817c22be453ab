//! The search for a proof: regions that are convex, and for each a shift of its draws that costs least.

use super::affine::{Affine, Unknown};
use super::certificate::{Certificate, Cover, Moves, Piece, Shift};
use super::check::is_region;
use super::shift::{shifted, unknowns};
use super::simplex::Program;
use super::tape::{Cell, Draw, Path, Row};
use dashu_ratio::RBig;
use std::collections::{BTreeSet, HashMap};

/// The result of a search.
#[derive(Clone, Debug)]
pub enum Found {
    /// A proof, to be checked.
    Proof(Certificate),
    /// No proof of this kind: the path for which no shift was found.
    NoShift { path: usize },
}

/// Corners of a set of moves that are tried one by one, at most.
const CORNERS: usize = 4_096;
/// As [`CORNERS`], of a box, where one shift for all costs more than is asked.
const CORNERS_OF_BOX: usize = 256;

/// The paths by their outcomes and draws, each group as one piece if it is convex, else path by path.
pub fn regions(paths: &[Path]) -> Vec<Piece> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of: HashMap<(&[Cell], &[Draw]), usize> = HashMap::new();
    for (at, path) in paths.iter().enumerate() {
        let group = *group_of.entry((&path.outcome, &path.draws)).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    let mut pieces = Vec::new();
    for group in groups {
        let merged = (group.len() > 1).then(|| merged(paths, &group)).flatten();
        // What the search merged wrongly stays path by path.
        match merged.filter(|piece| is_region(paths, piece)) {
            Some(piece) => pieces.push(piece),
            None => pieces.extend(group.into_iter().map(|at| alone(paths, at))),
        }
    }
    pieces
}

/// A piece of one path.
fn alone(paths: &[Path], at: usize) -> Piece {
    let rows = paths[at].rows.clone();
    Piece { paths: vec![at], rows, inside: Vec::new(), apart: Vec::new(), covers: Vec::new() }
}

/// Looks for shifts on the [`regions`] that cost at most `aim`, or else as little as it can.
pub fn search(paths: &[Path], regions: &[Piece], moves: &[Moves], aim: f64) -> Found {
    let mut pieces = Vec::new();
    for region in regions {
        if let Some(piece) = covered(region.clone(), paths, moves, aim) {
            pieces.push(piece);
            continue;
        }
        for at in &region.paths {
            match covered(alone(paths, *at), paths, moves, aim) {
                Some(piece) => pieces.push(piece),
                None => return Found::NoShift { path: *at },
            }
        }
    }
    Found::Proof(Certificate { pieces })
}

/// The union of paths, if it is convex: the conditions that hold on all of them, if nothing else fulfils them.
fn merged(paths: &[Path], group: &[usize]) -> Option<Piece> {
    let first = &paths[group[0]];
    let mut candidates: Vec<&Row> = Vec::new();
    let mut seen = BTreeSet::new();
    for row in group.iter().flat_map(|at| &paths[*at].rows) {
        if seen.insert(format!("{row:?}")) {
            candidates.push(row);
        }
    }
    let mut rows = Vec::new();
    let mut inside: Vec<Vec<Vec<(usize, RBig)>>> = vec![Vec::new(); group.len()];
    for candidate in candidates {
        let proofs: Option<Vec<_>> =
            group.iter().map(|at| implied(&paths[*at].rows, candidate)).collect();
        if let Some(proofs) = proofs {
            rows.push(candidate.clone());
            inside.iter_mut().zip(proofs).for_each(|(inside, proof)| inside.push(proof));
        }
    }
    let others = (0..paths.len()).filter(|at| !group.contains(at));
    let apart = others.map(|at| Some((at, contradiction(&rows, &first.draws, &paths[at])?)));
    let apart = apart.collect::<Option<Vec<_>>>()?;
    Some(Piece { paths: group.to_vec(), rows, inside, apart, covers: Vec::new() })
}

/// Factors of rows whose sum is a row or below it.
fn implied(rows: &[Row], wanted: &Row) -> Option<Vec<(usize, RBig)>> {
    if let Some(at) = rows.iter().position(|row| row == wanted) {
        return Some(vec![(at, RBig::ONE)]);
    }
    let mut program = Program::default();
    for _ in rows {
        program.variable(RBig::ONE);
    }
    let places: Vec<usize> = (0..rows.len()).collect();
    for unknown in unknowns(rows.iter().map(|row| &row.value).chain([&wanted.value])) {
        let line = line(rows, &places, |value| value.factor(unknown));
        program.equals(line, wanted.value.factor(unknown));
    }
    let below = line(rows, &places, |value| -constant(value));
    program.at_least(below, -constant(&wanted.value));
    Some(factors(program.solve()?, &places))
}

/// Factors of a piece's rows and then a path's that show that they meet nowhere, or with probability 0.
fn contradiction(rows: &[Row], draws: &[Draw], path: &Path) -> Option<Vec<(usize, RBig)>> {
    let common = draws.iter().zip(&path.draws).take_while(|(a, b)| a == b).count();
    let all: Vec<Row> = rows.iter().chain(&path.rows).cloned().collect();
    let known =
        |(unknown, _): &(Unknown, RBig)| !matches!(unknown, Unknown::Draw(at) if *at >= common);
    let usable = |at: &usize| all[*at].value.terms.iter().all(known);
    let places: Vec<usize> = (0..all.len()).filter(usable).collect();
    // The opposite of a row is the usual case.
    for (i, at) in places.iter().enumerate() {
        let opposite = all[*at].value.times(&RBig::from(-1));
        let is = |other: &&usize| all[**other].value == opposite;
        if let Some(other) = places[i + 1..].iter().find(is) {
            let either = all[*at].strict || all[*other].strict || opposite.is_noisy();
            if either {
                return Some(vec![(*at, RBig::ONE), (*other, RBig::ONE)]);
            }
        }
    }
    for is_null in [true, false] {
        let mut program = Program::default();
        for _ in &places {
            program.variable(RBig::ONE);
        }
        for unknown in unknowns(places.iter().map(|at| &all[*at].value)) {
            program.equals(line(&all, &places, |value| value.factor(unknown)), RBig::ZERO);
        }
        let below = line(&all, &places, |value| -constant(value));
        program.at_least(below, if is_null { RBig::ZERO } else { RBig::ONE });
        if is_null {
            let counts = |at: usize| all[at].strict || all[at].value.is_noisy();
            let counted = places.iter().enumerate().filter(|(_, at)| counts(**at));
            let one = |(column, _)| (column, RBig::ONE);
            program.at_least(counted.map(one).collect(), RBig::ONE);
        }
        if let Some(solution) = program.solve() {
            return Some(factors(solution, &places));
        }
    }
    None
}

/// A line of a program whose variables are factors of rows.
fn line(rows: &[Row], places: &[usize], of: impl Fn(&Affine) -> RBig) -> Vec<(usize, RBig)> {
    let cell = |(column, at): (usize, &usize)| (column, of(&rows[*at].value));
    places.iter().enumerate().map(cell).filter(|(_, factor)| !factor.is_zero()).collect()
}

/// The factors of a solution that are not 0, by the places of their rows.
fn factors(solution: Vec<RBig>, places: &[usize]) -> Vec<(usize, RBig)> {
    places.iter().copied().zip(solution).filter(|(_, factor)| !factor.is_zero()).collect()
}

fn constant(sum: &Affine) -> RBig {
    sum.constant.clone().unwrap_or(RBig::ZERO)
}

/// A piece with its shifts.
fn covered(mut piece: Piece, paths: &[Path], moves: &[Moves], aim: f64) -> Option<Piece> {
    let path = &paths[piece.paths[0]];
    let covers = moves.iter().map(|moves| cover(&piece, path, moves, aim));
    piece.covers = covers.collect::<Option<_>>()?;
    Some(piece)
}

fn cover(piece: &Piece, path: &Path, moves: &Moves, aim: f64) -> Option<Cover> {
    let whole = match moves {
        Moves::Box { center, radius } => shifted(piece, path, (center, radius, false)),
        Moves::Sum { most, answers } => {
            let all = |number: &RBig| vec![number.clone(); *answers];
            shifted(piece, path, (&all(&RBig::ZERO), &all(most), true))
        }
    };
    // What costs nothing at the center costs the most at a corner.
    let is_least = |shift: &Shift| shift.in_sum && shift.base.iter().all(RBig::is_zero);
    let will_do = |(shift, cost): &(Shift, f64)| *cost <= aim * (1.0 + 1e-12) || is_least(shift);
    if whole.as_ref().is_some_and(will_do) {
        return whole.map(|(shift, _)| Cover::Whole(shift));
    }
    let most = if matches!(moves, Moves::Box { .. }) { CORNERS_OF_BOX } else { CORNERS };
    let corners = moves.corners(most).and_then(|corners| {
        let still = |corner: &Vec<RBig>| vec![RBig::ZERO; corner.len()];
        let shifts =
            corners.iter().map(|corner| shifted(piece, path, (corner, &still(corner), false)));
        shifts.collect::<Option<Vec<_>>>()
    });
    let largest =
        |shifts: &Vec<(Shift, f64)>| shifts.iter().map(|(_, cost)| *cost).fold(0.0, f64::max);
    match (whole, corners) {
        (Some((shift, cost)), Some(shifts)) if cost <= largest(&shifts) => {
            Some(Cover::Whole(shift))
        }
        (_, Some(shifts)) => {
            Some(Cover::Corners(shifts.into_iter().map(|(shift, _)| shift).collect()))
        }
        (whole, None) => whole.map(|(shift, _)| Cover::Whole(shift)),
    }
}
