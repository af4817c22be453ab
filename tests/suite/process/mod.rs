mod files;
mod function;
mod interleaved;
mod killed;
mod misbehaving;
mod remembers;
mod runs;
mod seedless;
pub mod sharing;
