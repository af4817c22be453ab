//! Laws of parts, enumerated once.

use super::budget::{Budget, Stop};
use super::law::Parted;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Value of a mechanism's part, which can be compared, kept and shared.
pub trait Value: Clone + Eq + Hash + Send + Sync + 'static {}
impl<T: Clone + Eq + Hash + Send + Sync + 'static> Value for T {}

/// The law of a part: values, or the words of a panic.
pub(super) type PartLaw<T> = Parted<Result<T, String>>;

/// A function's address, `true` if it is repeated until it returns a value, and its types.
type FunctionName = ((usize, bool), TypeId);

/// The laws of parts by function and argument, and the budget of their enumeration.
pub(super) struct Memo {
    pub budget: Budget,
    pub runs: AtomicU64,
    /// `true` if a part did not repeat itself, even if the mechanism caught the unwinding.
    pub broken: AtomicBool,
    pub halted: Arc<AtomicBool>,
    tables: Mutex<HashMap<FunctionName, Box<dyn Any + Send>>>,
}

impl Memo {
    pub fn new(budget: Budget) -> Self {
        Self {
            budget,
            runs: AtomicU64::new(0),
            broken: AtomicBool::new(false),
            halted: Arc::default(),
            tables: Mutex::default(),
        }
    }

    /// The law of a part, from the table or as `find` finds it. A result that unwinds is not kept.
    pub fn law<A: Value, T: Value>(
        &self,
        part: (usize, bool),
        argument: &A,
        find: impl FnOnce() -> Result<PartLaw<T>, Stop>,
    ) -> Arc<PartLaw<T>> {
        let name = (part, TypeId::of::<(A, T)>());
        if let Some(law) = self.with_table::<A, T, _>(name, |table| table.get(argument).cloned()) {
            return law;
        }
        // Two threads may find the same law twice; it is the same law.
        let law = match find() {
            Ok(law) => Arc::new(law),
            Err(stop) => {
                self.broken.store(true, Ordering::Relaxed);
                resume_unwind(Box::new(stop))
            }
        };
        self.with_table::<A, T, _>(name, |table| match table.entry(argument.clone()) {
            Entry::Occupied(found) => Arc::clone(found.get()),
            Entry::Vacant(place) => {
                // Counted once, whichever thread was first.
                self.runs.fetch_add(law.runs, Ordering::Relaxed);
                Arc::clone(place.insert(law))
            }
        })
    }

    fn with_table<A: Value, T: Value, R>(
        &self,
        name: FunctionName,
        work: impl FnOnce(&mut HashMap<A, Arc<PartLaw<T>>>) -> R,
    ) -> R {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let table = tables
            .entry(name)
            .or_insert_with(|| Box::new(HashMap::<A, Arc<PartLaw<T>>>::new()))
            .downcast_mut()
            .expect("the name has the types of the table");
        work(table)
    }
}
