//! The statement of an attestation: digests of files, and what a report shows of its audits.
//!
//! It is an in-toto Statement v1 (<https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md>). This room
//! knows values only: the program reads the files and checks the signature.

mod compare;
mod statement;

pub use compare::{Difference, difference};
pub use statement::{
    Annotations, AttestedAudit, AttestedMechanism, AttestedPairs, Digest, OperatingRange,
    PREDICATE_TYPE, Predicate, ProgramChanged, Role, STATEMENT_TYPE, Statement, Subject, programs,
};
