//! Unit tests of `witness::partition::interval`.

use super::*;
use crate::mechanism::Stream;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::partition::table::MISSING;
use rand::{RngExt, SeedableRng};

fn column(ranks: Vec<u32>) -> Column {
    let number = |rank: &u32| if *rank == MISSING { f64::NAN } else { f64::from(*rank) };
    Column::new(Statistic::Value, 1, &ranks.iter().map(number).collect::<Vec<f64>>())
}

/// The best of all intervals.
fn by_force(line: &Line, gain: &Gain) -> f64 {
    let groups = line.groups();
    let all = (0..groups).flat_map(|from| (from + 1..=groups).map(move |to| (from, to)));
    all.map(|(from, to)| gain.exact(line.part(from, to))).fold(0.0, f64::max)
}

/// Found over scales, an interval tells nearly as much as the best, less its ends' cost.
#[test]
fn bands_are_found_wherever_they_are() {
    let mut random = Stream::seed_from_u64(5);
    for _ in 0..60 {
        let n = random.random_range(200..600u32);
        let levels = random.random_range(20..n);
        let (from, width) = (random.random_range(0..levels), random.random_range(5..levels));
        let ranks: Vec<u32> = (0..n).map(|_| random.random_range(0..levels)).collect();
        let labels: Vec<bool> = ranks
            .iter()
            .map(|rank| {
                random.random_bool(if (from..from + width).contains(rank) { 0.9 } else { 0.45 })
            })
            .collect();
        let rows: Vec<u32> = (0..n).collect();
        let column = column(ranks);
        let line = Line::of(&column, &labels, &rows);
        let gain = Gain::of(line.before[line.groups()]);
        let (best, force) = (line.best(&gain).unwrap(), by_force(&line, &gain));
        // Two ends cost ln n: an interval must gain that over one with fewer ends.
        assert!(best.gain >= 0.9 * force - f64::from(n).ln(), "{} of {force}", best.gain);
    }
}

/// Ends are outside of a band about as rarely as their level states; by likelihood alone they are
/// in half of all cases.
#[test]
fn trimmed_ends_are_within_the_band() {
    let mut random = Stream::seed_from_u64(6);
    let (n, width) = (4000u32, 100);
    let (mut outside, mut ends) = (0, 0);
    for _ in 0..400 {
        let from = random.random_range(500..n - 500);
        let inside = |rank: &u32| (from..from + width).contains(rank);
        let labels: Vec<bool> =
            (0..n).map(|rank| random.random_bool(if inside(&rank) { 0.95 } else { 0.5 })).collect();
        let rows: Vec<u32> = (0..n).collect();
        let line = Line::of(&column(rows.clone()), &labels, &rows);
        let gain = Gain::of(line.before[line.groups()]);
        let best = line.best(&gain).unwrap();
        let found = line.trimmed(best, &gain);
        if inside(&found.first.midpoint(found.last)) {
            assert!(found.first >= best.first && found.last <= best.last);
            let beyond = [found.first < from, found.last >= from + width];
            outside += beyond.iter().filter(|beyond| **beyond).count() as u64;
            ends += 2;
        }
    }
    assert!(ends > 700);
    let limit = plaudit_core::inference::binomial::upper_quantile(1e-9, ends, LEVEL);
    assert!(outside <= limit, "{outside} of {ends}");
}

#[test]
fn outcomes_without_the_number_are_outside() {
    let column = column(vec![0, 0, MISSING, MISSING]);
    let labels = [true, true, false, false];
    let line = Line::of(&column, &labels, &[0, 1, 2, 3]);
    let gain = Gain::of(Labels { d: 2.0, d_prime: 2.0 });
    let best = line.best(&gain).unwrap();
    assert_eq!((best.first, best.last), (0, 0));
    assert!((best.gain - 4.0 * 2f64.ln()).abs() < 1e-12);
}
