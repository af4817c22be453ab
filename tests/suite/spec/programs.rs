//! A program that cannot be started is a mistake of the spec, with its place and a remedy: it is told
//! before anything runs.
#![cfg(all(unix, feature = "cli"))]

use crate::support::cli::{Folder, LAPLACE, plaudit, stderr};
use plaudit::cli::exit;
use plaudit::spec::{Overrides, check_startable, load};
use std::os::unix::fs::PermissionsExt;

/// A spec of one program; the command stands in line 3.
fn audit(command: &str) -> String {
    format!(
        "[[audit]]\nname = \"a-program\"\nmechanism = {{ command = {command} }}\nrelation = {{ linf = 1.0 }}\n\
         pairs = [{{ d = [0.0], d_prime = [1.0] }}]\nclaim = {{ epsilon = 1.0 }}\n"
    )
}

/// What is said of a command, if anything is, beside these files: name, text, and whether it may be executed.
fn said(command: &str, files: &[(&str, &str, bool)]) -> Option<String> {
    let folder = Folder::new();
    for (name, text, executable) in files {
        let path = folder.spec(name, text);
        let mode = if *executable { 0o755 } else { 0o644 };
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    let file = folder.spec("spec.toml", &audit(command));
    let loaded = load(&[file], &Overrides::default()).unwrap_or_else(|errors| panic!("{errors}"));
    let errors = check_startable(&loaded).err()?;
    let here = format!("{}/", folder.path().display());
    Some(errors.to_string().replace(&here, "HERE/"))
}

/// A command, the files beside the spec (name, text, whether it may be executed), and what is said.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str, bool)], &'a str);

#[test]
fn what_cannot_be_started_is_said_with_its_place_and_a_remedy() {
    let script = "#!/bin/sh\nexit 0\n";
    let cases: [Case<'_>; 10] = [
        (
            "[\"no-such-program\"]",
            &[],
            "HERE/spec.toml:3:26: the program `no-such-program` is not found: no folder of PATH has it\n  \
             help: install it, correct the name, or write a path",
        ),
        (
            "[\"mechanism\"]",
            &[("mechanism", script, true)],
            "is not found: no folder of PATH has it\n  help: write \"./mechanism\" for the one in the folder",
        ),
        (
            "[\"./mechanism\", \"3\"]",
            &[],
            "HERE/spec.toml:3:26: the program `./mechanism` is not found\n  help: there is no HERE/mechanism: \
             build or install it",
        ),
        (
            "[\"./mechanism\"]",
            &[("mechanism", script, false)],
            "is not executable\n  help: allow it with `chmod +x",
        ),
        ("[\"../\"]", &[], "the program `../` is a folder"),
        (
            "[\"./script\"]",
            &[("script", "#!/no/such/interpreter -x\n", true)],
            "the interpreter `/no/such/interpreter` named in the first line of `./script` was not found",
        ),
        (
            "[\"./script\"]",
            &[("script", "#!/usr/bin/env no-such-python\n", true)],
            "the interpreter `no-such-python` named in",
        ),
        (
            "[\"./script\"]",
            &[("script", "#!/bin/sh\r\nexit 0\r\n", true)],
            "the interpreter `/bin/sh\\r` named in the first line of `./script` was not found\n  help: save",
        ),
        (
            "[\"./script\"]",
            &[("script", "#!/usr/bin/env -S no-such-python -u\n", true)],
            "`no-such-python`",
        ),
        ("[\"sh\", \"-c\", \"true\"]", &[("sh", script, false)], ""),
    ];
    for (command, files, words) in cases {
        let said = said(command, files).unwrap_or_default();
        assert!(said.contains(words) && said.is_empty() == words.is_empty(), "{command}: {said}");
    }
}

#[test]
fn what_can_be_started_is_left_alone() {
    for (command, files) in [
        ("[\"./script\"]", &[("script", "#!/bin/sh\nexit 0\n", true)][..]),
        ("[\"./script\"]", &[("script", "#! /usr/bin/env sh\n", true)]),
        ("[\"./script\"]", &[("script", "#!/usr/bin/env -S sh -e\n", true)]),
        ("[\"sh\", \"no-file.py\"]", &[]),
        ("[\"env\", \"X=1\", \"sh\"]", &[]),
    ] {
        assert_eq!(said(command, files), None, "{command}");
    }
}

/// An interpreter is there, and the file that it is to run is not.
#[test]
fn the_file_that_an_interpreter_runs_must_be_there() {
    let python = [("python3", "#!/bin/sh\nexit 0\n", true)];
    let said_of = |command: &str| said(command, &python);
    let missing = said_of("[\"./python3\", \"mechansim.py\"]").unwrap();
    let words = "HERE/spec.toml:3:39: the file `mechansim.py` that `./python3` should run was not found\n  help: \
                 there is no HERE/mechansim.py: correct the path";
    assert!(missing.contains(words), "{missing}");
    for command in [
        "[\"./python3\", \"-m\", \"mechanism.py\"]",
        "[\"./python3\", \"-c\", \"import x.y\"]",
        "[\"./python3\", \"spec.toml\"]",
        "[\"./python3\"]",
    ] {
        assert_eq!(said_of(command), None, "{command}");
    }
}

#[test]
fn nothing_runs_if_a_program_is_missing_but_for_what_is_chosen() {
    let folder = Folder::new();
    folder.spec("a.toml", &format!("{LAPLACE}{}", audit("[\"no-such-program\"]")));
    let run = |more: &[&str]| {
        let mut command = plaudit();
        command.current_dir(folder.path()).args(["audit", "a.toml"]).args(more).output().unwrap()
    };
    let refused = run(&[]);
    let words = stderr(&refused);
    assert_eq!(refused.status.code(), Some(i32::from(exit::FAILED)), "{words}");
    assert!(words.contains("a.toml:10:") && words.contains("no-such-program"), "{words}");
    assert!(words.contains("1 mistake in the specs; nothing was run"), "{words}");
    assert!(!folder.path().join("reports").exists());
    // Who does not run it need not have it.
    let chosen = run(&["--filter", "laplace"]);
    assert_eq!(chosen.status.code(), Some(0), "{}", stderr(&chosen));
    let listed = plaudit().current_dir(folder.path()).args(["list", "a.toml"]).output().unwrap();
    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
}
