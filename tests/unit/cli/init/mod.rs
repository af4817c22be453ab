use super::*;

#[test]
fn the_files_of_a_project_say_its_language() {
    for (files, expected) in [
        (&[][..], StarterLanguage::Other),
        (&["Makefile"], StarterLanguage::Other),
        (&["Cargo.toml"], StarterLanguage::Rust),
        (&["Cargo.toml", "pyproject.toml"], StarterLanguage::Python),
        (&["setup.py"], StarterLanguage::Python),
        (&["a.py"], StarterLanguage::Python),
    ] {
        let project = tempfile::tempdir().unwrap();
        for file in files {
            std::fs::write(project.path().join(file), "").unwrap();
        }
        assert_eq!(language_of(project.path()), expected, "{files:?}");
    }
}
