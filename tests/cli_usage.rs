//! Help, arguments, colors, pipes.
#![cfg(feature = "cli")]

mod cli_support;

use cli_support::{Folder, LAPLACE, UNDERSTATED, plaudit, stderr, stdout};
use plaudit::cli::exit;
use std::io::Read;
use std::process::Stdio;

#[test]
fn help_names_the_exit_codes_the_subcommands_and_examples() {
    for arguments in [&["--help"][..], &["audit", "--help"], &["list", "-h"], &["replay", "--help"]]
    {
        let output = plaudit().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let help = stdout(&output);
        for words in ["Examples:", "plaudit audit", "plaudit replay", "Exit codes:"] {
            assert!(help.contains(words), "{words:?} is not in {help}");
        }
        for code in [
            exit::AS_EXPECTED,
            exit::UNEXPECTED,
            exit::FAILED,
            exit::INCONCLUSIVE,
            exit::NOTHING_SELECTED,
            exit::INTERRUPTED,
        ] {
            assert!(help.lines().any(|line| line.starts_with(&format!("  {code} "))), "{code}");
        }
    }
}

#[test]
fn wrong_arguments_exit_2_and_say_which() {
    let cases: [(&[&str], &str); 14] = [
        (&[], "Usage"),
        (&["adit"], "adit"),
        (&["audit", "--trails", "5"], "--trials"),
        (&["audit", "--trials", "99"], "between 100 and 1e12"),
        (&["audit", "--trials", "1e13"], "between 100 and 1e12"),
        (&["audit", "--trials", "1.5"], "whole number"),
        (&["audit", "--alpha", "0"], "between 1e-12 and 0.5"),
        (&["audit", "--alpha", "nan"], "between 1e-12 and 0.5"),
        (&["audit", "--seed=-1"], "--seed"),
        (&["audit", "--jobs", "0"], "--jobs"),
        (&["audit", "--filter", "("], "--filter"),
        (&["audit", "--format", "yaml"], "yaml"),
        (&["audit", "--color", "sometimes"], "sometimes"),
        (&["replay"], "CERTIFICATE"),
    ];
    for (arguments, words) in cases {
        let output = plaudit().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(exit::FAILED)), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{words:?} is not in {}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8_exit_2_without_a_panic() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let strange = OsStr::from_bytes(b"\xff\xfe");
    for before in [&["audit"][..], &["list"], &["replay"], &["audit", "--filter"], &[]] {
        let output = plaudit().args(before).arg(strange).output().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(exit::FAILED)), "{before:?}");
        assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    }
}

#[test]
fn list_shows_all_audits_and_runs_none() {
    let folder = Folder::new();
    folder
        .spec("a.toml", &format!("{LAPLACE}trials = 1e12\n").replacen("trials = 20_000\n", "", 1));
    folder.spec("b.toml", &format!("{UNDERSTATED}expect = \"violated\"\nabout = \"wrong\"\n"));
    let output = plaudit().current_dir(folder.path()).args(["list", "."]).output().unwrap();
    assert_eq!(
        stdout(&output),
        "name                 mechanism  claim  relation         pairs  expected\n\
         laplace              laplace    1-DP   linf distance 1  1      not violated\n\
         laplace-understated  laplace    1-DP   linf distance 1  1      violated\n"
    );
    assert_eq!(output.status.code(), Some(i32::from(exit::AS_EXPECTED)));
    let output = plaudit()
        .current_dir(folder.path())
        .args(["list", ".", "--format", "json"])
        .output()
        .unwrap();
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(list[0]["trials"], 1_000_000_000_000_u64);
    assert_eq!(list[1]["about"], "wrong");
    assert_eq!(list[1]["expected"], "violated");
    assert_eq!(list[1]["pairs"][0], "0 | 1");
}

#[test]
fn a_reader_who_leaves_early_is_no_error() {
    let folder = Folder::new();
    let many: String = (0..2000)
        .map(|i| LAPLACE.replace("\"laplace\"\nmech", &format!("\"a{i}\"\nmech")))
        .collect();
    let spec = folder.spec("a.toml", &many);
    let mut child = plaudit()
        .args(["list".as_ref(), spec.as_os_str()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // More than a pipe holds is written; one byte is read, then the pipe is closed.
    let mut first = [0];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(exit::AS_EXPECTED)), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
}

#[test]
fn colors_are_used_when_asked_for_and_never_else() {
    let colored = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = plaudit();
        command.args(["list", "nowhere"]).args(arguments);
        for (name, value) in variables {
            command.env(name, value);
        }
        stderr(&command.output().unwrap()).contains('\x1b')
    };
    // Standard error is no terminal here.
    assert!(!colored(&[], &[]));
    assert!(colored(&["--color", "always"], &[]));
    assert!(colored(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(colored(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!colored(&["--color=never"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn colors_of_wrong_arguments_obey_too() {
    let colored = |color: &str| {
        let output = plaudit().args(["audit", color, "--trials", "x"]).output().unwrap();
        stderr(&output).contains('\x1b')
    };
    assert!(colored("--color=always"));
    assert!(!colored("--color=never"));
}

#[test]
fn the_version_is_printed() {
    let output = plaudit().arg("--version").output().unwrap();
    assert_eq!(stdout(&output), format!("plaudit {}\n", env!("CARGO_PKG_VERSION")));
}

/// After a wanted change: `cargo run --release -- schema > docs/report.schema.json`.
#[test]
fn the_schema_that_is_printed_is_the_committed_one() {
    let output = plaudit().arg("schema").output().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(exit::AS_EXPECTED)));
    assert_eq!(stdout(&output), std::fs::read_to_string("docs/report.schema.json").unwrap());
}
