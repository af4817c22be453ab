mod card;
mod page;
mod plots;
mod rounding;
mod terminal;
mod write;
