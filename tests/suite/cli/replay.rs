//! `plaudit replay`: certificates that hold, that do not, and that lie.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, UNDERSTATED, plaudit, stderr, stdout};
use plaudit::audit::{Certificate, Seal};
use plaudit::claim::Claim;
use plaudit::cli::exit;
use plaudit::tally::Guess;
use plaudit::tally::Tally;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Output;

fn replay(certificate: &Path, arguments: &[&str]) -> Output {
    plaudit().arg("replay").arg(certificate).args(arguments).output().unwrap()
}

fn code(output: &Output) -> Option<u8> {
    output.status.code().and_then(|code| u8::try_from(code).ok())
}

/// The certificate of a violation: epsilon = 4 where 1 is claimed, 40 000 trials.
fn certificate(folder: &Folder) -> Value {
    folder.spec("a.toml", UNDERSTATED);
    let output = plaudit()
        .current_dir(folder.path())
        .args(["audit", "a.toml", "--seed", "11"])
        .output()
        .unwrap();
    assert_eq!(code(&output), Some(exit::UNEXPECTED), "{}", stderr(&output));
    let said = stdout(&output);
    let path = said
        .lines()
        .find_map(|line| line.strip_prefix("Certificate of laplace-understated: "))
        .unwrap_or_else(|| panic!("no certificate is named in {said}"));
    let text = std::fs::read_to_string(folder.path().join(path)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn save(folder: &Folder, certificate: &Value) -> std::path::PathBuf {
    folder.spec("certificate.json", &certificate.to_string())
}

/// The loss is so far above the claim that fresh randomness misses it with probability below
/// 1e-9; the seeds are fixed all the same.
#[test]
fn a_violation_holds_with_fresh_randomness() {
    let folder = Folder::new();
    let path = save(&folder, &certificate(&folder));
    let output = replay(&path, &["--seed", "12"]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("1-DP is violated again\n"), "{}", stdout(&output));
    assert_eq!(stderr(&output), "");
    assert!(!stdout(&output).contains("adds no evidence"));
    let output = replay(&path, &["--format", "json", "--jobs", "1"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["holds"], true);
    assert_ne!(answer["seed"], 11);
}

#[test]
fn the_seed_of_the_certificate_is_no_new_evidence() {
    let folder = Folder::new();
    let certificate = certificate(&folder);
    let path = save(&folder, &certificate);
    let output = replay(&path, &["--seed", "11"]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("adds no evidence"), "{}", stdout(&output));
    let output = replay(&path, &["--seed", "11", "--format", "json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["tally"], certificate["tally"]);
}

/// Its witness is of a kind that there is no more: it says who replays it, and not what is wrong with its JSON.
#[test]
fn a_certificate_of_an_older_version_is_told_from_a_broken_one() {
    let folder = Folder::new();
    let mut certificate = certificate(&folder);
    certificate["witness"]["scorer"] =
        json!({"kind": "joint", "by": "length", "of": "last", "cases": []});
    let output = replay(&save(&folder, &certificate), &[]);
    assert_eq!(code(&output), Some(exit::FAILED), "{}", stderr(&output));
    assert!(stderr(&output).contains("written by an older version"), "{}", stderr(&output));
}

/// Of both kinds: another schema version, and a digest that is right above what this version does not read.
#[test]
fn a_certificate_of_another_version_says_what_to_do() {
    let folder = Folder::new();
    let counterexample = json!({ "schema_version": "1", "digest": "", "sensitivity": { "norm": "l1", "most": 1.0 } });
    for whole in [certificate(&folder), counterexample] {
        let mut other = whole.clone();
        other["schema_version"] = json!("0");
        let mut renamed = whole;
        renamed["trust_me"] = json!(true);
        let Seal::Broken { holds, .. } = Seal::of(&renamed) else { panic!("{renamed}") };
        renamed["digest"] = json!(holds);
        for other in [other, renamed] {
            let output = replay(&save(&folder, &other), &[]);
            let said = stderr(&output);
            assert_eq!(code(&output), Some(exit::FAILED), "{said}");
            assert!(said.contains("written by an older version"), "{said}");
            assert!(said.contains("or audit the claim again"), "{said}");
        }
    }
}

/// Their witnesses had other words, which follow from what is counted; those of today's version have to be today's.
#[test]
fn certificates_of_earlier_versions_are_told_in_words_of_today() {
    let folder = Folder::new();
    let whole = certificate(&folder);
    for (version, expected) in
        [("1", exit::AS_EXPECTED), ("2", exit::AS_EXPECTED), ("3", exit::FAILED)]
    {
        let mut other = whole.clone();
        other["schema_version"] = json!(version);
        other["witness_words"] = json!("says D in other words");
        let Seal::Broken { holds, .. } = Seal::of(&other) else { panic!("{other}") };
        other["digest"] = json!(holds);
        let output = replay(&save(&folder, &other), &[]);
        assert_eq!(code(&output), Some(expected), "version {version}: {}", stderr(&output));
    }
}

/// Files keep their bytes.
#[test]
fn certificates_that_ship_are_written_as_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/gallery/certificates");
    let files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let json: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let certificate: Certificate = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(serde_json::to_value(&certificate).unwrap(), json, "{}", file.display());
        assert_eq!(certificate.sealed().unwrap(), json, "{}", file.display());
    }
}

/// A certificate that agrees with itself although its counts were never seen, as somebody would forge it who
/// computes all that follows, and the digest.
fn forged(folder: &Folder, certificate: &Value, alpha: f64) -> std::path::PathBuf {
    let mut forged: Certificate = serde_json::from_value(certificate.clone()).unwrap();
    forged.claim = Claim::pure(4.0).unwrap();
    forged.alpha = alpha;
    let all = [forged.tally.trials_d(), forged.tally.trials_d_prime()];
    let mut tally = Tally::new(forged.tally.bins());
    let says = |side| forged.witness.says.iter().position(|says| *says == side);
    tally.d[says(Guess::D).unwrap_or(0)] = all[0];
    tally.d_prime[says(Guess::DPrime).unwrap_or(forged.tally.bins() - 1)] = all[1];
    forged.tally = tally;
    let derived = forged.derived().unwrap();
    forged.p_value = derived.p_value;
    forged.epsilon_lower = derived.epsilon_lower;
    forged.delta_lower = derived.delta_lower;
    assert_eq!(forged.disagreements(), Ok(vec![]));
    save(folder, &forged.sealed().unwrap())
}

/// False alarm: a claim of the true epsilon is refuted with probability at most 1e-6, and the seed
/// is fixed.
#[test]
fn fresh_trials_decide_and_not_what_a_forger_wrote() {
    let folder = Folder::new();
    let path = forged(&folder, &certificate(&folder), 1e-6);
    let output = replay(&path, &["--seed", "12"]);
    assert_eq!(code(&output), Some(exit::UNEXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("the violation of 4-DP was not reproduced"));
}

/// At the certificate's own level of one half a true claim would be refuted half of the time. With the fixed
/// seed nothing is left to chance; with fresh ones, 20 replays at 1e-3 would all miss with probability above 0.98.
#[test]
fn the_level_is_the_readers() {
    let folder = Folder::new();
    let whole = certificate(&folder);
    let path = forged(&folder, &whole, 0.5);
    for seed in 0..20 {
        let output = replay(&path, &["--seed", &seed.to_string(), "--format", "json"]);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&answer["alpha"], &answer["certificate_alpha"]), (&json!(1e-3), &json!(0.5)));
        assert_eq!(code(&output), Some(exit::UNEXPECTED), "{answer}");
    }
    let said = stdout(&replay(&path, &["--seed", "12"]));
    assert!(said.contains("level 0.001") && said.contains("was judged at level 0.5"), "{said}");
    let said = stdout(&replay(&save(&folder, &whole), &["--seed", "12", "--alpha", "1e-9"]));
    assert!(said.contains("level 1e-9") && said.contains("violated again"), "{said}");
    let said = stdout(&replay(&save(&folder, &whole), &["--seed", "12"]));
    assert!(said.contains("level 1e-6") && !said.contains("was judged at"), "{said}");
}

/// Each field that follows from others, or that an editor may try: what the file says and what follows are named.
#[test]
fn edits_are_refused_and_named() {
    let folder = Folder::new();
    let whole = certificate(&folder);
    let mut tally = whole["tally"].clone();
    let first: Certificate = serde_json::from_value(whole.clone()).unwrap();
    let bins = 0..first.tally.bins();
    let right = bins.clone().max_by_key(|&bin| first.tally.d[bin]).unwrap();
    assert_eq!(first.witness.says[right], Guess::D);
    let other = bins.clone().find(|&bin| first.witness.says[bin] == Guess::DPrime).unwrap();
    let moved = tally["d"][right].as_u64().unwrap() / 2;
    tally["d"][right] = json!(tally["d"][right].as_u64().unwrap() - moved);
    tally["d"][other] = json!(tally["d"][other].as_u64().unwrap() + moved);
    let doubled = json!({ "kind": "laplace", "description": whole["mechanism"]["description"],
        "parameters": { "epsilon": 0.5, "sensitivity": 1.0 } });
    let edits = [
        ("/p_value", json!(1e-30), "`p_value` is 1e-30, but"),
        ("/epsilon_lower", json!(9.5), "`epsilon_lower` is 9.5, but"),
        ("/delta_lower", json!(0.75), "`delta_lower` is 0.75, but"),
        ("/witness_words", json!("says D always"), "`witness_words` is \"says D always\", but"),
        ("/relation", json!("l1 distance 2"), "`relation` is \"l1 distance 2\", but"),
        ("/mechanism/description", json!("is fine"), "`mechanism.description` is"),
        ("/mechanism", doubled, "`mechanism.description` is"),
        ("/confirm", json!(1000), "`confirm` is 1000, but"),
        ("/tally", tally, "`epsilon_lower` is"),
        ("/claim/epsilon", json!(1.5), "`delta_lower` is"),
        ("/seed", json!(3), "it was changed after it was written"),
        ("/pair/name", json!("another"), "it was changed after it was written"),
        ("/audit", json!("another"), "it was changed after it was written"),
        ("/digest", json!("sha256:00"), "its digest is sha256:00"),
    ];
    for (field, value, words) in edits {
        let mut edited = whole.clone();
        *edited.pointer_mut(field).unwrap() = value;
        let output = replay(&save(&folder, &edited), &["--seed", "12"]);
        let said = stderr(&output);
        assert_eq!(code(&output), Some(exit::FAILED), "{field}: {said}{}", stdout(&output));
        assert!(said.contains(words), "{field}: {said}");
        assert!(said.contains("its digest is"), "{field}: {said}");
        // What follows from the rest is refused without a digest, too.
        edited.as_object_mut().unwrap().remove("digest");
        let output = replay(&save(&folder, &edited), &["--seed", "12"]);
        let follows = !words.contains("changed after") && field != "/digest";
        assert_eq!(code(&output) == Some(exit::FAILED), follows, "{field}: {}", stderr(&output));
        assert_eq!(stderr(&output).contains("has no digest"), !follows, "{}", stderr(&output));
    }
    // The counts of a certificate that refute nothing.
    let mut tame: Certificate = serde_json::from_value(whole).unwrap();
    tame.claim = Claim::pure(4.0).unwrap();
    let derived = tame.derived().unwrap();
    (tame.p_value, tame.epsilon_lower) = (derived.p_value, derived.epsilon_lower);
    tame.delta_lower = derived.delta_lower;
    let output = replay(&save(&folder, &tame.sealed().unwrap()), &[]);
    assert_eq!(code(&output), Some(exit::FAILED));
    assert!(stderr(&output).contains("its own counts do not refute"), "{}", stderr(&output));
}

#[test]
fn layout_is_no_edit() {
    let folder = Folder::new();
    let text = certificate(&folder).to_string().replace("1.0,", "1,");
    let output = replay(&folder.spec("certificate.json", &text), &["--seed", "12"]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
}

/// What somebody types who has a report, and not its certificate.
#[test]
fn a_report_a_folder_and_a_spec_are_told_from_a_certificate() {
    let folder = Folder::new();
    certificate(&folder);
    for file in ["reports/report.json", "reports"] {
        let output = replay(&folder.path().join(file), &[]);
        let said = stderr(&output);
        assert_eq!(code(&output), Some(exit::FAILED), "{said}");
        let there = folder.path().join("reports/certificates/laplace-understated.json");
        assert!(
            said.contains("a certificate is a JSON file in the folder `certificates`"),
            "{said}"
        );
        assert!(said.contains(there.to_str().unwrap()), "{said}");
    }
    let said = stderr(&replay(&folder.path().join("a.toml"), &[]));
    assert!(
        said.contains("not a certificate") && said.contains("`plaudit audit` writes"),
        "{said}"
    );
}

#[test]
fn certificates_of_closures_are_explained() {
    let folder = Folder::new();
    let mut certificate = certificate(&folder);
    certificate["mechanism"]["kind"] = json!("closure");
    let output = replay(&save(&folder, &certificate), &[]);
    assert_eq!(code(&output), Some(exit::FAILED));
    assert!(stderr(&output).contains("closure"), "{}", stderr(&output));
}

#[test]
fn certificates_that_lie_are_refused() {
    let folder = Folder::new();
    let true_one = certificate(&folder);
    let lies: [(&str, Value, &str); 19] = [
        ("/schema_version", json!("4"), "schema version"),
        ("/confirm", json!(10_u64.pow(18)), "confirm"),
        ("/confirm", json!(0), "confirm"),
        ("/confirm", json!(-1), "not a certificate"),
        ("/alpha", json!(0.0), "alpha"),
        ("/alpha", json!(0.9), "alpha"),
        ("/claim/epsilon", json!(-1.0), "epsilon"),
        ("/claim/delta", json!(2.0), "delta"),
        ("/tally/d", json!([]), "tally"),
        ("/tally/d", json!([u64::MAX, u64::MAX]), "tally"),
        ("/relation", json!("friendship"), "relation"),
        ("/neighbors", json!({ "l1": 0.5 }), "neighbors"),
        ("/neighbors", json!("friendship"), "not a certificate"),
        ("/pair/d_prime", json!({ "numbers": [3.0] }), "neighbors"),
        ("/pair/d_prime", json!({ "numbers": ["NaN"] }), ""),
        ("/pair/d", json!({ "table": { "columns": ["a"], "rows": [[1, 2]] } }), "row"),
        ("/pair/d", json!("x"), "not a dataset"),
        ("/mechanism/kind", json!("no-such-kind"), "unknown mechanism"),
        ("/mechanism/parameters", json!({ "epsilon": null }), "null"),
    ];
    for (field, value, words) in lies {
        let mut certificate = true_one.clone();
        *certificate.pointer_mut(field).unwrap() = value;
        let output = replay(&save(&folder, &certificate), &[]);
        let said = stderr(&output);
        assert_eq!(code(&output), Some(exit::FAILED), "{field}: {said}");
        assert!(said.contains(words) && !said.contains("panicked"), "{field}: {said}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn certificates_without_a_field_or_with_another_are_refused() {
    let folder = Folder::new();
    let whole = certificate(&folder);
    for field in whole.as_object().unwrap().keys() {
        let mut certificate = whole.clone();
        certificate.as_object_mut().unwrap().remove(field);
        let output = replay(&save(&folder, &certificate), &[]);
        // A certificate of an earlier version has none.
        let expected = if field == "digest" { exit::AS_EXPECTED } else { exit::FAILED };
        assert_eq!(code(&output), Some(expected), "without {field}: {}", stderr(&output));
    }
    let mut certificate = whole;
    certificate["trust_me"] = json!(true);
    let output = replay(&save(&folder, &certificate), &[]);
    assert_eq!(code(&output), Some(exit::FAILED));
    assert!(stderr(&output).contains("trust_me"), "{}", stderr(&output));
}

#[test]
fn what_is_no_certificate_is_refused() {
    let folder = Folder::new();
    let nested = "[".repeat(1_000_000);
    let texts = ["", "{}", "null", "not JSON", "{\"schema_version\": 1", nested.as_str()];
    for text in texts {
        let output = replay(&folder.spec("certificate.json", text), &[]);
        let said = stderr(&output);
        assert_eq!(code(&output), Some(exit::FAILED), "{said}");
        assert!(said.contains("not a certificate") && !said.contains("panicked"), "{said}");
    }
    for path in ["nowhere.json", "."] {
        let output = replay(&folder.path().join(path), &[]);
        assert_eq!(code(&output), Some(exit::FAILED), "{path}");
        assert!(stderr(&output).contains("cannot replay"), "{}", stderr(&output));
    }
}

#[test]
fn certificates_cannot_steer_the_terminal() {
    let folder = Folder::new();
    let whole = certificate(&folder);
    for field in ["/relation", "/mechanism/kind", "/schema_version", "/audit"] {
        let mut certificate = whole.clone();
        *certificate.pointer_mut(field).unwrap() = json!("\u{1b}[2J\u{7}");
        let output = replay(&save(&folder, &certificate), &["--color", "always"]);
        let said = stdout(&output) + &stderr(&output);
        assert!(!said.contains("\u{1b}[2J") && !said.contains('\u{7}'), "{field}: {said:?}");
    }
}

/// A certificate whose pair was shrunk: noise that is bounded, where any two answers are told apart.
fn shrunk(folder: &Folder) -> Value {
    let spec = r#"[[audit]]
name = "bounded"
mechanism = { kind = "bounded-noise", bound = 2.0 }
relation = { linf = 1.0 }
domain = { lower = -10, upper = 10, size = [4, 8] }
claim = { epsilon = 1.0 }
trials = 100_000
"#;
    folder.spec("a.toml", spec);
    let output = plaudit().current_dir(folder.path()).args(["audit", "a.toml"]).output().unwrap();
    assert_eq!(code(&output), Some(exit::UNEXPECTED), "{}", stderr(&output));
    let path = folder.path().join("reports/certificates/bounded.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The smallest pair tells the datasets apart in a good part of 70 000 trials, so that fresh
/// randomness misses it with probability below 1e-9.
#[test]
fn the_smallest_pair_is_played_as_well() {
    let folder = Folder::new();
    let certificate = shrunk(&folder);
    assert!(certificate["smallest"].is_object());
    let path = save(&folder, &certificate);
    let output = replay(&path, &["--seed", "12"]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("1-DP is violated again on the pair that was found"), "{said}");
    assert!(
        said.contains("1-DP is violated again on the smallest pair it was shrunk to"),
        "{said}"
    );
    for which in ["found", "smallest"] {
        let command = format!("plaudit replay --pair {which} {}", path.display());
        assert!(said.contains(&command), "{command:?} is not in {said}");
        let output = replay(&path, &["--seed", "12", "--pair", which, "--format", "json"]);
        assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&answer["pair"], &answer["smallest"]), (&json!(which), &Value::Null));
    }
    let output = replay(&path, &["--seed", "12", "--format", "json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let smallest = &answer["smallest"];
    assert_eq!((&smallest["holds"], &smallest["same_seed"]), (&json!(true), &json!(false)));
    let trials = |tally: &Value| -> u64 {
        let sides = [&tally["d"], &tally["d_prime"]];
        sides.iter().flat_map(|side| side.as_array().unwrap()).filter_map(Value::as_u64).sum()
    };
    assert_eq!(trials(&smallest["tally"]), certificate["confirm"].as_u64().unwrap());
    // A smallest pair on which nothing shows changes no exit code, and is told.
    let mut other = certificate.clone();
    let d = other["smallest"]["pair"]["d"]["numbers"].clone();
    let mut near = d.clone();
    near[0] = json!(d[0].as_f64().unwrap() + 1e-9);
    other["smallest"]["pair"]["d_prime"]["numbers"] = near;
    other.as_object_mut().unwrap().remove("digest");
    let path = save(&folder, &other);
    let output = replay(&path, &["--seed", "12"]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("was not reproduced on the smallest pair"),
        "{}",
        stdout(&output)
    );
    let output = replay(&path, &["--seed", "12", "--pair", "smallest"]);
    assert_eq!(code(&output), Some(exit::UNEXPECTED), "{}", stderr(&output));
    let lies = [
        ("/smallest/pair/d_prime", json!({ "numbers": [300.0] }), "neighbors"),
        ("/smallest/pair/d", json!("x"), "not a dataset"),
        ("/smallest/tally/d", json!([]), "tally"),
        ("/smallest/p_value", json!(7.0), "`smallest.p_value` is 7, but"),
        ("/smallest/epsilon_lower", json!(7.0), "`smallest.epsilon_lower` is 7, but"),
        ("/smallest/witness_words", json!("x"), "`smallest.witness_words` is \"x\", but"),
        ("/smallest/alpha", json!(0.5), "not a share"),
        ("/smallest/test", json!("divination"), "not a certificate"),
    ];
    for (field, value, words) in lies {
        let mut lie = certificate.clone();
        *lie.pointer_mut(field).unwrap() = value;
        let output = replay(&save(&folder, &lie), &[]);
        let said = stderr(&output);
        assert_eq!(code(&output), Some(exit::FAILED), "{field}: {said}");
        assert!(said.contains(words) && !said.contains("panicked"), "{field}: {said}");
    }
}

/// A program that is not where plaudit is started.
#[cfg(unix)]
#[test]
fn a_program_that_is_looked_for_elsewhere_is_told_from_where() {
    let folder = Folder::new();
    let mut certificate = certificate(&folder);
    certificate["mechanism"] = json!({ "kind": "process", "description": "Runs `sh no-such-script`.",
        "parameters": { "command": ["sh", "no-such-script"], "folder": "somewhere" } });
    certificate.as_object_mut().unwrap().remove("digest");
    let path = save(&folder, &certificate);
    std::fs::create_dir(folder.path().join("somewhere")).unwrap();
    let output = plaudit()
        .current_dir(folder.path())
        .args(["replay", "--run-program"])
        .arg(&path)
        .output()
        .unwrap();
    let said = stderr(&output);
    assert_eq!(code(&output), Some(exit::FAILED), "{said}");
    assert!(said.contains("broke down") && said.contains("./somewhere"), "{said}");
    assert!(said.contains("start plaudit where the audit was run"), "{said}");
}
