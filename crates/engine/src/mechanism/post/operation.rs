//! One operation on the numbers of an outcome.

use crate::mechanism::rounding::to_grid;
use plaudit_accountant::near::nearest;
use plaudit_accountant::number::words;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operation {
    /// To the nearest multiple of a step, which is finite and above 0; half-way ones to even.
    Round(f64),
    /// Into an interval with finite ends, in order.
    Clamp(f64, f64),
    /// 1 from a finite number up, else 0 (also for NaN).
    Threshold(f64),
    /// Place of the largest entry, from 0; the first of equal ones. NaN is never the largest, and a
    /// list without a number stays as it is.
    Argmax,
    /// Places of this number of largest entries, at least one, the largest first; at most all.
    Top(usize),
}

#[derive(Clone, Copy)]
pub(super) enum Processed {
    Number(f64),
    Integer(i64),
    List,
}

/// Memory for lists, reused for each outcome.
#[derive(Default)]
pub(super) struct Scratch {
    list: Vec<f64>,
    places: Vec<usize>,
}

impl Scratch {
    pub(super) fn start(&mut self, values: &[f64]) {
        self.list.clear();
        self.list.extend_from_slice(values);
    }

    pub(super) fn list(&self) -> &[f64] {
        &self.list
    }

    pub(super) fn into_list(self) -> Vec<f64> {
        self.list
    }
}

const NAMES: [&str; 5] = ["round", "clamp", "threshold", "argmax", "top"];
const EXAMPLES: &str = "`round:0.1`, `clamp:0,10`, `threshold:3`, `argmax` and `top:2`";

impl Operation {
    pub(super) fn parse(written: &str) -> Result<Self, String> {
        let (name, argument) = match written.split_once(':') {
            Some((name, argument)) => (name.trim(), Some(argument.trim())),
            None => (written.trim(), None),
        };
        let needs = |what: &str, example: &str| {
            argument.ok_or_else(|| format!("`{name}` needs {what}: write `{example}`"))
        };
        match name {
            "round" => {
                let step = number(needs("a step", "round:0.1")?)?;
                match step > 0.0 {
                    true => Ok(Self::Round(step)),
                    false => Err(format!("no numbers are rounded to multiples of {}", words(step))),
                }
            }
            "clamp" => {
                let ends = needs("two ends", "clamp:0,10")?;
                let (low, high) = ends
                    .split_once(',')
                    .ok_or_else(|| format!("`clamp:{ends}` has one end: write `clamp:0,10`"))?;
                let (low, high) = (number(low.trim())?, number(high.trim())?);
                match low <= high {
                    true => Ok(Self::Clamp(low, high)),
                    false => Err(format!(
                        "there is no number between {} and {}",
                        words(low),
                        words(high)
                    )),
                }
            }
            "threshold" => Ok(Self::Threshold(number(needs("a number", "threshold:3")?)?)),
            "argmax" => match argument {
                None => Ok(Self::Argmax),
                Some(_) => Err("`argmax` takes no argument".into()),
            },
            "top" => {
                let many = needs("how many", "top:2")?;
                let count = many.parse().ok().filter(|count| *count > 0);
                count.map(Self::Top).ok_or_else(|| {
                    format!("`top:{many}` does not give the number: write a whole number from 1")
                })
            }
            _ => Err(match nearest(name, &NAMES) {
                Some(known) => format!("unknown operation `{name}`: did you mean `{known}`?"),
                None => format!("unknown operation `{name}`: there are {EXAMPLES}"),
            }),
        }
    }

    pub(super) fn words(&self) -> String {
        match self {
            Self::Round(step) => format!("rounded to multiples of {}", words(*step)),
            Self::Clamp(low, high) => {
                format!("clamped between {} and {}", words(*low), words(*high))
            }
            Self::Threshold(from) => format!("whether at least {}", words(*from)),
            Self::Argmax => "the place of the largest".into(),
            Self::Top(1) => "a list of the place of the largest".into(),
            Self::Top(count) => format!("the places of the {count} largest"),
        }
    }

