//! Progress bars, on standard error, for people only.

use crate::cli::output;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use plaudit_accountant::number;
use plaudit_core::claim::Claim;
use plaudit_core::visible::visible;
use plaudit_engine::audit::reach::Reach;
use plaudit_engine::audit::{Audit, MIN_TRIALS, Settings};
use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A bar for the running audit, and one for the whole run.
pub(in crate::cli) struct Progress {
    bars: MultiProgress,
    audit: ProgressBar,
    total: ProgressBar,
    pace: Arc<Mutex<Pace>>,
    /// Looks for requests that take long, until its channel is closed.
    watcher: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

/// Speed of the running audit, estimated from its trials.
struct Pace {
    name: String,
    trials: u64,
    alpha: f64,
    claim: Option<Claim>,
    done: u64,
    /// Time and number of the first trials: earlier work (starts of programs, questions) is not their pace.
    first: Option<(Instant, u64)>,
    /// Time and trials when half of [`MEASURED`] had passed: slow work at first (a compiler, a cache) is not their
    /// pace.
    half: Option<(Instant, u64)>,
    /// Time of the last trials, and answers of few and of many trials since `half`.
    last: Option<Instant>,
    answers: AnswerTimes,
    /// `true` if it was reported, or need not be.
    said: bool,
    is_program: bool,
    /// The wait for the next answer, once a program has given one.
    wait: Option<Wait>,
}

/// Times of answers by their numbers of trials, for a line: seconds of an answer, and of each trial in it. A search asks for few
/// trials at a time, and what it learns of a request's own time does not hold of the many that come later.
#[derive(Clone, Copy, Default)]
struct AnswerTimes {
    count: f64,
    trials: f64,
    squares: f64,
    seconds: f64,
    products: f64,
    most: f64,
}

/// Ratio of the largest answer's trials to the mean at which answers differ enough for a line.
const UNEVEN: f64 = 1.5;

impl AnswerTimes {
    fn add(&mut self, trials: u64, took: Duration) {
        let (trials, seconds) = (trials as f64, took.as_secs_f64());
        self.count += 1.0;
        self.trials += trials;
        self.squares += trials * trials;
        self.seconds += seconds;
        self.products += trials * seconds;
        self.most = self.most.max(trials);
    }

    /// Seconds of a trial, in answers as large as the largest that was seen.
    fn of_trial(&self) -> f64 {
        let mean = self.seconds / self.trials;
        let spread = self.squares - self.trials * self.trials / self.count;
        if self.most * self.count < UNEVEN * self.trials || spread <= 0.0 {
            return mean;
        }
        let slope = (self.products - self.trials * self.seconds / self.count) / spread;
        let start = (self.seconds - slope.max(0.0) * self.trials) / self.count;
        (slope.max(0.0) + start.max(0.0) / self.most).min(mean)
    }
}

/// The wait for the next answer of a program, among those before.
struct Wait {
    since: Instant,
    longest: Duration,
    /// Waits up to this long were reported, or need not be.
    told: Duration,
}

/// Shortest wait that is reported, and its ratio to all before it.
const SLOW: Duration = Duration::from_secs(10);
const UNLIKE: u32 = 4;

/// How long the pace is measured, and from which duration on the user should know.
const MEASURED: Duration = Duration::from_secs(10);
const LONG: f64 = 60.0;
/// Fewer trials that are offered: these parts of them, the most that take a few minutes at most.
const FEWER: [u64; 4] = [5, 20, 100, 1000];
const SHORT: f64 = 150.0;

impl Wait {
    fn new(now: Instant) -> Self {
        Self { since: now, longest: Duration::ZERO, told: SLOW }
    }

    fn end(&mut self, now: Instant) {
        self.longest = self.longest.max(now - self.since);
        self.since = now;
        self.told = SLOW.max(UNLIKE * self.longest);
    }

