//! Laws by name: `laplace(scale=1)`, `discrete-gaussian(sigma=2)`.

use super::NoiseLaw;
use plaudit_accountant::normal;
use statrs::distribution::{ContinuousCDF, Exp, Gumbel, Laplace, StudentsT};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Largest standard deviation of a law in a table, which has about 80 entries for each of it.
const LARGEST_SIGMA: f64 = 1e5;
/// Smallest weight in a table, over that of the likeliest value.
const SMALLEST: f64 = 1e-300;

/// A law that was named with its parameters.
#[derive(Clone)]
pub struct NamedLaw {
    text: String,
    family: Family,
}

#[derive(Clone)]
enum Family {
    Laplace(Laplace),
    Gaussian {
        sigma: f64,
    },
    Exponential(Exp),
    Gumbel(Gumbel),
    Logistic {
        scale: f64,
    },
    Uniform {
        low: f64,
        high: f64,
    },
    StudentT(StudentsT),
    /// P(X = k) is in proportion to e^(−|k| / scale).
    DiscreteLaplace {
        scale: f64,
    },
    /// Probabilities P(X ≤ k) from the first value on, and P(X > k).
    Table {
        first: i64,
        below: Vec<f64>,
        above: Vec<f64>,
    },
    /// Number of failures before a success.
    Geometric {
        p: f64,
    },
}

/// Names of laws, each with its parameters in order.
const FAMILIES: &[(&str, &[&str])] = &[
    ("laplace", &["scale"]),
    ("gaussian", &["sigma"]),
    ("exponential", &["scale"]),
    ("gumbel", &["scale"]),
    ("logistic", &["scale"]),
    ("uniform", &["low", "high"]),
    ("cauchy", &["scale"]),
    ("student-t", &["freedom", "scale"]),
    ("discrete-laplace", &["scale"]),
    ("discrete-gaussian", &["sigma"]),
    ("discrete-uniform", &["low", "high"]),
    ("geometric", &["p"]),
    ("bernoulli", &["p"]),
    ("binomial", &["n", "p"]),
    ("poisson", &["mean"]),
];

/// Text that does not name a law.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LawError {
    #[error("the law {0:?} is unknown: use {names}", names = names())]
    Unknown(String),
    #[error("{0:?} is not a law: write a name and its parameters, such as laplace(scale=1)")]
    Form(String),
    #[error("{name} takes {wanted}: write {name}({example})")]
    Parameters { name: String, wanted: String, example: String },
    #[error("{parameter} of {name} must be {range}")]
    Range { name: String, parameter: &'static str, range: &'static str },
}

fn names() -> String {
    let forms =
        FAMILIES.iter().map(|(name, parameters)| format!("{name}({})", parameters.join(", ")));
    forms.collect::<Vec<_>>().join(", ")
}

impl FromStr for NamedLaw {
    type Err = LawError;

    /// Reads a name and its parameters.
    ///
    /// # Errors
    /// If the name is unknown, or a parameter is missing, unknown or out of range.
    fn from_str(text: &str) -> Result<Self, LawError> {
        let form = || LawError::Form(text.to_owned());
        let (name, rest) = text.trim().split_once('(').ok_or_else(form)?;
        let name = name.trim();
        let inside = rest.trim().strip_suffix(')').ok_or_else(form)?;
        let known = FAMILIES.iter().find(|row| row.0 == name);
        let (name, wanted) = *known.ok_or_else(|| LawError::Unknown(name.to_owned()))?;
        let values = parameters(inside, wanted).ok_or_else(|| LawError::Parameters {
            name: name.to_owned(),
            wanted: wanted.join(" and "),
            example: wanted.iter().map(|it| format!("{it}=…")).collect::<Vec<_>>().join(", "),
        })?;
        Ok(Self { text: text.trim().to_owned(), family: Family::of(name, &values)? })
    }
}

/// The values of the wanted parameters, in their order: each once, and no other.
fn parameters(text: &str, wanted: &[&str]) -> Option<Vec<f64>> {
    let mut values = vec![None; wanted.len()];
    for part in text.split(',') {
        let (name, value) = match part.split_once('=') {
            Some((name, value)) => (name.trim(), value),
            // A single parameter needs no name.
            None if wanted.len() == 1 => (wanted[0], part),
            None => return None,
        };
        let place = wanted.iter().position(|it| *it == name)?;
        let value = value.trim().parse().ok().filter(|it: &f64| it.is_finite())?;
        if values[place].replace(value).is_some() {
            return None;
        }
    }
    values.into_iter().collect()
}

