use super::*;

fn rows(text: &[u8], with_header: bool) -> Vec<String> {
    let blank = if with_header { BlankLines::with_header } else { BlankLines::new };
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(blank(text));
    let row = |row: Result<csv::ByteRecord, csv::Error>| {
        let row = row.unwrap();
        let cells: Vec<_> = row.iter().map(String::from_utf8_lossy).collect();
        cells.join("|")
    };
    reader.byte_records().map(row).collect()
}

#[test]
fn each_blank_line_of_one_column_is_a_row_and_the_end_of_the_file_is_none() {
    for (text, all) in [
        (&b"y\n\n1\n"[..], &["y", "", "1"][..]),
        (b"y\r\n\r\n1\r\n", &["y", "", "1"]),
        (b"y\r\r1\r", &["y", "", "1"]),
        (b"y\r\r\n1\r\r\n", &["y", "1"]),
        (b"y\n1\n\n\n", &["y", "1", "", ""]),
        (b"y\n1\n\n", &["y", "1", ""]),
        (b"y\n1", &["y", "1"]),
        (b"\n\ny\n", &["", "", "y"]),
        (b"\"a\n\nb\"\n\n\"c\"\"\n\n\"\n", &["a\n\nb", "", "c\"\n\n"]),
        (b"\xef\xbb\xbf\"a,b\"\n\n1\n", &["a,b", "", "1"]),
        (b"a\"b\n\nc\n", &["a\"b", "", "c"]),
        (b"y\n\"\"\n\n", &["y", "", ""]),
        (b"", &[]),
    ] {
        assert_eq!(rows(text, false), all, "{:?}", text.escape_ascii().to_string());
    }
}

#[test]
fn blank_lines_before_a_header_and_among_several_columns_are_not_rows() {
    assert_eq!(rows(b"\n\ny\n\n1\n", true), ["y", "", "1"]);
    assert_eq!(rows(b"x,y\n\n1,2\n\n\n", false), ["x|y", "1|2"]);
    assert_eq!(rows(b"\"x,y\",z\n\n1,2\n", false), ["x,y|z", "1|2"]);
}

#[test]
fn lines_keep_their_numbers() {
    for text in [
        &b"y\n\n\n1\n"[..],
        b"y\r\n\r\n\r\n1\r\n",
        b"y\r\r\r1\r",
        b"y\r\r\n\r\n\n1",
        b"y,z\r\n1,2\r\n3,4\r\n5,6\r\n",
    ] {
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).from_reader(BlankLines::new(text));
        let at = |row: csv::ByteRecord| row.position().unwrap().line();
        let lines: Vec<_> = reader.byte_records().map(|row| at(row.unwrap())).collect();
        assert_eq!(lines, [1, 2, 3, 4], "{:?}", text.escape_ascii().to_string());
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(BlankLines::new(&b"\"a\r\nb\"\r\n1\r\n"[..]));
    let rows: Vec<_> = reader.byte_records().map(Result::unwrap).collect();
    assert_eq!((&rows[0][0], rows[1].position().unwrap().line()), (&b"a\r\nb"[..], 3));
}
