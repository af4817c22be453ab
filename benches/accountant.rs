//! The accountant and dp-accounting (PyPI), row by row in one run: ε at δ = 10⁻⁵, its bracket and
//! the time it takes. What dp-accounting does not have is compared with other packages.
//!
//! `cargo bench --bench accountant [-- FILE]`; the table is also written to FILE. The first run
//! installs the packages into a virtual environment under target/.

use plaudit::accountant::{Bracket, Composition, Method};
use serde::Deserialize;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The versions that are installed.
const PEER: &str = "dp-accounting==0.6.0";
const OTHER: &str = "pld_accounting[performance]==2.0";
/// Seconds that a peer of `OTHERS` has for a row.
const LIMIT: u64 = 150;
/// Rows that are not in the table of the tests.
const MORE: [(&str, &str); 1] =
    [("substituted_q.01_s1_T10000", "gaussian(sigma=1) x 10000 @ poisson-substitution(0.01)")];
/// Rows of other packages: name, expression, and the package, or the reason why it is not run.
const OTHERS: [(&str, Option<&str>, Result<&str, &str>); 3] = [
    ("allocation_t2_s1", Some("gaussian(sigma=1) @ allocation(steps=2)"), Ok("PLD_accounting 2.0")),
    (
        "allocation_t1000_s1",
        Some("gaussian(sigma=1) @ allocation(steps=1000)"),
        Ok("PLD_accounting 2.0"),
    ),
    (
        "shuffle_n1e6",
        Some("shuffled-randomized-response(epsilon=1, rows=1e6, values=4)"),
        Err("PrivacyAmplification is not in a package registry"),
    ),
];
/// Turns of ours, of which the best counts, as for the peer.
const TURNS: u32 = 5;

/// Rows whose ε has a closed form, at the double next to 10⁻⁵, from mpmath with 50 digits: the loss of a
/// discrete Laplace use is ±a, with probability 1/(1 + e^(−a)) of +a, so that δ(ε) of n uses is a sum of
/// n + 1 terms; a discrete Gaussian use has a sum over integers.
#[allow(clippy::excessive_precision)]
const TRUTHS: [(&str, f64); 3] = [
    ("discrete_laplace_a1_x1", 0.999_986_321_112_032_724_144_190),
    ("discrete_laplace_a.5_x10", 4.998_854_120_412_369_118_200_915),
    ("discrete_gaussian_s1_x1", 4.430_238_055_279_412_110_230_832),
];

#[derive(Deserialize)]
struct Peer {
    lower: f64,
    upper: f64,
    lower_s: f64,
    upper_s: f64,
}

fn ours(expression: &str) -> Result<(Bracket, f64, f64), Box<dyn Error>> {
    let composition: Composition = expression.parse()?;
    let mut times = Vec::new();
    let mut bracket = Bracket { lower: 0.0, upper: 0.0 };
    for _ in 0..TURNS {
        let start = Instant::now();
        bracket = composition.epsilon_at(1e-5, Method::Pld)?;
        times.push(start.elapsed().as_secs_f64());
    }
    Ok((bracket, times[0], times.into_iter().fold(f64::INFINITY, f64::min)))
}

fn python() -> Result<PathBuf, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench-venv");
    let python = folder.join("bin/python");
    if !python.exists() {
        Command::new("python3").args(["-m", "venv"]).arg(&folder).status()?;
    }
    let install = ["-m", "pip", "install", "--quiet", PEER, OTHER];
    if !Command::new(&python).args(install).status()?.success() {
        return Err(format!("cannot install {PEER} and {OTHER}").into());
    }
    Ok(python)
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/accountant/peer.py")
}

