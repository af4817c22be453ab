mod betting;
mod coverage;
mod golden;
mod oracle;
mod properties;
mod size;
