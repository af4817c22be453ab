//! Before an audit: does the program follow its seed, does a copy that lives on behave like a fresh
//! one, and if not, how can it be run so that what is said of it holds?

use super::broken::Broken;
use super::child::{Child, Failure};
use super::sharing::{Sharing, Single};
use super::{Mode, Process, lock, seed, text};
use crate::dataset::Dataset;
use crate::mechanism::{Outcome, OutcomeRef, Outcomes, Prepared, Stream, Trouble, order};
use statrs::distribution::{Binomial, DiscreteCDF as _, Hypergeometric};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Runs of a question whose answers are compared.
const FEW: usize = 16;
/// Fresh copies that are asked whether they all say what one copy says all the time: at least, and,
/// while a tenth of the patience lasts, at most.
const COPIES: std::ops::Range<usize> = 12..64;
/// Fresh copies that are asked whether they repeat one another.
const FRESH_COPIES: usize = 3;
/// Fresh copies that say something else, after which no more are asked.
const UNLIKE_COPIES: usize = 3;
/// Runs of one copy that show whether what it said all the time was only frequent.
const LIVED: usize = 1 << 12;
/// Probability at which fresh copies that say something else are not put down to chance. A copy with
/// state that is taken for one without makes verdicts wrong; the reverse only costs time.
const CHANCE: f64 = 0.01;
/// Probability from which on what fresh copies say otherwise is chance without asking more of them.
const UNCLEAR: f64 = 0.1;
/// The share of an audit's trials that is asked of one copy, to see whether it lasts.
const LASTING: u64 = 4;
/// Runs in fresh copies, for each dataset, that show what they cost.
const PROBES: u32 = 2;
/// Fewest trials that are worth an audit where every run takes a request, or a copy, of its own.
const MIN_TRIALS: u64 = 100;
/// Fewest requests that an audit is made of: what their runs may share without being noticed weighs
/// the less, the more there are.
const REQUESTS: u64 = 60;
/// Fewest trials with fresh copies that are worth more than a test that allows for state.
const LEAST_FRESH: u64 = 1000;

/// How the note of a program with state begins.
const UNLIKE: &str = "A copy of the program that lives on does not behave like a fresh one";

/// How a note ends that says that runs depend on those before.
const IN_TURN: &str = "runs were made one by one in the order of the coins, in one copy that lives \
                       on, and judged by a test that allows for earlier runs: the claim is tested \
                       for each release given all releases before it.";

/// What a few questions showed.
struct Seen {
    /// Same seed, same outcomes, in two copies.
    seedable: bool,
    /// What in the answers of one copy depends on those before, in words.
    state: Option<String>,
    /// What the runs of a request share.
    sharing: Sharing,
    /// What requests for one run show, and their seconds, where runs may have to be asked for so.
    single: Option<(Single, f64)>,
}

