//! A process and its descendants, which end together, even if this program is killed. On Unix, a descendant that leaves the
//! process group is not included.

use std::io;
use std::process::{Child, Command, ExitStatus};

use guard::GroupGuard;

#[derive(Debug)]
pub(super) struct ProcessGroup {
    pub(super) child: Child,
    guard: GroupGuard,
}

impl ProcessGroup {
    pub(super) fn spawn(command: &mut Command) -> io::Result<Self> {
        let guard = GroupGuard::new(command)?;
        let child = command.spawn()?;
        let group = Self { child, guard };
        #[cfg(windows)]
        group.guard.add(&group.child)?;
        Ok(group)
    }

    /// Returns the status if the process has ended.
    pub(super) fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok()?
    }

    pub(super) fn kill(&mut self) {
        self.guard.kill_all();
        let _ = self.child.kill();
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
mod guard {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    use rustix::process::{Pid, Signal, kill_process_group};

    /// A process group. Its leader is a shell that kills the group once this program is gone. `None` if there is no shell.
    #[derive(Debug)]
    pub(super) struct GroupGuard(Option<Child>);

    impl GroupGuard {
        #[expect(clippy::unnecessary_wraps, reason = "Windows reports errors")]
        pub(super) fn new(command: &mut Command) -> io::Result<Self> {
            // The leader starts first, so that every process has one. Only this program holds its standard input open.
            let leader = Command::new("sh")
                .args(["-c", "read -r _; kill -KILL 0"])
                .process_group(0)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .ok();
            let group = leader.as_ref().map_or(0, Child::id);
            command.process_group(group.cast_signed());
            Ok(Self(leader))
        }

        pub(super) fn kill_all(&mut self) {
            if let Some(mut leader) = self.0.take() {
                // The leader has not been reaped, so no other process group has its id.
                let _ = kill_process_group(Pid::from_child(&leader), Signal::KILL);
                let _ = leader.wait();
            }
        }
    }

    /// If the command can't be started, only the leader is left, and this ends it.
    impl Drop for GroupGuard {
        fn drop(&mut self) {
            self.kill_all();
        }
    }
}

#[cfg(windows)]
mod guard {
    use std::io;
    use std::os::windows::io::AsRawHandle;
    use std::os::windows::process::CommandExt;
    use std::process::{Child, Command};

    use win32job::{ExtendedLimitInfo, Job};

    /// `CREATE_NEW_PROCESS_GROUP`: Ctrl-C reaches only this program, as on other systems.
    const NEW_GROUP: u32 = 0x200;

    /// A job object. All its processes end when it is closed, which the system does once this program is gone.
    #[derive(Debug)]
    pub(super) struct GroupGuard(Option<Job>);

    impl GroupGuard {
        pub(super) fn new(command: &mut Command) -> io::Result<Self> {
            command.creation_flags(NEW_GROUP);
            let mut limits = ExtendedLimitInfo::new();
            Ok(Self(Some(Job::create_with_limit_info(
                limits.limit_kill_on_job_close(),
            )?)))
        }

        pub(super) fn add(&self, child: &Child) -> io::Result<()> {
            match &self.0 {
                Some(job) => Ok(job.assign_process(child.as_raw_handle() as isize)?),
                None => Ok(()),
            }
        }

        pub(super) fn kill_all(&mut self) {
            self.0 = None;
        }
    }
}
