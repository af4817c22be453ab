//! Mechanisms that nobody named: an outcome of a base distribution (a list, a map, a record or a text), of which only a
//! number that is composed at random from small operators tells. Some operators are in the witness's own grammar, others
//! (marked) are not. Each seed is another kind of mechanism.

use super::Law;
use plaudit::{Outcome, Stream};
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An outcome before it is composed: its parts are read by the composition and written by [`Parts::outcome`].
#[derive(Clone, Default)]
struct Parts {
    list: Vec<f64>,
    map: Vec<(usize, f64)>,
    text: String,
}

type Base = Arc<dyn Fn(&mut Stream) -> Parts + Send + Sync>;
type Read = Arc<dyn Fn(&Parts) -> f64 + Send + Sync>;
type List = Arc<dyn Fn(&Parts) -> Vec<f64> + Send + Sync>;
type Entries = Arc<dyn Fn(usize, &mut Stream) -> f64 + Send + Sync>;
type OfList = Box<dyn Fn(&[f64]) -> f64 + Send + Sync>;

/// Least probability of a cell under the base distribution: a cell is drawn by rejection.
const LEAST_MASS: f64 = 0.002;

/// The mechanism of a seed: "list", "map", "record" or "text".
pub fn law(kind: &str, seed: u64) -> Law {
    let mut random = Stream::seed_from_u64(
        7_919 * seed + 104_729 * kind.bytes().map(u64::from).sum::<u64>() + 1,
    );
    loop {
        if let Some(law) = drawn(kind, &mut random) {
            return law;
        }
    }
}

/// A mechanism, unless its composition is nearly constant.
fn drawn(kind: &str, random: &mut Stream) -> Option<Law> {
    let (base, sources) = base(kind, random);
    let read = number(&base, &sources, random);
    let mut sample: Vec<f64> = (0..20_000).map(|_| read(&base(random))).collect();
    sample.sort_unstable_by(f64::total_cmp);
    let cells = if random.random_bool(0.3) { 2 } else { random.random_range(3..=16) };
    // Ends of cells: quantiles, with equal numbers in one cell.
    let mut ends: Vec<f64> = Vec::new();
    let mut at = 0;
    while ends.len() + 1 < cells {
        let share = random.random_range(0.2..1.8) / cells as f64;
        at += (share * sample.len() as f64) as usize;
        let Some(end) = sample.get(at) else { break };
        if end.is_nan() {
            break;
        }
        ends.push(*end);
        at = sample.partition_point(|x| x.total_cmp(end).is_le());
    }
    let rare = random.random_bool(0.25).then(|| {
        let at = random.random_range(0..sample.len());
        let width = random.random_range(0.003..0.03) * sample.len() as f64;
        (sample[at], sample[(at + width as usize).min(sample.len() - 1)])
    });
    let cell = move |x: f64| match rare {
        Some((from, to)) => usize::from(x >= from && x <= to),
        // Undefined numbers come last.
        None => ends.partition_point(|end| end.total_cmp(&x).is_lt()),
    };
    let mut masses = vec![0.0; 20];
    sample.iter().for_each(|x| masses[cell(*x)] += 1.0 / sample.len() as f64);
    while masses.last() == Some(&0.0) {
        masses.pop();
    }
    if masses.len() < 2 || masses.iter().any(|mass| *mass < LEAST_MASS || *mass > 0.997) {
        return None;
    }
    let normal = |random: &mut Stream| -> f64 { StandardNormal.sample(random) };
    let losses: Vec<f64> = match (rare, random.random_range(0..3)) {
        (Some(_), _) => {
            let size = random.random_range(1.5..4.0);
            vec![0.0, if random.random() { size } else { -size }]
        }
        (None, 0) => (0..masses.len()).map(|_| 0.7 * normal(random)).collect(),
        _ => {
            let at = random.random_range(0..masses.len());
            let size = random.random_range(0.7..2.5) * if random.random() { 1.0 } else { -1.0 };
            (0..masses.len())
                .map(|cell| if cell == at { size } else { 0.1 * normal(random) })
                .collect()
        }
    };
    let kind = kind.to_owned();
    Some(Law::new(masses, &losses, move |wanted, random| {
        loop {
            let parts = base(random);
            if cell(read(&parts)) == wanted {
                return parts.outcome(&kind);
            }
        }
    }))
}

