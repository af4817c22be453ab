//! Names close to a given one.

/// Known name that was probably meant: one with few letters wrong, missing or too many, else the shortest
/// that begins with the given text.
pub fn nearest<'a>(given: &str, known: &[&'a str]) -> Option<&'a str> {
    /// Fewer letters are the beginning of too much.
    const LEAST: usize = 3;
    let close = known
        .iter()
        .map(|&name| (strsim::damerau_levenshtein(given, name), name))
        .min()
        .filter(|&(distance, name)| distance <= 1 + name.len() / 4 && distance < name.len());
    let begins = || {
        let longer = known.iter().filter(|name| given.len() >= LEAST && name.starts_with(given));
        longer.min_by_key(|name| name.len()).copied()
    };
    close.map(|(_, name)| name).or_else(begins)
}

#[cfg(test)]
#[path = "../tests/unit/near.rs"]
mod tests;
