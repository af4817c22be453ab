//! Help, arguments, colors, pipes.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, LAPLACE, UNDERSTATED, plaudit, stderr, stdout};
use plaudit::cli::exit;
use std::io::Read;
use std::process::Stdio;

const COMMANDS: [&str; 16] = [
    "audit",
    "merge",
    "list",
    "replay",
    "verify",
    "account",
    "attack",
    "canaries",
    "law",
    "check",
    "benchmark",
    "schema",
    "config",
    "init",
    "completions",
    "man",
];

fn help(arguments: &[&str]) -> String {
    let output = plaudit().args(arguments).arg("--help").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    stdout(&output)
}

#[test]
fn help_names_the_exit_codes_the_subcommands_and_examples() {
    let all = help(&[]);
    assert!(all.contains("plaudit audit") && all.contains("plaudit replay"), "{all}");
    let verdicts = [exit::UNEXPECTED, exit::INCONCLUSIVE, exit::NOTHING_SELECTED];
    let own: [(&str, &[u8]); 16] = [
        ("audit", &verdicts),
        ("merge", &verdicts),
        ("verify", &verdicts),
        ("replay", &[exit::UNEXPECTED]),
        ("list", &[exit::NOTHING_SELECTED]),
        ("benchmark", &[exit::NOTHING_SELECTED]),
        ("account", &[exit::UNEXPECTED, exit::INCONCLUSIVE]),
        ("attack", &[exit::UNEXPECTED]),
        ("canaries", &[exit::UNEXPECTED]),
        ("law", &[exit::UNEXPECTED, exit::NOTHING_SELECTED]),
        ("check", &[exit::UNEXPECTED, exit::INCONCLUSIVE]),
        ("schema", &[]),
        ("config", &[]),
        ("init", &[]),
        ("completions", &[]),
        ("man", &[]),
    ];
    let named =
        |help: &str, code: u8| help.lines().any(|line| line.starts_with(&format!("  {code} ")));
    for (help, codes) in std::iter::once((all, &verdicts[..]))
        .chain(own.map(|(command, codes)| (help(&[command]), codes)))
    {
        assert!(help.contains("Examples:") && help.contains("Exit codes:"), "{help}");
        for code in [exit::AS_EXPECTED, exit::FAILED, exit::INTERRUPTED] {
            assert!(named(&help, code), "{code}: {help}");
        }
        for code in verdicts {
            assert_eq!(named(&help, code), codes.contains(&code), "{code}: {help}");
        }
        assert!(help.contains(&exit::TERMINATED.to_string()), "{help}");
    }
}

#[test]
fn each_subcommand_shows_examples_of_its_own_only() {
    for command in COMMANDS {
        let help = help(&[command]);
        let examples: Vec<_> = help.lines().filter(|line| line.starts_with("  plaudit ")).collect();
        assert!(!examples.is_empty(), "{command}: {help}");
        for example in examples {
            assert!(example.starts_with(&format!("  plaudit {command}")), "{command}: {example}");
        }
    }
}

