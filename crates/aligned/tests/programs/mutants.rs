//! Random programs with one thing changed.

use super::random::{Program, Step, operand};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

/// The program with one thing changed: a scale, an operand, a branch, a factor, a step left out.
pub fn mutated(program: &Program, random: &mut ChaCha8Rng) -> Program {
    let mut mutant = program.clone();
    let mut at = random.random_range(0..count(&mutant.steps));
    change(&mut mutant.steps, &mut at, random);
    mutant
}

fn count(steps: &[Step]) -> usize {
    let of = |step: &Step| match step {
        Step::Branch(_, _, then, or) => 1 + count(then) + count(or),
        _ => 1,
    };
    steps.iter().map(of).sum()
}

fn change(steps: &mut Vec<Step>, at: &mut usize, random: &mut ChaCha8Rng) -> bool {
    for place in 0..steps.len() {
        if *at == 0 {
            if random.random_bool(0.15) && steps.len() > 1 {
                steps.remove(place);
                return true;
            }
            match &mut steps[place] {
                Step::Draw(_, scale) => *scale *= [0.25, 0.5, 2.0][random.random_range(0..3)],
                Step::Sum(a, factor, b) => match random.random_range(0..3) {
                    0 => *a = operand(random),
                    1 => *factor = -*factor,
                    _ => *b = operand(random),
                },
                Step::Branch(a, b, then, or) => match random.random_range(0..4) {
                    0 => *a = operand(random),
                    1 => *b = operand(random),
                    2 => std::mem::swap(a, b),
                    _ => std::mem::swap(then, or),
                },
                Step::Release(operand_) => *operand_ = operand(random),
                Step::Tell(known) => *known += 1.0,
            }
            return true;
        }
        *at -= 1;
        if let Step::Branch(_, _, then, or) = &mut steps[place]
            && (change(then, at, random) || change(or, at, random))
        {
            return true;
        }
    }
    false
}
