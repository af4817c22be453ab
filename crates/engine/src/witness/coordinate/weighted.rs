//! A weighted sum of several statistics of an outcome: the input of a linear classifier.

use crate::witness::coordinate::statistic::{Linear, Term};
use plaudit_accountant::number;

/// A weight or a scale with so few digits that words hold all of them: what was fitted is known to fewer.
pub(crate) fn rounded(x: f64) -> f64 {
    in_digits(x, FITTED)
}

fn in_digits(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits - 1).parse().unwrap_or(x)
}

/// A center to a hundredth of its scale, at most, in decimal digits.
pub(crate) fn rounded_center(center: f64, scale: f64) -> f64 {
    let beside = 10f64.powf(scale.abs().log10().floor());
    if !(beside.is_finite() && beside > 0.0 && center.is_finite()) {
        return center;
    }
    // Both at most 308.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let digits = (center.abs() / beside).max(1.0).log10().ceil() as usize + FITTED - 1;
    in_digits(center, digits)
}

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
            let (sign, words) = term_words(term.weight, &term.of.words(), term.center, term.scale);
            (sign, words + square)
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

/// The sign of a term, and the term in words: "0.5 clip((entry 0 - 3) / 2)".
pub(crate) fn term_words(weight: f64, name: &str, center: f64, scale: f64) -> (char, String) {
    let sign = if weight < 0.0 { '-' } else { '+' };
    let digits = number::words;
    let shifted = match center {
        0.0 => name.to_owned(),
        center if center < 0.0 => format!("({name} + {})", digits(-center)),
        center => format!("({name} - {})", digits(center)),
    };
    let scaled = if scale == 1.0 { shifted } else { format!("{shifted} / {}", digits(scale)) };
    let clipped = format!("clip({scaled})");
    (
        sign,
        if weight.abs() == 1.0 { clipped } else { format!("{} {clipped}", digits(weight.abs())) },
    )
}

/// A sum of terms in words: all terms if there are few enough to be added by hand.
pub(crate) fn words_of_sum(what: &str, terms: Vec<(char, String)>) -> String {
    let told = if terms.len() > MOST_TOLD { FIRST } else { terms.len() };
    let mut words = String::new();
    for (at, (sign, term)) in terms.iter().take(told).enumerate() {
        match (at, sign) {
            (0, '-') => words.push('-'),
            (0, _) => {}
            _ => words += &format!(" {sign} "),
        }
        words += term;
    }
    if told < terms.len() {
        let more = terms.len() - told;
        words += &format!(" and {more} more terms, which the certificate has in full");
    }
    format!("{what} ({words}; clip(x) = min(1, max(-1, x)))")
}

/// Most terms that are shown in full: a few lines of text, to be added by hand.
const MOST_TOLD: usize = 8;
/// Number of terms shown of a longer sum, as examples.
const FIRST: usize = 4;
/// Significant digits of weights and scales that are fitted.
const FITTED: usize = 3;

#[cfg(test)]
#[path = "../../../tests/unit/witness/coordinate/weighted.rs"]
mod tests;
