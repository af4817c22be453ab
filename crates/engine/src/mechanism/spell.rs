//! Outcomes spelled out: each character of a text, each bit of a whole number.
//!
//! | outcome | spelled out |
//! |---|---|
//! | `"0110"`, `"c4f"` | the vector of the Unicode code points of its characters: 48, 49, 49, 48 |
//! | `6` | the vector of its bits, the lowest first: 0, 1, 1, 0, … |
//! | `9223372036854775809`, an integer beyond 64 bits with a sign, as a text or JSON | the same, of 64 bits |

use super::OutcomeRef;

const MOST_CHARACTERS: usize = 1 << 10;
/// Bits of a whole number that is not negative.
const BITS: usize = 63;
/// Magnitude below which each whole number is a distinct double.
const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;

/// Adds the spelled-out outcome; `false` if it cannot be spelled.
pub(super) fn spell_into(outcome: &OutcomeRef<'_>, letters: &mut Vec<f64>) -> bool {
    let mut bits = |whole: u64| {
        let count = BITS + usize::from(whole >> BITS != 0);
        letters.extend((0..count).map(|bit| f64::from(u8::from(whole >> bit & 1 == 1))));
        true
    };
    match *outcome {
        OutcomeRef::Text(digits) | OutcomeRef::Structure(digits) if large(digits).is_some() => {
            large(digits).is_some_and(&mut bits)
        }
        OutcomeRef::Text(text) => {
            let characters = text.chars().take(MOST_CHARACTERS);
            letters.extend(characters.map(|character| f64::from(u32::from(character))));
            true
        }
        OutcomeRef::Integer(i) => u64::try_from(i).is_ok_and(bits),
        OutcomeRef::Number(x) if x.fract() == 0.0 && (0.0..EXACT).contains(&x) => bits(x as u64),
        _ => false,
    }
}

/// The integer that digits spell, if it exceeds 64 bits with a sign but not 64 without. Strings of
/// the digits 0 and 1 do not count.
pub(crate) fn large(digits: &str) -> Option<u64> {
    let is_number = (19..=20).contains(&digits.len()) && digits.starts_with(|c: char| c != '0');
    let whole = digits.parse().ok().filter(|whole: &u64| i64::try_from(*whole).is_err())?;
    (is_number && digits.bytes().any(|digit| digit > b'1')).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::super::{Outcome, View};
    use super::*;

    #[test]
    fn texts_are_their_characters_and_whole_numbers_their_bits() {
        let spelled = |outcome: Outcome| View::Spelled.of(&outcome.as_ref());
        assert_eq!(spelled("0é".into()), Some(vec![48.0, 233.0].into()));
        assert_eq!(spelled("".into()), Some(Vec::new().into()));
        let Some(Outcome::Vector(long)) = spelled("x".repeat(5000).as_str().into()) else {
            panic!("a vector")
        };
        assert_eq!(long.len(), MOST_CHARACTERS);
        let bits = |set: &[usize]| {
            let bits = (0..BITS).map(|bit| f64::from(u8::from(set.contains(&bit))));
            Some(Outcome::Vector(bits.collect()))
        };
        assert_eq!(spelled(6i64.into()), bits(&[1, 2]));
        assert_eq!(spelled(6.0.into()), bits(&[1, 2]));
        assert_eq!(spelled(i64::MAX.into()), bits(&(0..63).collect::<Vec<_>>()));
        for whole in [
            Outcome::Integer(-1),
            Outcome::Number(0.5),
            Outcome::Number(-2.0),
            Outcome::Number(f64::NAN),
            Outcome::Number(f64::INFINITY),
            Outcome::Number(2f64.powi(53)),
            Outcome::Vector(vec![1.0]),
            Outcome::Structure("null".into()),
            Outcome::Failure("late".into()),
        ] {
            assert_eq!(spelled(whole.clone()), None, "{whole:?}");
        }
    }
}
