//! What the tests of programs share.

/// Whether there is a Python to run them with; if not, it is said that they were not tested.
pub fn python() -> bool {
    let asked = std::process::Command::new("python3").args(["-c", "import json"]).output();
    let there = asked.is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("no python3: programs in Python were not tested");
    }
    there
}
