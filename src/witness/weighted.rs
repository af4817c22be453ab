//! A weighted sum of several statistics of an outcome: what a linear classifier looks at.

use super::statistic::Statistic;
use crate::number;
use serde::{Deserialize, Serialize};

/// A term of [`Statistic::Weighted`]: weight × clamp((x − center)/scale, ±1), or its square; 0
/// where the outcome has no such number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The number x; none that is a weighted sum itself.
    pub of: Statistic,
    /// Its weight.
    #[serde(with = "number::one")]
    pub weight: f64,
    /// What is subtracted.
    #[serde(with = "number::one")]
    pub center: f64,
    /// What it is divided by, above 0.
    #[serde(with = "number::one")]
    pub scale: f64,
    /// Whether the square is taken.
    #[serde(default)]
    pub squared: bool,
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
    pub(super) fn unweighted(&self, vector: &[f64]) -> f64 {
        self.scaled(self.of.read_vector(vector))
    }

    /// Whether it is one that exploring could have made.
    pub(super) fn is_sound(&self) -> bool {
        let simple = self.of.is_simple();
        simple && self.scale > 0.0 && !self.center.is_nan() && self.weight.is_finite()
    }
}

/// The sum of a vector.
pub(super) fn of_vector(terms: &[Term], vector: &[f64]) -> f64 {
    terms.iter().map(|term| term.weight * term.unweighted(vector)).sum()
}

/// The sum in words, the heaviest terms first.
pub(super) fn words(terms: &[Term]) -> String {
    let mut order: Vec<&Term> = terms.iter().collect();
    order.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    let words = |term: &&Term| {
        let square = if term.squared { "^2" } else { "" };
        term_words(term.weight, &term.of.words(), term.center, term.scale) + square
    };
    sum_words("weighted sum of clipped numbers", order.iter().map(words).collect())
}

/// A term in words: "+0.5 clip((entry 0 - 3) / 2)".
pub(super) fn term_words(weight: f64, name: &str, center: f64, scale: f64) -> String {
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

/// A sum of terms in words: all of them if they are few enough to be added by hand.
pub(super) fn sum_words(what: &str, mut terms: Vec<String>) -> String {
    let more = terms.len();
    let rest = if more > MOST_TOLD {
        terms.truncate(FIRST);
        format!(" and {} more terms, all weights in the certificate", more - FIRST)
    } else {
        String::new()
    };
    format!("{what} ({}{rest}; clip(x) is x between -1 and 1)", terms.join(" "))
}

/// Terms that are few enough to be added by hand, and those that are told of more.
const MOST_TOLD: usize = 8;
/// See [`MOST_TOLD`].
const FIRST: usize = 4;
/// Significant digits of weights, centers and scales.
const DIGITS: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    fn term(entry: usize) -> Term {
        let (weight, center, scale) = (0.5 - entry as f64, 3.0, 2.0);
        Term { of: Statistic::Entry(entry), weight, center, scale, squared: entry == 1 }
    }

    #[test]
    fn a_sum_of_few_terms_can_be_computed_from_its_words() {
        let words = Statistic::Weighted(vec![term(0), term(1)]).words();
        assert!(words.contains("+0.5 clip((entry 0 - 3) / 2)"), "{words}");
        assert!(words.contains("-0.5 clip((entry 1 - 3) / 2)^2"), "{words}");
        let many = Statistic::Weighted((0..9).map(term).collect()).words();
        assert!(many.contains("and 5 more terms, all weights in the certificate"), "{many}");
    }

    #[test]
    fn entries_of_vectors_of_one_length_are_counted_from_the_front() {
        let last_but_one = Term { of: Statistic::FromEnd(1), ..term(0) };
        let weighted = Statistic::Weighted(vec![last_but_one]).of_length(3);
        assert!(weighted.words().contains("entry 1 - 3"), "{}", weighted.words());
        assert_eq!(Statistic::FromEnd(2).of_length(3), Statistic::Entry(0));
        assert_eq!(Statistic::FromEnd(3).of_length(3), Statistic::FromEnd(3));
    }
}
