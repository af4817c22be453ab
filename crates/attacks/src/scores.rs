//! Mistakes that scores show by themselves: scores that come twice, and losses in the place of scores.

use plaudit_accountant::number::{brief, grouped};

/// Standard deviations from which on scores lean the wrong way.
const LEANING: f64 = 5.0;
/// Fewest different scores that come twice, and their share, that are worth a warning.
const LEAST_REPEATED: usize = 10;
const SHARE: f64 = 0.02;
/// Digits from which two equal scores are not a coincidence: those of a double, not of a rounded or
/// single-precision number.
const LONG: usize = 10;

/// Standard deviations by which the first scores lie above the others (Mann and Whitney 1947); both ascending.
pub(crate) fn lean(scores: &[f64], others: &[f64]) -> f64 {
    let [n, m] = [scores, others].map(|scores| scores.len() as f64);
    let above = |score: &f64| {
        let below = others.partition_point(|other| other < score);
        let at_most = others.partition_point(|other| other <= score);
        (below + at_most) as f64 / 2.0
    };
    let sum: f64 = scores.iter().map(above).sum();
    // Ties only make the deviation smaller than this.
    (sum - n * m / 2.0) / (n * m * (n + m + 1.0) / 12.0).sqrt()
}

/// `true` if the first scores lie clearly below the others, as losses do; both ascending.
pub(crate) fn are_losses(scores: &[f64], others: &[f64]) -> bool {
    lean(scores, others) < -LEANING
}

/// A warning of scores (ascending) that come again and again within one group, if there are many.
pub(crate) fn repeats(whose: &str, scores: &[f64]) -> Option<String> {
    let groups: Vec<&[f64]> = scores.chunk_by(|one, other| one == other).collect();
    let copies = groups.iter().map(|group| group.len() as u64).fold(0, gcd);
    if copies > 1 && groups.len() >= LEAST_REPEATED {
        return Some(format!(
            "each score of {whose} comes {copies} times or a multiple of that, as if one file were in it {copies} times: {DEPEND}"
        ));
    }
    let long = groups.iter().filter(|group| is_long(group[0]));
    let all: Vec<&&[f64]> = long.collect();
    let repeated = all.iter().filter(|group| group.len() > 1).count();
    let many = repeated >= LEAST_REPEATED && repeated as f64 >= SHARE * all.len() as f64;
    many.then(|| {
        format!(
            "{} of {} different scores of {whose} with {LONG} digits or more come more than once (such as {}): {DEPEND}",
            grouped(repeated as u64),
            grouped(all.len() as u64),
            all.iter().find(|group| group.len() > 1).map_or_else(String::new, |group| brief(group[0]))
        )
    })
}

/// A warning of scores that both groups (ascending) have, if there are many.
pub(crate) fn shared([one, other]: [&str; 2], scores: &[f64], others: &[f64]) -> Option<String> {
    let mut long: Vec<f64> = scores.iter().copied().filter(|score| is_long(*score)).collect();
    long.dedup();
    let is_there = |score: &&f64| others.binary_search_by(|other| other.total_cmp(score)).is_ok();
    let both = long.iter().filter(is_there).count();
    (both >= LEAST_REPEATED && both as f64 >= SHARE * long.len() as f64).then(|| {
        format!(
            "{} of {} different scores of {one} with {LONG} digits or more are scores of {other}, too, as if the same \
             people were in both: give each its own side",
            grouped(both as u64),
            grouped(long.len() as u64)
        )
    })
}

const DEPEND: &str = "copies of a score are not independent, and the bounds do not hold for them; keep one score for each";

/// `true` if a number has enough digits that equal ones are copies.
fn is_long(x: f64) -> bool {
    // A single has about seven, however many it is written with.
    let is_single = f64::from(x as f32) == x;
    let words = format!("{:e}", x.abs());
    let digits = words.split('e').next().map_or(0, |digits| digits.len().saturating_sub(1));
    x.is_finite() && !is_single && digits >= LONG
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
#[path = "../tests/unit/scores.rs"]
mod tests;
