//! Header of an array.

use crate::mechanism::wire::WireError;
use plaudit_core::visible::excerpt;
use std::io::{ErrorKind, Read};

/// The type of an array's numbers, with its bytes where there are several sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberType {
    /// A floating-point number of 4 or 8 bytes.
    Float(u8),
    /// An integer of 1, 2, 4 or 8 bytes with a sign.
    Signed(u8),
    /// An integer of 1, 2 or 4 bytes without a sign.
    Unsigned(u8),
    Bool,
}

impl NumberType {
    pub fn bytes(self) -> usize {
        match self {
            Self::Float(bytes) | Self::Signed(bytes) | Self::Unsigned(bytes) => bytes.into(),
            Self::Bool => 1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub kind: NumberType,
    /// `true` if the byte with the sign is first.
    pub big_endian: bool,
    /// `true` if entries of one column are consecutive, not those of one run.
    pub fortran_order: bool,
    pub runs: u64,
    /// Number of entries of an outcome, if it is a vector.
    pub width: Option<usize>,
    /// Bytes of the header itself, from the start of the array.
    pub length: u64,
}

const MOST_HEADER: usize = 1 << 16;
const MAGIC: &[u8; 6] = b"\x93NUMPY";

impl Header {
    /// Reads the header of an array.
    ///
    /// # Errors
    /// If `numpy.save` does not write such a header, it breaks off, or it is not for outcomes.
    pub fn read(reader: &mut impl Read) -> Result<Self, WireError> {
        let mut start = [0; 8];
        let read = fill(reader, &mut start)?;
        if !MAGIC.starts_with(&start[..read.min(MAGIC.len())]) {
            let found = excerpt(&start[..read]);
            let words = format!("an array of numpy.save starts with \\x93NUMPY, not with {found}");
            return Err(WireError::NoArray(words));
        }
        let [.., major, minor] = start;
        let length = match (read, major, minor) {
            (..8, ..) => return Err(WireError::Truncated { missing: (8 - read) as u64 }),
            (_, 1, 0) => 2,
            (_, 2 | 3, 0) => 4,
            _ => return array(format!("version {major}.{minor} of numpy's format is not known")),
        };
        let mut bytes = [0; 4];
        exactly(reader, &mut bytes[..length])?;
        let size = u32::from_le_bytes(bytes) as usize;
        if size > MOST_HEADER {
            return array(format!(
                "its header has {size} bytes, and at most {MOST_HEADER} are allowed"
            ));
        }
        let mut text = vec![0; size];
        exactly(reader, &mut text)?;
        let header = parse(&text, (start.len() + length + size) as u64);
        header.or_else(|why| array(format!("{why}: {}", excerpt(&text))))
    }

    pub fn bytes(&self) -> u64 {
        self.runs.saturating_mul(self.run_bytes())
    }

    pub fn run_bytes(&self) -> u64 {
        (self.width.unwrap_or(1) as u64).saturating_mul(self.kind.bytes() as u64)
    }
}

fn array<T>(message: String) -> Result<T, WireError> {
    Err(WireError::Array(message))
}

fn exactly(reader: &mut impl Read, bytes: &mut [u8]) -> Result<(), WireError> {
    match fill(reader, bytes)? {
        read if read == bytes.len() => Ok(()),
        read => Err(WireError::Truncated { missing: (bytes.len() - read) as u64 }),
    }
}

/// Reads the dictionary with `descr`, `fortran_order` and `shape`.
fn parse(text: &[u8], length: u64) -> Result<Header, String> {
    let mut words = Words { text, at: 0 };
    let (mut kind, mut fortran_order, mut shape) = (None, None, None);
    words.expect(b'{')?;
    while !words.next_is(b'}') {
        let key = words.quoted()?;
        words.expect(b':')?;
        match key {
            b"descr" => kind = Some(words.kind()?),
            b"fortran_order" => fortran_order = Some(words.bool()?),
            b"shape" => shape = Some(words.shape()?),
            other => return Err(format!("its header has a strange key {}", excerpt(other))),
        }
        if !words.next_is(b',') {
            words.expect(b'}')?;
            break;
        }
    }
    words.space();
    let (Some((kind, big_endian)), Some(fortran_order), Some(shape)) = (kind, fortran_order, shape)
    else {
        return Err("its header lacks `descr`, `fortran_order` or `shape`".into());
    };
    if words.at < text.len() {
        return Err("more follows its header".into());
    }
    let (runs, width) = match shape[..] {
        [] => (1, None),
        [runs] => (runs, None),
        [runs, width] => {
            let wide = |_| format!("vectors of {width} numbers are too long");
            (runs, Some(usize::try_from(width).map_err(wide)?))
        }
        _ => {
            let many = shape.len();
            return Err(format!("it has {many} dimensions: one outcome a run needs 1 or 2"));
        }
    };
    Ok(Header { kind, big_endian, fortran_order, runs, width, length })
}

/// A Python dictionary, as far as numpy writes them.
struct Words<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    fn space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn next_is(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), String> {
        let missing = || format!("its header lacks `{}`", char::from(byte));
        if self.next_is(byte) { Ok(()) } else { Err(missing()) }
    }

    fn quoted(&mut self) -> Result<&'a [u8], String> {
        self.space();
        let bad = || "its header lacks a string in quotes".to_owned();
        let quote = *self.text.get(self.at).filter(|c| b"'\"".contains(c)).ok_or_else(bad)?;
        let rest = &self.text[self.at + 1..];
        let length = rest.iter().position(|byte| *byte == quote).ok_or_else(bad)?;
        self.at += length + 2;
        Ok(&rest[..length])
    }

