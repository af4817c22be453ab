use super::*;
use plaudit_core::claim::Claim;
use plaudit_engine::audit::Audit;

/// A finding without trials, with this verdict and expectation.
fn finding(verdict: Verdict, expected: Expectation) -> Finding {
    let release = |_: &Vec<f64>, _: &mut plaudit_core::random::Stream| 0.0;
    let audit = Audit::of("a", Claim::pure(1.0).unwrap(), release).pair(vec![0.0], vec![1.0]);
    let finding = audit.may_be_constant().trials(200).report().unwrap().audits.remove(0);
    Finding { verdict, expected, as_expected: expected.is_met_by(verdict), ..finding }
}

fn report(findings: Vec<Finding>) -> Report {
    let release = |_: &Vec<f64>, _: &mut plaudit_core::random::Stream| 0.0;
    let audit = Audit::of("a", Claim::pure(1.0).unwrap(), release).pair(vec![0.0], vec![1.0]);
    Report { audits: findings, ..audit.may_be_constant().trials(200).report().unwrap() }
}

#[test]
fn planted_mistakes_are_counted_apart_and_the_urgent_comes_first() {
    use Expectation::{NotViolated, Violated as Planted};
    let all = report(vec![
        finding(Verdict::Violated, Planted),
        finding(Verdict::NotRefuted, NotViolated),
        finding(Verdict::Inconclusive, NotViolated),
        finding(Verdict::NotRefuted, Planted),
        finding(Verdict::Violated, NotViolated),
        Finding { interrupted: true, ..finding(Verdict::Inconclusive, Planted) },
    ]);
    let groups = grouped(&all);
    let expected = [
        (TriageGroup::Violated, vec![4]),
        (TriageGroup::Missed, vec![3]),
        (TriageGroup::Inconclusive, vec![2, 5]),
        (TriageGroup::Open, vec![1]),
        (TriageGroup::Caught, vec![0]),
    ];
    assert_eq!(groups, expected);
    assert_eq!(
        totals(&all),
        "3 claims under review: 1 violated, 1 inconclusive, 1 not refuted. 3 planted mistakes: 1 caught, 1 missed"
    );
    assert_eq!(totals(&report(Vec::new())), "no audits");
    assert_eq!(level(&all), "α = 1e-6 per audit, Σ α = 6e-6 over all 6");
    let mut proved = all.clone();
    proved.audits[0].trials.total = 0;
    assert_eq!(level(&proved), "α = 1e-6 per audit, Σ α = 5e-6 over the 5 that were sampled");
    let mut other = report(all.audits[..2].to_vec());
    other.audits[0].alpha = 1e-3;
    assert_eq!(level(&other), "α = 1e-6 to 0.001 per audit, Σ α = 0.001001 over all 2");
    assert_eq!(level(&report(all.audits[..1].to_vec())), "α = 1e-6");
}

#[test]
fn a_group_is_in_the_order_of_what_is_known_over_what_the_claim_allows() {
    let with = |epsilon_lower: f64| {
        let mut finding = finding(Verdict::NotRefuted, Expectation::NotViolated);
        finding.tally = plaudit_core::tally::Tally { d: vec![1], d_prime: vec![1] };
        finding.epsilon_lower = epsilon_lower;
        finding
    };
    let all = report(vec![with(0.2), with(0.9), with(0.5)]);
    assert_eq!(grouped(&all), [(TriageGroup::Open, vec![1, 2, 0])]);
}

/// Each count of the header says how many audits have its tags.
#[test]
fn a_count_filters_as_many_audits_as_it_says() {
    use Expectation::{NotViolated, Violated as Planted};
    let mut all = vec![
        finding(Verdict::Violated, Planted),
        finding(Verdict::NotRefuted, Planted),
        finding(Verdict::Violated, NotViolated),
        finding(Verdict::NotRefuted, NotViolated),
        finding(Verdict::NotRefuted, NotViolated),
        finding(Verdict::Inconclusive, NotViolated),
        finding(Verdict::Verified, NotViolated),
        finding(Verdict::Bounded, NotViolated),
    ];
    (all[0].leak_source, all[2].leak_source) = (Some(LeakSource::Bits), Some(LeakSource::Time));
    let report = report(all);
    let tags: Vec<String> = report.audits.iter().map(tags).collect();
    let has = |tags: &String, filter: &str| {
        filter.split(' ').all(|tag| tags.split(' ').any(|own| own == tag))
    };
    let lines =
        totals_lines(&report).into_iter().flat_map(|line| line.parts.into_iter().chain([line.of]));
    let mut counted = 0;
    for total in lines.chain(leaks(&report)).filter(|total| !total.filter.is_empty()) {
        let digits: String = total.words.chars().filter(char::is_ascii_digit).collect();
        let here = tags.iter().filter(|tags| has(tags, &total.filter)).count();
        assert_eq!(here.to_string(), digits, "{}: {}", total.words, total.filter);
        counted += 1;
    }
    assert_eq!(counted, 11);
    assert_eq!(leak(&report.audits[0]), Some("low bits"));
    assert_eq!(leak(&report.audits[3]), None);
    let unexpected = tags.iter().filter(|tags| has(tags, "unexpected")).count();
    assert_eq!(unexpected, report.audits.iter().filter(|finding| !finding.as_expected).count());
}
