//! Specs: read, with the pages of their mistakes, and the mutants of those without one. No program is started.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plaudit::mutants::mutants;
use plaudit::spec::{Overrides, parse};
use std::path::PathBuf;
use std::sync::OnceLock;

/// A folder with the files that the seeds name.
fn folder() -> PathBuf {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, content) in [
            ("people.csv", "name,age,vote\na,31,0\nb,57,1\nc,9.5,yes\n"),
            ("d.csv", "x\n0.5\n1.5\n2.5\n"),
            ("e.csv", "x\n0.5\n1.5\n3.5\n"),
            ("d.jsonl", "0.5\n[1]\n"),
            ("e.jsonl", "0.5\n[2]\n"),
        ] {
            std::fs::write(folder.path().join(name), content).expect("a file");
        }
        folder
    });
    folder.path().join("spec.toml")
}

fuzz_target!(|text: &str| {
    // A pattern takes 100 000 numbers in 40 bytes: long specs of them are large, as they must be.
    if text.len() > 4096 {
        return;
    }
    let file = folder();
    let loaded = match parse(text, &file, &Overrides::default()) {
        Ok(loaded) => loaded,
        Err(errors) => {
            let _ = (errors.to_string(), plaudit::cli::pages(&errors));
            return;
        }
    };
    for one in &loaded {
        assert!(one.line <= 1 + text.lines().count(), "{} is no line", one.line);
    }
    let made = mutants(text, &file).unwrap_or_else(|why| panic!("it was read before: {why}"));
    if !made.names.is_empty() {
        let read = parse(&made.text, &file, &Overrides::default());
        let read = read.unwrap_or_else(|why| panic!("a mutant is no spec: {why}\n{}", made.text));
        assert_eq!(read.len(), made.names.len());
    }
});
