use super::super::{Outcomes, View};
use super::*;
use proptest::prelude::*;

fn apart(outcome: &Outcome) -> Outcome {
    unfold(&outcome.as_ref()).expect("it can be taken apart")
}

fn map(entries: &[(&str, f64)], texts: &[(&str, &str)]) -> Outcome {
    let numbers = entries.iter().map(|(key, x)| ((*key).to_owned(), Entry::Number(*x)));
    let texts =
        texts.iter().map(|(key, json)| ((*key).to_owned(), Entry::Other((*json).to_owned())));
    Outcome::Keyed(Keyed::new(numbers.chain(texts)))
}

#[test]
fn lists_maps_and_texts_are_taken_apart() {
    let structure = |json: &str| Outcome::Structure(json.to_owned());
    let matrix = apart(&structure("[[1,2],[3,-4.5e-3]]"));
    assert_eq!(matrix, vec![1.0, 2.0, 3.0, -4.5e-3].into());
    assert_eq!(apart(&structure("[\"north\",1.5]")), map(&[("[1]", 1.5)], &[("[0]", "\"north\"")]));
    let nested = map(&[("k", 7.0)], &[("stat", "{\"n\":1.5}"), ("counts", "[2,3]")]);
    let leaves = [("k", 7.0), ("stat.n", 1.5), ("counts[0]", 2.0), ("counts[1]", 3.0)];
    assert_eq!(apart(&nested), map(&leaves, &[]));
    assert_eq!(apart(&"1.5".into()), 1.5.into());
    assert_eq!(
        apart(&"bin7: -1e3 of 2026-11-23".into()),
        map(
            &[
                ("text number 0", 7.0),
                ("text number 1", -1e3),
                ("text number 2", 2026.0),
                ("text number 3", 11.0),
                ("text number 4", 23.0)
            ],
            &[("text", "\"bin#: # of #-#-#\"")]
        )
    );
    assert_eq!(
        apart(&Outcome::Failure("-3.5 is negative".into())),
        map(&[("failure number 0", -3.5)], &[("failure", "\"# is negative\"")])
    );
    assert_eq!(apart(&structure("123456789012345678901")), 123_456_789_012_345_680_000.0.into());
    assert_eq!(apart(&structure("not json 5")).as_ref().to_owned(), {
        map(&[("text number 0", 5.0)], &[("text", "\"not json #\"")])
    });
    assert_eq!(
        apart(&structure("[[\"b\",1],[\"a\",2]]")),
        map(
            &[("b[1]", 1.0), ("a[1]", 2.0), ("[0][1]", 1.0), ("[1][1]", 2.0)],
            &[("[0][0]", "\"b\""), ("[1][0]", "\"a\"")]
        )
    );
    assert_eq!(
        apart(&structure("[{\"n\":1,\"of\":\"b\"}]")),
        map(&[("b.n", 1.0), ("[0].n", 1.0)], &[("[0].of", "\"b\"")])
    );
    assert_eq!(
        apart(&structure("[[\"b\",1],[\"b\",2]]")),
        map(&[("[0][1]", 1.0), ("[1][1]", 2.0)], &[("[0][0]", "\"b\""), ("[1][0]", "\"b\"")])
    );
    for whole in [
        Outcome::Text("north".into()),
        Outcome::Number(1.0),
        structure("null"),
        map(&[("a", 1.0)], &[("b", "\"north\""), ("c", "null")]),
        Outcome::Failure("late".into()),
    ] {
        assert!(unfold(&whole.as_ref()).is_none(), "{whole:?}");
    }
}

#[test]
fn what_is_large_or_deep_is_cut_off() {
    let list = |n: usize, entry: &str| format!("[{}]", vec![entry; n].join(","));
    let Outcome::Vector(values) = apart(&Outcome::Structure(list(5000, "[1,2]"))) else {
        panic!("numbers")
    };
    assert_eq!(values.len(), MOST_LEAVES);
    let Outcome::Keyed(leaves) = apart(&Outcome::Structure(list(5000, "\"a\""))) else {
        panic!("texts")
    };
    assert_eq!(leaves.len(), MOST_LEAVES);
    let key = "k".repeat(1000);
    let deep = format!("[{{\"{key}\":{{\"{key}\":[1]}}}}]");
    let Outcome::Keyed(leaves) = apart(&Outcome::Structure(deep)) else { panic!("a path") };
    assert!(leaves.bytes() < 4000);
    let path = format!("{{\"{}\":[\"a\"{}]}}", "k".repeat(190), ",0".repeat(255));
    let long = path.len();
    let Outcome::Keyed(leaves) = apart(&Outcome::Structure(path)) else { panic!("a path") };
    let names = leaves.entries().iter().map(|(path, _)| path.len()).sum::<usize>();
    assert!(names <= MOST_BYTES + 4 * long);
    // Parts next to a long list are seen, and a number after many words.
    let beside = map(&[], &[("hist", &list(300, "0")), ("out", "{\"n\":1.5}")]);
    let Outcome::Keyed(leaves) = apart(&beside) else { panic!("a map") };
    assert_eq!(leaves.get("out.n"), Some(&Entry::Number(1.5)));
    let Outcome::Keyed(leaves) = apart(&format!("{}7", "x ".repeat(500)).as_str().into()) else {
        panic!("a text")
    };
    assert_eq!(leaves.get("text number 0"), Some(&Entry::Number(7.0)));
    let two = map(&[("a.b", 1.0)], &[("a", "{\"b\":2}")]);
    let Outcome::Keyed(leaves) = apart(&two) else { panic!("a map") };
    assert_eq!(leaves.len(), 2);
}

proptest! {
    // A failed seed is printed, not written into a folder of src.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_it_and_all_of_a_batch_is_as_one_by_one(
        texts in prop::collection::vec("\\PC{0,12}|[-0-9.eE+#é]{0,12}|\\[[0-9\",{}:\\[\\]a]{0,9}\\]", 1..20),
    ) {
        let mut batch = Outcomes::new();
        for text in &texts {
            batch.push(Outcome::Text(text.clone()));
            batch.push(Outcome::Structure(text.clone()));
            batch.push(map(&[("x", 1.0)], &[("y", text)]));
        }
        let one_by_one = batch.iter().map(|outcome| {
            unfold(&outcome).unwrap_or_else(|| outcome.to_owned())
        });
        let one_by_one: Vec<String> = one_by_one.map(|outcome| format!("{outcome:?}")).collect();
        if let Some(all) = batch.seen(View::Apart) {
            let all: Vec<String> = all.iter().map(|o| format!("{:?}", o.to_owned())).collect();
            prop_assert_eq!(all, one_by_one);
        } else {
            let as_is: Vec<String> = batch.iter().map(|o| format!("{:?}", o.to_owned())).collect();
            prop_assert_eq!(as_is, one_by_one);
        }
    }
}
