//! Mechanisms that were proved and refuted elsewhere, written once.

use plaudit_aligned::{Aligned, Draws, Noise};

pub mod published;

/// Sparse vectors (Lyu, Su, Li 2017; Wang, Ding, Wang, Kifer, Zhang 2020): one loop, with what differs as fields.
#[derive(Clone, Copy)]
pub struct SparseVector {
    pub threshold: f64,
    pub threshold_scale: f64,
    pub query_scale: Option<f64>,
    pub stop_after: usize,
    pub renewed: bool,
    pub releases: Above,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Above {
    Bit,
    /// The noisy answer that was compared.
    Compared,
    /// How far it is above the noisy threshold.
    Gap,
    /// The answer with fresh noise of this scale.
    Fresh(f64),
}

impl Aligned for SparseVector {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        let mut left = self.stop_after;
        let mut threshold = D::Real::from(self.threshold) + draws.laplace(self.threshold_scale);
        for answer in answers {
            let noisy = match self.query_scale {
                Some(scale) => answer.clone() + draws.laplace(scale),
                None => answer.clone(),
            };
            if !draws.at_least(&noisy, &threshold) {
                draws.tell(0.0);
                continue;
            }
            match self.releases {
                Above::Bit => draws.tell(1.0),
                Above::Compared => draws.release(noisy),
                Above::Gap => draws.release(noisy - threshold.clone()),
                Above::Fresh(scale) => {
                    let noise = draws.laplace(scale);
                    draws.release(answer.clone() + noise);
                }
            }
            left -= 1;
            if left == 0 {
                break;
            }
            if self.renewed {
                threshold = D::Real::from(self.threshold) + draws.laplace(self.threshold_scale);
            }
        }
    }
}

/// Report noisy max as a loop, or by one comparison of all.
pub struct NoisyMax {
    pub noise: Noise,
    pub scale: f64,
    pub by_loop: bool,
    pub gap: bool,
    pub releases: bool,
}

impl Aligned for NoisyMax {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        let noisy: Vec<D::Real> = answers
            .iter()
            .map(|answer| answer.clone() + draws.noise(self.noise, self.scale))
            .collect();
        let mut best = 0;
        if self.by_loop {
            for at in 1..noisy.len() {
                if !draws.at_least(&noisy[best], &noisy[at]) {
                    best = at;
                }
            }
        } else {
            best = draws.largest(noisy.len(), |_, at| noisy[at].clone()).0;
        }
        draws.tell(best as f64);
        if self.releases {
            draws.release(noisy[best].clone());
        }
        if self.gap {
            let others: Vec<D::Real> = noisy
                .iter()
                .enumerate()
                .filter(|(at, _)| *at != best)
                .map(|(_, x)| x.clone())
                .collect();
            let (_, second) = draws.largest(others.len(), |_, at| others[at].clone());
            draws.release(noisy[best].clone() - second);
        }
    }
}

/// The sums of all prefixes, each with noise of its own (`PartialSum`), or by blocks (`SmartSum`: Chan, Shi, Song 2011).
pub struct Sums {
    pub scale: f64,
    /// Length of a block; `None`: the whole sum, released once.
    pub block: Option<usize>,
    pub noise_forgotten: bool,
}

impl Aligned for Sums {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        let zero = D::Real::from(0.0);
        let Some(block) = self.block else {
            let sum = answers.iter().fold(zero, |sum, answer| sum + answer.clone());
            match self.noise_forgotten {
                true => draws.release(sum),
                false => {
                    let noise = draws.laplace(self.scale);
                    draws.release(sum + noise);
                }
            }
            return;
        };
        let (mut next, mut sum, mut blocks) = (zero.clone(), zero.clone(), zero.clone());
        for (at, answer) in answers.iter().enumerate() {
            sum = sum + answer.clone();
            if (at + 1) % block == 0 {
                blocks = match self.noise_forgotten {
                    true => blocks + sum.clone(),
                    false => blocks + sum.clone() + draws.laplace(self.scale),
                };
                next = blocks.clone();
                sum = zero.clone();
                draws.release(next.clone());
            } else {
                next = next + answer.clone() + draws.laplace(self.scale);
                draws.release(next.clone());
            }
        }
    }
}

/// Adaptive sparse vector with gaps (Ding, Wang, Xiao, Zhang, Kifer 2019): a cheap comparison first, then a dear one.
pub struct AdaptiveSparseVector {
    pub epsilon: f64,
    pub threshold: f64,
    pub apart: f64,
    pub stop_after: usize,
    pub broken: bool,
}

impl Aligned for AdaptiveSparseVector {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        let (e0, c) = (self.epsilon / 2.0, self.stop_after as f64);
        let (e1, e2) = (e0 / (2.0 * c), e0 / c);
        let mut spent = e0;
        let threshold = D::Real::from(self.threshold) + draws.laplace(1.0 / e0);
        for answer in answers {
            if spent > self.epsilon - if self.broken { 0.0 } else { e2 } + 1e-9 {
                break;
            }
            let far = answer.clone() + draws.laplace(2.0 / e1);
            let gap = far - threshold.clone();
            if draws.at_least(&gap, &D::Real::from(self.apart)) {
                draws.release(gap);
                spent += e1;
                continue;
            }
            let near = answer.clone() + draws.laplace(2.0 / e2);
            let gap = near - threshold.clone();
            if draws.at_least(&gap, &D::Real::from(0.0)) {
                draws.release(gap);
                spent += e2;
            } else {
                draws.tell(0.0);
            }
        }
    }
}
