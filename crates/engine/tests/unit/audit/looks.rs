//! Looks: the levels add up, whatever ends an audit early.

use crate::audit::{Audit, Audited};
use crate::game::Control;
use crate::mechanism::{Mechanism, Outcome, Outcomes, Planned, Prepared, Trouble};
use plaudit_core::claim::Claim;
use plaudit_core::finding::{Look, Looks, Verdict};
use plaudit_core::inference::Test;
use rand::RngExt as _;
use std::sync::atomic::{AtomicBool, Ordering};

/// Randomized response of one bit at ε = ln 3, claimed to be `epsilon`.
fn response(epsilon: f64) -> Audit<u64> {
    let release = |bit: &u64, random: &mut plaudit_core::random::Stream| {
        bit ^ u64::from(random.random::<f64>() < 0.25)
    };
    let claim = Claim::pure(epsilon).unwrap();
    Audit::of("response", claim, release).pair(0, 1).trials(400_000)
}

fn looked(audit: &mut Audit<u64>, enough: Option<f64>) -> (Audited, Looks) {
    let audited = audit.run_in_looks(enough, Control::unattended()).unwrap();
    let looks = audited.finding.looks.clone().unwrap();
    (audited, looks)
}

#[test]
fn the_levels_of_the_looks_are_that_of_the_audit() {
    for alpha in [0.05, 1e-6, 1e-11] {
        for trials in [400, 50_000, 1_000_000] {
            let looks = response(1.0).trials(trials).alpha(alpha).looks();
            let sum: f64 = looks.looks.iter().map(|look| look.alpha).sum();
            assert!((sum / alpha - 1.0).abs() < 1e-12);
            assert_eq!(looks.looks.last().unwrap().trials, trials);
        }
    }
}

#[test]
fn a_gross_violation_ends_at_the_first_look_with_its_level() {
    let (audited, looks) = looked(&mut response(0.5), None);
    assert_eq!((audited.finding.verdict, looks.taken()), (Verdict::Violated, 1));
    assert_eq!(audited.finding.alpha, looks.looks[0].alpha);
    assert_eq!(audited.finding.trials.total, looks.looks[0].trials);
    assert_eq!(audited.certificate.unwrap().alpha, looks.looks[0].alpha);
    assert!((audited.finding.level() - 1e-6).abs() < 1e-18);
}

#[test]
fn a_look_is_an_audit_that_anybody_can_repeat() {
    let (audited, looks) = looked(&mut response(0.5), None);
    let Look { trials, alpha, .. } = looks.looks[0];
    let alone = response(0.5).trials(trials).alpha(alpha).run(Control::unattended()).unwrap();
    assert_eq!(audited.finding.tally, alone.finding.tally);
    assert_eq!(audited.finding.epsilon_lower, alone.finding.epsilon_lower);
}

#[test]
fn what_is_right_ends_where_enough_would_have_been_seen() {
    let right = || response(3_f64.ln());
    let (audited, looks) = looked(&mut right(), None);
    assert_eq!((audited.finding.verdict, looks.taken()), (Verdict::NotRefuted, looks.looks.len()));
    let (audited, looks) = looked(&mut right(), Some(1.5));
    assert_eq!(audited.finding.verdict, Verdict::NotRefuted);
    assert!(looks.taken() < looks.looks.len());
    assert!(audited.finding.power.nearly_surely.unwrap() <= 1.5 * 3_f64.ln());
    assert_eq!(audited.finding.catches(), Some(1.5 * 3_f64.ln()));
    // An expected violation has all its trials.
    let (_, looks) = looked(&mut right().expect_violated(), Some(1.5));
    assert_eq!(looks.taken(), looks.looks.len());
}

#[test]
fn the_p_value_over_the_looks_is_the_least_over_its_share() {
    let look = |alpha, p_value| Look { trials: 1, alpha, p_value };
    let looks =
        Looks { alpha: 0.04, looks: vec![look(0.01, Some(0.02)), look(0.03, None)], enough: None };
    let (mut audited, _) = looked(&mut response(0.5), None);
    audited.finding.looks = Some(looks);
    assert!((audited.finding.p_value_over_looks() - 0.08).abs() < 1e-15);
}

