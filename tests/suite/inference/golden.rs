//! Tails, quantiles and Clopper–Pearson bounds against 50-digit values (tests/data/golden.py).

use plaudit::inference::{binomial, proportion};

struct Row {
    kind: String,
    k: u64,
    n: u64,
    parameter: f64,
    exact: f64,
}

fn rows(kinds: &[&str]) -> Vec<Row> {
    include_str!("../../data/golden.csv")
        .lines()
        .skip(1)
        .filter_map(|line| {
            let cells: Vec<_> = line.split(',').collect();
            kinds.contains(&cells[0]).then(|| Row {
                kind: cells[0].into(),
                k: cells[1].parse().expect("k"),
                n: cells[2].parse().expect("n"),
                parameter: cells[3].parse().expect("parameter"),
                exact: cells[4].parse().expect("value"),
            })
        })
        .collect()
}

#[test]
fn tails_match_to_twelve_digits() {
    let rows = rows(&["pmf", "upper", "lower"]);
    assert!(rows.len() > 90);
    let mut worst = (0.0, String::new());
    for Row { kind, k, n, parameter, exact } in rows {
        let value = match kind.as_str() {
            "pmf" => binomial::ln_probability(k, n, parameter).exp(),
            "upper" => binomial::upper_tail(k, n, parameter),
            _ => binomial::lower_tail(k, n, parameter),
        };
        let error = ((value - exact) / exact).abs();
        if error > worst.0 {
            worst = (error, format!("{kind} {k} {n} {parameter:e}: {value:e} {exact:e}"));
        }
    }
    println!("worst: {worst:?}");
    assert!(worst.0 <= 1e-12, "{worst:?}");
}

#[test]
fn bounds_match_to_twelve_digits_and_lie_outward() {
    let rows = rows(&["cp_lo", "cp_hi"]);
    assert!(rows.len() > 190);
    for Row { kind, k, n, parameter, exact } in rows {
        let lower = kind == "cp_lo";
        let value = if lower {
            proportion::lower(k, n, parameter)
        } else {
            proportion::upper(k, n, parameter)
        };
        let what = format!("{kind} {k} of {n} at {parameter:e}: {value:e} {exact:e}");
        assert!((value - exact).abs() <= 1e-12 * exact, "{what}");
        assert!(if lower { value <= exact } else { value >= exact }, "inward: {what}");
        if lower && k > 0 {
            let quantile = proportion::beta_quantile(parameter, k, n - k + 1);
            assert!((quantile - exact).abs() <= 1e-12 * exact, "beta: {what}");
        }
    }
}

#[test]
fn quantiles_are_the_smallest_count_with_a_tail_below_alpha() {
    for n in [1, 5, 30, 1_000, 40_001, 1_000_000, 500_000_000] {
        for p in [0.0, 1e-12, 1e-7, 1e-3, 0.2, 0.5, 0.77, 1.0 - 1e-9, 1.0] {
            for alpha in [0.9, 0.12, 0.01, 2e-7, 1e-17] {
                let b = binomial::upper_quantile(alpha, n, p);
                assert!(b <= n);
                assert!(b == n || binomial::upper_tail(b + 1, n, p) <= alpha, "{n} {p} {alpha}");
                let before = if b == 0 { 1.0 } else { binomial::upper_tail(b, n, p) };
                assert!(before > alpha * (1.0 - 2e-12), "{n} {p} {alpha}: {b} is not the smallest");
            }
        }
    }
}

#[test]
fn degenerate_counts_give_the_trivial_bounds() {
    assert_eq!(proportion::lower(0, 0, 0.05), 0.0);
    assert_eq!(proportion::upper(0, 0, 0.05), 1.0);
    assert_eq!(proportion::lower(3, 3, 0.0), 0.0);
    assert_eq!(proportion::upper(0, 3, 0.0), 1.0);
    assert_eq!(binomial::upper_tail(0, 0, 0.3), 1.0);
    assert_eq!(binomial::upper_tail(1, 0, 0.3), 0.0);
    assert_eq!(binomial::lower_tail(0, 0, 0.3), 1.0);
}
