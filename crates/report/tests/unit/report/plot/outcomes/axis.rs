use super::*;

fn interval(from: f64, to: f64, share: f64) -> DrawnBin {
    DrawnBin {
        index: 0,
        label: format!("[{from}, {to})"),
        interval: (from < to).then_some((from, to)),
        value: (from == to).then_some(from),
        share_d: share,
        share_d_prime: share,
        says: Guess::Abstain,
    }
}

/// Drawing of bins side by side, each of the same share.
fn numbers(ends: &[f64]) -> (Option<Numbers>, Vec<DrawnBin>) {
    let share = 1.0 / (ends.len() - 1) as f64;
    split(ends.windows(2).map(|pair| interval(pair[0], pair[1], share)).collect())
}

#[test]
fn unequal_bins_are_densities() {
    let numbers = numbers(&[0.0, 0.1, 0.2, 0.9, 1.5, 7.5]).0.unwrap();
    assert_eq!(numbers.measure, Measure::Density);
    let heights: Vec<f64> =
        numbers.steps.iter().map(|step| numbers.height(step, step.share_d)).collect();
    assert!((heights[0] / heights[2] - 7.0).abs() < 1e-9, "{heights:?}");
}

#[test]
fn whole_numbers_are_bars_of_their_share_around_each() {
    let ends: Vec<f64> = [f64::NEG_INFINITY].into_iter().chain((0..12).map(f64::from)).collect();
    let numbers = numbers(&[ends, vec![14.0, f64::INFINITY]].concat()).0.unwrap();
    assert_eq!(numbers.measure, Measure::Values(1.0));
    let share = 1.0 / 14.0;
    for step in &numbers.steps {
        // A range has the mean of its values, an end without an end its share.
        let values = if step.from == 10.5 { 3.0 } else { 1.0 };
        assert_eq!(step.to - step.from, values);
        assert!((numbers.height(step, step.share_d) - share / values).abs() < 1e-12, "{step:?}");
    }
    assert_eq!(numbers.steps[1].from, -0.5);
}

#[test]
fn few_whole_numbers_are_rows() {
    let (numbers, rest) = numbers(&[f64::NEG_INFINITY, -1.0, 0.0, 1.0, f64::INFINITY]);
    assert!(numbers.is_none() && rest.len() == 4);
}

#[test]
fn an_interval_of_one_double_is_a_value_and_no_density() {
    let (drawn, rest) = numbers(&[f64::NEG_INFINITY, 44.0, 44.0_f64.next_up(), f64::INFINITY]);
    assert!(drawn.is_none());
    assert_eq!(rest.iter().filter_map(|bin| bin.value).collect::<Vec<_>>(), [44.0]);
    let drawn = numbers(&[-1.3, -0.2, 0.0, 5e-324, 0.4, 2.2]).0.unwrap();
    assert_eq!(drawn.measure, Measure::UpTo);
    let line = drawn.up_to(0);
    let upright: Vec<_> = line.chunks(2).filter(|pair| pair[0].0 == pair[1].0).collect();
    assert_eq!((upright.len(), upright[0][0].0), (1, 0.0));
    assert!((line.last().unwrap().1 - 1.0).abs() < 1e-12);
}

#[test]
fn a_peak_does_not_flatten_what_is_beside_it() {
    let ends: Vec<f64> = (0..30).map(|i| 0.3 + f64::from(i)).collect();
    let mut bins: Vec<DrawnBin> = ends.windows(2).map(|e| interval(e[0], e[1], 0.02)).collect();
    bins.push(interval(29.3, 29.300_01, 0.4));
    assert_eq!(split(bins).0.unwrap().measure, Measure::UpTo);
}
