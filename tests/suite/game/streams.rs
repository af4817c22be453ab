//! Explore and confirm share no randomness: what one phase has seen, another does not play again.

use plaudit::{Audit, Claim, laplace};
use rand::RngExt;
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

/// Every run draws a number of 64 bits. That two of 100 000 runs draw the same one by chance has probability
/// 3e-10.
#[test]
fn no_run_is_played_twice() {
    let drawn: Arc<Mutex<Vec<u64>>> = Arc::default();
    let kept = Arc::clone(&drawn);
    let audit = Audit::of("drawn", Claim::pure(1.0).unwrap(), move |x: &f64, random| {
        kept.lock().unwrap().push(random.random());
        x + laplace(random, 1.0)
    });
    let audit = audit.pair(0.0, 1.0).pair(0.0, 0.5).trials(50_000).seed(1);
    let finding = audit.report().unwrap().audits.remove(0);
    let drawn = drawn.lock().unwrap();
    assert!(drawn.len() as u64 >= finding.trials.total, "{}", drawn.len());
    assert!(drawn.len() < 100_000, "{}", drawn.len());
    let distinct: HashSet<&u64> = drawn.iter().collect();
    assert_eq!(distinct.len(), drawn.len(), "some runs were played more than once");
    // Confirm counts all of its own runs, and none of another phase.
    let counted: u64 = finding.tally.d.iter().chain(&finding.tally.d_prime).sum();
    assert_eq!(counted, finding.trials.confirm);
    assert_eq!(finding.trials.explore + finding.trials.confirm, finding.trials.total);
}
