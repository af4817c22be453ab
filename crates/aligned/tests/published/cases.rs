//! The programs, with their sizes, claims and published verdicts.

use super::decide::{Case, On, Published};
use crate::programs::published::{Adaptive, Extreme, First, MaxValue, MinMax, Range};
use crate::programs::{Above, NoisyMax, SparseVector, Sums};
use plaudit_aligned::{Moves, Noise, Written};

fn each(answers: usize) -> On {
    On::All(vec![Moves::each(&1.into(), answers)])
}

fn one(answers: usize) -> On {
    On::All(vec![Moves::Sum { most: 1.into(), answers }])
}

/// All answers move up, or all down.
fn together(answers: usize) -> On {
    let to = |sign: i32| Moves::Box {
        center: vec![half(sign); answers],
        radius: vec![half(1); answers],
    };
    On::All(vec![to(1), to(-1)])
}

fn half(sign: i32) -> dashu_ratio::RBig {
    (f64::from(sign) / 2.0).try_into().unwrap()
}

fn pair(d: &[f64], d_prime: &[f64]) -> On {
    On::Pairs { pairs: vec![[d.to_vec(), d_prime.to_vec()]], cuts: Vec::new() }
}

const SVT: SparseVector = SparseVector {
    threshold: 0.0,
    threshold_scale: 2.0,
    query_scale: Some(4.0),
    stop_after: 1,
    renewed: false,
    releases: Above::Bit,
};

/// CheckDP's, at ε = 1.
pub fn checkdp() -> Vec<Case> {
    let right = |name, size, program: Box<dyn Written>, on, known: f64| Case {
        family: "CheckDP",
        name,
        size,
        program,
        claim: (1.0, 0.0),
        published: Published { private: true, seconds: None },
        on,
        known: Some(known),
    };
    let wrong = |name, program: Box<dyn Written>, [d, d_prime]: [&[f64]; 2], cuts: &[f64]| Case {
        family: "CheckDP",
        name,
        size: d.len(),
        program,
        claim: (1.0, 0.0),
        published: Published { private: false, seconds: None },
        on: On::Pairs { pairs: vec![[d.to_vec(), d_prime.to_vec()]], cuts: cuts.to_vec() },
        known: None,
    };
    let svt = |svt: SparseVector| -> Box<dyn Written> { Box::new(svt) };
    let adaptive = |leaks| {
        Box::new(Adaptive { epsilon: 1.0, threshold: 0.0, margin: 16.0, stop_after: 1, leaks })
    };
    // Seven answers below the threshold that move up, and one above it that moves down.
    let low = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let high = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0];
    let two = SparseVector { stop_after: 2, query_scale: Some(8.0), ..SVT };
    let monotone = SparseVector { query_scale: Some(2.0), ..SVT };
    let number = SparseVector {
        threshold_scale: 3.0,
        query_scale: Some(6.0),
        releases: Above::Fresh(3.0),
        ..SVT
    };
    let loose =
        SparseVector { threshold_scale: 4.0, query_scale: Some(4.0 / 3.0), stop_after: 2, ..SVT };
    vec![
        right(
            "NoisyMax",
            6,
            Box::new(NoisyMax {
                noise: Noise::Laplace,
                scale: 2.0,
                by_loop: true,
                gap: false,
                releases: false,
            }),
            each(6),
            1.0,
        ),
        right("SVT (N = 1)", 8, svt(SVT), each(8), 1.0),
        right("SVT (N = 2)", 8, svt(two), each(8), 1.0),
        right("SVT, answers that rise (N = 1)", 8, svt(monotone), together(8), 1.0),
        right(
            "SVT, answers that fall (N = 2)",
            8,
            svt(SparseVector { query_scale: Some(4.0), ..two }),
            together(8),
            1.0,
        ),
        right("GapSVT (N = 1)", 8, svt(SparseVector { releases: Above::Gap, ..SVT }), each(8), 1.0),
        right("GapSVT (N = 2)", 8, svt(SparseVector { releases: Above::Gap, ..two }), each(8), 1.0),
        right("NumSVT (N = 1)", 8, svt(number), each(8), 1.0),
        right("AdaptiveSVT (N = 1)", 5, adaptive(false), each(5), 1.0),
        right(
            "PartialSum",
            10,
            Box::new(Sums { scale: 1.0, block: None, noise_forgotten: false }),
            one(10),
            1.0,
        ),
        right(
            "SmartSum (M = 3)",
            10,
            Box::new(Sums { scale: 2.0, block: Some(3), noise_forgotten: false }),
            one(10),
            1.0,
        ),
        wrong(
            "BadNoisyMax",
            Box::new(MaxValue { scale: 2.0 }),
            [&[0.0; 5], &[1.0; 5]],
            &[0.0, 1.0],
        ),
        wrong(
            "BadSVT1",
            svt(SparseVector { query_scale: None, stop_after: 9, ..SVT }),
            [&[0.0, 1.0, 0.0, 0.0, 0.0], &[1.0, 0.0, 0.0, 0.0, 0.0]],
            &[],
        ),
        wrong(
            "BadSVT2",
            svt(SparseVector { query_scale: Some(2.0), stop_after: 9, ..SVT }),
            [&low, &high],
            &[],
        ),
        wrong(
            "BadSVT3 (N = 2)",
            svt(loose),
            [&[0.0, 0.0, 0.0, 1.0, 1.0], &[1.0, 1.0, 1.0, 0.0, 0.0]],
            &[],
        ),
        wrong(
            "BadGapSVT (N = 1)",
            svt(SparseVector { releases: Above::Compared, ..SVT }),
            [&low, &high],
            &[-16.0, -12.0, -8.0, -4.0],
        ),
        wrong(
            "BadAdaptiveSVT (N = 1)",
            adaptive(true),
            [&[-14.0, -14.0, -14.0, -14.0, -14.0, -1.0], &[-13.0, -13.0, -13.0, -13.0, -13.0, 0.0]],
            &[-2.0, -1.0, -0.5],
        ),
        wrong(
            "BadPartialSum",
            Box::new(Sums { scale: 0.5, block: None, noise_forgotten: false }),
            [&[0.0; 5], &[0.0, 0.0, 0.0, 0.0, 1.0]],
            &[0.0],
        ),
        wrong(
            "BadSmartSum (M = 3)",
            Box::new(Sums { scale: 2.0, block: Some(3), noise_forgotten: true }),
            [&[0.0; 6], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]],
            &[0.5],
        ),
    ]
}

