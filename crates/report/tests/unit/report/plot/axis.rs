use super::*;

fn labels(axis: &Axis) -> Vec<&str> {
    axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
}

#[test]
fn ticks_are_few_and_round() {
    assert_eq!(labels(&Axis::linear(-1.2, 4.3, "")), ["−1", "0", "1", "2", "3", "4"]);
    assert!(labels(&Axis::linear(-7.3e-287, 3.6e-287, "")).contains(&"0"));
    assert_eq!(labels(&Axis::linear(0.0, 1.0, "")), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
    assert_eq!(
        labels(&Axis::log(2e-5, 0.4, "")),
        ["≈ 0", "10⁻⁵", "10⁻⁴", "10⁻³", "0.01", "0.1", "1"]
    );
}

#[test]
fn every_axis_can_be_drawn() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e300, -1e308, 5e-324, 700.0];
    for low in odd {
        for high in odd {
            for axis in [Axis::linear(low, high, ""), Axis::of_shares([low, high], "")] {
                let (first, last) = axis.range;
                assert!(first < last && (last - first).is_finite(), "{low} {high}: {axis:?}");
                let ticks = axis.ticks.len();
                assert!((2..=9).contains(&ticks), "{low} {high}: {axis:?}");
                for value in odd {
                    assert!((first..=last).contains(&axis.at(value)));
                    assert!((60..=525).contains(&axis.map(&value, (525, 60))));
                }
            }
        }
    }
}

#[test]
fn tick_labels_are_told_apart_far_from_zero() {
    let axis = Axis::linear(1_000_000.0, 1_000_004.0, "");
    let mut labels = labels(&axis);
    let all = labels.len();
    labels.dedup();
    assert_eq!(labels.len(), all, "{axis:?}");
}
