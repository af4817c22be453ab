use super::*;

/// The density (z/2)^(k−½) K_{k−½}(z) / (√π Γ(k)) of such a sum, integrated from x in 40-digit arithmetic (mpmath).
#[test]
fn sums_of_laplace_noise_are_golden() {
    let golden = [
        (2, 1.0, 0.275_909_580_878_581_74),
        (5, 2.5, 0.201_264_560_834_915_92),
        (10, 1.0, 0.408_164_869_820_525_3),
        (30, 15.0, 0.026_773_577_694_589_64),
    ];
    for (count, x, tail) in golden {
        let found = laplace_sum_beyond(x, count);
        assert!((found / tail - 1.0).abs() < 1e-12, "{count} {x}: {found} {tail}");
    }
}

#[test]
fn one_and_two_draws_have_closed_forms() {
    for x in [0.0, 1e-9, 0.3, 2.0, 50.0, 600.0] {
        let one = laplace_sum_beyond(x, 1);
        assert!((one - 0.5 * (-x).exp()).abs() <= 1e-12 * one, "{x}");
        let two = laplace_sum_beyond(x, 2);
        assert!((two - 0.25 * (2.0 + x) * (-x).exp()).abs() <= 1e-12 * two, "{x}");
    }
}

#[test]
fn nothing_to_exceed_is_exceeded_by_half() {
    for count in [1, 2, 10, 1_000, 20_000] {
        assert!((laplace_sum_beyond(0.0, count) - 0.5).abs() < 1e-9, "{count}");
    }
    assert_eq!(laplace_sum_beyond(1e6, 3), 0.0);
}

/// Many draws of Laplace noise are nearly normal, with variance 2 each.
#[test]
fn many_draws_are_nearly_normal() {
    let count = 20_000;
    let laplace = mean_beyond_half(Noise::Laplace { scale: 50.0 }, 1.0, (count, 1));
    let sigma = 50.0 * std::f64::consts::SQRT_2;
    let gaussian = mean_beyond_half(Noise::Gaussian { sigma }, 1.0, (count, 1));
    assert!((laplace / gaussian - 1.0).abs() < 1e-3, "{laplace} {gaussian}");
}

#[test]
fn a_difference_is_a_sum_of_two() {
    let laplace = Noise::Laplace { scale: 2.0 };
    for pairs in [1, 3, 40] {
        let found = mean_beyond_half(laplace, 1.0, (pairs, 2));
        assert_eq!(found, laplace_sum_beyond(pairs as f64 / 4.0, 2 * pairs));
        let gaussian =
            |sigma, each| mean_beyond_half(Noise::Gaussian { sigma }, 1.0, (pairs, each));
        assert!((gaussian(2.0, 2) - gaussian(2.0 * std::f64::consts::SQRT_2, 1)).abs() < 1e-15);
    }
}
