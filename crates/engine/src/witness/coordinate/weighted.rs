//! A weighted sum of several statistics of an outcome: the input of a linear classifier.

use crate::witness::coordinate::statistic::{Linear, Term};
use plaudit_accountant::number;

impl Term {
    fn scaled(&self, x: Option<f64>) -> f64 {
        match x {
            Some(x) if !x.is_nan() => {
                let x = ((x - self.center) / self.scale).clamp(-1.0, 1.0);
                if self.squared { x * x } else { x }
            }
            _ => 0.0,
        }
    }

    /// The term of a vector without its weight.
    pub(crate) fn unweighted(&self, vector: &[f64]) -> f64 {
        self.scaled(self.of.read_vector(vector))
    }

    /// `true` if explore could have made it.
    pub(crate) fn is_sound(&self) -> bool {
        let simple = self.of.is_simple();
        simple && self.scale > 0.0 && !self.center.is_nan() && self.weight.is_finite()
    }

    pub(crate) fn sum(terms: &[Self], vector: &[f64]) -> f64 {
        terms.iter().map(|term| term.weight * term.unweighted(vector)).sum()
    }

    /// The sum in words, the heaviest terms first.
    pub(crate) fn sum_words(terms: &[Self]) -> String {
        let mut order: Vec<&Term> = terms.iter().collect();
        order.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
        let words = |term: &&Term| {
            let square = if term.squared { "^2" } else { "" };
            term_words(term.weight, &term.of.words(), term.center, term.scale) + square
        };
        words_of_sum("weighted sum of clipped numbers", order.iter().map(words).collect())
    }
}

impl Linear {
    /// The sum in words, the heaviest terms first.
    pub(crate) fn words(&self) -> String {
        let mut order: Vec<usize> =
            (0..self.weights.len()).filter(|&i| self.weights[i] != 0.0).collect();
        order.sort_by(|&a, &b| self.weights[b].abs().total_cmp(&self.weights[a].abs()));
        let name = |i: usize| {
            if self.differences && i > 0 {
                format!("(entry {i} - entry {})", i - 1)
            } else {
                format!("entry {i}")
            }
        };
        let terms = order
            .iter()
            .map(|&i| term_words(self.weights[i], &name(i), self.centers[i], self.scales[i]));
        words_of_sum("weighted sum of clipped entries", terms.collect())
    }
}

/// A term in words: "+0.5 clip((entry 0 - 3) / 2)".
fn term_words(weight: f64, name: &str, center: f64, scale: f64) -> String {
    let sign = if weight < 0.0 { '-' } else { '+' };
    let digits = |x: f64| number::significant(x, DIGITS);
    let shifted = match center {
        0.0 => name.to_owned(),
        center if center < 0.0 => format!("({name} + {})", digits(-center)),
        center => format!("({name} - {})", digits(center)),
    };
    let scaled = if scale == 1.0 { shifted } else { format!("{shifted} / {}", digits(scale)) };
    format!("{sign}{} clip({scaled})", digits(weight.abs()))
}

/// A sum of terms in words: all terms if there are few enough to be added by hand.
fn words_of_sum(what: &str, mut terms: Vec<String>) -> String {
    let more = terms.len();
    let rest = if more > MOST_TOLD {
        terms.truncate(FIRST);
        format!(" and {} more terms, all weights in the certificate", more - FIRST)
    } else {
        String::new()
    };
    format!("{what} ({}{rest}; clip(x) is x between -1 and 1)", terms.join(" "))
}

/// Most terms that are shown in full: a few lines of text, to be added by hand.
const MOST_TOLD: usize = 8;
/// Number of terms shown of a longer sum, as examples.
const FIRST: usize = 4;
/// Significant digits of weights, centers and scales: a certificate has all of them.
const DIGITS: usize = 6;

#[cfg(test)]
#[path = "../../../tests/unit/witness/coordinate/weighted.rs"]
mod tests;
