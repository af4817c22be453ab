use super::*;
use plaudit_core::claim::Claim;
use plaudit_engine::audit::Audit;

fn finding(make: fn(Audit<Vec<f64>>) -> Audit<Vec<f64>>) -> Finding {
    let release = |data: &Vec<f64>, random: &mut plaudit_core::random::Stream| {
        plaudit_catalog::sample::laplace(random, 1.0) + data[0]
    };
    let audit = Audit::of("a", Claim::pure(1.0).unwrap(), release).pair(vec![0.0], vec![1.0]);
    make(audit.trials(200)).report().unwrap().audits.remove(0)
}

fn row(finding: &Finding, heading: &str) -> String {
    rows(finding).into_iter().find(|row| row.0 == heading).unwrap().1
}

#[test]
fn what_is_part_of_the_outcome_is_not_called_untested() {
    let plain = finding(|audit| audit);
    assert!(row(&plain, "Not tested").contains("running time"));
    assert!(row(&plain, "Not tested").contains("state between runs"));
    let clock = finding(|audit| audit.clock());
    assert!(!row(&clock, "Not tested").contains("running time"));
    assert!(!row(&clock, "Not tested").contains("state between runs"));
    let stateful = finding(|audit| audit.stateful());
    assert!(row(&stateful, "Not tested").contains("running time"));
    assert!(!row(&stateful, "Not tested").contains("state between runs"));
    let ideal = finding(|audit| audit.floats(Floats::Ideal));
    assert!(row(&ideal, "Not tested").contains("lowest bits"));
}

#[test]
fn every_gate_that_is_waived_is_named() {
    let waived = |finding: &Finding| row(finding, "Waived");
    let all =
        finding(|audit| audit.may_be_constant().may_show_no_difference().floats(Floats::Ideal));
    for what in ["min_power = false", "constant", "no_difference", "neighbors", "floats"] {
        assert!(waived(&all).contains(what), "{what}: {}", waived(&all));
    }
    let checked = finding(|audit| {
        let Ok(audit) =
            audit.neighbors(plaudit_core::dataset::Relation::Linf(1.0), vec![0.0], vec![1.0])
        else {
            unreachable!("they are neighbors")
        };
        audit.min_power(2.0)
    });
    // The pair that was given first was not checked.
    assert!(waived(&checked).contains("neighbors") && !waived(&checked).contains("min_power"));
}

#[test]
fn a_planted_mistake_has_a_next_step_of_its_own() {
    let open = finding(|audit| audit);
    let planted = Finding { expected: Expectation::Violated, ..open.clone() };
    assert!(next_step(&planted).contains("planted mistake was missed"));
    let caught = Finding { verdict: Verdict::Violated, ..planted };
    assert!(next_step(&caught).contains("planted mistake was caught"));
    assert!(next_step(&open).contains("not a proof"));
}
