//! Plots of findings that are out of the ordinary: everything stays on the sheet.
#![cfg(feature = "html")]

use crate::support::report::markup::{attributes, tags, well_formed};
use crate::support::report::report;
use plaudit::claim::Claim;
use plaudit::finding::{BinSummary, Finding, LossPoint, ProfilePoint, TradeoffPoint, Verdict};
use plaudit::game::Tally;
use plaudit::report::plot::{self, Plot};
use plaudit::tally::Guess;

fn ordinary() -> Finding {
    report().audits.swap_remove(0)
}

/// The paths of a style: each as the points that it goes through. All commands are absolute.
fn paths(plot: &Plot, class: &str) -> Vec<Vec<(f64, f64)>> {
    let mut all = Vec::new();
    for tag in tags(&plot.svg).into_iter().filter(|tag| tag.starts_with("path ")) {
        let attributes: std::collections::BTreeMap<_, _> = attributes(tag).into_iter().collect();
        if attributes["class"] != class {
            continue;
        }
        for path in attributes["d"].split('M').skip(1) {
            let mut points: Vec<(f64, f64)> = Vec::new();
            let mut command = 'L';
            let mut pending: Option<f64> = None;
            let spaced: String = path
                .trim_end_matches('z')
                .chars()
                .flat_map(|c| if c.is_ascii_alphabetic() { vec![' ', c, ' '] } else { vec![c] })
                .collect();
            for word in spaced.split_whitespace() {
                match (word.parse::<f64>(), command) {
                    (Err(_), _) => command = word.chars().next().unwrap(),
                    (Ok(x), 'H') => points.push((x, points.last().unwrap().1)),
                    (Ok(y), 'V') => points.push((points.last().unwrap().0, y)),
                    (Ok(number), _) => match pending.take() {
                        Some(x) => points.push((x, number)),
                        None => pending = Some(number),
                    },
                }
            }
            assert!(pending.is_none(), "{path}");
            all.push(points);
        }
    }
    all
}

/// Every number in a plot, with the name of its attribute.
fn numbers(plot: &Plot) -> Vec<(String, f64)> {
    let all = || tags(&plot.svg).into_iter().flat_map(attributes);
    let places = all().filter(|(name, _)| ["x", "y"].contains(&name.as_str()));
    let mut numbers: Vec<(String, f64)> =
        places.map(|(name, value)| (name, value.parse().unwrap_or(f64::NAN))).collect();
    for (_, path) in all().filter(|(name, _)| name == "d") {
        let words = path.split(|c: char| "MLHVz ".contains(c)).filter(|word| !word.is_empty());
        numbers.extend(words.map(|word| ("d".to_owned(), word.parse().unwrap_or(f64::NAN))));
    }
    numbers
}

/// The height in the view box.
fn height(plot: &Plot) -> f64 {
    let view = plot.svg.split_once("viewBox=\"").unwrap().1.split('"').next().unwrap();
    view.split(' ').nth(3).unwrap().parse().unwrap()
}

#[track_caller]
fn on_the_sheet(finding: &Finding) {
    for plot in plot::all(finding) {
        let most = height(&plot).max(640.0);
        for (name, number) in numbers(&plot) {
            assert!((0.0..=most).contains(&number), "{:?}: {name} = {number}", plot.kind);
        }
        well_formed(&plot.svg).unwrap();
    }
}

fn bin(from: Option<f64>, to: Option<f64>, says: Guess) -> BinSummary {
    BinSummary { label: format!("{from:?} to {to:?}"), from, to, numeric: true, says }
}

fn with_bins(bins: Vec<BinSummary>, d: Vec<u64>, d_prime: Vec<u64>) -> Finding {
    let mut finding = ordinary();
    finding.witness.bins = bins;
    finding.tally = Tally { d, d_prime };
    finding
}

#[test]
fn ordinary_findings_are_drawn_where_something_was_counted() {
    for finding in &report().audits {
        on_the_sheet(finding);
        let drawn = plot::all(finding).len();
        assert_eq!(drawn > 0, finding.tally.trials() > 0 || finding.proof.is_some());
        assert!(finding.tally.trials() == 0 || drawn == 5, "{}: {drawn}", finding.name);
    }
}

