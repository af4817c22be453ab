//! Classes of released rows.

#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    pub released: u64,
    pub known: u64,
    /// End of the identifier of the first released row; it begins where that of the class before ends.
    pub id_end: usize,
    /// `true` if the first known row has that identifier.
    pub is_right: bool,
}

impl Class {
    /// `true` if one released row and one known row have these values, and no others.
    pub(super) fn is_linked(&self) -> bool {
        self.released == 1 && self.known == 1
    }
}
