//! Outcomes that show nothing: a mechanism that fails on every run, gives NaN, or always gives the
//! same outcome cannot show a loss, and "not refuted" would be green for no reason.

use crate::game::Block;
use crate::mechanism::{Outcome, OutcomeRef, Outcomes, order};
use crate::witness::Atom;
pub use plaudit_core::finding::reason::Degenerate;

/// Share of failures and NaN on each dataset from which a mechanism counts as broken.
const NEARLY_ALL: f64 = 0.99;
/// Fewest outcomes of a dataset that mean anything.
const LEAST: usize = 16;
/// Most characters shown of an outcome or a message.
const LONGEST: usize = 200;

/// `true` if there are several outcomes, and all are the same.
pub fn is_constant(outcomes: &Outcomes) -> bool {
    outcomes.len() >= LEAST && outcomes.iter().all(|it| order(&it, &outcomes.get(0)).is_eq())
}

/// Reason why the outcomes that explore kept show nothing, if they do.
pub fn of(blocks: &[Block]) -> Option<Degenerate> {
    let d = || blocks.iter().flat_map(|block| block.d.iter());
    let d_prime = || blocks.iter().flat_map(|block| block.d_prime.iter());
    let all = || d().chain(d_prime());
    if d().count().min(d_prime().count()) < LEAST {
        return None;
    }
    let fails = |outcome: &OutcomeRef<'_>| match outcome {
        OutcomeRef::Failure(_) => true,
        OutcomeRef::Number(x) => x.is_nan(),
        _ => false,
    };
    let share = |failing: usize, of: usize| failing as f64 / of as f64;
    let on_d = share(d().filter(fails).count(), d().count());
    let on_d_prime = share(d_prime().filter(fails).count(), d_prime().count());
    if on_d.min(on_d_prime) >= NEARLY_ALL {
        let message = all().find_map(|outcome| match outcome {
            OutcomeRef::Failure(message) => Some(cut(message)),
            _ => None,
        });
        return Some(Degenerate::Fails(on_d.min(on_d_prime), message));
    }
    let first: Outcome = all().next()?.to_owned();
    let constant = all().all(|outcome| order(&outcome, &first.as_ref()).is_eq());
    constant.then(|| Degenerate::Constant(cut(&Atom::of(&first.as_ref()).words())))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
