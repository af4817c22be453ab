//! Coordinates of lists: operators from list to list, best first, then statistics of each list.

use crate::witness::coordinate::list::Source;
use crate::witness::coordinate::operators::{Operator, Within};
use crate::witness::coordinate::statistic::{Made, Statistic};
use crate::witness::count::edges::sort;
use crate::witness::grammar::learn;
use crate::witness::grammar::pool::{Pool, Rows, Scored, TELLS};

/// Entries that are examined one by one: of the source, and of lists made from it.
const MOST_ENTRIES: [usize; 2] = [1 << 11, 24];
/// Lists that get one more operator: the most telling.
const EXTENDED: usize = 3;
/// Entries that determine cuts.
const PILOT: usize = 1 << 12;
/// Different entries that are few, so that each is counted.
const FEW: usize = 12;
/// Quantiles of entries between which they are counted: of the source, and of lists made from it.
const CUTS: [usize; 2] = [8, 4];

/// Lists of all rows, one after the other.
#[derive(Clone)]
struct Lists {
    by: Vec<Operator>,
    values: Vec<f64>,
    /// The end of each row's list; rows without a list have `None`.
    ends: Vec<Option<usize>>,
}

impl Lists {
    fn of(source: &Source, rows: &Rows<'_>) -> Self {
        let mut lists =
            Self { by: vec![], values: vec![], ends: Vec::with_capacity(rows.outcomes.len()) };
        let mut list = Vec::new();
        for outcome in &rows.outcomes {
            let has = source.list(outcome, &mut list).is_some();
            if has {
                lists.values.extend_from_slice(&list);
            }
            lists.ends.push(has.then_some(lists.values.len()));
        }
        lists
    }

