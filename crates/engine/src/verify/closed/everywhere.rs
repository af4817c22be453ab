//! Test that one privacy profile is nowhere above another.

use super::arithmetic::{compare, exact};
use crate::mechanism::choice::Rational;
use crate::verify::enclose::{Enclosure, Exponential};
use crate::verify::held::Held;

pub(super) struct Claimed<'a> {
    pub delta: &'a dyn Fn(f64) -> Enclosure,
    /// −dδ/d(e^ε) at ε, if known: the probability, under D', of the event that decides there.
    pub slope: Option<&'a dyn Fn(f64) -> Enclosure>,
}

/// Most ε at which the profiles are evaluated.
const MOST_POINTS: usize = 1500;

/// Tests whether `profile` is at most `claimed` at all ε >= 0, if it is 0 from `end` on.
///
/// Both fall, so that the ends of a cell of ε decide it: by the profile at the lower one and the
/// claim at the upper one. And both are convex in e^ε: the profile is below its chord over a cell,
/// and the claim above its tangents. Undecided cells are halved.
pub(super) fn everywhere(
    end: f64,
    profile: impl Fn(&Enclosure) -> Enclosure,
    claimed: &Claimed<'_>,
) -> Held {
    let at = |epsilon: f64| (epsilon, profile(&exact(epsilon)), (claimed.delta)(epsilon));
    let exceeds = |point: &ProfileEnclosure| point.1.lower > point.2.upper;
    let (first, last) = (at(0.0), at(end));
    if exceeds(&first) || exceeds(&last) {
        return Held::No;
    }
    let mut open = vec![(first, last)];
    let mut points = 2;
    while let Some((from, to)) = open.pop() {
        if from.1.upper <= to.2.lower {
            continue;
        }
        let middle = 0.5 * (from.0 + to.0);
        if points >= MOST_POINTS || middle <= from.0 || middle >= to.0 {
            return Held::Unknown;
        }
        points += 1;
        let middle = at(middle);
        if exceeds(&middle) {
            return Held::No;
        }
        let below_tangent = claimed.slope.is_some_and(|slope| {
            let slope = slope(middle.0);
            let exp = |epsilon| Exponential::of(&exact(epsilon).lower);
            let here = exp(middle.0).lower;
            let (Some(before), Some(after)) = (exp(from.0).upper, exp(to.0).upper) else {
                return false;
            };
            let at_from = &middle.2.lower + &slope.lower * (&here - before);
            let at_to = &middle.2.lower - &slope.upper * (after - here);
            from.1.upper <= at_from && to.1.upper <= at_to
        });
        if !below_tangent {
            // The lower half first: there the profiles are largest.
            open.push((middle.clone(), to));
            open.push((from, middle));
        }
    }
    Held::Yes
}

/// ε, the profile there, the claim there.
type ProfileEnclosure = (f64, Enclosure, Enclosure);

/// Tests whether `profile` exceeds `claimed` at one of these ε; else unknown.
pub(super) fn somewhere(
    epsilons: impl IntoIterator<Item = f64>,
    profile: impl Fn(&Enclosure) -> Enclosure,
    claimed: &dyn Fn(f64) -> Rational,
) -> Held {
    let exceeds = |epsilon: f64| {
        let Enclosure { lower, upper } = profile(&exact(epsilon));
        compare(lower, upper, &claimed(epsilon)) == Held::No
    };
    if epsilons.into_iter().any(exceeds) { Held::No } else { Held::Unknown }
}