impl Family {
    /// The family of a name in [`FAMILIES`], and its parameters in order.
    fn of(name: &str, values: &[f64]) -> Result<Self, LawError> {
        let wrong = |parameter, range| LawError::Range { name: name.to_owned(), parameter, range };
        let [first, second] = [values[0], values.get(1).copied().unwrap_or(1.0)];
        let positive = |parameter| match first {
            _ if first > 1e-300 && first < 1e300 => Ok(first),
            _ => Err(wrong(parameter, "above 0")),
        };
        let probability = |p: f64| match p {
            _ if p > 0.0 && p < 1.0 => Ok(p),
            _ => Err(wrong("p", "between 0 and 1")),
        };
        let unlike = |_| wrong("scale", "above 0");
        Ok(match name {
            "laplace" => Self::Laplace(
                Laplace::new(0.0, positive("scale")?).map_err(|_| wrong("scale", "above 0"))?,
            ),
            "gaussian" => Self::Gaussian { sigma: positive("sigma")? },
            "exponential" => Self::Exponential(
                Exp::new(1.0 / positive("scale")?).map_err(|_| wrong("scale", "above 0"))?,
            ),
            "gumbel" => Self::Gumbel(
                Gumbel::new(0.0, positive("scale")?).map_err(|_| wrong("scale", "above 0"))?,
            ),
            "logistic" => Self::Logistic { scale: positive("scale")? },
            "uniform" if first < second && (second - first).is_finite() => {
                Self::Uniform { low: first, high: second }
            }
            "uniform" => return Err(wrong("high", "above low, by a finite number")),
            "cauchy" => {
                Self::StudentT(StudentsT::new(0.0, positive("scale")?, 1.0).map_err(unlike)?)
            }
            // A normal law, as far as doubles and draws can show.
            "student-t" if second > 0.0 && first >= 1e7 => Self::Gaussian { sigma: second },
            "student-t" if second > 0.0 => {
                Self::StudentT(StudentsT::new(0.0, second, positive("freedom")?).map_err(unlike)?)
            }
            "student-t" => return Err(wrong("scale", "above 0")),
            "discrete-laplace" => Self::DiscreteLaplace { scale: positive("scale")? },
            "discrete-gaussian" if first <= LARGEST_SIGMA => gaussian_table(positive("sigma")?),
            "discrete-gaussian" => return Err(wrong("sigma", "at most 100 000")),
            "discrete-uniform" => uniform_table(first, second).ok_or_else(|| {
                wrong("high", "a whole number, at least low, and at most 1 000 000 above it")
            })?,
            "geometric" => Self::Geometric { p: probability(first)? },
            "bernoulli" => table(0, &[1.0 - probability(first)?, first]),
            "binomial" => {
                let n = Some(first).filter(|n| n.fract() == 0.0 && (1.0..=1e15).contains(n));
                let n = n.ok_or_else(|| wrong("n", "a whole number from 1 to 1e15"))?;
                let odds = probability(second)? / (1.0 - second);
                let ratio = move |k: f64| (n - k) / (k + 1.0) * odds;
                recurring((n * second).floor(), ratio)
                    .ok_or_else(|| wrong("n", "so small that n p (1 − p) is at most 1e10"))?
            }
            _ => {
                let mean = positive("mean")?;
                recurring(mean.floor(), |k| mean / (k + 1.0))
                    .ok_or_else(|| wrong("mean", "at most 1e10"))?
            }
        })
    }

