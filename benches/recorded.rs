//! Recorded outcomes are read as streams: an audit of 10⁸ doubles under each dataset, and the most
//! memory that it ever held. Writes 1.6 GB into the folder for temporary files, and removes them.
//!
//! `cargo bench --bench recorded`

use plaudit::game::Control;
use plaudit::spec::{self, Overrides};
use plaudit::{Stream, laplace};
use rand::SeedableRng;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::Instant;

const RUNS: usize = 100_000_000;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, answer) in [("d.npy", 0.0), ("d_prime.npy", 1.0)] {
        let file = File::create(folder.path().join(name)).expect("a file");
        record(BufWriter::new(file), answer).expect("room on the disk");
    }
    let path = folder.path().join("recorded.toml");
    let spec = "[[audit]]\nname = \"recorded\"\nrecorded = { d = \"d.npy\", d_prime = \
                \"d_prime.npy\" }\nrelation = { linf = 1.0 }\nclaim = { epsilon = 1.0 }\n";
    std::fs::write(&path, spec).expect("a spec");
    let loaded = spec::load(&[path], &Overrides::default()).expect("a spec");
    let start = Instant::now();
    let finding = loaded[0].audit.run(Control::unattended()).expect("a finding").finding;
    println!(
        "{} of {:.0e} outcomes in {:.1} s: {}, certified epsilon {:.5}; {} (at most 300 MB)",
        finding.trials.total,
        2.0 * RUNS as f64,
        start.elapsed().as_secs_f64(),
        finding.verdict.word(),
        finding.epsilon_lower,
        most_memory("self").unwrap_or_else(|| "peak memory is not known here".into()),
    );
}

/// Laplace noise of scale 1 about an answer, as numpy.save would write it.
fn record(mut file: impl Write, answer: f64) -> std::io::Result<()> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({RUNS},), }}\n");
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&(header.len() as u16).to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    let mut random = Stream::seed_from_u64(answer.to_bits());
    for _ in 0..RUNS {
        // Rounded, since the low bits of a sum of doubles tell its terms.
        let run = (answer + laplace(&mut random, 1.0)) * 1_048_576.0;
        file.write_all(&(run.round() / 1_048_576.0).to_le_bytes())?;
    }
    file.flush()
}

#[path = "support/memory.rs"]
mod support;
use support::most_memory;
