//! Searches over external programs: the pair that tells is found from the domain alone, and none is found of
//! a right program.
//!
//! The right program is audited at level 1e-9. Programs in Python need Python 3.9 or later; where there is
//! none, this test says so and tests nothing.
#![cfg(unix)]

use crate::support::program::{interpreter, python};
use plaudit::game::Control;
use plaudit::spec::{Overrides, load};
use plaudit::{Dataset, Verdict};

/// Sums of clamped rows with Laplace noise, rounded so that no low bits tell of them; the broken one clamps to a hundred times the range.
const PROGRAM: &str = r#"
import json, random, sys

broken = sys.argv[1] == "broken"
for line in sys.stdin:
    request = json.loads(line)
    noise = random.Random(request["seed"])
    rows = request["dataset"]
    total = sum(min(max(x, 0.0), 100.0 if broken and x > 1.0 else 1.0) for x in rows)
    for _ in range(request["runs"]):
        print(json.dumps(round(total + noise.choice([-1, 1]) * noise.expovariate(1.0), 2)))
    sys.stdout.flush()
"#;

#[test]
fn the_pair_that_tells_is_found_in_the_domain_of_a_program() {
    if !python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("program.py"), PROGRAM).unwrap();
    let audit = |name: &str, expected| {
        format!(
            "[[audit]]\nname = \"{name}\"\nmechanism = {{ command = {:?} }}\nrelation = \"add-remove\"\n\
             domain = {{ lower = -10, upper = 100, size = [0, 5] }}\nclaim = {{ epsilon = 1 }}\nexpect = \"{expected}\"\n",
            [&interpreter()[..], &["program.py", name]].concat()
        )
    };
    let file = folder.path().join("search.toml");
    std::fs::write(&file, audit("broken", "violated") + &audit("right", "not violated")).unwrap();
    let overrides = Overrides { trials: Some(60_000), alpha: Some(1e-9), ..Overrides::default() };
    for loaded in load(&[file], &overrides).unwrap_or_else(|error| panic!("{error}")) {
        let audited = loaded.audit.run(Control::unattended()).unwrap();
        let finding = &audited.finding;
        assert!(finding.as_expected, "{}: {}", finding.name, finding.reason());
        assert!(finding.pair.surveyed > 10, "{}", finding.reason());
        if finding.verdict == Verdict::Violated {
            let certificate = audited.certificate.unwrap();
            let pair =
                certificate.content.smallest.map_or(certificate.pair, |smallest| smallest.pair);
            let rows = |value: serde_json::Value| {
                let dataset: Dataset = serde_json::from_value(value).unwrap();
                dataset.numbers().unwrap().len()
            };
            let (d, d_prime) = (rows(pair.d), rows(pair.d_prime));
            assert!(d.max(d_prime) <= 2, "{d} {d_prime}: {}", finding.reason());
        }
    }
}
