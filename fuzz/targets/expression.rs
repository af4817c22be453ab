//! Compositions as text: what is read is written and read again, and every method says something that can be.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plaudit::Composition;
use plaudit::accountant::Method;

/// Longer expressions are only read: an answer takes its time for each event, and a third of a second for thousands of uses.
const MOST_EVENTS: usize = 2;
const MOST_USES: u64 = 16;

fuzz_target!(|text: &str| {
    let composition: Composition = match text.parse() {
        Ok(composition) => composition,
        Err(error) => {
            let _ = error.to_string();
            return;
        }
    };
    let words = composition.to_string();
    let again: Composition = words.parse().unwrap_or_else(|why| panic!("{words}: {why}"));
    assert_eq!(again, composition, "{words}");
    let events = composition.events();
    if events.len() > MOST_EVENTS || events.iter().any(|event| event.count > MOST_USES) {
        return;
    }
    for method in Method::ALL {
        if let Ok(bracket) = composition.epsilon_at(1e-5, method) {
            assert!(
                0.0 <= bracket.lower && bracket.lower <= bracket.upper,
                "{method:?}: {bracket:?}"
            );
        }
        if let Ok(bracket) = composition.delta_at(1.0, method) {
            let possible =
                0.0 <= bracket.lower && bracket.lower <= bracket.upper && bracket.upper <= 1.0;
            assert!(possible, "{method:?}: {bracket:?}");
        }
    }
});