    /// Note that there was no answer for long; repeated when it has taken twice as long.
    fn words(&mut self, name: &str, now: Instant) -> Option<String> {
        let wait = now - self.since;
        if wait < self.told {
            return None;
        }
        self.told = 2 * wait;
        if self.longest.is_zero() {
            return Some(format!(
                "note: {}: no run is counted yet, after {}: it is starting, answers questions before the audit, or is \
                 silent (a request has a time limit, `timeout`)",
                visible(name),
                span(wait.as_secs_f64())
            ));
        }
        Some(format!(
            "note: {}: no answer for {}, after waits of at most {:.1} s: the time left is not known",
            visible(name),
            span(wait.as_secs_f64()),
            self.longest.as_secs_f64()
        ))
    }
}

impl Pace {
    /// Note that it will take long, with the effect of fewer trials, once that is known.
    fn words(&mut self, more: u64) -> Option<String> {
        self.done += more;
        let now = Instant::now();
        if self.is_program {
            self.wait.get_or_insert_with(|| Wait::new(now)).end(now);
        }
        let (since, _) = *self.first.get_or_insert((now, self.done));
        if self.said || now - since < MEASURED / 2 {
            return None;
        }
        let (half, before) = *self.half.get_or_insert((now, self.done));
        if let Some(last) = self.last.replace(now) {
            self.answers.add(more, now - last);
        }
        let took = now - half;
        if now - since < MEASURED || self.done <= before || took.is_zero() {
            return None;
        }
        self.said = true;
        let each = match self.answers.trials > 0.0 {
            true => self.answers.of_trial(),
            false => took.as_secs_f64() / (self.done - before) as f64,
        };
        estimate(&self.name, self.trials, each, (self.claim.as_ref(), self.alpha))
    }
}

/// Note on an audit whose runs take this many seconds each; `None` for one that is soon done.
fn estimate(
    name: &str,
    trials: u64,
    each: f64,
    (claim, alpha): (Option<&Claim>, f64),
) -> Option<String> {
    let seconds = each * trials as f64;
    if seconds < LONG {
        return None;
    }
    let fits = |trials: &u64| *trials >= MIN_TRIALS && *trials as f64 * each <= SHORT;
    let fewer = FEWER.iter().map(|part| trials / part).find(fits);
    let fewer = fewer.map_or_else(String::new, |fewer| {
        let certified =
            claim.and_then(|claim| Reach { claim, alpha, trials: fewer }.most_certified());
        let certified = certified
            .map_or_else(String::new, |words| format!(" would still certify up to {words}"));
        format!("; --trials {fewer} ({}){certified}", span(fewer as f64 * each))
    });
    Some(format!(
        "note: {}: about {} at {} trials{fewer}",
        visible(name),
        span(seconds),
        number::grouped(trials)
    ))
}

fn span(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

impl Progress {
    /// Bars for a run of `trials` trials; hidden unless `wanted` and standard error is a terminal.
    pub fn new(wanted: bool, trials: u64) -> Self {
        let hidden = !wanted || !std::io::stderr().is_terminal();
        let target =
            if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bars = MultiProgress::with_draw_target(target);
        let bar = |length| {
            let style = "{msg:24!} {wide_bar} {human_pos} of {human_len} trials {eta:>4}";
            // The template above is one that indicatif knows; else its own default will do.
            let style = ProgressStyle::with_template(style)
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            bars.add(ProgressBar::new(length).with_style(style))
        };
        let (audit, total) = (bar(0), bar(trials));
        total.set_message("all");
        let pace = Pace {
            name: String::new(),
            trials: 0,
            alpha: 0.5,
            claim: None,
            done: 0,
            first: None,
            half: None,
            last: None,
            answers: AnswerTimes::default(),
            said: true,
            is_program: false,
            wait: None,
        };
        let pace = Arc::new(Mutex::new(pace));
        let watcher = Some(watch(bars.clone(), Arc::clone(&pace)));
        Self { bars, audit, total, pace, watcher }
    }

    /// The next audit starts, which may take long unless its trials are made to fit a time; for a program it is
    /// reported when one request takes long.
    pub fn start_timed<D>(&self, audit: &Audit<D>, is_program: bool) {
        let Settings { trials, seconds, alpha, .. } = *audit.settings();
        let pace = Pace {
            name: audit.name.clone(),
            trials,
            alpha,
            claim: Some(audit.claim.clone()),
            done: 0,
            first: None,
            half: None,
            last: None,
            answers: AnswerTimes::default(),
            said: seconds.is_some(),
            is_program,
            wait: is_program.then(|| Wait::new(Instant::now())),
        };
        *lock(&self.pace) = pace;
        self.start(&audit.name, trials);
    }

    pub fn start(&self, name: &str, trials: u64) {
        self.audit.reset();
        self.audit.set_length(trials);
        self.audit.set_message(name.to_owned());
    }

    /// Prints a note on standard error, above the bars.
    pub fn note(&self, words: &str) {
        self.bars.suspend(|| output::note(words));
    }

    /// Adds `trials` to the trials that are done.
    pub fn advance(&self, trials: u64) {
        let words = lock(&self.pace).words(trials);
        if let Some(words) = words {
            self.note(&words);
        }
        self.audit.inc(trials);
        self.total.inc(trials);
    }
}

fn lock(pace: &Mutex<Pace>) -> MutexGuard<'_, Pace> {
    pace.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reports an answer that takes long, from a thread of its own.
fn watch(bars: MultiProgress, pace: Arc<Mutex<Pace>>) -> (mpsc::Sender<()>, JoinHandle<()>) {
    let (stop, stopped) = mpsc::channel();
    let look = move || {
        while stopped.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
            let words = {
                let Pace { name, wait, done, trials, .. } = &mut *lock(&pace);
                // After the last trial the program is asked nothing that is waited for here.
                let wait = wait.as_mut().filter(|_| done < trials);
                wait.and_then(|wait| wait.words(name, Instant::now()))
            };
            if let Some(words) = words {
                bars.suspend(|| output::note(&words));
            }
        }
    };
    (stop, std::thread::spawn(look))
}

impl Drop for Progress {
    /// Leaves the terminal as it was.
    fn drop(&mut self) {
        if let Some((stop, watcher)) = self.watcher.take() {
            drop(stop);
            // It returns nothing; its panic was reported on standard error.
            let _ = watcher.join();
        }
        self.audit.finish_and_clear();
        self.total.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ln(r/(1 - r)) at r = α^(1/42 500) is 7.9.
    #[test]
    fn what_takes_long_is_said_with_what_fewer_trials_would_show() {
        let claim = Claim::approximate(1.0, 0.0).unwrap();
        let words = estimate("slow", 1_000_000, 0.0024, (Some(&claim), 1e-6)).unwrap();
        let begins = "note: slow: about 40 min at 1 000 000 trials; --trials 50000 (2 min) would still certify up to";
        assert!(words.starts_with(begins), "{words}");
        assert!(words.contains("epsilon = 7.") || words.contains("epsilon = 8."), "{words}");
        // Where nothing fewer is soon done, nothing is offered.
        let words = estimate("slower", 1000, 60.0, (None, 1e-6)).unwrap();
        assert_eq!(words, "note: slower: about 17 h at 1 000 trials");
        assert_eq!(estimate("fast", 1_000_000, 1e-6, (None, 1e-6)), None);
    }

    #[test]
    fn the_pace_is_that_of_the_trials_after_the_first() {
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        let pace = |first, half| Pace {
            name: "x".into(),
            trials: 10_000,
            alpha: 1e-6,
            claim: None,
            done: 100,
            first,
            half,
            last: None,
            answers: AnswerTimes::default(),
            said: false,
            is_program: false,
            wait: None,
        };
        assert_eq!(pace(None, None).words(100), None);
        assert_eq!(pace(Some((ago(6), 0)), None).words(100), None);
        // A hundred in the last ten seconds, after any number before.
        let mut told = pace(Some((ago(100), 0)), Some((ago(10), 100)));
        assert!(
            told.words(100)
                .unwrap()
                .starts_with("note: x: about 17 min at 10 000 trials; --trials 500")
        );
        assert_eq!(told.words(100), None);
    }

    /// 20 ms a request and .01 ms a trial: four trials at a time cost 5 ms each, four thousand .015 ms.
    #[test]
    fn small_requests_are_not_the_pace_of_large_ones() {
        let mut answers = AnswerTimes::default();
        let took = |trials: u64| Duration::from_secs_f64(0.02 + 1e-5 * trials as f64);
        for _ in 0..500 {
            answers.add(4, took(4));
        }
        for _ in 0..5 {
            answers.add(4096, took(4096));
        }
        let each = answers.of_trial();
        assert!((each - (1e-5 + 0.02 / 4096.0)).abs() < 1e-7, "{each}");
        // Alike: the mean.
        let mut alike = AnswerTimes::default();
        (0..10).for_each(|_| alike.add(100, Duration::from_millis(50)));
        assert!((alike.of_trial() - 5e-4).abs() < 1e-12);
        let claim = Claim::gaussian(0.5).unwrap();
        let words = estimate("slow", 1_000_000, 0.0024, (Some(&claim), 1e-6)).unwrap();
        assert!(words.contains("would still certify up to mu = 6.8"), "{words}");
    }

    /// Answers within seconds, then one that takes long: reported at 10 s, and at 20 s again.
    #[test]
    fn one_slow_request_is_said() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut wait = Wait::new(start);
        assert_eq!(wait.words("x", after(9)), None);
        let words = wait.words("x", after(10)).unwrap();
        assert!(words.starts_with("note: x: no run is counted yet, after 10 s: "), "{words}");
        let mut wait = Wait::new(start);
        wait.end(after(2));
        wait.end(after(3));
        assert_eq!(wait.words("x", after(12)), None);
        let words = wait.words("x", after(13)).unwrap();
        assert!(
            words.starts_with("note: x: no answer for 10 s, after waits of at most 2.0 s"),
            "{words}"
        );
        assert_eq!(wait.words("x", after(22)), None);
        assert!(wait.words("x", after(23)).is_some());
        // A wait like the last is nothing new.
        wait.end(after(43));
        assert_eq!(wait.words("x", after(43 + 4 * 40 - 1)), None);
        assert!(wait.words("x", after(43 + 4 * 40)).is_some());
    }
}
