//! Audits of Python callables.

use crate::desk::{Desk, Job, Message, Reply, Wanted};
use crate::failed;
use crate::outcome::OutcomeReader;
use crate::report::Finished;
use plaudit::cli::provenance_of_call;
use plaudit::dataset::{Dataset, Pair, Table};
use plaudit::game::Control;
use plaudit::mechanism::{Answer, Trouble};
use plaudit::spec::{FunctionSpec, Overrides, check_confirm, parse_function};
use plaudit::{AnyCertificate, Audit, Outcomes, Seal};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often signals are looked for while no call is wanted.
const SLICE: Duration = Duration::from_millis(50);
/// How often progress is told.
const TOLD: Duration = Duration::from_millis(100);
/// Calls between two looks for signals, where the callable may be one that looks for none itself.
const CALLS: usize = 256;

/// Threads of the engine beside one a processor: with two more, the calls never wait for what is counted (measured by
/// `python/benches/speed.py`).
const WAITING: usize = 2;

/// Whether this process, or one that it comes from, was forked since the module was loaded.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Notes that this process is a forked child.
#[pyfunction]
pub fn forked() {
    FORKED.store(true, Ordering::Relaxed);
}

/// How an audit is run, beside what its spec says.
#[derive(FromPyObject)]
pub struct RunOptions {
    /// Whether the audit ends as soon as it is clear.
    #[pyo3(item)]
    until_clear: bool,
    /// What loss, in multiples of the claim, is enough to end early at; none: only when the claim is refuted, if at all.
    #[pyo3(item)]
    enough: Option<f64>,
    /// Threads of the engine, at least 1; none: two more than there are processors.
    #[pyo3(item)]
    threads: Option<usize>,
    /// What starts a fresh copy of the callable as a program; none: nothing does.
    #[pyo3(item)]
    copies: Option<Vec<String>>,
    /// Whether such copies answer all requests, one a thread.
    #[pyo3(item)]
    run_in_copies: bool,
    /// The command of this process, word by word.
    #[pyo3(item)]
    command: Vec<String>,
    /// The folder that says which git commit this is.
    #[pyo3(item)]
    folder: PathBuf,
    /// Files that the callable consists of, and their versions.
    #[pyo3(item)]
    files: Vec<(PathBuf, Option<String>)>,
}

/// Runs an audit of a Python callable.
///
/// `spec` is the audit as JSON, with the keys of a spec; `pairs` are name, D and D' as JSON texts; `callee` is a
/// `plaudit._callee.Callee`; `progress` is called with the trials done and those to do.
///
/// # Errors
/// `ValueError` for what is wrong with the spec, `RuntimeError` for what keeps it from being run, and whatever the
/// callable raises that is no outcome.
#[pyfunction]
pub fn audit(
    py: Python<'_>,
    spec: &str,
    pairs: Vec<(String, String, String)>,
    callee: &Bound<'_, PyAny>,
    options: RunOptions,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Finished> {
    let (jobs, inbox) = channel();
    let over = jobs.clone();
    let pairs = pairs.into_iter().map(|pair| parsed_pair(&pair)).collect::<Result<Vec<_>, _>>()?;
    let function = FunctionSpec {
        function: Arc::new(Desk::new(jobs)),
        copies: options.copies,
        run_in_copies: options.run_in_copies,
        pairs,
    };
    let mut audit = read(spec, &function)?;
    drop(function);
    // Some of them always wait for the thread that calls.
    let threads = options
        .threads
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()) + WAITING);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = threads.build().map_err(|error| failed(&error))?;
    let total = audit.settings().trials;
    let name = audit.name().to_owned();
    let (command, folder, files) = (options.command, options.folder, options.files);
    let asked = py.detach(|| provenance_of_call(&name, command, &folder, files));
    let asked = asked.map_err(PyValueError::new_err)?;
    let counter = Counter { callee: Callee::of(py, callee)?, progress, total, stopped: None };
    let audited = counter.attend(py, (inbox, over), |control| {
        pool.install(|| match options.enough {
            enough if options.until_clear => {
                audit.run_until_clear(enough.filter(|times| times.is_finite()), control)
            }
            Some(enough) => audit.run_in_looks(Some(enough), control),
            None => audit.run(control),
        })
    })?;
    let mut audited = audited.map_err(|error| failed(&error))?;
    audited.finding.notes.extend(callee.getattr("note")?.extract::<Option<String>>()?);
    let (seed, alpha) = (audit.settings().seed, audit.settings().alpha);
    Finished::of(audited, seed, alpha, asked)
}

