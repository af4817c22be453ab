mod files;
mod interleaved;
mod killed;
mod misbehaving;
mod runs;
mod sharing;
