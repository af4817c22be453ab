//! Initial plans of a search: named patterns, extremes, empty and one-row data, duplicates and
//! ties; then quasi-random points of the space of plans.

use super::domain::Values;
use super::people;
use super::plan::{Fill, Neighborhood, Plan, PlanChange};
use plaudit_core::dataset::Relation;

/// Most columns that are changed one at a time.
const MOST_COLUMNS: usize = 8;
/// Values per column that are combined with one another.
const COMBINED: usize = 4;
/// Most places that are changed one at a time, in each dataset.
const MOST_PLACES: usize = 64;
/// Most rows of a table that are changed one at a time: its rows are mostly alike.
const MOST_PLACES_OF_ROWS: usize = 12;
/// Plans that precede those that change a row other than the first.
const BEFORE_PLACES: usize = 24;

/// Plans that precede those with numbers that are not finite, and sizes in which these are tried.
const BEFORE_NOT_FINITE: usize = 4;
const SIZES_NOT_FINITE: usize = 3;
/// Largest number of sizes for which all are tried with rows in order.
const MOST_SIZES: usize = 16;

pub struct Candidates {
    /// Named patterns and extremes, the likeliest to tell first.
    pub named: Vec<Plan>,
    /// Rows in order, for mechanisms that depend on it: tried after the first named plan.
    pub in_order: Vec<Plan>,
    pub scattered: Vec<Plan>,
}

/// At most `most` plans of each kind.
pub fn candidates(neighborhood: &Neighborhood, most: usize) -> Candidates {
    let mut named = match neighborhood.relation {
        Relation::Substitution | Relation::AddRemove => rows(neighborhood, most),
        Relation::Histogram => counts(neighborhood),
        Relation::RemoveAll(_) | Relation::ReplaceAll(_) => {
            spread(people::named(neighborhood, most), most)
        }
        Relation::L1(_) | Relation::L2(_) | Relation::Linf(_) => vectors(neighborhood),
    };
    named.truncate(most);
    let in_order = ordered(neighborhood);
    let scattered = (0..most as u64).map(|number| anywhere(neighborhood, number)).collect();
    Candidates { named, in_order, scattered }
}

/// Numbers of rows to try: the least, some small ones, the most.
fn sizes(neighborhood: &Neighborhood) -> Vec<usize> {
    let size = neighborhood.domain.size();
    let (least, most) = (*size.start(), *size.end());
    let spare = usize::from(neighborhood.relation == Relation::AddRemove);
    let mut sizes = vec![least + spare, 1, most.min(10), 5, 2, 3, 20, most];
    sizes.retain(|n| (least.max(1)..=most).contains(n));
    let mut seen = std::collections::HashSet::new();
    sizes.retain(|n| seen.insert(*n));
    sizes
}

/// Places after the first, at most `most`, spread over all rows.
fn places(rows: usize, most: usize) -> impl Iterator<Item = usize> {
    let behind = rows.saturating_sub(1);
    let many = behind.min(most);
    (1..=many).map(move |place| place * behind / many)
}

/// Sizes in which one place after another is changed: some ten entries, and the largest size.
fn sizes_with_places(neighborhood: &Neighborhood) -> Vec<usize> {
    let size = neighborhood.domain.size();
    let mut sizes = vec![(*size.end()).min(10).max(*size.start()), *size.end()];
    sizes.dedup();
    sizes
}

/// The named patterns, around each level.
fn vectors(neighborhood: &Neighborhood) -> Vec<Plan> {
    let values = &neighborhood.domain.columns()[0];
    let distance = match neighborhood.relation {
        Relation::L1(most) | Relation::L2(most) | Relation::Linf(most) => most,
        _ => 1.0,
    };
    // The moves are those of `dataset::pattern`.
    let moves = [
        Fill::Halves(1.0, -1.0),
        Fill::Constant(1.0),
        Fill::Constant(-1.0),
        Fill::Head(1.0, -1.0),
        Fill::Head(-1.0, 1.0),
        Fill::Tail(1.0, -1.0),
        Fill::Tail(-1.0, 1.0),
        Fill::Head(-1.0, 0.0),
        Fill::Head(1.0, 0.0),
        Fill::Halves(1.0, 0.0),
    ];
    let mut levels = values.levels();
    levels.insert(levels.len().min(2), values.nearest(distance));
    let shift = |rows: usize, fill: Fill, by: Fill| {
        let change = PlanChange::Shift(by, Vec::new());
        Plan { rows, fills: vec![fill], edits: Vec::new(), change }
    };
    let mut plans = Vec::new();
    for (place, &level) in levels.iter().enumerate() {
        for rows in sizes(neighborhood) {
            for by in moves {
                // With one entry most of them are the same.
                if rows > 1 || matches!(by, Fill::Constant(_)) {
                    plans.push(shift(rows, Fill::Constant(level), by));
                }
            }
            if place == 0 && rows > 1 {
                let apart = Fill::Halves(distance, 0.0);
                plans.push(shift(rows, apart, Fill::Halves(-1.0, 1.0)));
                plans.push(shift(
                    rows,
                    Fill::Ramp(values.bounds().0, values.bounds().1),
                    Fill::Constant(1.0),
                ));
                plans.push(shift(
                    rows,
                    Fill::Alternating(distance, 0.0),
                    Fill::Alternating(-1.0, 1.0),
                ));
            }
        }
        // Where all entries may move as far, one alone reveals less.
        if place == 0 && !matches!(neighborhood.relation, Relation::Linf(_)) {
            plans.extend(lone_moves(neighborhood, level));
        }
    }
    plans
}

