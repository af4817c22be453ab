use super::*;

/// Members' scores 0..n, others' a copy that is `lower` by this much.
fn shifted(n: u32, lower: f64) -> Sample {
    let scores: Vec<f64> = (0..n).map(f64::from).collect();
    let others: Vec<f64> = scores.iter().map(|score| score - lower).collect();
    Sample::new(&scores, &others)
}

#[test]
fn an_event_and_its_complement_share_out_all_scores() {
    let sample = shifted(100, 30.5);
    let event = |tail, likelier| Event { threshold: 50.0, tail, likelier }.counts(&sample);
    let above = event(Tail::Above, Group::Members);
    assert_eq!(above, EventCounts { hits: 49, n: 100, other_hits: 19, other_n: 100 });
    let at_most = event(Tail::AtMost, Group::NonMembers);
    assert_eq!(at_most, EventCounts { hits: 81, n: 100, other_hits: 51, other_n: 100 });
}

#[test]
fn ties_stay_together() {
    let sample = Sample::new(&[1.0, 1.0, 2.0, f64::INFINITY], &[-0.0, 0.0, 1.0, f64::NEG_INFINITY]);
    assert_eq!(sample.thresholds(), [f64::NEG_INFINITY, 0.0, 1.0, 2.0]);
    assert_eq!(sample.above(Group::Members, 1.0), 2);
    assert_eq!(sample.above(Group::NonMembers, 0.0), 1);
    assert_eq!(sample.above(Group::NonMembers, f64::NEG_INFINITY), 3);
}

#[test]
fn the_side_that_shows_more_is_found() {
    // A twentieth of the members has a score that no other has, either above or below all others.
    for sign in [1.0, -1.0] {
        let others: Vec<f64> = (0..1000).map(f64::from).map(|score| sign * score).collect();
        let mut members = others.clone();
        members.truncate(950);
        members.extend((0..50).map(|extra| sign * f64::from(2000 + extra)));
        for quantity in [Quantity::Epsilon { delta: 0.0 }, Quantity::Delta { epsilon: 1.0 }] {
            let chosen = choose(&Sample::new(&members, &others), quantity, 0.01);
            assert_eq!(chosen.event.likelier, Group::Members);
            let counts = chosen.event.counts(&Sample::new(&members, &others));
            assert_eq!((counts.hits, counts.other_hits), (50, 0), "{quantity:?} {chosen:?}");
            // Swapped, the same event is likelier among the others.
            let chosen = choose(&Sample::new(&others, &members), quantity, 0.01);
            assert_eq!(chosen.event.likelier, Group::NonMembers);
        }
    }
}

#[test]
fn one_score_alone_is_a_threshold_that_says_nothing() {
    let chosen = choose(&Sample::new(&[3.0; 60], &[3.0; 50]), Quantity::Mu, 0.01);
    assert_eq!((chosen.thresholds, chosen.event.threshold), (1, 3.0));
    assert!(chosen.promised < 0.0, "{chosen:?}");
}

#[test]
fn promises_are_between_nothing_and_all() {
    for n in [1, 7, 1000] {
        for hits in 0..=n {
            let (low, high) = (wilson(hits, n, -2.0), wilson(hits, n, 2.0));
            let rate = hits as f64 / n as f64;
            assert!(0.0 < low && low < high && high < 1.0, "{hits} of {n}");
            assert!(low <= rate + 1e-15 && rate - 1e-15 <= high, "{hits} of {n}");
        }
    }
}
