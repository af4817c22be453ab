//! Undeclared outcomes, in any phase.

use crate::mechanism::{Outcome, OutcomeRef, Outcomes, order};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// Checks all outcomes of an audit whose mechanism has a declared alphabet, including those of
/// explore: an incomplete alphabet bounds nothing, whenever that shows.
pub struct UndeclaredOutcomes {
    alphabet: Vec<Outcome>,
    found: Mutex<UndeclaredOutcome>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UndeclaredOutcome {
    times: u64,
    /// Distinct, ascending, at most [`EXAMPLES`]; written as lines of JSON.
    #[serde(with = "lines")]
    examples: Vec<Outcome>,
}

mod lines {
    use crate::mechanism::wire::{push_line, write_line};
    use crate::mechanism::{Outcome, Outcomes};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(outcomes: &[Outcome], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(outcomes.iter().map(|outcome| write_line(&outcome.as_ref())))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Outcome>, D::Error> {
        let mut read = Outcomes::new();
        for line in Vec::<String>::deserialize(from)? {
            push_line(line.as_bytes(), &mut read).map_err(D::Error::custom)?;
        }
        Ok(read.iter().map(|outcome| outcome.to_owned()).collect())
    }
}

const EXAMPLES: usize = 3;
/// Most characters shown of an outcome.
const LONGEST: usize = 80;

impl UndeclaredOutcomes {
    /// Looks for outcomes outside an alphabet.
    pub fn to(alphabet: &[Outcome]) -> Self {
        let mut alphabet = alphabet.to_vec();
        alphabet.sort_by(|a, b| order(&a.as_ref(), &b.as_ref()));
        Self { alphabet, found: Mutex::default() }
    }

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

    pub fn add(&self, other: &UndeclaredOutcome) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.times = found.times.saturating_add(other.times);
        for new in &other.examples {
            let known = |known: &Outcome| order(&known.as_ref(), &new.as_ref());
            if let Err(place) = found.examples.binary_search_by(known) {
                found.examples.insert(place, new.clone());
                found.examples.truncate(EXAMPLES);
            }
        }
    }

    pub fn found(&self) -> UndeclaredOutcome {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Undeclared outcomes in words: `3 outcomes (such as "leak")`; `None` if there are none.
    pub fn words(&self) -> Option<String> {
        let UndeclaredOutcome { times, examples } =
            self.found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let noun = if times == 1 { "outcome" } else { "outcomes" };
        let shown: Vec<String> = examples.iter().map(shown).collect();
        (times > 0).then(|| format!("{times} {noun} (such as {})", shown.join(", ")))
    }
}

/// An outcome for readers, cut short if it is long.
fn shown(outcome: &Outcome) -> String {
    let words = crate::witness::Atom::of(&outcome.as_ref()).words();
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}
