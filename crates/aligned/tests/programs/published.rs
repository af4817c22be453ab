//! Programs of two evaluations, written from their pseudo-code: CheckDP (Wang, Ding, Wang, Kifer, Zhang 2020) and
//! DiPApprox (Bhusal, Chadha, Sistla, Viswanathan 2025), with what differs between them as fields.

use plaudit_aligned::{Aligned, Draws, Noise};

/// Adaptive sparse vector: a first comparison with much noise and a margin, a second with less noise and none.
pub struct Adaptive {
    pub epsilon: f64,
    pub threshold: f64,
    pub margin: f64,
    pub stop_after: usize,
    /// Releases the noisy answer in place of the gap, where the first comparison succeeds.
    pub leaks: bool,
}

impl Aligned for Adaptive {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        let n = self.stop_after as f64;
        let threshold = D::Real::from(self.threshold) + draws.laplace(2.0 / self.epsilon);
        // Counted in ε/(4n).
        let mut spent = 2 * self.stop_after;
        for answer in answers {
            let far = answer.clone() + draws.laplace(8.0 * n / self.epsilon);
            let gap = far.clone() - threshold.clone();
            if draws.at_least(&gap, &D::Real::from(self.margin)) {
                draws.release(if self.leaks { far } else { gap });
                spent += 1;
            } else {
                let near = answer.clone() + draws.laplace(4.0 * n / self.epsilon);
                let gap = near - threshold.clone();
                if draws.at_least(&gap, &D::Real::from(0.0)) {
                    draws.release(gap);
                    spent += 2;
                } else {
                    draws.tell(0.0);
                }
            }
            if spent > 4 * self.stop_after - 2 {
                break;
            }
        }
    }
}

/// The largest noisy number itself.
pub struct MaxValue {
    pub scale: f64,
}

impl Aligned for MaxValue {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        let noisy: Vec<D::Real> =
            answers.iter().map(|answer| answer.clone() + draws.laplace(self.scale)).collect();
        let mut best = noisy[0].clone();
        for number in &noisy[1..] {
            if !draws.at_least(&best, number) {
                best = number.clone();
            }
        }
        draws.release(best);
    }
}

/// The first answer on one side of a threshold. Either may go without noise.
#[derive(Clone, Copy)]
pub struct First {
    pub threshold: Option<(Noise, f64)>,
    pub query: Option<(Noise, f64)>,
    /// Looks for the first at least the threshold; else for the first at most.
    pub above: bool,
    /// Stops there; else it answers all.
    pub stops: bool,
}

impl Aligned for First {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        let zero = D::Real::from(0.0);
        let threshold = match self.threshold {
            Some((noise, scale)) => draws.noise(noise, scale),
            None => zero,
        };
        for answer in answers {
            let noisy = match self.query {
                Some((noise, scale)) => answer.clone() + draws.noise(noise, scale),
                None => answer.clone(),
            };
            let is = match self.above {
                true => draws.at_least(&noisy, &threshold),
                false => draws.at_least(&threshold, &noisy),
            };
            draws.tell(if is { 1.0 } else { 0.0 });
            if is && self.stops {
                break;
            }
        }
    }
}

/// The place of the largest or least noisy number.
pub struct Extreme {
    pub noise: Noise,
    pub scale: f64,
    pub least: bool,
}

impl Aligned for Extreme {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        let noisy: Vec<D::Real> = answers
            .iter()
            .map(|answer| answer.clone() + draws.noise(self.noise, self.scale))
            .collect();
        let mut best = 0;
        for at in 1..noisy.len() {
            let stays = match self.least {
                true => draws.at_least(&noisy[at], &noisy[best]),
                false => draws.at_least(&noisy[best], &noisy[at]),
            };
            if !stays {
                best = at;
            }
        }
        draws.tell(best as f64);
    }
}

/// For each answer after the first two: is it between the least and the largest of these? It stops at the first that
/// is outside.
pub struct MinMax {
    pub noise: Noise,
    pub scale: f64,
}

impl Aligned for MinMax {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        let noisy =
            |draws: &mut D, at: usize| answers[at].clone() + draws.noise(self.noise, self.scale);
        let first = noisy(draws, 0);
        let second = noisy(draws, 1);
        let rises = draws.at_least(&second, &first);
        let (least, most) = if rises { (first, second) } else { (second, first) };
        within(draws, 2..answers.len(), (&least, &most), noisy);
    }
}

/// For the answer, asked `times` times: is it between two noisy thresholds? It stops at the first that is outside.
pub struct Range {
    pub noise: Noise,
    pub threshold_scale: f64,
    pub scale: f64,
}

impl Aligned for Range {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        let most = D::Real::from(1.0) + draws.noise(self.noise, self.threshold_scale);
        let least = draws.noise(self.noise, self.threshold_scale);
        // As published, each time the first answer is asked for.
        within(draws, 0..answers.len(), (&least, &most), |draws, _| {
            answers[0].clone() + draws.noise(self.noise, self.scale)
        });
    }
}

fn within<D: Draws>(
    draws: &mut D,
    places: std::ops::Range<usize>,
    (least, most): (&D::Real, &D::Real),
    noisy: impl Fn(&mut D, usize) -> D::Real,
) {
    for at in places {
        let number = noisy(draws, at);
        let inside = draws.at_least(&number, least) && draws.at_least(most, &number);
        draws.tell(if inside { 1.0 } else { 0.0 });
        if !inside {
            break;
        }
    }
}
