//! Failures of a program to answer, in words.

use super::request::Request;
use crate::mechanism::Trouble;

/// Reason why a program gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramFailure {
    Interrupted,
    Start(String),
    /// It ended, or closed its output, within an answer; with the way it ended.
    Died(String),
    /// It exceeded its time, after this many of the requested outcomes.
    Timeout(Option<(usize, usize)>),
    Protocol(String),
    /// Its output is not an outcome, and may be a message for people.
    Stray(String),
}

impl ProgramFailure {
    /// `true` if it died or exceeded its time: an adversary may see that, and another copy may not do it.
    pub fn is_breakdown(&self) -> bool {
        matches!(self, Self::Died(_) | Self::Timeout(_))
    }

    /// The failure in words; `timeout` is the most seconds of an answer.
    pub fn words(&self, timeout: f64) -> String {
        match self {
            Self::Interrupted => "interrupted".into(),
            Self::Start(words) | Self::Protocol(words) | Self::Stray(words) => words.clone(),
            Self::Died(words) => format!("it broke off ({words})"),
            Self::Timeout(None) => format!("it gave no answer within {timeout} s"),
            Self::Timeout(Some((given, runs))) => {
                format!("it gave only {given} of {runs} outcomes within {timeout} s")
            }
        }
    }

    /// A breakdown as an outcome, with equal words for equal kinds of end.
    pub fn outcome_words(&self) -> String {
        match self {
            Self::Died(words) => {
                let how = words.split(',').next().unwrap_or_default();
                format!("the program broke off ({how})")
            }
            _ => "timeout".into(),
        }
    }

    fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Stray(_) => Some(
                "Everything that a program prints on standard output must be an outcome. A banner is anything else that is printed \
                 there, such as a greeting, a log or a warning of a library: print it to standard \
                 error (in Python: print(.., file=sys.stderr); `serve` of the package plaudit redirects all \
                 printed text there). An outcome that is a text stands in double quotes.",
            ),
            Self::Timeout(_) => Some(
                "If it did answer, the answer may still be in its buffer: flush standard output after each \
                 request (in Python: sys.stdout.flush(); in C: fflush(stdout)), and read \
                 its requests line by line, not to the end. If it needs longer, raise `timeout`, or lower `batch`.",
            ),
            _ => None,
        }
    }
}

/// A request that failed for good.
pub struct Broken {
    pub failure: ProgramFailure,
    pub request: String,
    pub last_words: String,
    /// `true` if it failed once more.
    pub is_again: bool,
}

impl Broken {
    pub fn new(failure: ProgramFailure, request: &Request<'_>, last_words: &str) -> Self {
        let (request, last_words) = (request.words(), last_words.to_owned());
        Self { failure, request, last_words, is_again: false }
    }

    /// For readers; `noun` is "program" or "function".
    pub fn trouble(&self, noun: &str, timeout: f64) -> Trouble {
        let what = self.failure.words(timeout);
        let twice = if self.is_again { ", twice" } else { "" };
        let request = &self.request;
        let mut words = match self.failure {
            ProgramFailure::Interrupted => return Trouble::Interrupted,
            ProgramFailure::Start(_) => format!("The program could not be run: {what}."),
            ProgramFailure::Died(_) | ProgramFailure::Timeout(_) => {
                format!("The program broke down{twice}: {what} on {request}.")
            }
            ProgramFailure::Protocol(_) | ProgramFailure::Stray(_) => {
                format!("The {noun} broke its contract: {what} on {request}.")
            }
        };
        if let Some(remedy) = self.failure.remedy() {
            words.push_str(&format!(" {remedy}"));
        }
        if !self.last_words.is_empty() {
            words.push_str(&format!(" Its standard error ends: {}", self.last_words));
        }
        Trouble::Broken(words)
    }
}
