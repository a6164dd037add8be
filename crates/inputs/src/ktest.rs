//! KLEE's test files, version 3 of the format.
//!
//! All numbers are unsigned, of 32 bits, most significant byte first; texts and memory are a length
//! followed by that many bytes. In order: `KTEST`, the version, the number of command line words
//! and the words, the number and length of symbolic arguments of the oldest form (always zero), the
//! number of objects and, for each, its name and its memory.
//!
//! Arguments are objects `arg00`, `arg01`, … with their terminating zero, standard input is
//! `stdin`, the file `a.txt` is `a.txt-data`; parameters and global variables of an entry function
//! and the memory behind their pointers are objects by their names, with zeros for addresses.

use crate::error::Error;
use crate::{Input, Layout};

const MAGIC: &[u8] = b"KTEST";
const VERSION: u32 = 3;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ktest {
    /// The command line, the program first.
    pub args: Vec<Vec<u8>>,
    pub objects: Vec<KtestObject>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KtestObject {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl Ktest {
    /// The arguments, standard input and files of an input. The command line requests objects of
    /// these sizes from KLEE's runtime.
    pub fn of_input(program: &str, input: &Input) -> Ktest {
        let mut ktest = Ktest { args: vec![program.into()], objects: Vec::new() };
        for (index, arg) in input.args.iter().enumerate() {
            ktest.ask("--sym-arg", arg.len());
            let bytes = [arg, &[0][..]].concat();
            ktest.objects.push(KtestObject { name: format!("arg{index:02}"), bytes });
        }
        if !input.stdin.is_empty() {
            ktest.ask("--sym-stdin", input.stdin.len());
            ktest.push("stdin", &input.stdin);
        }
        for (name, bytes) in &input.files {
            ktest.push(&format!("{name}-data"), bytes);
        }
        ktest
    }

    /// Adds the memory of parameters and global variables.
    pub fn add_memory(&mut self, layout: &Layout, assignment: &[u64]) {
        for (id, object) in layout.objects.iter() {
            let mut bytes = Vec::new();
            layout.memory_into(id, assignment, &mut bytes);
            self.objects.push(KtestObject { name: object.name.clone(), bytes });
        }
    }

    fn ask(&mut self, option: &str, size: usize) {
        self.args.extend([option.into(), size.to_string().into_bytes()]);
    }

    fn push(&mut self, name: &str, bytes: &[u8]) {
        self.objects.push(KtestObject { name: name.to_owned(), bytes: bytes.to_vec() });
    }

    /// The arguments, standard input and files that the objects stand for; ignores other objects.
    pub fn input(&self) -> Input {
        let mut input = Input::default();
        for KtestObject { name, bytes } in &self.objects {
            let is_argument = |digits: &str| {
                !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
            };
            if name.strip_prefix("arg").is_some_and(is_argument) {
                let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
                input.args.push(bytes[..end].to_vec());
            } else if name == "stdin" {
                input.stdin.clone_from(bytes);
            } else if let Some(file) = name.strip_suffix("-data") {
                input.files.push((file.to_owned(), bytes.clone()));
            }
        }
        input
    }

    /// The file's bytes. Lengths beyond 32 bits do not occur, because no input is that large.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let number = |bytes: &mut Vec<u8>, number: usize| {
            bytes.extend_from_slice(&(number as u32).to_be_bytes());
        };
        let text = |bytes: &mut Vec<u8>, text: &[u8]| {
            number(bytes, text.len());
            bytes.extend_from_slice(text);
        };
        number(&mut bytes, VERSION as usize);
        number(&mut bytes, self.args.len());
        self.args.iter().for_each(|arg| text(&mut bytes, arg));
        number(&mut bytes, 0);
        number(&mut bytes, 0);
        number(&mut bytes, self.objects.len());
        for object in &self.objects {
            text(&mut bytes, object.name.as_bytes());
            text(&mut bytes, &object.bytes);
        }
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Ktest, Error> {
        let mut reader = Reader { rest: bytes };
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(Error::Ktest("it does not begin with KTEST"));
        }
        if reader.number()? != VERSION {
            return Err(Error::Ktest("its version is not 3"));
        }
        let mut ktest = Ktest::default();
        for _ in 0..reader.number()? {
            ktest.args.push(reader.text()?.to_vec());
        }
        reader.number()?;
        reader.number()?;
        for _ in 0..reader.number()? {
            let name = std::str::from_utf8(reader.text()?)
                .map_err(|_| Error::Ktest("the name of an object is not UTF-8"))?;
            ktest.push(name, reader.text()?);
        }
        if reader.rest.is_empty() {
            Ok(ktest)
        } else {
            Err(Error::Ktest("something follows its last object"))
        }
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let cut = Error::Ktest("it ends too early");
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(cut)?;
        self.rest = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, Error> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    fn text(&mut self) -> Result<&'a [u8], Error> {
        let length = self.number()?;
        self.take(length as usize)
    }
}
