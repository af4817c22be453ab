mod neighbors;
mod sources;
