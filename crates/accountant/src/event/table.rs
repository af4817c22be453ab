//! Tables of kinds by name: one row declares a variant, its name in files and expressions, and each parameter with
//! its limits and its usual value. Reading, writing, checking and the schema follow from it.

use crate::error::AccountantError;
use crate::near::nearest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The value of a parameter as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number, or a list of numbers")]
pub(crate) enum ParameterValue {
    Number(f64),
    List(Vec<f64>),
}

/// Values by the name of the parameter.
pub(crate) type Values = BTreeMap<String, ParameterValue>;

/// A sample as written: `{ name = rate }`, or `{ name = { … } }`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct WrittenSample(pub BTreeMap<String, SampleValues>);

#[derive(Debug, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of a sample with a number, or with its parameters, as in { allocation = { steps = 10 } }"
)]
pub(crate) enum SampleValues {
    Number(f64),
    Named(Values),
}

/// Limits of the numbers of a parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub holds: fn(f64) -> bool,
    pub must_be: &'static str,
}

/// A parameter of a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParameterRow {
    pub name: &'static str,
    pub limits: Limits,
    /// Its value where it is not given; `None` if it is needed.
    pub usual: Option<f64>,
    pub is_list: bool,
}

/// Other spellings of parameters.
const SPELLINGS: [(&str, &str); 1] = [("answers", "values")];

/// A kind: its name, what it is called elsewhere, and its parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindRow {
    pub name: &'static str,
    pub other_name: &'static str,
    pub parameters: &'static [ParameterRow],
}

impl KindRow {
    /// Its parameters, in words.
    pub fn takes(&self) -> String {
        let one = |row: &ParameterRow| match (row.is_list, row.usual) {
            (true, _) => format!("{} (a list)", row.name),
            (_, Some(_)) => format!("{} (optional)", row.name),
            _ => row.name.to_owned(),
        };
        self.parameters.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// Checks that all names are known and all needed ones given, and adds the usual values.
    pub fn complete(&self, mut values: Values) -> Result<Values, AccountantError> {
        let names: Vec<_> = self.parameters.iter().map(|row| row.name).collect();
        for (other, name) in SPELLINGS {
            if names.contains(&name)
                && !names.contains(&other)
                && let Some(value) = values.remove(other)
            {
                values.entry(name.to_owned()).or_insert(value);
            }
        }
        let kind = || self.name.to_owned();
        if let Some(name) = values.keys().find(|name| !names.contains(&name.as_str())) {
            let near = nearest(name, &names).map(|near| format!("did you mean `{near}`? "));
            let takes = format!("{}it takes {}", near.unwrap_or_default(), self.takes());
            return Err(AccountantError::UnknownParameter {
                kind: kind(),
                name: name.clone(),
                takes,
            });
        }
        for row in self.parameters {
            if values.contains_key(row.name) {
                continue;
            }
            let Some(usual) = row.usual else {
                let (name, takes) = (row.name.to_owned(), self.takes());
                return Err(AccountantError::MissingParameter { kind: kind(), name, takes });
            };
            values.insert(row.name.to_owned(), ParameterValue::Number(usual));
        }
        Ok(values)
    }

    /// Checks each number against its limits.
    pub fn check(&self, values: &[(&'static str, ParameterValue)]) -> Result<(), AccountantError> {
        for (row, (name, value)) in self.parameters.iter().zip(values) {
            let numbers = match value {
                ParameterValue::Number(number) => std::slice::from_ref(number),
                ParameterValue::List(numbers) => numbers,
            };
            if let Some(&value) = numbers.iter().find(|&&number| !(row.limits.holds)(number)) {
                let must_be = row.limits.must_be;
                return Err(AccountantError::Impossible { name, value, must_be });
            }
        }
        Ok(())
    }
}

/// The row of a name, or an error that says which was probably meant.
pub(crate) fn row_of(
    rows: &'static [KindRow],
    what: &str,
    name: &str,
) -> Result<&'static KindRow, AccountantError> {
    let is = |row: &&KindRow| row.name == name || (row.other_name == name && !name.is_empty());
    rows.iter().find(is).ok_or_else(|| {
        let names: Vec<_> = rows.iter().map(|row| row.name).collect();
        let near = nearest(name, &names);
        let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        let kinds = format!("{near}the kinds are {}", names.join(", "));
        AccountantError::UnknownKind { what: what.to_owned(), kind: name.to_owned(), kinds }
    })
}

/// A type of parameter.
pub(crate) trait Parameter: Sized {
    const IS_LIST: bool = false;
    /// From a value as it is written; else, what it must be.
    fn of(value: &ParameterValue) -> Result<Self, &'static str>;
    fn value(&self) -> ParameterValue;
}

impl Parameter for f64 {
    fn of(value: &ParameterValue) -> Result<Self, &'static str> {
        match value {
            ParameterValue::Number(number) => Ok(*number),
            ParameterValue::List(_) => Err("one number"),
        }
    }

    fn value(&self) -> ParameterValue {
        ParameterValue::Number(*self)
    }
}

impl Parameter for u64 {
    fn of(value: &ParameterValue) -> Result<Self, &'static str> {
        match value {
            // Whole and below 2^53: the conversion is exact.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            ParameterValue::Number(number)
                if number.fract() == 0.0 && (0.0..9e15).contains(number) =>
            {
                Ok(*number as Self)
            }
            _ => Err("a whole number"),
        }
    }

