//! How much memory all searches together may take.

use bytesize::ByteSize;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// What the searches may take, in bytes: as much as was asked for, or half of what is free.
pub fn limit(asked: Option<ByteSize>) -> u64 {
    asked.map_or_else(|| free() / 2, |size| size.as_u64())
}

/// The memory that the machine has free, or the control group that this process runs in, in bytes.
fn free() -> u64 {
    let memory = MemoryRefreshKind::nothing().with_ram();
    free_in(&System::new_with_specifics(
        RefreshKind::nothing().with_memory(memory),
    ))
}

fn free_in(system: &System) -> u64 {
    // A system that does not say how much memory it has, as one without `/proc`, has enough for ordinary
    // boards.
    let machine = match system.available_memory() {
        0 => UNKNOWN,
        free => free,
    };
    // The library can't be asked for a group's limits where it knows of no memory.
    let group = match system.total_memory() {
        0 => None,
        _ => system.cgroup_limits(),
    };
    match group {
        Some(group) if group.total_memory > 0 => machine.min(group.free_memory),
        _ => machine,
    }
}

/// What is taken to be free where the system does not say, in bytes.
const UNKNOWN: u64 = 4 << 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_does_not_tell_has_memory_all_the_same() {
        assert_eq!(free_in(&System::new()), UNKNOWN);
    }

    #[test]
    fn no_more_is_free_than_there_is() {
        let mut system = System::new();
        system.refresh_memory();
        let free = free();
        assert!(free > 0 && free <= system.total_memory(), "{free}");
    }
}
