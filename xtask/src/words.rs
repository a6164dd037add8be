//! Reads the words after a command, one at a time.

use std::str::FromStr;

use anyhow::Context;

/// Options and their values, in order.
pub struct Words<'a> {
    left: &'a [String],
    /// The option that was read last.
    option: &'a str,
}

impl<'a> Words<'a> {
    pub fn new(words: &'a [String]) -> Words<'a> {
        Words { left: words, option: "" }
    }

    /// The next option.
    pub fn option(&mut self) -> Option<&'a str> {
        self.option = self.next()?;
        Some(self.option)
    }

    /// The value of the option that was read last.
    pub fn value(&mut self) -> anyhow::Result<&'a str> {
        self.next().with_context(|| format!("`{}` needs a value", self.option))
    }

    /// The same as a number.
    pub fn number<T: FromStr>(&mut self) -> anyhow::Result<T> {
        let value = self.value()?;
        let number = value.parse().ok();
        number.with_context(|| format!("`{} {value}`: `{value}` is not a number", self.option))
    }

    fn next(&mut self) -> Option<&'a str> {
        let (first, left) = self.left.split_first()?;
        self.left = left;
        Some(first)
    }
}
