//! Arrays of numpy.save: every type comes back bit for bit, and no bytes do harm.
//!
//! Exact but for the inputs that proptest draws; a failure is a mistake in the code.

use plaudit::mechanism::wire::{WireError, npy::read_array};
use plaudit::mechanism::{Outcome, Outcomes};
use proptest::prelude::*;

/// An array as numpy.save writes it, of a version of its format.
fn save(version: u8, descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
    save_header(version, &header, data)
}

fn save_header(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    let sized = if version == 1 { 2 } else { 4 };
    let padding = 63 - (bytes.len() + sized + header.len()) % 64;
    let length = (header.len() + padding + 1) as u32;
    bytes.extend(&length.to_le_bytes()[..sized]);
    bytes.extend(header.as_bytes());
    bytes.extend(std::iter::repeat_n(b' ', padding));
    bytes.push(b'\n');
    assert!(bytes.len().is_multiple_of(64));
    bytes.extend(data);
    bytes
}

fn read(bytes: &[u8]) -> Result<Outcomes, WireError> {
    let mut outcomes = Outcomes::new();
    let runs = read_array(&mut &*bytes, 1_000_000, &mut outcomes)?;
    assert_eq!(runs, outcomes.len());
    Ok(outcomes)
}

fn all(outcomes: &Outcomes) -> Vec<Outcome> {
    outcomes.iter().map(|outcome| outcome.to_owned()).collect()
}

#[test]
fn every_type_is_read() {
    let doubles = [0.5, -0.0, f64::MAX, 5e-324, f64::INFINITY];
    let little: Vec<u8> = doubles.iter().flat_map(|x| x.to_le_bytes()).collect();
    let big: Vec<u8> = doubles.iter().flat_map(|x| x.to_be_bytes()).collect();
    for version in 1..=3 {
        for (descr, data) in [("<f8", &little), (">f8", &big)] {
            let outcomes = read(&save(version, descr, "False", "(5,)", data)).expect("an array");
            let bits = |x: &f64| x.to_bits();
            let numbers = outcomes.as_numbers().expect("numbers");
            assert!(numbers.iter().map(bits).eq(doubles.iter().map(bits)));
        }
    }
    let singles: Vec<u8> = [1.5f32, -0.1].iter().flat_map(|x| x.to_le_bytes()).collect();
    let outcomes = read(&save(1, "<f4", "False", "(2,)", &singles)).expect("an array");
    assert_eq!(outcomes.as_numbers(), Some(&[1.5, f64::from(-0.1f32)][..]));
    let singles: Vec<u8> = [1.5f32, -0.1].iter().flat_map(|x| x.to_be_bytes()).collect();
    let outcomes = read(&save(1, ">f4", "False", "(2,)", &singles)).expect("an array");
    assert_eq!(outcomes.as_numbers(), Some(&[1.5, f64::from(-0.1f32)][..]));
    let extremes = [i64::MIN, -1, i64::MAX];
    let little: Vec<u8> = extremes.iter().flat_map(|x| x.to_le_bytes()).collect();
    let big: Vec<u8> = extremes.iter().flat_map(|x| x.to_be_bytes()).collect();
    for (descr, shape, data, integers) in [
        ("<i8", "(3,)", &little[..], &extremes[..]),
        (">i8", "(3,)", &big, &extremes),
        ("<i4", "(2L,)", &[255, 255, 255, 255, 1, 2, 0, 0], &[-1, 513]),
        (">i4", "(2,)", &[255, 255, 255, 255, 0, 0, 2, 1], &[-1, 513]),
        ("<i2", "(1,)", &[254, 255], &[-2]),
        ("|i1", "(1,)", &[128], &[-128]),
        ("|u1", "(2,)", &[128, 255], &[128, 255]),
        ("<u2", "(1,)", &[0, 128], &[0x8000]),
        (">u4", "(1,)", &[255, 255, 255, 254], &[0xffff_fffe]),
        ("|b1", "(2,)", &[0, 1], &[0, 1]),
    ] {
        let outcomes = read(&save(1, descr, "False", shape, data)).expect(descr);
        assert_eq!(outcomes.as_integers(), Some(integers), "{descr}");
    }
    let outcomes = read(&save(1, "<f8", "False", "()", &2.5f64.to_le_bytes())).expect("a scalar");
    assert_eq!(outcomes.as_numbers(), Some(&[2.5][..]));
    assert!(read(&save(1, "<f8", "False", "(0,)", &[])).expect("nothing").is_empty());
}

