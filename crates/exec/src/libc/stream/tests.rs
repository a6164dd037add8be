use std::convert::Infallible;

use base::Random;

use super::*;

use crate::libc::native::Driver;
use crate::libc::vfs::{InitialContent, InitialFile, Setup};

/// Program memory for memory streams: one flat block.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    published: Option<(Vec<u8>, u64)>,
}

impl Memory for Block {
    type Error = Infallible;

    fn load(&mut self, address: u64, out: &mut [u8]) -> Result<(), Infallible> {
        let start = address as usize;
        out.copy_from_slice(&self.bytes[start..start + out.len()]);
        Ok(())
    }
    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), Infallible> {
        let start = address as usize;
        self.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }
    fn publish(
        &mut self,
        _: MemoryCells,
        block: Option<u64>,
        contents: &[u8],
        size: u64,
    ) -> Result<u64, Infallible> {
        self.published = Some((contents.to_vec(), size));
        Ok(block.unwrap_or(0x1000))
    }
}

struct World {
    vfs: Vfs,
    memory: Block,
    streams: Streams,
    slots: [Option<StreamId>; 4],
}

fn sum(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(2_166_136_261, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
}

fn errno_of<T>(result: &Result<T, Failure<Infallible>>) -> i32 {
    match result {
        Err(Failure::Errno(errno)) => errno.0,
        _ => 0,
    }
}

impl World {
    fn new(setup: &Setup) -> World {
        World {
            vfs: Vfs::new(setup).unwrap(),
            memory: Block::default(),
            streams: Streams::default(),
            slots: [None; 4],
        }
    }

    fn split(&mut self) -> (&mut Streams, Context<'_, Block>) {
        let context = Context { vfs: &mut self.vfs, memory: &mut self.memory };
        (&mut self.streams, context)
    }

    fn state(&mut self, id: StreamId) -> String {
        let descriptor = self.streams.descriptor(id).unwrap();
        let at = self.vfs.seek(descriptor, 0, SEEK_CUR).unwrap_or(-1);
        format!(
            " {}{} p{} r{} @{at}\n",
            i32::from(self.streams.at_end(id)),
            i32::from(self.streams.has_error(id)),
            self.streams.pending(id),
            i32::from(self.streams.is_reading(id)),
        )
    }

    fn show(&mut self, name: &str) -> String {
        let Ok(descriptor) = self.vfs.open(AT_FDCWD, name.as_bytes(), O_RDONLY, 0) else {
            return "show -1 0\n".to_owned();
        };
        let mut data = vec![0; 20_000];
        let count = self.vfs.read(descriptor, &mut data).unwrap();
        self.vfs.close(descriptor).unwrap();
        format!("show {count} {}\n", sum(&data[..count]))
    }

    /// Runs one line of a script as the C driver does.
    fn step(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |index: usize| words.get(index).map_or(0, |word| word.parse().unwrap_or(0));
        let (operation, slot) = (words[0], number(1) as usize);
        let (b, c): (i64, i64) = (number(2), number(3));
        if operation == "show" {
            return self.show(words[2]);
        }
        if operation == "open" {
            if let Some(id) = self.slots[slot].take() {
                let (streams, mut context) = self.split();
                let _ = streams.close(&mut context, id);
            }
            let (name, mode) = (words[2].as_bytes(), words[3].as_bytes());
            return match self.streams.open(&mut self.vfs, name, mode) {
                Ok(id) => {
                    self.slots[slot] = Some(id);
                    format!("open 0{}", self.state(id))
                }
                Err(errno) => format!("open {} closed\n", errno.0),
            };
        }
        let Some(id) = self.slots[slot] else {
            return "none\n".to_owned();
        };
        let (streams, mut context) = self.split();
        let context = &mut context;
        if operation == "close" {
            let result = streams.close(context, id);
            self.slots[slot] = None;
            return format!("close {} {}\n", -i32::from(result.is_err()), errno_of(&result));
        }
        let text = match operation {
            "getc" => {
                let result = streams.get(context, id);
                let byte = result.ok().flatten().map_or(-1, i32::from);
                format!("{byte} {}", errno_of(&result))
            }
            "putc" => {
                let result = streams.put(context, id, b as u8);
                let byte = result.map_or(-1, |()| b as i32);
                format!("{byte} {}", errno_of(&result))
            }
            "ungetc" => {
                streams.unget(id, b as u8).unwrap();
                b.to_string()
            }
            "read" => {
                let mut data = vec![0; b as usize];
                let Ok(done) = streams.read(context, id, &mut data);
                let hash = sum(&data[..done.count]);
                format!("{} {hash} {}", done.count, done.error.map_or(0, |errno| errno.0))
            }
            "write" => {
                let letters = (0..b).map(|i| b'a' + ((i * 7 + c) % 26) as u8);
                let mut data: Vec<u8> = letters.collect();
                if b > 3 && c % 3 == 0 {
                    data[b as usize / 2] = b'\n';
                }
                let Ok(done) = streams.write(context, id, &data);
                format!("{} {}", done.count, done.error.map_or(0, |errno| errno.0))
            }
            "gets" | "line" => {
                let mut data = Vec::new();
                let Ok(end) = match operation {
                    "gets" => streams.read_line(context, id, b'\n', b as usize - 1, &mut data),
                    _ => streams.read_delimited(context, id, b'\n', &mut data),
                };
                let failed =
                    data.is_empty() || operation == "gets" && matches!(end, Line::Error(_));
                if operation == "gets" {
                    // The driver measures what it got with strlen.
                    let length = data.iter().take_while(|&&byte| byte != 0).count();
                    data.truncate(length);
                }
                if failed { "-1 0".to_owned() } else { format!("{} {}", data.len(), sum(&data)) }
            }
            "seek" => {
                let result = streams.seek(context, id, b, c as i32);
                format!("{} {}", -i32::from(result.is_err()), errno_of(&result))
            }
            "tell" => {
                let result = streams.tell(context, id);
                format!("{} {}", result.unwrap_or(-1), errno_of(&result))
            }
            "rewind" => {
                let _ = streams.rewind(context, id);
                String::new()
            }
            "flush" => {
                let result = streams.flush(context, id);
                format!("{} {}", -i32::from(result.is_err()), errno_of(&result))
            }
            "clearerr" => {
                streams.clear_error(id);
                String::new()
            }
            "setvbuf" => {
                let buffering = [Buffering::Full, Buffering::Line, Buffering::None][b as usize];
                let size = (c > 0).then_some(c as usize);
                streams.set_buffering(context, id, buffering, size).unwrap();
                "0".to_owned()
            }
            other => panic!("unknown operation {other}"),
        };
        format!("{operation} {text}{}", self.state(id))
    }
}

fn check(scripts: &[Vec<String>]) {
    let source = include_str!("../native/streams.c");
    let Some(driver) = Driver::compile("streams", source) else {
        return;
    };
    for script in scripts {
        let input = script.join("\n") + "\n";
        let output = String::from_utf8(driver.run(input.as_bytes())).unwrap();
        let mut world = World::new(&Setup::default());
        let mut expected = output.split_inclusive('\n');
        for (index, line) in script.iter().enumerate() {
            let theirs = expected.next().unwrap();
            let context = || script[index.saturating_sub(25)..=index].join("\n");
            assert_eq!(world.step(line), theirs, "after\n{}", context());
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
struct Slot {
    last: Last,
    readable: bool,
}

/// What a stream did last: C wants a seek between reading and writing.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Nothing,
    Read,
    Wrote,
}

fn random_lines(random: &mut Random, large: bool, slots: &mut [Slot; 3], out: &mut Vec<String>) {
    let slot = random.below(3);
    let name = *random.pick(&["a", "a", "b", "c"].each_ref());
    let scale = if large { 9500 } else { 40 };
    let operation = *random.pick(
        &[
            "open", "close", "getc", "getc", "getc", "putc", "putc", "ungetc", "ungetc", "read",
            "read", "write", "write", "write", "gets", "line", "seek", "seek", "tell", "tell",
            "rewind", "flush", "clearerr", "show",
        ]
        .each_ref(),
    );
    // What glibc makes of a byte pushed back onto a stream that is unused or cannot be read is not
    // worth following.
    let operation = match operation {
        "ungetc" if slots[slot].last == Last::Nothing || !slots[slot].readable => "getc",
        other => other,
    };
    let whence = random.below(4);
    let now = match operation {
        // A seek that fails does not count.
        "seek" if whence == 3 => slots[slot].last,
        "getc" | "ungetc" | "read" | "gets" | "line" => Last::Read,
        "putc" | "write" => Last::Wrote,
        "open" | "seek" | "rewind" => Last::Nothing,
        _ => slots[slot].last,
    };
    let before = slots[slot].last;
    if now != before && now != Last::Nothing && before != Last::Nothing {
        out.push(format!("seek {slot} 0 1"));
    }
    slots[slot].last = now;
    let line = match operation {
        "open" => {
            let mode = random.pick(&["r", "w", "a", "r+", "w+", "a+", "rb", "wx", "r+b", "q"]);
            slots[slot].readable = mode.contains(['r', '+']);
            format!("open {slot} {name} {mode}")
        }
        "putc" => format!("putc {slot} {}", *random.pick(&[&10, &65, &66, &200])),
        "ungetc" => format!("ungetc {slot} {}", 97 + random.below(4)),
        "read" => format!("read {slot} {}", random.below(scale)),
        "write" => format!("write {slot} {} {}", random.below(scale), random.below(26)),
        "gets" => format!("gets {slot} {}", 2 + random.below(scale)),
        "seek" => {
            let offset = random.below(2 * scale) as i64 - scale as i64 / 2;
            format!("seek {slot} {offset} {whence}")
        }
        "show" => format!("show {slot} {name}"),
        _ => format!("{operation} {slot}"),
    };
    out.push(line);
    if operation == "open" && random.below(2) == 0 {
        let size = random.pick(&["0", "0", "5", "16", "200", "1024"]);
        out.push(format!("setvbuf {slot} {} {size}", random.below(3)));
    }
}

#[test]
fn random_stream_operations_agree_with_the_host() {
    let mut random = Random::new(31);
    let mut scripts = Vec::new();
    for index in 0..6 {
        let mut script = Vec::new();
        let mut slots = [Slot { last: Last::Nothing, readable: false }; 3];
        for _ in 0..800 {
            random_lines(&mut random, index % 2 == 1, &mut slots, &mut script);
        }
        scripts.push(script);
    }
    check(&scripts);
}

fn with_file(name: &str, content: &str) -> World {
    World::new(&Setup {
        files: vec![InitialFile {
            path: name.into(),
            content: InitialContent::File(std::sync::Arc::new(content.into())),
            mode: 0o644,
        }],
        ..Setup::default()
    })
}

#[test]
fn standard_output_waits_in_a_block_and_standard_error_does_not() {
    let mut world = World::new(&Setup::default());
    let (streams, mut context) = world.split();
    for _ in 0..4096 {
        streams.put(&mut context, StreamId::STDOUT, b'x').unwrap();
    }
    streams.put(&mut context, StreamId::STDERR, b'e').unwrap();
    assert_eq!(context.vfs.stdout(), b"");
    assert_eq!(context.vfs.stderr(), b"e");
    assert!(!streams.put_buffered(StreamId::STDOUT, b'y'));
    streams.put(&mut context, StreamId::STDOUT, b'y').unwrap();
    assert_eq!(context.vfs.stdout().len(), 4096);
    assert_eq!(streams.pending(StreamId::STDOUT), 1);
    streams.flush_all(&mut context).unwrap();
    assert_eq!(context.vfs.stdout().len(), 4097);
}

#[test]
fn a_failed_flush_sets_the_error_and_drops_the_data() {
    let mut world = World::new(&Setup::default());
    let id = world.streams.open(&mut world.vfs, b"/dev/full", b"w").unwrap();
    let (streams, mut context) = world.split();
    let Ok(done) = streams.write(&mut context, id, b"text");
    assert_eq!(done.count, 4);
    let flushed = streams.flush(&mut context, id);
    assert_eq!(flushed, Err(Failure::Errno(Errno::ENOSPC)));
    assert!(streams.has_error(id));
    assert_eq!(streams.pending(id), 0);
    assert_eq!(streams.close(&mut context, id), Ok(()));
    assert!(!streams.is_open(id));
}

#[test]
fn a_reopened_stream_keeps_its_descriptor() {
    let mut world = with_file("in", "from the file\n");
    let (streams, mut context) = world.split();
    streams.reopen(&mut context, StreamId::STDIN, b"in", b"r").unwrap();
    assert_eq!(streams.descriptor(StreamId::STDIN), Ok(0));
    let mut line = Vec::new();
    let Ok(end) = streams.read_line(&mut context, StreamId::STDIN, b'\n', 100, &mut line);
    assert_eq!((end, line.as_slice()), (Line::Delimiter, &b"from the file\n"[..]));
    let missing = streams.reopen(&mut context, StreamId::STDIN, b"none", b"r");
    assert_eq!(missing, Err(Failure::Errno(Errno::ENOENT)));
    assert!(!streams.is_open(StreamId::STDIN));
}

#[test]
fn a_stream_on_a_descriptor_must_fit_its_access() {
    let mut world = with_file("in", "text");
    let descriptor = world.vfs.open(AT_FDCWD, b"in", O_RDONLY, 0).unwrap();
    let World { streams, vfs, .. } = &mut world;
    let wrong = streams.open_descriptor(vfs, descriptor, b"w");
    assert_eq!(wrong, Err(Errno::EINVAL));
    let id = streams.open_descriptor(vfs, descriptor, b"r").unwrap();
    assert_eq!(streams.descriptor(id), Ok(descriptor));
    assert_eq!(streams.open_descriptor(vfs, 77, b"r"), Err(Errno::EBADF));
}

#[test]
fn a_memory_stream_publishes_its_contents_when_flushed() {
    let mut world = World::new(&Setup::default());
    let cells = MemoryCells { pointer: 8, size: 16 };
    let id = world.streams.open_growing(cells);
    let published = |world: &World| world.memory.published.clone();
    let write = |world: &mut World, text: &[u8]| {
        let (streams, mut context) = world.split();
        let Ok(done) = streams.write(&mut context, id, text);
        assert_eq!(done.count, text.len());
    };
    write(&mut world, b"hello");
    assert_eq!(published(&world), None);
    flush(&mut world, id).unwrap();
    assert_eq!(published(&world), Some((b"hello".to_vec(), 5)));
    assert!(seek(&mut world, id, 0, SEEK_SET));
    write(&mut world, b"J");
    assert!(seek(&mut world, id, 0, SEEK_END));
    write(&mut world, b"!");
    assert!(seek(&mut world, id, 3, SEEK_SET));
    close(&mut world, id);
    assert_eq!(published(&world), Some((b"J!l".to_vec(), 3)));
}

fn flush(world: &mut World, id: StreamId) -> Result<(), Failure<Infallible>> {
    let (streams, mut context) = world.split();
    streams.flush(&mut context, id)
}

fn seek(world: &mut World, id: StreamId, offset: i64, whence: i32) -> bool {
    let (streams, mut context) = world.split();
    streams.seek(&mut context, id, offset, whence).is_ok()
}

fn close(world: &mut World, id: StreamId) {
    let (streams, mut context) = world.split();
    streams.close(&mut context, id).unwrap();
}

fn tell(world: &mut World, id: StreamId) -> i64 {
    let (streams, mut context) = world.split();
    streams.tell(&mut context, id).unwrap()
}

/// The same steps on a block of ten bytes for every mode; the expectations are glibc's answers.
#[test]
fn a_fixed_block_behaves_by_its_mode() {
    let expected = [
        ("r", "0 - 0 10 read 10 abc.efgh.j 0 abc.efgh.jklmno"),
        ("w", "0 2 2 2 read 0  0 XY..efgh1.klmno"),
        ("a", "3 5 5 5 read 0  5 abcXY12345klmno"),
        ("r+", "0 2 2 10 read 10 XYc.efgh.j 0 XYc.efgh12klmno"),
        ("w+", "0 2 2 2 read 2 XY 0 XY..efgh1.klmno"),
        ("a+", "3 5 5 5 read 5 abcXY 5 abcXY12345klmno"),
    ];
    for (mode, expected) in expected {
        let mut world = World::new(&Setup::default());
        world.memory.bytes = b"abc\0efgh\0jklmno".to_vec();
        let (streams, mut context) = world.split();
        let id = streams.open_memory(&mut context, Some(0), 10, mode.as_bytes()).unwrap();
        let mut steps = tell(&mut world, id).to_string();
        let (streams, mut context) = world.split();
        let Ok(done) = streams.write(&mut context, id, b"XY");
        match done.count {
            0 => steps.push_str(" -"),
            _ => {
                flush(&mut world, id).unwrap();
                steps.push_str(&format!(" {}", tell(&mut world, id)));
            }
        }
        steps.push_str(&format!(" {}", tell(&mut world, id)));
        assert!(seek(&mut world, id, 0, SEEK_END));
        steps.push_str(&format!(" {}", tell(&mut world, id)));
        assert!(!seek(&mut world, id, 11, SEEK_SET));
        assert!(seek(&mut world, id, 0, SEEK_SET));
        let mut data = [0; 15];
        let (streams, mut context) = world.split();
        let Ok(done) = streams.read(&mut context, id, &mut data);
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('\0', ".");
        steps.push_str(&format!(" read {} {}", done.count, shown(&data[..done.count])));
        assert!(seek(&mut world, id, 8, SEEK_SET));
        let (streams, mut context) = world.split();
        let Ok(_) = streams.write(&mut context, id, b"12345");
        let full = flush(&mut world, id) == Err(Failure::Errno(Errno(0)));
        let written = if mode.contains('a') { 5 } else { 0 };
        assert_eq!(full, mode != "r" && written == 0, "for {mode}");
        close(&mut world, id);
        steps.push_str(&format!(" {written} {}", shown(&world.memory.bytes)));
        assert_eq!(steps, expected, "for {mode}");
    }
}
