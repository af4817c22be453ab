//! Numbers of claims and bounds in few digits, and in as many as tell them apart.

use plaudit::number::{RoundingSide, apart, chosen};
use proptest::prelude::*;

#[test]
fn a_claim_is_not_written_as_a_rounder_one() {
    for (x, words) in [
        (0.99996, "0.99996"),
        (1.00001, "1.00001"),
        (1.0, "1"),
        (1e-5, "1e-5"),
        (0.999_961_234, "0.99996"),
        (3f64.ln(), "1.099"),
        (2f64.ln(), "0.6931"),
    ] {
        assert_eq!(chosen(x), words);
    }
}

#[test]
fn a_bound_and_a_claim_that_differ_are_written_apart() {
    assert_eq!(apart(1.00003, 1.00001, RoundingSide::Near), "1.00003");
    assert_eq!(apart(1.23458, 1.23456, RoundingSide::Down), "1.23458");
    assert_eq!(apart(1.000_5, 1.000_6, RoundingSide::Up), "1.0005");
    assert_eq!(apart(2.0, 1.0, RoundingSide::Down), "2");
}

proptest! {
    /// Rounded to the safe side, and on the side of the other number on which it is.
    #[test]
    fn what_is_written_is_safe_and_on_its_side(x in 1e-9..1e3_f64, nearness in -1e-3..1e-3_f64) {
        let other = x * (1.0 + nearness);
        for side in [RoundingSide::Down, RoundingSide::Up, RoundingSide::Near] {
            let written: f64 = apart(x, other, side).parse().unwrap();
            prop_assert!(side != RoundingSide::Down || written <= x, "{} of {}", written, x);
            prop_assert!(side != RoundingSide::Up || written >= x, "{} of {}", written, x);
            prop_assert!(x <= other || written > other, "{} of {} beside {}", written, x, other);
            prop_assert!(x >= other || written < other, "{} of {} beside {}", written, x, other);
            prop_assert!((written / x - 1.0).abs() < 1e-3);
        }
    }
}

/// In the table a claim is neither a rounder one nor on the other side of what was proved, and what was proved to
/// be the claim, as far as anybody knows, is written so.
#[test]
#[cfg(feature = "cli")]
fn the_table_tells_claims_and_proofs_apart_where_they_are() {
    use crate::support::cli::{Folder, plaudit, stdout};
    let audit = |name: &str, mechanism: &str, relation: &str, claim: &str, expect: &str| {
        format!(
            "[[audit]]\nname = \"{name}\"\nmechanism = {{ {mechanism} }}\nrelation = {{ {relation} = 1.0 }}\n\
             pairs = [{{ d = [0.0], d_prime = [1.0] }}]\nclaim = {{ {claim} }}\ntrials = 10_000\n\
             min_power = false\nexpect = \"{expect}\"\n"
        )
    };
    let laplace = "kind = \"laplace\", epsilon = 1.00003, sensitivity = 1.0";
    let gaussian = "kind = \"gaussian\", epsilon = 1.0, delta = 1e-5, sensitivity = 1.0";
    let folder = Folder::new();
    let spec = [
        audit("barely", laplace, "linf", "epsilon = 1.00001", "violated"),
        audit("nearly", laplace, "linf", "epsilon = 0, delta = 0.99996", "not violated"),
        audit("exactly", gaussian, "l2", "epsilon = 1.0, delta = 1e-5", "not violated"),
    ];
    folder.spec("a.toml", &spec.concat());
    let output = plaudit().current_dir(folder.path()).args(["audit", "a.toml"]).output().unwrap();
    let table = stdout(&output);
    let row = |name: &str| table.lines().find(|line| line.contains(name)).unwrap_or(&table);
    assert!(
        row("barely").contains("1.00001-DP") && row("barely").contains("ε = 1.00003"),
        "{table}"
    );
    assert!(row("nearly").contains("(0, 0.99996)-DP"), "{table}");
    assert!(row("exactly").contains("proved ε = 1 "), "{table}");
}