/// Moves up one entry, at each place, among equal ones.
fn lone_moves(neighborhood: &Neighborhood, level: f64) -> impl Iterator<Item = Plan> {
    sizes_with_places(neighborhood).into_iter().flat_map(move |rows| {
        places(rows, MOST_PLACES).map(move |entry| {
            let change = PlanChange::Shift(Fill::Constant(0.0), vec![(entry, 1.0)]);
            Plan { rows, fills: vec![Fill::Constant(level)], edits: Vec::new(), change }
        })
    })
}

/// Moves one count up or down, among equal ones, none and many.
fn counts(neighborhood: &Neighborhood) -> Vec<Plan> {
    let values = &neighborhood.domain.columns()[0];
    let mut plans = Vec::new();
    let levels = values.levels();
    for rows in sizes(neighborhood) {
        for &level in &levels {
            for (rest, by) in [(level, 1.0), (level, -1.0), (0.0, 1.0), (0.0, -1.0)] {
                plans.push(Plan {
                    rows,
                    fills: vec![Fill::Head(level, rest)],
                    edits: Vec::new(),
                    change: PlanChange::Count(0, by),
                });
            }
        }
    }
    let mut lone = Vec::new();
    for rows in sizes_with_places(neighborhood) {
        lone.extend(places(rows, MOST_PLACES).map(|entry| Plan {
            rows,
            fills: vec![Fill::Constant(levels[0])],
            edits: Vec::new(),
            change: PlanChange::Count(entry, 1.0),
        }));
    }
    behind_the_first(&mut plans, lone);
    plans
}

/// Removes or replaces one row, among others that are alike or not.
fn rows(neighborhood: &Neighborhood, most: usize) -> Vec<Plan> {
    let columns = neighborhood.domain.columns();
    let levels: Vec<Vec<f64>> = columns.iter().map(|values| values.levels()).collect();
    let nth =
        |n: usize| -> Vec<f64> { levels.iter().map(|levels| levels[n % levels.len()]).collect() };
    let [lower, upper] = [|x: (f64, f64)| x.0, |x: (f64, f64)| x.1]
        .map(|end| columns.iter().map(|values| end(values.bounds())).collect::<Vec<f64>>());
    // Rows that are like no other, one column at a time, and all columns together.
    let deepest = levels.iter().map(Vec::len).max().unwrap_or(0);
    let mut profiles = vec![lower.clone(), upper.clone()];
    profiles.extend((0..deepest).map(nth));
    if columns.len() > 1 {
        for (column, levels) in levels.iter().enumerate().take(MOST_COLUMNS) {
            for &level in levels.iter().take(COMBINED) {
                let mut profile = lower.clone();
                profile[column] = level;
                profiles.push(profile);
            }
        }
    }
    unique(&mut profiles);
    let constant = |profile: &[f64]| profile.iter().map(|&x| Fill::Constant(x)).collect::<Vec<_>>();
    let between = |fill: fn(f64, f64) -> Fill| -> Vec<Fill> {
        lower.iter().zip(&upper).map(|(&a, &b)| fill(a, b)).collect()
    };
    let mut backgrounds = vec![
        constant(&lower),
        constant(&upper),
        between(Fill::Halves),
        between(Fill::Ramp),
        between(|a, b| Fill::Scattered(0, a, b)),
    ];
    backgrounds.extend(profiles.iter().skip(2).take(COMBINED).map(|profile| constant(profile)));
    let mut plans = Vec::new();
    let sizes = sizes(neighborhood);
    // The reverse is the same pair, so that each row meets only those after it.
    'plans: for distance in 1..=profiles.len() {
        for (at, own) in profiles.iter().enumerate() {
            let other = profiles.get(at + distance);
            for background in &backgrounds {
                for &rows in &sizes {
                    let change = match (&neighborhood.relation, other) {
                        (Relation::AddRemove, _) if distance == 1 => PlanChange::Remove(0),
                        (Relation::Substitution, Some(other)) => {
                            PlanChange::Replace(0, other.clone())
                        }
                        _ => continue,
                    };
                    let edits = own.iter().enumerate().map(|(column, &x)| (0, column, x));
                    let (fills, edits) = (background.clone(), edits.collect());
                    plans.push(Plan { rows, fills, edits, change });
                }
                if plans.len() > 64 * most {
                    break 'plans;
                }
            }
        }
    }
    let mut lone = Vec::new();
    for rows in sizes_with_places(neighborhood) {
        lone.extend(places(rows, MOST_PLACES_OF_ROWS).filter_map(|row| {
            let (edits, change) = match neighborhood.relation {
                Relation::AddRemove => {
                    let edits = upper.iter().enumerate().map(|(column, &x)| (row, column, x));
                    (edits.collect(), PlanChange::Remove(row))
                }
                Relation::Substitution => (Vec::new(), PlanChange::Replace(row, upper.clone())),
                _ => return None,
            };
            Some(Plan { rows, fills: constant(&lower), edits, change })
        }));
    }
    let odd = not_finite(neighborhood);
    let others = lone.len() + odd.len();
    let mut plans = spread(plans, most.saturating_sub(others).max(most / 2));
    behind_the_first(&mut plans, lone);
    let place = plans.len().min(BEFORE_NOT_FINITE);
    plans.splice(place..place, odd);
    plans
}

