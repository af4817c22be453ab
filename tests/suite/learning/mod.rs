mod canaries;
#[cfg(feature = "cli")]
mod command;
