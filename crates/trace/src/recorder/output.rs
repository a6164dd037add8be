//! The output of a run, and the event that wrote each part.

use exec::libc::stream::StreamId;
use exec::state::State;

use super::Recorder;
use crate::events::{Content, EventId, Output, Sink};

impl Recorder<'_> {
    /// Output since the last time belongs to an event.
    pub(super) fn settle_output(&mut self, event: EventId, state: &State) {
        let vfs = &state.process.vfs;
        let sinks = [(Sink::Stdout, vfs.stdout(), 1), (Sink::Stderr, vfs.stderr(), 2)];
        for (index, (sink, bytes, stream)) in sinks.into_iter().enumerate() {
            let pending = state.process.streams.unwritten(StreamId(stream));
            let start = self.shown[index];
            let all = bytes.len() + pending.len();
            if all <= start {
                continue;
            }
            let bytes = bytes.iter().chain(pending).skip(start).copied().collect();
            self.shown[index] = all;
            self.trace.outputs.push(Output { event, sink, start, bytes });
        }
    }

    /// Bytes in files since the last time belong to an event; to none, if they were there when
    /// the file was opened.
    pub(super) fn settle_files(
        &mut self,
        event: Option<EventId>,
        state: &State,
        descriptor: Option<i32>,
    ) {
        let process = &state.process;
        let streams = process.streams.open_for_writing();
        let streams = streams.map(|(stream, descriptor)| (Some(stream), descriptor));
        for (stream, descriptor) in streams.chain(descriptor.map(|number| (None, number))) {
            let Some((node, bytes)) = process.vfs.content_of(descriptor) else { continue };
            let pending = stream.map_or(&[][..], |stream| process.streams.unwritten(stream));
            let start = self.files.get(&node).copied().unwrap_or(0);
            let all = bytes.len() + pending.len();
            if all <= start {
                continue;
            }
            self.files.insert(node, all);
            if let Some(event) = event {
                let bytes = bytes.iter().chain(pending).skip(start).copied().collect();
                self.trace.outputs.push(Output { event, sink: Sink::File(node), start, bytes });
            }
        }
    }

    /// Records the first bytes that a function of the machine wrote, except `errno`.
    pub(super) fn keep_written(&mut self, event: EventId, state: &State, writes: &[(u64, u64)]) {
        let errno = state.process.errno;
        let Some(&(address, _)) = writes.iter().find(|write| write.0 != errno) else { return };
        // Adjacent pieces are one text.
        let mut end = address;
        for &(at, size) in writes {
            if at == end {
                end += size;
            }
        }
        let place = self.place(address);
        if let Ok(bytes) = state.memory.bytes(address, (end - address).min(Content::MOST as u64)) {
            let bytes = bytes.into();
            self.trace.contents.push(Content { event, place, bytes });
        }
    }

    /// The names of the files that were written.
    pub(super) fn name_files(&mut self, state: &State) {
        let vfs = &state.process.vfs;
        let mut here = vfs.current_directory().unwrap_or_default();
        here.push(b'/');
        for change in vfs.changes() {
            if let Some(node) = vfs.file_node(&change.path) {
                let path = change.path.strip_prefix(&here[..]).unwrap_or(&change.path);
                self.trace.files.push((node, path.to_vec()));
            }
        }
    }
}
