//! Arrays of `numpy.save`: our reader against that of the crate `npyz`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use npyz::{DType, NpyFile, NpyHeader, Order, TypeChar};
use plaudit::mechanism::wire::npy::{Header, NumberType, read_array};
use plaudit::mechanism::{Outcome, Outcomes};

const MOST_RUNS: usize = 1 << 16;

fuzz_target!(|data: &[u8]| {
    let mut rest = data;
    let mut outcomes = Outcomes::new();
    if let Ok(runs) = read_array(&mut rest, MOST_RUNS, &mut outcomes) {
        assert_eq!(runs, outcomes.len());
        let array = &data[..data.len() - rest.len()];
        let ours: Vec<Outcome> = outcomes.iter().map(|outcome| outcome.to_owned()).collect();
        into_other_batches(array, &ours);
        let header = Header::read(&mut &*array).expect("it was read");
        // On purpose: spaces, form feeds, `(3)`, `(03,)`, `(3L,)` and `<b1` are read where they stand for one thing only, of
        // which npyz refuses some. So npyz reads what we have read, in the words of numpy.
        if let Ok(theirs) = NpyHeader::from_reader(array) {
            let shape = dimensions(&header);
            let is_scalar = theirs.shape().is_empty() && shape == [1];
            assert!(is_scalar || theirs.shape() == shape, "{:?} and {shape:?}", theirs.shape());
            assert_eq!(theirs.order(), order(&header));
        }
        let plain = plain(&header, &array[header.length as usize..]);
        let theirs = theirs(&plain, &header).unwrap_or_else(|why| panic!("npyz refuses it: {why}"));
        assert!(same(&ours, &theirs), "ours: {ours:?}\ntheirs: {theirs:?}");
    }
    as_numpy_writes_it(data);
});

/// What is read is the same whatever was in the batch before.
fn into_other_batches(array: &[u8], expected: &[Outcome]) {
    let first: [Outcome; 4] = [0.5.into(), 7_i64.into(), vec![0.5].into(), "text".into()];
    for first in first {
        let mut outcomes = Outcomes::new();
        outcomes.push(first);
        read_array(&mut &*array, MOST_RUNS, &mut outcomes).expect("it was read before");
        let read: Vec<Outcome> = outcomes.iter().skip(1).map(|it| it.to_owned()).collect();
        assert!(same(&read, expected), "{read:?} and {expected:?}");
    }
}

fn dimensions(header: &Header) -> Vec<u64> {
    let runs = std::iter::once(header.runs);
    runs.chain(header.width.map(|width| width as u64)).collect()
}

fn order(header: &Header) -> Order {
    if header.fortran_order { Order::Fortran } else { Order::C }
}

/// The array as numpy writes it.
fn plain(header: &Header, numbers: &[u8]) -> Vec<u8> {
    let kind = match header.kind {
        NumberType::Float(_) => 'f',
        NumberType::Signed(_) => 'i',
        NumberType::Unsigned(_) => 'u',
        NumberType::Bool => 'b',
    };
    let order = match (header.kind.bytes(), header.big_endian) {
        (1, _) => '|',
        (_, true) => '>',
        (_, false) => '<',
    };
    let shape: String = dimensions(header).iter().map(|n| format!("{n},")).collect();
    let fortran = if header.fortran_order { "True" } else { "False" };
    let bytes = header.kind.bytes();
    let text = format!(
        "{{'descr': '{order}{kind}{bytes}', 'fortran_order': {fortran}, 'shape': ({shape}), }}\n"
    );
    let mut array = b"\x93NUMPY\x01\x00".to_vec();
    array.extend((text.len() as u16).to_le_bytes());
    array.extend(text.as_bytes());
    array.extend(numbers);
    array
}

/// What numpy would have written of an array that npyz reads must be read by us, too: the header that npyz found, in
/// numpy's own words, before numbers from the input.
fn as_numpy_writes_it(data: &[u8]) {
    // npyz takes time without end for many brackets within one another. numpy writes one within another.
    if data.iter().filter(|byte| b"([{".contains(byte)).count() > 4 {
        return;
    }
    let mut rest = data;
    let Ok(theirs) = NpyHeader::from_reader(&mut rest) else { return };
    let DType::Plain(kind) = theirs.dtype() else { return };
    let size = match (kind.type_char(), kind.num_bytes()) {
        (TypeChar::Float, Some(size @ (4 | 8))) => size,
        (TypeChar::Int, Some(size @ (1 | 2 | 4 | 8))) => size,
        // On purpose: integers of 64 bits without a sign fit no outcome.
        (TypeChar::Uint, Some(size @ (1 | 2 | 4))) => size,
        (TypeChar::Bool, Some(1)) => 1,
        _ => return,
    };
    let shape = theirs.shape();
    // On purpose: an outcome is a number or a vector, there is a limit on their number, and a header is only worth reading
    // here if the input has its numbers.
    let Some(numbers) = shape.iter().try_fold(1_u64, |n, by| n.checked_mul(*by)) else { return };
    if shape.len() > 2
        || shape.first().is_some_and(|runs| *runs > MOST_RUNS as u64)
        || shape.get(1).is_some_and(|width| *width > MOST_RUNS as u64)
        || numbers > (rest.len() / size) as u64
    {
        return;
    }
    let dimensions: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let order = if theirs.order() == Order::Fortran { "True" } else { "False" };
    let header = format!(
        "{{'descr': '{kind}', 'fortran_order': {order}, 'shape': ({}), }}\n",
        if shape.len() == 1 { dimensions.trim_end() } else { dimensions.trim_end_matches(", ") },
    );
    let mut array = b"\x93NUMPY\x01\x00".to_vec();
    array.extend((header.len() as u16).to_le_bytes());
    array.extend(header.as_bytes());
    array.extend(&rest[..numbers as usize * size]);
    let mut outcomes = Outcomes::new();
    let read = read_array(&mut &array[..], MOST_RUNS, &mut outcomes);
    assert_eq!(read, Ok(shape.first().map_or(1, |runs| *runs as usize)), "{header}");
}

