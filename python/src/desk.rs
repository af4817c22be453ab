//! Calls from the threads of an audit, made one after another by the thread that asked for the audit: it alone holds
//! Python's interpreter, and Python's signals reach it.

use plaudit::Outcomes;
use plaudit::mechanism::Trouble;
use plaudit::mechanism::{Answer, Function, FunctionRequest};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, SyncSender, sync_channel};

/// What comes from the threads of an audit.
pub enum Message {
    /// A wish.
    Job(Box<Job>),
    /// The audit is over.
    Over,
}

/// What a thread of the audit wants.
pub struct Job {
    /// The dataset, as JSON.
    pub dataset: String,
    /// The other one, and the order of the runs.
    pub interleaved: Option<(String, Vec<bool>)>,
    /// What is wanted of it.
    pub wanted: Wanted,
    /// Where the answer goes.
    pub reply: SyncSender<Reply>,
}

/// Runs, or the answer of the query.
pub enum Wanted {
    /// Runs with this seed, added to these outcomes.
    Runs {
        /// How many.
        runs: usize,
        /// Their seed.
        seed: u64,
        /// Those that were there before.
        outcomes: Outcomes,
    },
    /// What noise is added to.
    Query,
}

/// The answer to a job.
pub enum Reply {
    /// The outcomes, whole or as far as they came.
    Runs(Outcomes, Result<(), Trouble>),
    /// The answer of the query.
    Query(Result<Option<Answer>, Trouble>),
}

/// Where the threads of an audit hand in what they want.
pub struct Desk {
    jobs: Mutex<Sender<Message>>,
}

impl Desk {
    /// A desk whose jobs come out at the other end.
    pub fn new(jobs: Sender<Message>) -> Self {
        Self { jobs: Mutex::new(jobs) }
    }

    fn ask(
        &self,
        dataset: &str,
        interleaved: Option<(&str, &[bool])>,
        wanted: Wanted,
    ) -> Option<Reply> {
        let (reply, answer) = sync_channel(1);
        let interleaved = interleaved.map(|(other, order)| (other.to_owned(), order.to_vec()));
        let job = Job { dataset: dataset.to_owned(), interleaved, wanted, reply };
        self.jobs
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .send(Message::Job(Box::new(job)))
            .ok()?;
        answer.recv().ok()
    }
}

impl Function for Desk {
    fn ask(
        &self,
        request: &FunctionRequest<'_>,
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble> {
        if interrupted.load(Ordering::Relaxed) {
            return Err(Trouble::Interrupted);
        }
        let FunctionRequest { dataset, interleaved, runs, seed } = *request;
        let before = std::mem::take(outcomes);
        match self.ask(dataset, interleaved, Wanted::Runs { runs, seed, outcomes: before }) {
            Some(Reply::Runs(all, done)) => {
                *outcomes = all;
                done
            }
            _ => Err(Trouble::Interrupted),
        }
    }

    fn query(&self, dataset: &str, interrupted: &AtomicBool) -> Result<Option<Answer>, Trouble> {
        if interrupted.load(Ordering::Relaxed) {
            return Err(Trouble::Interrupted);
        }
        match self.ask(dataset, None, Wanted::Query) {
            Some(Reply::Query(answer)) => answer,
            _ => Err(Trouble::Interrupted),
        }
    }
}
