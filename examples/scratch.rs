use plaudit::audit::Audit;
use plaudit::claim::Claim;
use plaudit::dataset::Pair;
use plaudit::game::Control;
use plaudit::mechanism::*;
use plaudit::report::*;
use rand::Rng;
use rand_distr::{Distribution, Exp1, StandardNormal};
struct Lap(f64);
fn lap(r: &mut Stream) -> f64 {
    let e: f64 = Exp1.sample(r);
    if r.next_u32() & 1 == 0 { e } else { -e }
}
impl Mechanism<Vec<f64>> for Lap {
    fn run(&self, d: &Vec<f64>, r: &mut Stream) -> Outcome {
        Outcome::Number(d[0] + self.0 * lap(r))
    }
    fn fill(&self, d: &Vec<f64>, runs: usize, r: &mut Stream, o: &mut Outcomes) {
        let a = d[0];
        o.extend_numbers(runs, || a + self.0 * lap(r))
    }
    fn runs_are_independent(&self) -> bool {
        true
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let what = args[1].as_str();
    let trials: u64 = args[2].parse::<f64>().unwrap() as u64;
    let seeds: u64 = args[3].parse().unwrap();
    let alpha = 0.05;
    let mut total = 0.0;
    let mut sq = 0.0;
    for seed in 0..seeds {
        let one = |a: f64| vec![a];
        let (m, d, dp, claim): (Box<dyn Mechanism<Vec<f64>> + Send>, _, _, _) = match what {
            "laplace" => (Box::new(Lap(1.0)), one(0.0), one(1.0), Claim::pure(1.0)),
            "laplace.1" => (Box::new(Lap(10.0)), one(0.0), one(1.0), Claim::pure(0.1)),
            "gauss-5" | "gauss-2" => (
                Box::new(FromFn(|d: &Vec<f64>, r: &mut Stream| {
                    let z: f64 = StandardNormal.sample(r);
                    d[0] + z
                })),
                one(0.0),
                one(1.0),
                if what == "gauss-5" {
                    Claim::approximate(4.377, 1e-5)
                } else {
                    Claim::approximate(2.3178, 0.01)
                },
            ),
            "gdp" => (
                Box::new(FromFn(|d: &Vec<f64>, r: &mut Stream| {
                    let z: f64 = StandardNormal.sample(r);
                    d[0] + z
                })),
                one(0.0),
                one(1.0),
                Claim::gaussian(1.0),
            ),
            "rr" => (
                Box::new(FromFn(|d: &Vec<f64>, r: &mut Stream| {
                    let t = r.next_u32() & 3 != 0;
                    t == (d[0] == 1.0)
                })),
                one(0.0),
                one(1.0),
                Claim::pure(1.0986),
            ),
            "rnm" => (
                Box::new(FromFn(|d: &Vec<f64>, r: &mut Stream| {
                    let mut b = (f64::MIN, 0);
                    for (i, x) in d.iter().enumerate() {
                        let y = x + 2.0 * lap(r);
                        if y > b.0 {
                            b = (y, i)
                        }
                    }
                    b.1
                })),
                vec![1.0; 5],
                vec![2.0, 0., 0., 0., 0.],
                Claim::pure(1.0),
            ),
            "svt" => (
                Box::new(FromFn(|d: &Vec<f64>, r: &mut Stream| {
                    let t = 1.0 + 2.0 * lap(r);
                    let mut v = vec![];
                    for x in d {
                        if x + 4.0 * lap(r) >= t {
                            v.push(1.0);
                            break;
                        }
                        v.push(0.0)
                    }
                    v
                })),
                vec![0.0; 10],
                {
                    let mut v = vec![1.0; 10];
                    v[9] = 1.0;
                    v
                },
                Claim::pure(1.0),
            ),
            "svt3" => (
                Box::new(FromFn(|d: &Vec<f64>, r: &mut Stream| {
                    let t = 1.0 + 20.0 * lap(r);
                    let mut v = vec![];
                    for x in d {
                        let y = x + 20.0 * lap(r);
                        if y >= t {
                            v.push(y);
                            break;
                        }
                        v.push(f64::NAN)
                    }
                    v
                })),
                vec![1.0; 10],
                vec![2.0; 10],
                Claim::pure(0.1),
            ),
            "svt6" => (
                Box::new(FromFn(|d: &Vec<f64>, r: &mut Stream| {
                    let t = 1.0 + 20.0 * lap(r);
                    let mut v = vec![];
                    for x in d {
                        let y = x + 20.0 * lap(r);
                        v.push(if y >= t { 1.0 } else { 0.0 })
                    }
                    v
                })),
                vec![1.0; 10],
                vec![2., 2., 2., 2., 2., 0., 0., 0., 0., 0.],
                Claim::pure(0.1),
            ),
            "panic" => (
                Box::new(FromFn(|d: &Vec<f64>, r: &mut Stream| {
                    if d[0] == 1.0 && r.next_u32() % 1000 == 0 {
                        panic!("boo")
                    }
                    lap(r)
                })),
                one(0.0),
                one(1.0),
                Claim::pure(1.0),
            ),
            _ => panic!(),
        };
        let a = Audit {
            name: what.into(),
            mechanism: m,
            summary: MechanismSummary {
                kind: "c".into(),
                parameters: serde_json::Value::Null,
                description: String::new(),
            },
            relation: "x".into(),
            pairs: vec![Pair { name: "p".into(), d, d_prime: dp }],
            claim: claim.unwrap(),
            trials,
            alpha,
            seed,
            expect: Expectation::NotViolated,
        };
        let f = a.run(Control::unattended()).unwrap().finding;
        let v = f.mu_lower.unwrap_or(f.epsilon_lower);
        total += v;
        sq += v * v;
        if seed < 3 || std::env::var("ALL").is_ok() {
            println!(
                "{v:.4} {:?} {} | {} | {:.1}ms",
                f.test,
                f.verdict.word(),
                f.witness.description,
                f.wall_s * 1e3
            );
        }
    }
    let n = seeds as f64;
    let mean = total / n;
    println!(
        "{what} {trials}: mean {mean:.5} sd {:.5} se {:.5}",
        (sq / n - mean * mean).sqrt(),
        ((sq / n - mean * mean) / n).sqrt()
    );
}