/// The rows of dp-accounting, and how far the ends of some are from the truth.
fn rows(python: &Path) -> Result<(String, String), Box<dyn Error>> {
    let mut peer =
        Command::new(python).arg(script()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut asks = peer.stdin.take().ok_or("no pipe")?;
    let mut answers = BufReader::new(peer.stdout.take().ok_or("no pipe")?).lines();
    let (mut table, mut apart) = (String::new(), String::new());
    for (name, expression) in ROWS.into_iter().chain(MORE) {
        let (Bracket { lower, upper }, first, best) = ours(expression)?;
        writeln!(asks, "{name}")?;
        let there: Peer = serde_json::from_str(&answers.next().ok_or("the peer ended")??)?;
        let both = there.upper_s + there.lower_s;
        let _ = writeln!(
            table,
            "| {name} | {lower:.12} | {upper:.12} | {:.1e} | {:.12} | {:.1e} | {:.1e} | {:.1e} | \
             {:.1e} | {both:.1e} | {:.0} | {:.0} |",
            upper - lower,
            there.upper,
            there.upper - there.lower,
            first,
            best,
            there.upper_s,
            there.upper_s / best,
            both / best,
        );
        if let Some((_, truth)) = TRUTHS.iter().find(|(row, _)| *row == name) {
            let ends = [lower, upper, there.lower, there.upper].map(|end| end - truth);
            let [lower, upper, least, most] = ends.map(|above| format!("{above:.1e}"));
            let _ = writeln!(apart, "| {name} | {lower} | {upper} | {least} | {most} |");
        }
    }
    drop(asks);
    peer.wait()?;
    Ok((table, apart))
}

#[derive(Deserialize)]
struct Other {
    lower: f64,
    upper: f64,
    seconds: f64,
}

/// The answer of another package to a row; `None` after `LIMIT` seconds.
fn other(python: &Path, name: &str) -> Result<Option<Other>, Box<dyn Error>> {
    let start = Instant::now();
    let mut peer = Command::new(python).arg(script()).arg(name).stdout(Stdio::piped()).spawn()?;
    while peer.try_wait()?.is_none() {
        if start.elapsed() > Duration::from_secs(LIMIT) {
            peer.kill()?;
            peer.wait()?;
            return Ok(None);
        }
        sleep(Duration::from_millis(50));
    }
    Ok(Some(serde_json::from_slice(&peer.wait_with_output()?.stdout)?))
}

fn others(python: &Path) -> Result<String, Box<dyn Error>> {
    let mut table = format!(
        "\nRows of other packages, which have {LIMIT} s each; PLD_accounting is asked for an \
         accuracy of 1e-3, once.\n\n\
         | row | our lower | our upper | ours | peer | peer's lower | peer's upper | peer |\n\
         |---|---|---|---|---|---|---|---|\n"
    );
    for (name, expression, package) in OTHERS {
        let here = match expression.map(ours).transpose()? {
            Some((Bracket { lower, upper }, _, best)) => {
                format!("{lower:.9} | {upper:.9} | {best:.1e}")
            }
            None => "— | — | —".to_owned(),
        };
        let there = match package {
            Err(reason) => format!("{reason} | — | — | —"),
            Ok(package) => match other(python, name)? {
                Some(Other { lower, upper, seconds }) => {
                    format!("{package} | {lower:.9} | {upper:.9} | {seconds:.1e}")
                }
                None => format!("{package} | — | — | over {LIMIT} s"),
            },
        };
        let _ = writeln!(table, "| {name} | {here} | {there} |");
    }
    Ok(table)
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().skip(1).find(|word| !word.starts_with("--"));
    let python = python()?;
    let (rows, apart) = rows(&python)?;
    let mut table = format!(
        "# The accountant and {PEER}\n\n`cargo bench --bench accountant`: ε at δ = 10⁻⁵; the peer \
         at a discretisation of 1e-4; seconds from building to the answer, best of some turns (ours \
         also the first turn, in which transforms are planned). Faster: the peer's pessimistic end \
         alone, and both ends, over our bracket, best turns.\n\n\
         | row | our lower | our upper | width | peer's upper | peer's width | ours, first | ours \
         | peer, upper | peer, both | faster, upper alone | faster, both |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n{rows}\n\
         Where ε has a closed form: by how much the ends are above it (rounded to a double). An upper \
         end below 0 is none, nor is a lower one above 0; a bracket of width 0 would have to be the \
         real number itself.\n\n\
         | row | our lower | our upper | peer's lower | peer's upper |\n|---|---|---|---|---|\n{apart}"
    );
    table += &others(&python)?;
    let memory = most_memory("self").unwrap_or_default();
    let _ = writeln!(table, "\nPeak resident memory of ours, all rows: {memory}.");
    print!("{table}");
    if let Some(file) = file {
        let file = std::fs::File::create(file)?;
        write!(&file, "{table}")?;
    }
    Ok(())
}

#[path = "../tests/suite/support/accountant.rs"]
mod reference;
use reference::ROWS;
#[path = "support/memory.rs"]
mod support;
use support::most_memory;
