use super::*;

#[test]
fn the_area_counts_pairs() {
    let sample = Sample::new(&[1.0, 2.0, 2.0, 3.0], &[0.0, 2.0]);
    // 1: above 0; each 2: above 0, equal to 2; 3: above both.
    let area = (1.0 + 1.5 + 1.5 + 2.0) / 8.0;
    assert_eq!(Attacker::CallsHighMembers.area(&sample), area);
    assert_eq!(Attacker::CallsLowMembers.area(&sample), 1.0 - area);
    assert_eq!(Attacker::choose(&sample), Attacker::CallsHighMembers);
    assert_eq!(Attacker::choose(&sample.mirrored()), Attacker::CallsLowMembers);
}

#[test]
fn rates_are_counted_at_the_threshold_that_was_chosen() {
    let others: Vec<f64> = (0..1000).map(f64::from).collect();
    let members: Vec<f64> = (500..1500).map(f64::from).collect();
    let sample = Sample::new(&members, &others);
    for (sample, attacker, sign) in [
        (sample.clone(), Attacker::CallsHighMembers, 1.0),
        (sample.mirrored(), Attacker::CallsLowMembers, -1.0),
    ] {
        let rates = attacker.rates(&sample, &sample, 0.01, 0.05);
        assert_eq!(rates.threshold, sign * 989.0);
        assert_eq!(rates.false_positives.estimate, 0.01);
        assert_eq!(rates.true_positives.estimate, 0.51);
        let Interval { lower, upper, .. } = rates.true_positives;
        assert!(0.47 < lower && lower < 0.51 && 0.51 < upper && upper < 0.55);
        let rates = attacker.rates(&sample, &sample, 1e-4, 0.05);
        assert_eq!((rates.threshold, rates.false_positives.estimate), (sign * 999.0, 0.0));
    }
}

#[test]
fn a_curve_rises_from_nobody_to_nearly_everybody() {
    let others: Vec<f64> = (0..1000).map(|score| f64::from(score % 300)).collect();
    let members: Vec<f64> = others.iter().map(|score| score + 20.0).collect();
    let sample = Sample::new(&members, &others);
    for (sample, attacker) in [
        (sample.clone(), Attacker::CallsHighMembers),
        (sample.mirrored(), Attacker::CallsLowMembers),
    ] {
        let roc = attacker.curve(&sample, 0.05);
        assert_eq!(roc.points.len(), POINTS);
        let rates = |point: &Point| (point.false_positives, point.true_positives);
        assert_eq!(rates(&roc.points[0]), (0.0, 0.0));
        let rises = |two: &[Point]| {
            let (one, next) = (rates(&two[0]), rates(&two[1]));
            one.0 <= next.0 && one.1 <= next.1 && one.0 <= one.1
        };
        assert!(roc.points.windows(2).all(rises), "{roc:?}");
        // √(ln 80/2000).
        assert!((roc.true_positives_margin - 0.046_808).abs() < 1e-6, "{roc:?}");
    }
}
