//! Certificates that the checker accepts, against the exact law of the same code with its noise on a grid.
//!
//! On a grid of step h, each draw with an offset of its own so that nothing ties, noise of probability proportional to
//! its density loses as much by a shift of whole steps as real noise. So if the proof is right, no outcome has more
//! than e^ε times the probability on D' that it has on D.

#[path = "programs/mutants.rs"]
mod mutants;
#[path = "programs/random.rs"]
mod random;

use mutants::mutated;
use plaudit_aligned::{
    Aligned, Certificate, Cover, Draws, Found, Moves, Noise, Path, Shift, check, paths, regions,
    search,
};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use random::{Program, program};
use std::collections::HashMap;

const STEP: f64 = 0.25;

/// Runs on a grid: the draws are given by their steps.
struct Grid<'a> {
    steps: &'a [i64],
    drawn: usize,
    weight: f64,
    cells: Vec<i64>,
}

impl Draws for Grid<'_> {
    type Real = f64;

    fn noise(&mut self, law: Noise, scale: f64) -> f64 {
        let at = self.drawn;
        self.drawn += 1;
        let Some(steps) = self.steps.get(at) else {
            self.weight = 0.0;
            return 0.0;
        };
        let x = STEP * (*steps as f64 + offset(at));
        self.weight *= match law {
            Noise::Laplace => (-x.abs() / scale).exp(),
            Noise::Exponential if x >= 0.0 => (-x / scale).exp(),
            _ => 0.0,
        } / total(law, scale, at);
        x
    }

    fn at_least(&mut self, a: &f64, b: &f64) -> bool {
        a - b >= -1e-9
    }

    fn release(&mut self, number: f64) {
        self.cells.push((number * 1e6).round() as i64);
    }

    fn tell(&mut self, known: f64) {
        self.cells.push(i64::MIN + known as i64);
    }
}

/// Of a step, different for each draw and for their sums and differences.
fn offset(at: usize) -> f64 {
    [0.137, 0.291, 0.473, 0.719][at]
}

/// The sum of all weights of a draw.
fn total(law: Noise, scale: f64, at: usize) -> f64 {
    let ratio = (-STEP / scale).exp();
    let (above, below) = (offset(at) * STEP / scale, (1.0 - offset(at)) * STEP / scale);
    let up = (-above).exp() / (1.0 - ratio);
    if law == Noise::Laplace { up + (-below).exp() / (1.0 - ratio) } else { up }
}

/// Weights of the outcomes, with draws up to so many steps.
fn law(program: &Program, answers: &[f64], draws: usize, reach: i64) -> HashMap<Vec<i64>, f64> {
    let mut law = HashMap::new();
    let mut steps = vec![-reach; draws];
    loop {
        let mut grid = Grid { steps: &steps, drawn: 0, weight: 1.0, cells: Vec::new() };
        program.run(answers, &mut grid);
        let used = grid.drawn.min(draws);
        if grid.weight > 0.0 {
            *law.entry(grid.cells).or_insert(0.0) += grid.weight;
        }
        // The next of what was used; the rest made no difference.
        steps[used..].fill(-reach);
        let mut at = used;
        loop {
            if at == 0 {
                return law;
            }
            at -= 1;
            if steps[at] < reach {
                steps[at] += 1;
                break;
            }
            steps[at] = -reach;
        }
    }
}

/// An outcome that has more than e^ε times its probability on the other dataset.
fn refuted(program: &Program, draws: usize, epsilon: f64, shift: i64) -> Option<String> {
    let reach = if draws > 2 { 10 } else { 24 };
    let bases = [[0.0, 0.0, 0.0], [1.0, 0.0, -1.0], [0.0, 2.0, 1.0]];
    let moves = [[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, -1.0]];
    for base in bases {
        let near = law(program, &base[..program.answers], draws, reach);
        for moved in moves {
            let other: Vec<f64> = base.iter().zip(moved).map(|(a, b)| a + b).collect();
            let far = law(program, &other[..program.answers], draws, reach + shift);
            for (outcome, p) in &near {
                let q = far.get(outcome).copied().unwrap_or(0.0);
                if *p > epsilon.exp() * q * (1.0 + 1e-9) + 1e-14 {
                    return Some(format!("{outcome:?} on {base:?} and {other:?}: {p} and {q}"));
                }
            }
        }
    }
    None
}

/// Longest shift of a certificate in steps; `None` if one is not a whole number of them.
fn longest(certificate: &Certificate) -> Option<i64> {
    let shifts =
        certificate.pieces.iter().flat_map(|piece| &piece.covers).flat_map(|cover| match cover {
            Cover::Whole(shift) => vec![shift],
            Cover::Corners(shifts) => shifts.iter().collect(),
        });
    let mut most = 0;
    for shift in shifts {
        for (base, by) in shift.base.iter().zip(&shift.by) {
            let spread: f64 = by.iter().map(|(_, by)| by.to_f64().value().abs()).sum();
            let whole = |x: f64| (x / STEP).fract() == 0.0;
            if !whole(base.to_f64().value()) || !by.iter().all(|(_, by)| whole(by.to_f64().value()))
            {
                return None;
            }
            most = most.max(((base.to_f64().value().abs() + spread) / STEP) as i64);
        }
    }
    Some(most)
}

