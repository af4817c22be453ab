use super::*;
use crate::mechanism::{Keyed, Outcome};

#[test]
fn lists_under_keys() {
    let entry = |key: &str, x: f64| (key.to_owned(), Entry::Number(x));
    let letters = ("word".to_owned(), Entry::Other("\"ab\"".to_owned()));
    // Eleven entries: their keys are not in the order of their indices.
    let values = (0..11).map(|at| entry(&format!("v[{at}]"), f64::from(at)));
    let keyed = Keyed::new(values.chain([entry("z", 9.0), letters]));
    let outcome = Outcome::Keyed(keyed);
    let list = |source: Source| {
        let mut list = Vec::new();
        source.list(&outcome.as_ref(), &mut list).map(|()| list)
    };
    let all: Vec<f64> = (0..11).map(f64::from).collect();
    assert_eq!(list(Source::Under("v".into())), Some(all));
    assert_eq!(list(Source::Letters("word".into())), Some(vec![97.0, 98.0]));
    // The digits of a number show its lowest bits, which a witness of values must not see.
    let digits =
        Keyed::new([("word".to_owned(), Entry::Other("\"a0.30000000000000004\"".to_owned()))]);
    let read =
        Source::Letters("word".into()).list(&Outcome::Keyed(digits).as_ref(), &mut Vec::new());
    assert_eq!(read, None);
    assert_eq!(list(Source::Values).map(|list| list.len()), Some(12));
    assert_eq!(list(Source::Entries), None);
    assert_eq!(list(Source::Under("w".into())), None);
}
