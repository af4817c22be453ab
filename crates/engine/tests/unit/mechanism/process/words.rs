//! Each finding has a row in docs/external-state.md, which quotes its sentence.

use super::*;
use crate::mechanism::program::{Format, ProgramSettings};
use std::collections::BTreeSet;

#[test]
fn every_finding_is_documented() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/external-state.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    let table = docs.split("| finding | the report states |").nth(1).unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let quoted: BTreeSet<&str> = rows.map(|row| row.split('"').nth(1).unwrap()).collect();
    let settings = ProgramSettings {
        command: vec!["program".into()],
        clean: None,
        folder: Default::default(),
        format: Format::Json,
        timeout: 1.0,
        batch: None,
        patience: 1.0,
        interleaved: false,
    };
    struct Never;
    impl crate::mechanism::Function for Never {
        fn ask(
            &self,
            _: &crate::mechanism::FunctionRequest<'_>,
            _: &mut crate::mechanism::Outcomes,
            _: &std::sync::atomic::AtomicBool,
        ) -> Result<(), Trouble> {
            unreachable!()
        }
    }
    let program = Process::new(settings.clone());
    let copies = crate::mechanism::process::FunctionCopies::None;
    let function = Process::of_function(std::sync::Arc::new(Never), settings, copies);
    let findings = [
        Finding::CopiesBroke("it broke off".into()),
        Finding::SeedIgnored,
        Finding::SeedUnseen,
        Finding::Constant,
        Finding::OrderUnseen,
        Finding::State(State::SeedGivesOthers),
        Finding::State(State::CopiesDiffer),
        Finding::State(State::Fails),
        Finding::State(State::Repeats),
        Finding::BreaksDown([1, 0], "It broke off.".into()),
        Finding::BreaksDown([0, 0], "It broke off".into()),
        Finding::CopiesRepeat,
        Finding::Correlated,
        Finding::Shares(Shared::Outcome),
        Finding::Shares(Shared::Something),
        Finding::Shares(Shared::Alone),
        Finding::Repeats,
    ];
    let mut used = BTreeSet::new();
    for process in [&program, &function] {
        for finding in &findings {
            let words = process.note(&(finding.clone(), Remedy::Told));
            let found: Vec<_> = quoted.iter().filter(|quote| words.contains(**quote)).collect();
            assert_eq!(found.len(), 1, "{words}: {found:?}");
            used.insert(*found[0]);
            assert!(words.ends_with('.') && !words.ends_with(".."), "{words}");
        }
    }
    assert_eq!(used, quoted);
}
