//! The check of a certificate, with exact rationals. It shares nothing with the search.
//!
//! On a piece, x -> x + s takes the draws on D to draws on D' with the same outcome: each condition still holds and
//! each released number is the same. The densities' ratio is at most e^cost, and pieces do not meet, so any event has
//! at most e^ε times the probability on D' where ε is the largest cost (randomness alignment: Wang, Ding, Wang,
//! Kifer, Zhang 2020).

use super::affine::{Affine, Unknown};
use super::certificate::{Certificate, Cover, Moves, Piece, Shift};
use super::draws::Noise;
use super::tape::{Draw, Path, Row};
use dashu_ratio::RBig;

/// Reason why a certificate proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    #[error("a path is in no piece, or in two")]
    Paths,
    #[error("paths of a piece differ in their draws or outcomes")]
    Unlike,
    #[error("a piece does not contain its path")]
    Inside,
    #[error("a piece meets a path of another")]
    Apart,
    #[error("shifts do not cover the moves of the answers")]
    Moves,
    #[error("a shift breaks a condition")]
    Row,
    #[error("a shift changes a released number")]
    Outcome,
    #[error("noise is shifted that cannot be")]
    Noise,
    #[error("it is not of this mechanism")]
    Shape,
}

/// The ε that a certificate proves for a mechanism of these paths on all answers that move so.
///
/// # Errors
/// The first reason why it proves nothing.
pub fn check(paths: &[Path], moves: &[Moves], certificate: &Certificate) -> Result<RBig, Rejected> {
    check_regions(paths, &certificate.pieces)?;
    let mut epsilon = RBig::ZERO;
    for piece in &certificate.pieces {
        let first = &paths[piece.paths[0]];
        if piece.covers.len() != moves.len() {
            return Err(Rejected::Moves);
        }
        for (moves, cover) in moves.iter().zip(&piece.covers) {
            for shift in covering(moves, cover)? {
                epsilon = epsilon.max(cost(piece, first, shift)?);
            }
        }
    }
    Ok(epsilon)
}

/// Checks that each path is in one piece, and that each piece is the union of its paths, but for a set of probability 0.
///
/// # Errors
/// The first reason why it is not so.
pub fn check_regions(paths: &[Path], pieces: &[Piece]) -> Result<(), Rejected> {
    let mut seen = vec![false; paths.len()];
    for at in pieces.iter().flat_map(|piece| &piece.paths) {
        let seen = seen.get_mut(*at).ok_or(Rejected::Paths)?;
        if std::mem::replace(seen, true) {
            return Err(Rejected::Paths);
        }
    }
    if seen.contains(&false) {
        return Err(Rejected::Paths);
    }
    pieces.iter().try_for_each(|piece| region(paths, piece))
}

/// `true` if a piece is its paths, and nothing of another.
pub fn is_region(paths: &[Path], piece: &Piece) -> bool {
    region(paths, piece).is_ok()
}

/// Checks that a piece is its paths, and nothing of another.
fn region(paths: &[Path], piece: &Piece) -> Result<(), Rejected> {
    let first = &paths[*piece.paths.first().ok_or(Rejected::Paths)?];
    if let [_] = piece.paths[..] {
        // Two paths differ in a branch, of which only one condition holds.
        return if piece.rows == first.rows { Ok(()) } else { Err(Rejected::Inside) };
    }
    if piece.inside.len() != piece.paths.len() {
        return Err(Rejected::Shape);
    }
    for (at, multipliers) in piece.paths.iter().zip(&piece.inside) {
        let path = &paths[*at];
        if path.draws != first.draws || path.outcome != first.outcome {
            return Err(Rejected::Unlike);
        }
        if multipliers.len() != piece.rows.len() {
            return Err(Rejected::Shape);
        }
        for (row, factors) in piece.rows.iter().zip(multipliers) {
            let (sum, strict) = combined(&path.rows, factors).ok_or(Rejected::Inside)?;
            let slack = constant(&row.value.plus(&sum, &RBig::from(-1))).ok_or(Rejected::Inside)?;
            // A row without noise is a set of answers: its border counts.
            let is_open = !row.strict || row.value.is_noisy() || strict || slack > RBig::ZERO;
            if slack < RBig::ZERO || !is_open {
                return Err(Rejected::Inside);
            }
        }
    }
    for (at, path) in paths.iter().enumerate() {
        if piece.paths.contains(&at) {
            continue;
        }
        let proof = piece.apart.iter().find(|(other, _)| *other == at).ok_or(Rejected::Apart)?;
        if !meet_nowhere(&piece.rows, &first.draws, path, &proof.1) {
            return Err(Rejected::Apart);
        }
    }
    Ok(())
}

/// `true` if factors of a piece's rows and then of a path's show that a set of probability 0 fulfils both.
fn meet_nowhere(rows: &[Row], draws: &[Draw], path: &Path, factors: &[(usize, RBig)]) -> bool {
    // A draw of another law is another unknown.
    let common = draws.iter().zip(&path.draws).take_while(|(a, b)| a == b).count();
    let foreign = |row: &Row| {
        let is = |unknown: &Unknown| matches!(unknown, Unknown::Draw(at) if *at >= common);
        row.value.terms.iter().any(|(unknown, _)| is(unknown))
    };
    let mut all = rows.to_vec();
    all.extend(path.rows.iter().cloned());
    if factors.iter().any(|(at, _)| all.get(*at).is_some_and(foreign)) {
        return false;
    }
    let Some((sum, strict)) = combined(&all, factors) else {
        return false;
    };
    let noisy = factors.iter().any(|(at, _)| all[*at].value.is_noisy());
    match constant(&sum) {
        Some(sum) if sum < RBig::ZERO => true,
        Some(sum) => sum.is_zero() && (strict || noisy),
        None => false,
    }
}

