//! Arguments of `plaudit sheet`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct SheetArguments {
    /// A report.json that `plaudit audit` wrote
    #[arg(value_name = "REPORT")]
    pub report: PathBuf,
    /// Format: evaluation sheets as Markdown or JSON, or records for OpenDP's registry of deployments (YAML)
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: SheetFormat,
    /// Only the audit of this name
    #[arg(long, value_name = "NAME")]
    pub audit: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Format of a sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SheetFormat {
    #[default]
    Markdown,
    Json,
    Registry,
}
