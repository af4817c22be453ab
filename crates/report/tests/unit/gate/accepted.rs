use super::*;

fn check(name: &str, rule: GateRule) -> GateCheck {
    GateCheck {
        name: name.into(),
        status: CheckStatus::Failed,
        rule,
        message: "it failed".into(),
        catches: None,
        place: None,
        fingerprint: "ab12".into(),
        alert: "ab12".into(),
        seconds: None,
        telling: None,
        accepted: None,
        bound: None,
    }
}

fn acceptance(audit: &str, rule: GateRule, fingerprint: Option<&str>, expires: &str) -> Acceptance {
    Acceptance {
        audit: audit.into(),
        rule,
        fingerprint: fingerprint.map(str::to_owned),
        bound: None,
        reason: "a reason".into(),
        expires: expires.into(),
        place: ("accepted.toml".into(), 1),
    }
}

fn accepted(all: &[Acceptance], today: &str) -> (GateCheck, Vec<GateNote>) {
    let mut checks = [check("count", GateRule::Violated)];
    let mut notes = Vec::new();
    accept(all, today, &mut checks, &mut notes);
    (checks[0].clone(), notes)
}

#[test]
fn what_matches_is_accepted_up_to_its_last_day() {
    let all = [acceptance("count", GateRule::Violated, None, "2026-12-31")];
    for (today, is_accepted) in [("2026-11-26", true), ("2026-12-31", true), ("2027-01-01", false)]
    {
        let (check, notes) = accepted(&all, today);
        assert_eq!(check.status == CheckStatus::Accepted, is_accepted, "{today}");
        assert_eq!(check.message.contains("expired on 2026-12-31"), !is_accepted, "{today}");
        assert!(notes.iter().all(|note| note.rule == GateRule::OpenAcceptance), "{notes:?}");
    }
    let (check, _) = accepted(&all, "2026-11-26");
    assert_eq!(check.accepted.as_deref(), Some("accepted until 2026-12-31: a reason"));
}

#[test]
fn what_matches_nothing_is_stale_and_accepts_nothing() {
    for other in [
        acceptance("other", GateRule::Violated, None, "2026-12-31"),
        acceptance("count", GateRule::MissedMistake, None, "2026-12-31"),
        acceptance("count", GateRule::Violated, Some("ab13"), "2026-12-31"),
    ] {
        let (check, notes) = accepted(&[other], "2026-11-26");
        assert_eq!(check.status, CheckStatus::Failed);
        assert_eq!(
            (notes.len(), notes[0].rule, notes[0].level),
            (1, GateRule::StaleAcceptance, NoteLevel::Warning)
        );
    }
    let (check, notes) = accepted(
        &[acceptance("count", GateRule::Violated, Some("AB12"), "2026-12-31")],
        "2026-11-26",
    );
    assert_eq!((check.status, notes.len()), (CheckStatus::Accepted, 0));
}

#[test]
fn of_two_entries_the_longer_one_counts_and_only_failures_are_accepted() {
    let all = [
        acceptance("count", GateRule::Violated, None, "2026-01-01"),
        acceptance("count", GateRule::Violated, None, "2027-01-01"),
    ];
    assert_eq!(accepted(&all, "2026-11-26").0.status, CheckStatus::Accepted);
    let mut checks = [check("count", GateRule::Violated)];
    checks[0].status = CheckStatus::Inconclusive;
    let mut notes = Vec::new();
    accept(&all, "2026-11-26", &mut checks, &mut notes);
    assert_eq!((checks[0].status, notes.len()), (CheckStatus::Inconclusive, 2));
}
