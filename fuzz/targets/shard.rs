//! Files of shards: read, and merged with the audits of a spec as if their hashes were right. Hashes that are "own" stand for
//! those of these audits, so that what is frozen may change without new seeds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plaudit::cli::ShardTrial;
use std::sync::OnceLock;

/// Runs in blocks, in turn, and with declared outcomes; a search.
const SPEC: &str = r#"
[defaults]
trials = 9_000
min_power = false

[[audit]]
name = "a"
mechanism = { kind = "laplace", scale = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }

[[audit]]
name = "b"
mechanism = { kind = "laplace", scale = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
stateful = true

[[audit]]
name = "c"
mechanism = { kind = "randomized-response", truth = 0.4 }
relation = "substitution"
pairs = [{ d = [0], d_prime = [1] }]
claim = { epsilon = 1.0 }
outcomes = [0, 1]
stateful = true

[[audit]]
name = "d"
mechanism = { kind = "sum", column = "x", lower = 0, upper = 1, noise = "laplace", scale = 0.5 }
relation = "add-remove"
domain = { columns = { x = { lower = 0, upper = 1 } }, size = [0, 1] }
claim = { epsilon = 1.0 }
trials = 2_000
"#;

fuzz_target!(|input: &[u8]| {
    static TRIAL: OnceLock<ShardTrial> = OnceLock::new();
    let trial = TRIAL.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder").keep();
        let spec = folder.join("audits.toml");
        std::fs::write(&spec, SPEC).expect("a file");
        ShardTrial::new(spec).unwrap_or_else(|_| panic!("the spec is right"))
    });
    let Ok(line) = std::str::from_utf8(input) else { return };
    if let Ok(audits) = trial.merge(line.trim_end_matches('\n')) {
        for [planned, counted] in audits {
            assert!(counted <= planned, "{counted} trials of {planned}");
        }
    }
});