    fn each(&self) -> impl Iterator<Item = Option<&[f64]>> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            end.map(|end| {
                let list = &self.values[start..end];
                start = end;
                list
            })
        })
    }

    fn then(&self, operator: Operator) -> Self {
        let by = self.by.iter().copied().chain([operator]).collect();
        let mut lists = Self {
            by,
            values: Vec::with_capacity(self.values.len()),
            ends: Vec::with_capacity(self.ends.len()),
        };
        let (mut made, mut spare) = (Vec::new(), Vec::new());
        for list in self.each() {
            if let Some(list) = list {
                made.clear();
                made.extend_from_slice(list);
                operator.apply(&mut made, &mut spare);
                lists.values.extend_from_slice(&made);
            }
            lists.ends.push(list.map(|_| lists.values.len()));
        }
        lists
    }

    /// `true` if this operator changes more than the names of places.
    fn takes(&self, operator: Operator) -> bool {
        use Operator::{Absolute, Centered, Ranks, Reversed, Sorted};
        match (self.by.last(), operator) {
            (Some(Sorted), Sorted | Ranks | Reversed) | (Some(Reversed | Ranks), Sorted) => false,
            (Some(last), operator) => {
                *last != operator || !matches!(operator, Absolute | Centered | Ranks | Reversed)
            }
            (None, _) => true,
        }
    }

    /// Statistics worth trying.
    fn statistics(&self) -> Vec<Statistic> {
        let longest = self.each().flatten().map(<[f64]>::len).max().unwrap_or(0);
        let varies = self.each().flatten().any(|list| list.len() < longest);
        let missing = self.values.iter().any(|x| x.is_nan());
        let mut all = vec![Statistic::Sum, Statistic::Max, Statistic::Min, Statistic::ArgMax];
        all.extend([Statistic::ArgMin, Statistic::ArgSecond, Statistic::Range, Statistic::Median]);
        all.extend([Statistic::NormL1, Statistic::NormL2, Statistic::LargestStep]);
        all.extend([Statistic::Rises, Statistic::SignChanges, Statistic::LongestRun]);
        all.extend([Statistic::Distinct, Statistic::Repeats, Statistic::Zeros]);
        if missing {
            all.extend([Statistic::Missing, Statistic::FirstPresent]);
        }
        if varies {
            all.extend([Statistic::Length]);
            all.extend((0..4).map(Statistic::FromEnd));
        }
        let most = MOST_ENTRIES[usize::from(!self.by.is_empty())];
        all.extend((0..longest.min(most)).map(Statistic::Entry));
        all
    }

    /// Counts, runs and places of entries in intervals between quantiles, or of each value if there are few.
    fn counted(&self) -> Vec<Statistic> {
        let step = self.values.len().div_ceil(PILOT).max(1);
        let some = self.values.iter().step_by(step).filter(|x| !x.is_nan());
        let mut some: Vec<f64> = some.map(|x| x + 0.0).collect();
        sort(&mut some);
        let mut values = some.clone();
        values.dedup();
        let (from, below) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut all = Vec::new();
        let mut add = |from: f64, below: f64, reads: &[Within]| {
            if from < below && (from > f64::NEG_INFINITY || below < f64::INFINITY) {
                all.extend(reads.iter().map(|read| Statistic::Within { from, below, read: *read }));
            }
        };
        if values.len() <= FEW {
            for (at, value) in values.iter().enumerate() {
                add(*value, value.next_up(), &Within::ALL);
                if at > 1 {
                    add(*value, below, &Within::ALL);
                    add(from, *value, &Within::ALL);
                }
            }
            return all;
        }
        let cuts = CUTS[usize::from(!self.by.is_empty())];
        let mut edges: Vec<f64> = (1..cuts).map(|at| some[at * some.len() / cuts]).collect();
        edges.push(0.0);
        sort(&mut edges);
        edges.dedup();
        edges.insert(0, from);
        edges.push(below);
        for (at, from) in edges.iter().enumerate() {
            for below in &edges[at + 1..] {
                let outer = *from == f64::NEG_INFINITY || *below == f64::INFINITY;
                add(*from, *below, if outer { &Within::ALL } else { &[Within::Count] });
            }
        }
        all
    }

    /// A statistic of these lists as one of the outcome.
    fn named(&self, source: &Source, read: Statistic) -> Statistic {
        match (source, &self.by[..]) {
            (Source::Entries, []) => read,
            _ => {
                let (source, by) = (source.clone(), self.by.clone());
                Statistic::Made(Box::new(Made { source, by, read }))
            }
        }
    }

    /// Screens the statistics of these lists.
    fn screened(&self, source: &Source, pool: &mut Pool<'_>) -> Vec<Scored> {
        let numbers = |read: &Statistic, rows: usize| {
            let each = self.each().take(rows);
            each.map(|list| list.and_then(|list| read.read_vector(list)).unwrap_or(f64::NAN))
                .collect()
        };
        // Of every other pair of rows, so that the others judge them, too.
        let some = self.each().zip(pool.labels).enumerate().filter(|(at, _)| at / 2 % 2 == 0);
        let weighted =
            learn::weighted_sum(some.filter_map(|(_, (list, is_d))| Some((list?, *is_d))));
        let all = self.statistics().into_iter().chain(self.counted()).chain(weighted);
        let all: Vec<Statistic> = all.collect();
        pool.screen(&all, |read| self.named(source, read.clone()), numbers)
    }
}

/// Screens statistics of the lists of a source, and of lists made from them.
pub fn of_lists(source: &Source, rows: &Rows<'_>, pool: &mut Pool<'_>) {
    let lists = Lists::of(source, rows);
    let screened = lists.screened(source, pool);
    pool.add(screened);
    let mut made = made_from(&lists, source, pool);
    made.retain(|(gain, _)| *gain > TELLS);
    made.truncate(EXTENDED);
    for (_, lists) in made {
        made_from(&lists, source, pool);
    }
}

/// Lists made by one more operator, with the gain of the best statistic of each, most telling first.
fn made_from(lists: &Lists, source: &Source, pool: &mut Pool<'_>) -> Vec<(f64, Lists)> {
    let mut all: Vec<(f64, Lists)> = Vec::new();
    for operator in Operator::ALL.into_iter().filter(|operator| lists.takes(*operator)) {
        let lists = lists.then(operator);
        let screened = lists.screened(source, pool);
        let best = screened.iter().map(|scored| scored.gain).fold(0.0, f64::max);
        pool.add(screened);
        all.push((best, lists));
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all
}
