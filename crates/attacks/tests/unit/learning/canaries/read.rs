use super::*;

fn columns() -> CanaryColumns {
    CanaryColumns { score: "score".into(), included: "in".into() }
}

/// Rows as score, side and line; or the line and the words of an error.
type Told = Result<Vec<(f64, bool, u64)>, (Option<u64>, String)>;

fn table(text: &str) -> Told {
    told(in_table(text.as_bytes(), &columns()))
}

fn lines(text: &str) -> Told {
    told(in_lines(text.as_bytes(), &columns()))
}

fn told(read: Result<Vec<Canary>, BadRow>) -> Told {
    read.map(|all| all.iter().map(|each| (each.score, each.included, each.line)).collect())
        .map_err(|BadRow { line, why }| (line, why))
}

#[test]
fn tables_and_json_lines_say_the_same() {
    let expected = vec![(1.5, true, 2), (-2.0, false, 3), (f64::INFINITY, true, 4)];
    assert_eq!(table("who,in,score\na,1,1.5\nb,False,-2\nc,true,inf\n"), Ok(expected.clone()));
    let text = "{\"in\": 1, \"score\": 1.5}\n{\"score\": -2, \"in\": false, \"who\": 3}\n{\"in\": \"TRUE\", \"score\": \"+infinity\"}\n\n";
    let moved: Vec<_> =
        expected.into_iter().map(|(score, included, line)| (score, included, line - 1)).collect();
    assert_eq!(lines(text), Ok(moved));
}

#[test]
fn mistakes_are_told_with_their_line() {
    let cases = [
        (
            table("a,b\n1,2\n"),
            1,
            "no column `score` (there are `a`, `b`): name it with --score-column",
        ),
        (table("score,b\n1,2\n"), 1, "--in-column"),
        (table("score,in\n1,1\nnan,0\n"), 3, "NaN"),
        (table("score,in\n1,2\n"), 2, "`2` does not state"),
        (table("score,in\n1,\n"), 2, "does not state"),
        (table("score,in\nx,1\n"), 2, "`x` is not a number"),
        (table("score,in\n1,1\n1,1,1\n"), 3, "3 entries"),
        (lines("{\"score\": 1, \"in\": 1}\n{\"score\": 1}\n"), 2, "no `in`"),
        (lines("1,2\n"), 1, "not a JSON object"),
        (lines("{\"score\": \"NaN\", \"in\": 1}\n"), 1, "NaN"),
        (lines("{\"score\": null, \"in\": 1}\n"), 1, "`null` is not a number"),
        (lines("{\"score\": 1, \"in\": 0.5}\n"), 1, "`0.5` does not state"),
        (lines("\n{\"score\": 1, \"in\": 0}\n"), 1, "empty"),
    ];
    for (found, line, words) in cases {
        let (place, why) = found.unwrap_err();
        assert_eq!(place, Some(line), "{why}");
        assert!(why.contains(words), "{why} {words}");
    }
}
