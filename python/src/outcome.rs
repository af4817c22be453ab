//! What Python functions return, as outcomes: numbers, whole numbers and texts here, without a detour; everything else
//! by `plaudit._outcome`, which spells it as a program would.

use plaudit::Outcomes;
use plaudit::mechanism::wire::push_line;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

/// What reads outcomes.
pub struct OutcomeReader<'py> {
    py: Python<'py>,
    /// `plaudit._outcome.line`: an outcome as a JSON line.
    line: Bound<'py, PyAny>,
    /// `numpy.float64`, where numpy is imported: a float that is read as one.
    float64: Option<Bound<'py, PyAny>>,
}

impl<'py> OutcomeReader<'py> {
    /// A reader; `line` spells what is not simple.
    pub fn new(py: Python<'py>, line: Bound<'py, PyAny>) -> PyResult<Self> {
        let modules = py.import("sys")?.getattr("modules")?;
        let numpy = modules.cast::<PyDict>()?.get_item("numpy")?;
        let float64 = numpy.and_then(|numpy| numpy.getattr("float64").ok());
        Ok(Self { py, line, float64 })
    }

    /// Adds what a call returned or raised. Only a keyboard interrupt is no outcome.
    pub fn push(
        &self,
        returned: PyResult<Bound<'py, PyAny>>,
        outcomes: &mut Outcomes,
    ) -> PyResult<()> {
        match returned {
            Ok(value) => self.push_value(&value, outcomes),
            Err(raised) if raised.is_instance_of::<PyKeyboardInterrupt>(self.py) => Err(raised),
            Err(raised) => {
                let raised = raised.into_value(self.py).into_bound(self.py).into_any();
                // Its traceback would keep the frames of the call alive.
                let _ = raised.setattr("__traceback__", self.py.None());
                self.push_spelled(&raised, outcomes)
            }
        }
    }

    /// Adds a value.
    pub fn push_value(&self, value: &Bound<'py, PyAny>, outcomes: &mut Outcomes) -> PyResult<()> {
        if value.is_exact_instance_of::<PyFloat>() || self.is_float64(value) {
            outcomes.push_number(value.extract()?);
            return Ok(());
        }
        if value.is_exact_instance_of::<PyInt>()
            && let Ok(whole) = value.extract::<i64>()
        {
            outcomes.push_integer(whole);
            return Ok(());
        }
        if value.is_exact_instance_of::<PyBool>() {
            outcomes.push_integer(i64::from(value.is_truthy()?));
            return Ok(());
        }
        if let Ok(text) = value.cast_exact::<PyString>()
            && let Ok(text) = text.to_cow()
        {
            outcomes.push_text(&text);
            return Ok(());
        }
        if let Some(vector) = self.vector(value) {
            outcomes.push_vector(&vector);
            return Ok(());
        }
        self.push_spelled(value, outcomes)
    }

    fn is_float64(&self, value: &Bound<'py, PyAny>) -> bool {
        self.float64.as_ref().is_some_and(|float64| value.get_type().is(float64))
    }

    /// The numbers of a list or tuple of floats alone.
    fn vector(&self, value: &Bound<'py, PyAny>) -> Option<Vec<f64>> {
        let number = |entry: Bound<'py, PyAny>| {
            let is_number = entry.is_exact_instance_of::<PyFloat>() || self.is_float64(&entry);
            if is_number { entry.extract::<f64>().ok() } else { None }
        };
        if let Ok(list) = value.cast_exact::<PyList>() {
            if list.is_empty() {
                return None;
            }
            return list.iter().map(number).collect();
        }
        let tuple = value.cast_exact::<PyTuple>().ok().filter(|tuple| !tuple.is_empty())?;
        tuple.iter().map(number).collect()
    }

    /// Adds what only Python can spell.
    fn push_spelled(&self, value: &Bound<'py, PyAny>, outcomes: &mut Outcomes) -> PyResult<()> {
        let line: String = self.line.call1((value,))?.extract()?;
        match push_line(line.as_bytes(), outcomes) {
            Ok(_) => Ok(()),
            Err(error) => Err(PyRuntimeError::new_err(error.to_string())),
        }
    }

    /// Adds the entries of what a batch function returned: an array, read where it lies, or a list. Gives how many.
    pub fn push_batch(
        &self,
        drawn: &Bound<'py, PyAny>,
        outcomes: &mut Outcomes,
    ) -> PyResult<usize> {
        if let Some(array) = Array::of(drawn)?
            && let Some(runs) = array.push(outcomes)
        {
            return Ok(runs);
        }
        let mut runs = 0;
        for outcome in drawn.try_iter()? {
            self.push_value(&outcome?, outcomes)?;
            runs += 1;
        }
        Ok(runs)
    }
}

