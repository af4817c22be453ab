//! Protocols that turn an answer into bits, and report each of them by randomized response.

use super::super::by_choices::{ChoiceFamily, probability};
use super::super::parameter::Probability;
use super::super::randomized_response::{bloom_filter, client_value};
use super::{Odds, Reports, answer, chance_of, coin, within};
use plaudit_accountant::number::words;
use plaudit_core::dataset::{Cell, Dataset, Relation};
use plaudit_engine::mechanism::choice::{Coin, Rational};
use plaudit_engine::mechanism::{Choices, Outcome};
use serde::Deserialize;

/// Shows a bit as 1: a coin for a bit that is 0, and one for a bit that is 1.
type Shown = [Coin; 2];

fn shown(one: Rational, zero: Rational) -> Shown {
    [coin(zero), coin(one)]
}

/// A bit that is kept with the probability `keep`, whichever it is.
fn symmetric(keep: Rational) -> Shown {
    shown(keep.clone(), Rational::ONE - keep)
}

/// One bit's reports: its coin of the first round, and all else.
type BitReports = (Coin, Reports<Shown>);

/// A part, so that a proof's runs do not multiply by the bits that nobody sees.
fn draw_bit((first, reports): &BitReports, choices: &mut Choices<'_>) -> Vec<bool> {
    let second = |shown: &Shown, bit: bool, choices: &mut Choices<'_>| {
        choices.coin(&shown[usize::from(bit)])
    };
    reports.draw(choices, |choices| choices.coin(first), second)
}

/// How answers become bits.
enum Encoding {
    /// The bit of the answer is 1, one for each answer.
    OneHot { answers: u32 },
    /// The bits that the hashes set in a Bloom filter.
    Bloom { bits: u32, hashes: u32 },
}

/// All bits of the encoded answer, in each report.
pub(in super::super) struct Bits {
    encoding: Encoding,
    first: Shown,
    reports: Reports<Shown>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum UnaryEncodingName {
    Symmetric,
    Optimized,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum UnaryMistake {
    /// Each of the two bits that differ spends all of ε.
    EpsilonForEachBit,
    /// The first round is drawn anew for each report.
    NotMemoised,
}

/// `unary-encoding` (Wang et al. 2017): a bit for each answer, 1 for the person's. `"symmetric"`: kept with
/// probability √odds/(√odds + 1). `"optimized"`: reported as 1 with probability ½ for a 1, and 1/(odds + 1) for a 0.
/// ln(odds)-DP. With `instant` (Arcolezi et al. 2022) the bits are memoised, and kept once more with probability
/// √instant/(√instant + 1) in each of the `reports`, all of which together are ln(odds)-DP.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct UnaryEncoding {
    answers: u32,
    encoding: UnaryEncodingName,
    odds: Odds,
    reports: Option<u32>,
    instant: Option<Odds>,
    mistake: Option<UnaryMistake>,
}

impl UnaryEncoding {
    pub(in super::super) fn bits(self) -> Result<Bits, String> {
        let answers = within("answers", self.answers, 2, 1024)?;
        let mistake = |one| self.mistake == Some(one);
        let odds = self.odds.get();
        let first = match self.encoding {
            _ if mistake(UnaryMistake::EpsilonForEachBit) => symmetric(chance_of(&odds, 1)),
            UnaryEncodingName::Symmetric => symmetric(chance_of(&self.odds.root("odds")?, 1)),
            UnaryEncodingName::Optimized => shown(
                Rational::from_parts(1.into(), 2u8.into()),
                Rational::ONE - chance_of(&odds, 1),
            ),
        };
        let root = self.instant.map(|instant| instant.root("instant")).transpose()?;
        let reports = Reports {
            number: within("reports", self.reports.unwrap_or(1), 1, 64)?,
            instant: root.map(|root| symmetric(chance_of(&root, 1))),
            memoised: !mistake(UnaryMistake::NotMemoised),
        };
        Ok(Bits { encoding: Encoding::OneHot { answers }, first, reports })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ThresholdMistake {
    /// The noise is for a sensitivity of 1, but two cells differ.
    NoiseForOneCell,
}

/// `thresholded-histogram-encoding` (THE, Wang et al. 2017, with discrete noise): a cell for each answer holds `steps`
/// for the person's, else 0; each gets discrete Laplace noise, P(z) ~ base^(−|z|); and its bit is 1 from
/// `threshold` on. (2·steps·ln base)-DP.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct ThresholdedHistogramEncoding {
    answers: u32,
    base: Odds,
    steps: u32,
    threshold: u32,
    mistake: Option<ThresholdMistake>,
}

impl ThresholdedHistogramEncoding {
    pub(in super::super) fn bits(self) -> Result<Bits, String> {
        let answers = within("answers", self.answers, 2, 1024)?;
        let steps = within("steps", self.steps, 1, 64)?;
        let threshold = within("threshold", self.threshold, 1, steps)?;
        let ratio = match self.mistake {
            None => Rational::ONE / self.base.get(),
            Some(ThresholdMistake::NoiseForOneCell) => Rational::ONE / self.base.get().sqr(),
        };
        // P(noise >= n) for n from 1.
        let tail = |n: u32| ratio.pow(n as isize) / (Rational::ONE + &ratio);
        let first = shown(Rational::ONE - tail(steps + 1 - threshold), tail(threshold));
        let reports = Reports { number: 1, instant: None, memoised: true };
        Ok(Bits { encoding: Encoding::OneHot { answers }, first, reports })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RapporMistake {
    NotMemoised,
}

/// `memoised-rappor` (Erlingsson, Pihur, Korolova 2014): the Bloom filter of the client's value, each bit a fair coin's
/// with probability `f`, drawn once; and in each of the `reports` a bit is 1 with probability `set` if that
/// came out 1, and `unset` if 0. (2·hashes·ln((1 − f/2)/(f/2)))-DP however many reports there are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct MemoisedRappor {
    f: Probability,
    set: Probability,
    unset: Probability,
    bits: u32,
    hashes: u32,
    reports: u32,
    mistake: Option<RapporMistake>,
}

impl MemoisedRappor {
    pub(in super::super) fn bits(self) -> Result<Bits, String> {
        let hashes = within("hashes", self.hashes, 1, 64)?;
        // So that filters exist that differ in the most bits, as many from 0 to 1 as from 1 to 0.
        let bits = within("bits", self.bits, 2 * hashes, 1024)?;
        let [f, set, unset] = [self.f, self.set, self.unset].map(|part| probability(part.get()));
        if set <= unset {
            let (set, unset) = (words(self.set.get()), words(self.unset.get()));
            return Err(format!("set = {set} is invalid: must be above unset = {unset}"));
        }
        Ok(Bits {
            encoding: Encoding::Bloom { bits, hashes },
            first: symmetric(Rational::ONE - f / Rational::from(2)),
            reports: Reports {
                number: within("reports", self.reports, 1, 64)?,
                instant: Some(shown(set, unset)),
                memoised: self.mistake != Some(RapporMistake::NotMemoised),
            },
        })
    }
}

impl ChoiceFamily for Bits {
    /// Each bit's reports.
    type Exact = Vec<BitReports>;

