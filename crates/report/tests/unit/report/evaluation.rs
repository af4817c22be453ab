use super::*;
use plaudit_core::claim::Claim;
use plaudit_engine::audit::Audit;

fn audit(name: &str) -> Audit<Vec<f64>> {
    let release = |data: &Vec<f64>, _: &mut plaudit_core::random::Stream| data[0];
    Audit::of(name, Claim::pure(1.0).unwrap(), release).pair(vec![0.0], vec![1.0]).trials(200)
}

#[test]
fn what_nobody_answered_is_not_stated_and_never_left_out() {
    let report = audit("a").state(Topic::Trust, "a curator | sees <b>all</b>").report().unwrap();
    let sheets = sheets(&report);
    assert_eq!(sheets[0].answers.len(), Topic::ALL.len());
    let words = |topic: Topic| {
        sheets[0].answers.iter().find(|answer| answer.topic == topic).unwrap().words()
    };
    assert_eq!(words(Topic::Utility), "not stated");
    assert_eq!(words(Topic::Trust), "a curator | sees <b>all</b> (stated)");
    assert!(words(Topic::Severity).starts_with("critical: "), "{}", words(Topic::Severity));
    let text = markdown(&report);
    assert_eq!(text.matches("not stated").count(), 1 + text.matches("| not stated |").count());
    assert!(text.contains(r"a curator \| sees \<b\>all\</b\> (stated)"), "{text}");
    for topic in Topic::ALL {
        assert!(text.contains(topic.question()), "{}", topic.question());
    }
}

#[test]
fn the_same_answer_of_several_audits_is_told_once() {
    let mut both = audit("a").report().unwrap();
    let other = audit("b").state(Topic::Trust, "nobody").report().unwrap();
    both.audits.extend(other.audits);
    let trust = &asked(&both)[4];
    let told: Vec<_> = trust.answers.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(told, [("not stated", "a"), ("nobody (stated)", "b")]);
    assert_eq!(asked(&both)[0].answers.len(), 1);
}
