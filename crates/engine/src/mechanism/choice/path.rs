//! One sequence of choices: the given ones, and then the likeliest at each new one.

use super::budget::Stop;
use super::draw::Weights;
use super::law::rounded_down;
use super::memo::{Memo, PartLaw, Value};
use dashu_ratio::RBig as Rational;
use std::any::Any;
use std::panic::resume_unwind;
use std::sync::Arc;

#[derive(Clone)]
pub(super) enum ChoiceStep {
    /// The option taken, out of `of`.
    Option { of: usize, taken: usize },
    /// The value taken from a part's law.
    Value { law: Arc<dyn Any + Send + Sync>, taken: usize },
}

/// A choice, linked to those before it.
pub(super) struct ChoiceNode {
    pub before: Option<Arc<ChoiceNode>>,
    pub step: ChoiceStep,
}

/// A beginning of a sequence of choices, and its probability.
pub(super) struct Beginning {
    pub last: Option<Arc<ChoiceNode>>,
    pub depth: usize,
    pub mass: Rational,
}

/// A sequence of choices in progress.
pub struct Path {
    memo: Arc<Memo>,
    /// The given choices, and how many of them were made.
    given: Vec<ChoiceStep>,
    made: usize,
    at: Beginning,
    /// Mass below which the path is put aside.
    least: f64,
    /// Reason why it ended before the mechanism did.
    stopped: Option<Stop>,
    pub(super) aside: Vec<Beginning>,
}

/// Mass relative to the beginning below which a path is put aside.
const LIGHTER: f64 = 1.0 / (1u64 << 20) as f64;

impl Path {
    pub(super) fn new(memo: Arc<Memo>, at: Beginning) -> Self {
        let mut given = Vec::with_capacity(at.depth);
        let mut node = at.last.as_ref();
        while let Some(last) = node {
            given.push(last.step.clone());
            node = last.before.as_ref();
        }
        given.reverse();
        let least = at.mass.to_f64().value() * LIGHTER;
        Self { memo, given, made: 0, at, least, stopped: None, aside: Vec::new() }
    }

    pub(super) fn memo(&self) -> Arc<Memo> {
        Arc::clone(&self.memo)
    }

    /// The mass of the whole sequence, or the reason why it has none; and the beginnings put aside.
    pub(super) fn end(self) -> (Result<Rational, Stop>, Vec<Beginning>) {
        (self.stopped.map_or(Ok(self.at.mass), Err), self.aside)
    }

    pub(super) fn coin(&mut self, probability: &Rational) -> bool {
        let of = |index: usize| match index {
            0 => probability.clone(),
            _ => Rational::ONE - probability,
        };
        self.option(2, of) == 0
    }

    pub(super) fn uniform(&mut self, n: u64) -> u64 {
        let each = Rational::from_parts(1.into(), n.into());
        let of = usize::try_from(n).unwrap_or(usize::MAX);
        self.option(of, |_| each.clone()) as u64
    }

    pub(super) fn weighted(&mut self, weights: &Weights) -> usize {
        self.option(weights.len(), |index| weights.probability(index))
    }

    fn option(&mut self, of: usize, mass: impl Fn(usize) -> Rational) -> usize {
        match self.next_given() {
            Some(ChoiceStep::Option { of: before, taken }) if before == of => taken,
            Some(_) => self.stop(Stop::NotRepeatable),
            None => self.choose(of, mass, |taken| ChoiceStep::Option { of, taken }),
        }
    }

    pub(super) fn part<T: Value>(&mut self, law: Arc<PartLaw<T>>) -> T {
        let taken = match self.next_given() {
            // The law is the table's own, or one found at the same time: the same values.
            Some(ChoiceStep::Value { law: given, taken }) => {
                match given.downcast_ref::<PartLaw<T>>() {
                    Some(given) if given.values.len() == law.values.len() => taken,
                    _ => self.stop(Stop::NotRepeatable),
                }
            }
            Some(ChoiceStep::Option { .. }) => self.stop(Stop::NotRepeatable),
            None => {
                let shared: Arc<dyn Any + Send + Sync> = law.clone();
                let step = |taken| ChoiceStep::Value { law: Arc::clone(&shared), taken };
                self.choose(law.values.len(), |index| law.values[index].1.clone(), step)
            }
        };
        match &law.values[taken].0 {
            Ok(value) => value.clone(),
            // The words of a panic, as the original panic.
            Err(words) => match words.strip_prefix("panic: ") {
                Some(words) => resume_unwind(Box::new(words.to_owned())),
                None => resume_unwind(Box::new(())),
            },
        }
    }

    fn next_given(&mut self) -> Option<ChoiceStep> {
        // A mechanism that catches the unwinding gets no further than this.
        if let Some(why) = self.stopped {
            self.stop(why);
        }
        let step = self.given.get(self.made).cloned();
        self.made += usize::from(step.is_some());
        step
    }

    /// Makes a new choice: takes the likeliest option and puts the others aside. The rest of the
    /// options' mass up to 1 stays unresolved.
    fn choose(
        &mut self,
        of: usize,
        mass: impl Fn(usize) -> Rational,
        step: impl Fn(usize) -> ChoiceStep,
    ) -> usize {
        let budget = &self.memo.budget;
        if self.at.depth >= budget.depth || of > budget.pending {
            self.stop(Stop::OutOfBudget);
        }
        let mut likeliest: Option<(usize, Beginning)> = None;
        for index in 0..of {
            let mass = rounded_down(&self.at.mass * mass(index), budget.digits);
            if mass.is_zero() {
                continue;
            }
            let node = ChoiceNode { before: self.at.last.clone(), step: step(index) };
            let next = Beginning { last: Some(Arc::new(node)), depth: self.at.depth + 1, mass };
            match &mut likeliest {
                Some((best, beginning)) if next.mass > beginning.mass => {
                    self.aside.push(std::mem::replace(beginning, next));
                    *best = index;
                }
                Some(_) => self.aside.push(next),
                None => likeliest = Some((index, next)),
            }
        }
        let Some((index, next)) = likeliest else { self.stop(Stop::OutOfBudget) };
        if next.mass.to_f64().value() < self.least {
            self.aside.push(next);
            self.stop(Stop::PutAside);
        }
        self.at = next;
        index
    }

    fn stop(&mut self, why: Stop) -> ! {
        self.stopped = Some(why);
        // Without the hook that prints panics: this is not a panic.
        resume_unwind(Box::new(why))
    }
}
