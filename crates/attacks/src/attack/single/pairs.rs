//! Comparison of the original with a control, row by row in pairs.

use super::guess::Guess;
use crate::attack::coded::CodedTable;
use crate::attack::excess::{Excess, Guessed};
use plaudit_core::random::Stream;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::Serialize;

/// Rows of both samples, at most, that a compared guess is right or wrong by; one that more rows satisfy counts as wrong
/// about both.
const MOST: usize = 8;

/// Guesses about equally many rows of the original and of a control.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Rows of each, drawn at random where a table has more.
    pub rows: u64,
    /// Guesses that exactly one of these rows of the original satisfies.
    pub original: Guessed,
    /// Guesses that exactly one of these rows of the control satisfies.
    pub control: Guessed,
    /// Above 0 with probability at most α if the release knows nothing of the split; its size also takes compared guesses
    /// to be independent where the release does.
    pub excess: Excess,
    /// For each compared guess, in their order: right about the original, and about the control.
    #[serde(skip)]
    pub each: Vec<[bool; 2]>,
}

/// Compares guesses, frozen before both tables were read, on rows of both in random pairs.
///
/// A guess is compared if no pair with a row that satisfies it has one that satisfies another compared guess; those with the
/// fewest rows go first. That does not depend on which row of a pair is the original's. So for a release that knows nothing of the split, where any
/// pair may as well be swapped, compared guesses are right independently of one another given the unordered pairs, and
/// each equally likely about both sides.
pub fn compare(
    guesses: &[Guess],
    [original, control]: [&CodedTable; 2],
    alpha: f64,
    random: &mut Stream,
) -> Compared {
    let rows = original.rows().min(control.rows());
    let mut pairs = |table: &CodedTable| {
        let mut places: Vec<usize> = (0..table.rows()).collect();
        places.shuffle(random);
        // The pair of each row; rows beyond the last pair are not compared.
        let mut pairs = vec![usize::MAX; places.len()];
        places.into_iter().take(rows).enumerate().for_each(|(pair, place)| pairs[place] = pair);
        pairs
    };
    let sides = [(original, pairs(original)), (control, pairs(control))];
    let satisfied: Vec<[Vec<usize>; 2]> = guesses
        .par_iter()
        .map(|guess| {
            let of = |(table, pairs): &(&CodedTable, Vec<usize>)| {
                let satisfied = guess.rows(table, usize::MAX).into_iter();
                satisfied.map(|row| pairs[row]).filter(|pair| *pair < rows).collect()
            };
            [of(&sides[0]), of(&sides[1])]
        })
        .collect();
    let each = apart(&satisfied, rows);
    let guessed = |side: usize| {
        let right = each.iter().filter(|right| right[side]).count();
        Guessed::of(right as u64, each.len() as u64, alpha)
    };
    let (original, control) = (guessed(0), guessed(1));
    let excess = Excess::of(&original, &control);
    Compared { rows: rows as u64, original, control, excess, each }
}

/// Chooses guesses that concern different pairs, given the pairs of the rows on both sides that satisfy each; in their
/// order, whether each chosen one is right about either side.
fn apart(satisfied: &[[Vec<usize>; 2]], pairs: usize) -> Vec<[bool; 2]> {
    let count = |guess: usize| satisfied[guess].iter().map(Vec::len).sum::<usize>();
    let mut order: Vec<usize> = (0..satisfied.len()).collect();
    order.sort_by_key(|guess| count(*guess));
    let mut taken = vec![false; pairs];
    let mut each = vec![None; satisfied.len()];
    for guess in order {
        let both = || satisfied[guess].iter().flatten();
        if count(guess) > MOST {
            each[guess] = Some([false; 2]);
        } else if both().all(|pair| !taken[*pair]) {
            both().for_each(|pair| taken[*pair] = true);
            each[guess] = Some([0, 1].map(|side| satisfied[guess][side].len() == 1));
        }
    }
    each.into_iter().flatten().collect()
}