/// All pairs of lists of zeros and ones.
fn all_pairs(size: usize) -> On {
    let list = |bits: usize| (0..size).map(|at| (bits >> at & 1) as f64).collect::<Vec<_>>();
    let pairs = (0..1 << size).flat_map(|d| (0..d).map(move |d_prime| [list(d), list(d_prime)]));
    On::Pairs { pairs: pairs.collect(), cuts: Vec::new() }
}

/// Zeros, and zeros with a one at the end.
fn last(size: usize) -> On {
    let mut other = vec![0.0; size];
    other[size - 1] = 1.0;
    pair(&vec![0.0; size], &other)
}

fn row(
    name: &'static str,
    size: usize,
    program: impl Written + 'static,
    claim: (f64, f64),
) -> Case {
    Case {
        family: "DiPApprox",
        name,
        size,
        program: Box::new(program),
        claim,
        published: Published { private: true, seconds: None },
        on: last(size),
        known: None,
    }
}

fn with(mut case: Case, on: On, private: bool, seconds: f64) -> Case {
    case.on = on;
    case.published = Published { private, seconds: Some(seconds) };
    case
}

/// DiPApprox's with Gaussian noise: its Table 1. Scales at ε = 0.5; those of the first leak at ε = 8.
pub fn dipapprox() -> Vec<Case> {
    let gauss = |scale| Some((Noise::Gaussian, scale));
    let first = |threshold, query| First { threshold, query, above: true, stops: true };
    let svt = |n| row("SVT-Gauss", n, first(gauss(4.0), gauss(8.0)), (1.24, 0.01));
    let mix = |n| row("SVT-Mix1", n, first(Some((Noise::Laplace, 4.0)), gauss(8.0)), (1.24, 0.01));
    let leak1 = |n| row("SVT-Gauss-Leaky-1", n, first(None, gauss(0.25)), (0.5, 0.01));
    let leak2 = |n| row("SVT-Gauss-Leaky-2", n, first(gauss(2.0), None), (0.5, 0.01));
    let extreme = |name, least, n| {
        row(name, n, Extreme { noise: Noise::Gaussian, scale: 4.0, least }, (0.5, 0.01))
    };
    let max = |n| extreme("Noisy-Max-Gauss", false, n);
    let min = |n| extreme("Noisy-Min-Gauss", true, n);
    let range = |n| {
        let range = Range { noise: Noise::Gaussian, threshold_scale: 8.0, scale: 4.0 };
        row("m-Range-Gauss", n, range, (0.5, 0.01))
    };
    let minmax =
        |n| row("k-Min-Max-Gauss", n, MinMax { noise: Noise::Gaussian, scale: 4.0 }, (0.5, 0.01));
    let mut cases = Vec::new();
    let mut add =
        |of: &dyn Fn(usize) -> Case, private: bool, n: usize, single: f64, all: Option<f64>| {
            cases.push(with(of(n), last(n), private, single));
            if let Some(all) = all {
                cases.push(with(of(n), all_pairs(n), private, all));
            }
        };
    add(&svt, true, 2, 1.6, Some(2.4));
    add(&svt, true, 5, 7.9, Some(76.7));
    add(&svt, true, 25, 441.3, None);
    add(&leak1, false, 5, 1.0, Some(1.4));
    add(&leak1, false, 6, 1.0, Some(2.1));
    add(&leak2, false, 3, 1.0, Some(1.0));
    add(&leak2, false, 6, 1.0, Some(1.1));
    add(&mix, true, 2, 2.4, Some(4.3));
    add(&mix, true, 5, 19.5, Some(285.4));
    add(&mix, true, 17, 365.7, None);
    add(&max, true, 2, 1.0, Some(1.3));
    add(&max, true, 3, 1.6, Some(3.1));
    add(&max, true, 4, 37.8, Some(303.0));
    add(&min, true, 2, 1.0, Some(1.3));
    add(&min, true, 3, 1.6, Some(3.1));
    add(&min, true, 4, 36.8, Some(303.6));
    add(&range, true, 1, 1.5, Some(1.8));
    add(&range, true, 2, 171.2, Some(344.4));
    // Not decided in 600 s there.
    add(&range, true, 3, 600.0, Some(600.0));
    add(&minmax, true, 3, 2.1, Some(5.7));
    add(&minmax, true, 4, 41.2, Some(335.7));
    cases
}