    fn read(&self, dataset: &Dataset) -> Result<Self::Exact, String> {
        let bits = match self.encoding {
            Encoding::OneHot { answers } => {
                let answer = answer(dataset, answers)?;
                (0..answers).map(|at| at == answer).collect()
            }
            Encoding::Bloom { bits, hashes } => bloom_filter(client_value(dataset)?, bits, hashes),
        };
        let bit = |bit: bool| (self.first[usize::from(bit)].clone(), self.reports.clone());
        Ok(bits.into_iter().map(bit).collect())
    }

    fn release(&self, bits: &Self::Exact, choices: &mut Choices<'_>) -> Outcome {
        let told: Vec<_> = bits.iter().map(|bit| choices.part(bit, draw_bit)).collect();
        let report = |at: usize| told.iter().map(move |bit| f64::from(u8::from(bit[at])));
        Outcome::Vector((0..self.reports.number as usize).flat_map(report).collect())
    }

    /// All answers; of Bloom filters, two that differ in as many bits as any: nobody reveals more.
    fn covers(&self, values: &[Cell], _rows: usize, _relation: &Relation) -> bool {
        let (bits, hashes) = match self.encoding {
            Encoding::OneHot { answers } => return values.len() >= answers as usize,
            Encoding::Bloom { bits, hashes } => (bits, hashes),
        };
        let filter = |cell: &Cell| {
            let value = client_value(&Dataset::Numbers(vec![cell.number()?])).ok()?;
            Some(bloom_filter(value, bits, hashes))
        };
        let filters: Vec<_> = values.iter().filter_map(filter).collect();
        let differ = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| a != b).count();
        let most = 2 * hashes as usize;
        filters.iter().any(|a| filters.iter().any(|b| differ(a, b) == most))
    }

    fn describe(&self) -> String {
        let encoded = match self.encoding {
            Encoding::OneHot { answers } => format!("{answers} bits, one for each answer"),
            Encoding::Bloom { bits, hashes } => {
                format!("the {bits} bits of a Bloom filter of the value ({hashes} hashes)")
            }
        };
        let [zero, one] = self.first.each_ref().map(Coin::probability);
        let reports = self.reports.words();
        format!(
            "reports {encoded}, as 1 with probability {one} for a 1, and {zero} for a 0{reports}"
        )
    }
}
