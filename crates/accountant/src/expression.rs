//! Compositions as text: `gaussian(sigma=1.2) x 1000 @ poisson(0.01) + laplace(scale=2) x 3`.
//!
//! ```text
//! composition = term { "+" term }
//! term        = kind "(" [ name "=" value { "," name "=" value } ] ")" { "x" count | "@" sample }
//! sample      = kind "(" ( number | name "=" value ) { "," name "=" value } ")"
//! value       = number | "[" number { "," number } "]"
//! ```
//!
//! Spaces are ignored. A number without a name is the first parameter of a sample. `*` may replace `x`. A count is a whole number, as `1000`, `1_000` or `1e3`.

use super::composition::Composition;
use super::error::AccountantError;
use super::event::{Event, EventKind, KindRow, ParameterValue, Sampling, Values, Written, row_of};
use std::fmt;
use std::str::FromStr;

/// Longest expression that is read, in bytes.
const LONGEST: usize = 100_000;

impl FromStr for Composition {
    type Err = AccountantError;

    /// Reads an expression.
    ///
    /// # Errors
    /// If it does not follow the grammar (with the place), or a number in it is impossible.
    fn from_str(text: &str) -> Result<Self, AccountantError> {
        let mut reader = ExpressionReader { text, at: 0 };
        if text.len() > LONGEST {
            return Err(reader.error("it is longer than 100 000 bytes: write a file"));
        }
        let mut events = vec![reader.term()?];
        while reader.skip("+") {
            events.push(reader.term()?);
        }
        if reader.rest().is_empty() {
            Self::new(events)
        } else {
            Err(reader
                .error("expected `+` and another event, `x` and a count, or `@` and a sample"))
        }
    }
}

struct ExpressionReader<'a> {
    text: &'a str,
    /// A byte, always at the beginning of a character.
    at: usize,
}

impl<'a> ExpressionReader<'a> {
    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn error(&self, message: &str) -> AccountantError {
        let at = self.text[..self.at].chars().count() + 1;
        AccountantError::Grammar { at, message: message.to_owned() }
    }

