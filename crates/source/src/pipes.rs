//! The pipes of a running program: feeds its input and keeps its output, as much as is wanted.
//!
//! One loop does both, so that neither side can block the other.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;

/// What came of waiting.
#[derive(PartialEq, Eq)]
pub(crate) enum Turn {
    Ended,
    Asks,
    Waiting,
    Progress,
}

/// The parent's ends of the three pipes.
pub(crate) struct Pipes<'a> {
    stdin: Option<File>,
    pending: &'a [u8],
    pub stdout: Stream,
    pub stderr: Stream,
    /// Bytes that may still be kept.
    left: u64,
    /// There were more.
    pub overflow: bool,
}

impl<'a> Pipes<'a> {
    /// Of a program that gets this input. Keeps at most `limit` bytes of its output.
    pub fn of(streams: [File; 3], input: &'a [u8], limit: u64) -> Self {
        let [stdin, stdout, stderr] = streams;
        Self {
            stdin: Some(stdin),
            pending: input,
            stdout: Stream::of(stdout),
            stderr: Stream::of(stderr),
            left: limit,
            overflow: false,
        }
    }

    pub fn make_nonblocking(&self) -> io::Result<()> {
        if let Some(stdin) = &self.stdin {
            ioctl_fionbio(stdin, true)?;
        }
        for stream in [&self.stdout, &self.stderr] {
            if let Some(pipe) = &stream.pipe {
                ioctl_fionbio(pipe, true)?;
            }
        }
        Ok(())
    }

    /// Waits until something can be done, at most for `timeout`, and does it. The handle becomes
    /// readable when the program ends, the listener when it asks for something.
    pub fn turn(
        &mut self,
        handle: Option<BorrowedFd>,
        listener: Option<BorrowedFd>,
        timeout: Duration,
    ) -> io::Result<Turn> {
        if self.pending.is_empty() {
            self.stdin = None;
        }
        let mut fds = Vec::with_capacity(5);
        for watched in [handle, listener].into_iter().flatten() {
            fds.push(PollFd::from_borrowed_fd(watched, PollFlags::IN));
        }
        for stream in [&self.stdout, &self.stderr] {
            fds.extend(stream.pipe.iter().map(|p| PollFd::new(p, PollFlags::IN)));
        }
        fds.extend(self.stdin.iter().map(|p| PollFd::new(p, PollFlags::OUT)));
        let timeout = Timespec::try_from(timeout).ok();
        let ready = match poll(&mut fds, timeout.as_ref()) {
            Ok(ready) => ready,
            Err(rustix::io::Errno::INTR) => return Ok(Turn::Progress),
            Err(error) => return Err(error.into()),
        };
        let ended = handle.is_some() && !fds[0].revents().is_empty();
        let asks = listener.is_some()
            && fds[usize::from(handle.is_some())].revents().contains(PollFlags::IN);
        drop(fds);
        self.feed()?;
        self.stdout.fill(&mut self.left, &mut self.overflow)?;
        self.stderr.fill(&mut self.left, &mut self.overflow)?;
        Ok(if ended {
            Turn::Ended
        } else if asks {
            Turn::Asks
        } else if ready == 0 {
            Turn::Waiting
        } else {
            Turn::Progress
        })
    }

    /// Writes as much input as the program takes.
    fn feed(&mut self) -> io::Result<()> {
        while let Some(stdin) = &mut self.stdin {
            match stdin.write(self.pending) {
                Ok(count) => self.pending = &self.pending[count..],
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => return Ok(()),
                    io::ErrorKind::Interrupted => continue,
                    // The program closed its input and does not want the rest.
                    io::ErrorKind::BrokenPipe => self.pending = &[],
                    _ => return Err(error),
                },
            }
            if self.pending.is_empty() {
                self.stdin = None;
            }
        }
        Ok(())
    }

    /// Reads what is left in the pipes of a killed group. Does not wait for a process that left the
    /// group, which may hold them open.
    pub fn drain(&mut self, deadline: Instant) -> io::Result<()> {
        self.stdin = None;
        self.pending = &[];
        while self.stdout.pipe.is_some() || self.stderr.pipe.is_some() {
            let Some(left) = deadline.checked_duration_since(Instant::now()) else {
                return Ok(());
            };
            if self.overflow || self.turn(None, None, left)? == Turn::Waiting {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// One output pipe and its output so far.
pub(crate) struct Stream {
    pipe: Option<File>,
    pub kept: Vec<u8>,
}

impl Stream {
    fn of(pipe: File) -> Self {
        Self { pipe: Some(pipe), kept: Vec::new() }
    }

    /// Reads what is there, up to the limit.
    fn fill(&mut self, left: &mut u64, overflow: &mut bool) -> io::Result<()> {
        let mut buffer = [0; 16 << 10];
        while let Some(pipe) = &mut self.pipe {
            match pipe.read(&mut buffer) {
                Ok(0) => self.pipe = None,
                Ok(count) => {
                    let keep = usize::try_from(*left).unwrap_or(usize::MAX).min(count);
                    self.kept.extend_from_slice(&buffer[..keep]);
                    *left -= keep as u64;
                    if keep < count {
                        *overflow = true;
                        return Ok(());
                    }
                }
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => return Ok(()),
                    io::ErrorKind::Interrupted => continue,
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }
}
