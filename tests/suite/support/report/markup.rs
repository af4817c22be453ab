//! Just enough of a reader of markup to see what a page is made of.

/// What stands between `<` and `>`, style sheets and scripts left out. Attribute values of these pages hold
/// no `>`, or the test that looks for what does not belong finds it.
pub fn tags(page: &str) -> Vec<&str> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once('<') {
        let tag = after.split('>').next().unwrap_or("");
        tags.push(tag);
        let close = match tag {
            "style" => "</style>",
            "script" => "</script>",
            _ => "",
        };
        rest = after.find(close).map_or("", |at| &after[at..]);
    }
    tags
}

/// The attributes of a tag, names in lower case.
pub fn attributes(tag: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = tag;
    while let Some((before, after)) = rest.split_once('=') {
        let name = before.rsplit([' ', '"']).next().unwrap_or("").to_lowercase();
        let quoted = after.strip_prefix('"').and_then(|value| value.split_once('"'));
        let (value, next) = quoted.unwrap_or((after, ""));
        found.push((name, value.to_owned()));
        rest = next;
    }
    found
}

/// Whether elements are nested, references known, and all characters allowed in XML 1.0.
pub fn well_formed(xml: &str) -> Result<(), String> {
    if let Some(c) =
        xml.chars().find(|&c| (c < ' ' && c != '\n') || u32::from(c) & 0xFFFE == 0xFFFE)
    {
        return Err(format!("character {:?}", c));
    }
    for reference in xml.split('&').skip(1) {
        let known = ["lt;", "gt;", "amp;", "quot;", "apos;"];
        if !known.iter().any(|name| reference.starts_with(name)) {
            return Err(format!("&{}", &reference.chars().take(9).collect::<String>()));
        }
    }
    let mut open = Vec::new();
    for tag in tags(xml) {
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or("");
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes something else"));
            }
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    if open.is_empty() && !xml.contains("]]>") { Ok(()) } else { Err(format!("open: {open:?}")) }
}
