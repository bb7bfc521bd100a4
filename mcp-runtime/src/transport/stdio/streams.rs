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
    loop {
        match write_once(output, bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(0),
            // Less than everything is what there was room for: to ask again would be one call to the system for nothing.
            result => return result,
        }
    }
}

/// Leaves all writing to whoever may wait.
#[cfg(windows)]
pub(super) fn write_some(_: &File, _: &[u8]) -> io::Result<usize> {
    Ok(0)
}

/// Writes everything, also to a pipe that whoever started the process has made non-blocking.
pub(super) fn write_whole(mut output: &File, bytes: &[u8]) -> io::Result<usize> {
    use std::io::Write as _;

    let mut rest = bytes;
    while !rest.is_empty() {
        match output.write(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => rest = &rest[count..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => await_room(output)?,
            Err(error) => return Err(error),
        }
    }
    Ok(bytes.len())
}

/// One write that does not wait. Not every system and not every kind of file knows how, and some sandboxes forbid it.
#[cfg(target_os = "linux")]
fn write_once(output: &File, bytes: &[u8]) -> io::Result<usize> {
    use rustix::io::{Errno, ReadWriteFlags, pwritev2};

    /// Where the last write ended, as for any other write.
    const HERE: u64 = u64::MAX;
    match pwritev2(output, &[io::IoSlice::new(bytes)], HERE, ReadWriteFlags::NOWAIT) {
        Ok(count) => Ok(count),
        Err(error @ (Errno::AGAIN | Errno::INTR)) => Err(error.into()),
        // What is wrong with the stream itself is said again.
        Err(_) => write_pieces(output, bytes),
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn write_once(output: &File, bytes: &[u8]) -> io::Result<usize> {
    write_pieces(output, bytes)
}

/// Writes in pieces that every pipe takes whole as soon as it takes anything, as long as it does.
#[cfg(unix)]
fn write_pieces(mut output: &File, bytes: &[u8]) -> io::Result<usize> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::io::Write as _;

    /// What a pipe takes whole (`PIPE_BUF`): at least 512 bytes, says POSIX.
    const WHOLE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let mut written = 0;
    for piece in bytes.chunks(WHOLE) {
        let mut ready = [PollFd::new(output, PollFlags::OUT)];
        // A peer that is gone is noticed by the next write that may wait.
        if poll(&mut ready, Some(&now)) != Ok(1) || !ready[0].revents().contains(PollFlags::OUT) {
            break;
        }
        match output.write(piece) {
            Ok(count) if count == piece.len() => written += count,
            Ok(count) => return Ok(written + count),
            // What is wrong is said again by the next write.
            Err(_) if written > 0 => break,
            Err(error) => return Err(error),
        }
    }
    Ok(written)
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

/// What one can go on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ready {
    Input,
    Output,
}

/// Waits until there is something to read, or else until something can be written. Streams that have ended, or fail, are
/// ready: whoever reads or writes next finds out.
#[cfg(unix)]
pub(super) fn await_either(input: &File, output: &File) -> io::Result<Ready> {
    use rustix::event::{PollFd, PollFlags, poll};

    let mut streams = [PollFd::new(input, PollFlags::IN), PollFd::new(output, PollFlags::OUT)];
    loop {
        match poll(&mut streams, None) {
            Ok(_) if !streams[0].revents().is_empty() => return Ok(Ready::Input),
            Ok(_) => return Ok(Ready::Output),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Leaves all writing to whoever may wait.
#[cfg(windows)]
pub(super) fn await_either(_: &File, _: &File) -> io::Result<Ready> {
    Ok(Ready::Input)
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{Read, Seek};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    type Write = fn(&File, &[u8]) -> io::Result<usize>;

    /// Every way to write without waiting, whatever this system would choose.
    const WAYS: [Write; 2] = [write_some, write_pieces];

    fn pipe() -> (File, File) {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        (OwnedFd::from(reader).into(), OwnedFd::from(writer).into())
    }

    fn sockets() -> (File, File) {
        let (one, other) = UnixStream::pair().expect("sockets");
        (OwnedFd::from(one).into(), OwnedFd::from(other).into())
    }

    /// Bytes that no two places have in common.
    fn bytes() -> Vec<u8> {
        (0..300_000_u32).flat_map(u32::to_be_bytes).collect()
    }

    #[test]
    fn what_is_written_without_waiting_is_the_beginning_of_what_was_given() {
        let bytes = bytes();
        for (ends, write) in [pipe as fn() -> (File, File), sockets].iter().flat_map(|ends| WAYS.map(|way| (ends, way)))
        {
            let (mut reader, writer) = ends();
            let mut written = 0;
            // Nobody reads: sooner or later no more is taken.
            loop {
                match write(&writer, &bytes[written..]).expect("the reader is there") {
                    0 => break,
                    count => written += count,
                }
            }
            assert!((1..bytes.len()).contains(&written), "{written}");
            drop(writer);
            let mut read = Vec::new();
            reader.read_to_end(&mut read).expect("the stream ends");
            assert!(read == bytes[..written], "whole and in order");
        }
    }

    #[test]
    fn a_peer_that_is_gone_is_noticed_or_left_to_whoever_may_wait() {
        for write in WAYS {
            let (reader, writer) = pipe();
            drop(reader);
            assert!(
                write(&writer, b"x").map_or_else(|error| error.kind() == io::ErrorKind::BrokenPipe, |count| count == 0)
            );
        }
    }

    #[test]
    fn a_stream_that_does_not_wait_by_itself_is_not_waited_for() {
        let (_reader, writer) = pipe();
        let flags = rustix::fs::fcntl_getfl(&writer).expect("flags");
        rustix::fs::fcntl_setfl(&writer, flags | rustix::fs::OFlags::NONBLOCK).expect("it is set");
        let (bytes, mut written) = (bytes(), 0);
        while let count @ 1.. = write_some(&writer, &bytes[written..]).expect("the reader is there") {
            written += count;
        }
        assert!(written < bytes.len());
    }

    #[test]
    fn files_take_everything() {
        let bytes = bytes();
        let path = std::env::temp_dir().join(format!("mcp-stdout-{}", std::process::id()));
        for append in [false, true] {
            let mut options = File::options();
            let mut file = options.read(true).write(true).append(append).create(true).open(&path).expect("a file");
            file.set_len(0).expect("it is emptied");
            for piece in bytes.chunks(100_000) {
                let mut rest = piece;
                while !rest.is_empty() {
                    // A file may be as busy as a pipe.
                    let count = write_some(&file, rest).expect("it is written");
                    let count =
                        if count == 0 { io::Write::write(&mut file, rest).expect("it is written") } else { count };
                    rest = &rest[count..];
                }
            }
            file.rewind().expect("the beginning");
            let mut read = Vec::new();
            file.read_to_end(&mut read).expect("it is read");
            assert!(read == bytes, "whole and in order");
        }
        std::fs::remove_file(&path).expect("it is removed");
        let null = File::options().write(true).open("/dev/null").expect("it is there");
        assert_eq!(write_some(&null, &bytes).ok(), Some(bytes.len()));
    }
}
