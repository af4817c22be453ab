//! Rows of one person that are tried first: many equal ones, at the bounds and between them, and
//! many that all differ.

use super::block::{PersonRows, distinct};
use super::domain::Values;

/// Most numbers of rows that are tried.
const MOST_SIZES: usize = 4;
/// Number of rows beyond which a pattern takes long and is tried later.
const MOST_ROWS: usize = 1000;
/// Most columns that are spread one at a time, and rows for the other columns meanwhile.
const MOST_COLUMNS: usize = 6;
const MOST_BASES: usize = 4;
/// Shares of the upper bound for all rows: a quantity that is limited by a power of many equal
/// values is largest between the bounds.
const SHARES: [f64; 11] = [0.25, 0.5, 0.125, 0.35, 0.18, 0.7, 0.0625, 0.09, 0.03, -0.25, 0.0];

/// Numbers of rows up to the most, in a geometric ladder from above.
pub(super) fn ladder(most: usize) -> Vec<usize> {
    let most = most.clamp(1, MOST_ROWS);
    let ratio = (most as f64).powf(1.0 / MOST_SIZES as f64).max(2.0);
    let sizes = (0..MOST_SIZES as i32).map(|step| (most as f64 / ratio.powi(step)) as usize);
    let mut sizes: Vec<usize> = sizes.filter(|rows| *rows > 0).collect();
    sizes.dedup();
    sizes
}

/// `rows` rows of the first person, in different ways.
pub(super) fn patterns(columns: &[Values], id: usize, rows: usize) -> Vec<PersonRows> {
    let own = |mut with: Vec<f64>| {
        with[id] = columns[id].bounds().0;
        with
    };
    let [lower, upper] = [|x: (f64, f64)| x.0, |x: (f64, f64)| x.1]
        .map(|end| own(columns.iter().map(|values| end(values.bounds())).collect()));
    let others: Vec<usize> = (0..columns.len()).filter(|column| *column != id).collect();
    let levels: Vec<Vec<f64>> = columns.iter().map(Values::levels).collect();
    let nth = |n: usize| own(levels.iter().map(|levels| levels[n % levels.len()]).collect());
    let bases: Vec<Vec<f64>> = (0..MOST_BASES).map(nth).collect();
    let spread = |with: &[f64], spread: &[usize]| PersonRows {
        rows,
        with: with.to_vec(),
        spread: spread.to_vec(),
    };
    let mut all = vec![
        PersonRows::alike(rows, &upper),
        spread(&lower, &others),
        PersonRows::alike(rows, &lower),
    ];
    // Columns with most different values first.
    let mut alone = others.clone();
    alone.sort_by_key(|column| std::cmp::Reverse(distinct(&columns[*column], rows)));
    alone.truncate(if others.len() > 1 { MOST_COLUMNS } else { 0 });
    let mut one_column: Vec<PersonRows> = Vec::new();
    for with in [&lower, &upper].into_iter().chain(&bases) {
        for &column in &alone {
            let mut with = with.clone();
            with[column] = columns[column].bounds().0;
            let pattern = spread(&with, &[column]);
            if !one_column.contains(&pattern) {
                one_column.push(pattern);
            }
        }
    }
    let lists = others.iter().any(|column| matches!(columns[*column], Values::Among(_)));
    let mut between = Vec::new();
    for base in bases.iter().take(if lists { MOST_BASES } else { 1 }) {
        for share in SHARES {
            let with: Vec<f64> = columns.iter().zip(base).map(|(v, &x)| at(share, v, x)).collect();
            between.push(PersonRows::alike(rows, &own(with)));
        }
    }
    // Alternating, so that neither kind waits for the other.
    one_column.reverse();
    for pattern in between {
        all.push(pattern);
        all.extend(one_column.pop());
    }
    one_column.reverse();
    all.extend(one_column);
    let mut once: Vec<PersonRows> = Vec::new();
    for pattern in all {
        if !once.contains(&pattern) {
            once.push(pattern);
        }
    }
    once
}

/// A number at a share of the upper bound, or of the way to it; for a list, `otherwise`.
fn at(share: f64, values: &Values, otherwise: f64) -> f64 {
    let (lower, upper) = values.bounds();
    if matches!(values, Values::Among(_)) {
        return otherwise;
    }
    let x = share * upper.abs().max(lower.abs());
    if (lower..=upper).contains(&x) {
        return values.nearest(x);
    }
    // Half of each, so that the widest bounds do not overflow.
    values.nearest(lower * (1.0 - share.abs()) + upper * share.abs())
}

/// Replacements for a person's rows: the same number of others, as far away as possible, and one.
pub(super) fn replacements(of: &PersonRows, columns: &[Values], id: usize) -> [PersonRows; 2] {
    let turned = |(column, (values, &x)): (usize, (&Values, &f64))| {
        let (lower, upper) = values.bounds();
        match (column == id, of.spread.contains(&column)) {
            (true, _) => x,
            // Between the values of the others.
            (_, true) => values.nearest(x + 0.5 * (upper - lower) / of.rows.max(1) as f64),
            _ => values.nearest(lower + (upper - x)),
        }
    };
    let other: Vec<f64> = columns.iter().zip(&of.with).enumerate().map(turned).collect();
    let quiet = |(column, (values, &x)): (usize, (&Values, &f64))| match (column == id, values) {
        (false, Values::Numbers { .. } | Values::Integers { .. }) => values.nearest(0.0),
        _ => x,
    };
    let one: Vec<f64> = columns.iter().zip(&of.with).enumerate().map(quiet).collect();
    [PersonRows { with: other, ..of.clone() }, PersonRows::alike(1, &one)]
}
