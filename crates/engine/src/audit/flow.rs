//! The flow of an audit: check, prove, explore, confirm, judge, find.

use crate::audit::course::{Before, Ending, Frozen, Played};
use crate::audit::decide::decide;
use crate::audit::explore::{How, degenerate, shrink};
use crate::audit::find::Audited;
use crate::audit::frozen::Exploring;
use crate::audit::judge::values::ValuesAlone;
use crate::audit::judge::{JudgedWitness, alphabet, leaks, requests};
use crate::audit::reach::Reach;
use crate::audit::search::{FoundPair, PairSearch};
use crate::audit::settings::{Audit, AuditError};
use crate::audit::{evidence, explore, find, frozen, measure, shards};
use crate::game::{
    ByRequest, Clock, Confirming, Control, Game, GameError, Phase, Runs, Step, Streams,
    UndeclaredOutcomes, explore_trials,
};
use crate::mechanism::Planned;
use crate::witness::{Counter, Scorer};
use plaudit_core::finding::Trials;
use plaudit_core::tally::Tally;
use plaudit_core::visible::visible;
use serde::Serialize;
use std::time::Instant;

/// A mechanism that is ready for its trials.
pub(in crate::audit) struct Ready {
    pub trials: u64,
    pub runs: Runs,
    /// Explanation of how a time budget sets the number of trials, if it does.
    pub measured: Option<String>,
    /// Reason not to play that number, if it can show nothing.
    refusal: Option<String>,
    /// `true` if the claim is proved, of the code or of what it is meant to do.
    proved: bool,
}

impl<D: Serialize + Sync> Audit<D> {
    /// Checks the declared sensitivity, tries to prove the claim, explores, freezes a witness,
    /// confirms on other trials, and judges their counts.
    ///
    /// # Errors
    /// If there is no pair, or a number is out of range. A mechanism that breaks its contract gives
    /// an inconclusive finding instead of an error; so does an interruption, unless there was
    /// already a verdict.
    pub fn run(&self, control: Control<'_>) -> Result<Audited, AuditError> {
        self.run_exploring(Exploring::Here, control)
    }

    /// As [`Audit::run`], but another run may explore.
    ///
    /// # Errors
    /// As [`Audit::run`].
    pub fn run_exploring(
        &self,
        exploring: Exploring<'_>,
        control: Control<'_>,
    ) -> Result<Audited, AuditError> {
        self.check()?;
        let clock = Clock::start();
        let control = Control { clock: Some(&clock), ..control };
        let mut before = Before::default();
        let ending = match self.prepare(&mut before, control) {
            Ok(()) => self.played(&before, exploring, control),
            Err(early) => early,
        };
        self.mechanism.finish();
        self.ended(ending, before, &clock)
    }

