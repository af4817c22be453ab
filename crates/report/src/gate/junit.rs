//! JUnit XML, which CI systems show as tests.

use super::check::CheckStatus;
use super::decide::GateDecision;
use plaudit_core::visible::visible;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// A suite of test cases, one a check: a failed check is a failure, one that could not be tested properly an error,
/// an advisory, accepted or left-out one is skipped. The body of a failure has witness, counts, possible causes, what to do
/// and the command that replays it. Notes are the output of the suite.
///
/// # Errors
/// If writing fails, which memory does not.
pub fn junit(decision: &GateDecision) -> Result<String, String> {
    let mut suite = TestSuite::new("plaudit");
    for check in &decision.checks {
        let status = match check.status {
            CheckStatus::Passed => TestCaseStatus::success(),
            CheckStatus::Accepted | CheckStatus::Advisory => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(visible(&check.words())).set_type(check.rule.id());
                status
            }
            CheckStatus::Failed | CheckStatus::Inconclusive => {
                let kind = match check.status {
                    CheckStatus::Failed => NonSuccessKind::Failure,
                    _ => NonSuccessKind::Error,
                };
                let mut status = TestCaseStatus::non_success(kind);
                status.set_message(visible(&check.message)).set_type(check.rule.id());
                if let Some(telling) = &check.telling {
                    let notes = telling.notes.iter().map(|note| format!("note: {note}"));
                    let lines = telling.lines().into_iter().chain(notes);
                    let lines = lines.map(|line| visible(&line));
                    status.set_description(lines.collect::<Vec<_>>().join("\n"));
                }
                status
            }
        };
        let mut case = TestCase::new(visible(&check.name), status);
        if let Some((file, _)) = &check.place {
            case.set_classname(visible(file));
        }
        if let Some(seconds) = check.seconds {
            case.set_time(Duration::try_from_secs_f64(seconds).unwrap_or_default());
        }
        suite.add_test_case(case);
    }
    for it in &decision.left_out {
        let mut status = TestCaseStatus::skipped();
        status.set_message(visible(&format!("left out: {}", it.why))).set_type("left-out");
        suite.add_test_case(TestCase::new(visible(&it.audit), status));
    }
    let seconds = decision.checks.iter().filter_map(|check| check.seconds).sum();
    let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    suite.set_time(time);
    let mut said = vec![decision.words(), decision.family.words()];
    said.extend(decision.notes.iter().map(|note| visible(&note.words())));
    suite.set_system_out(said.join("\n"));
    let mut report = Report::new("plaudit");
    report.set_time(time).add_test_suite(suite);
    report.to_string().map_err(|error| error.to_string())
}
