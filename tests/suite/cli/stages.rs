//! Mechanisms in two stages: a clean one that runs once for each dataset, and noise for each run.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, stderr, stdout};
use crate::support::program::python;
use plaudit::cli::exit;
use serde_json::Value;

/// `clean`: the answer of a query on the dataset. `noise`: noise on such an answer. `whole`: both in one program.
const PROGRAM: &str = r#"
import json, random, sys
stage, kind, scale = sys.argv[1], sys.argv[2], float(sys.argv[3])
def clean(rows):
    if kind == "mean":
        return {"total": sum(rows), "rows": 5}
    if kind == "count":
        return sum(rows)
    if kind == "bit":
        return rows[0] > 0
    return [rows.count(0), rows.count(1), rows.count(2)]
def noise(value, draw):
    laplace = lambda: scale * (draw.expovariate(1.0) - draw.expovariate(1.0))
    if kind == "mean":
        return round((value["total"] + laplace()) / value["rows"], 3)
    if kind == "count":
        return round(value + laplace())
    if kind == "bit":
        return value if draw.random() < scale else not value
    if kind == "histogram":
        return [round(count + laplace(), 3) for count in value]
    noisy = [count + laplace() for count in value]
    return noisy.index(max(noisy))
for line in sys.stdin:
    request = json.loads(line)
    draw = random.Random(request["seed"])
    for _ in range(request["runs"]):
        data = request["dataset"]
        if stage != "noise":
            data = clean(data)
        print(json.dumps(data if stage == "clean" else noise(data, draw)))
    sys.stdout.flush()
"#;
/// Kind, scale of the noise, and whether its loss is at most 1, on [0, 1, 1, 2] and [1, 1, 1, 2].
const MECHANISMS: [(&str, &str, bool); 5] = [
    ("mean", "1.0", true),
    ("count", "0.4", false),
    ("bit", "0.9", false),
    ("histogram", "2.0", true),
    ("winner", "2.0", true),
];

fn command(stage: &str, kind: &str, scale: &str) -> String {
    format!("[\"python3\", \"-E\", \"-S\", \"a.py\", \"{stage}\", \"{kind}\", \"{scale}\"]")
}

fn audit(name: &str, mechanism: &str, claim: &str) -> String {
    format!(
        "[[audit]]\nname = \"{name}\"\nmechanism = {{ {mechanism} }}\nrelation = \"substitution\"\n\
         pairs = [{{ d = [0, 1, 1, 2], d_prime = [1, 1, 1, 2] }}]\nclaim = {{ {claim} }}\ntrials = 10_000\n"
    )
}

fn stages(clean: &str, noise: &str) -> String {
    format!("stages = {{ clean = {clean}, noise = {noise} }}")
}

/// Violated by far, or right: verdicts differ from these with probability below 1e-5.
#[test]
fn stages_have_the_verdicts_of_whole_runs() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.program("a.py", PROGRAM);
    let mut specs = String::new();
    for (kind, scale, _) in MECHANISMS {
        let [whole, clean, noise] =
            ["whole", "clean", "noise"].map(|stage| command(stage, kind, scale));
        let whole = format!("command = {whole}");
        specs += &audit(&format!("{kind}-whole"), &whole, "epsilon = 1.0");
        specs += &audit(&format!("{kind}-staged"), &stages(&clean, &noise), "epsilon = 1.0");
    }
    folder.spec("a.toml", &specs);
    let output = folder.run(&["audit", "a.toml", "--out", "r"]);
    assert_eq!(output.status.code(), Some(exit::UNEXPECTED.into()), "{}", stderr(&output));
    let report = folder.report("r");
    let audits = report["audits"].as_array().unwrap();
    for ((kind, _, is_right), two) in MECHANISMS.into_iter().zip(audits.chunks(2)) {
        let verdict = if is_right { "not refuted" } else { "violated" };
        for audit in two {
            assert_eq!(
                audit["verdict"],
                verdict,
                "{kind}: {}\n{}",
                audit["reason"],
                stderr(&output)
            );
        }
        let words = |audit: &Value| audit["mechanism"]["description"].as_str().unwrap().to_owned();
        assert!(words(&two[1]).contains("assumes that the first, the clean stage, draws nothing"));
        assert!(!words(&two[0]).contains("stage"));
    }
    let certificate = folder.path().join("r/certificates/count-staged.json");
    let text = std::fs::read_to_string(&certificate).unwrap();
    assert!(text.contains("the clean stage, draws nothing"), "{text}");
    let certificate = certificate.to_str().unwrap();
    let output = folder.run(&["replay", certificate]);
    assert!(stderr(&output).contains("--run-program"), "{}", stderr(&output));
    let output = folder.run(&["replay", certificate, "--run-program"]);
    assert_eq!(output.status.code(), Some(exit::AS_EXPECTED.into()), "{}", stdout(&output));
}

