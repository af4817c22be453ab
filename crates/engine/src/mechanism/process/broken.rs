//! Programs that break their contract or break down, in words.

use super::child::ProgramFailure;
use super::talk::Request;
use super::{Process, ProgramSettings};
use crate::mechanism::Trouble;

impl Process {
    pub(super) fn trouble(&self, broken: &Broken) -> Trouble {
        if broken.failure == ProgramFailure::Interrupted {
            return Trouble::Interrupted;
        }
        let what = failure_words(&broken.failure, &self.settings);
        let noun = self.noun();
        let mut words = format!("The {noun} broke its contract: {what} on {}.", broken.request);
        if matches!(broken.failure, ProgramFailure::Start(_)) {
            words = format!("The program could not be run: {what}.");
        }
        if matches!(broken.failure, ProgramFailure::Died(_) | ProgramFailure::Timeout(_)) {
            let twice = if broken.is_again { ", twice" } else { "" };
            words = format!("The program broke down{twice}: {what} on {}.", broken.request);
        }
        if let Some(remedy) = remedy(&broken.failure) {
            words.push_str(&format!(" {remedy}"));
        }
        if !broken.last_words.is_empty() {
            words.push_str(&format!(" Its standard error ends: {}", broken.last_words));
        }
        Trouble::Broken(words)
    }
}

/// A request that failed for good.
pub(super) struct Broken {
    pub(super) failure: ProgramFailure,
    pub(super) request: String,
    pub(super) last_words: String,
    /// `true` if it failed once more.
    pub(super) is_again: bool,
}

impl Broken {
    pub(super) fn new(failure: ProgramFailure, request: &Request<'_>, last_words: &str) -> Self {
        let (request, last_words) = (request.words(), last_words.to_owned());
        Self { failure, request, last_words, is_again: true }
    }
}

pub(super) fn failure_words(failure: &ProgramFailure, settings: &ProgramSettings) -> String {
    match failure {
        ProgramFailure::Interrupted => "interrupted".into(),
        ProgramFailure::Start(words)
        | ProgramFailure::Protocol(words)
        | ProgramFailure::Stray(words) => words.clone(),
        ProgramFailure::Died(words) => format!("it broke off ({words})"),
        ProgramFailure::Timeout(None) => format!("it gave no answer within {} s", settings.timeout),
        ProgramFailure::Timeout(Some((given, runs))) => {
            format!("it gave only {given} of {runs} outcomes within {} s", settings.timeout)
        }
    }
}

pub(super) fn remedy(failure: &ProgramFailure) -> Option<&'static str> {
    match failure {
        ProgramFailure::Stray(_) => Some(
            "All that a program prints on standard output must be outcomes. A banner is what is printed \
             there and is none, such as a greeting, a log or a warning of a library: print it to standard \
             error (in Python: print(.., file=sys.stderr); `serve` of the package plaudit sends all prints \
             there). An outcome that is a text stands in double quotes.",
        ),
        ProgramFailure::Timeout(_) => Some(
            "If it did answer, the answer may still be in its buffer: flush standard output after each \
             request (in Python: sys.stdout.flush(); in C: fflush(stdout)), and read \
             its requests line by line, not to the end. If it needs longer, raise `timeout`, or lower `batch`.",
        ),
        _ => None,
    }
}

/// A breakdown as an outcome, with equal words for equal kinds of end.
pub(super) fn outcome_words(failure: &ProgramFailure) -> String {
    match failure {
        ProgramFailure::Died(words) => {
            let how = words.split(',').next().unwrap_or_default();
            format!("the program broke off ({how})")
        }
        _ => "timeout".into(),
    }
}