    /// Runs the steps before the trials. An error means that there will be no trials.
    pub(in crate::audit) fn prepare(
        &self,
        before: &mut Before,
        control: Control<'_>,
    ) -> Result<(), Ending<'_, D>> {
        Clock::during(control.clock, Step::Prove, || {
            before.check = self.check_declared(control)?;
            before.proof = self.try_to_prove(&mut before.laws, control)?;
            Ok(())
        })
    }

    /// Plays the trials, and judges them.
    pub(in crate::audit) fn played(
        &self,
        before: &Before,
        exploring: Exploring<'_>,
        control: Control<'_>,
    ) -> Ending<'_, D> {
        let played = self
            .first_pair()
            .map_err(Ending::Failed)
            .and_then(|first| self.play(first, before, exploring, control));
        match played {
            Ok(played) => Ending::Played(Box::new(played)),
            Err(early) => early,
        }
    }

    pub(in crate::audit) fn ended(
        &self,
        ending: Ending<'_, D>,
        before: Before,
        clock: &Clock,
    ) -> Result<Audited, AuditError> {
        if let Ending::Failed(error) = ending {
            return Err(error);
        }
        let decided = decide(&evidence::of(self, &ending, &before));
        Ok(find::audited(self, (ending, before), decided, clock))
    }

    /// The pair that is run first: for a search, one that it can make.
    pub(in crate::audit) fn first_pair(&self) -> Result<FoundPair<'_, D>, AuditError> {
        let Some(search) = &self.search else { return Ok(FoundPair::Given(&self.pairs[0])) };
        let any = search.any_pair(&*self.mechanism);
        any.ok_or_else(|| AuditError::NothingToSearch(self.name.clone()))
    }

    /// Watcher for undeclared outcomes, if any were declared.
    pub fn undeclared(&self) -> Option<UndeclaredOutcomes> {
        self.alphabet.as_deref().map(UndeclaredOutcomes::to)
    }

    fn play<'a>(
        &'a self,
        first: FoundPair<'a, D>,
        before: &Before,
        exploring: Exploring<'_>,
        control: Control<'_>,
    ) -> Result<Played<'a, D>, Ending<'a, D>> {
        let own = self.undeclared();
        // Earlier observations (another look, a measurement) are not forgotten.
        let undeclared = control.undeclared.or(own.as_ref());
        let control = Control { undeclared, ..control };
        let streams = Streams::new(self.settings.seed, &self.name);
        let prepare = || self.ready(&first, false, &streams, control);
        let ready = Clock::during(control.clock, Step::Prepare, prepare)?;
        let ready = Ready { proved: before.is_proved(), ..ready };
        // A proof decides whatever the trials show.
        if let Some(why) = ready.refusal.clone().filter(|_| !matches!(before.proof, Some(Ok(_)))) {
            return Err(Ending::Broken(why));
        }
        let explore = || self.frozen(first, &ready, &streams, (exploring, control));
        let frozen = Clock::during(control.clock, Step::Explore, explore)?;
        let by_request = ByRequest::of(frozen.witnesses().map(|of| of.says.clone()).collect());
        let counted = Control { by_request: Some(&by_request), ..control };
        let alphabet = self.alphabet.as_deref().map(alphabet::scorer);
        let explored = frozen.explored;
        let confirm = || self.confirm(&frozen, alphabet.as_ref(), &ready, &streams, counted);
        let mut tallies = match Clock::during(control.clock, Step::Confirm, confirm) {
            Ok(tallies) => tallies.into_iter(),
            Err(error) => return Err(Ending::confirming(error, frozen, explored)),
        };
        let tally = tallies.next().expect("one tally for one counter");
        // Fewer than planned if shards are left out.
        let confirm = tally.trials();
        let trials = Trials { explore: explored, confirm, total: explored + confirm };
        let left_out = match control.confirming {
            Confirming::Merged(merged) => {
                shards::left_out(merged, confirm, ready.trials - explored)
            }
            Confirming::Here | Confirming::Shard(_) => None,
        };
        let Frozen { pair, pair_index, surveyed, witness, test, bits, degenerate, .. } = frozen;
        let bits = bits.map(|bits| (bits, tallies.next().expect("one tally for one counter")));
        let by_outcome = tallies.next();
        let (own, other) = leaks::judge(self, (witness, test), tally, bits);
        let refute = leaks::refuting(&own, other.as_ref());
        let shared = requests::check((self.settings.seed, &self.name), &refute, &by_request);
        let mut notes = Vec::from_iter(ready.measured);
        notes.extend(shared.map_err(Ending::Broken)?);
        notes.extend(left_out.clone());
        let (runs, upper, shrunk, interrupted) = (ready.runs, None, None, false);
        let mut played = Played {
            pair,
            pair_index,
            surveyed,
            degenerate,
            answers: None,
            runs,
            own,
            other,
            upper,
            trials,
            notes,
            left_out,
            values: None,
            shrunk,
            interrupted,
        };
        if played.own.refutes() {
            let shrink = || shrink::shrink(self, &played, control);
            (played.shrunk, played.interrupted) =
                Clock::during(control.clock, Step::Shrink, shrink);
            played.values = self.values_alone(&played.own, control);
        }
        played.answers = self.answers(&played.pair, control);
        // Last, since undeclared outcomes may come up in any phase.
        played.upper = match (undeclared.and_then(|undeclared| undeclared.words()), by_outcome) {
            (Some(words), _) => Some(alphabet::Upper::UndeclaredOutcomes(words)),
            (None, Some(by_outcome)) if runs == Runs::Independent => {
                Some(alphabet::bounded(&by_outcome, &self.claim, self.settings.alpha))
            }
            _ => None,
        };
        Ok(played)
    }

    /// Leak of the values of recorded outcomes alone, if the two files spell them differently: the
    /// same audit of outcomes as values. Also `None` if it cannot be made.
    fn values_alone(&self, own: &JudgedWitness, control: Control<'_>) -> Option<ValuesAlone> {
        let recordings = self.mechanism.capabilities().recordings?;
        if !matches!(control.confirming, Confirming::Here) {
            return None;
        }
        let (_seen, difference) = recordings.as_values()?;
        let control = Control { interrupted: control.interrupted, ..Control::unattended() };
        let streams = Streams::new(self.settings.seed, &self.name);
        let first = || self.first_pair().ok();
        let ready = self.ready(&first()?, false, &streams, control).ok()?;
        let frozen = self.explore(first()?, &ready, &streams, control).ok()?;
        let mut tallies = self.confirm(&frozen, None, &ready, &streams, control).ok()?.into_iter();
        let tally = tallies.next()?;
        let Frozen { witness, test, bits, .. } = frozen;
        let (values, _) = leaks::judge(self, (witness, test), tally, bits.zip(tallies.next()));
        Some(ValuesAlone::new(own, &difference, &values, &self.claim))
    }

    /// Prepares the mechanism: the number of trials, and how they relate.
    pub(in crate::audit) fn ready<'a>(
        &self,
        first: &FoundPair<'a, D>,
        one_by_one: bool,
        streams: &Streams,
        control: Control<'_>,
    ) -> Result<Ready, Ending<'a, D>> {
        let mut random = streams.block(0, Phase::Prepare)(0);
        let mut prepare = |trials: u64| {
            let pair = [&first.d, &first.d_prime];
            let (most, seconds) = (trials.max(self.most), self.settings.seconds);
            let planned = Planned { trials, most, one_by_one, seconds };
            let prepared = self.mechanism.prepare(pair, planned, &mut random, control.interrupted);
            let prepared = prepared.map_err(|error| Ending::exploring(error.into(), None))?;
            if let Some(undeclared) = control.undeclared {
                undeclared.look(&prepared.seen);
            }
            Ok(prepared)
        };
        let runs_when = |stateful: bool| match self.runs {
            Runs::Independent if stateful => Runs::Stateful,
            runs => runs,
        };
        let start = Instant::now();
        let prepared =
            prepare(self.settings.seconds.map_or(self.settings.trials, measure::prepared_for))?;
        let runs = runs_when(prepared.stateful);
        if !self.settings.may_be_constant && degenerate::is_constant(&prepared.seen) {
            let (name, made) = (visible(&self.name), prepared.seen.len());
            (control.told)(&format!(
                "{name}: all {made} outcomes of the questions before the audit were the same"
            ));
        }
        let Some(seconds) = self.settings.seconds else {
            let (trials, measured, refusal) = (prepared.trials, None, None);
            return Ok(Ready { trials, runs, measured, refusal, proved: false });
        };
        let how = (runs, prepared.pace);
        let measured = measure::measure(self, first, how, (seconds, start), control);
        let measured = measured.map_err(|error| Ending::exploring(error, None))?;
        // A second look may miss state that was seen once.
        let again = prepare(measured.trials)?;
        let runs = runs_when(prepared.stateful || again.stateful);
        let trials = again.trials;
        let reach = Reach { claim: &self.claim, alpha: self.settings.alpha, trials };
        let words = reach.words().map(|words| format!(" {words}"));
        if let Some(words) = &words {
            (control.told)(&format!("{}:{words}", visible(&self.name)));
        }
        let rate = measured.rate * trials as f64 / measured.trials as f64;
        let time = (start.elapsed().as_secs_f64(), seconds, rate);
        // Other plans explore less.
        let refusal = if one_by_one { None } else { reach.refusal(time) };
        let measured = Some(format!("{}{}", measured.words, words.unwrap_or_default()));
        Ok(Ready { trials, runs, measured, refusal, proved: false })
    }

    fn frozen<'a>(
        &'a self,
        first: FoundPair<'a, D>,
        ready: &Ready,
        streams: &Streams,
        (exploring, control): (Exploring<'_>, Control<'_>),
    ) -> Result<Frozen<'a, D>, Ending<'a, D>> {
        let how = (ready.trials, ready.runs);
        match exploring {
            Exploring::Here => self.explore(first, ready, streams, control),
            Exploring::Taken(taken) => frozen::take(self, taken, how, control),
            Exploring::Only(kept) => {
                if frozen::is_kept(self, ready.runs) {
                    let undeclared = self.undeclared();
                    let control = Control { undeclared: undeclared.as_ref(), ..control };
                    let frozen = self.explore(first, ready, streams, control)?;
                    let seen = undeclared.map(|seen| seen.found()).unwrap_or_default();
                    frozen::keep(self, &frozen, how, (kept, seen));
                }
                Err(Ending::exploring(GameError::Interrupted, None))
            }
        }
    }

    /// The pair, the witness and the test that the other trials confirm.
    fn explore<'a>(
        &'a self,
        first: FoundPair<'a, D>,
        ready: &Ready,
        streams: &Streams,
        control: Control<'_>,
    ) -> Result<Frozen<'a, D>, Ending<'a, D>> {
        let search = self.search.as_ref().map(PairSearch::of_a_run);
        let Ready { trials, runs, proved, .. } = *ready;
        let how = How { trials, runs, sight: leaks::sight(self), proved };
        let frozen = explore::explore(self, (search.as_ref(), first), how, streams, control)
            .map_err(|error| Ending::exploring(error, search.as_ref()))?;
        // Recorded outcomes are dealt to the two beforehand.
        if self.mechanism.capabilities().recordings.is_some()
            && frozen.explored != explore_trials(ready.trials)
        {
            let why = "Explore took more or fewer of the recorded outcomes \
                       than intended: this is a bug in plaudit.";
            return Err(Ending::Broken(why.to_owned()));
        }
        Ok(frozen)
    }

    /// Plays the trials that count; returns tallies by witnesses and by declared outcomes.
    fn confirm(
        &self,
        frozen: &Frozen<'_, D>,
        alphabet: Option<&Scorer>,
        ready: &Ready,
        streams: &Streams,
        control: Control<'_>,
    ) -> Result<Vec<Tally>, GameError> {
        let game = Game {
            mechanism: &*self.mechanism,
            pair: &frozen.pair,
            pair_index: frozen.pair_index,
            runs: ready.runs,
            streams,
            control,
        };
        let scorers = frozen.witnesses().map(|witness| &witness.scorer).chain(alphabet);
        let counters: Vec<Counter<'_>> = scorers.map(Counter::new).collect();
        let trials = ready.trials - frozen.explored;
        match control.confirming {
            Confirming::Here => game.count(Phase::Confirm, trials, &counters),
            Confirming::Shard(kept) => {
                Err(shards::keep((&game, trials, &counters), frozen, kept, self.undeclared()))
            }
            Confirming::Merged(merged) => {
                shards::merged((&game, trials, &counters), frozen, merged)
            }
        }
    }
}
