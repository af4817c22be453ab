use super::*;

const ENTRY: &str = "\n[[accepted]]\naudit = \"count\"\nrule = \"violated\"\nreason = \"known\"\nexpires = 2026-12-31\n";

#[test]
fn entries_are_read_with_their_lines() {
    let print = "0123456789abcdef".repeat(4);
    let text = format!("# for now{ENTRY}{ENTRY}fingerprint = \"{print}\"\n");
    let all = parsed(&text, "a.toml").unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!(all[0].place, ("a.toml".into(), 2));
    assert_eq!((all[0].expires.as_str(), all[0].reason.as_str()), ("2026-12-31", "known"));
    assert_eq!((all[1].place.1, all[1].fingerprint.as_deref()), (8, Some(print.as_str())));
    assert_eq!(parsed("", "a.toml").unwrap(), []);
}

#[test]
fn mistakes_are_told_with_their_line() {
    for (from, to, why) in [
        ("reason = \"known\"\n", "", "reason"),
        ("\"known\"", "\"  \"", "must not be empty"),
        ("expires = 2026-12-31\n", "", "expires"),
        ("2026-12-31", "\"2026-12-31\"", "expires"),
        ("2026-12-31", "2026-12-31T10:00:00", "a date alone"),
        ("2026-12-31", "2026-13-31", ""),
        ("violated", "violatd", "did you mean \"violated\"?"),
        ("audit =", "audits =", "audits"),
        ("rule =", "fingerprint = \"abc\"\nrule =", "64 hexadecimal digits"),
    ] {
        let text = ENTRY.replace(from, to);
        assert_ne!(text, ENTRY);
        let (line, message) = parsed(&text, "a.toml").unwrap_err();
        assert!((2..=7).contains(&line) && message.contains(why), "{to:?}: {line}: {message}");
    }
}
