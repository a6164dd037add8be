//! Other SMT solvers as processes that are kept for many questions.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail};

/// What a solver prints after its answer to a whole text.
const END: &str = "ripple-end";

/// A solver that reads commands from a pipe.
pub struct Process {
    pub name: &'static str,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Said at the start of every text.
    preamble: String,
}

impl Process {
    /// `None` if it is not installed. A question may take that many milliseconds, if limited.
    pub fn z3(milliseconds: Option<u32>) -> Option<Process> {
        let limit = milliseconds.map(|limit| format!("(set-option :timeout {limit})\n"));
        Process::start("z3", &["-in".to_owned()], limit.unwrap_or_default())
    }

    pub fn cvc5(milliseconds: Option<u32>) -> Option<Process> {
        let mut arguments: Vec<String> =
            ["--lang", "smt2", "--incremental", "--fp-exp"].map(str::to_owned).to_vec();
        arguments.extend(milliseconds.map(|limit| format!("--tlimit-per={limit}")));
        Process::start("cvc5", &arguments, String::new())
    }

    fn start(name: &'static str, arguments: &[String], preamble: String) -> Option<Process> {
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let input = child.stdin.take()?;
        let output = BufReader::new(child.stdout.take()?);
        Some(Process { name, child, input, output, preamble })
    }

    /// Forgets everything and reads a text.
    pub fn restart(&mut self, text: &str) -> anyhow::Result<()> {
        self.tell(&format!("(reset)\n{}{text}", self.preamble))
    }

    /// Commands that are answered by nothing.
    pub fn tell(&mut self, text: &str) -> anyhow::Result<()> {
        self.input.write_all(text.as_bytes())?;
        self.input.flush().with_context(|| format!("{} does not listen", self.name))
    }

    /// One line of its answer.
    pub fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        if line.is_empty() {
            bail!("{} has ended", self.name);
        }
        Ok(line)
    }

    /// Everything it says to a text, starting anew.
    pub fn answer(&mut self, text: &str) -> anyhow::Result<String> {
        self.restart(&format!("{text}(echo \"{END}\")\n"))?;
        let mut answer = String::new();
        loop {
            let line = self.line()?;
            if line.contains(END) {
                return Ok(answer);
            }
            answer.push_str(&line);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It is of no use without its pipe, and leaving it would be untidy; both may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
