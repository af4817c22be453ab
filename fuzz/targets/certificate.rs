//! Certificates: read and checked as `plaudit replay` does. If no program is needed, a few trials are played; a program is
//! never started.
#![no_main]

use libfuzzer_sys::fuzz_target;

/// Trials that are played.
const TRIALS: u64 = 200;

fuzz_target!(|text: &[u8]| {
    if let Ok(json) = serde_json::from_slice(text) {
        let _ = plaudit::cli::try_certificate(json, TRIALS);
    }
});
