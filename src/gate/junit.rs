//! JUnit XML, which CI systems show as tests.

use super::check::CheckStatus;
use super::decide::GateDecision;
use crate::visible::visible;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// A suite of test cases, one a check: what failed is a failure, what could not be tested properly an error, what is
/// advisory or accepted is skipped. What else is to be said is the output of the suite.
///
/// # Errors
/// If it cannot be written, which memory does not refuse.
pub fn junit(decision: &GateDecision) -> Result<String, String> {
    let mut suite = TestSuite::new("plaudit");
    for check in &decision.checks {
        let status = match check.status {
            CheckStatus::Passed => TestCaseStatus::success(),
            CheckStatus::Accepted | CheckStatus::Advisory => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(visible(&check.words())).set_type(check.rule);
                status
            }
            CheckStatus::Failed | CheckStatus::Inconclusive => {
                let kind = match check.status {
                    CheckStatus::Failed => NonSuccessKind::Failure,
                    _ => NonSuccessKind::Error,
                };
                let mut status = TestCaseStatus::non_success(kind);
                status.set_message(visible(&check.message)).set_type(check.rule);
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
    let mut said = vec![decision.words(), decision.family.words()];
    said.extend(decision.notes.iter().map(|note| visible(&note.words())));
    suite.set_system_out(said.join("\n"));
    let mut report = Report::new("plaudit");
    report.add_test_suite(suite);
    let xml = report.to_string().map_err(|error| error.to_string())?;
    Ok(as_xunit(&xml))
}

/// Without what the schema of Jenkins' xUnit plugin, which others follow, does not have: the number of skipped tests in the tag of the
/// root. That tag comes before all names of strangers.
fn as_xunit(xml: &str) -> String {
    let Some((root, suites)) = xml.split_once("<testsuite ") else { return xml.to_owned() };
    let root = match root.split_once(" skipped=\"") {
        Some((before, after)) => {
            format!("{before}{}", after.split_once('"').map_or("", |(_, after)| after))
        }
        None => root.to_owned(),
    };
    format!("{root}<testsuite {suites}")
}
