mod card;
mod page;
mod plots;
mod rounding;
mod terminal;
mod value;
mod write;
