mod agree;
mod card;
mod headline;
mod page;
mod plots;
mod rounding;
mod terminal;
mod write;