/// Sets one row to NaN or infinity among finite ones, by replacement or by addition.
fn not_finite(neighborhood: &Neighborhood) -> Vec<Plan> {
    let [values @ Values::Numbers { not_finite: true, lower, upper }] =
        neighborhood.domain.columns()
    else {
        return Vec::new();
    };
    let finite = Fill::Constant(values.nearest(0.5 * lower + 0.5 * upper));
    let mut plans = Vec::new();
    for rows in sizes(neighborhood).into_iter().take(SIZES_NOT_FINITE) {
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let (edits, change) = match neighborhood.relation {
                Relation::AddRemove => (vec![(0, 0, odd)], PlanChange::Remove(0)),
                Relation::Substitution => (Vec::new(), PlanChange::Replace(0, vec![odd])),
                _ => return Vec::new(),
            };
            plans.push(Plan { rows, fills: vec![finite], edits, change });
        }
    }
    plans
}

/// Rows in order and all distinct, as far as the values reach: rising and falling, where the last
/// one is removed or replaced by the first, and where it repeats the first. Consecutive sizes
/// reveal an effect at a single one.
fn ordered(neighborhood: &Neighborhood) -> Vec<Plan> {
    let columns = neighborhood.domain.columns();
    let ends = |up: bool| {
        columns
            .iter()
            .map(|values| values.bounds())
            .map(move |(a, b)| if up { (a, b) } else { (b, a) })
    };
    let (least, most) = (*neighborhood.domain.size().start(), *neighborhood.domain.size().end());
    let mut rows: Vec<usize> = if most <= MOST_SIZES {
        (2..=most).rev().collect()
    } else {
        sizes(neighborhood)
            .into_iter()
            .flat_map(|rows| [rows, rows + 1, rows.saturating_sub(1)])
            .collect()
    };
    rows.retain(|rows| (least.max(2)..=most).contains(rows));
    let mut seen = std::collections::HashSet::new();
    rows.retain(|rows| seen.insert(*rows));
    let plan = |rows: usize, up: bool, repeats: bool| {
        let first: Vec<f64> = ends(up).map(|(first, _)| first).collect();
        let last = rows - 1;
        let change = match neighborhood.relation {
            Relation::AddRemove => PlanChange::Remove(last),
            Relation::Substitution => PlanChange::Replace(last, first.clone()),
            _ => return None,
        };
        let edits = first.iter().enumerate().map(|(column, &x)| (last, column, x));
        let edits = if repeats { edits.collect() } else { Vec::new() };
        let fills = ends(up).map(|(a, b)| Fill::Ramp(a, b)).collect();
        Some(Plan { rows, fills, edits, change })
    };
    let repeats = neighborhood.relation == Relation::AddRemove;
    let of_size = |rows: usize| {
        let kinds = [(true, false), (false, false), (true, true)].into_iter();
        kinds
            .filter(move |(_, again)| repeats || !again)
            .filter_map(move |(up, again)| plan(rows, up, again))
    };
    rows.into_iter().flat_map(of_size).collect()
}

