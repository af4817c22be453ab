//! Completions and manual pages know every subcommand.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};

const COMMANDS: [&str; 4] = ["audit", "gate", "init", "config"];

#[test]
fn completions_know_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = plaudit().args(["completions", shell]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let script = stdout(&output);
        assert!(script.contains("changed-since"), "{shell}");
        assert!(COMMANDS.iter().all(|command| script.contains(command)), "{shell}: {script}");
    }
    let output = plaudit().args(["completions", "cmd"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let folder = Folder::new();
    let output = plaudit().current_dir(folder.path()).args(["man", "man/man1"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let page = |name: &str| std::fs::read_to_string(folder.path().join("man/man1").join(name));
    assert!(page("plaudit.1").unwrap().contains("plaudit"));
    for command in COMMANDS {
        let page = page(&format!("plaudit-{command}.1")).unwrap();
        assert!(page.contains("Exit codes"), "{command}: {page}");
    }
}