/// The clean stage is the query: its answers are compared exactly.
#[test]
fn the_sensitivity_of_a_clean_stage_is_looked_at() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.program("a.py", PROGRAM);
    let [clean, noise] = ["clean", "noise"].map(|stage| command(stage, "count", "1.0"));
    folder.spec(
        "a.toml",
        &format!(
            "[[audit]]\nname = \"a\"\nmechanism = {{ {} }}\nrelation = \"substitution\"\n\
             domain = {{ integers = true, lower = 0, upper = 5, size = [1, 4] }}\nsensitivity = {{ l1 = 1.0 }}\n\
             claim = {{ epsilon = 1.0 }}\ntrials = 2_000\n",
            stages(&clean, &noise)
        ),
    );
    let output = folder.run(&["audit", "a.toml", "--out", "r"]);
    assert_eq!(output.status.code(), Some(exit::UNEXPECTED.into()), "{}", stderr(&output));
    let audit = &folder.report("r")["audits"][0];
    assert_eq!(audit["sensitivity"]["distance"], 5.0, "{}", audit["sensitivity"]);
}

/// Of a shell that answers each request with this.
fn shell(answer: &str) -> String {
    format!("[\"sh\", \"-c\", \"while read line; do {answer}; done\"]")
}

#[test]
fn a_clean_stage_that_draws_or_fails_is_told() {
    let folder = Folder::new();
    let noise = shell("echo 1");
    let cases = [
        (
            "draws",
            shell("cat /proc/sys/kernel/random/uuid | sed 's/.*/\\\"&\\\"/'"),
            "The clean stage is not deterministic",
        ),
        ("fails", shell("echo '{\\\"$error\\\": \\\"no rows\\\"}'"), "it failed: no rows"),
        ("speaks", shell("echo Hello"), "The clean stage: The program broke its contract"),
        ("dies", "[\"false\"]".to_owned(), "The clean stage: The program broke down, twice"),
    ];
    let specs =
        cases.iter().map(|(name, clean, _)| audit(name, &stages(clean, &noise), "epsilon = 1.0"));
    folder.spec("a.toml", &specs.collect::<String>());
    let output = folder.run(&["audit", "a.toml", "--out", "r"]);
    let report = folder.report("r");
    for ((name, _, words), audit) in cases.iter().zip(report["audits"].as_array().unwrap()) {
        assert_eq!(audit["verdict"], "inconclusive", "{name}: {}", stderr(&output));
        assert!(audit["reason"].as_str().unwrap().contains(words), "{name}: {}", audit["reason"]);
    }
}

#[test]
fn stages_that_cannot_be_are_mistakes() {
    let folder = Folder::new();
    let [clean, noise] = [shell("echo 1"), shell("echo 2")];
    let both = stages(&clean, &noise);
    for (mechanism, words) in [
        (format!("stages = {{ clean = {clean} }}"), "`stages` has no `noise`"),
        (
            format!("stages = {{ clean = {clean}, noise = {noise}, more = 1 }}"),
            "unknown key `more` in `stages`",
        ),
        (format!("{both}, command = {noise}"), "`command` is the whole mechanism"),
        (format!("{both}, interleaved = true"), "the time of a noise stage"),
        (stages("[\"no-such-program\"]", &noise), "no-such-program"),
        (stages("[]", &noise), "the command is empty"),
    ] {
        folder.spec("a.toml", &audit("a", &mechanism, "epsilon = 1.0"));
        let output = folder.run(&["audit", "a.toml", "--out", "r"]);
        assert_eq!(output.status.code(), Some(exit::FAILED.into()), "{mechanism}");
        assert!(stderr(&output).contains(words), "{words}: {}", stderr(&output));
    }
    folder.spec("a.toml", &(audit("a", &both, "epsilon = 1.0") + "clock = true\n"));
    let output = folder.run(&["audit", "a.toml", "--out", "r"]);
    assert!(stderr(&output).contains("time whole runs"), "{}", stderr(&output));
}