    #[inline]
    pub(super) fn apply(&self, value: Processed, scratch: &mut Scratch) -> Processed {
        match (self, value) {
            (Self::Argmax, Processed::List) => match place_of_largest(&scratch.list) {
                Some(place) => Processed::Integer(place as i64),
                None => Processed::List,
            },
            // A list of one.
            (Self::Argmax, Processed::Number(x)) if x.is_nan() => value,
            (Self::Argmax, _) => Processed::Integer(0),
            (Self::Top(count), _) => {
                match value {
                    Processed::Number(x) => scratch.start(&[x]),
                    Processed::Integer(_) => scratch.start(&[0.0]),
                    Processed::List => {}
                }
                scratch.top(*count);
                Processed::List
            }
            (Self::Threshold(from), Processed::Number(x)) => {
                Processed::Integer((x >= *from).into())
            }
            (Self::Threshold(from), Processed::Integer(i)) => {
                // The conversion saturates at 128 bits, and no integer is near beyond that.
                Processed::Integer((i128::from(i) >= from.ceil() as i128).into())
            }
            (_, Processed::Number(x)) => Processed::Number(self.of_entry(x)),
            (_, Processed::Integer(i)) => match self.of_integer(i) {
                Some(i) => Processed::Integer(i),
                None => Processed::Number(self.of_entry(i as f64)),
            },
            (_, Processed::List) => {
                scratch.list.iter_mut().for_each(|x| *x = self.of_entry(*x));
                Processed::List
            }
        }
    }

    #[inline]
    fn of_entry(&self, x: f64) -> f64 {
        match *self {
            Self::Round(step) => to_grid(x, step),
            Self::Clamp(low, high) => x.clamp(low, high) + 0.0,
            Self::Threshold(from) => f64::from(u8::from(x >= from)),
            Self::Argmax | Self::Top(_) => x,
        }
    }

    /// Result for an integer, if it is an integer for every integer.
    fn of_integer(&self, i: i64) -> Option<i64> {
        match *self {
            Self::Round(step) => {
                let (step, i) = (i128::from(whole(step)?), i128::from(i));
                let (below, over) = (i.div_euclid(step), i.rem_euclid(step));
                let up = 2 * over > step || 2 * over == step && below % 2 != 0;
                let rounded = (below + i128::from(up)) * step;
                Some(i64::try_from(rounded).unwrap_or(i as i64))
            }
            Self::Clamp(low, high) => Some(i.clamp(whole(low)?, whole(high)?)),
            Self::Threshold(_) | Self::Argmax | Self::Top(_) => None,
        }
    }
}

impl Scratch {
    /// Replaces the entries by the places of the largest ones.
    fn top(&mut self, count: usize) {
        let Self { list, places } = self;
        places.clear();
        places.extend((0..list.len()).filter(|&place| !list[place].is_nan()));
        places.sort_unstable_by(|&a, &b| {
            let by_size = list[b].partial_cmp(&list[a]).unwrap_or(std::cmp::Ordering::Equal);
            by_size.then(a.cmp(&b))
        });
        list.clear();
        list.extend(places.iter().take(count).map(|&place| place as f64));
    }
}

fn place_of_largest(list: &[f64]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (place, x) in list.iter().enumerate() {
        if !x.is_nan() && best.is_none_or(|best| *x > list[best]) {
            best = Some(place);
        }
    }
    best
}

/// A double that is an integer of 64 bits.
fn whole(x: f64) -> Option<i64> {
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    (x.fract() == 0.0 && x.abs() <= LIMIT).then_some(x as i64)
}

fn number(written: &str) -> Result<f64, String> {
    let number = written.parse().ok().filter(|x: &f64| x.is_finite());
    // Without −0: readers take it for another number.
    number.map(|x| x + 0.0).ok_or_else(|| format!("`{written}` is not a finite number"))
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Round(step) => write!(f, "round:{}", words(*step)),
            Self::Clamp(low, high) => write!(f, "clamp:{},{}", words(*low), words(*high)),
            Self::Threshold(from) => write!(f, "threshold:{}", words(*from)),
            Self::Argmax => f.write_str("argmax"),
            Self::Top(count) => write!(f, "top:{count}"),
        }
    }
}
