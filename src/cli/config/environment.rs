//! Settings from the environment.

use super::setting::{Settable, Setting};
use plaudit_accountant::near::nearest;
use std::path::PathBuf;

const PREFIX: &str = "PLAUDIT_";

/// Variables with this prefix that set nothing: those that plaudit passes to the programs that it audits, which may
/// run plaudit themselves, that of `plaudit attest make`, and those that its own tests read.
const OTHERS: [&str; 4] =
    ["PLAUDIT_AUDIT", "PLAUDIT_UPDATE", "PLAUDIT_ALL_SIZES", "PLAUDIT_KEY_PASSWORD"];

/// Settings of the environment; an unknown one is a mistake. An empty variable is unset.
pub(super) fn read(options: &[Settable], mistakes: &mut Vec<String>) -> Vec<Setting> {
    let mut variables: Vec<_> = std::env::vars_os()
        .filter(|(name, value)| name.to_string_lossy().starts_with(PREFIX) && !value.is_empty())
        .collect();
    variables.sort();
    let names: Vec<String> = options.iter().map(|option| variable_of(&option.name)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut settings = Vec::new();
    for (variable, value) in variables {
        let variable = variable.to_string_lossy().into_owned();
        if OTHERS.contains(&&*variable) {
            continue;
        }
        let Some(at) = names.iter().position(|name| *name == variable) else {
            let help = match nearest(&variable, &names) {
                Some(near) => format!("did you mean {near}?"),
                None => "`plaudit config` lists the settings".to_owned(),
            };
            mistakes.push(format!("{variable}: no setting has this variable; {help}"));
            continue;
        };
        let option = &options[at];
        let values = match (value.to_str(), option.is_list) {
            (None, _) => {
                mistakes.push(format!("{variable}: its value is not UTF-8 text"));
                continue;
            }
            (Some(_), true) => {
                let paths = std::env::split_paths(&value).filter(|path| path != &PathBuf::new());
                paths.map(|path| path.display().to_string()).collect()
            }
            (Some("1"), _) if option.is_flag => vec!["true".to_owned()],
            (Some("0"), _) if option.is_flag => vec!["false".to_owned()],
            (Some(value), _) => vec![value.to_owned()],
        };
        let name = option.name.clone();
        settings.push(Setting { name, values, source: variable, folder: PathBuf::new() });
    }
    settings
}

fn variable_of(name: &str) -> String {
    format!("{PREFIX}{}", name.to_uppercase().replace('-', "_"))
}
