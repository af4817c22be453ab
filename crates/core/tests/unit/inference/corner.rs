use super::*;

/// Values by mpmath: Φ(−z√w) and Φ(−z√(1 − w)), with z the upper quantile of the level, at least 0.1.
#[test]
fn levels_match_an_independent_computation() {
    let rows = [
        (0.05, 0.25, 0.205_417_011_998_552_05, 0.077_153_058_269_259_08),
        (0.05, 0.0, 0.408_029_245_402_020_45, 0.051_728_311_889_784_68),
        (0.05, 1.0, 0.051_728_311_889_784_68, 0.408_029_245_402_020_45),
        (0.05, f64::NAN, 0.122_397_071_826_674_76, 0.122_397_071_826_674_76),
        (0.9, 0.5, 0.471_814_011_101_491_7, 0.471_814_011_101_491_7),
    ];
    for (alpha, share, own, other) in rows {
        let corner = Corner::leaning(alpha, share);
        assert!((corner.own - own).abs() < 1e-13, "{alpha} {share}: {corner:?}");
        assert!((corner.other - other).abs() < 1e-13, "{alpha} {share}: {corner:?}");
    }
    assert_eq!(Corner::even(0.05), Corner::leaning(0.05, 0.5));
}