impl Process {
    /// Sets the mode, and notes what a reader must know.
    pub(super) fn find_out(
        &self,
        pair: [&Dataset; 2],
        trials: u64,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Prepared, Trouble> {
        self.mode.store(Mode::Batches as u8, Ordering::Relaxed);
        self.most_runs.store((trials / REQUESTS).max(1), Ordering::Relaxed);
        lock(&self.notes).clear();
        lock(&self.asked).clear();
        let datasets = pair.map(|dataset| text(&self.settings, dataset));
        let datasets = [datasets[0].as_str(), datasets[1].as_str()];
        let note = |words: String| lock(&self.notes).push(words);
        let threads = rayon::current_num_threads() as f64;
        let affordable = |each: f64| (self.settings.patience * threads / each) as u64;
        let (why, least) = match self.look(datasets, trials, random, interrupted) {
            Ok(Seen { seedable, state, sharing, single }) => {
                if !seedable {
                    note(
                        "The program does not follow the seed that it is given: the same seed \
                         gave other outcomes, so this report cannot be repeated exactly. That its \
                         runs do not depend on earlier ones could only be looked for by signs, and \
                         what is said here rests on it; `stateful = true` in the spec does without."
                            .into(),
                    );
                }
                let Some(words) = state else {
                    return self.without_state(trials, seedable, sharing, single);
                };
                (format!("{UNLIKE}: {words}."), LEAST_FRESH)
            }
            Err(broken) => {
                let seconds = match broken.failure {
                    Failure::Died(_) => 0.0,
                    Failure::Timeout(_) => self.settings.timeout,
                    _ => f64::INFINITY,
                };
                let trouble = self.trouble(&broken);
                if trouble == Trouble::Interrupted || affordable(seconds) < MIN_TRIALS {
                    return Err(trouble);
                }
                let (_, failures) = self.fresh_runs(datasets, random, interrupted)?;
                if failures == [PROBES; 2] {
                    return Err(trouble);
                }
                let why = match failures {
                    [0, 0] => format!("{UNLIKE}: it breaks down."),
                    // An adversary sees it: what is to be audited, and no state.
                    [d, d_prime] => format!(
                        "The program breaks down in fresh copies, too (of {PROBES} runs on D in {d}, \
                         of {PROBES} on D' in {d_prime})."
                    ),
                };
                let stop = if trouble.to_string().ends_with('.') { "" } else { "." };
                (format!("{why} {trouble}{stop}"), MIN_TRIALS)
            }
        };
        if self.copies_repeat(datasets[0], random, interrupted)? {
            self.mode.store(Mode::InTurn as u8, Ordering::Relaxed);
            note(format!(
                "{why} Fresh copies say the same whatever seed they get, as a generator does that \
                 is seeded when the program starts. So {IN_TURN}"
            ));
            return Ok(Prepared { trials, stateful: true });
        }
        let (each, _) = self.fresh_runs(datasets, random, interrupted)?;
        let affordable = affordable(each);
        if affordable >= trials.min(least) {
            let trials = trials.min(affordable);
            self.mode.store(Mode::Fresh as u8, Ordering::Relaxed);
            note(format!(
                "{why} So each run was made in a fresh copy, {trials} of them (a fresh run takes \
                 {each:.3} s; `patience` in the spec allows more or fewer); a breakdown is an \
                 outcome."
            ));
            return Ok(Prepared { trials, stateful: false });
        }
        self.mode.store(Mode::InTurn as u8, Ordering::Relaxed);
        note(format!(
            "{why} Fresh copies for each run were too dear ({each:.3} s a run; `patience` in the spec \
             allows more), so {IN_TURN}"
        ));
        Ok(Prepared { trials, stateful: true })
    }

    /// How a program is run whose copies behave like fresh ones. Where it does not follow the seed,
    /// whether its runs depend on those before cannot be seen, so they come in the order of the
    /// coins, if there is time for that. Where the runs of a request share something, each has a
    /// request of its own.
    fn without_state(
        &self,
        trials: u64,
        seedable: bool,
        sharing: Sharing,
        single: Option<(Single, f64)>,
    ) -> Result<Prepared, Trouble> {
        let note = |words: String| lock(&self.notes).push(words);
        let (single, each) = single.unwrap_or((Single::Apart, 0.0));
        let threads = rayon::current_num_threads() as f64;
        let affordable = (self.settings.patience * threads / each.max(1e-9)) as u64;
        let micros = each * 1e6;
        let repeats = |when: &str| {
            Trouble::Broken(format!(
                "The program repeats itself: requests with different seeds, asked {when}, had the \
                 same outcomes. So its runs are no independent draws, and no test can count them. \
                 Seed its generator with the `seed` of each request: not with a fixed number, and \
                 not with the time."
            ))
        };
        let in_turn = |why: &str| {
            self.mode.store(Mode::InTurn as u8, Ordering::Relaxed);
            note(format!("{why} So {IN_TURN}"));
            Ok(Prepared { trials, stateful: true })
        };
        match (sharing, single) {
            (Sharing::Repeats(when), _) => Err(repeats(when)),
            (_, Single::Repeats) => Err(repeats("one after the other")),
            (Sharing::Copies, _) => in_turn(
                "Copies of the program that are started or asked at the same time repeat one \
                 another, whatever seeds they get.",
            ),
            (_, Single::Alike) => {
                in_turn("Outcomes of requests that follow one another hang together.")
            }
            (Sharing::Nothing, _) if seedable || self.settings.batch == Some(1) => {
                if !seedable {
                    self.mode.store(Mode::OneByOne as u8, Ordering::Relaxed);
                }
                Ok(Prepared { trials, stateful: false })
            }
            (Sharing::Nothing, _) if affordable >= trials => {
                self.mode.store(Mode::OneByOne as u8, Ordering::Relaxed);
                note(
                    "Its runs were asked for one by one, in the order of the coins, so that a \
                     counter or a drift cannot look like a difference between the datasets."
                        .into(),
                );
                Ok(Prepared { trials, stateful: false })
            }
            (Sharing::Nothing, _) => {
                note(format!(
                    "Its runs were asked for in batches of one dataset, which came in random \
                     order, so a slow drift may look like a difference between the datasets; \
                     none showed when some batches were compared. (One by one a run takes \
                     {micros:.0} microseconds, too long for all of them; `patience` in the spec \
                     allows more.)"
                ));
                Ok(Prepared { trials, stateful: false })
            }
            (Sharing::Request(what), _) if affordable >= trials.min(MIN_TRIALS) => {
                self.mode.store(Mode::OneByOne as u8, Ordering::Relaxed);
                let trials = trials.min(affordable);
                note(format!(
                    "The runs of a request are not independent of one another: {what}. So each run \
                     was asked for by a request of its own, {trials} of them, in the order of the \
                     coins (such a request takes {micros:.0} microseconds; `patience` in the spec \
                     allows more or fewer)."
                ));
                Ok(Prepared { trials, stateful: false })
            }
            (Sharing::Request(what), _) => Err(Trouble::Broken(format!(
                "The runs of a request are not independent of one another: {what}. Asked for by a \
                 request of its own, each run takes {micros:.0} microseconds, too long for an \
                 audit: raise `patience`, or draw nothing that the runs of a request share."
            ))),
        }
    }

    /// Whether fresh copies say the same to requests with different seeds, though not always.
    fn copies_repeat(
        &self,
        dataset: &str,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<bool, Trouble> {
        let mut said: Vec<Answers> = Vec::new();
        let mut copies = Vec::new();
        for _ in 0..FRESH_COPIES {
            copies.push(self.started(dataset).map_err(|broken| self.trouble(&broken))?);
        }
        let few = FEW.min(self.settings.batch.unwrap_or(FEW));
        for mut copy in copies {
            let ask = |_| self.question(&mut copy, dataset, (few, seed(random)), interrupted);
            // One that breaks down is no copy that repeats another; its runs are what is looked at.
            let Ok(answers) = (0..FEW.div_ceil(few)).map(ask).collect::<Result<Answers, _>>()
            else {
                return Ok(false);
            };
            copy.stop();
            said.push(answers);
        }
        let outcomes = || said[0].iter().flat_map(|batch| batch.iter());
        let first = said[0][0].get(0);
        let changes = outcomes().any(|outcome| order(&outcome, &first).is_ne());
        Ok(changes && said.windows(2).any(|pair| same(&pair[0], &pair[1])))
    }

    /// Asks a few questions of a few copies.
    fn look(
        &self,
        [d, d_prime]: [&str; 2],
        trials: u64,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Seen, Broken> {
        let batch = self.settings.batch.unwrap_or(self.settings.format.batch());
        let few = FEW.min(batch);
        // Where a request is for less, several of them.
        let mut seeds = || -> Vec<u64> { (0..FEW.div_ceil(few)).map(|_| seed(random)).collect() };
        let [first, second, third, fourth, unseen] = [(); 5].map(|()| seeds());
        // Both at once: a program may take long to start.
        let mut one = self.started(d)?;
        let mut other = self.started(d_prime)?;
        let question = |child: &mut Child, dataset, seeds: &[u64]| {
            let ask = |seed: &u64| self.question(child, dataset, (few, *seed), interrupted);
            seeds.iter().map(ask).collect::<Result<Answers, _>>()
        };
        let fresh_on_d = question(&mut one, d, &first)?;
        let fresh_on_d_prime = question(&mut other, d_prime, &second)?;
        // A copy that has answered before and still says what a fresh one says follows the seed. If
        // it does not, either may be the cause, and only another fresh one can tell.
        let mut seedable = same(&fresh_on_d, &question(&mut other, d, &first)?);
        let mut state_on_d = false;
        if !seedable {
            let mut fresh = self.started(d)?;
            seedable = same(&fresh_on_d, &question(&mut fresh, d, &first)?);
            state_on_d = seedable;
            lock(&self.idle).push(fresh);
        }
        // The same question after others: a cache, a spent budget, a counter shows.
        let later_on_d_prime = question(&mut one, d_prime, &second)?;
        let all = batch.min(usize::try_from(trials / LASTING).unwrap_or(batch)).max(few);
        let many = self.question(&mut one, d_prime, (all, third[0]), interrupted)?;
        // A seed that neither copy had: what many runs left in a cache is not what a copy draws that had few. Of K
        // keys that runs draw from, about all²/(2K) runs meet one of them.
        let unseen = ((all / 2).max(few), unseen[0]);
        let after_many = self.question(&mut one, d_prime, unseen, interrupted)?;
        let after_few = self.question(&mut other, d_prime, unseen, interrupted)?;
        let later_on_d = question(&mut one, d, &first)?;
        let another = question(&mut one, d, &fourth)?;
        let state = if seedable
            && (state_on_d
                || !same(&fresh_on_d, &later_on_d)
                || !same(&fresh_on_d_prime, &later_on_d_prime)
                || !same(&[after_few], &[after_many]))
        {
            Some("the same seed gives it other outcomes after earlier runs".to_owned())
        } else {
            let lived: Vec<_> =
                [&fresh_on_d, &later_on_d, &another].into_iter().flatten().collect();
            let late: Vec<_> = later_on_d.iter().chain(&another).collect();
            let random = RefCell::new(&mut *random);
            let seed = || seed(*random.borrow_mut());
            let fresh = || {
                let mut copy = self.started(d)?;
                let answer = self.question(&mut copy, d, (1, seed()), interrupted)?;
                copy.stop();
                Ok(answer.get(0).to_owned())
            };
            let more = || self.question(&mut one, d, (many.len().max(1), seed()), interrupted);
            drift(&lived, &late, self.settings.patience / 10.0, (fresh, more))?
        };
        let mut copies = [one, other];
        let (mut sharing, mut single) = (Sharing::Nothing, None);
        if state.is_none() {
            if !seedable {
                // Started at the same time, and alike until now.
                for copy in &mut copies {
                    lock(&self.idle).push(std::mem::replace(copy, self.started(d)?));
                }
            }
            let datasets = [d, d_prime];
            let seen;
            (sharing, seen) = self.sharing(&mut copies, datasets, trials, random, interrupted)?;
            if !seedable || sharing != Sharing::Nothing || batch == 1 {
                let alone = &mut copies[0];
                single = Some(self.single(alone, d, &seen, random, interrupted)?);
            }
        }
        lock(&self.idle).extend(copies);
        Ok(Seen { seedable, state, sharing, single })
    }

    pub(super) fn started(&self, dataset: &str) -> Result<Child, Broken> {
        self.start().map_err(|failure| Broken::new(failure, &self.request(dataset, 0, 0), ""))
    }

    /// Asks a copy; a breakdown is tried once more in a fresh one, which then takes its place.
    pub(super) fn question(
        &self,
        child: &mut Child,
        dataset: &str,
        (runs, seed): (usize, u64),
        interrupted: &AtomicBool,
    ) -> Result<Outcomes, Broken> {
        let request = self.request(dataset, runs, seed);
        let mut outcomes = Outcomes::new();
        let mut failed = None;
        for attempt in 0..2 {
            match self.ask(child, &request, &mut outcomes, interrupted) {
                Ok(_) => {
                    if let Some(failure) = failed {
                        self.note_retry(&failure, &request);
                    }
                    let mut asked = lock(&self.asked);
                    outcomes.iter().for_each(|outcome| asked.push_ref(outcome));
                    return Ok(outcomes);
                }
                Err(failure) => {
                    let words = child.last_words();
                    child.kill();
                    let again = matches!(failure, Failure::Died(_) | Failure::Timeout(_));
                    if attempt == 1 || !again {
                        return Err(Broken::new(failure, &request, &words));
                    }
                    failed = Some(failure);
                    *child = self.started(dataset)?;
                }
            }
        }
        unreachable!("the second attempt returns")
    }

    /// A few runs in fresh copies: the mean of their seconds, and how many failed on each dataset.
    fn fresh_runs(
        &self,
        datasets: [&str; 2],
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<(f64, [u32; 2]), Trouble> {
        let start = Instant::now();
        let mut failures = [0; 2];
        for _ in 0..PROBES {
            for (dataset, failures) in datasets.into_iter().zip(&mut failures) {
                let (outcome, _) = self.run_fresh(dataset, seed(random), interrupted)?;
                *failures += u32::from(matches!(outcome, Outcome::Failure(_)));
                lock(&self.asked).push(outcome);
            }
        }
        let seconds = start.elapsed().as_secs_f64() / f64::from(2 * PROBES);
        Ok((seconds.max(1e-4), failures))
    }
}

/// What a copy said to a question: an answer for each request.
type Answers = Vec<Outcomes>;

/// Whether two answers hold the same outcomes, bit by bit (any NaN is any other).
fn same(a: &[Outcomes], b: &[Outcomes]) -> bool {
    let same_batch = |(a, b): (&Outcomes, &Outcomes)| {
        a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| order(&a, &b).is_eq())
    };
    a.len() == b.len() && a.iter().zip(b).all(same_batch)
}

/// Signs that one copy's outcomes hang together: it always says the same and fresh copies do not,
/// or it fails (its outcomes after many others are `late`) and fresh copies do not as often. Fresh
/// copies are asked for so many seconds, and the one copy for more for as long.
fn drift(
    on_d: &[&Outcomes],
    late: &[&Outcomes],
    seconds: f64,
    (mut fresh, more): (
        impl FnMut() -> Result<Outcome, Broken>,
        impl FnMut() -> Result<Outcomes, Broken>,
    ),
) -> Result<Option<String>, Broken> {
    let fails = |outcome: &OutcomeRef<'_>| matches!(outcome, OutcomeRef::Failure(_));
    let late_runs: usize = late.iter().map(|batch| batch.len()).sum();
    let late_failures = late.iter().flat_map(|batch| batch.iter()).filter(fails).count();
    let failing = 2 * late_failures > late_runs;
    let first = on_d[0].get(0).to_owned();
    let constant = on_d
        .iter()
        .all(|batch| batch.iter().all(|outcome| order(&outcome, &first.as_ref()).is_eq()));
    if !failing && !constant {
        return Ok(None);
    }
    let start = Instant::now();
    let (mut asked, mut failures, mut unlike) = (0, 0, 0);
    while asked < COPIES.end && unlike < UNLIKE_COPIES {
        if asked >= COPIES.start {
            if start.elapsed().as_secs_f64() > seconds {
                break;
            }
            // Where only failures are in question, a few copies mostly settle it.
            let chance = fewer_failures((asked, failures), (late_runs, late_failures));
            if !constant && !(CHANCE..UNCLEAR).contains(&chance) {
                break;
            }
        }
        let outcome = fresh()?;
        asked += 1;
        failures += usize::from(fails(&outcome.as_ref()));
        unlike += usize::from(constant && order(&outcome.as_ref(), &first.as_ref()).is_ne());
    }
    if failing && fewer_failures((asked, failures), (late_runs, late_failures)) < CHANCE {
        return Ok(Some("it fails after earlier runs, and fresh copies do not".into()));
    }
    if unlike == 0 {
        return Ok(None);
    }
    let lived: usize = on_d.iter().map(|batch| batch.len()).sum();
    let changes = changes(lived, seconds, more)?;
    let repeats = || "its outcomes repeat, and those of fresh copies differ".to_owned();
    Ok(hang_together((asked, unlike), changes).then(repeats))
}

/// The probability that chance makes so few of the runs of fresh copies fail, if they fail as often as
/// those of one copy: Fisher's exact test.
fn fewer_failures((asked, failures): (usize, usize), (runs, failed): (usize, usize)) -> f64 {
    let [all, failing, drawn] = [asked + runs, failures + failed, asked].map(|n| n as u64);
    Hypergeometric::new(all, failing, drawn).map_or(0.0, |law| law.cdf(failures as u64))
}

/// Of one copy that always said the same, so many times, so many more outcomes: how many there are in
/// all, and how many of them differ from the one before.
fn changes(
    lived: usize,
    seconds: f64,
    mut more: impl FnMut() -> Result<Outcomes, Broken>,
) -> Result<(usize, usize), Broken> {
    let start = Instant::now();
    let (mut runs, mut changes) = (lived, 0);
    let mut last: Option<Outcome> = None;
    while runs < LIVED && start.elapsed().as_secs_f64() <= seconds {
        let batch = more()?;
        for outcome in batch.iter() {
            let same = |last: &Outcome| order(&last.as_ref(), &outcome).is_eq();
            changes += usize::from(last.as_ref().is_some_and(|last| !same(last)));
            last = Some(outcome.to_owned());
        }
        runs += batch.len();
    }
    Ok((runs, changes))
}

/// Whether fresh copies say something else more often than one that lives on changes what it says, by
/// more than chance: the outcomes of a copy without state are as good as those of fresh ones, and one
/// that is rare makes two changes. What does not change at all is not believed.
fn hang_together((asked, unlike): (usize, usize), (runs, changes): (usize, usize)) -> bool {
    let share = asked as f64 / (asked + runs) as f64;
    let all = (unlike + changes) as u64;
    let Ok(chance) = Binomial::new(share, all) else { return true };
    unlike > 0 && (changes == 0 || chance.sf(unlike as u64 - 1) < CHANCE)
}

#[cfg(test)]
mod tests {
    use super::{CHANCE, UNCLEAR, fewer_failures, hang_together};

    #[test]
    fn fresh_copies_that_fail_as_often_are_no_sign_of_state() {
        assert!(fewer_failures((12, 8), (32, 20)) > UNCLEAR);
        assert!(fewer_failures((12, 12), (32, 32)) > UNCLEAR);
        assert!(fewer_failures((64, 30), (32, 17)) > UNCLEAR);
        // Fisher's lady: 3 of 4, C(4,3)·C(4,1)/C(8,4) + 1/C(8,4) = 17/70 if all is mirrored.
        assert!((fewer_failures((4, 1), (4, 3)) - 17.0 / 70.0).abs() < 1e-12);
        // Broken for good after some runs, and for most of them.
        assert!(fewer_failures((12, 0), (32, 32)) < CHANCE);
        assert!(fewer_failures((12, 1), (32, 20)) < CHANCE);
    }

    #[test]
    fn rare_outcomes_are_no_state_and_noise_that_is_kept_is() {
        // One of 64 fresh copies shows what is rare, with mass .003: of 4096 runs about 12 do.
        assert!(!hang_together((30, 1), (4096, 24)));
        assert!(!hang_together((64, 2), (4096, 30)));
        assert!(!hang_together((64, 0), (4096, 0)));
        // Noise that is kept for ever, for a thousand runs, for a hundred; a kept bit.
        assert!(hang_together((3, 3), (4096, 0)));
        assert!(hang_together((3, 3), (4096, 4)));
        assert!(hang_together((3, 3), (4096, 40)));
        assert!(hang_together((6, 3), (4096, 20)));
        // What was asked too little is not believed.
        assert!(hang_together((12, 1), (48, 0)));
    }
}