#[test]
fn rows_are_vectors_in_either_order() {
    let vectors = vec![Outcome::Vector(vec![1.0, 2.0, 3.0]), Outcome::Vector(vec![4.0, 5.0, 6.0])];
    let doubles =
        |order: [u8; 6]| order.iter().flat_map(|x| f64::from(*x).to_le_bytes()).collect::<Vec<_>>();
    let (rows, columns) = ([1, 2, 3, 4, 5, 6], [1, 4, 2, 5, 3, 6]);
    let integers =
        |order: [u8; 6]| order.iter().flat_map(|x| i64::from(*x).to_le_bytes()).collect::<Vec<_>>();
    for (descr, fortran, data) in [
        ("<f8", "False", doubles(rows)),
        ("<f8", "True", doubles(columns)),
        ("|u1", "False", rows.to_vec()),
        ("|u1", "True", columns.to_vec()),
        ("<i8", "False", integers(rows)),
        ("<i8", "True", integers(columns)),
    ] {
        let bytes = save(1, descr, fortran, "(2, 3)", &data);
        assert_eq!(all(&read(&bytes).expect(descr)), vectors, "{descr} {fortran}");
        // And after an outcome of another kind.
        let mut outcomes = Outcomes::new();
        outcomes.push_integer(1);
        assert_eq!(read_array(&mut &*bytes, 2, &mut outcomes), Ok(2));
        assert_eq!(all(&outcomes)[1..], vectors);
    }
    let one = save(1, "<f8", "True", "(6, 1)", &doubles(rows));
    assert_eq!(read(&one).expect("columns of one").len(), 6);
    let empty = read(&save(1, "<f8", "False", "(3, 0)", &[])).expect("empty vectors");
    assert_eq!(all(&empty), vec![Outcome::Vector(vec![]); 3]);
    let large: Vec<u8> = [1, (1i64 << 53) + 1, 2, 3].iter().flat_map(|x| x.to_le_bytes()).collect();
    let outcomes = all(&read(&save(1, "<i8", "False", "(2, 2)", &large)).expect("integers"));
    let structure = Outcome::Structure("[1,9007199254740993]".into());
    assert_eq!(outcomes, [structure, Outcome::Vector(vec![2.0, 3.0])]);
}

#[test]
fn arrays_follow_one_another() {
    let one = save(1, "<f8", "False", "(1,)", &1.0f64.to_le_bytes());
    let two = save(2, "<i8", "False", "(1,)", &2i64.to_le_bytes());
    let stream = [one.clone(), two, one].concat();
    let mut reader = &stream[..];
    let mut outcomes = Outcomes::new();
    for _ in 0..3 {
        assert_eq!(read_array(&mut reader, 1, &mut outcomes), Ok(1));
    }
    let expected = [Outcome::Number(1.0), Outcome::Integer(2), Outcome::Number(1.0)];
    assert_eq!(all(&outcomes), expected);
    assert_eq!(read_array(&mut reader, 1, &mut outcomes), Err(WireError::Truncated { missing: 8 }));
    // A batch that was emptied takes the type of what comes next.
    outcomes.clear();
    read_array(&mut &stream[..], 1, &mut outcomes).expect("numbers");
    assert_eq!(outcomes.as_numbers(), Some(&[1.0][..]));
}

#[test]
fn mistakes_are_named() {
    let data = [0; 16];
    let huge = "(18446744073709551615, 18446744073709551615)";
    let long = format!("{{'descr': '<f8', 'x': '{}'}}", "x".repeat(70_000));
    for (bytes, why) in [
        (
            b"hello, world".to_vec(),
            "an array of numpy.save starts with \\x93NUMPY, not with hello, w",
        ),
        (save(4, "<f8", "False", "(2,)", &data), "version 4.0 of numpy's format is not known"),
        (b"\x93NUMPY\x01\x01\x00\x00".to_vec(), "version 1.1 of numpy's format is not known"),
        (save(1, "|O", "False", "(2,)", &data), "Python objects (pickled), which are not read"),
        (save(1, "<U5", "False", "(2,)", &data), "its entries are strings"),
        (save(1, "<c16", "False", "(1,)", &data), "its type <c16 is not read"),
        (save(1, "<f2", "False", "(2,)", &data), "its type <f2 is not read"),
        (save(1, "|f8", "False", "(2,)", &data), "has no order of bytes"),
        (save(1, "", "False", "(2,)", &data), "is not read"),
        (save(1, "<f8", "False", "(1, 1, 2)", &data), "it has 3 dimensions"),
        (save(1, "<f8", "Maybe", "(2,)", &data), "lacks `True` or `False`"),
        (save(1, "<f8", "False", "(-2,)", &data), "shape is not of whole numbers"),
        (
            save(1, "<f8", "False", "(1000001,)", &data),
            "holds 1000001 outcomes, and at most 1000000 are allowed",
        ),
        (save(1, "<f8", "False", huge, &data), "outcomes, and at most 1000000 are allowed"),
        (save(1, "<f8", "False", "(1000, 1000000)", &data), "takes 8000000000 bytes"),
        (
            save(1, "<f8", "True", "(3, 18446744073709551615)", &data),
            "takes 18446744073709551615 bytes",
        ),
        (
            save_header(1, "{'descr': [('a', '<f8')], 'shape': (2,)}", &data),
            "its entries are records",
        ),
        (
            save_header(1, "{'descr': '<f8', 'shape': (2,)}", &data),
            "lacks `descr`, `fortran_order`",
        ),
        (save_header(1, "[1]", &data), "its header lacks `{`"),
        (save_header(2, &long, &data), "and at most 65536 are allowed"),
    ] {
        let error = read(&bytes).expect_err(why).to_string();
        assert!(error.contains(why), "{why}: {error}");
    }
}

