//! Peak memory of a process, where the system tells (Linux).

/// The `VmHWM` of a process ("self", or its number) in words.
pub fn most_memory(process: &str) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(format!("peak memory {:.1} MB", kilobytes / 1024.0))
}
