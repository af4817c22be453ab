//! Raw arguments of `plaudit account`.

use crate::cli::parse::{OutputFormat, number};
use clap::Args;
use plaudit_accountant::near::nearest;
use plaudit_accountant::{AccountantError, Composition, Method, Unknown};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct AccountArguments {
    /// An expression, such as 'gaussian(sigma=1.2) x 1000 @ poisson(0.01) + laplace(scale=2) x 3', or
    /// a file with a composition (*.toml), or with opacus' history or dp-accounting's events (*.json)
    #[arg(value_name = "COMPOSITION")]
    pub composition: String,
    /// Print the epsilon at this delta
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    pub delta: Option<f64>,
    /// Print the delta at this epsilon
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    pub epsilon: Option<f64>,
    /// Print the highest true-positive rate of any attack (one dataset against its neighbor) at this false-positive rate
    #[arg(long, value_name = "F", value_parser = number, allow_hyphen_values = true)]
    pub fpr: Option<f64>,
    /// pld (a bracket), or an upper bound: rdp, gdp, basic, advanced, advanced-short
    #[arg(long, value_name = "METHOD", default_value = "pld", value_parser = method)]
    pub method: Method,
    /// Print the value that meets --epsilon and --delta, in place of the one given: the smallest `sigma` of Gaussian or
    /// `scale` of Laplace events (per unit of sensitivity), the largest `rate` of samples, or the largest `count` of uses;
    /// `count:2` is that of the second event
    #[arg(long, value_name = "WHAT", value_parser = solve)]
    pub solve: Option<Solve>,
    /// Ask whether the composition is (--epsilon, --delta)-DP: exit code 1 if it is not, 3 if that is not decided
    #[arg(long, conflicts_with_all = ["solve", "attack", "fpr"])]
    pub claim: bool,
    /// Print the success of the best attacks: advantage, mu, right guesses, and true-positive rates at false-positive
    /// rates 1e-4, 1e-3, 1e-2 and 0.1
    #[arg(long)]
    pub attack: bool,
    /// With --attack: probability that an attacker gives one of the two datasets beforehand
    #[arg(long, value_name = "P", default_value = "0.5", requires = "attack", value_parser = number, allow_hyphen_values = true)]
    pub prior: f64,
    /// With --attack: false-positive rates, as LEAST,MOST, at which no attack is better than one on mu-GDP
    #[arg(long, value_name = "RANGE", default_value = "0.005,0.5", requires = "attack", value_parser = rates)]
    pub mu_range: (f64, f64),
    /// Draw the privacy profile, with the curve of each method that applies, into this SVG file
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}

/// Quantity that `--solve` looks for.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) enum Solve {
    Known(Unknown),
    /// Count of the only event.
    Count,
}

impl Solve {
    /// The unknown of a composition.
    ///
    /// # Errors
    /// If it is a count, and the composition has several events.
    pub fn of(self, composition: &Composition) -> Result<Unknown, AccountantError> {
        match (self, composition.events().len()) {
            (Self::Known(unknown), _) => Ok(unknown),
            (Self::Count, 1) => Ok(Unknown::Count(0)),
            (Self::Count, events) => Err(AccountantError::Method {
                method: "solve count",
                why: format!("the composition has {events} events: name one, such as count:1"),
            }),
        }
    }
}

fn solve(word: &str) -> Result<Solve, String> {
    let place = |place: &str| place.parse::<usize>().ok()?.checked_sub(1);
    Ok(match (word, word.strip_prefix("count:").and_then(place)) {
        ("sigma", _) => Solve::Known(Unknown::Sigma),
        ("scale", _) => Solve::Known(Unknown::Scale),
        ("rate", _) => Solve::Known(Unknown::Rate),
        ("count", _) => Solve::Count,
        (_, Some(place)) => Solve::Known(Unknown::Count(place)),
        _ => return Err("not one of sigma, scale, rate, count, or count:N for event N".into()),
    })
}

/// "0.005,0.5".
fn rates(word: &str) -> Result<(f64, f64), String> {
    let parsed = word
        .split_once(',')
        .and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    parsed
        .filter(|&(least, most)| 0.0 < least && least <= most && most < 1.0)
        .ok_or_else(|| "not two rates above 0 and below 1, such as 0.005,0.5".into())
}

fn method(word: &str) -> Result<Method, String> {
    let names = Method::ALL.map(Method::name);
    Method::of_name(word).ok_or_else(|| match nearest(word, &names) {
        Some(near) => format!("did you mean `{near}`? The methods are {}", names.join(", ")),
        None => format!("not one of {}", names.join(", ")),
    })
}
