//! Missing values: an empty line of a one-column CSV file is a row.

use super::files::{audit, folder, spec, write};
use plaudit::Verdict;
use rand::{RngExt, SeedableRng};

/// 20 000 rows, of which a share is missing.
fn column(share: f64, header: &str, end: &str, seed: u64) -> String {
    let mut random = plaudit::Stream::seed_from_u64(seed);
    let row = |_| if random.random_bool(share) { end.to_owned() } else { format!("0.5{end}") };
    std::iter::once(header.to_owned()).chain((0..20_000).map(row)).collect()
}

#[test]
fn missing_values_that_tell_the_datasets_apart_violate_the_claim() {
    let folder = folder();
    for (header, end, chosen) in
        [("y\n", "\n", ", column = \"y\""), ("\"y\"\r\n", "\r\n", ""), ("", "\n", "")]
    {
        write(folder.path(), "d.csv", column(0.1, header, end, 1));
        write(folder.path(), "e.csv", column(0.9, header, end, 2));
        let files = format!("d = \"d.csv\", d_prime = \"e.csv\"{chosen}");
        let finding = audit(folder.path(), &spec(&files, 1.0, "")).finding;
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
        assert!(finding.epsilon_lower > 2.0 && finding.epsilon_lower < 9f64.ln() + 0.1);
        let note = finding.notes.iter().find(|note| note.contains("under D")).unwrap();
        assert!(note.contains("20000 under D and 20000 under D′"), "{note}");
    }
}

#[test]
fn cells_with_separators_are_named_with_file_and_line() {
    let folder = folder();
    write(folder.path(), "d.csv", "y\n".to_owned() + &"1234.5\n".repeat(500));
    for cell in ["\"1,234.5\"", "\"0,5\"", "1 234", "1'234"] {
        write(folder.path(), "e.csv", "y\n".to_owned() + &"1234.5\n".repeat(500) + cell + "\n");
        let files = "d = \"d.csv\", d_prime = \"e.csv\", column = \"y\"";
        let finding = audit(folder.path(), &spec(files, 1.0, "")).finding;
        assert_eq!(finding.verdict, Verdict::Inconclusive);
        assert!(finding.reason().contains("e.csv:502: "), "{}", finding.reason());
        assert!(finding.reason().contains("decimal point"), "{}", finding.reason());
    }
}