#[test]
fn bins_without_ends_or_counts_are_drawn() {
    let says = Guess::D;
    let whole = bin(None, None, says);
    let half = |at: f64| vec![bin(None, Some(at), says), bin(Some(at), None, Guess::DPrime)];
    let atom = |at: f64| bin(Some(at), Some(at), says);
    let extreme = vec![
        bin(None, Some(-1e308), says),
        bin(Some(-1e308), Some(0.0), says),
        bin(Some(0.0), Some(5e-324), says),
        bin(Some(5e-324), Some(1e308), says),
        bin(Some(1e308), None, says),
    ];
    let mut outlier: Vec<_> =
        (0..40).map(|i| bin(Some(f64::from(i)), Some(f64::from(i + 1)), says)).collect();
    outlier.push(bin(Some(40.0), Some(1e300), says));
    let backwards = vec![bin(Some(2.0), Some(1.0), says), bin(Some(f64::NAN), Some(1.0), says)];
    let gap = vec![
        bin(Some(0.0), Some(1.0), says),
        bin(Some(5.0), Some(6.0), says),
        bin(Some(6.0), Some(7.0), Guess::Abstain),
    ];
    let cases = [
        vec![whole],
        half(0.0),
        half(1e300),
        vec![atom(3.5)],
        (0..500).map(|i| atom(f64::from(i))).collect(),
        extreme,
        outlier,
        backwards,
        gap,
    ];
    for bins in cases {
        let n = bins.len();
        let one = (0..n).map(|i| u64::from(i == n / 2)).collect::<Vec<_>>();
        for (d, d_prime) in [
            (vec![0; n], vec![0; n]),
            (vec![7; n], vec![0; n]),
            (one.clone(), one),
            (vec![u64::MAX / 1000; n], vec![1; n]),
            (vec![], vec![1, 2, 3]),
        ] {
            on_the_sheet(&with_bins(bins.clone(), d, d_prime));
        }
    }
}

#[test]
fn a_bin_far_out_does_not_squeeze_the_others() {
    let mut bins: Vec<_> =
        (0..40).map(|i| bin(Some(f64::from(i)), Some(f64::from(i + 1)), Guess::Abstain)).collect();
    bins.push(bin(Some(40.0), Some(1e300), Guess::D));
    let plot =
        plot::outcomes(&with_bins(bins, (1..42).collect(), (1..42).rev().collect())).unwrap();
    let longest = paths(&plot, "ld").into_iter().max_by_key(Vec::len).unwrap();
    let distinct: std::collections::BTreeSet<_> = longest.iter().map(|(x, _)| *x as i64).collect();
    assert!(longest.len() >= 80 && distinct.len() > 40, "{longest:?}");
    // The witness says D there: as much of it as the axis reaches is shaded.
    let shaded = paths(&plot, "rd").into_iter().skip(1).flatten();
    assert!(shaded.map(|(x, _)| x).fold(0.0, f64::max) > 520.0);
}

#[test]
fn claims_of_nothing_and_of_anything_are_drawn() {
    for (epsilon, delta) in [(0.0, 0.0), (700.0, 0.0), (1e4, 0.0), (0.0, 1.0), (1e-12, 1e-300)] {
        for mut finding in report().audits {
            let claim = Claim::approximate(epsilon, delta).unwrap();
            finding.claim.claim = claim.clone();
            (finding.claim.reference_epsilon, finding.claim.reference_delta) = (epsilon, delta);
            finding.profile.iter_mut().for_each(|p| p.delta_claim = claim.delta_at(p.epsilon));
            on_the_sheet(&finding);
        }
    }
    let mut finding = ordinary();
    finding.claim.claim = Claim::gaussian(0.0).unwrap();
    on_the_sheet(&finding);
    finding.claim.claim = Claim::gaussian(40.0).unwrap();
    on_the_sheet(&finding);
}