/// The sum of rows with factors above 0, and if one of these rows is strict.
fn combined(rows: &[Row], factors: &[(usize, RBig)]) -> Option<(Affine, bool)> {
    let mut sum = Affine { constant: Some(RBig::ZERO), terms: Vec::new() };
    let mut strict = false;
    for (at, factor) in factors {
        let row = rows.get(*at).filter(|_| *factor > RBig::ZERO)?;
        sum = sum.plus(&row.value, factor);
        strict |= row.strict;
    }
    Some((sum, strict))
}

/// A sum without unknowns.
fn constant(sum: &Affine) -> Option<RBig> {
    sum.constant.clone().filter(|_| sum.terms.is_empty())
}

/// The shifts of a cover, if they are for all of a set. Conditions are linear in move and shift together, and the cost
/// is convex: what holds at the corners holds between.
fn covering<'a>(moves: &Moves, cover: &'a Cover) -> Result<Vec<&'a Shift>, Rejected> {
    match cover {
        Cover::Whole(shift) => match moves {
            Moves::Box { center, radius }
                if !shift.in_sum && *center == shift.center && *radius == shift.radius =>
            {
                Ok(vec![shift])
            }
            Moves::Sum { most, answers }
                if shift.in_sum
                    && shift.center == vec![RBig::ZERO; *answers]
                    && shift.radius == vec![most.clone(); *answers] =>
            {
                Ok(vec![shift])
            }
            _ => Err(Rejected::Moves),
        },
        Cover::Corners(shifts) => {
            let corners = moves.corners(shifts.len()).ok_or(Rejected::Moves)?;
            let has = |corner: &Vec<RBig>| {
                shifts.iter().any(|s| s.center == *corner && s.radius.iter().all(RBig::is_zero))
            };
            match corners.iter().all(has) {
                true => Ok(shifts.iter().collect()),
                false => Err(Rejected::Moves),
            }
        }
    }
}

/// The largest cost of a shift on its box, if every condition and number is kept.
fn cost(piece: &Piece, path: &Path, shift: &Shift) -> Result<RBig, Rejected> {
    let draws = &path.draws;
    if shift.base.len() != draws.len()
        || shift.by.len() != draws.len()
        || shift.center.len() != shift.radius.len()
        || shift.by.iter().flatten().any(|(answer, _)| *answer >= shift.center.len())
    {
        return Err(Rejected::Shape);
    }
    for row in &piece.rows {
        let (at_center, spread) = change(&row.value, shift)?;
        if at_center < spread {
            return Err(Rejected::Row);
        }
    }
    for cell in &path.outcome {
        if let Some(number) = cell.number() {
            let (at_center, spread) = change(number, shift)?;
            if !at_center.is_zero() || !spread.is_zero() {
                return Err(Rejected::Outcome);
            }
        }
    }
    let mut sum = RBig::ZERO;
    // What each answer adds to the cost, beyond that at the center.
    let mut slopes = vec![RBig::ZERO; shift.center.len()];
    for ((draw, base), by) in draws.iter().zip(&shift.base).zip(&shift.by) {
        let mut spread = RBig::ZERO;
        for (answer, factor) in by {
            let slope = size(factor);
            spread += &slope * &shift.radius[*answer];
            slopes[*answer] += slope / &draw.scale;
        }
        sum += match draw.law {
            // −ln of the density changes by at most |s|.
            Noise::Laplace => size(base) / &draw.scale,
            // Towards more by s it changes by s, or less; towards less it may have no bound.
            Noise::Exponential | Noise::Gumbel if *base >= spread => base / &draw.scale,
            _ if base.is_zero() && spread.is_zero() => RBig::ZERO,
            _ => return Err(Rejected::Noise),
        };
    }
    Ok(sum + spread_of(&slopes, shift))
}

/// How far a sum moves at the center of a shift's box, and how much more or less in it.
fn change(sum: &Affine, shift: &Shift) -> Result<(RBig, RBig), Rejected> {
    let mut at_center = RBig::ZERO;
    let mut slopes = vec![RBig::ZERO; shift.center.len()];
    for (unknown, factor) in &sum.terms {
        match unknown {
            Unknown::Answer(at) => {
                at_center += factor * shift.center.get(*at).ok_or(Rejected::Shape)?;
                slopes[*at] += factor;
            }
            Unknown::Draw(at) => {
                at_center += factor * shift.base.get(*at).ok_or(Rejected::Shape)?;
                for (answer, by) in &shift.by[*at] {
                    slopes[*answer] += factor * by;
                }
            }
        }
    }
    Ok((at_center, spread_of(&slopes, shift)))
}

/// The most by which moves about the center change what has these slopes.
fn spread_of(slopes: &[RBig], shift: &Shift) -> RBig {
    let sizes = slopes.iter().zip(&shift.radius).map(|(slope, radius)| size(slope) * radius);
    match shift.in_sum {
        true => sizes.max().unwrap_or(RBig::ZERO),
        false => sizes.fold(RBig::ZERO, |sum, size| sum + size),
    }
}

fn size(number: &RBig) -> RBig {
    if *number < RBig::ZERO { -number } else { number.clone() }
}
