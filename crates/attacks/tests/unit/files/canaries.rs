//! Rows of canaries, by the reader of all files of scores.

use super::{BadLine, Columns, Named, NumberKind, Wanted, lines, table};

fn columns() -> Wanted<'static> {
    let named = |name, option| Named { name, option };
    Wanted {
        numbers: vec![named("score", "--score-column")],
        label: Some(named("in", "--in-column")),
        kind: NumberKind::CANARIES,
    }
}

/// Rows as score, side and line; or the line and the words of an error.
type Told = Result<Vec<(f64, bool, u64)>, (Option<u64>, String)>;

fn of_table(text: &str) -> Told {
    told(table::read(text.as_bytes(), &columns()))
}

fn of_lines(text: &str) -> Told {
    told(lines::read_objects(text.as_bytes(), &columns()))
}

fn told(read: Result<Columns, BadLine>) -> Told {
    let rows = |Columns { numbers, labels, lines, .. }: Columns| {
        let rows = numbers[0].iter().zip(labels).zip(lines);
        rows.map(|((score, included), line)| (*score, included, line)).collect()
    };
    read.map(rows).map_err(|BadLine { line, why }| (line, why))
}

#[test]
fn tables_and_json_lines_say_the_same() {
    let expected = vec![(1.5, true, 2), (-2.0, false, 3), (f64::INFINITY, true, 4)];
    assert_eq!(of_table("who,in,score\na,1,1.5\nb,False,-2\nc,true,inf\n"), Ok(expected.clone()));
    let text = "{\"in\": 1, \"score\": 1.5}\n{\"score\": -2, \"in\": false, \"who\": 3}\n{\"in\": \"TRUE\", \"score\": \"+infinity\"}\n\n";
    let moved: Vec<_> =
        expected.into_iter().map(|(score, included, line)| (score, included, line - 1)).collect();
    assert_eq!(of_lines(text), Ok(moved));
}

#[test]
fn mistakes_are_told_with_their_line() {
    let cases = [
        (
            of_table("a,b\n1,2\n"),
            1,
            "no column `score` (there are `a`, `b`): name it with --score-column",
        ),
        (of_table("score,b\n1,2\n"), 1, "--in-column"),
        (of_table("score,in\n1,1\nnan,0\n"), 3, "NaN"),
        (of_table("score,in\n1,2\n"), 2, "`2` does not state"),
        (of_table("score,in\n1,\n"), 2, "does not state"),
        (of_table("score,in\nx,1\n"), 2, "`x` is not a number"),
        (of_table("score,in\n1,1\n1,1,1\n"), 3, "3 entries"),
        (of_lines("{\"score\": 1, \"in\": 1}\n{\"score\": 1}\n"), 2, "no `in`"),
        (of_lines("1,2\n"), 1, "not a JSON object"),
        (of_lines("{\"score\": \"NaN\", \"in\": 1}\n"), 1, "NaN"),
        (of_lines("{\"score\": null, \"in\": 1}\n"), 1, "`null` is not a number"),
        (of_lines("{\"score\": 1, \"in\": 0.5}\n"), 1, "`0.5` does not state"),
        (of_lines("\n{\"score\": 1, \"in\": 0}\n"), 1, "empty"),
    ];
    for (found, line, words) in cases {
        let (place, why) = found.unwrap_err();
        assert_eq!(place, Some(line), "{why}");
        assert!(why.contains(words), "{why} {words}");
    }
}
