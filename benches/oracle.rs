//! The whole tool against somebody who knows both laws: the mean over 20 seeds (or as many as an
//! argument says) of the ε certified with N trials a side, explore included, over the oracle's mean
//! at 0.8 N and at N.

#[path = "../tests/suite/support/oracle.rs"]
mod oracle;

use oracle::rows;
use std::time::Instant;

fn main() {
    // Cargo adds a flag of its own.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let seeds: u64 = match arguments.next().map(|argument| argument.parse()) {
        None => 20,
        Some(Ok(seeds)) if seeds > 1 => seeds,
        Some(_) => {
            eprintln!(
                "SEEDS must be a whole number above 1, e.g. cargo bench --bench oracle -- 100"
            );
            std::process::exit(2);
        }
    };
    println!("| mechanism | N | tool | ± | oracle 0.8 N | oracle N | tool/0.8 N | tool/N |");
    println!("|---|---|---|---|---|---|---|---|");
    let start = Instant::now();
    for row in rows() {
        for n in [10_000u64, 100_000, 1_000_000] {
            let tool = row.tool(n, seeds);
            let mean = tool.mean;
            let error = tool.deviation / (seeds as f64).sqrt();
            let (less, equal) = (row.oracle(n * 4 / 5).mean, row.oracle(n).mean);
            println!(
                "| {} | {n:.0e} | {mean:.4} | {error:.4} | {less:.4} | {equal:.4} | {:.4} | {:.4} |",
                row.name,
                mean / less,
                mean / equal,
                n = n as f64
            );
        }
    }
    eprintln!("{:.0} s", start.elapsed().as_secs_f64());
}