/// Replays a certificate, which is JSON, on the callable, with this seed, as many runs as it rests on.
///
/// # Errors
/// As [`audit`].
#[pyfunction]
pub fn replay(
    py: Python<'_>,
    certificate: &str,
    spec: &str,
    callee: &Bound<'_, PyAny>,
    seed: u64,
) -> PyResult<String> {
    let wrong = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
    let json: serde_json::Value =
        serde_json::from_str(certificate).map_err(|error| wrong(&error))?;
    if matches!(Seal::of(&json), Seal::Broken { .. }) {
        return Err(wrong(&"the certificate was changed after it was written: its digest says so"));
    }
    // Of another version: told, or refused with the remedy.
    let (AnyCertificate::Refutation(certificate), _) =
        AnyCertificate::read(json).map_err(|error| wrong(&error))?
    else {
        return Err(wrong(&"the certificate is that of a sensitivity: `plaudit replay` checks it"));
    };
    check_confirm(certificate.content.confirm).map_err(|why| wrong(&why))?;
    if !certificate.disagreements().map_err(|why| wrong(&why))?.is_empty() {
        return Err(wrong(&"the certificate says what does not follow from its counts"));
    }
    let dataset = |value: &serde_json::Value| {
        serde_json::from_value::<Dataset>(value.clone()).map_err(|error| wrong(&error))
    };
    let pair = Pair {
        name: certificate.pair.name.clone(),
        d: dataset(&certificate.pair.d)?,
        d_prime: dataset(&certificate.pair.d_prime)?,
    };
    let (jobs, inbox) = channel();
    let over = jobs.clone();
    let function = FunctionSpec {
        function: Arc::new(Desk::new(jobs)),
        copies: None,
        run_in_copies: false,
        pairs: vec![pair.clone()],
    };
    let audit = read(spec, &function)?;
    drop(function);
    let counter =
        Counter { callee: Callee::of(py, callee)?, progress: None, total: 0, stopped: None };
    let replayed = counter.attend(py, (inbox, over), |control| {
        let mechanism = audit.mechanism();
        certificate.replay(mechanism, &pair, seed, control)
    })?;
    let replayed = replayed.map_err(|error| failed(&error))?;
    serde_json::to_string(&replayed).map_err(|error| failed(&error))
}

fn read(spec: &str, function: &FunctionSpec) -> PyResult<Audit<Dataset>> {
    let wrong = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
    let table: toml::Table = serde_json::from_str(spec).map_err(|error| wrong(&error))?;
    let mut document = toml::Table::new();
    document.insert("audit".into(), toml::Value::Array(vec![toml::Value::Table(table)]));
    let text = toml::to_string(&document).map_err(|error| wrong(&error))?;
    let read = parse_function(&text, Path::new("plaudit.audit"), &Overrides::default(), function);
    let loaded = read.map_err(|errors| {
        let each = errors.0.iter().map(|error| format!("{} ({})", error.message, error.help));
        PyValueError::new_err(each.collect::<Vec<_>>().join("\n"))
    })?;
    let first = loaded.into_iter().next();
    Ok(first.ok_or_else(|| PyValueError::new_err("there is no audit"))?.audit)
}

