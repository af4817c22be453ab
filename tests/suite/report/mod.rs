mod card;
mod page;
mod plots;
mod terminal;
mod value;
mod write;
