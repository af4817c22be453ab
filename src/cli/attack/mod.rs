//! `plaudit attack`.

mod average;
mod bits;
mod infer;
pub(super) mod infer_arguments;
mod link;
pub(super) mod link_arguments;
mod membership;
pub(super) mod membership_arguments;
mod membership_words;
pub(super) mod names;
mod rates;
mod reconstruct;
mod release_arguments;
mod rows;
mod single;
pub(super) mod single_arguments;

use super::Failure;
use super::args::{Attack, AttackArguments};
use super::output::Answer;

pub(super) fn run(raw: &AttackArguments) -> Result<u8, Failure> {
    answer(&raw.attack)?.print(raw.attack.format())
}

/// Answers without printing.
pub(super) fn answer(attack: &Attack) -> Result<Answer, Failure> {
    match attack {
        Attack::Average(raw) => average::answer(raw),
        Attack::Infer(raw) => infer::answer(raw),
        Attack::Link(raw) => link::answer(raw),
        Attack::Membership(raw) => membership::answer(raw),
        Attack::Reconstruct(raw) => reconstruct::answer(raw),
        Attack::SingleOut(raw) => single::answer(raw),
    }
}
