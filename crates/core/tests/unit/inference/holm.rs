use super::*;

fn near(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() < 1e-12, "{a:?} and {b:?}");
    }
}

#[test]
fn textbook_values() {
    // As R's p.adjust(p, "holm") returns them.
    near(&holm(&[0.01, 0.04, 0.03, 0.005]), &[0.03, 0.06, 0.06, 0.02]);
    near(&holm(&[0.01, 0.02, 0.03, 0.04, 0.05]), &[0.05, 0.08, 0.09, 0.09, 0.09]);
    near(&holm(&[0.6, 0.9]), &[1.0, 1.0]);
    near(&holm(&[0.03]), &[0.03]);
    near(&holm(&[0.0, 1.0, 0.0]), &[0.0, 1.0, 0.0]);
    assert!(holm(&[]).is_empty());
}

#[test]
fn equal_p_values_are_adjusted_alike_and_order_does_not_matter() {
    near(&holm(&[0.02, 0.02, 0.02]), &[0.06; 3]);
    let (p, turned) = ([0.01, 0.04, 0.03, 0.005], [0.005, 0.03, 0.04, 0.01]);
    let mut back = holm(&turned);
    back.reverse();
    near(&holm(&p), &back);
}

/// All points of a grid: p-values of `m` claims, each one of 1/steps, …, 1.
fn grid(m: u32, steps: u64) -> impl Iterator<Item = Vec<u64>> {
    (0..steps.pow(m)).map(move |code| (0..m).map(|at| code / steps.pow(at) % steps + 1).collect())
}

/// For each set of true claims, each choice of the others' p-values and each level: the share of the points at which a true
/// claim is refuted, where the p-values of true claims are independent and uniform on the grid, as no valid ones are smaller.
#[test]
fn the_chance_of_any_false_alarm_is_at_most_the_level() {
    const STEPS: u64 = 8;
    let mut is_tight = false;
    for m in 1..=4_u32 {
        for truth in 1..1_usize << m {
            let is_true = |at: usize| truth >> at & 1 == 1;
            // By the p-values of claims that are false: points, and how many of them have a false alarm, by level.
            let mut counts = std::collections::BTreeMap::<Vec<u64>, (u64, [u64; 9])>::new();
            for point in grid(m, STEPS) {
                let fixed = (0..m as usize).filter(|at| !is_true(*at)).map(|at| point[at]);
                let (points, alarms) = counts.entry(fixed.collect()).or_default();
                let p_values: Vec<f64> = point.iter().map(|p| *p as f64 / STEPS as f64).collect();
                let adjusted = holm(&p_values);
                let truths = (0..m as usize).filter(|at| is_true(*at));
                let least = truths.map(|at| adjusted[at]).fold(f64::INFINITY, f64::min);
                *points += 1;
                for (level, alarms) in alarms.iter_mut().enumerate() {
                    *alarms += u64::from(least <= level as f64 / STEPS as f64);
                }
            }
            for (fixed, (points, alarms)) in counts {
                for (level, alarms) in alarms.into_iter().enumerate() {
                    let bound = level as u64 * points;
                    assert!(alarms * STEPS <= bound, "{m} {truth:b} {fixed:?} at {level}");
                    is_tight |= level > 0 && level < 8 && alarms * STEPS == bound;
                }
            }
        }
    }
    assert!(is_tight, "the level is never used up: the test sees nothing");
}

#[test]
fn whoever_adjusts_too_little_is_found() {
    // Without the step up to the largest before: the first kept, the second smaller.
    let adjusted = holm(&[0.01, 0.0101]);
    assert!(adjusted[1] >= adjusted[0] && adjusted[0] == 0.02);
    assert!((0..4).all(|at| holm(&[0.01, 0.02, 0.5, 1.0])[at] >= [0.01, 0.02, 0.5, 1.0][at]));
}
