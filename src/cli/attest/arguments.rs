//! Arguments of `plaudit attest`.

use crate::cli::{examples, exit};
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct AttestArguments {
    #[command(subcommand)]
    pub command: AttestCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum AttestCommand {
    /// Write a statement of a report's results and the files they concern, and sign it
    #[command(after_help = after_help(examples::ATTEST_MAKE))]
    Make(MakeArguments),
    /// Check an attestation: its signature, the files, and that it agrees with the report
    #[command(after_help = after_help(examples::ATTEST_VERIFY))]
    Verify(VerifyArguments),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct MakeArguments {
    /// Folder of a report: report.json and its certificates
    #[arg(value_name = "REPORT_FOLDER")]
    pub folder: PathBuf,
    /// Secret key that `minisign -G` made; its password is read from PLAUDIT_KEY_PASSWORD, else asked for
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present = "unsigned",
        conflicts_with = "unsigned"
    )]
    pub key: Option<PathBuf>,
    /// Write the statement alone, for another tool to sign
    #[arg(long)]
    pub unsigned: bool,
    /// The statement; its signature has `.minisig` appended [default: REPORT_FOLDER/attestation.json]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct VerifyArguments {
    /// The statement, attestation.json
    #[arg(value_name = "ATTESTATION")]
    pub attestation: PathBuf,
    /// Public key of the signer, as `minisign -G` made it
    #[arg(
        long,
        value_name = "PUBLIC",
        required_unless_present = "unsigned",
        conflicts_with = "unsigned"
    )]
    pub key: Option<PathBuf>,
    /// Skip the signature: another tool has checked it
    #[arg(long)]
    pub unsigned: bool,
    /// The signature [default: ATTESTATION.minisig]
    #[arg(long, value_name = "FILE", conflicts_with = "unsigned")]
    pub signature: Option<PathBuf>,
    /// Folder of the report [default: the folder of ATTESTATION]
    #[arg(long, value_name = "FOLDER")]
    pub report: Option<PathBuf>,
    /// Root folder of all program files, also of absolute paths [default: their original places, relative to the current folder]
    #[arg(long, value_name = "DIR")]
    pub program_root: Option<PathBuf>,
}

fn after_help(examples: &str) -> String {
    format!("Examples:\n{examples}\n\nExit codes:\n{}", exit::OF_ATTESTATIONS)
}
