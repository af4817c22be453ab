//! Reading JSON, including the dialects of Python and JavaScript.

use super::value::JsonValue;
use crate::mechanism::outcome::Outcome;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Most levels of nested lists and objects.
const MOST_DEPTH: usize = 64;

/// An outcome, and the time of its release.
pub(super) struct Timed {
    pub outcome: Outcome,
    pub nanoseconds: Option<u64>,
}

/// Position in a line.
pub(super) struct Reader<'a> {
    line: &'a [u8],
    at: usize,
}

/// A part of a line, or the problem of the line.
pub(super) type Parsed<T> = Result<T, String>;

impl<'a> Reader<'a> {
    #[inline]
    pub fn new(line: &'a [u8]) -> Self {
        Self { line, at: 0 }
    }

    /// The number, if the whole line is one that JSON knows: the fast way.
    #[inline]
    pub fn lone_number(&mut self) -> Option<JsonValue> {
        let first = *self.line.first()?;
        if first != b'-' && !first.is_ascii_digit() {
            return None;
        }
        let number = self.number().ok()?;
        self.space();
        (self.at == self.line.len()).then_some(number)
    }

    /// The outcome in the whole line.
    pub fn timed(&mut self) -> Parsed<Timed> {
        self.at = 0;
        let value = self.whole()?;
        let nanoseconds = match &value {
            JsonValue::Timed { nanoseconds, .. } => Some(*nanoseconds),
            _ => None,
        };
        Ok(Timed { outcome: value.into_outcome(), nanoseconds })
    }

    /// The value in the whole line.
    pub fn whole(&mut self) -> Parsed<JsonValue> {
        self.space();
        if self.peek().is_none() {
            return Err("expected an outcome, found an empty line".into());
        }
        let value = self.value(0)?;
        self.space();
        if self.at < self.line.len() {
            return Err(format!(
                "unexpected content after the value that ends at byte {}",
                self.at
            ));
        }
        Ok(value)
    }

    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    #[inline]
    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// Skips a word, if it is next.
    fn word(&mut self, word: &str) -> bool {
        let found = self.line[self.at..].starts_with(word.as_bytes());
        if found {
            self.at += word.len();
        }
        found
    }

    fn unexpected<T>(&self, wanted: &str) -> Parsed<T> {
        match self.peek() {
            Some(byte) => {
                let shown = match byte {
                    b' '..=b'~' => char::from(byte).to_string(),
                    _ => byte.escape_ascii().to_string(),
                };
                Err(format!("byte {} is `{shown}`, not {wanted}", self.at + 1))
            }
            None => Err(format!("it ends where {wanted} should be")),
        }
    }

    /// The error where the next word may be one of another language that JSON does not have.
    fn unexpected_word<T>(&self, wanted: &str) -> Parsed<T> {
        let remedy = self.remedy().map_or_else(String::new, |words| format!(" ({words})"));
        self.unexpected(wanted).map_err(|why| why + &remedy)
    }

