use super::*;

/// Columns that tests want, by names; a label stands after `|`.
fn wanted(names: &'static str, kind: NumberKind) -> Wanted<'static> {
    let (numbers, label) = match names.split_once('|') {
        Some((numbers, label)) => (numbers, Some(Named { name: label, option: "--label" })),
        None => (names, None),
    };
    let numbers = numbers.split(',').filter(|name| !name.is_empty());
    let numbers = numbers.map(|name| Named { name, option: "--column" }).collect();
    Wanted { numbers, label, kind }
}

fn scores(read: Result<Columns, BadLine>) -> Result<Vec<f64>, (Option<u64>, String)> {
    read.map(|columns| columns.numbers.into_iter().next().unwrap_or_default())
        .map_err(|BadLine { line, why }| (line, why))
}

fn lines(text: &[u8]) -> Result<Vec<f64>, (Option<u64>, String)> {
    scores(lines::read(text, NumberKind::SCORES))
}

fn column(text: &[u8], name: &'static str) -> Result<Vec<f64>, (Option<u64>, String)> {
    scores(table::read(text, &wanted(name, NumberKind::SCORES)))
}

#[test]
fn numbers_are_read_as_text_and_as_json() {
    let all = Ok(vec![1.0, -2.5, 1e-3, f64::INFINITY, f64::NEG_INFINITY]);
    assert_eq!(lines(b"1\n -2.5 \r\n1e-3\n\"+infinity\"\n-inf\n\n\n"), all);
    assert_eq!(column(b"1\n-2.5\n1e-3\n\"+infinity\"\n-inf", ""), all);
    assert_eq!(column(b"score\n1\n-2.5\n1e-3\n+infinity\n-inf\n", ""), all);
    assert_eq!(column(b"who,loss\na,1\nb,2\n", "loss"), Ok(vec![1.0, 2.0]));
    assert_eq!(lines(b""), Ok(vec![]));
    assert_eq!(column(b"loss\n", "loss"), Ok(vec![]));
}

#[test]
fn a_point_without_digits_and_a_zero_with_a_sign_are_numbers() {
    // OCaml prints `4.`; R prints 15 digits.
    let read = lines(b"4.\n-0\n-0.0\n.5\n0.333333333333333\n").unwrap();
    assert_eq!(read, [4.0, 0.0, 0.0, 0.5, 0.333_333_333_333_333]);
    assert!(read.iter().all(|x| x.is_sign_positive()));
    let read = column(b"a\n4.\n-0\n", "a").unwrap();
    assert!(read == [4.0, 0.0] && read[1].is_sign_positive());
    // Draws keep their order and their NaN.
    let draws = lines::read(&b"nan\n-0\n"[..], NumberKind::DRAWS).unwrap();
    assert!(draws.numbers[0][0].is_nan());
}

#[test]
fn mistakes_have_their_line_and_a_remedy() {
    let cases: [(Result<Vec<f64>, _>, u64, &str); 17] = [
        // Writers leave a missing score empty.
        (column(b"a\n1\n\n2\n", "a"), 3, "not a number"),
        (column(b"\n1\n2\n", ""), 1, "not a number"),
        (column(b"a\n1\n\n", ""), 3, "not a number"),
        (lines(b"1\nNaN\n"), 2, "NaN"),
        (lines(b"1\n2\n\n3\n"), 3, "empty"),
        (lines(b"1\n2;3\n"), 2, "`2;3` is not a number"),
        (lines(b"1\n\xff\xfe\n"), 2, "UTF-8"),
        (lines(&[b'7'; 5000]), 1, "not a number"),
        (column(b"a,b\n1,2\n", ""), 1, "(`a`, `b`): choose one with --column"),
        (column(b"a,b\n1,2\n", "c"), 1, "no column `c`"),
        (column(b"a,b\n1,2\n3\n", "b"), 3, "1 entries"),
        (column(b"a\n1\nx\n", "a"), 3, "`x` is not a number"),
        // Separators of thousands, and decimal commas.
        (lines(b"1\n1_234\n"), 2, "`1_234` is a number with a separator of thousands"),
        (lines(b"1\n1,234\n"), 2, "write digits and a decimal point, such as 1234.5"),
        (column(b"a\n1\n\"1,234\"\n", "a"), 3, "`1,234` is a number with a separator of thousands"),
        (column(b"a,b\n1,1_234\n", "b"), 2, "`1_234` is a number with a separator of thousands"),
        (column(b"\"1,234\"\n2\n", ""), 1, "`1,234` is a number with a separator of thousands"),
    ];
    for (found, line, words) in cases {
        let (at, why) = found.unwrap_err();
        assert_eq!(at, Some(line), "{why}");
        assert!(why.contains(words), "{words}: {why}");
    }
}

fn labeled(read: Result<Columns, BadLine>) -> (Vec<Vec<f64>>, Vec<bool>) {
    read.map(|columns| (columns.numbers, columns.labels)).unwrap()
}

#[test]
fn labels_and_several_columns_are_read_row_by_row() {
    let expected = (vec![vec![1.0, -2.0, 3.0], vec![4.0, 5.0, 6.0]], vec![true, false, true]);
    let wanted = wanted("loss,margin|who", NumberKind::SCORES);
    for words in [["1", "0", "1"], ["true", "False", "TRUE"], ["member", "non-member", "Member"]] {
        let [a, b, c] = words;
        let text = format!("margin,who,loss\n4,{a},1\n5,{b},-2\n6,{c},3\n");
        assert_eq!(labeled(table::read(text.as_bytes(), &wanted)), expected);
        let text = format!(
            "{{\"loss\":1,\"margin\":4,\"who\":\"{a}\"}}\n{{\"loss\":-2,\"margin\":5,\"who\":\"{b}\"}}\n\
             {{\"who\":\"{c}\",\"loss\":3,\"margin\":6}}\n"
        );
        assert_eq!(labeled(lines::read_objects(text.as_bytes(), &wanted)), expected);
    }
}

#[test]
fn labels_that_are_not_are_refused_with_their_line() {
    let wanted = wanted("loss|who", NumberKind::SCORES);
    for word in ["2", "", "0.5", "in"] {
        let text = format!("loss,who\n1,1\n2,{word}\n");
        let BadLine { line, why } = table::read(text.as_bytes(), &wanted).unwrap_err();
        assert_eq!(line, Some(3));
        assert!(why.contains("does not state whether this is a member: write 1, true"), "{why}");
    }
    let error = table::read(&b"loss,a\n1,1\n"[..], &wanted).unwrap_err();
    assert!(error.why.contains("no column `who` (there are `loss`, `a`): name it with --label"));
    // The only column that is left holds the scores.
    let only = Wanted { numbers: Vec::new(), ..wanted };
    let found = labeled(table::read(&b"who,loss\n1,7\n"[..], &only));
    assert_eq!(found, (vec![vec![7.0]], vec![true]));
}

/// An array of `numpy.save`, by the format that `numpy.lib.format` describes.
pub(crate) fn npy(descr: &str, fortran: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let header =
        format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    [&b"\x93NUMPY\x01\x00"[..], &length, header.as_bytes(), bytes].concat()
}

fn array(bytes: &[u8]) -> Result<Vec<f64>, (Option<u64>, String)> {
    scores(array::read(bytes, &wanted("", NumberKind::SCORES)))
}

#[test]
fn arrays_of_all_numbers_are_read() {
    let numbers = [1.5_f64, -2.0, 3.0];
    let doubles: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    let singles: Vec<u8> = numbers.iter().flat_map(|x| (*x as f32).to_be_bytes()).collect();
    assert_eq!(array(&npy("<f8", "False", "(3,)", &doubles)), Ok(numbers.to_vec()));
    assert_eq!(array(&npy("<f8", "True", "(3, 1)", &doubles)), Ok(numbers.to_vec()));
    assert_eq!(array(&npy(">f4", "False", "(3,)", &singles)), Ok(numbers.to_vec()));
    assert_eq!(array(&npy("|i1", "False", "(3,)", &[1, 255, 0])), Ok(vec![1.0, -1.0, 0.0]));
    assert_eq!(array(&npy("|b1", "False", "(2,)", &[1, 0])), Ok(vec![1.0, 0.0]));
    let long: Vec<i64> = (0..20_000).collect();
    let bytes: Vec<u8> = long.iter().flat_map(|x| x.to_le_bytes()).collect();
    let read = array(&npy("<i8", "False", "(20000,)", &bytes)).unwrap();
    assert_eq!(read, (0..20_000).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn arrays_that_are_not_scores_are_refused() {
    let nan: Vec<u8> = [1.0, f64::NAN].iter().flat_map(|x: &f64| x.to_le_bytes()).collect();
    let cases: [(Vec<u8>, Option<u64>, &str); 6] = [
        (npy("<f8", "False", "(2,)", &nan), Some(2), "NaN"),
        (npy("<f8", "False", "(1, 2)", &nan), None, "shape (1, 2): save numpy.asarray(scores"),
        (npy("<f8", "False", "(3,)", &nan), None, "breaks off: 8 more bytes"),
        (npy("<f8", "False", "(1,)", &nan), None, "bytes follow the array"),
        (npy("|O", "False", "(1,)", &nan), None, "save numpy.asarray(scores"),
        (b"1\n2\n".to_vec(), None, "numpy.save starts with"),
    ];
    for (bytes, line, words) in cases {
        let (at, why) = array(&bytes).unwrap_err();
        assert_eq!(at, line, "{why}");
        assert!(why.contains(words), "{words}: {why}");
    }
    let named = array::read(&nan[..], &wanted("loss", NumberKind::SCORES)).unwrap_err();
    assert!(named.why.contains("no named columns"), "{}", named.why);
}
