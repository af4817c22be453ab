//! One running program: communicates within time limits, and leaves nothing of it behind.

use super::failure::ProgramFailure;
use super::{find, sweep, watch};
use plaudit_core::visible::is_hidden;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::collections::BTreeSet;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of a pipe, on systems where they can be set.
const PIPE: usize = 1 << 20;
/// Bytes of standard error that are kept: the last ones.
const TAIL: usize = 4096;
/// Interval between checks whether a wait should end.
const SLICE: Duration = Duration::from_millis(50);
/// Time that a program gets to end by itself after the end of its input.
const GRACE: Duration = Duration::from_millis(300);

#[derive(Clone, Copy)]
pub struct Patience<'a> {
    pub deadline: Instant,
    pub interrupted: &'a AtomicBool,
}

/// Living process groups, all of which are killed when plaudit must end at once.
static ALIVE: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Kills every program that is still running, with all that it has started. Callers that wait for
/// one see it as died.
pub fn kill_all() {
    for group in ALIVE.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        if let Some(group) = Pid::from_raw(*group) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// A running program in a process group of its own.
pub struct Child {
    child: std::process::Child,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    tail: Vec<u8>,
    /// `true` after waiting for it: from then on its number may be another's.
    reaped: bool,
    /// Output that was read but not yet used.
    pub buffer: Vec<u8>,
}

impl Child {
    /// Starts a program in a folder, with a word in its environment that identifies it.
    pub fn start(command: &[String], folder: &Path, word: &str) -> Result<Self, ProgramFailure> {
        Self::start_with(command, folder, word, None)
    }

    /// The same, with one more variable in its environment.
    pub fn start_with(
        command: &[String],
        folder: &Path,
        word: &str,
        variable: Option<(&str, &str)>,
    ) -> Result<Self, ProgramFailure> {
        let words = |error: &dyn std::fmt::Display| {
            ProgramFailure::Start(format!("`{}` cannot be started: {error}", command.join(" ")))
        };
        let [program, arguments @ ..] = command else {
            return Err(ProgramFailure::Start("the command is empty".into()));
        };
        let path = find::path_of(program, folder).map_err(|error| words(&error))?;
        let mut builder = Command::new(path);
        builder.args(arguments).env("PLAUDIT", "1").env(sweep::VARIABLE, word).process_group(0);
        builder.envs(variable);
        if !folder.as_os_str().is_empty() {
            builder.current_dir(folder);
        }
        builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = builder.spawn().map_err(|error| words(&error))?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            let _ = child.kill();
            let _ = child.wait();
            return Err(ProgramFailure::Start("its pipes cannot be opened".into()));
        };
        let group = Pid::from_child(&child).as_raw_nonzero().get();
        alive(|groups| groups.insert(group));
        watch::started(group);
        let own = Self {
            child,
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            tail: Vec::new(),
            reaped: false,
            buffer: Vec::new(),
        };
        own.prepare_pipes().map_err(|error| words(&error))?;
        Ok(own)
    }

    fn prepare_pipes(&self) -> std::io::Result<()> {
        if let (Some(stdin), Some(stderr)) = (&self.stdin, &self.stderr) {
            rustix::io::ioctl_fionbio(stdin, true)?;
            rustix::io::ioctl_fionbio(stderr, true)?;
        }
        rustix::io::ioctl_fionbio(&self.stdout, true)?;
        #[cfg(target_os = "linux")]
        {
            // Larger pipes are faster; a system that does not grant them is fine.
            let _ = rustix::pipe::fcntl_setpipe_size(&self.stdout, PIPE);
        }
        Ok(())
    }

    pub fn write(
        &mut self,
        mut message: &[u8],
        patience: Patience<'_>,
    ) -> Result<(), ProgramFailure> {
        while !message.is_empty() {
            let Some(stdin) = &mut self.stdin else {
                return Err(ProgramFailure::Died("its input is closed".into()));
            };
            match stdin.write(message) {
                Ok(written) => message = &message[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(PollFlags::OUT, patience)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(ProgramFailure::Died(self.how_it_ended())),
            }
        }
        Ok(())
    }

    /// Reads available output, at least one byte; nothing if the output has ended.
    pub fn read(
        &mut self,
        into: &mut [u8],
        patience: Patience<'_>,
    ) -> Result<usize, ProgramFailure> {
        loop {
            match self.stdout.read(into) {
                Ok(bytes) => return Ok(bytes),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(PollFlags::IN, patience)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(ProgramFailure::Died(error.to_string())),
            }
        }
    }

    /// `true` if there is output that was not requested.
    pub fn has_surplus(&mut self) -> bool {
        let mut byte = [0];
        if self.buffer.is_empty() && matches!(self.stdout.read(&mut byte), Ok(1)) {
            self.buffer.push(byte[0]);
        }
        !self.buffer.is_empty()
    }

    /// Waits until its output can be read, or its input written; drains its standard error.
    fn wait(&mut self, flag: PollFlags, patience: Patience<'_>) -> Result<(), ProgramFailure> {
        let mut ended = false;
        loop {
            if patience.interrupted.load(Ordering::Relaxed) {
                return Err(ProgramFailure::Interrupted);
            }
            let left = patience.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(ProgramFailure::Timeout(None));
            }
            let slice = Timespec {
                tv_sec: 0,
                tv_nsec: i64::try_from(left.min(SLICE).as_nanos()).unwrap_or(1_000_000),
            };
            let ready = {
                let mut fds = Vec::with_capacity(2);
                match (&self.stdin, flag) {
                    (Some(stdin), PollFlags::OUT) => fds.push(PollFd::new(stdin, flag)),
                    _ => fds.push(PollFd::new(&self.stdout, flag)),
                }
                if let Some(stderr) = &self.stderr {
                    fds.push(PollFd::new(stderr, PollFlags::IN));
                }
                match poll(&mut fds, Some(&slice)) {
                    Ok(_) => !fds[0].revents().is_empty(),
                    Err(rustix::io::Errno::INTR) => false,
                    Err(error) => return Err(ProgramFailure::Died(error.to_string())),
                }
            };
            self.empty_standard_error();
            if ready {
                return Ok(());
            }
            // A program that it has started may still hold its output.
            if ended {
                return Err(ProgramFailure::Died(self.how_it_ended()));
            }
            ended = self.has_ended();
        }
    }

    fn empty_standard_error(&mut self) {
        let mut part = [0; 16 * 1024];
        // A program that writes faster than we read must not keep us here.
        for _ in 0..16 {
            let Some(stderr) = &mut self.stderr else { return };
            match stderr.read(&mut part) {
                Ok(0) => self.stderr = None,
                Ok(bytes) => {
                    self.tail.extend_from_slice(&part[..bytes]);
                    let more = self.tail.len().saturating_sub(TAIL);
                    self.tail.drain(..more);
                }
                Err(_) => return,
            }
        }
    }

    /// `true` if it has ended; it is not reaped, so that its number stays reserved.
    fn has_ended(&self) -> bool {
        if self.reaped {
            return true;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let id = WaitId::Pid(Pid::from_child(&self.child));
        !matches!(waitid(id, options), Ok(None))
    }

    /// The way it ended, in words; waits a moment for that.
    pub fn how_it_ended(&mut self) -> String {
        let until = Instant::now() + GRACE;
        while !self.has_ended() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        if !self.has_ended() {
            return "it closed its output and went on".into();
        }
        self.empty_standard_error();
        self.reap().map_or_else(|error| error.to_string(), status_words)
    }

    /// The last lines of its standard error.
    pub fn last_words(&mut self) -> String {
        self.empty_standard_error();
        let words = String::from_utf8_lossy(&self.tail);
        let lines: Vec<&str> = words.lines().collect();
        let last = lines[lines.len().saturating_sub(5)..].join("\n");
        last.chars().map(|c| if is_hidden(c) && c != '\n' { '\u{fffd}' } else { c }).collect()
    }

    /// Ends it: lets it end by itself for a moment, then kills it with all that it has started.
    pub fn stop(&mut self) {
        self.stdin = None;
        let until = Instant::now() + GRACE;
        while !self.has_ended() && Instant::now() < until {
            self.empty_standard_error();
            std::thread::sleep(Duration::from_millis(1));
        }
        self.kill();
    }

    /// Closes its input, the sign that nothing is left to do.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// Kills it and all that it has started, and waits for it.
    pub fn kill(&mut self) {
        let _ = self.reap();
    }

    fn reap(&mut self) -> std::io::Result<ExitStatus> {
        if !self.reaped {
            let group = Pid::from_child(&self.child);
            let _ = kill_process_group(group, Signal::KILL);
            let group = group.as_raw_nonzero().get();
            alive(|groups| groups.remove(&group));
            watch::ended(group);
        }
        self.reaped = true;
        self.child.wait()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

fn alive(change: impl FnOnce(&mut BTreeSet<i32>) -> bool) {
    change(&mut ALIVE.lock().unwrap_or_else(PoisonError::into_inner));
}

fn status_words(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => "it ended".into(),
    }
}