impl Candidates {
    /// All plans, the likeliest to tell first: named and ordered ones, and scattered ones.
    pub fn all(self) -> (Vec<Plan>, Vec<Plan>) {
        let mut named = self.named;
        behind_the_first(&mut named, self.in_order);
        (named, self.scattered)
    }
}

/// Inserts plans after the first of others.
fn behind_the_first(plans: &mut Vec<Plan>, others: Vec<Plan>) {
    let place = plans.len().min(BEFORE_PLACES);
    plans.splice(place..place, others);
}

/// `most` plans of a longer list, spread over all of it, always with the first ones.
fn spread(plans: Vec<Plan>, most: usize) -> Vec<Plan> {
    let first = most / 4;
    if plans.len() <= most {
        return plans;
    }
    let step = (plans.len() - first) as f64 / (most - first).max(1) as f64;
    let mut next = first as f64;
    let mut kept = Vec::with_capacity(most);
    for (at, plan) in plans.into_iter().enumerate() {
        if at < first {
            kept.push(plan);
        } else if at as f64 >= next {
            kept.push(plan);
            next += step;
        }
    }
    kept
}

fn unique(profiles: &mut Vec<Vec<f64>>) {
    let mut seen = std::collections::HashSet::new();
    profiles.retain(|profile| seen.insert(profile.iter().map(|x| x.to_bits()).collect::<Vec<_>>()));
}

/// The quasi-random point of a number, one coordinate of the plan after another: a Halton sequence
/// (Halton 1960), in the order of its primes.
struct HaltonPoint {
    number: u64,
    dimension: usize,
}

impl HaltonPoint {
    fn next(&mut self) -> f64 {
        const PRIMES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
        let base = PRIMES[self.dimension % PRIMES.len()];
        // Beyond the primes, other numbers of the same sequences.
        let round = (self.dimension / PRIMES.len()) as u64;
        self.dimension += 1;
        let (mut rest, mut digit, mut share) = (self.number + 1 + 101 * round, 1.0, 0.0);
        while rest > 0 {
            digit /= base as f64;
            share += digit * (rest % base) as f64;
            rest /= base;
        }
        share
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[((self.next() * all.len() as f64) as usize).min(all.len() - 1)]
    }
}

fn anywhere(neighborhood: &Neighborhood, number: u64) -> Plan {
    let mut point = HaltonPoint { number, dimension: 0 };
    let rows = point.of(&sizes(neighborhood));
    let columns = neighborhood.domain.columns();
    let fills: Vec<Fill> = columns
        .iter()
        .map(|values| {
            let [a, b] = [point.next(), point.next()].map(|share| values.at_share(share));
            point.of(&[
                Fill::Constant(a),
                Fill::Scattered(number, a, b),
                Fill::Halves(a, b),
                Fill::Ramp(a, b),
                Fill::Head(a, b),
            ])
        })
        .collect();
    let row: Vec<f64> = columns.iter().map(|values| values.at_share(point.next())).collect();
    // Every second one has a place other than the first, unless all entries may move as far.
    let at = match neighborhood.relation {
        Relation::Linf(_) => 0,
        _ if (number / 2).is_multiple_of(2) => 0,
        _ => ((point.next() * rows as f64) as usize).min(rows.saturating_sub(1)),
    };
    let change = match neighborhood.relation {
        Relation::AddRemove => PlanChange::Remove(at),
        Relation::Substitution => PlanChange::Replace(at, row.clone()),
        Relation::RemoveAll(_) | Relation::ReplaceAll(_) => {
            people::anywhere(neighborhood, at, row.clone(), || point.next())
        }
        Relation::Histogram => PlanChange::Count(at, point.of(&[1.0, -1.0])),
        Relation::L1(_) | Relation::L2(_) if at > 0 => {
            PlanChange::Shift(Fill::Constant(0.0), vec![(at, point.of(&[1.0, -1.0]))])
        }
        Relation::L1(_) | Relation::L2(_) | Relation::Linf(_) => {
            let [a, b] = [point.next(), point.next()].map(|share| (3.0 * share).floor() - 1.0);
            let (a, b) = if a == 0.0 && b == 0.0 { (1.0, -1.0) } else { (a, b) };
            let fill = point.of(&[
                Fill::Halves(a, b),
                Fill::Head(a, b),
                Fill::Tail(a, b),
                Fill::Alternating(a, b),
                Fill::Scattered(number, -1.0, 1.0),
            ]);
            PlanChange::Shift(fill, Vec::new())
        }
    };
    // The removed row is like the others, or it is not.
    let edits = match neighborhood.relation {
        Relation::AddRemove if number % 2 == 1 => {
            row.iter().enumerate().map(|(column, &x)| (at, column, x)).collect()
        }
        _ => Vec::new(),
    };
    Plan { rows, fills, edits, change }
}