#[test]
fn numbers_that_are_none_are_left_out() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e308, 5e-324];
    for x in odd {
        for y in odd {
            let mut finding = ordinary();
            finding.epsilon_lower = x;
            finding.claim.reference_epsilon = y;
            let strange = LossPoint { loss: Some(x), share_d: y, share_d_prime: x };
            finding.loss.distribution.push(strange.clone());
            finding.profile.push(ProfilePoint {
                delta_band: None,
                epsilon: x,
                delta_lower: y,
                delta_estimate: x,
                delta_claim: y,
                delta_exact: None,
            });
            finding.tradeoff.push(TradeoffPoint { type_1: x, type_2: y, type_2_claim: x });
            on_the_sheet(&finding);
            finding.loss.distribution = vec![strange];
            finding.profile = finding.profile.split_off(finding.profile.len() - 1);
            finding.tradeoff = finding.tradeoff.split_off(finding.tradeoff.len() - 1);
            on_the_sheet(&finding);
        }
    }
}

#[test]
fn a_profile_of_zeros_is_drawn() {
    let mut finding = ordinary();
    for point in &mut finding.profile {
        (point.delta_lower, point.delta_estimate, point.delta_claim) = (0.0, 0.0, 0.0);
    }
    on_the_sheet(&finding);
    finding.profile.truncate(1);
    on_the_sheet(&finding);
}

#[test]
fn a_leak_that_is_rare_is_seen_on_the_loss_plot() {
    // An event of probability 1e-5 that is impossible under D': a linear axis would hide it.
    for epsilon in [0.0, 1.0] {
        rare_leak(epsilon);
    }
}

fn rare_leak(epsilon: f64) {
    let mut finding = ordinary();
    finding.claim.reference_epsilon = epsilon;
    finding.loss.distribution = vec![
        LossPoint { loss: Some(0.0), share_d: 0.99999, share_d_prime: 1.0 },
        LossPoint { loss: None, share_d: 1e-5, share_d_prime: 0.0 },
    ];
    let plot = plot::loss(&finding).unwrap();
    assert!(plot.svg.contains(">∞<") && !plot.svg.contains(">−∞<"));
    let high = |path: &Vec<(f64, f64)>| {
        let ys = || path.iter().map(|(_, y)| *y);
        ys().fold(0.0, f64::max) - ys().fold(f64::INFINITY, f64::min) > 20.0
    };
    // The legend's swatch is the first.
    let tall = paths(&plot, "bd").into_iter().skip(1).filter(high).count();
    assert_eq!(tall, 2, "the bulk and the leak");
}

#[test]
fn a_leak_is_larger_on_the_plot_than_the_claim_allows() {
    // The filled gap of the profile is there if and only if the claim is broken.
    for finding in &report().audits {
        let broken = finding.profile.iter().any(|p| p.delta_lower > p.delta_claim);
        let Some(plot) = plot::profile(finding) else { continue };
        assert_eq!(!paths(&plot, "vband").is_empty(), broken);
        // So is the mark; what is certified looks the same in all.
        let refutes = broken || finding.broken_point.is_some();
        assert!(!paths(&plot, "certified").is_empty() && plot.svg.contains(">certified lower<"));
        assert_eq!(plot.svg.contains(">violation<"), refutes, "{}", finding.name);
        assert_eq!(!paths(&plot, "mark").is_empty(), refutes);
    }
}

fn named(label: &str, says: Guess) -> BinSummary {
    BinSummary { label: label.into(), from: None, to: None, numeric: false, says }
}

