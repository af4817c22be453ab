//! Neighboring relations.

/// The rows in which neighboring datasets differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// One row is added or removed.
    AddRemove,
    /// So many rows are added or removed.
    Group(u64),
    /// One row is put in the place of another.
    Substitution,
    /// Relation of the sensitivities and of the claims which the events state.
    AsStated,
}

impl Relation {
    /// In words, as reports have it.
    pub fn words(self) -> String {
        match self {
            Self::AddRemove => "add/remove one row".to_owned(),
            Self::Group(rows) => format!("add/remove {rows} rows"),
            Self::Substitution => "substitution of one row".to_owned(),
            Self::AsStated => {
                "that of the sensitivities and of the claims that the events make".to_owned()
            }
        }
    }
}
