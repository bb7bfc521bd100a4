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

/// Writes as much as the peer takes without waiting.
///
/// The streams were opened by whoever started the process, who may share them with others: they must not be made
/// non-blocking for good.
#[cfg(unix)]
pub(super) fn write_some(output: &File, bytes: &[u8]) -> io::Result<usize> {
    let mut written = 0;
    while written < bytes.len() {
        match write_once(output, &bytes[written..]) {
            Ok(0) => break,
            Ok(count) => written += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    Ok(written)
}

/// Leaves all writing to whoever may wait.
#[cfg(windows)]
pub(super) fn write_some(_: &File, _: &[u8]) -> io::Result<usize> {
    Ok(0)
}

/// One write that does not wait. Not every kind of file knows how.
#[cfg(target_os = "linux")]
fn write_once(output: &File, bytes: &[u8]) -> io::Result<usize> {
    use rustix::io::{Errno, ReadWriteFlags, pwritev2};

    /// Where the last write ended, as for any other write.
    const HERE: u64 = u64::MAX;
    match pwritev2(output, &[io::IoSlice::new(bytes)], HERE, ReadWriteFlags::NOWAIT) {
        Err(Errno::OPNOTSUPP | Errno::INVAL | Errno::NOSYS | Errno::SPIPE) => write_little(output, bytes),
        result => Ok(result?),
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn write_once(output: &File, bytes: &[u8]) -> io::Result<usize> {
    write_little(output, bytes)
}

/// Writes what every pipe takes whole as soon as it takes anything, if it does.
#[cfg(unix)]
fn write_little(mut output: &File, bytes: &[u8]) -> io::Result<usize> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::io::Write as _;

    /// The least that POSIX lets a pipe take whole (`_POSIX_PIPE_BUF`).
    const WHOLE: usize = 512;
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let mut ready = [PollFd::new(output, PollFlags::OUT)];
    match poll(&mut ready, Some(&now)) {
        Ok(1) if ready[0].revents().contains(PollFlags::OUT) => output.write(&bytes[..bytes.len().min(WHOLE)]),
        // A peer that is gone is noticed by the next write that may wait.
        _ => Ok(0),
    }
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
