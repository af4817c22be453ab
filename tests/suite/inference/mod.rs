mod betting;
mod coverage;
mod golden;
mod law;
mod oracle;
mod properties;
mod size;
