//! Sizes of requests, and plans by what was found.

use super::*;
use crate::mechanism::{Outcomes, Trouble};

#[test]
fn sizes_of_requests_do_not_depend_on_how_busy_the_machine_is() {
    for of_request in [1e-6, 1e-4, 5e-3] {
        assert_eq!(most_runs(200_000, (1e-6, of_request), 2.0), 50, "{of_request}");
    }
    assert_eq!(most_runs(200_000, (1e-6, 0.1), 2.0), 400);
    assert_eq!(most_runs(200_000, (1e-6, 10.0), 2.0), 3_333);
    // Runs of 10 ms to 15 ms.
    assert_eq!(most_runs(1_000_000_000, (0.010, 0.0), 2.0), 128);
    assert_eq!(most_runs(1_000_000_000, (0.015, 0.0), 2.0), 128);
    assert_eq!(most_runs(3, (60.0, 60.0), 1.0), 1);
}

fn observed(seeds: Seeds) -> Observed {
    let (constant, state, sharing, single) = (false, None, Sharing::Nothing, None);
    Observed { seeds, constant, state, sharing, single, seconds: (1e-6, 1e-4) }
}

fn diagnosis(observed: Result<Observed, Trouble>, fresh: Option<Fresh>) -> Diagnosis {
    Diagnosis {
        datasets: ["0".into(), "1".into()],
        most: 10_000,
        observed,
        fresh,
        copies_broke: None,
        seen: Outcomes::new(),
        first: None,
    }
}

/// Mode, state and trials by a diagnosis, or the finding that ends an audit; with the remedies that are told.
fn planned(
    diagnosis: &Diagnosis,
    subject: &Subject,
) -> (Result<(Mode, bool, u64), Finding>, usize) {
    let planned = Planned { trials: 10_000, most: 10_000, one_by_one: false, seconds: None };
    match Plan::of(diagnosis, planned, subject) {
        Ok(plan) => (Ok((plan.mode, plan.stateful, plan.trials)), plan.notes.len()),
        Err((finding, _)) => (Err(finding), 1),
    }
}

const PROGRAM: Subject =
    Subject { has_copies: true, threads: 2.0, patience: 60.0, is_asked_singly: false };

#[test]
fn a_program_that_follows_its_seed_is_run_in_batches() {
    let good = diagnosis(Ok(observed(Seeds::Followed)), None);
    assert_eq!(planned(&good, &PROGRAM), (Ok((Mode::Batches, false, 10_000)), 0));
}

#[test]
fn slow_runs_that_are_all_the_same_are_judged_by_a_test_that_allows_for_state() {
    let same = diagnosis(Ok(Observed { constant: true, ..observed(Seeds::Unseen) }), None);
    assert_eq!(planned(&same, &PROGRAM), (Ok((Mode::InTurn, true, 10_000)), 2));
}

#[test]
fn without_a_seed_that_is_followed_runs_are_in_the_order_of_the_coins_if_there_is_time() {
    for seeds in [Seeds::Ignored, Seeds::Unseen] {
        let of = |each| {
            let single = Some((Single::Apart, each));
            diagnosis(Ok(Observed { single, ..observed(seeds) }), None)
        };
        assert_eq!(planned(&of(0.001), &PROGRAM), (Ok((Mode::OneByOne, false, 10_000)), 2));
        assert_eq!(planned(&of(0.1), &PROGRAM), (Ok((Mode::Batches, false, 10_000)), 2));
        let singly = Subject { is_asked_singly: true, ..PROGRAM };
        assert_eq!(planned(&of(0.1), &singly), (Ok((Mode::OneByOne, false, 10_000)), 1));
    }
}

#[test]
fn state_needs_fresh_copies_or_a_test_that_allows_for_it() {
    for state in [State::SeedGivesOthers, State::CopiesDiffer, State::Fails, State::Repeats] {
        let of = |fresh| {
            let state = Some(state);
            diagnosis(Ok(Observed { state, ..observed(Seeds::Ignored) }), fresh)
        };
        let fresh = |seconds, repeat| Some(Fresh { failures: [0, 0], repeat, seconds });
        // 120 s for all threads.
        let some = planned(&of(fresh(0.1, false)), &PROGRAM);
        assert_eq!(some, (Ok((Mode::Fresh, false, 1200)), 2));
        let few = planned(&of(fresh(0.15, false)), &PROGRAM);
        assert_eq!(few, (Ok((Mode::InTurn, true, 10_000)), 2));
        let repeating = planned(&of(fresh(0.0, true)), &PROGRAM);
        assert_eq!(repeating, (Ok((Mode::InTurn, true, 10_000)), 2));
        let function = Subject { has_copies: false, ..PROGRAM };
        assert_eq!(planned(&of(None), &function), (Ok((Mode::InTurn, true, 10_000)), 2));
    }
}

#[test]
fn breakdowns_in_fresh_copies_are_outcomes() {
    let trouble = || Err(Trouble::Broken("It broke off.".into()));
    let fresh = |seconds| Some(Fresh { failures: [1, 0], repeat: false, seconds });
    let of = |seconds| planned(&diagnosis(trouble(), fresh(seconds)), &PROGRAM);
    assert_eq!(of(0.1), (Ok((Mode::Fresh, false, 1200)), 1));
    // As few as 100.
    assert_eq!(of(1.2), (Ok((Mode::Fresh, false, 100)), 1));
    assert_eq!(of(1.3), (Ok((Mode::InTurn, true, 10_000)), 1));
}

#[test]
fn what_requests_share_decides() {
    let of = |sharing, single| {
        diagnosis(Ok(Observed { sharing, single, ..observed(Seeds::Followed) }), None)
    };
    let apart = |each| Some((Single::Apart, each));
    for shared in [Shared::Outcome, Shared::Something, Shared::Alone] {
        let of = |each| planned(&of(Sharing::Request(shared), apart(each)), &PROGRAM);
        assert_eq!(of(0.001), (Ok((Mode::OneByOne, false, 10_000)), 1));
        assert_eq!(of(0.1), (Ok((Mode::OneByOne, false, 1200)), 1));
        assert_eq!(of(2.0), (Err(Finding::Shares(shared)), 1));
    }
    let repeats = (Err(Finding::Repeats), 1);
    let copies = of(Sharing::Copies, apart(0.001));
    assert_eq!(planned(&copies, &PROGRAM), (Ok((Mode::InTurn, true, 10_000)), 1));
    assert_eq!(planned(&of(Sharing::Repeats, None), &PROGRAM), repeats);
    let single = |single| of(Sharing::Nothing, Some((single, 0.001)));
    assert_eq!(planned(&single(Single::Repeats), &PROGRAM), repeats);
    let alike = (Ok((Mode::InTurn, true, 10_000)), 1);
    assert_eq!(planned(&single(Single::Alike), &PROGRAM), alike);
}