    fn tail(&self, x: f64, above: bool) -> f64 {
        let side = |below: f64, over: f64| if above { over } else { below };
        match self {
            Self::Laplace(law) => of_statrs(law, x, above),
            Self::Gaussian { sigma } => normal::cdf(if above { -x / sigma } else { x / sigma }),
            Self::Exponential(law) => of_statrs(law, x, above),
            Self::Gumbel(law) => of_statrs(law, x, above),
            Self::Logistic { scale } => {
                let t = if above { x / scale } else { -x / scale };
                1.0 / (1.0 + t.exp())
            }
            Self::Uniform { low, high } => {
                let share = ((x - low) / (high - low)).clamp(0.0, 1.0);
                side(share, ((high - x) / (high - low)).clamp(0.0, 1.0))
            }
            Self::StudentT(law) => of_statrs(law, x, above),
            Self::DiscreteLaplace { scale } => {
                // P(X > k) = e^(−(k + 1)/s) / (1 + e^(−1/s)) for k >= 0.
                let share = 1.0 / (1.0 + (-1.0 / scale).exp());
                let least = |k: f64| (-k / scale).exp() * share;
                let k = x.floor();
                let over = if k >= 0.0 { least(k + 1.0) } else { 1.0 - least(-k) };
                let below = if k >= 0.0 { 1.0 - least(k + 1.0) } else { least(-k) };
                side(below, over)
            }
            Self::Table { first, below, above: over } => {
                let place = x.floor() - *first as f64;
                if place < 0.0 {
                    side(0.0, 1.0)
                } else if place >= below.len() as f64 {
                    side(1.0, 0.0)
                } else {
                    side(below[place as usize], over[place as usize])
                }
            }
            Self::Geometric { p } => {
                let k = x.floor() + 1.0;
                let ln = if k > 0.0 { k * (-p).ln_1p() } else { 0.0 };
                side(-ln.exp_m1(), ln.exp())
            }
        }
    }
}

fn of_statrs(law: &impl ContinuousCDF<f64, f64>, x: f64, above: bool) -> f64 {
    if above { law.sf(x) } else { law.cdf(x) }
}

/// Law on counts from 0, from a likely value and the ratios P(X = k + 1) / P(X = k); `None` if its table is too large.
fn recurring(likely: f64, ratio: impl Fn(f64) -> f64) -> Option<Family> {
    const MOST: usize = (80.0 * LARGEST_SIGMA) as usize;
    let (mut low, mut high) = (vec![1.0], Vec::new());
    let (mut k, mut weight) = (likely, 1.0);
    while k > 0.0 && weight > SMALLEST && low.len() < MOST {
        k -= 1.0;
        weight /= ratio(k);
        low.push(weight);
    }
    let first = k;
    (k, weight) = (likely, 1.0);
    while weight > SMALLEST && high.len() < MOST {
        weight *= ratio(k);
        k += 1.0;
        high.push(weight);
    }
    low.reverse();
    low.extend(high);
    (low.len() < MOST).then(|| table(first as i64, &low))
}

/// Table of probabilities in proportion to weights, summed from both ends.
fn table(first: i64, weights: &[f64]) -> Family {
    let total: f64 = weights.iter().sum();
    let sums = |weights: &mut dyn Iterator<Item = &f64>| {
        let mut sum = 0.0;
        weights
            .map(|weight| {
                sum += weight / total;
                sum
            })
            .collect::<Vec<f64>>()
    };
    let below = sums(&mut weights.iter());
    let mut above = sums(&mut weights.iter().rev());
    // Entry k of the reversed sums is P(X >= k); P(X > k) is the next one.
    above.reverse();
    above.remove(0);
    above.push(0.0);
    Family::Table { first, below, above }
}

fn gaussian_table(sigma: f64) -> Family {
    let most = (40.0 * sigma).ceil() as i64 + 1;
    let weight = |k: i64| (-0.5 * (k as f64 / sigma).powi(2)).exp();
    table(-most, &(-most..=most).map(weight).collect::<Vec<_>>())
}

fn uniform_table(low: f64, high: f64) -> Option<Family> {
    let whole = |x: f64| (x.fract() == 0.0 && x.abs() < 1e15).then_some(x as i64);
    let (low, high) = (whole(low)?, whole(high)?);
    (0..=1_000_000)
        .contains(&(high - low))
        .then(|| table(low, &vec![1.0; (high - low) as usize + 1]))
}

impl NoiseLaw for NamedLaw {
    fn tails(&self, at: &[f64], above: bool) -> Vec<f64> {
        at.iter().map(|x| self.family.tail(*x, above)).collect()
    }

    fn is_discrete(&self) -> bool {
        match self.family {
            Family::DiscreteLaplace { .. } | Family::Table { .. } | Family::Geometric { .. } => {
                true
            }
            Family::Laplace(_)
            | Family::Gaussian { .. }
            | Family::Exponential(_)
            | Family::Gumbel(_)
            | Family::Logistic { .. }
            | Family::Uniform { .. }
            | Family::StudentT(_) => false,
        }
    }

    fn gaussian_sigma(&self) -> Option<f64> {
        match self.family {
            Family::Gaussian { sigma } => Some(sigma),
            _ => None,
        }
    }
}

impl fmt::Debug for NamedLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for NamedLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