impl Parts {
    fn outcome(self, kind: &str) -> Outcome {
        let name = |key: &usize| {
            ["age", "city", "dose", "flag", "group", "hits", "id", "job", "kin", "lot"][*key]
        };
        match kind {
            "list" => self.list.into(),
            "text" => self.text.as_str().into(),
            "map" => {
                let map = self.map.iter().map(|(key, x)| (name(key).to_owned(), *x));
                map.collect::<BTreeMap<String, f64>>().into()
            }
            _ => {
                let mut all = serde_json::Map::new();
                for (key, x) in &self.map {
                    all.insert(name(key).to_owned(), (*x).into());
                }
                all.insert("values".into(), self.list.into());
                all.insert("word".into(), self.text.into());
                Outcome::Structure(serde_json::Value::Object(all).to_string())
            }
        }
    }
}

/// The base distribution, and the parts that a composition may begin with.
fn base(kind: &str, random: &mut Stream) -> (Base, Vec<&'static str>) {
    let entries = entries(random);
    let length = random.random_range(3..=9usize);
    let varies = random.random_bool(0.3);
    let walks = random.random_bool(0.2);
    let list = move |random: &mut Stream| {
        let length = if varies { random.random_range(2..=length + 2) } else { length };
        let mut list: Vec<f64> = (0..length).map(|at| entries(at, random)).collect();
        if walks {
            (1..length).for_each(|at| list[at] += list[at - 1]);
        }
        list
    };
    let keys = random.random_range(3..=8usize);
    let present: Vec<f64> = (0..keys)
        .map(|_| if random.random() { 1.0 } else { random.random_range(0.3..0.9) })
        .collect();
    let values = self::entries(random);
    let map = move |random: &mut Stream| -> Vec<(usize, f64)> {
        let all = (0..keys).filter_map(|key| {
            let is_present = random.random_bool(present[key]);
            let value = values(key, random);
            is_present.then_some((key, value))
        });
        all.collect()
    };
    let letters = random.random_range(2..=6u8);
    let size = random.random_range(4..=10usize);
    let text = move |random: &mut Stream| -> String {
        (0..size).map(|_| char::from(b'a' + random.random_range(0..letters))).collect()
    };
    match kind {
        "list" => {
            (Arc::new(move |random| Parts { list: list(random), ..Parts::default() }), vec!["list"])
        }
        "map" => (
            Arc::new(move |random| Parts { map: map(random), ..Parts::default() }),
            vec!["values", "values", "value", "presence", "keys"],
        ),
        "text" => (
            Arc::new(move |random| Parts { text: text(random), ..Parts::default() }),
            vec!["letters"],
        ),
        _ => (
            Arc::new(move |random| Parts {
                list: list(random),
                map: map(random),
                text: text(random),
            }),
            vec!["list", "values", "value", "letters", "presence"],
        ),
    }
}

/// The distribution of an entry at a place.
fn entries(random: &mut Stream) -> Entries {
    let scales: Vec<(f64, f64)> =
        (0..16).map(|_| (random.random_range(-2.0..2.0), random.random_range(0.3..3.0))).collect();
    let most = random.random_range(2..=12i32);
    match random.random_range(0..4) {
        0 => Arc::new(|_, random| StandardNormal.sample(random)),
        1 => Arc::new(|_, random| (std::f64::consts::PI * (random.random::<f64>() - 0.5)).tan()),
        2 => Arc::new(move |_, random| f64::from(random.random_range(0..most))),
        _ => Arc::new(move |at, random| {
            let x: f64 = StandardNormal.sample(random);
            scales[at % scales.len()].0 + scales[at % scales.len()].1 * x
        }),
    }
}

