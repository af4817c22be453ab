use super::*;

#[test]
fn curves_of_little_are_drawn() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e308, 5e-324];
    let of = |points| composition("nothing", &[ProfileCurve { name: "<a>".into(), points }]);
    let mut plots = vec![composition("nothing", &[]), of(Vec::new())];
    for x in odd {
        plots.extend(odd.map(|y| of(vec![(x, y, x)])));
        plots.push(of(odd.map(|y| (y, x, y)).to_vec()));
    }
    for plot in plots {
        let drawn = plot.svg.rsplit("</title>").next().unwrap_or_default();
        assert!(!drawn.contains("NaN") && !drawn.contains("inf") && !drawn.contains("<a>"));
    }
}
