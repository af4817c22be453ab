//! Counts that are released one after another, and keys that are released by their counts.

use super::drawn::{Drawn, DrawnFamily};
use super::family::OfFamily;
use super::parameter::{Finite, Positive};
use plaudit_accountant::number::words;
use plaudit_aligned::{Aligned, Draws, Noise, Real};
use plaudit_engine::mechanism::CatalogMechanism;
use serde::Deserialize;

/// `binary-tree` (Dwork, Naor, Pitassi, Rothblum 2010; Chan, Shi, Song 2011, "Private and Continual Release of
/// Statistics", Algorithm 2): all running sums of a list, each a sum of nodes of a binary tree with Laplace noise. A
/// number is in at most ⌊log₂ n⌋ + 1 nodes of n numbers, so with this many times 1/ε as the scale it is ε-DP if
/// the numbers move by at most 1 in sum. A scale of 1/ε is a known mistake.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "TreeParameters")]
pub(super) struct BinaryTree {
    noise: Scale,
}

#[derive(Clone, Copy)]
enum Scale {
    /// Of each node.
    Of(f64),
    /// 1/ε for each level.
    PerLevel(f64),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TreeParameters {
    epsilon: Option<Positive>,
    scale: Option<Positive>,
}

impl TryFrom<TreeParameters> for BinaryTree {
    type Error = String;
    fn try_from(TreeParameters { epsilon, scale }: TreeParameters) -> Result<Self, String> {
        let noise = match (epsilon, scale) {
            (Some(epsilon), None) => Scale::PerLevel(1.0 / epsilon.get()),
            (None, Some(scale)) => Scale::Of(scale.get()),
            _ => return Err("a tree takes `epsilon` (scale = levels/epsilon) or `scale`".into()),
        };
        Ok(Self { noise })
    }
}

/// Levels of a tree: a list has fewer than 2⁶⁴ numbers.
const LEVELS: usize = 64;

impl BinaryTree {
    /// Not generic, so that its code is built here, with the optimisation of this crate.
    #[inline(never)]
    pub(super) fn boxed(self) -> Box<dyn CatalogMechanism> {
        Box::new(OfFamily(Drawn(self)))
    }
}

impl Aligned for BinaryTree {
    #[inline]
    fn run<D: Draws>(&self, numbers: &[D::Real], draws: &mut D) {
        let scale = match self.noise {
            Scale::Of(scale) => scale,
            Scale::PerLevel(scale) => scale * f64::from(numbers.len().max(1).ilog2() + 1),
        };
        let zero = || D::Real::from(0.0);
        // The last node of each level: its sum, and the sum of the noisy nodes from the top to it.
        let mut exact: [D::Real; LEVELS] = std::array::from_fn(|_| zero());
        let mut noisy: [D::Real; LEVELS] = std::array::from_fn(|_| zero());
        for (at, number) in numbers.iter().enumerate() {
            let step = at + 1;
            let level = step.trailing_zeros() as usize;
            let node = exact[..level].iter().fold(number.clone(), |sum, node| sum + node.clone());
            let before = step & (step - 1);
            let above = match before {
                0 => zero(),
                _ => noisy[before.trailing_zeros() as usize].clone(),
            };
            noisy[level] = above + node.clone() + draws.laplace(scale);
            exact[level] = node;
            draws.release(noisy[level].clone());
        }
    }
}

impl DrawnFamily for BinaryTree {
    fn released_scale(&self) -> Option<f64> {
        let (Scale::Of(scale) | Scale::PerLevel(scale)) = self.noise;
        Some(scale)
    }

    fn describe(&self) -> String {
        let scale = match self.noise {
            Scale::Of(scale) => format!("scale {}", words(scale)),
            Scale::PerLevel(scale) => format!("scale {} for each of its levels", words(scale)),
        };
        format!(
            "releases all running sums, each a sum of nodes of a binary tree with Laplace noise of {scale}"
        )
    }
}

/// `partition-selection` (Korolova, Kenthapadi, Mishra, Ntoulas 2009; Wilson et al. 2020): which keys have a noisy count
/// of at least a threshold; keys with a count below 1 are never released. ε is that of the noise on one count, δ the
/// probability that a count of 1 is released. A threshold for a count of 0 is a known mistake.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartitionSelection {
    noise: CountNoise,
    scale: Positive,
    threshold: Finite,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CountNoise {
    Laplace,
    Gaussian,
}

impl PartitionSelection {
    /// As [`BinaryTree::boxed`].
    #[inline(never)]
    pub(super) fn boxed(self) -> Box<dyn CatalogMechanism> {
        Box::new(OfFamily(Drawn(self)))
    }
}

impl Aligned for PartitionSelection {
    #[inline]
    fn run<D: Draws>(&self, counts: &[D::Real], draws: &mut D) {
        let law = match self.noise {
            CountNoise::Laplace => Noise::Laplace,
            CountNoise::Gaussian => Noise::Gaussian,
        };
        for count in counts {
            let is_there = draws.at_least(count, &one());
            let told = is_there && {
                let noisy = count.clone() + draws.noise(law, self.scale.get());
                draws.at_least(&noisy, &self.threshold.get().into())
            };
            draws.tell(f64::from(u8::from(told)));
        }
    }
}

fn one<R: Real>() -> R {
    R::from(1.0)
}

impl DrawnFamily for PartitionSelection {
    fn describe(&self) -> String {
        let noise = match self.noise {
            CountNoise::Laplace => "Laplace",
            CountNoise::Gaussian => "Gaussian",
        };
        format!(
            "tells for each count whether it is at least 1 and, after {noise} noise of scale {}, at least {}",
            words(self.scale.get()),
            words(self.threshold.get())
        )
    }
}
