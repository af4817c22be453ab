use super::outward;

#[test]
fn ends_are_rounded_outward() {
    for x in [1.828_236_736_729_924_6, 0.126_936_737_506_644, 1e-30, 3e-9, 12_345_678.9, 1e20] {
        let (low, high) = (outward(x, false), outward(x, true));
        let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
        assert!(low <= x && x <= high, "{low} {x} {high}");
        assert!(high - low <= 2e-6 * x, "{low} {x} {high}");
    }
    assert_eq!(outward(f64::INFINITY, true), "+infinity");
    assert_eq!(outward(0.0, false), "0");
}
