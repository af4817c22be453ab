mod bad;
mod contour;
mod extreme;
mod golden;
mod properties;
mod reference;
