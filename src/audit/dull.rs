//! Outcomes that show nothing: of a mechanism that fails on every run, gives NaN, or always the same,
//! no loss can be seen, and "not refuted" would be green for nothing.

use crate::game::Block;
use crate::mechanism::{Outcome, OutcomeRef, order};
use crate::witness::Atom;

/// How outcomes show nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Dull {
    /// Nearly all are failures or NaN, on both datasets: the share of the better one, and the first
    /// failure's message, if any is one.
    Fails(f64, Option<String>),
    /// All are this one.
    Constant(String),
}

/// Share of failures and NaN, on each dataset, from which on a mechanism is taken for broken.
const NEARLY_ALL: f64 = 0.99;
/// Fewest outcomes of a dataset that say anything of it.
const LEAST: usize = 16;
/// Longest request that is shown: a longer one is not typed by hand.
const LONGEST_REQUEST: usize = 1_000;
/// Most characters of an outcome or a message that are shown.
const LONGEST: usize = 200;

impl Dull {
    /// Looks at outcomes that explore kept.
    pub fn of(blocks: &[Block]) -> Option<Self> {
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
            return Some(Self::Fails(on_d.min(on_d_prime), message));
        }
        let first: Outcome = all().next()?.to_owned();
        let constant = all().all(|outcome| order(&outcome, &first.as_ref()).is_eq());
        constant.then(|| Self::Constant(cut(&Atom::of(&first.as_ref()).words())))
    }

    /// Why the claim could not be tested; with a request that the mechanism got, if it is asked by text.
    pub fn words(&self, request: Option<&str>) -> String {
        const ALLOW: &str = "If this mechanism is meant to do so, write `constant = \"allowed\"`.";
        let (what, remedy) = match self {
            Self::Fails(share, message) => {
                let percent = (share * 1000.0).floor() / 10.0;
                let all = if *share == 1.0 { "all".into() } else { format!("{percent} % of the") };
                let what = format!("{all} outcomes on both datasets were failures or NaN.");
                match (message, request.filter(|request| request.len() <= LONGEST_REQUEST)) {
                    (None, _) => (what, ALLOW.to_owned()),
                    // Something is broken: that is not to be allowed, but to be mended.
                    (Some(message), None) => {
                        (what, format!("The first failure says: {message:?}. Mend that first."))
                    }
                    (Some(message), Some(request)) => {
                        let remedy = format!(
                            "The first failure says: {message:?}. Mend that first; to see it by hand, send the \
                             program this line: {}",
                            request.trim_end()
                        );
                        (what, remedy)
                    }
                }
            }
            Self::Constant(outcome) => {
                let what = format!("all outcomes on both datasets were the same: {outcome}.");
                (what, ALLOW.to_owned())
            }
        };
        format!("The claim could not be tested: {what} {remedy}")
    }
}

/// The beginning of a text.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