    /// A type such as '<f8': its kind, and `true` if it is big-endian.
    fn kind(&mut self) -> Result<(NumberType, bool), String> {
        self.space();
        if self.text.get(self.at) == Some(&b'[') {
            return Err("its entries are records: save an array of numbers".into());
        }
        let descr = self.quoted()?;
        let kind = match descr.get(1..).unwrap_or_default() {
            b"f8" => NumberType::Float(8),
            b"f4" => NumberType::Float(4),
            b"i8" => NumberType::Signed(8),
            b"i4" => NumberType::Signed(4),
            b"i2" => NumberType::Signed(2),
            b"i1" => NumberType::Signed(1),
            b"u4" => NumberType::Unsigned(4),
            b"u2" => NumberType::Unsigned(2),
            b"u1" => NumberType::Unsigned(1),
            b"b1" => NumberType::Bool,
            [b'O', ..] => {
                return Err("its entries are Python objects (pickled), which are not read: save \
                            numbers, or write JSON lines"
                    .into());
            }
            [b'U' | b'S', ..] => {
                return Err("its entries are strings: write them as JSON lines".into());
            }
            _ => {
                let descr = excerpt(descr);
                return Err(format!("its type {descr} is not read: save float64 or int64"));
            }
        };
        let big_endian = match descr[0] {
            b'<' => false,
            b'>' => true,
            b'|' if kind.bytes() == 1 => false,
            _ => return Err(format!("its type {} has no order of bytes", excerpt(descr))),
        };
        Ok((kind, big_endian))
    }

    fn bool(&mut self) -> Result<bool, String> {
        self.space();
        for (word, value) in [(&b"True"[..], true), (b"False", false)] {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err("its header lacks `True` or `False`".into())
    }

    fn shape(&mut self) -> Result<Vec<u64>, String> {
        self.expect(b'(')?;
        let mut shape = Vec::new();
        while !self.next_is(b')') {
            shape.push(self.whole()?);
            if !self.next_is(b',') {
                self.expect(b')')?;
                break;
            }
        }
        Ok(shape)
    }

    fn whole(&mut self) -> Result<u64, String> {
        self.space();
        let rest = &self.text[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += digits;
        // Long integers had an L in Python 2.
        self.at += usize::from(digits > 0 && rest.get(digits) == Some(&b'L'));
        let digits = String::from_utf8_lossy(&rest[..digits]);
        digits.parse().map_err(|_| "its shape is not of whole numbers below 2^64".to_owned())
    }
}

/// Reads until the buffer is full or the stream ends; returns the bytes read.
pub(super) fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> Result<usize, WireError> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                let (kind, message) = (error.kind(), error.to_string());
                return Err(WireError::Read { kind, message });
            }
        }
    }
    Ok(filled)
}
