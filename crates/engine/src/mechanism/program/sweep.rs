//! Processes that a program started and that left its process group: found by a word in their
//! environment, on systems that show it (Linux). Elsewhere only process groups are killed.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The environment variable that holds the word.
pub const VARIABLE: &str = "PLAUDIT_AUDIT";

/// A word that is unique among the audits of this machine.
pub fn word() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}{}", own(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Common beginning of the words of this process, and of no other.
pub fn own() -> &'static str {
    static OWN: OnceLock<String> = OnceLock::new();
    OWN.get_or_init(|| {
        let start = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let start = start.map_or(0, |since| since.as_nanos());
        format!("{}-{start}-", std::process::id())
    })
}

/// Kills every process that has inherited the word.
#[cfg(target_os = "linux")]
pub fn sweep(word: &str) {
    use rustix::process::{Pid, Signal, kill_process};
    let entry = format!("{VARIABLE}={word}");
    let Ok(processes) = std::fs::read_dir("/proc") else { return };
    for process in processes.flatten() {
        let number = process.file_name().to_str().and_then(|name| name.parse::<i32>().ok());
        let Some(pid) = number.and_then(Pid::from_raw) else { continue };
        let Ok(environment) = std::fs::read(process.path().join("environ")) else { continue };
        if environment.split(|byte| *byte == 0).any(|variable| variable == entry.as_bytes()) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Such processes cannot be found here.
#[cfg(not(target_os = "linux"))]
pub fn sweep(_: &str) {}
