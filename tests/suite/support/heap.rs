//! Counts the bytes that one rayon pool of a single thread holds, while other tests run beside it.
//!
//! Only what that thread asks for and gives back is counted, so code under test must not hand memory to other
//! threads.

// An allocator cannot be written without.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts for threads of [`pool`].
pub struct Counting;

thread_local! {
    /// Bytes held by this thread, and the most that it held, or nothing if it is not watched.
    static HELD: Cell<Option<(isize, isize)>> = const { Cell::new(None) };
}

fn moved(bytes: isize) {
    // Past the end of a thread its counter is gone.
    let _ = HELD.try_with(|held| {
        if let Some((now, most)) = held.get() {
            held.set(Some((now + bytes, most.max(now + bytes))));
        }
    });
}

// SAFETY: memory comes from `System` alone; the counter neither allocates nor panics.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        moved(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        moved(-(layout.size() as isize));
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        moved(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        moved(size as isize);
        let grown = unsafe { System.realloc(place, layout, size) };
        moved(-(layout.size() as isize));
        grown
    }
}

/// A pool of one thread whose bytes are counted.
pub fn pool() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .start_handler(|_| HELD.set(Some((0, 0))))
        .build()
        .unwrap()
}

/// Bytes that the pool's thread holds; called on it.
pub fn current_usage() -> usize {
    usage().0
}

/// The most bytes that the pool's thread held since [`reset_peak_usage`]; called on it.
pub fn peak_usage() -> usize {
    usage().1
}

/// Forgets the peak; called on the pool's thread.
pub fn reset_peak_usage() {
    let (now, _) = HELD.get().expect("called on a thread of heap::pool");
    HELD.set(Some((now, now)));
}

fn usage() -> (usize, usize) {
    let (now, most) = HELD.get().expect("called on a thread of heap::pool");
    (now.max(0) as usize, most.max(0) as usize)
}