#[test]
fn the_witness_is_always_shown_and_comes_first() {
    // Its one bin is the rarest of many: words, numbers on an axis, and a number far from the axis.
    let mut words: Vec<_> = (0..60).map(|i| named(&format!("word {i}"), Guess::Abstain)).collect();
    words.push(named("the rare one", Guess::DPrime));
    let mut line: Vec<_> =
        (0..60).map(|i| bin(Some(f64::from(i)), Some(f64::from(i + 1)), Guess::Abstain)).collect();
    line[30].says = Guess::DPrime;
    let mut far = line.clone();
    far[30].says = Guess::Abstain;
    far.push(BinSummary { label: "far out".into(), ..bin(Some(1e9), Some(1e9), Guess::DPrime) });
    for mut bins in [words, line, far] {
        bins.resize(61, named("nothing", Guess::Abstain));
        let rare = bins.iter().position(|bin| bin.says == Guess::DPrime).unwrap();
        let label = bins[rare].label.clone();
        let (mut d, mut d_prime) = (vec![1_000; 61], vec![1_000; 61]);
        (d[rare], d_prime[rare]) = (0, 3);
        let plot = plot::outcomes(&with_bins(bins.clone(), d, d_prime)).unwrap();
        // The legend's swatch, and the region itself.
        assert!(paths(&plot, "re").len() >= 2 && plot.svg.contains("witness says D′"), "{label}");
        if bins[rare].numeric && bins[rare].from != bins[rare].to {
            let widths = paths(&plot, "re").into_iter().map(|path| path[1].0 - path[0].0);
            assert!(widths.fold(f64::INFINITY, f64::min) >= 14.0, "wide enough to be seen");
        } else {
            let places = plot.svg.match_indices("<text ").map(|(at, _)| at);
            let rows: Vec<_> = places
                .map(|at| plot.svg[at..].split(['>', '<']).nth(2).unwrap())
                .filter(|text| text.starts_with("word ") || text.contains(&label))
                .collect();
            assert_eq!(rows.first(), Some(&label.as_str()), "{rows:?}");
        }
    }
}

#[test]
fn values_among_intervals_are_steps_of_the_share_up_to_each_place() {
    let abstain = Guess::Abstain;
    let at = |i: i32| f64::from(i) + 0.5;
    let mut bins: Vec<_> = (0..20).map(|i| bin(Some(at(i)), Some(at(i + 1)), abstain)).collect();
    // Half of all is at 10.5, in an interval that holds nothing else.
    let end = 10.5_f64.next_up();
    bins[10].from = Some(end);
    bins.insert(10, bin(Some(10.5), Some(end), Guess::D));
    let mut counts = vec![50; 21];
    counts[10] = 1_000;
    let plot = plot::outcomes(&with_bins(bins, counts.clone(), counts)).unwrap();
    assert!(plot.svg.contains(">share up to here<") && !plot.svg.contains("density"));
    let line = paths(&plot, "ld").into_iter().max_by_key(Vec::len).unwrap();
    let upright = line.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let jump = upright.map(|pair| pair[0].1 - pair[1].1).fold(0.0, f64::max);
    let whole = line[0].1 - line.last().unwrap().1;
    assert!((jump / whole - 0.5).abs() < 0.01, "{jump} of {whole}");
}

#[test]
fn an_estimate_has_a_band_and_ends_where_the_counts_end() {
    // Two bins a little apart, and one outcome that only chance put where it is.
    let mut finding = with_bins(
        vec![
            bin(None, Some(0.0), Guess::D),
            bin(Some(0.0), Some(9.0), Guess::DPrime),
            bin(Some(9.0), None, Guess::Abstain),
        ],
        vec![6_000, 4_000, 1],
        vec![4_000, 6_000, 0],
    );
    finding.profile = (0..=40)
        .map(|i| ProfilePoint {
            delta_band: Some(plaudit::loss::delta_band(&finding.tally, f64::from(i) / 10.0)),
            epsilon: f64::from(i) / 10.0,
            delta_lower: 0.0,
            delta_estimate: 1e-4,
            delta_claim: 0.5,
            delta_exact: None,
        })
        .collect();
    (finding.broken_point, finding.proof) = (None, None);
    let plot = plot::profile(&finding).unwrap();
    let rightmost = |class: &str| {
        let drawn = paths(&plot, class).into_iter().skip(1).flatten();
        drawn.map(|(x, _)| x).fold(0.0, f64::max)
    };
    assert!(!paths(&plot, "eband").is_empty() && plot.svg.contains(">estimated<"));
    let (estimate, claim) = (rightmost("estimated"), rightmost("claim"));
    // The estimate is more than noise up to about ε = ln 1.5 of 4.
    assert!(estimate > 0.0 && estimate < 0.3 * claim, "{estimate} of {claim}");
}

