//! Untrusted text, made safe to show: everything from mechanisms, specs, files and certificates passes through
//! here before the user sees it, in a terminal, on the page or in a plot.

/// Text from outside made visible: control characters and the invisible ones that reorder or hide
/// text are written as `[U+202E]`, line breaks and tabs as spaces, so that nothing moves a cursor,
/// breaks a table or passes for something else. What is left is allowed in XML.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            c if is_hidden(c) => out.push_str(&format!("[U+{:04X}]", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// `true` if a character moves a cursor, or is invisible and reorders or hides its neighbors.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
        // Noncharacters: not allowed in XML.
        || u32::from(c) & 0xFFFE == 0xFFFE
}

/// [`visible`] line by line: for texts of several lines.
pub fn visible_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// Text from outside for Markdown: no mark-up, no mention, no link, no end of a cell.
pub fn markdown_text(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // An entity, so that it becomes neither an address nor a mention.
            '@' => out.push_str("&#64;"),
            ':' => out.push_str("&#58;"),
            '#' => out.push_str("&#35;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '!' | '|' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

const EXCERPT: usize = 80;

/// Printable start of a line: without control characters, at most 80 characters.
pub fn excerpt(line: &[u8]) -> String {
    let start = &line[..line.len().min(4 * EXCERPT)];
    let words = String::from_utf8_lossy(start);
    let mut excerpt = String::new();
    let mut length = 0;
    for c in words.chars() {
        let piece: String = if is_hidden(c) { c.escape_default().collect() } else { c.into() };
        length += piece.chars().count();
        if length >= EXCERPT {
            excerpt.push('…');
            return excerpt;
        }
        excerpt.push_str(&piece);
    }
    if start.len() < line.len() {
        excerpt.push('…');
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hidden_is_left_in_text_from_outside() {
        let shown = visible("a\u{1b}[2J\0\u{202e}b\u{200b}\n\u{feff}\u{ffff}c\u{7f}\u{85}");
        assert!(!shown.chars().any(is_hidden), "{shown:?}");
        assert_eq!(visible("naïve ε 🦀 名"), "naïve ε 🦀 名");
    }
}
