//! `plaudit law`.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use plaudit::cli::exit;
use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use serde_json::Value;

/// Laplace draws, one per line.
fn draws(scale: f64, answer: f64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut draw = || {
        let u = random.random::<f64>() - 0.5;
        answer - scale * u.signum() * (-2.0 * u.abs()).ln_1p()
    };
    (0..20_000).map(|_| format!("{:e}\n", draw())).collect()
}

fn run(folder: &Folder, arguments: &[&str]) -> (u8, String, String) {
    let output = plaudit().current_dir(folder.path()).arg("law").args(arguments).output().unwrap();
    (output.status.code().unwrap() as u8, stdout(&output), stderr(&output))
}

#[test]
fn draws_in_a_file_are_compared_with_a_law() {
    let folder = Folder::new();
    folder.spec("draws.txt", &draws(1.0, 0.0));
    folder.spec("table.csv", &format!("noise\n{}", draws(1.2, 7.0)));
    let (code, out, _) = run(&folder, &["laplace(scale=1)", "draws.txt"]);
    assert_eq!((code, out.contains("\nnot refuted (p ")), (exit::AS_EXPECTED, true), "{out}");
    let (code, out, _) = run(
        &folder,
        &["laplace(1)", "table.csv", "--column", "noise", "--answer", "7", "--format", "json"],
    );
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &answer["refuted"]), (exit::UNEXPECTED, &Value::Bool(true)));
    assert_eq!(answer["evidence"][0]["part"], "spread");
    assert_eq!(run(&folder, &["laplace(1.2)", "table.csv", "--answer=7"]).0, exit::AS_EXPECTED);
    // Whole numbers are not these.
    let (code, out, _) = run(&folder, &["discrete-laplace(1)", "draws.txt"]);
    assert_eq!((code, out.contains("impossible outcomes")), (exit::UNEXPECTED, true), "{out}");
}

#[test]
fn mechanisms_of_a_spec_are_compared_with_their_laws() {
    let folder = Folder::new();
    let spec = |noise: &str| {
        format!(
            "[[audit]]\nname = \"count\"\nmechanism = {{ kind = \"discrete-laplace\", epsilon = 0.5, sensitivity = 1.0 }}\n\
             relation = \"histogram\"\npairs = [{{ d = [10, 3], d_prime = [11, 3] }}]\nclaim = {{ epsilon = 0.5 }}\n\
             law = {{ noise = {noise}, draws = 20_000 }}\n"
        )
    };
    folder.spec("right.toml", &spec("\"discrete-laplace(scale=2)\", answer = [10, 3]"));
    folder.spec("wrong.toml", &spec("\"discrete-laplace(scale=1.5)\", answer = [10, 3]"));
    folder.spec("one.toml", &spec("\"discrete-laplace(scale=2)\""));
    folder.spec("unknown.toml", &spec("\"laplaces(2)\""));
    assert_eq!(run(&folder, &["--spec", "right.toml"]).0, exit::AS_EXPECTED);
    let (code, out, _) = run(&folder, &["--spec", "wrong.toml", "--filter", "count"]);
    assert_eq!((code, out.contains("refuted (p ≤")), (exit::UNEXPECTED, true), "{out}");
    for (arguments, wanted, words) in [
        (&["--spec", "one.toml"][..], exit::FAILED, "write one answer for each"),
        (&["--spec", "unknown.toml"], exit::FAILED, "unknown.toml:7"),
        (
            &["--spec", "right.toml", "--filter", "nothing"],
            exit::NOTHING_SELECTED,
            "matches --filter",
        ),
    ] {
        let (code, _, error) = run(&folder, arguments);
        assert_eq!((code, error.contains(words)), (wanted, true), "{error}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = Folder::new();
    folder.spec("few.txt", "1\n2\n");
    folder.spec("words.txt", &"1\nx\n".repeat(20));
    for (arguments, words) in [
        (["laplace(scale=1)", "few.txt"], "too few"),
        (["laplace(scale=1)", "words.txt"], "words.txt:2: `x` is not a number"),
        (["laplace(scale=1)", "none.txt"], "cannot read the draws"),
        (["laplace(sigma=1)", "few.txt"], "write laplace(scale=…)"),
        (["laplace(scale=-1)", "few.txt"], "must be above 0"),
        (["laplace", "few.txt"], "is not a law"),
        (["student-t(freedom=0, scale=1)", "few.txt"], "must be above 0"),
        (["uniform(low=2, high=1)", "few.txt"], "above low"),
        (["binomial(n=1.5, p=0.5)", "few.txt"], "whole number"),
    ] {
        let (code, _, error) = run(&folder, &arguments);
        assert_eq!((code, error.contains(words)), (exit::FAILED, true), "{arguments:?}: {error}");
    }
}
