//! Programs that now and then break down, and answer when they are asked again.
#![cfg(all(unix, feature = "cli"))]

use crate::support::cli::{Folder, stderr};
use crate::support::program::python;

/// Once it has answered, it breaks down in every 25th request by chance: on the dataset that its argument names, or on any.
const PROGRAM: &str = r#"
import json, os, random, sys
answered, chance = 0, random.SystemRandom()
for line in sys.stdin:
    request = json.loads(line)
    data = request["dataset"]
    if answered > 3 and chance.random() < 0.04 and sys.argv[1] in (str(data), "any"):
        os._exit(1)
    draw = random.Random(request["seed"])
    for _ in range(request["runs"]):
        print(round(data + draw.expovariate(1.0) - draw.expovariate(1.0), 3))
    sys.stdout.flush()
    answered += 1
"#;

/// Some 40 breakdowns on one dataset: fewer than 11 come with probability below 1e-8. On any, they are called one-sided with
/// probability .001.
#[test]
fn breakdowns_on_one_dataset_alone_are_told() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.program("a.py", PROGRAM);
    let audit = |name: &str| {
        format!(
            "[[audit]]\nname = \"on-{name}\"\nmechanism = {{ command = [\"python3\", \"-E\", \"-S\", \"a.py\", \"{name}\"] }}\n\
             relation = {{ linf = 1.0 }}\npairs = [{{ d = 0, d_prime = 1 }}]\nclaim = {{ epsilon = 1.0 }}\ntrials = 2_000\n"
        )
    };
    folder.spec("a.toml", &["0", "1", "any"].map(audit).concat());
    let output = folder.run(&["audit", "a.toml", "--out", "r"]);
    let report = folder.report("r");
    let audits = report["audits"].as_array().unwrap();
    for (audit, words) in
        audits.iter().zip(["times on D and 0 times on D′", "broke down 0 times on D and"])
    {
        assert_eq!(audit["verdict"], "inconclusive", "{}", stderr(&output));
        assert!(audit["reason"].as_str().unwrap().contains(words), "{}", audit["reason"]);
    }
    assert_eq!(audits[2]["verdict"], "not refuted", "{}", audits[2]["reason"]);
    assert!(audits[2]["notes"].to_string().contains("was asked again"), "{}", audits[2]["notes"]);
}
