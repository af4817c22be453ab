use super::*;
use plaudit_core::inference::binomial;
use rand::{RngExt, SeedableRng};

const BLOCKS: u64 = 200;

/// Requests of a program whose witness names D with the probability `rate` of a request, and D'
/// with half of the rest.
fn requests(
    random: &mut Stream,
    mut rate: impl FnMut(&mut Stream) -> f64,
) -> [Vec<RequestCounts>; 2] {
    [(); 2].map(|()| {
        let request = |_| {
            let rate = rate(random);
            let mut counts = RequestCounts::default();
            for _ in 0..20 + random.random_range(0..10u8) {
                counts.runs += 1;
                let bin = if random.random_bool(rate) { 0 } else { random.random_range(1..3) };
                if let Some(said) = counts.said.get_mut(bin) {
                    *said += 1;
                }
            }
            counts
        };
        (0..BLOCKS).map(request).collect()
    })
}

/// Redrawn counts keep their totals.
#[test]
fn totals_stay() {
    let mut random = Stream::seed_from_u64(1);
    for _ in 0..200 {
        let mut blocks: Vec<RequestCounts> = (0..7)
            .map(|_| {
                let said = [random.random_range(0..9), random.random_range(0..9)];
                RequestCounts { runs: said[0] + said[1] + random.random_range(0..9), said }
            })
            .collect();
        let before = total(&blocks);
        redraw(&mut blocks, before, &mut random);
        assert_eq!(total(&blocks), before);
        assert!(blocks.iter().all(|block| block.said[0] + block.said[1] <= block.runs));
    }
}

/// At most one in 1000, of 2000 audits of independent runs: more than 17 have a probability below 1e-9.
#[test]
fn independent_runs_vary_too_much_as_rarely_as_said() {
    let limit = binomial::upper_quantile(1e-9, 2000, 1.0 / 1000.0);
    let found = (0..2000)
        .filter(|seed| {
            let mut random = Stream::seed_from_u64(*seed);
            vary_too_much(&requests(&mut random, |_| 0.3), &mut random)
        })
        .count() as u64;
    assert!(found <= limit, "{found} of 2000");
}

/// A request's own rate, of standard deviation .1 about .3: the sum is about 1350 where independent runs give
/// 800 with a standard deviation of 44.
#[test]
fn what_a_request_shares_varies_too_much() {
    let mut random = Stream::seed_from_u64(3);
    for _ in 0..20 {
        let shared = |random: &mut Stream| random.random_range(0.13..0.47);
        assert!(vary_too_much(&requests(&mut random, shared), &mut random));
    }
}

/// Frequencies of 40 000 draws compared with the law, from small ones to those for which products
/// of factorials overflow.
#[test]
fn draws_have_the_hypergeometric_law() {
    use statrs::function::factorial::ln_binomial;
    let mut random = Stream::seed_from_u64(7);
    let cases = [
        (10, 4, 3),
        (10, 8, 3),
        (10, 4, 9),
        (10, 0, 3),
        (10, 10, 10),
        (1, 1, 0),
        (1000, 40, 900),
        (100_000, 25_000, 25),
        (1_000_000, 10_000, 250),
        (1_000_000, 990_000, 250),
        (1_000_000, 500_000, 100),
        (10_000_000, 3_000, 2_500),
        (10_000_000_000, 30_000, 2_500_000),
    ];
    for (all, marked, drawn) in cases {
        let pmf = |found: u64| match drawn - found <= all - marked {
            true => {
                let ways = ln_binomial(marked, found) + ln_binomial(all - marked, drawn - found);
                (ways - ln_binomial(all, drawn)).exp()
            }
            false => 0.0,
        };
        let mut counts = vec![0u32; usize::try_from(drawn.min(marked)).expect("few") + 1];
        const DRAWN: f64 = 40_000.0;
        for _ in 0..DRAWN as u32 {
            counts[hypergeometric(all, marked, drawn, &mut random) as usize] += 1;
        }
        for (found, count) in counts.iter().enumerate() {
            let p = pmf(found as u64);
            let width = 6.0 * (DRAWN * p * (1.0 - p)).max(0.0).sqrt() + 6.0;
            let off = (f64::from(*count) - DRAWN * p).abs();
            assert!(off <= width, "{all} {marked} {drawn}: {found}: {count}, {}", DRAWN * p);
        }
    }
}

/// Where log-factorials are known only to 1e-5, no impossible outcome is drawn.
#[test]
fn draws_of_large_populations_stay_near_their_mean() {
    let mut random = Stream::seed_from_u64(8);
    // Of mean 1: more than 60 has a probability below 1e-80.
    let most = (0..300_000).map(|_| hypergeometric(1 << 40, 1 << 20, 1 << 20, &mut random)).max();
    assert!(most < Some(60), "{most:?}");
}
