use super::affordable;

#[test]
fn the_coins_do_not_run_out() {
    assert_eq!(affordable(0), 0);
    let mut before = 0;
    for scarcer in [10, 100, 1_000, 10_000, 1_000_000, 100_000_000] {
        let trials = affordable(scarcer);
        assert!(trials >= before && trials < 2 * scarcer);
        before = trials;
        let t = scarcer as f64 - 8.0 - trials as f64 / 2.0;
        if trials > 0 {
            let runs_out = 2.0 * (-2.0 * t * t / trials as f64).exp();
            assert!(runs_out <= 1e-12, "{scarcer}: {trials}, {runs_out}");
        }
    }
    assert!(affordable(100_000_000) > 199_890_000);
}
