use super::*;

#[test]
fn sums_on_the_way_down_are_tails() {
    for (n, p) in [(12, 0.3), (500, 0.9), (40_000, 0.02), (1_000_000, 1e-9)] {
        let mut descent = Descent::new(n, p);
        let (mut sum, mean) = (0.0, (n as f64 * p) as u64);
        for k in [n, mean + 30, mean + 3, mean + 3, mean, mean.saturating_sub(8), 0] {
            if k > n {
                continue;
            }
            sum += descent.down_to(k);
            let exact = binomial::upper_tail(k, n, p);
            assert!((sum - exact).abs() < 1e-10 * exact + 3e-17, "{n} {p} {k}: {sum} {exact}");
        }
        assert!(descent.done() && descent.down_to(0) == 0.0);
    }
    let mut descent = Descent::new(100, 0.5);
    descent.down_to(60);
    assert!(!descent.done());
}

/// Bernstein: t²/(2(v + t/3)) = 39.2 at t = reach, with v the variance.
#[test]
fn cuts_lie_where_the_inequality_puts_them() {
    for (n, p) in [(100, 0.5), (1_000_000, 0.01), (10_u64.pow(10), 0.7)] {
        let (t, size) = (reach(n, p), n as f64);
        let exponent = t * t / (2.0 * (size * p * (1.0 - p) + t / 3.0));
        assert!((exponent / 39.2 - 1.0).abs() < 1e-12, "{n} {p}: {exponent}");
        let (low, high) = (bottom(n, p), top(n, p));
        assert_eq!(low, (size * p - t).max(0.0).floor() as u64);
        assert_eq!(high, ((size * p + t).ceil() as u64 + 1).min(n));
    }
    assert_eq!((bottom(10, 0.5), top(10, 0.5)), (0, 10));
}

#[test]
fn an_order_solves_its_own_statistic() {
    for order in [Order::Ratio { delta: 0.1 }, Order::Shift] {
        for (p, q) in [(0.6, 0.2), (0.3, 0.4)] {
            let t = order.statistic(p, q);
            assert!((order.solved(t, q) - p).abs() < 1e-12, "{order:?} {p} {q}");
        }
    }
    let ratio = Order::Ratio { delta: 0.1 };
    assert!((ratio.statistic(0.6, 0.25) - 2f64.ln()).abs() < 1e-14);
    assert_eq!(ratio.statistic(0.1, 0.2), f64::NEG_INFINITY);
    // Φ⁻¹(0.975) = 1.959964.
    assert!((Order::Shift.statistic(0.975, 0.025) - 2.0 * 1.959_963_984_540_054).abs() < 1e-12);
    for (p, q) in [(0.0, 0.5), (0.5, 1.0)] {
        assert_eq!(Order::Shift.statistic(p, q), f64::NEG_INFINITY);
    }
}

/// Blocks only add outcomes: one y a block is the finest, and few blocks never have less probability.
#[test]
fn coarse_blocks_are_on_the_permissive_side() {
    let (levels, rates) = (Corner::even(0.05), (0.1, 0.5));
    let staircase = |blocks| {
        Staircase::new(Order::Ratio { delta: 0.0 }, (levels, blocks), (60, 90), (20, 80), rates)
            .expect("evidence")
    };
    let (fine, coarse) = (staircase(6_400), staircase(10));
    assert_eq!(fine.starts, (bottom(80, 0.1)..=top(80, 0.5)).collect::<Vec<_>>());
    assert!(coarse.starts.len() <= 11 && fine.least.is_sorted() && coarse.least.is_sorted());
    for (p, q) in [(0.4, 0.3), (0.6, 0.2), (0.7, 0.4)] {
        let (sharp, wide) = (fine.probability(p, q), coarse.probability(p, q));
        assert!(wide > sharp && wide < 100.0 * sharp, "{p} {q}: {sharp} {wide}");
        // The same by sums over y of tails of x.
        let sum: f64 = fine
            .starts
            .iter()
            .zip(&fine.least)
            .map(|(&y, &least)| {
                binomial::ln_probability(y, 80, q).exp() * binomial::upper_tail(least, 90, p)
            })
            .sum();
        assert!(sharp >= sum && sharp <= sum * (1.0 + 1.1e-9) + 1e-16, "{p} {q}: {sharp} {sum}");
    }
}
