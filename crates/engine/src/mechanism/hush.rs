//! Keeps the panics of mechanisms, which are outcomes, from being printed by the million.

use std::cell::Cell;
use std::sync::Once;

thread_local!(static QUIET: Cell<bool> = const { Cell::new(false) });
static INSTALL: Once = Once::new();

pub fn quietly<T>(work: impl FnOnce() -> T) -> T {
    INSTALL.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                previous(info);
            }
        }));
    });
    let before = QUIET.replace(true);
    let result = work();
    QUIET.set(before);
    result
}

pub(crate) fn panic_words(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    words.map_or_else(|| "panic".to_owned(), |words| format!("panic: {words}"))
}
