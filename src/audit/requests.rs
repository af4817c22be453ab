//! Of programs that are asked for many runs at once: whether the runs that were counted are independent.

use super::Audit;
use super::leaks::{Judged, Other};
use crate::game::{Phase, Spread, Streams};
use crate::report::LeakKind;

const SHARED: &str = "how often the witness named a dataset varied from request to request by more than in each of \
                      999 draws from the law of independent runs. So the program's runs share something, or it keeps \
                      something from run to run.";

/// Looks whether counts vary between requests by more than chance.
///
/// # Errors
/// Why nothing follows from them, if they would refute the claim and do. If they do and refute nothing, a note.
pub fn check<D>(
    audit: &Audit<D>,
    (own, other): (&Judged, Option<&Other>),
    spread: &Spread,
) -> Result<Option<String>, String> {
    let streams = Streams::new(audit.seed, &format!("{}: requests", audit.name));
    let mut random = streams.block(0, Phase::Confirm)(0);
    // The witness by values comes first, whichever of them is the finding's own.
    let own_at = usize::from(other.is_some_and(|other| other.headline == LeakKind::Representation));
    let judged =
        std::iter::once((own_at, own)).chain(other.map(|other| (1 - own_at, &other.judged)));
    let mut note = None;
    for (at, judged) in judged {
        if !spread.is_wide(at, &mut random) {
            continue;
        }
        if judged.refutes() {
            return Err(format!(
                "The counts would refute the claim, and nothing follows from them: {SHARED} Ask for each run by a \
                 request of its own (`batch = 1`), or test each run given all before it (`stateful = true`)."
            ));
        }
        note = Some(format!(
            "The bounds take runs for independent, and they are not: {SHARED} `batch = 1` or `stateful = true` in the \
             spec give bounds that hold."
        ));
    }
    Ok(note)
}