#[test]
fn what_breaks_off_says_how_much_is_missing() {
    let data = [0; 24];
    for (descr, fortran, shape, bytes) in [
        ("<f8", "False", "(3,)", 24),
        ("<i8", "False", "(3,)", 24),
        ("<f4", "False", "(6,)", 24),
        ("<f8", "False", "(1, 3)", 24),
        ("<f4", "True", "(2, 3)", 24),
    ] {
        let whole = save(1, descr, fortran, shape, &data);
        assert!(read(&whole).is_ok());
        for cut in 1..=bytes {
            let error = read(&whole[..whole.len() - cut]).expect_err("it breaks off");
            assert_eq!(error, WireError::Truncated { missing: cut as u64 }, "{descr} {shape}");
        }
    }
    let whole = save(1, "<f8", "False", "(3,)", &data);
    for length in 0..whole.len() - 24 {
        let error = read(&whole[..length]).expect_err("it breaks off");
        assert!(matches!(error, WireError::Truncated { .. }), "{length}: {error}");
    }
    // What came before the end is there, and whole.
    let mut outcomes = Outcomes::new();
    let broken = save(1, "<f8", "False", "(3, 2)", &[0; 40]);
    assert!(read_array(&mut &*broken, 3, &mut outcomes).is_err());
    assert_eq!(all(&outcomes), vec![Outcome::Vector(vec![0.0, 0.0]); 2]);
    outcomes.push_vector(&[1.0]);
    assert_eq!(outcomes.get(2).to_owned(), Outcome::Vector(vec![1.0]));
}

/// A reader that gives a few bytes at a time, as pipes do.
struct Trickle<'a>(&'a [u8], usize);

impl std::io::Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let part = buffer.len().min(self.1).min(self.0.len());
        buffer[..part].copy_from_slice(&self.0[..part]);
        self.0 = &self.0[part..];
        Ok(part)
    }
}

proptest! {
    #[test]
    fn doubles_survive_bit_for_bit(bits in prop::collection::vec(any::<u64>(), 0..40), step in 1usize..17) {
        let data: Vec<u8> = bits.iter().flat_map(|x| x.to_le_bytes()).collect();
        let array = save(1, "<f8", "False", &format!("({},)", bits.len()), &data);
        let mut outcomes = Outcomes::new();
        prop_assert_eq!(read_array(&mut Trickle(&array, step), 40, &mut outcomes), Ok(bits.len()));
        let back: Vec<u64> = outcomes.as_numbers().expect("numbers").iter().map(|x| x.to_bits()).collect();
        prop_assert_eq!(back, bits);
    }

    #[test]
    fn no_altered_array_does_harm(
        descr in prop::sample::select(vec!["<f8", ">i8", "|b1", "<f4"]),
        shape in prop::sample::select(vec!["(3,)", "(3, 2)", "()", "(0, 5)"]),
        fortran in prop::sample::select(vec!["True", "False"]),
        data in prop::collection::vec(any::<u8>(), 0..60),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        digits in prop::collection::vec((any::<prop::sample::Index>(), b'0'..=b'9'), 0..4),
    ) {
        let mut bytes = save(1, descr, fortran, shape, &data);
        for (at, byte) in changes.into_iter().chain(digits) {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let mut outcomes = Outcomes::new();
        if let Ok(runs) = read_array(&mut &*bytes, 1000, &mut outcomes) {
            prop_assert_eq!(runs, outcomes.len());
        }
        prop_assert!(outcomes.bytes() <= 16 * bytes.len() + 8000);
    }

    #[test]
    fn no_header_does_harm(header in "[{}()\\[\\]'\",:0-9a-zA-Z<>| _]{0,80}", tail in any::<[u8; 16]>()) {
        let _ = read(&save_header(1, &header, &tail));
        let _ = read(&[&b"\x93NUMPY"[..], &tail].concat());
    }
}
