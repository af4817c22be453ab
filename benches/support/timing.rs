//! How long a step takes, printed: the median of a few samples.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Samples of which the median is taken.
const SAMPLES: usize = 11;
/// How long a sample takes at least.
const SAMPLE: Duration = Duration::from_millis(50);

/// Prints the median time of a call, and of each of the `elements` that it goes through.
pub fn measure<T>(name: &str, elements: usize, mut step: impl FnMut() -> T) {
    let mut calls = 1u32;
    let mut sample = |calls: u32| {
        let start = Instant::now();
        (0..calls).for_each(|_| drop(black_box(step())));
        start.elapsed()
    };
    while sample(calls) < SAMPLE {
        calls *= 2;
    }
    let mut times = [(); SAMPLES].map(|()| sample(calls).as_secs_f64() / f64::from(calls));
    times.sort_by(f64::total_cmp);
    let (median, each) = (times[SAMPLES / 2], times[SAMPLES / 2] / elements as f64);
    println!("{name:40} {:>12.3} us {:>10.2} ns each", 1e6 * median, 1e9 * each);
}
