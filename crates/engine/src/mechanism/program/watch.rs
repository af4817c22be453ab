//! Cleanup after plaudit itself is killed by a signal that cannot be caught: a watcher, a process
//! whose input ends when plaudit does. It then kills the process groups that are still alive, and
//! on Linux, where environments are visible, all processes with the word of this plaudit.
//!
//! The system's own means (PR_SET_PDEATHSIG of Linux) would need code between fork and exec, does
//! not reach grandchildren, and fires when the thread ends that started a program.

use super::sweep;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Reads `+ GROUP` and `- GROUP`, and kills the remaining groups when its input ends; $1 is the
/// beginning of the words in environments. Killed processes may have started others meanwhile, so
/// it checks again.
const SCRIPT: &str = r#"
trap '' INT TERM HUP PIPE
all=' '
while read -r sign group; do
  case $sign in
    +) all="$all$group " ;;
    -) case $all in *" $group "*) all="${all%%" $group "*} ${all#*" $group "}" ;; esac ;;
  esac
done
[ -n "${all# }" ] || exit 0
for group in $all; do kill -s KILL -- "-$group"; done
for round in 1 2 3; do
  found=$(grep -ls -e "$1" /proc/[0-9]*/environ)
  [ -n "$found" ] || exit 0
  for file in $found; do process=${file#/proc/}; kill -s KILL "${process%/environ}"; done
done
"#;

/// The watcher, once started; a system without a shell has none.
static WATCHER: Mutex<Option<Option<Child>>> = Mutex::new(None);

pub fn started(group: i32) {
    tell('+', group);
}

pub fn ended(group: i32) {
    tell('-', group);
}

fn tell(sign: char, group: i32) {
    let mut watcher = WATCHER.lock().unwrap_or_else(PoisonError::into_inner);
    let watcher = watcher.get_or_insert_with(|| start().ok());
    if let Some(input) = watcher.as_mut().and_then(|watcher| watcher.stdin.as_mut()) {
        // A watcher that the user killed stops watching; nothing else depends on it.
        let _ = writeln!(input, "{sign} {group}");
    }
}

/// In a group of its own, so that input at the terminal does not reach it.
fn start() -> std::io::Result<Child> {
    let begins = format!("{}={}", sweep::VARIABLE, sweep::own());
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", SCRIPT, "plaudit-watcher", &begins]).env_remove(sweep::VARIABLE);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    shell.current_dir("/").process_group(0).spawn()
}
