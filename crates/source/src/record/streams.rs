//! Which descriptors of a process are its standard streams, as they are duplicated and closed.

/// A standard stream, as it was when the program started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Input,
    Output,
    Error,
}

/// The descriptors that refer to standard streams.
#[derive(Clone, Debug, Default)]
pub(super) struct Streams(Vec<(i32, Stream)>);

impl Streams {
    /// Those of a program that starts.
    pub fn standard() -> Streams {
        Streams(vec![(0, Stream::Input), (1, Stream::Output), (2, Stream::Error)])
    }

    pub fn of(&self, descriptor: i32) -> Option<Stream> {
        self.0.iter().find(|(known, _)| *known == descriptor).map(|(_, stream)| *stream)
    }

    /// What a path such as `/dev/stdin` opens.
    pub fn named(&self, path: &[u8]) -> Option<Stream> {
        match path {
            b"/dev/stdin" => self.of(0),
            b"/dev/stdout" => self.of(1),
            b"/dev/stderr" => self.of(2),
            _ => {
                let number = path
                    .strip_prefix(b"/dev/fd/")
                    .or_else(|| path.strip_prefix(b"/proc/self/fd/"))?;
                self.of(std::str::from_utf8(number).ok()?.parse().ok()?)
            }
        }
    }

    /// A descriptor refers to a stream, or to something else.
    pub fn set(&mut self, descriptor: i32, stream: Option<Stream>) {
        self.0.retain(|(known, _)| *known != descriptor);
        self.0.extend(stream.map(|stream| (descriptor, stream)));
    }

    pub fn close(&mut self, first: u32, last: u32) {
        self.0.retain(|(known, _)| !(first..=last).contains(&(known.unsigned_abs())));
    }
}