/// A numpy array of doubles, 64-bit integers or bools that lies in one piece, by its array interface.
struct Array<'a, 'py> {
    /// Keeps what is read alive.
    _owner: &'a Bound<'py, PyAny>,
    kind: Kind,
    at: *const u8,
    runs: usize,
    /// Numbers of a run; none: a scalar.
    width: Option<usize>,
}

#[derive(Clone, Copy)]
enum Kind {
    Double,
    Integer,
    Bool,
}

impl<'a, 'py> Array<'a, 'py> {
    fn of(value: &'a Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        let Ok(interface) = value.getattr("__array_interface__") else { return Ok(None) };
        let interface = interface.cast_into::<PyDict>().map_err(PyErr::from)?;
        let field = |name: &str| {
            interface
                .get_item(name)?
                .ok_or_else(|| PyTypeError::new_err(format!("the array has no {name}")))
        };
        let typestr: String = field("typestr")?.extract()?;
        let kind = match typestr.as_str() {
            "<f8" if cfg!(target_endian = "little") => Kind::Double,
            "<i8" if cfg!(target_endian = "little") => Kind::Integer,
            "|b1" => Kind::Bool,
            _ => return Ok(None),
        };
        let shape: Vec<usize> = field("shape")?.extract()?;
        let strides = interface.get_item("strides")?.filter(|strides| !strides.is_none());
        let (at, _): (usize, bool) = field("data")?.extract()?;
        let size = if matches!(kind, Kind::Bool) { 1 } else { 8 };
        let (runs, width) = match shape[..] {
            [runs] => (runs, None),
            [runs, width] if width > 0 => (runs, Some(width)),
            _ => return Ok(None),
        };
        let is_aligned = at.is_multiple_of(size);
        if strides.is_some() || runs == 0 || at == 0 || !is_aligned {
            return Ok(None);
        }
        Ok(Some(Self { _owner: value, kind, at: at as *const u8, runs, width }))
    }

    /// Adds its runs; `None` if they are of a kind that only Python spells.
    fn push(&self, outcomes: &mut Outcomes) -> Option<usize> {
        let count = self.runs * self.width.unwrap_or(1);
        match (self.kind, self.width) {
            (Kind::Double, None) => outcomes.extend_from_numbers(self.slice::<f64>(count)),
            (Kind::Double, Some(width)) => {
                for run in self.slice::<f64>(count).chunks_exact(width) {
                    outcomes.push_vector(run);
                }
            }
            (Kind::Integer, None) => outcomes.extend_from_integers(self.slice::<i64>(count)),
            (Kind::Bool, None) => {
                self.slice::<u8>(count)
                    .iter()
                    .for_each(|bit| outcomes.push_integer(i64::from(*bit != 0)));
            }
            // As JSON has them: numbers, which a vector holds as doubles.
            (Kind::Integer, Some(width)) => {
                let whole = self.slice::<i64>(count);
                if whole.iter().any(|x| x.unsigned_abs() > 1 << 53) {
                    return None;
                }
                let mut run = Vec::with_capacity(width);
                for chunk in whole.chunks_exact(width) {
                    run.clear();
                    run.extend(chunk.iter().map(|x| *x as f64));
                    outcomes.push_vector(&run);
                }
            }
            (Kind::Bool, Some(width)) => {
                let mut run = Vec::with_capacity(width);
                for chunk in self.slice::<u8>(count).chunks_exact(width) {
                    run.clear();
                    run.extend(chunk.iter().map(|bit| f64::from(u8::from(*bit != 0))));
                    outcomes.push_vector(&run);
                }
            }
        }
        Some(self.runs)
    }

    /// What the array holds, as numbers of its type.
    #[allow(clippy::cast_ptr_alignment)]
    fn slice<T>(&self, count: usize) -> &[T] {
        // SAFETY: numpy's array interface without strides says that so many numbers of this type lie at this address
        // one after another; `of` has checked the type and the alignment; the owner is alive, and Python code that
        // could write to it or free it cannot run meanwhile, as we hold the interpreter.
        unsafe { std::slice::from_raw_parts(self.at.cast::<T>(), count) }
    }
}