/// A composed number.
fn number(base: &Base, sources: &[&str], random: &mut Stream) -> Read {
    let one = simple(base, sources, random);
    if random.random_bool(0.25) {
        let other = simple(base, sources, random);
        return match random.random_range(0..6) {
            0 => Arc::new(move |parts| one(parts) - other(parts)),
            1 => Arc::new(move |parts| one(parts) + other(parts)),
            2 => Arc::new(move |parts| one(parts) / other(parts)),
            3 => Arc::new(move |parts| (one(parts) * other(parts)).signum()),
            4 => Arc::new(move |parts| one(parts).max(other(parts))),
            // Not in the grammar.
            _ => Arc::new(move |parts| one(parts).hypot(other(parts))),
        };
    }
    let sample: Vec<f64> = (0..200).map(|_| one(&base(random))).filter(|x| x.is_finite()).collect();
    let middle = sample.get(random.random_range(0..sample.len().max(1))).copied().unwrap_or(0.0);
    match random.random_range(0..10) {
        0 => Arc::new(move |parts| (one(parts) - middle).abs()),
        1 => {
            let by = f64::from(random.random_range(2..=5));
            Arc::new(move |parts| one(parts).floor().rem_euclid(by))
        }
        2 => Arc::new(move |parts| one(parts).signum()),
        // Not in the grammar.
        3 => Arc::new(move |parts| (2.0 * one(parts)).sin()),
        _ => one,
    }
}

fn simple(base: &Base, sources: &[&str], random: &mut Stream) -> Read {
    let key = random.random_range(0..4usize);
    let list: List = match sources[random.random_range(0..sources.len())] {
        "list" => Arc::new(|parts| parts.list.clone()),
        "values" => Arc::new(|parts| parts.map.iter().map(|(_, x)| *x).collect()),
        "letters" => {
            Arc::new(|parts| parts.text.bytes().map(|byte| f64::from(byte - b'a')).collect())
        }
        "presence" => {
            let other = random.random_range(0..8usize);
            return Arc::new(move |parts| {
                let has = |key| f64::from(u8::from(parts.map.iter().any(|(at, _)| *at == key)));
                has(key) + 2.0 * has(other)
            });
        }
        "keys" => return Arc::new(|parts| parts.map.len() as f64),
        _ => {
            return Arc::new(move |parts| {
                parts.map.iter().find(|(at, _)| *at == key).map_or(f64::NAN, |(_, x)| *x)
            });
        }
    };
    let mut list = list;
    for _ in 0..[0, 0, 1, 1, 2][random.random_range(0..5)] {
        list = rearranged(list, random);
    }
    let mut pool: Vec<f64> =
        (0..200).flat_map(|_| list(&base(random))).filter(|x| !x.is_nan()).collect();
    pool.sort_unstable_by(f64::total_cmp);
    read_of(list, &pool, random)
}

fn rearranged(list: List, random: &mut Stream) -> List {
    let ranks = |list: &[f64]| -> Vec<f64> {
        list.iter().map(|x| list.iter().filter(|y| *y < x).count() as f64).collect()
    };
    match random.random_range(0..12) {
        0 => Arc::new(move |parts| {
            let mut list = list(parts);
            list.sort_unstable_by(f64::total_cmp);
            list
        }),
        1 | 2 => {
            Arc::new(move |parts| list(parts).windows(2).map(|pair| pair[1] - pair[0]).collect())
        }
        3 => Arc::new(move |parts| list(parts).into_iter().map(f64::abs).collect()),
        4 => Arc::new(move |parts| {
            let mut sum = 0.0;
            let add = |x| {
                sum += x;
                sum
            };
            list(parts).into_iter().map(add).collect()
        }),
        5 => Arc::new(move |parts| {
            let list = list(parts);
            let mean = list.iter().sum::<f64>() / list.len() as f64;
            list.into_iter().map(|x| x - mean).collect()
        }),
        6 => Arc::new(move |parts| list(parts).into_iter().rev().collect()),
        7 => Arc::new(move |parts| ranks(&list(parts))),
        // Not in the grammar.
        8 => {
            Arc::new(move |parts| list(parts).windows(3).map(|three| three[2] - three[0]).collect())
        }
        9 => Arc::new(move |parts| list(parts).into_iter().step_by(2).collect()),
        10 => Arc::new(move |parts| {
            let list = list(parts);
            let two = list.windows(2).map(|pair| pair[0].max(pair[1]));
            two.collect()
        }),
        _ => Arc::new(move |parts| list(parts).into_iter().map(|x| x * x - x).collect()),
    }
}

