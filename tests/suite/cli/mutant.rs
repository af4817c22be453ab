//! `plaudit mutant`: a spec's audits with half the noise, which the gate must find.
//!
//! Right mechanisms are audited at level 1e-6; that a mutant of twice the claim is missed has a smaller probability.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, LAPLACE, UNDERSTATED, plaudit, stderr, stdout};
use crate::support::program::python;
use std::process::Output;

fn mutant(folder: &Folder) -> Output {
    plaudit().current_dir(folder.path()).args(["mutant", "a.toml"]).output().unwrap()
}

/// Audits the mutants of a spec and gives what is printed; all must be violated, as expected.
fn all_found(folder: &Folder) -> String {
    let output = mutant(folder);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    folder.spec("mutants.toml", &stdout(&output));
    let audit = plaudit().current_dir(folder.path()).args(["audit", "mutants.toml"]).output();
    let audit = audit.unwrap();
    assert_eq!(audit.status.code(), Some(0), "{}{}", stdout(&audit), stderr(&audit));
    stdout(&output)
}

#[test]
fn mutants_of_mechanisms_of_the_catalog_are_found() {
    let folder = Folder::new();
    let kind = "{ kind = \"laplace\", epsilon = 1.0, sensitivity = 1.0 }";
    let of = |name: &str, mechanism: &str, pair: &str| {
        LAPLACE
            .replace("\"laplace\"\n", &format!("\"{name}\"\n"))
            .replace(kind, mechanism)
            .replace("{ d = [0.0], d_prime = [1.0] }", pair)
    };
    let unit = "{ d = [0], d_prime = [1] }";
    let answers = "{ kind = \"k-ary-randomized-response\", answers = 2, truth = \"2/5\" }";
    let specs = [
        "[defaults]\nalpha = 1e-6\nseed = 3\n\n".to_owned(),
        LAPLACE.to_owned(),
        of("scale", "{ kind = \"laplace\", scale = 1 }", unit),
        of("exact", "{ kind = \"exact-discrete-laplace\", scale = 1 }", unit),
        of("answers", answers, unit).replace("{ linf = 1.0 }", "\"substitution\""),
        of(
            "steps",
            "{ kind = \"composition\", steps = [{ mechanism = { kind = \"laplace\", scale = 2.0 }, count = 2 }] }",
            unit,
        ),
    ];
    folder.spec("a.toml", &specs.concat());
    let text = all_found(&folder);
    for name in ["laplace", "scale", "exact", "answers", "steps"] {
        assert!(text.contains(&format!("name = \"{name}-mutant\"")), "{text}");
    }
    assert!(text.contains("with half the noise, sensitivity 0.5 instead of 1.0"), "{text}");
    assert!(text.contains("[defaults]") && text.contains("seed = 3"), "{text}");
}

#[test]
fn a_program_that_takes_a_scale_has_a_mutant() {
    if !cfg!(unix) || !python() {
        return;
    }
    let program = "import json, random, sys\nscale = float(sys.argv[2])\nfor line in sys.stdin:\n    \
                   request = json.loads(line)\n    r = random.Random(request['seed'])\n    \
                   for _ in range(request['runs']):\n        noise = r.choice([-1, 1]) * r.expovariate(1.0)\n        \
                   print(round(request['dataset'][0] + scale * noise, 2))\n    sys.stdout.flush()\n";
    let kind = "{ kind = \"laplace\", epsilon = 1.0, sensitivity = 1.0 }";
    let folder = Folder::new();
    folder.spec("noise.py", program);
    let command = "{ command = [\"python3\", \"noise.py\", \"--noise-scale\", \"1.0\"] }";
    folder.spec("a.toml", &LAPLACE.replace(kind, command));
    let text = all_found(&folder);
    assert!(text.contains("\"--noise-scale\", \"0.5\"]"), "{text}");
    assert!(text.contains("argument 0.5 instead of 1.0"), "{text}");
}

#[test]
fn what_has_no_mutant_is_told_why() {
    let folder = Folder::new();
    folder.spec("a.toml", UNDERSTATED);
    let output = mutant(&folder);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    folder.spec("a.toml", &format!("{UNDERSTATED}expect = \"violated\"\n"));
    let output = mutant(&folder);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let said = "no mutant of laplace-understated: it is expected to be violated";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    // One that is planted is not planted twice.
    let planted = UNDERSTATED.replace("understated\"", "understated-mutant\"");
    folder.spec("a.toml", &format!("{UNDERSTATED}\n{planted}expect = \"violated\"\n"));
    let output = mutant(&folder);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let said = "`laplace-understated-mutant` is there already";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    // A mistake is one of the spec.
    folder.spec("a.toml", &UNDERSTATED.replace("trials", "trails"));
    let output = mutant(&folder);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("trails"), "{}", stderr(&output));
}
