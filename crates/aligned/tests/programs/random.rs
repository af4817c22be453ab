//! Small random programs: sums of answers and noise, branches, releases.

use plaudit_aligned::{Aligned, Draws, Noise};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

#[derive(Clone, Copy, Debug)]
pub enum Operand {
    Answer(usize),
    /// One of the values so far, by its place from the end.
    Value(usize),
    Constant(f64),
}

#[derive(Clone, Debug)]
pub enum Step {
    /// A draw, as a value of its own.
    Draw(Noise, f64),
    /// The first operand and a factor times the second.
    Sum(Operand, f64, Operand),
    /// If the first is at least the second.
    Branch(Operand, Operand, Vec<Step>, Vec<Step>),
    Release(Operand),
    Tell(f64),
}

#[derive(Clone, Debug)]
pub struct Program {
    pub answers: usize,
    pub steps: Vec<Step>,
}

impl Aligned for Program {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        walk(&self.steps, answers, &mut Vec::new(), draws);
    }
}

fn walk<D: Draws>(steps: &[Step], answers: &[D::Real], values: &mut Vec<D::Real>, draws: &mut D) {
    let known = values.len();
    for step in steps {
        let read = |operand: &Operand, values: &Vec<D::Real>| match operand {
            Operand::Answer(at) => answers[at % answers.len()].clone(),
            Operand::Value(back) if values.is_empty() => answers[back % answers.len()].clone(),
            Operand::Value(back) => values[values.len() - 1 - back % values.len()].clone(),
            Operand::Constant(number) => D::Real::from(*number),
        };
        match step {
            Step::Draw(law, scale) => values.push(draws.noise(*law, *scale)),
            Step::Sum(a, factor, b) => values.push(read(a, values) + read(b, values) * *factor),
            Step::Branch(a, b, then, or) => {
                let (a, b) = (read(a, values), read(b, values));
                let way = if draws.at_least(&a, &b) { then } else { or };
                walk(way, answers, values, draws);
            }
            Step::Release(operand) => draws.release(read(operand, values)),
            Step::Tell(known) => draws.tell(*known),
        }
    }
    values.truncate(known);
}

/// A program of at most `most` draws on a path.
pub fn program(random: &mut ChaCha8Rng, most: usize, factors: &[f64]) -> Program {
    let answers = random.random_range(1..=3);
    let mut left = most;
    let mut steps = Vec::new();
    for at in 0..random.random_range(1..=most) {
        steps.extend(noisy(random, at % answers));
        left -= 1;
    }
    steps.extend(block(random, (2, factors), &mut left));
    let tell = |known: f64| vec![Step::Tell(known)];
    let last = match random.random_range(0..3) {
        0 => Step::Release(Operand::Value(0)),
        _ => Step::Branch(Operand::Value(0), operand(random), tell(5.0), tell(6.0)),
    };
    steps.push(last);
    Program { answers, steps }
}

/// An answer, or nothing, with noise.
fn noisy(random: &mut ChaCha8Rng, answer: usize) -> [Step; 2] {
    let law = if random.random_bool(0.7) { Noise::Laplace } else { Noise::Exponential };
    let scale = [1.0, 2.0, 4.0][random.random_range(0..3)];
    let base = match random.random_bool(0.7) {
        true => Operand::Answer(answer),
        false => Operand::Constant(0.5),
    };
    [Step::Draw(law, scale), Step::Sum(base, 1.0, Operand::Value(0))]
}

fn block(
    random: &mut ChaCha8Rng,
    (depth, factors): (usize, &[f64]),
    left: &mut usize,
) -> Vec<Step> {
    let mut steps = Vec::new();
    for _ in 0..random.random_range(1..=2) {
        match random.random_range(0..10) {
            0..5 if depth > 0 => {
                let (a, b) = (operand(random), operand(random));
                let mut own = *left;
                let then = block(random, (depth - 1, factors), &mut own);
                let mut other = *left;
                let or = block(random, (depth - 1, factors), &mut other);
                *left = own.min(other);
                steps.push(Step::Branch(a, b, then, or));
            }
            5 if *left > 0 => {
                *left -= 1;
                let answer = random.random_range(0..3);
                steps.extend(noisy(random, answer));
            }
            6 => {
                let factor = factors[random.random_range(0..factors.len())];
                steps.push(Step::Sum(operand(random), factor, operand(random)));
            }
            7 => steps.push(Step::Release(Operand::Value(random.random_range(0..4)))),
            _ => steps.push(Step::Tell(f64::from(random.random_range(0..3u8)))),
        }
    }
    steps
}

pub fn operand(random: &mut ChaCha8Rng) -> Operand {
    match random.random_range(0..10) {
        0 => Operand::Answer(random.random_range(0..3)),
        1..3 => Operand::Constant(f64::from(random.random_range(-1..=2i8))),
        _ => Operand::Value(random.random_range(0..6)),
    }
}
