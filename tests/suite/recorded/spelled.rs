//! Two files that two programs wrote: values that are spelled differently are the first cause of a violation, and the
//! notes say what the values alone leak.
//!
//! The values of both files have one law, so that a bound on what they leak is wrong with probability at most 1e-6.

use super::files::{audit, folder, npy, spec, write};
use plaudit::Verdict;
use plaudit::finding::Cause;
use rand::{RngExt, SeedableRng};

const RUNS: usize = 4_000;

/// Values of one law, other ones each time.
fn values(seed: u64) -> Vec<f64> {
    let mut random = plaudit::Stream::seed_from_u64(seed);
    (0..RUNS).map(|_| random.random::<f64>() * 4.0).collect()
}

fn whole(seed: u64, scale: f64) -> impl Iterator<Item = f64> {
    values(seed).into_iter().map(move |x| x.floor() * scale)
}

fn column(rows: impl Iterator<Item = String>) -> Vec<u8> {
    let rows = rows.map(|row| row + "\n");
    std::iter::once("y\n".to_owned()).chain(rows).collect::<String>().into_bytes()
}

fn lines(rows: impl Iterator<Item = String>) -> Vec<u8> {
    rows.map(|row| row + "\n").collect::<String>().into_bytes()
}

#[test]
fn the_first_cause_is_that_two_programs_wrote_the_files() {
    let word = |x: f64, [yes, no]: [&str; 2]| if x < 2.0 { yes } else { no }.to_owned();
    let missing = |seed: u64, spelled: &'static str| {
        values(seed)
            .into_iter()
            .map(move |x| if x < 1.0 { spelled.to_owned() } else { "0.5".to_owned() })
    };
    let scientific = |x: f64| if x == 0.0 { "0".to_owned() } else { format!("{}e+05", x / 1e5) };
    let single: Vec<f64> = values(1).iter().map(|x| f64::from(*x as f32)).collect();
    type Spelled = [(&'static str, Vec<u8>); 2];
    let cases: [(&str, Spelled); 10] = [
        (
            "1e+05 and 100000",
            [
                ("d.csv", column(whole(1, 1e5).map(scientific))),
                ("e.csv", column(whole(2, 1e5).map(|x| format!("{x}")))),
            ],
        ),
        (
            "1.0 and 1",
            [
                ("d.csv", column(whole(1, 1.0).map(|x| format!("{x:?}")))),
                ("e.csv", column(whole(2, 1.0).map(|x| format!("{x}")))),
            ],
        ),
        (
            "True and true",
            [
                ("d.csv", column(values(1).into_iter().map(|x| word(x, ["True", "False"])))),
                ("e.csv", column(values(2).into_iter().map(|x| word(x, ["true", "false"])))),
            ],
        ),
        (
            "True and true of JSON",
            [
                ("d.csv", column(values(1).into_iter().map(|x| word(x, ["True", "False"])))),
                ("e.jsonl", lines(values(2).into_iter().map(|x| word(x, ["true", "false"])))),
            ],
        ),
        (
            "null and NaN",
            [("d.jsonl", lines(missing(1, "null"))), ("e.jsonl", lines(missing(2, "NaN")))],
        ),
        (
            "NA and nothing",
            [("d.csv", column(missing(1, "NA"))), ("e.csv", column(missing(2, "")))],
        ),
        (
            "(n, 1) and (n,)",
            [
                ("d.npy", npy(&format!("({RUNS}, 1)"), &whole(1, 0.5).collect::<Vec<_>>())),
                ("e.npy", npy(&format!("({RUNS},)"), &whole(2, 0.5).collect::<Vec<_>>())),
            ],
        ),
        (
            "float32 and text",
            [
                ("d.npy", npy(&format!("({RUNS},)"), &single)),
                ("e.csv", column(values(2).iter().map(|x| format!("{}", *x as f32)))),
            ],
        ),
        (
            "six digits and all",
            [
                ("d.csv", column(values(1).iter().map(|x| format!("{x:.5}")))),
                ("e.csv", column(values(2).iter().map(|x| format!("{x}")))),
            ],
        ),
        (
            "numbers and texts",
            [
                ("d.jsonl", lines(whole(1, 1.0).map(|x| format!("{x}")))),
                ("e.jsonl", lines(whole(2, 1.0).map(|x| format!("\"{x}\"")))),
            ],
        ),
    ];
    for (case, files) in cases {
        let folder = folder();
        let [d, e] = files.each_ref().map(|(name, bytes)| {
            write(folder.path(), name, bytes);
            *name
        });
        let finding =
            audit(folder.path(), &spec(&format!("d = \"{d}\", d_prime = \"{e}\""), 1.0, ""))
                .finding;
        assert_eq!(finding.verdict, Verdict::Violated, "{case}: {}", finding.reason());
        assert_eq!(finding.possible_causes.first(), Some(&Cause::Spelling), "{case}");
        let note = finding.notes.iter().find(|note| note.contains("The values alone"));
        let note = note.unwrap_or_else(|| panic!("{case}: {:?}", finding.notes));
        assert!(note.contains("does not refute the claim"), "{case}: {note}");
    }
}

#[test]
fn values_that_leak_are_the_cause_whoever_wrote_them() {
    let folder = folder();
    let leaking = |seed: u64, missing: f64| {
        let mut random = plaudit::Stream::seed_from_u64(seed);
        (0..RUNS).map(move |_| if random.random_bool(missing) { "0" } else { "1" }.to_owned())
    };
    write(folder.path(), "d.csv", column(leaking(1, 0.1)));
    write(folder.path(), "e.csv", column(leaking(2, 0.9)));
    let files = "d = \"d.csv\", d_prime = \"e.csv\"";
    let finding = audit(folder.path(), &spec(files, 1.0, "")).finding;
    assert_eq!(finding.verdict, Verdict::Violated);
    assert_ne!(finding.possible_causes.first(), Some(&Cause::Spelling));
    assert!(finding.notes.iter().all(|note| !note.contains("The values alone")));
    // Spelled apart as well, the values still leak.
    write(folder.path(), "e.csv", column(leaking(2, 0.9).map(|x| x + ".0")));
    let finding = audit(folder.path(), &spec(files, 1.0, "")).finding;
    let note = finding.notes.iter().find(|note| note.contains("The values alone")).unwrap();
    assert!(note.contains(", which refutes the claim"), "{note}");
}

/// The lowest bit of integers beyond 64 bits with a sign is kept by each reader of text.
#[test]
fn large_integers_keep_their_lowest_bit() {
    let large = |seed: u64, bit: u64| {
        let mut random = plaudit::Stream::seed_from_u64(seed);
        (0..RUNS).map(move |_| ((1 << 63 | random.random::<u64>()) & !1 | bit).to_string())
    };
    for (end, write_rows) in [
        ("csv", column as fn(std::vec::IntoIter<String>) -> Vec<u8>),
        ("jsonl", lines as fn(_) -> _),
    ] {
        let folder = folder();
        let rows = |rows: Vec<String>| -> Vec<u8> { write_rows(rows.into_iter()) };
        write(folder.path(), &format!("d.{end}"), rows(large(1, 0).collect()));
        write(folder.path(), &format!("e.{end}"), rows(large(2, 1).collect()));
        let files = format!("d = \"d.{end}\", d_prime = \"e.{end}\"");
        let finding = audit(folder.path(), &spec(&files, 1.0, "")).finding;
        assert_eq!(finding.verdict, Verdict::Violated, "{end}: {}", finding.reason());
    }
}
