//! Outcomes that nobody declared, in whatever phase they come up.

use crate::mechanism::{Outcome, OutcomeRef, Outcomes, order};
use std::sync::{Mutex, PoisonError};

/// Looks at all outcomes of an audit whose mechanism has a declared alphabet, those of explore
/// among them: an alphabet that is not all bounds nothing, whenever that shows.
pub struct UndeclaredOutcomes {
    /// Ascending.
    alphabet: Vec<Outcome>,
    found: Mutex<UndeclaredOutcome>,
}

/// What was not declared.
#[derive(Clone, Default)]
struct UndeclaredOutcome {
    times: u64,
    /// Different ones, ascending; at most [`EXAMPLES`].
    examples: Vec<Outcome>,
}

/// Different outcomes that are shown.
const EXAMPLES: usize = 3;
/// Most characters of one that is shown.
const LONGEST: usize = 80;

impl UndeclaredOutcomes {
    /// Looks for outcomes that are none of these.
    pub fn to(alphabet: &[Outcome]) -> Self {
        let mut alphabet = alphabet.to_vec();
        alphabet.sort_by(|a, b| order(&a.as_ref(), &b.as_ref()));
        Self { alphabet, found: Mutex::default() }
    }

    /// Looks at a batch.
    pub fn look(&self, outcomes: &Outcomes) {
        let declared = |outcome: &OutcomeRef<'_>| {
            self.alphabet.binary_search_by(|known| order(&known.as_ref(), outcome)).is_ok()
        };
        for new in outcomes.iter().filter(|outcome| !declared(outcome)) {
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.times += 1;
            let known = |known: &Outcome| order(&known.as_ref(), &new);
            if let Err(place) = found.examples.binary_search_by(known) {
                // The least ones, so that threads do not decide which are shown.
                found.examples.insert(place, new.to_owned());
                found.examples.truncate(EXAMPLES);
            }
        }
    }

    /// What was found in words: `3 outcomes (such as "leak")`; `None` if nothing was.
    pub fn words(&self) -> Option<String> {
        let UndeclaredOutcome { times, examples } =
            self.found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let noun = if times == 1 { "outcome" } else { "outcomes" };
        let shown: Vec<String> = examples.iter().map(shown).collect();
        (times > 0).then(|| format!("{times} {noun} (such as {})", shown.join(", ")))
    }
}

/// An outcome for readers, of a hostile one the beginning.
fn shown(outcome: &Outcome) -> String {
    let words = crate::witness::Atom::of(&outcome.as_ref()).words();
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}
