//! Other SMT solvers as processes that are kept for many queries.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail};

/// The end marker of a solver's answer to a whole text.
const END: &str = "ripple-end";

/// A solver that reads commands from a pipe.
pub struct Process {
    pub name: &'static str,
    arguments: Vec<String>,
    running: Running,
    /// Sent at the start of every text.
    preamble: String,
}

struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// `None` if it is not installed. A query may take that many milliseconds, if limited.
    pub fn z3(milliseconds: Option<u32>) -> Option<Process> {
        let limit = milliseconds.map(|limit| format!("(set-option :timeout {limit})\n"));
        Process::start("z3", vec!["-in".to_owned()], limit.unwrap_or_default())
    }

    pub fn cvc5(milliseconds: Option<u32>) -> Option<Process> {
        let mut arguments: Vec<String> =
            ["--lang", "smt2", "--incremental", "--fp-exp"].map(str::to_owned).to_vec();
        arguments.extend(milliseconds.map(|limit| format!("--tlimit-per={limit}")));
        Process::start("cvc5", arguments, String::new())
    }

    fn start(name: &'static str, arguments: Vec<String>, preamble: String) -> Option<Process> {
        let running = Running::start(name, &arguments)?;
        Some(Process { name, arguments, running, preamble })
    }

    /// Resets the solver and sends a text.
    pub fn restart(&mut self, text: &str) -> anyhow::Result<()> {
        self.tell(&format!("(reset)\n{}{text}", self.preamble))
    }

    /// Commands without an answer.
    pub fn tell(&mut self, text: &str) -> anyhow::Result<()> {
        let input = &mut self.running.input;
        input.write_all(text.as_bytes())?;
        input.flush().with_context(|| format!("{} does not listen", self.name))
    }

    /// One line of its answer.
    pub fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        self.running.output.read_line(&mut line)?;
        if line.is_empty() {
            bail!("{} has ended", self.name);
        }
        Ok(line)
    }

    /// The whole answer to a text, from a fresh state. A solver that ends during a query (cvc5 does
    /// at its timeout) gives no answer and is restarted.
    pub fn answer(&mut self, text: &str) -> anyhow::Result<String> {
        let said = self.try_answer(text);
        if said.is_err() {
            self.running = Running::start(self.name, &self.arguments)
                .with_context(|| format!("{} cannot be started again", self.name))?;
        }
        Ok(said.unwrap_or_default())
    }

    fn try_answer(&mut self, text: &str) -> anyhow::Result<String> {
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

impl Running {
    fn start(name: &str, arguments: &[String]) -> Option<Running> {
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let input = child.stdin.take()?;
        let output = BufReader::new(child.stdout.take()?);
        Some(Running { child, input, output })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It is useless without its pipe, and must not be left behind; both may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