fn parsed_pair((name, d, d_prime): &(String, String, String)) -> PyResult<Pair<Dataset>> {
    let dataset = |json: &str| -> PyResult<Dataset> {
        let value: serde_json::Value =
            serde_json::from_str(json).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let is_table = value.as_object().is_some_and(|fields| {
            fields.len() == 2 && fields.contains_key("columns") && fields.contains_key("rows")
        });
        let table = is_table.then(|| serde_json::from_value::<Table>(value.clone()).ok());
        Ok(table.flatten().map_or(Dataset::Json(value), Dataset::Table))
    };
    Ok(Pair { name: name.clone(), d: dataset(d)?, d_prime: dataset(d_prime)? })
}

/// The Python side: what is called.
struct Callee<'py> {
    py: Python<'py>,
    callee: Bound<'py, PyAny>,
    reader: OutcomeReader<'py>,
    process: u32,
}

impl<'py> Callee<'py> {
    fn of(py: Python<'py>, callee: &Bound<'py, PyAny>) -> PyResult<Self> {
        Ok(Self {
            py,
            callee: callee.clone(),
            reader: OutcomeReader::new(py, callee.getattr("line")?)?,
            process: std::process::id(),
        })
    }

    /// Ends this process if the callable forked it and let it return here: there are two of us then.
    fn end_if_forked(&self) {
        if FORKED.load(Ordering::Relaxed) && std::process::id() != self.process {
            if let Ok(os) = self.py.import("os") {
                let _ = os.call_method1("_exit", (0,));
            }
            std::process::abort();
        }
    }

    /// One call and its time.
    fn call(
        &self,
        function: &Bound<'py, PyAny>,
        arguments: &Bound<'py, PyTuple>,
        outcomes: &mut Outcomes,
    ) -> PyResult<u64> {
        let start = Instant::now();
        let returned = function.call1(arguments);
        let nanoseconds = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.end_if_forked();
        self.reader.push(returned, outcomes)?;
        Ok(nanoseconds)
    }

    fn runs(&self, job: &Job, runs: usize, seed: u64, outcomes: &mut Outcomes) -> PyResult<()> {
        // Called once a run; none: it draws batches.
        let function = self.callee.getattr("function")?;
        if function.is_none() {
            return self.batch(&job.dataset, runs, seed, outcomes);
        }
        let begin = |dataset: &str| -> PyResult<Bound<'py, PyTuple>> {
            let arguments = self.callee.call_method1("arguments", (dataset, seed))?;
            Ok(arguments.cast_into::<PyTuple>()?)
        };
        let first = begin(&job.dataset)?;
        let Some((other, order)) = &job.interleaved else {
            for run in 1..=runs {
                let returned = function.call1(&first);
                self.end_if_forked();
                self.reader.push(returned, outcomes)?;
                if run.is_multiple_of(CALLS) {
                    self.py.check_signals()?;
                }
            }
            return self.after();
        };
        let second = self.callee.call_method1("arguments_beside", (other, &first))?;
        let second = second.cast_into::<PyTuple>()?;
        for on_first in order {
            let mut one = Outcomes::new();
            let nanoseconds =
                self.call(&function, if *on_first { &first } else { &second }, &mut one)?;
            outcomes.push_timed(one.get(0).to_owned(), nanoseconds);
        }
        self.after()
    }

    /// Looks whether the callable has changed its dataset, now and then.
    fn after(&self) -> PyResult<()> {
        self.callee.call_method0("after").map(|_| ())
    }

    /// Runs of a function that draws many at once; if it raises, run by run, so that the exception is the outcome of
    /// the run that it hits.
    fn batch(
        &self,
        dataset: &str,
        runs: usize,
        seed: u64,
        outcomes: &mut Outcomes,
    ) -> PyResult<()> {
        let before = outcomes.len();
        let drawn = self.callee.call_method1("draw", (dataset, runs, seed));
        self.end_if_forked();
        let pushed = drawn.and_then(|drawn| self.reader.push_batch(&drawn, outcomes));
        match pushed {
            // A wrong number of them is told by who asked.
            Ok(_) => return self.after(),
            Err(raised) if raised.is_instance_of::<PyKeyboardInterrupt>(self.py) => {
                return Err(raised);
            }
            Err(_) => outcomes.truncate(before),
        }
        for single in self.callee.call_method1("singles", (dataset, runs, seed))?.try_iter()? {
            self.end_if_forked();
            self.reader.push_value(&single?, outcomes)?;
            self.py.check_signals()?;
        }
        self.after()
    }

    fn query(&self, dataset: &str) -> PyResult<Option<Answer>> {
        let answer = self.callee.call_method1("answer", (dataset,))?;
        let Some((numbers, failure)) = answer.extract::<Option<(Vec<f64>, Option<String>)>>()?
        else {
            return Ok(None);
        };
        Ok(Some(failure.map_or(Ok(numbers), Err)))
    }
}

