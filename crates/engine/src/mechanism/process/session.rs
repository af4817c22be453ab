//! State that changes while a program answers requests: all cells of a [`Process`](super::Process) are here.

use super::diagnosis::Diagnosis;
use super::plan::Plan;
use crate::mechanism::program::{Copy, word};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Datasets whose breakdowns are counted.
const MOST_DATASETS: usize = 256;

/// State of the copies of a program, and what is known of it.
pub(super) struct Session {
    /// Word in the environment of all processes that it starts.
    pub word: String,
    /// Living copies that wait for a request.
    pub idle: Mutex<Vec<Copy>>,
    pub requests: AtomicU64,
    /// Requests for batches that living copies have answered since the last look began, and microseconds spent on
    /// comparing them with fresh ones.
    pub lived: AtomicU64,
    pub compared: AtomicU64,
    /// `false` where fresh copies of a function broke down, or cannot be started.
    pub has_copies: AtomicBool,
    /// `true` if it answers queries; `None` until it was asked.
    pub has_query: Mutex<Option<bool>>,
    /// Answers of a clean stage in JSON, by dataset.
    pub values: Mutex<HashMap<String, String>>,
    pub known: Mutex<Known>,
}

/// Knowledge of a program, and how it is run by that.
#[derive(Default)]
pub(super) struct Known {
    pub diagnosis: Option<Arc<Diagnosis>>,
    pub plan: Arc<Plan>,
    pub breakdowns: Breakdowns,
}

/// Breakdowns after which a fresh copy answered.
#[derive(Default)]
pub(super) struct Breakdowns {
    pub all: u64,
    /// The first, in words.
    pub first: Option<String>,
    /// By dataset, while trials were played.
    pub on: HashMap<String, u64>,
}

impl Breakdowns {
    pub fn add(&mut self, dataset: Option<&str>, words: impl FnOnce() -> String) {
        self.all += 1;
        self.first.get_or_insert_with(words);
        let Some(dataset) = dataset else { return };
        if self.on.len() < MOST_DATASETS || self.on.contains_key(dataset) {
            *self.on.entry(dataset.to_owned()).or_default() += 1;
        }
    }
}

impl Session {
    pub fn new(has_copies: bool) -> Self {
        Self {
            word: word(),
            idle: Mutex::default(),
            requests: AtomicU64::new(0),
            lived: AtomicU64::new(0),
            compared: AtomicU64::new(0),
            has_copies: AtomicBool::new(has_copies),
            has_query: Mutex::default(),
            values: Mutex::default(),
            known: Mutex::default(),
        }
    }

    /// Begins a look of an audit without a plan, and takes the diagnosis of an earlier one.
    pub fn begin(&self) -> Option<Arc<Diagnosis>> {
        self.lived.store(0, Ordering::Relaxed);
        let mut known = self.known();
        known.plan = Arc::default();
        known.diagnosis.take()
    }

    pub fn known(&self) -> MutexGuard<'_, Known> {
        lock(&self.known)
    }

    pub fn plan(&self) -> Arc<Plan> {
        self.known().plan.clone()
    }
}

/// Locks a mutex, even after a panic, as each change is a single step.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
