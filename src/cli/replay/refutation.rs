//! `plaudit replay`, of counts that refute a claim.

use super::evidence::{self, Playable, Replayable, failed, unknown_relation};
use crate::cli::args::{OutputFormat, ReplayArguments, Which};
use crate::cli::running::{interrupt, jobs};
use crate::cli::{Failure, exit, output};
use crate::rebuild;
use crate::spec;
use plaudit_accountant::number;
use plaudit_core::dataset::{Dataset, Pair, Relation};
use plaudit_core::finding::Headline;
use plaudit_core::visible::visible;
use plaudit_engine::audit::{Certificate, Refutation, Replay, ReplayError};
use plaudit_engine::game::Control;
use plaudit_engine::witness::Scorer;
use rand::TryRng as _;
use serde::Serialize;

#[derive(Serialize)]
struct PrintedReplay<'a> {
    audit: &'a str,
    claim: String,
    /// The level at which the new counts were judged.
    alpha: f64,
    /// The level at which those of the certificate were.
    certificate_alpha: f64,
    /// "found", or "smallest" if only that one was played.
    pair: &'static str,
    #[serde(flatten)]
    replay: &'a Replay,
    /// Replay of the smallest pair, if the certificate has one and both were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    smallest: Option<&'a Replay>,
}

struct Replayed {
    found: Option<Replay>,
    smallest: Option<Replay>,
}

impl Replayable for Refutation {
    fn check(&self) -> Result<(), String> {
        spec::check_confirm(self.confirm)?;
        spec::check_alpha(self.alpha).map(drop)
    }

    fn check_pair(
        certificate: &Certificate,
        pair: &Pair<Dataset>,
        relation: Option<&Relation>,
    ) -> Result<(), String> {
        match relation {
            // The datasets of recorded outcomes are not known.
            _ if rebuild::is_recorded(&certificate.mechanism) => Ok(()),
            Some(relation) => relation
                .check_group(&pair.d, &pair.d_prime, certificate.claim.group_size())
                .map_err(|error| error.to_string()),
            // The relation between the datasets of a program may be stated in words.
            None if rebuild::is_program(&certificate.mechanism) => Ok(()),
            None => Err(unknown_relation(certificate)),
        }
    }

    fn run(raw: &ReplayArguments, playable: Playable<Self>) -> Result<u8, Failure> {
        let Playable { certificate, mechanism, pair, smallest } = playable;
        let refused = |why: String| evidence::refused(raw, &why);
        let recorded = rebuild::is_recorded(&certificate.mechanism);
        if raw.pair == Some(Which::Smallest) && smallest.is_none() {
            let why = "it has no smallest pair, since the pair was not found by a search, or could not be \
                       shrunk: leave --pair out";
            return Err(refused(why.into()));
        }
        let seed = match raw.seed {
            Some(seed) if recorded && seed != certificate.seed => {
                return Err(refused(
                    "recorded outcomes cannot be run again with another seed: leave --seed out, and \
                     the files are counted again"
                        .into(),
                ));
            }
            Some(seed) => seed,
            None if recorded => certificate.seed,
            None => fresh_seed()?,
        };
        let alpha = raw.alpha.unwrap_or(certificate.reader_alpha());
        let pool = jobs::pool(raw.jobs)?;
        let interrupted = interrupt::listen()?;
        let control = Control { interrupted, ..Control::unattended() };
        let play = || -> Result<Replayed, ReplayError> {
            let replay =
                |pair| certificate.replay_at::<Dataset>(alpha, (&*mechanism, pair), seed, control);
            let found = match raw.pair {
                Some(Which::Smallest) => None,
                _ => Some(replay(&pair)?),
            };
            let smallest = match &smallest {
                // Files would only be counted once more.
                Some(pair) if raw.pair != Some(Which::Found) && !recorded => {
                    certificate.replay_smallest(alpha, (&*mechanism, pair), seed, control)?
                }
                _ => None,
            };
            mechanism.finish();
            Ok(Replayed { found, smallest })
        };
        let replayed =
            pool.install(play).map_err(|error| failed(raw, &certificate.mechanism, error))?;
        let (which, replay) = match (&replayed.found, &replayed.smallest) {
            (Some(found), _) => ("found", found),
            (None, Some(smallest)) => ("smallest", smallest),
            (None, None) => return Err(refused("it has no smallest pair".into())),
        };
        let told = Told { raw, certificate: &certificate, alpha, smallest: smallest.as_ref() };
        match raw.format {
            OutputFormat::Json => output::print_json(&PrintedReplay {
                audit: &certificate.audit,
                claim: certificate.claim.to_string(),
                alpha,
                certificate_alpha: certificate.alpha,
                pair: which,
                replay,
                smallest: replayed.smallest.as_ref().filter(|_| replayed.found.is_some()),
            })?,
            OutputFormat::Human if recorded => output::print(&told.recounted(replay))?,
            OutputFormat::Human => output::print(&told.words(&replayed))?,
        }
        // The same files give the same counts; others are not what the certificate is about.
        let holds = replay.holds && (replay.same_counts || !recorded);
        Ok(if holds { exit::AS_EXPECTED } else { exit::UNEXPECTED })
    }
}