/// Serves the threads of an audit until it is over.
struct Counter<'py> {
    callee: Callee<'py>,
    progress: Option<Bound<'py, PyAny>>,
    total: u64,
    /// What ended it: an interrupt, or an error that is no outcome.
    stopped: Option<PyErr>,
}

impl Counter<'_> {
    fn attend<T: Send>(
        mut self,
        py: Python<'_>,
        (inbox, over): (Receiver<Message>, Sender<Message>),
        run: impl FnOnce(Control<'_>) -> T + Send,
    ) -> PyResult<T> {
        let (interrupted, done) = (AtomicBool::new(false), AtomicU64::new(0));
        let advance = |trials: u64| {
            done.fetch_add(trials, Ordering::Relaxed);
        };
        let result = std::thread::scope(|scope| {
            let control =
                Control { interrupted: &interrupted, progress: &advance, ..Control::unattended() };
            let worker = scope.spawn(move || {
                let result = run(control);
                // Whoever waits need not wait for the next look.
                let _ = over.send(Message::Over);
                result
            });
            // Only one thread of Python's may wait here, and it is this one.
            let inbox = &std::sync::Mutex::new(inbox);
            let mut told = Instant::now();
            while !worker.is_finished() {
                let next = py.detach(|| {
                    let inbox = inbox.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    inbox.recv_timeout(SLICE)
                });
                match next {
                    Ok(Message::Job(job)) => self.serve(*job),
                    Ok(Message::Over) => break,
                    Err(RecvTimeoutError::Timeout) => {
                        self.note(py.check_signals());
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if told.elapsed() > TOLD {
                    told = Instant::now();
                    self.tell(done.load(Ordering::Relaxed));
                }
                if self.stopped.is_some() {
                    interrupted.store(true, Ordering::Relaxed);
                }
            }
            py.detach(|| worker.join())
        });
        match (self.stopped, result) {
            (Some(stopped), _) => Err(stopped),
            (None, Ok(result)) => Ok(result),
            (None, Err(panic)) => std::panic::resume_unwind(panic),
        }
    }

    /// Keeps the first thing that ended it.
    fn note<T>(&mut self, result: PyResult<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.stopped.get_or_insert(error);
                None
            }
        }
    }

    fn tell(&mut self, done: u64) {
        if let Some(progress) = &self.progress {
            let told = progress.call1((done.min(self.total), self.total));
            self.note(told);
        }
    }

    fn serve(&mut self, mut job: Job) {
        let over = self.stopped.is_some();
        let reply = match &mut job.wanted {
            Wanted::Runs { runs, seed, outcomes } => {
                let (runs, seed, mut outcomes) = (*runs, *seed, std::mem::take(outcomes));
                let made = if over {
                    None
                } else {
                    let made = self.callee.runs(&job, runs, seed, &mut outcomes);
                    self.note(made)
                };
                Reply::Runs(outcomes, made.ok_or(Trouble::Interrupted))
            }
            Wanted::Query => {
                let answer = if over {
                    None
                } else {
                    let answer = self.callee.query(&job.dataset);
                    self.note(answer)
                };
                Reply::Query(answer.ok_or(Trouble::Interrupted))
            }
        };
        // Who has gone needs no answer.
        let _ = job.reply.send(reply);
    }
}