fn read_of(list: List, pool: &[f64], random: &mut Stream) -> Read {
    let at = random.random_range(0..4usize);
    let mut quantile =
        || pool.get(random.random_range(0..pool.len().max(1))).copied().unwrap_or(0.0);
    let (a, b) = (quantile(), quantile());
    let (from, to) = (a.min(b), a.max(b));
    let weights: Vec<f64> = (0..16).map(|_| StandardNormal.sample(random)).collect();
    let most = |list: &[f64]| {
        (0..list.len()).fold(None, |best: Option<usize>, at| match best {
            Some(best) if list[best] >= list[at] => Some(best),
            _ => Some(at),
        })
    };
    let inside = move |x: &f64| *x >= from && *x <= to;
    let of: OfList = match random.random_range(0..30) {
        0 => Box::new(move |list| list.get(at).copied().unwrap_or(f64::NAN)),
        1 => Box::new(move |list| list.iter().rev().nth(at).copied().unwrap_or(f64::NAN)),
        2 => Box::new(|list| list.iter().sum()),
        3 => Box::new(|list| list.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        4 => Box::new(|list| list.iter().copied().fold(f64::INFINITY, f64::min)),
        5 => Box::new(move |list| most(list).map_or(f64::NAN, |at| at as f64)),
        6 => Box::new(move |list| {
            most(&list.iter().map(|x| -x).collect::<Vec<_>>()).map_or(f64::NAN, |at| at as f64)
        }),
        7 | 8 => Box::new(move |list| {
            let best = most(list);
            let second = (0..list.len()).filter(|at| Some(*at) != best);
            let second = second.max_by(|a, b| list[*a].total_cmp(&list[*b]));
            second.map_or(f64::NAN, |at| at as f64)
        }),
        9 => Box::new(|list| {
            let mut list = list.to_vec();
            list.sort_unstable_by(f64::total_cmp);
            list.iter().rev().nth(1).copied().unwrap_or(f64::NAN)
        }),
        10 => Box::new(|list| {
            list.iter().copied().fold(f64::NEG_INFINITY, f64::max)
                - list.iter().copied().fold(f64::INFINITY, f64::min)
        }),
        11 => Box::new(|list| list.iter().map(|x| x * x).sum::<f64>()),
        12 => Box::new(|list| list.iter().map(|x| x.abs()).sum::<f64>()),
        13 => Box::new(|list| {
            let mut list = list.to_vec();
            list.sort_unstable_by(f64::total_cmp);
            list.get(list.len() / 2).copied().unwrap_or(f64::NAN)
        }),
        14 => Box::new(|list| {
            let mut list = list.to_vec();
            list.sort_unstable_by(f64::total_cmp);
            list.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
        }),
        15 | 16 => Box::new(|list| {
            list.windows(2).filter(|pair| (pair[0] < 0.0) != (pair[1] < 0.0)).count() as f64
        }),
        17 => Box::new(|list| {
            let mut list = list.to_vec();
            list.sort_unstable_by(f64::total_cmp);
            list.dedup();
            list.len() as f64
        }),
        18..=20 => Box::new(move |list| list.iter().filter(|x| inside(x)).count() as f64),
        21 | 22 => Box::new(move |list| {
            let (mut longest, mut run) = (0, 0);
            for x in list {
                run = if *x > b { run + 1 } else { 0 };
                longest = longest.max(run);
            }
            f64::from(longest)
        }),
        23 => {
            Box::new(move |list| list.iter().position(|x| *x > b).map_or(f64::NAN, |at| at as f64))
        }
        24 => Box::new(|list| list.windows(2).filter(|pair| pair[1] > pair[0]).count() as f64),
        25 => Box::new(move |list| list.iter().zip(&weights).map(|(x, w)| x * w).sum()),
        // Not in the grammar.
        26 => Box::new(|list| list.windows(2).map(|pair| pair[0] * pair[1]).sum()),
        27 => Box::new(|list| {
            let later = |at: usize| list[at + 1..].iter().filter(|x| **x < list[at]).count();
            (0..list.len()).map(later).sum::<usize>() as f64
        }),
        28 => {
            Box::new(|list| list.windows(3).filter(|w| w[1] > w[0] && w[1] > w[2]).count() as f64)
        }
        _ => Box::new(|list| {
            let mut best = f64::NEG_INFINITY;
            let records = list.iter().filter(|x| {
                let is_record = **x > best;
                best = best.max(**x);
                is_record
            });
            records.count() as f64
        }),
    };
    Arc::new(move |parts| of(&list(parts)))
}
