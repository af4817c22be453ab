mod neighbors;
mod people;
mod sources;