fn moves(program: &Program) -> Vec<Moves> {
    vec![Moves::each(&1.into(), program.answers)]
}

fn drawn(paths: &[Path]) -> usize {
    paths.iter().map(|path| path.draws.len()).max().unwrap_or(0)
}

fn proof(program: &Program) -> Option<(Vec<Path>, Certificate)> {
    let paths = paths(program, program.answers, 500).ok()?;
    match search(&paths, &regions(&paths), &moves(program), 0.0) {
        Found::Proof(certificate) => Some((paths, certificate)),
        Found::NoShift { .. } => None,
    }
}

/// Something in a certificate, changed.
fn forged(certificate: &Certificate, random: &mut ChaCha8Rng) -> Certificate {
    let mut forged = certificate.clone();
    let pieces = forged.pieces.len();
    let piece = random.random_range(0..pieces);
    let kind = random.random_range(0..8);
    if kind == 0 && pieces > 1 {
        // Two regions as one, with what is known of the first.
        let mut other = forged.pieces.remove((piece + 1) % pieces);
        let kept = if piece + 1 < pieces { piece } else { piece - 1 };
        forged.pieces[kept].paths.append(&mut other.paths);
        return forged;
    }
    let piece = &mut forged.pieces[piece];
    let row = random.random_range(0..piece.rows.len().max(1));
    match kind {
        1 if !piece.rows.is_empty() => {
            piece.rows.remove(row);
        }
        2 if !piece.rows.is_empty() => {
            piece.rows[row].value = piece.rows[row].value.times(&(-1).into())
        }
        3 => {
            piece.apart.pop();
        }
        _ => {
            let cover = random.random_range(0..piece.covers.len());
            let shifts: Vec<&mut Shift> = match &mut piece.covers[cover] {
                Cover::Whole(shift) => vec![shift],
                Cover::Corners(shifts) => shifts.iter_mut().collect(),
            };
            let draw: usize = random.random_range(0..4);
            let by: f64 = [-2.0, -1.0, -0.25, 0.0, 0.25, 1.0][random.random_range(0..6)];
            let all = random.random_bool(0.5);
            for shift in shifts.into_iter().take(if all { usize::MAX } else { 1 }) {
                if shift.base.is_empty() {
                    continue;
                }
                let at = draw % shift.base.len();
                match kind {
                    4 => shift.base[at] = by.try_into().unwrap(),
                    5 => shift.base[at] += dashu_ratio::RBig::try_from(by).unwrap(),
                    6 => shift.by[at].clear(),
                    _ => shift
                        .base
                        .iter_mut()
                        .for_each(|base| *base *= dashu_ratio::RBig::try_from(by).unwrap()),
                }
            }
        }
    }
    forged
}

#[test]
fn a_proof_holds_on_the_grid() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut proved, mut compared, mut tight) = (0, 0, 0);
    while proved < 400 {
        let program = program(&mut random, 2, &[1.0, -1.0]);
        let Some((paths, certificate)) = proof(&program) else {
            continue;
        };
        let epsilon = check(&paths, &moves(&program), &certificate).unwrap().to_f64().value();
        if epsilon == 0.0 {
            continue;
        }
        proved += 1;
        if let Some(shift) = longest(&certificate) {
            compared += 1;
            let wrong = refuted(&program, drawn(&paths), epsilon, shift);
            assert!(wrong.is_none(), "{program:?}\n{epsilon}: {}", wrong.unwrap());
            let less = refuted(&program, drawn(&paths), 0.9 * epsilon - 0.01, shift);
            tight += usize::from(epsilon > 0.0 && less.is_some());
        }
    }
    // The comparison can fail: most of them cost what they are proved to.
    assert!(compared > 380 && tight > 200, "{compared} {tight}");
}

#[test]
fn nothing_wrong_is_accepted() {
    mutations(2, 1_000);
}

#[test]
#[ignore = "takes several seconds"]
fn nothing_wrong_is_accepted_of_many() {
    mutations(3, 10_000);
}

/// Changes programs and certificates so often, and holds what is accepted against the law.
fn mutations(seed: u64, most: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut tried, mut accepted) = (0, 0);
    while tried < most {
        let program = program(&mut random, 2, &[1.0, -1.0]);
        let Some((own, certificate)) = proof(&program) else {
            continue;
        };
        if check(&own, &moves(&program), &certificate).unwrap().is_zero() {
            continue;
        }
        for _ in 0..20 {
            let of_code = random.random_bool(0.5);
            let subject = if of_code { mutated(&program, &mut random) } else { program.clone() };
            let certificate =
                if of_code { certificate.clone() } else { forged(&certificate, &mut random) };
            let Ok(paths) = paths(&subject, subject.answers, 500) else {
                continue;
            };
            tried += 1;
            let Ok(epsilon) = check(&paths, &moves(&subject), &certificate) else {
                continue;
            };
            let Some(shift) = longest(&certificate) else {
                continue;
            };
            accepted += 1;
            let wrong = refuted(&subject, drawn(&paths), epsilon.to_f64().value(), shift);
            assert!(wrong.is_none(), "{subject:?}\n{certificate:?}\n{epsilon}: {}", wrong.unwrap());
        }
    }
    eprintln!("{accepted} of {tried} accepted");
    assert!(accepted * 20 > tried && accepted < tried, "{accepted} of {tried}");
}
