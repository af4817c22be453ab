use super::{CHANCE, UNCLEAR, fewer_failures, hang_together};

#[test]
fn fresh_copies_that_fail_as_often_are_no_sign_of_state() {
    assert!(fewer_failures((12, 8), (32, 20)) > UNCLEAR);
    assert!(fewer_failures((12, 12), (32, 32)) > UNCLEAR);
    assert!(fewer_failures((64, 30), (32, 17)) > UNCLEAR);
    // Fisher's lady: 3 of 4, C(4,3)·C(4,1)/C(8,4) + 1/C(8,4) = 17/70 if all is mirrored.
    assert!((fewer_failures((4, 1), (4, 3)) - 17.0 / 70.0).abs() < 1e-12);
    // Broken for good after some runs, and for most of them.
    assert!(fewer_failures((12, 0), (32, 32)) < CHANCE);
    assert!(fewer_failures((12, 1), (32, 20)) < CHANCE);
}

#[test]
fn rare_outcomes_are_no_state_and_noise_that_is_kept_is() {
    // One of 64 fresh copies shows a rare outcome, with mass .003: of 4096 runs about 12 do.
    assert!(!hang_together((30, 1), (4096, 24)));
    assert!(!hang_together((64, 2), (4096, 30)));
    assert!(!hang_together((64, 0), (4096, 0)));
    // Noise that is kept for ever, for a thousand runs, for a hundred; a kept bit.
    assert!(hang_together((3, 3), (4096, 0)));
    assert!(hang_together((3, 3), (4096, 4)));
    assert!(hang_together((3, 3), (4096, 40)));
    assert!(hang_together((6, 3), (4096, 20)));
    // One of many fresh copies may be chance; two are not, and one of few is not known to be.
    assert!(!hang_together((128, 1), (4096, 0)));
    assert!(hang_together((127, 1), (4096, 0)));
    assert!(hang_together((128, 2), (4096, 0)));
    // Too few requests are not trusted.
    assert!(hang_together((12, 1), (48, 0)));
}