    /// Replacement for the next word.
    fn remedy(&self) -> Option<&'static str> {
        let rest = &self.line[self.at..];
        let negative = self.at > 0 && self.line[self.at - 1] == b'-';
        let bare = rest.strip_prefix(b"+").unwrap_or(rest);
        let length = bare.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        match bare[..length].to_ascii_lowercase().as_slice() {
            b"inf" | b"infinity" if negative => Some("write `-Infinity`"),
            b"inf" | b"infinity" => Some("write `Infinity`"),
            b"nan" => Some("write `NaN`"),
            _ if negative => None,
            b"none" | b"nil" | b"null" => Some("write `null`"),
            b"true" => Some("write `true`"),
            b"false" => Some("write `false`"),
            b"" if bare.first() != Some(&b'\'') => None,
            _ => Some("put texts in double quotes"),
        }
    }

    fn value(&mut self, depth: usize) -> Parsed<JsonValue> {
        if depth > MOST_DEPTH {
            return Err(format!("lists and objects are nested deeper than {MOST_DEPTH}"));
        }
        match self.peek() {
            Some(b'"') => Ok(JsonValue::Text(self.text()?.into_owned())),
            Some(b'[') => self.list(depth),
            Some(b'{') => self.object(depth),
            _ => match self.plain()? {
                Some(value) => Ok(value),
                None => self.unexpected_word("a value"),
            },
        }
    }

    /// A number, a bool or null, if one of these is next.
    #[inline]
    fn plain(&mut self) -> Parsed<Option<JsonValue>> {
        let value = match self.peek() {
            Some(b'-') if self.word("-Infinity") => JsonValue::Number(f64::NEG_INFINITY),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'N') if self.word("NaN") => JsonValue::Number(f64::NAN),
            Some(b'I') if self.word("Infinity") => JsonValue::Number(f64::INFINITY),
            Some(b'n') if self.word("null") => JsonValue::Null,
            Some(b't') if self.word("true") => JsonValue::Integer(1),
            Some(b'f') if self.word("false") => JsonValue::Integer(0),
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// A number of JSON. −0 is not an integer: 64 bits of an integer do not hold its sign.
    #[inline]
    fn number(&mut self) -> Parsed<JsonValue> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        self.at += usize::from(negative);
        let whole = self.at;
        let mut magnitude = 0u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            // Wrong from the 20th digit on, and not used then.
            magnitude = magnitude.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        let digits = self.at - whole;
        if digits == 0 {
            return self.unexpected_word("a digit");
        }
        if digits > 1 && self.line[whole] == b'0' {
            return Err("a number starts with a superfluous 0".into());
        }
        let mut integer = true;
        if self.peek() == Some(b'.') {
            self.at += 1;
            let ends = matches!(self.peek(), None | Some(b',' | b']' | b'}' | b' '));
            // What OCaml prints for 4.0.
            let remedy = || format!(" (write `{}0`)", self.line[start..self.at].escape_ascii());
            let remedy = if ends { remedy() } else { String::new() };
            self.digits().map_err(|why| why + &remedy)?;
            integer = false;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
            integer = false;
        }
        if integer && digits <= 18 && !(negative && magnitude == 0) {
            let magnitude = magnitude.cast_signed();
            return Ok(JsonValue::Integer(if negative { -magnitude } else { magnitude }));
        }
        let words = std::str::from_utf8(&self.line[start..self.at]).map_err(|e| e.to_string())?;
        if integer && digits > 1 {
            let large = |_| JsonValue::Large(words.to_owned());
            return Ok(words.parse().map_or_else(large, JsonValue::Integer));
        }
        words.parse().map(JsonValue::Number).map_err(|_| format!("`{words}` is not a number"))
    }

    #[inline]
    fn digits(&mut self) -> Parsed<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { self.unexpected("a digit") } else { Ok(()) }
    }

    fn text(&mut self) -> Parsed<Cow<'a, str>> {
        self.at += 1;
        let start = self.at;
        let mut owned: Option<Vec<u8>> = None;
        let mut copied = start;
        loop {
            match self.peek() {
                None => return Err("a string has no end".into()),
                Some(b'"') => break,
                Some(b'\\') => {
                    let bytes = owned.get_or_insert_default();
                    bytes.extend_from_slice(&self.line[copied..self.at]);
                    let c = self.escape()?;
                    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    copied = self.at;
                }
                Some(byte) if byte < 0x20 => {
                    let byte = byte.escape_ascii();
                    return Err(format!("a string holds `{byte}`, which must be escaped"));
                }
                Some(_) => self.at += 1,
            }
        }
        let rest = &self.line[copied..self.at];
        self.at += 1;
        let not_utf8 = "a string is not UTF-8";
        match owned {
            None => std::str::from_utf8(rest).map(Cow::Borrowed).map_err(|_| not_utf8.into()),
            Some(mut bytes) => {
                bytes.extend_from_slice(rest);
                String::from_utf8(bytes).map(Cow::Owned).map_err(|_| not_utf8.into())
            }
        }
    }

    fn escape(&mut self) -> Parsed<char> {
        self.at += 2;
        Ok(match self.line.get(self.at - 1) {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(*c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let first = self.hexadecimal()?;
                let code = match first {
                    0xd800..0xdc00 if self.word("\\u") => {
                        let second = self.hexadecimal()?;
                        let low = second.wrapping_sub(0xdc00);
                        if low < 0x400 { 0x10000 + ((first - 0xd800) << 10) + low } else { first }
                    }
                    other => other,
                };
                let lone = || format!("a string holds \\u{first:04x}, half of a character");
                char::from_u32(code).ok_or_else(lone)?
            }
            _ => return Err("a string holds an escape that JSON does not know".into()),
        })
    }

    fn hexadecimal(&mut self) -> Parsed<u32> {
        let digits = self.line.get(self.at..self.at + 4).unwrap_or_default();
        let value = digits.iter().try_fold(0, |value, digit| {
            char::from(*digit).to_digit(16).map(|digit| 16 * value + digit)
        });
        self.at += 4;
        value.filter(|_| digits.len() == 4).ok_or_else(|| "\\u needs four digits".into())
    }

    fn list(&mut self, depth: usize) -> Parsed<JsonValue> {
        let start = self.at;
        if let Some(vector) = self.vector()? {
            return Ok(JsonValue::Vector(vector));
        }
        self.at = start;
        let mut values = Vec::new();
        self.items(b']', |reader| {
            values.push(reader.inner(depth + 1)?);
            Ok(true)
        })?;
        let number = |value: &JsonValue| match value {
            JsonValue::Null => Some(f64::NAN),
            value => value.number(),
        };
        let vector = values.iter().map(number).collect::<Option<_>>();
        Ok(vector.map_or(JsonValue::List(values), JsonValue::Vector))
    }

    /// A list of plain numbers, if all are.
    fn vector(&mut self) -> Parsed<Option<Vec<f64>>> {
        let mut values = Vec::new();
        let all = self.items(b']', |reader| {
            let value = match reader.plain()? {
                Some(JsonValue::Null) => Some(f64::NAN),
                Some(value) => value.number(),
                None => None,
            };
            values.extend(value);
            Ok(value.is_some())
        })?;
        Ok(all.then_some(values))
    }

    fn object(&mut self, depth: usize) -> Parsed<JsonValue> {
        let mut entries = BTreeMap::new();
        self.items(b'}', |reader| {
            if reader.peek() != Some(b'"') {
                return reader.unexpected("a key in double quotes");
            }
            let key = reader.text()?.into_owned();
            reader.space();
            if reader.peek() != Some(b':') {
                return reader.unexpected("`:`");
            }
            reader.at += 1;
            reader.space();
            let value = match key.as_str() {
                // A timed value may be a failure; nested ones may not.
                "value" if depth == 0 => reader.value(depth + 1)?,
                _ => reader.inner(depth + 1)?,
            };
            entries.insert(key, value);
            Ok(true)
        })?;
        match entries.keys().find(|key| key.starts_with('$')) {
            Some(key) => special(key.clone(), entries),
            None => match entries.get("value") {
                Some(JsonValue::Error(_) | JsonValue::Timed { .. }) => Err(OUTSIDE.into()),
                _ => Ok(JsonValue::Object(entries)),
            },
        }
    }

    fn inner(&mut self, depth: usize) -> Parsed<JsonValue> {
        match self.value(depth)? {
            JsonValue::Error(_) | JsonValue::Timed { .. } => Err(OUTSIDE.into()),
            value => Ok(value),
        }
    }

    /// Reads items between commas and brackets; `true` if it reached the end.
    fn items(
        &mut self,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Parsed<bool>,
    ) -> Parsed<bool> {
        self.at += 1;
        self.space();
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(true);
        }
        loop {
            if !item(self)? {
                return Ok(false);
            }
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {
                    self.at += 1;
                    return Ok(true);
                }
                _ => return self.unexpected(&format!("`,` or `{}`", char::from(close))),
            }
            self.space();
        }
    }
}