/// Reports once that its runs depend on one another, the first time it is asked, and says "rare"
/// once, before anything else.
#[derive(Default)]
struct SeenOnce {
    is_known: AtomicBool,
    is_said: AtomicBool,
}

impl Mechanism<u64> for SeenOnce {
    fn fill(
        &self,
        bit: &u64,
        runs: usize,
        random: &mut plaudit_core::random::Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        for _ in 0..runs {
            outcomes.push_text(match self.is_said.swap(true, Ordering::Relaxed) {
                false => "rare",
                true if (random.random::<f64>() < 0.25) == (*bit == 0) => "yes",
                true => "no",
            });
        }
        Ok(())
    }

    fn prepare(
        &self,
        _: [&u64; 2],
        Planned { trials, .. }: Planned,
        _: &mut plaudit_core::random::Stream,
        _: &AtomicBool,
    ) -> Result<Prepared, Trouble> {
        let stateful = !self.is_known.swap(true, Ordering::Relaxed);
        Ok(Prepared { stateful, ..Prepared::independent(trials) })
    }
}

#[test]
fn state_that_one_look_saw_is_known_to_the_next() {
    let claim = Claim::pure(3_f64.ln()).unwrap();
    let mut audit =
        Audit::of_mechanism("seen", claim, SeenOnce::default()).pair(0, 1).trials(300_000);
    let (audited, looks) = looked(&mut audit, None);
    assert_eq!(looks.taken(), looks.looks.len());
    assert_eq!(audited.finding.test, Test::Betting);
}

#[test]
fn an_outcome_that_one_look_saw_and_nobody_declared_is_known_to_the_next() {
    let claim = Claim::pure(1.5).unwrap();
    let audit = |is_said: bool| {
        let mechanism = SeenOnce { is_known: true.into(), is_said: is_said.into() };
        let audit = Audit::of_mechanism("seen", claim.clone(), mechanism).pair(0, 1);
        audit.trials(300_000).outcomes(["yes", "no"])
    };
    let (audited, looks) = looked(&mut audit(false), None);
    assert_eq!(looks.taken(), looks.looks.len());
    assert_eq!(audited.finding.verdict, Verdict::Inconclusive, "{}", audited.finding.reason());
    let (audited, _) = looked(&mut audit(true), None);
    assert_eq!(audited.finding.verdict, Verdict::Bounded, "{}", audited.finding.reason());
}

/// A bit by choices, whose law is enumerated.
fn by_choices() -> Audit<u64> {
    let release = |bit: &u64, choices: &mut crate::mechanism::Choices<'_>| {
        Outcome::from(if choices.chance(1, 4) == (*bit == 0) { "yes" } else { "no" })
    };
    let claim = Claim::pure(0.5).unwrap();
    Audit::of_choices("by choices", claim, release).pair(0, 1).trials(20_000).verify()
}

#[test]
fn a_proof_of_the_code_decides_without_trials_unless_more_than_the_outcome_counts() {
    let run =
        |mut audit: Audit<u64>| audit.run_in_looks(None, Control::unattended()).unwrap().finding;
    let proved = run(by_choices());
    assert_eq!((proved.verdict, proved.trials.total), (Verdict::Violated, 0));
    assert_eq!(proved.level(), 0.0);
    for more in [by_choices().stateful(), by_choices().clock()] {
        assert!(run(more).trials.total > 0);
    }
}

/// 300 audits of an exactly tight claim at α = 0.2: more than 60 + 7 √48 false alarms have a probability below 10⁻⁹.
#[test]
fn looks_do_not_raise_the_chance_of_a_false_alarm() {
    let alarms = (0..300).filter(|seed| {
        let mut audit = response(3_f64.ln()).trials(60_000).alpha(0.2).seed(*seed);
        looked(&mut audit, None).0.finding.verdict == Verdict::Violated
    });
    assert!(alarms.count() <= 108);
}
