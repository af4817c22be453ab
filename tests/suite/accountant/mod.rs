mod bad;
mod contour;
mod enumerated;
mod extreme;
mod field;
mod golden;
mod properties;
mod reference;