/// DiPApprox's with Laplace noise: its Table 3, of pure claims.
pub fn laplace() -> Vec<Case> {
    let lap = |scale| Some((Noise::Laplace, scale));
    let first = |threshold, query, stops| First { threshold, query, above: true, stops };
    let all = |case: Case, known: f64, seconds: f64| {
        let on = each(case.size);
        Case { known: Some(known), ..with(case, on, true, seconds) }
    };
    let svt = |n| row("SVT-Laplace", n, first(lap(4.0), lap(8.0), true), (0.5, 0.0));
    let max = |name, epsilon: f64, least| {
        let extreme = Extreme { noise: Noise::Laplace, scale: 2.0 / epsilon, least };
        row(name, 3, extreme, (epsilon, 0.0))
    };
    let leak = |name, n, program, epsilon| row(name, n, program, (epsilon, 0.0));
    vec![
        // With fewer than four answers the shifts of these cost less than that of the threshold.
        all(svt(1), 0.125, 1.0),
        all(svt(2), 0.25, 32.0),
        all(svt(3), 0.375, 279.0),
        all(svt(4), 0.5, 1638.0),
        // Not run there.
        Case { published: Published { private: true, seconds: None }, ..all(svt(8), 0.5, 0.0) },
        all(max("Noisy-Max-Laplace", 1.0, false), 1.0, 166.0),
        all(max("Noisy-Max-Laplace", 0.5, false), 0.5, 152.0),
        all(max("Noisy-Min-Laplace", 1.0, true), 1.0, 165.0),
        all(max("Noisy-Min-Laplace", 0.5, true), 0.5, 154.0),
        with(
            leak("SVT-Laplace-Leaky-4", 2, first(lap(4.0), lap(1.333_333_333_333_34), true), 1.0),
            pair(&[-1.0, 0.0], &[0.0, -1.0]),
            false,
            167.0,
        ),
        with(
            leak("SVT-Laplace-Leaky-5", 2, first(lap(4.0), None, true), 0.5),
            pair(&[-1.0, 0.0], &[-1.0, -1.0]),
            false,
            1.0,
        ),
        with(
            leak("SVT-Laplace-Leaky-6", 3, first(lap(2.0), lap(2.0), false), 1.0),
            pair(&[-1.0, -1.0, 0.0], &[0.0, 0.0, -1.0]),
            false,
            1075.0,
        ),
    ]
}
