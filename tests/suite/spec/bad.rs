//! Wrong specs: each is refused with file, line, column, message and remedy.

use crate::support::assert_snapshot;
use plaudit::spec::{Overrides, SpecErrors, load};
use std::path::{Path, PathBuf};

/// The errors of files and folders.
fn errors(paths: &[&Path]) -> SpecErrors {
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    load(&paths, &Overrides::default()).err().unwrap_or_else(|| panic!("{paths:?} was accepted"))
}

fn specs_in(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_wrong_spec_is_refused_with_a_place_and_a_remedy() {
    let files = specs_in("tests/specs/bad");
    assert!(files.len() >= 40, "{}", files.len());
    let mut golden = String::new();
    for file in &files {
        let errors = errors(&[file]);
        for error in &errors.0 {
            let position = error.position.as_ref().unwrap();
            assert!(error.file == *file && !error.help.is_empty(), "{error}");
            assert!(position.span.end <= error.source_text.len(), "{error}");
            assert!(!error.message.contains('\n') && !error.help.contains('\n'), "{error}");
        }
        golden.push_str(&errors.to_string());
        golden.push('\n');
    }
    assert_snapshot("tests/data/snapshots/wrong-specs.txt", &golden);
}

#[test]
fn all_files_are_checked_together() {
    let (one, two) =
        (Path::new("tests/specs/bad/empty.toml"), Path::new("tests/specs/bad/alpha-nan.toml"));
    let errors = errors(&[one, two, Path::new("tests/specs/no-such-file.toml")]);
    let files: Vec<_> = errors.0.iter().map(|error| error.file.clone()).collect();
    assert_eq!(files.len(), 3, "{errors}");
    for file in [one, two, Path::new("tests/specs/no-such-file.toml")] {
        assert!(files.contains(&file.to_path_buf()), "{errors}");
    }
}

#[test]
fn a_name_that_is_taken_in_another_file_is_refused_with_both_places() {
    let errors = errors(&[Path::new("tests/specs/duplicate")]);
    assert_eq!(
        errors.to_string(),
        "tests/specs/duplicate/two.toml:3:8: the name `a` is already used, first at \
         tests/specs/duplicate/one.toml:2:8\n  help: give each audit and attack of a run its own name"
    );
}

#[test]
fn what_the_catalog_refuses_is_pointed_at() {
    let cases: [(&str, (usize, usize), &[&str]); 7] = [
        ("kind-unknown", (3, 22), &["unknown mechanism `laplac`", "did you mean `laplace`?"]),
        (
            "parameter-unknown",
            (3, 48),
            &["unknown parameter `sensitivty` of mechanism `laplace`", "`sensitivity`"],
        ),
        ("parameter-missing", (3, 13), &["mechanism `randomized-response` needs", "`truth`"]),
        ("parameter-wrong-type", (3, 43), &["mechanism `laplace`", "string"]),
        ("parameter-impossible", (3, 43), &["mechanism `laplace`", "-1"]),
        ("table-for-numbers", (6, 10), &["the mechanism cannot run on D of this pair"]),
        ("numbers-for-table", (5, 10), &["the mechanism cannot run on D of this pair"]),
    ];
    for (name, place, words) in cases {
        let file = format!("tests/specs/catalog/{name}.toml");
        let errors = errors(&[Path::new(&file)]);
        assert_eq!(errors.0.len(), 1, "{errors}");
        let position = errors.0[0].position.clone().unwrap();
        assert_eq!((position.line, position.column), place, "{errors}");
        for word in words {
            assert!(errors.to_string().contains(word), "{word:?} is not in {errors}");
        }
    }
}

#[test]
fn no_beginning_of_a_spec_makes_the_reader_panic() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read("tests/specs/good/laplace.toml").unwrap();
    for end in 0..whole.len() {
        let file = folder.path().join("cut.toml");
        std::fs::write(&file, &whole[..end]).unwrap();
        // Some beginnings are specs, too; all that matters is that each gets an answer.
        if let Err(errors) = load(&[file], &Overrides::default()) {
            assert!(!errors.0.is_empty());
        }
    }
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("latin1.toml");
    std::fs::write(&file, b"[[audit]]\nname = \"gr\xf6sse\"\n").unwrap();
    let errors = errors(&[&file]);
    assert!(errors.to_string().contains("not UTF-8"), "{errors}");
}
