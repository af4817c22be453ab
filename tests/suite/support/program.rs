//! What the tests of programs share.

use std::sync::LazyLock;

/// How programs that need nothing but the standard library are started: without a look at what else is installed,
/// which takes Python as long as to start.
pub const PYTHON: [&str; 3] = ["python3", "-E", "-S"];

/// Whether there is a Python to run them with; if not, it is said that they were not tested.
pub fn python() -> bool {
    static THERE: LazyLock<bool> = LazyLock::new(|| {
        let asked = std::process::Command::new("python3").args(["-c", "import json"]).output();
        asked.is_ok_and(|output| output.status.success())
    });
    if !*THERE {
        eprintln!("no python3: programs in Python were not tested");
    }
    *THERE
}
