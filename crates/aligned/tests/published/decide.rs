//! Decides a published claim: by alignment for all neighbors, or by probabilities on pairs.

use plaudit_aligned::{
    Affine, Bounds, Cell, Found, Moves, Path, Piece, Row, Written, check, check_regions, in_cells,
    paths, regions, search,
};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Cells of a draw, where two link the others.
const CELLS: usize = 48;

/// A program of an evaluation.
pub struct Case {
    pub family: &'static str,
    pub name: &'static str,
    pub size: usize,
    pub program: Box<dyn Written>,
    pub claim: (f64, f64),
    pub published: Published,
    pub on: On,
    /// The known ε, where all neighbors are asked for.
    pub known: Option<f64>,
}

/// Published result: is it private, and seconds, if they could be read.
#[derive(Clone, Copy)]
pub struct Published {
    pub private: bool,
    pub seconds: Option<f64>,
}

/// Whom a claim is decided for.
pub enum On {
    /// All answers that move so.
    All(Vec<Moves>),
    /// Lists of pairs in both directions; released numbers are compared with the cuts.
    Pairs { pairs: Vec<[Vec<f64>; 2]>, cuts: Vec<f64> },
}

#[derive(Debug, PartialEq)]
pub enum Decision {
    /// For all neighbors, with this ε.
    Proved(f64),
    /// For the pairs, with this δ.
    ProvedOnPairs(f64),
    /// With a δ that is at least this.
    Refuted(f64),
    Undecided(&'static str),
}

impl Decision {
    pub fn private(&self) -> Option<bool> {
        match self {
            Self::Proved(_) | Self::ProvedOnPairs(_) => Some(true),
            Self::Refuted(_) => Some(false),
            Self::Undecided(_) => None,
        }
    }
}

pub fn decide(case: &Case) -> Decision {
    let paths = paths(&*case.program, case.size, 20_000).unwrap();
    let regions = regions(&paths);
    check_regions(&paths, &regions).unwrap();
    let (epsilon, delta) = case.claim;
    match &case.on {
        On::All(moves) => match search(&paths, &regions, moves, epsilon) {
            Found::NoShift { .. } => Decision::Undecided("no shift"),
            Found::Proof(proof) => {
                let found = check(&paths, moves, &proof).unwrap().to_f64().value();
                match found <= epsilon * (1.0 + 1e-12) {
                    true => Decision::Proved(found),
                    false => Decision::Undecided("the shifts cost more"),
                }
            }
        },
        On::Pairs { pairs, cuts } => {
            let mut laws: HashMap<Vec<u64>, Vec<Vec<Bounds>>> = HashMap::new();
            for list in pairs.iter().flatten() {
                let name = list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                if let Entry::Vacant(entry) = laws.entry(name) {
                    let Some(law) = law(&paths, &regions, list, cuts) else {
                        return Decision::Undecided("a probability is not integrated");
                    };
                    entry.insert(law);
                }
            }
            let of = |list: &Vec<f64>| &laws[&list.iter().map(|x| x.to_bits()).collect::<Vec<_>>()];
            let mut worst = Bounds { lower: 0.0, upper: 0.0 };
            for [d, d_prime] in pairs {
                for (p, q) in [(of(d), of(d_prime)), (of(d_prime), of(d))] {
                    let found = hockey_stick(p, q, epsilon);
                    worst.lower = worst.lower.max(found.lower);
                    worst.upper = worst.upper.max(found.upper);
                }
            }
            let released = paths.iter().flat_map(|path| &path.outcome);
            let told = released.filter(|cell| cell.number().is_some()).count() == 0;
            match worst {
                Bounds { lower, .. } if lower > delta => Decision::Refuted(lower),
                Bounds { upper, .. } if told && upper <= delta => Decision::ProvedOnPairs(upper),
                _ => Decision::Undecided("δ lies on both sides"),
            }
        }
    }
}

/// The most that the probability of an event is above e^ε times that of the same event.
fn hockey_stick(p: &[Vec<Bounds>], q: &[Vec<Bounds>], epsilon: f64) -> Bounds {
    let factor = epsilon.exp();
    let mut sum = Bounds { lower: 0.0, upper: 0.0 };
    for (p, q) in p.iter().zip(q) {
        let over = |(p, q): (&Bounds, &Bounds)| p.lower - factor * (1.0 + 1e-15) * q.upper;
        sum.lower += p.iter().zip(q).map(over).fold(0.0, f64::max);
        sum.upper += (p[0].upper - factor * (1.0 - 1e-15) * q[0].lower).max(0.0);
    }
    sum
}

/// For each outcome that can be told from others the probability; then, for each released number and cut, that of being
/// also above or below.
fn law(paths: &[Path], regions: &[Piece], list: &[f64], cuts: &[f64]) -> Option<Vec<Vec<Bounds>>> {
    let answers: Vec<_> = list.iter().map(|x| (*x).try_into().unwrap()).collect();
    let mut groups: Vec<(Vec<Option<&Cell>>, Vec<&Piece>)> = Vec::new();
    for region in regions {
        let cells = paths[region.paths[0]].outcome.iter();
        let told: Vec<_> = cells.map(|cell| Some(cell).filter(|c| c.number().is_none())).collect();
        match groups.iter_mut().find(|(other, _)| *other == told) {
            Some((_, group)) => group.push(region),
            None => groups.push((told, vec![region])),
        }
    }
    let event = |group: &[&Piece], cut: Option<(usize, f64, f64)>| {
        let mut sum = Bounds { lower: 0.0, upper: 0.0 };
        for region in group {
            let path = &paths[region.paths[0]];
            let mut rows = region.rows.clone();
            if let Some((cell, cut, sign)) = cut {
                let number = path.outcome[cell].number()?.clone();
                let value = (number - Affine::from(cut)).times(&sign.try_into().unwrap());
                rows.push(Row { value, strict: false });
            }
            let found = in_cells(&rows, &path.draws, &answers, CELLS)?;
            sum = Bounds { lower: sum.lower + found.lower, upper: sum.upper + found.upper };
        }
        Some(sum)
    };
    let events = |(told, group): &(Vec<Option<&Cell>>, Vec<&Piece>)| {
        let mut all = vec![event(group, None)?];
        for (cell, _) in told.iter().enumerate().filter(|(_, told)| told.is_none()) {
            for cut in cuts {
                // Outcomes that are not integrated are left out: a refutation needs only some.
                let never = Bounds { lower: 0.0, upper: 1.0 };
                all.extend(
                    [1.0, -1.0].map(|sign| event(group, Some((cell, *cut, sign))).unwrap_or(never)),
                );
            }
        }
        Some(all)
    };
    groups.iter().map(events).collect()
}

/// The largest ε that far answers show from below: the ratio of an event's probabilities.
pub fn shown(case: &Case) -> Option<f64> {
    let On::All(moves) = &case.on else {
        return None;
    };
    let paths = paths(&*case.program, case.size, 20_000).unwrap();
    let regions = regions(&paths);
    let real = paths.iter().flat_map(|path| &path.outcome).any(|cell| cell.number().is_some());
    let mut best: Option<f64> = None;
    for far in (0..=12).map(|far| f64::from(far) * 8.0) {
        let cuts = if real { vec![-far - 1.0, -far, far, far + 1.0] } else { Vec::new() };
        for split in 0..=case.size {
            let sign = |at: usize| if at < split { 1.0 } else { -1.0 };
            let d: Vec<f64> = (0..case.size).map(|at| sign(at) * far).collect();
            let moved = |at: usize| match &moves[0] {
                Moves::Box { center, .. } if center[at].is_zero() => d[at] + sign(at),
                Moves::Box { .. } => d[at] + (sign(at) + 1.0) / 2.0,
                Moves::Sum { .. } => d[at] + if at == 0 { 1.0 } else { 0.0 },
            };
            let d_prime: Vec<f64> = (0..case.size).map(moved).collect();
            let law = |list: &[f64]| law(&paths, &regions, list, &cuts);
            let (p, q) = (law(&d)?, law(&d_prime)?);
            for (p, q) in p.iter().flatten().zip(q.iter().flatten()) {
                for (p, q) in [(p, q), (q, p)] {
                    if p.lower > 0.0 {
                        best = Some(best.unwrap_or(0.0).max((p.lower / q.upper).ln()));
                    }
                }
            }
        }
    }
    best
}
