//! Neighboring relations.

/// The rows in which neighboring datasets differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// One row is added or removed.
    AddRemove,
    /// One row is put in the place of another.
    Substitution,
    /// That of the sensitivities and of the claims which the events state.
    AsStated,
}

impl Relation {
    /// In words, as reports have it.
    pub fn words(self) -> &'static str {
        match self {
            Self::AddRemove => "add/remove one row",
            Self::Substitution => "substitution of one row",
            Self::AsStated => "that of the sensitivities and of the claims that the events make",
        }
    }
}