    fn skip(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn want(&mut self, word: &str, after: &str) -> Result<(), AccountantError> {
        if self.skip(word) {
            return Ok(());
        }
        Err(self.error(&format!("wanted `{word}` {after}")))
    }

    /// The longest beginning whose characters are all of a kind.
    fn take(&mut self, of: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !of(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn term(&mut self) -> Result<Event, AccountantError> {
        let start = self.at;
        let kind = self.take(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if kind.is_empty() {
            return Err(self.error("expected an event, such as gaussian(sigma=1)"));
        }
        let in_event = |error: AccountantError, text: &str| {
            let at = text[..start].chars().count() + 1;
            AccountantError::InEvent { at, error: Box::new(error) }
        };
        let row = row_of(EventKind::ROWS, "event", kind).map_err(|it| in_event(it, self.text))?;
        let values = self.arguments(row, false)?;
        let mut written = Written { kind: kind.to_owned(), values, count: None, sampling: None };
        loop {
            if self.skip("@") {
                if written.sampling.is_some() {
                    return Err(self.error("an event has one sample"));
                }
                written.sampling = Some(self.sampling()?);
            } else if self.skip("x") || self.skip("*") {
                if written.count.is_some() {
                    return Err(self.error("an event has one count"));
                }
                written.count = Some(self.count()?);
            } else {
                break;
            }
        }
        Event::try_from(written).map_err(|error| in_event(error, self.text))
    }

    /// Parameters in brackets: `name=value`, or, if `unnamed`, a number without a name for the first of them.
    fn arguments(&mut self, row: &KindRow, unnamed: bool) -> Result<Values, AccountantError> {
        let mut values = Values::new();
        self.want("(", "and the parameters in brackets")?;
        if self.skip(")") {
            return Ok(values);
        }
        loop {
            let start = self.at;
            let mut name = self.take(|c| c.is_ascii_alphabetic());
            if name.is_empty() && unnamed && values.is_empty() {
                name = row.parameters.first().map_or("rate", |first| first.name);
            } else if name.is_empty() {
                return Err(self.error("expected the name of a parameter, or `)`"));
            } else if unnamed && values.is_empty() && !self.rest().starts_with('=') {
                self.at = start;
                return Err(self.error("wanted a number"));
            } else {
                self.want("=", "and a number after the name of a parameter")?;
            }
            let value = self.value()?;
            if values.insert(name.to_owned(), value).is_some() {
                return Err(self.error(&format!("`{name}` is given twice")));
            }
            if self.skip(")") {
                return Ok(values);
            }
            self.want(",", "or `)` after a parameter")?;
        }
    }

    /// A number, or a list of them in square brackets.
    fn value(&mut self) -> Result<ParameterValue, AccountantError> {
        if !self.skip("[") {
            return self.number().map(ParameterValue::Number);
        }
        let mut numbers = vec![self.number()?];
        while self.skip(",") {
            numbers.push(self.number()?);
        }
        self.want("]", "or `,` in a list")?;
        Ok(ParameterValue::List(numbers))
    }

    fn sampling(&mut self) -> Result<Sampling, AccountantError> {
        let start = self.at;
        let name = self.take(|c| c.is_ascii_alphabetic() || c == '-');
        let row = row_of(Sampling::ROWS, "sample", name).map_err(|error| {
            self.at = start;
            self.error(&error.to_string())
        })?;
        let values = self.arguments(row, true)?;
        Sampling::of(name, values)
    }

    /// A number, with its own sign and exponent only: a `+` after it begins another event.
    fn word_of_number(&mut self) -> &'a str {
        let rest = self.rest();
        let mut before = ' ';
        let end = rest.find(|c: char| {
            let sign = matches!(c, '+' | '-') && matches!(before, ' ' | 'e' | 'E');
            let is_in = sign || c.is_ascii_digit() || matches!(c, '.' | '_' | 'e' | 'E');
            before = c;
            !is_in
        });
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn number(&mut self) -> Result<f64, AccountantError> {
        let start = self.at;
        let word = self.word_of_number();
        word.replace('_', "").parse().map_err(|_| {
            self.at = start;
            self.error("wanted a number")
        })
    }

    fn count(&mut self) -> Result<u64, AccountantError> {
        let start = self.at;
        let plain = self.word_of_number().replace('_', "");
        let whole = plain.parse::<u64>().ok().or_else(|| {
            let x: f64 = plain.parse().ok()?;
            // Whole and below 2^53: the conversion is exact.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            (x.fract() == 0.0 && (0.0..9e15).contains(&x)).then_some(x as u64)
        });
        whole.ok_or_else(|| {
            self.at = start;
            self.error("expected a whole number of uses, such as 1000 or 1e6")
        })
    }
}

/// `name(parameter=value, …)`.
fn call(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    values: &[(&'static str, ParameterValue)],
    unnamed: bool,
) -> fmt::Result {
    write!(f, "{name}(")?;
    for (place, (name, value)) in values.iter().enumerate() {
        let comma = if place > 0 { ", " } else { "" };
        write!(f, "{comma}")?;
        match value {
            ParameterValue::Number(number) if unnamed && values.len() == 1 => {
                write!(f, "{number}")?
            }
            ParameterValue::Number(number) => write!(f, "{name}={number:?}")?,
            ParameterValue::List(numbers) => write!(f, "{name}={numbers:?}")?,
        }
    }
    f.write_str(")")
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        call(f, self.name(), &self.unusual(), true)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        call(f, self.kind.name(), &self.kind.unusual(), false)?;
        if self.count > 1 {
            write!(f, " x {}", self.count)?;
        }
        self.sampling.as_ref().map_or(Ok(()), |sampling| write!(f, " @ {sampling}"))
    }
}

impl fmt::Display for Composition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, event) in self.events().iter().enumerate() {
            let plus = if place > 0 { " + " } else { "" };
            write!(f, "{plus}{event}")?;
        }
        Ok(())
    }
}