#[test]
fn a_violation_that_a_plot_cannot_show_is_said() {
    let mut finding = report().audits.into_iter().find(|f| f.verdict == Verdict::Violated).unwrap();
    for point in &mut finding.profile {
        point.delta_lower = 0.0;
    }
    finding.broken_point = None;
    let plot = plot::profile(&finding).unwrap();
    assert!(plot.svg.contains("cannot show the violation"), "{}", plot.svg);
}

#[test]
fn a_finding_without_counts_has_no_empty_plots() {
    let mut finding = ordinary();
    finding.tally = Tally { d: vec![], d_prime: vec![] };
    finding.loss.distribution.clear();
    finding.proof = None;
    assert!(plot::all(&finding).is_empty());
}

#[test]
fn titles_tell_the_finding() {
    for finding in &report().audits {
        for plot in plot::all(finding) {
            let title = plot.svg.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
            assert!(title.starts_with(&format!("{} ({}): ", finding.name, finding.verdict.word())));
            assert!(
                title.ends_with(&plot.says.replace('<', "&lt;"))
                    && plot.says.contains(char::is_numeric),
                "{title}"
            );
            assert!(!plot.says.contains(plot.kind.heading()));
            // No claim is called broken that is not refuted.
            let broken = plot.says.contains("the claim breaks");
            assert!(!broken || finding.verdict == Verdict::Violated, "{title}");
        }
    }
}

/// Relative luminance and contrast as in WCAG 2.1.
fn contrast(one: &str, other: &str) -> f64 {
    let luminance = |color: &str| {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4)
    };
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn colours_stand_out_in_light_and_dark_and_lines_differ_in_more_than_colour() {
    let (light, dark) = plot::STYLE.split_once("@media").unwrap();
    for (sheet, paper) in [(light, "ffffff"), (dark, "1a2026")] {
        let mut seen = 0;
        for rule in sheet.split('}') {
            let Some((classes, body)) = rule.rsplit_once('{') else { continue };
            for (at, _) in body.match_indices('#') {
                let color = &body[at + 1..at + 7];
                let exempt = classes.contains(".grid") || classes.contains(".paper");
                assert!(exempt || contrast(color, paper) >= 3.0, "{classes}: #{color}");
                seen += 1;
            }
        }
        assert!(seen > 10, "{seen}");
        assert!(sheet.contains(paper));
    }
    // The widths and dashes of lines that are drawn in one plot.
    let look = |class: &str| {
        let rules = light.split('}').filter(|rule| {
            let selectors = rule.rsplit_once('{').map_or("", |(before, _)| before);
            selectors.split(',').any(|s| s.trim() == format!(".plot .{class}"))
        });
        let bodies = rules.map(|rule| rule.rsplit_once('{').unwrap().1).collect::<String>();
        let of = |what: &str| {
            bodies.split(';').map(str::trim).find(|d| d.starts_with(what)).map(str::to_owned)
        };
        (of("stroke-width"), of("stroke-dasharray"))
    };
    let lines =
        ["claim", "certified", "estimated", "proved", "exact", "upper", "chance", "violation"];
    for (i, one) in lines.iter().enumerate() {
        for other in &lines[..i] {
            assert_ne!(look(one), look(other), "{one} and {other}");
        }
    }
    assert_ne!(look("ld"), look("le"));
}

#[test]
fn plots_are_small() {
    let report = report();
    let sizes: Vec<usize> =
        report.audits.iter().flat_map(plot::all).map(|plot| plot.svg.len()).collect();
    let mean = sizes.iter().sum::<usize>() / sizes.len();
    assert!(mean < 3_000 && *sizes.iter().max().unwrap() < 8_000, "{mean} of {sizes:?}");
}
