mod files;
mod interleaved;
mod killed;
mod misbehaving;
mod remembers;
mod runs;
mod seedless;
mod sharing;