struct Told<'a> {
    raw: &'a ReplayArguments,
    certificate: &'a Certificate,
    alpha: f64,
    smallest: Option<&'a Pair<Dataset>>,
}

impl Told<'_> {
    fn words(&self, replayed: &Replayed) -> String {
        let Self { certificate, alpha, .. } = self;
        let (audit, claim) = (visible(&certificate.audit), &certificate.claim);
        let mut words = String::new();
        if let Some(found) = &replayed.found {
            let place = if self.smallest.is_some() { " on the pair that was found" } else { "" };
            words.push_str(&match found.holds {
                true => format!("{audit}: {claim} is violated again{place}\n"),
                false => {
                    format!("{audit}: the violation of {claim} was not reproduced{place}\n")
                }
            });
            words.push_str(&self.numbers(found));
            self.own_seed(&mut words, found);
            if self.smallest.is_some() {
                words.push_str(&self.alone("found"));
            }
        }
        if let Some((smallest, pair)) = replayed.smallest.as_ref().zip(self.smallest) {
            words.push_str(&match smallest.holds {
                true => {
                    format!("{audit}: {claim} is violated again on the smallest pair it was shrunk to\n")
                }
                false => format!(
                    "{audit}: the violation of {claim} was not reproduced on the smallest pair it was shrunk to\n"
                ),
            });
            words.push_str(&self.numbers(smallest));
            let pair = format!("  {} against {}\n", pair.d.abridged(), pair.d_prime.abridged());
            words.push_str(&pair);
            words.push_str(&self.alone("smallest"));
        }
        if *alpha < certificate.alpha && self.raw.alpha.is_none() {
            words.push_str(&format!(
                "  The certificate was judged at level {}, which its writer chose; --alpha asks for another \
                 one here.\n",
                number::brief(certificate.alpha)
            ));
        }
        words
    }

    fn numbers(&self, replay: &Replay) -> String {
        let Headline { known, words, allowed_words, .. } = &replay.headline;
        let allows = allowed_words.as_ref();
        let allows = allows.map_or_else(String::new, |words| format!(", claim allows {words}"));
        format!(
            "  {} trials with seed {}: {}, level {}; {} {}{}\n",
            replay.trials,
            replay.seed,
            number::p_value(replay.p_value),
            number::brief(self.alpha),
            known.word(),
            words,
            allows
        )
    }

    /// The command that plays one of two pairs alone.
    fn alone(&self, which: &str) -> String {
        let program = if self.raw.run_program { " --run-program" } else { "" };
        let file = output::path(&self.raw.certificate);
        format!("  It alone: plaudit replay --pair {which}{program} {file}\n")
    }

    /// Remark if the seed is that of the certificate, or there is a clock.
    fn own_seed(&self, words: &mut String, replay: &Replay) {
        if matches!(self.certificate.witness.scorer, Scorer::Clock(_)) {
            words.push_str("  The runs were timed anew, on this machine and under its load.\n");
        } else if replay.same_seed && replay.same_counts {
            words.push_str(
                "  This is the certificate's own seed: it repeats the same counts, and adds no \
                 evidence.\n",
            );
        } else if replay.same_seed {
            words.push_str(
                "  This is the certificate's own seed, and yet the counts are not the certificate's: \
                 it was altered, another version of the program wrote it, or it was merged without \
                 some shards, as its notes then say.\n",
            );
        }
    }

    /// Recorded outcomes cannot be run again: what came of counting the files once more.
    fn recounted(&self, replay: &Replay) -> String {
        let Refutation { claim, confirm, .. } = &self.certificate.content;
        let audit = visible(&self.certificate.audit);
        if !replay.same_counts {
            return format!(
                "{audit}: the files do not give the certificate's counts\n  They are not those that \
                 the certificate is about, or it was altered: it does not apply to these outcomes.\n"
            );
        }
        let found = if replay.holds { "show" } else { "do not show" };
        format!(
            "{audit}: the outcomes in the files {found} the violation of {claim}\n  Recorded outcomes \
             cannot be run again: the same {confirm} were counted once more, with the same result \
             ({}). This checks the count and adds no evidence.\n",
            number::p_value(replay.p_value)
        )
    }
}

fn fresh_seed() -> Result<u64, Failure> {
    rand::rngs::SysRng.try_next_u64().map_err(|error| {
        Failure::Message(format!("the system provides no randomness: {error}; choose a --seed"))
    })
}
