//! The process's own streams, taken so that nothing else can reach them.

use std::fs::File;
use std::io;

/// Takes standard input and output for the protocol.
///
/// Whatever writes to standard output afterwards (`println!`, C libraries, child processes) writes to standard error, and
/// whatever reads standard input finds it empty.
#[cfg(unix)]
pub(super) fn take() -> io::Result<(File, File)> {
    use rustix::{io::dup, stdio};
    use std::io::Write as _;

    // What was printed before belongs to nobody's protocol: it must not come out later.
    io::stdout().flush()?;
    let input = File::from(dup(stdio::stdin())?);
    let output = File::from(dup(stdio::stdout())?);
    for stream in [&input, &output] {
        rustix::io::fcntl_setfd(stream, rustix::io::FdFlags::CLOEXEC)?;
    }
    stdio::dup2_stdin(File::open("/dev/null")?)?;
    stdio::dup2_stdout(stdio::stderr())?;
    Ok((input, output))
}

/// Takes standard input and output for the protocol. On this platform they stay reachable for other code, which must not
/// print to standard output.
#[cfg(windows)]
pub(super) fn take() -> io::Result<(File, File)> {
    use std::os::windows::io::AsHandle as _;

    let input = File::from(io::stdin().as_handle().try_clone_to_owned()?);
    let output = File::from(io::stdout().as_handle().try_clone_to_owned()?);
    Ok((input, output))
}

/// Can a small write go out without waiting?
#[cfg(unix)]
pub(super) fn is_writable(output: &File) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let mut ready = [PollFd::new(output, PollFlags::OUT)];
    matches!(poll(&mut ready, Some(&now)), Ok(1)) && ready[0].revents().contains(PollFlags::OUT)
}

/// Can a small write go out without waiting? Not known on this platform.
#[cfg(windows)]
pub(super) fn is_writable(_: &File) -> bool {
    false
}

/// Waits until there is something to read.
#[cfg(unix)]
pub(super) fn await_input(input: &File) -> io::Result<()> {
    await_event(input, rustix::event::PollFlags::IN)
}

/// Waits until something can be written.
#[cfg(unix)]
pub(super) fn await_room(output: &File) -> io::Result<()> {
    await_event(output, rustix::event::PollFlags::OUT)
}

#[cfg(unix)]
fn await_event(stream: &File, event: rustix::event::PollFlags) -> io::Result<()> {
    match rustix::event::poll(&mut [rustix::event::PollFd::new(stream, event)], None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Waits until there is something to read. Streams always wait by themselves on this platform.
#[cfg(windows)]
pub(super) fn await_input(_: &File) -> io::Result<()> {
    Ok(())
}

/// Waits until something can be written. Streams always wait by themselves on this platform.
#[cfg(windows)]
pub(super) fn await_room(_: &File) -> io::Result<()> {
    Ok(())
}
