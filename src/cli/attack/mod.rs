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

pub(super) fn run(raw: &AttackArguments) -> Result<u8, Failure> {
    match &raw.attack {
        Attack::Average(raw) => average::run(raw),
        Attack::Infer(raw) => infer::run(raw),
        Attack::Link(raw) => link::run(raw),
        Attack::Membership(raw) => membership::run(raw),
        Attack::Reconstruct(raw) => reconstruct::run(raw),
        Attack::SingleOut(raw) => single::run(raw),
    }
}