/// The outcomes of an array that we have read, as npyz reads it.
fn theirs(array: &[u8], header: &Header) -> Result<Vec<Outcome>, String> {
    let file = NpyFile::new(array).map_err(|error| error.to_string())?;
    let fortran = file.order() == Order::Fortran;
    let shape = file.shape().to_vec();
    let (runs, width) = match shape[..] {
        [] => (1, None),
        [runs] => (runs as usize, None),
        [runs, width] => (runs as usize, Some(width as usize)),
        _ => return Err(format!("{} dimensions", shape.len())),
    };
    if (header.runs, header.width, header.fortran_order) != (runs as u64, width, fortran) {
        return Err(format!("shape {shape:?}"));
    }
    macro_rules! integers {
        ($kind:ty) => {{
            let read: Vec<$kind> = file.into_vec().map_err(|error| error.to_string())?;
            placed(runs, width, fortran, |at| Cell::Integer(i64::from(read[at])))
        }};
    }
    Ok(match header.kind {
        NumberType::Float(8) => {
            let read: Vec<f64> = file.into_vec().map_err(|error| error.to_string())?;
            placed(runs, width, fortran, |at| Cell::Number(read[at]))
        }
        NumberType::Float(_) => {
            let read: Vec<f32> = file.into_vec().map_err(|error| error.to_string())?;
            placed(runs, width, fortran, |at| Cell::Number(read[at].into()))
        }
        NumberType::Signed(8) => integers!(i64),
        NumberType::Signed(4) => integers!(i32),
        NumberType::Signed(2) => integers!(i16),
        NumberType::Signed(_) => integers!(i8),
        NumberType::Unsigned(4) => integers!(u32),
        NumberType::Unsigned(2) => integers!(u16),
        NumberType::Unsigned(_) => integers!(u8),
        NumberType::Bool => {
            let at = array.len() - runs * width.unwrap_or(1);
            // On purpose: any byte but 0 is true, as it is for numpy. npyz refuses those but 0 and 1.
            placed(runs, width, fortran, |place| Cell::Integer((array[at + place] != 0).into()))
        }
    })
}

enum Cell {
    Number(f64),
    Integer(i64),
}

/// Numbers as outcomes, from where each of them stands.
fn placed(
    runs: usize,
    width: Option<usize>,
    fortran: bool,
    cell: impl Fn(usize) -> Cell,
) -> Vec<Outcome> {
    let vector = |run: usize, width: usize| {
        let place = |at| if fortran { at * runs + run } else { run * width + at };
        let cells: Vec<Cell> = (0..width).map(|at| cell(place(at))).collect();
        let is_large = |cell: &Cell| matches!(cell, Cell::Integer(i) if i.unsigned_abs() > 1 << 53);
        if cells.iter().any(is_large) {
            let words = |cell: &Cell| match cell {
                Cell::Integer(i) => i.to_string(),
                Cell::Number(x) => x.to_string(),
            };
            let words: Vec<String> = cells.iter().map(words).collect();
            return Outcome::Structure(format!("[{}]", words.join(",")));
        }
        let number = |cell: &Cell| match cell {
            Cell::Integer(i) => *i as f64,
            Cell::Number(x) => *x,
        };
        Outcome::Vector(cells.iter().map(number).collect())
    };
    let scalar = |run| match cell(run) {
        Cell::Number(x) => Outcome::Number(x),
        Cell::Integer(i) => Outcome::Integer(i),
    };
    (0..runs).map(|run| width.map_or_else(|| scalar(run), |width| vector(run, width))).collect()
}

/// Equal bit by bit, but for the bits of a NaN.
fn same(ours: &[Outcome], theirs: &[Outcome]) -> bool {
    let number = |x: f64, y: f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    let outcome = |(ours, theirs): (&Outcome, &Outcome)| match (ours, theirs) {
        (Outcome::Number(x), Outcome::Number(y)) => number(*x, *y),
        (Outcome::Vector(x), Outcome::Vector(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| number(*x, *y))
        }
        (ours, theirs) => ours == theirs,
    };
    ours.len() == theirs.len() && ours.iter().zip(theirs).all(outcome)
}