const OUTSIDE: &str = "`$error` and `$ns` can only stand outside of everything else";

fn special(key: String, mut entries: BTreeMap<String, JsonValue>) -> Parsed<JsonValue> {
    let known = ["$set", "$error", "$number", "$ns"];
    if !known.contains(&key.as_str()) {
        return Err(format!("`{key}` is not a key here (valid keys: {})", known.join(", ")));
    }
    let alone = entries.len() == 1;
    let value = entries.remove(&key);
    match (key.as_str(), value) {
        ("$ns", Some(JsonValue::Integer(nanoseconds))) if nanoseconds >= 0 => {
            let wrong = || "`$ns` needs `value` next to it, and nothing else".to_owned();
            let value = entries.remove("value").filter(|_| entries.is_empty()).ok_or_else(wrong)?;
            if matches!(value, JsonValue::Timed { .. }) {
                return Err(OUTSIDE.into());
            }
            let nanoseconds = nanoseconds.unsigned_abs();
            Ok(JsonValue::Timed { nanoseconds, value: Box::new(value) })
        }
        ("$ns", _) => Err("`$ns` must be a whole number of nanoseconds".into()),
        _ if !alone => Err(format!("`{key}` must be the only key of its object")),
        ("$set", Some(JsonValue::List(keys))) => {
            let key = |value: JsonValue| match value {
                JsonValue::Text(words) => words,
                other => other.canonical(),
            };
            Ok(JsonValue::Set(keys.into_iter().map(key).collect()))
        }
        ("$set", Some(JsonValue::Vector(keys))) => {
            let keys = keys.into_iter().map(|x| JsonValue::Number(x).canonical());
            Ok(JsonValue::Set(keys.collect()))
        }
        ("$set", _) => Err("`$set` must be a list".into()),
        ("$error", Some(JsonValue::Text(message))) => Ok(JsonValue::Error(message)),
        ("$error", _) => Err("`$error` must be a string".into()),
        ("$number", Some(JsonValue::Text(word))) => match word.as_str() {
            "nan" | "NaN" => Ok(JsonValue::Number(f64::NAN)),
            "inf" | "Infinity" => Ok(JsonValue::Number(f64::INFINITY)),
            "-inf" | "-Infinity" => Ok(JsonValue::Number(f64::NEG_INFINITY)),
            _ => Err("`$number` must be \"nan\", \"inf\" or \"-inf\"".into()),
        },
        _ => Err("`$number` must be \"nan\", \"inf\" or \"-inf\"".into()),
    }
}

/// The value of canonical JSON; `None` if it is invalid.
pub(crate) fn parse(json: &str) -> Option<JsonValue> {
    Reader::new(json.as_bytes()).whole().ok()
}