    fn value(&self) -> ParameterValue {
        ParameterValue::Number(*self as f64)
    }
}

impl Parameter for Vec<f64> {
    const IS_LIST: bool = true;
    fn of(value: &ParameterValue) -> Result<Self, &'static str> {
        match value {
            ParameterValue::Number(_) => Err("a list of numbers, such as [0, 1, 2]"),
            ParameterValue::List(numbers) => Ok(numbers.clone()),
        }
    }

    fn value(&self) -> ParameterValue {
        ParameterValue::List(self.clone())
    }
}

/// The value of a parameter, of a complete list.
pub(crate) fn parameter<T: Parameter>(
    values: &Values,
    name: &'static str,
) -> Result<T, AccountantError> {
    let value = values.get(name).unwrap_or(&ParameterValue::Number(f64::NAN));
    T::of(value).map_err(|must_be| {
        let value = match value {
            ParameterValue::Number(number) => *number,
            ParameterValue::List(numbers) => numbers.first().copied().unwrap_or(f64::NAN),
        };
        AccountantError::Impossible { name, value, must_be }
    })
}

/// Declares an enumeration of kinds. A row is `"name" ("other name") Variant { parameter: type, limits [, usual]; … }`.
macro_rules! kinds {
    ($(#[$meta:meta])* $kinds:ident $what:literal { $(
        $(#[$about:meta])* $name:literal ($other:literal) $variant:ident { $(
            $(#[$says:meta])* $parameter:ident: $type:ty, $limits:expr $(, $usual:expr)?;
        )* }
    )* }) => {
        #[derive(Clone, Debug, PartialEq)]
        $(#[$meta])*
        pub enum $kinds { $( $(#[$about])* $variant { $( $(#[$says])* $parameter: $type, )* }, )* }

        impl $kinds {
            pub(crate) const ROWS: &'static [KindRow] = &[ $( KindRow {
                name: $name,
                other_name: $other,
                parameters: &[ $( ParameterRow {
                    name: stringify!($parameter),
                    limits: $limits,
                    usual: [$( Some($usual as f64), )? None][0],
                    is_list: <$type as Parameter>::IS_LIST,
                }, )* ],
            }, )* ];

            /// Its name in files and expressions.
            pub fn name(&self) -> &'static str {
                match self { $( Self::$variant { .. } => $name, )* }
            }

            /// All parameters, in the order of its row.
            pub(crate) fn values(&self) -> Vec<(&'static str, ParameterValue)> {
                match self { $( Self::$variant { $( $parameter, )* } => {
                    vec![ $( (stringify!($parameter), $parameter.value()), )* ]
                } )* }
            }

            pub(crate) fn row(&self) -> &'static KindRow {
                // Each variant has a row.
                Self::ROWS.iter().find(|row| row.name == self.name()).unwrap_or(&Self::ROWS[0])
            }

            /// The parameters that have not their usual value.
            pub(crate) fn unusual(&self) -> Vec<(&'static str, ParameterValue)> {
                let usual = self.row().parameters.iter().map(|row| row.usual.map(ParameterValue::Number));
                let values = self.values().into_iter().zip(usual);
                values.filter(|((_, value), usual)| Some(value) != usual.as_ref()).map(|it| it.0).collect()
            }

            /// Of a name and parameters; their limits are not checked.
            ///
            /// # Errors
            /// If a name is unknown, or a parameter is missing or of another type.
            pub(crate) fn of(name: &str, values: Values) -> Result<Self, AccountantError> {
                let row = row_of(Self::ROWS, $what, name)?;
                let values = row.complete(values)?;
                match row.name {
                    $( $name => Ok(Self::$variant {
                        $( $parameter: parameter(&values, stringify!($parameter))?, )*
                    }), )*
                    name => unreachable!("{name} has no row in its own table"),
                }
            }
        }
    };
}

pub(crate) use kinds;
