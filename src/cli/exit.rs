//! Exit codes: what a gate reads.

use plaudit_core::finding::Verdict;

pub const AS_EXPECTED: u8 = 0;
/// An unexpected violation, or an expected one that was not found; for `replay`: the violation did
/// not show again; for `account`, `attack` and `canaries`: the claim is refuted; for `law`: the law is refuted; for `attest verify`: the attestation is refused;
/// for `budget`: the release is refused, or the ledger does not keep its budget.
pub const UNEXPECTED: u8 = 1;
/// Wrong usage, a mistake in a spec, or an I/O error: every claim is left open.
pub const FAILED: u8 = 2;
/// Some claim could not be tested properly, and nothing worse. [`UNEXPECTED`] outranks it.
pub const INCONCLUSIVE: u8 = 3;
pub const NOTHING_SELECTED: u8 = 4;
pub const INTERRUPTED: u8 = 130;
pub const TERMINATED: u8 = 143;

/// The codes of commands that give verdicts, for `--help`.
pub(super) const OF_VERDICTS: &str = "  0    every verdict is as expected
  1    an unexpected violation, or an expected violation that was not
       found (replay: the violation was not reproduced)
  2    wrong usage, a mistake in a spec, or an I/O error
  3    inconclusive: some claim could not be tested properly (1 outranks 3)
  4    nothing selected
  130  interrupted (Ctrl-C); 143 if terminated (SIGTERM)";

pub(super) const OF_GATE: &str = "  0    green: every verdict as expected, and nothing in the baseline is missing or looser
  1    red: a violation, a missed planted mistake, an attack, a looser claim or a missing audit
       that was not accepted (--accepted)
  2    wrong usage, a mistake in a spec, or an I/O error
  3    inconclusive: nothing worse, but a claim could not be tested properly or was not reached in time
  4    nothing selected
  130  interrupted (Ctrl-C); 143 if terminated (SIGTERM)";

pub(super) const OF_DIFF: &str = "  0    compared, whatever differs
  1    with --exit-code: something differs
  2    wrong usage, a file that is not a report, or an I/O error";

pub(super) const OF_REPLAY: &str = "  0    the violation was reproduced
  1    it did not
  2    wrong usage, a damaged or inconsistent certificate, or an I/O error
  130  interrupted (Ctrl-C); 143 if terminated (SIGTERM)";

pub(super) const OF_SPECS: &str = "  0    done
  2    wrong usage, a mistake in a spec, or an I/O error
  4    nothing selected
  130  interrupted (Ctrl-C); 143 if terminated (SIGTERM)";

pub(super) const OF_SHEETS: &str = "  0    done
  2    wrong usage, a file that is not a report, or an I/O error
  4    nothing selected";

pub(super) const OF_ATTESTATIONS: &str =
    "  0    written; verify: the signature, the report and all program files that are present agree
  1    verify: the attestation is refused
  2    wrong usage, a file that is not a report or a key, or an I/O error";

pub(super) const OF_BUDGETS: &str = "  0    begun, added, or within the budget
  1    add: the release is refused, and the ledger is unchanged;
       check, show: the releases do not keep the budget
  2    wrong usage, a file that is not a ledger, or an I/O error";

pub(super) const OF_ATTACKS: &str = "  0    answered, and the claim, if given, is not refuted
  1    the claim is refuted
  2    wrong usage, invalid input, or an I/O error
  130  interrupted (Ctrl-C); 143 if terminated (SIGTERM)";

pub(super) const OF_EXCESS: &str =
    "  0    answered, and the excess, if limited, is not shown to be above the limit
  1    the excess is above the limit
  2    wrong usage, invalid input, or an I/O error
  130  interrupted (Ctrl-C); 143 if terminated (SIGTERM)";

pub(super) const OF_ACCOUNTS: &str = "  0    answered; --claim: the claim holds
  1    --claim: the claim is refuted
  2    wrong usage, invalid input, or an I/O error
  3    --claim: the bracket does not decide it
  130  interrupted (Ctrl-C); 143 if terminated (SIGTERM)";

pub(super) const OF_CHECKS: &str = "  0    the claim is not violated
  1    the claim is violated
  2    wrong usage, invalid input, or Python is missing or has no plaudit
  3    inconclusive
  130  interrupted (Ctrl-C); 143 if terminated (SIGTERM)";

pub(super) const OF_LAWS: &str = "  0    the law is not refuted
  1    the law is refuted
  2    wrong usage, invalid input, or an I/O error
  4    --spec: no audit with a law is selected
  130  interrupted (Ctrl-C); 143 if terminated (SIGTERM)";

pub(super) const OF_ANSWERS: &str = "  0    answered
  2    wrong usage, invalid input, or an I/O error
  130  interrupted (Ctrl-C); 143 if terminated (SIGTERM)";

/// The exit code of a run: of each audit, the verdict and whether it is as expected.
pub fn of_verdicts(verdicts: impl IntoIterator<Item = (Verdict, bool)>) -> u8 {
    let of_verdict = |(verdict, as_expected)| match (verdict, as_expected) {
        (Verdict::Inconclusive, _) => INCONCLUSIVE,
        (_, true) => AS_EXPECTED,
        (_, false) => UNEXPECTED,
    };
    let rank = |code: &u8| match *code {
        AS_EXPECTED => 0,
        INCONCLUSIVE => 1,
        _ => 2,
    };
    verdicts.into_iter().map(of_verdict).max_by_key(rank).unwrap_or(NOTHING_SELECTED)
}

/// Exit code of a run that also has attacks: whether each ended as expected.
pub fn of_run(
    verdicts: impl IntoIterator<Item = (Verdict, bool)>,
    attacks: impl IntoIterator<Item = bool>,
) -> u8 {
    // An attack is as conclusive as a verdict that is not inconclusive.
    let attacks = attacks.into_iter().map(|as_expected| (Verdict::NotRefuted, as_expected));
    of_verdicts(verdicts.into_iter().chain(attacks))
}

#[cfg(test)]
#[path = "../../tests/unit/cli/exit.rs"]
mod tests;