/// One line of a spec misspelt, or an argument: what was meant is said.
#[test]
fn what_is_misspelt_is_asked_about() {
    let folder = Folder::new();
    for (right, wrong, meant) in [
        ("\"laplace\",", "\"laplce\",", "`laplace`"),
        ("kind = \"laplace\",", "kind = \"discrete-gauss\",", "`discrete-gaussian`"),
        ("claim =", "clam =", "`claim`"),
        ("d_prime", "dprime", "`d_prime`"),
        ("{ epsilon = 1.0 }", "{ epsilom = 1.0 }", "`epsilon`"),
        ("{ epsilon = 1.0 }", "{ composition = \"laplac(scale=1)\" }", "`laplace`"),
        ("{ epsilon = 1.0 }", "{ composition = \"laplace(scal=1)\" }", "`scale`"),
    ] {
        let spec = LAPLACE.replace(right, wrong);
        assert_ne!(spec, LAPLACE);
        let output = plaudit().arg("list").arg(folder.spec("a.toml", &spec)).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(i32::from(exit::FAILED)), "{wrong}: {said}");
        // Lines are broken anywhere.
        let flat: Vec<_> = said.split_whitespace().filter(|word| *word != "|").collect();
        let flat = flat.join(" ");
        assert!(flat.contains(&format!("did you mean {meant}?")), "{wrong}: {said}");
    }
    for (arguments, meant) in [
        (&["gausian(sigma=1)", "--delta", "1e-5"][..], "did you mean `gaussian`?"),
        (&["gaussian(sgma=1)", "--delta", "1e-5"], "did you mean `sigma`?"),
        (&["gaussian(sigma=1)", "--delta", "1e-5", "--method", "pdl"], "did you mean `pld`?"),
    ] {
        let said = stderr(&plaudit().arg("account").args(arguments).output().unwrap());
        assert!(said.contains(meant), "{said}");
    }
    let said = stderr(&plaudit().arg("adit").output().unwrap());
    assert!(said.contains("'audit'"), "{said}");
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
fn of_many_mistakes_the_first_are_shown_and_all_are_counted() {
    let folder = Folder::new();
    let wrong = LAPLACE.replace("mechanism = ", "mechanisms = ");
    let many: String =
        (0..60).map(|i| wrong.replace("\"laplace\"\nmech", &format!("\"a{i}\"\nmech"))).collect();
    let spec = folder.spec("a.toml", &many);
    let output = plaudit().args(["list".as_ref(), spec.as_os_str()]).output().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(exit::FAILED)));
    let words = stderr(&output);
    assert_eq!(words.matches("error: ").count(), 51, "{words}");
    assert!(
        words.contains("mistakes, of which 50 are shown, in the specs; nothing was run"),
        "{words}"
    );
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
    let committed = std::fs::read_to_string("docs/report.schema.json").unwrap();
    assert!(stdout(&output) == committed, "docs/report.schema.json is not that of the types");
}

/// What a spec says cannot move the cursor, nor make a row of its own, nor be read backwards.
#[test]
fn a_list_shows_the_words_of_strangers_without_what_steers_a_terminal() {
    let folder = Folder::new();
    let relation = "{ words = \"one person\\u001B[2J\\nviolated  forged\\u202E\\u009B1A\" }";
    let command = "{ command = [\"sh\", \"-c\", \"cat\"] }";
    let spec = LAPLACE
        .replace("{ linf = 1.0 }", relation)
        .replace("{ kind = \"laplace\", epsilon = 1.0, sensitivity = 1.0 }", command);
    assert!(spec.contains("cat") && spec.contains("forged"), "{spec}");
    let output = plaudit().arg("list").arg(folder.spec("a.toml", &spec)).output().unwrap();
    let listed = stdout(&output);
    assert_eq!(listed.lines().count(), 2, "{listed:?} {}", stderr(&output));
    let steers = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    assert!(listed.contains("forged") && !listed.contains(steers), "{listed:?}");
    // Nor does a file's name, in a message.
    let name = "no\u{1b}[2J\u{202e}such.toml";
    let said = stderr(&plaudit().args(["list", name]).output().unwrap());
    assert!(said.contains("such.toml") && !said.contains(steers), "{said:?}");
}

#[test]
fn the_list_fits_the_width() {
    for width in [40, 60, 80, 100] {
        let mut command = plaudit();
        let output =
            command.args(["list", "audits"]).env("COLUMNS", width.to_string()).output().unwrap();
        let words = stdout(&output);
        // A name is never cut, whatever the width: the next column begins behind the longest.
        let names = words.lines().next().and_then(|head| head.find("expected"));
        let most = width.max(names.unwrap() + "not violated".len());
        for line in words.lines() {
            assert!(line.chars().count() <= most, "{width}: {line}");
        }
        assert!(words.lines().count() > 100 && words.contains("search-group-by-keys"), "{words}");
    }
}
