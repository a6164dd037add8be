//! Colours of a terminal.

use anstyle::{AnsiColor, Style};

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    pub colours: bool,
    /// Columns of the terminal, or of the page.
    pub width: usize,
}

/// A way to paint.
pub(crate) type Paint = fn(Look, &str) -> String;

impl Default for Look {
    fn default() -> Look {
        Look { colours: false, width: 100 }
    }
}

impl Look {
    /// A heading.
    pub(crate) fn strong(self, text: &str) -> String {
        self.painted(Style::new().bold(), text)
    }

    /// Text of OLD, or bad news.
    pub(crate) fn of_old(self, text: &str) -> String {
        self.painted(AnsiColor::Red.on_default(), text)
    }

    /// Text of NEW.
    pub(crate) fn of_new(self, text: &str) -> String {
        self.painted(AnsiColor::Green.on_default(), text)
    }

    /// Less important text.
    pub(crate) fn faint(self, text: &str) -> String {
        self.painted(Style::new().dimmed(), text)
    }

    pub(crate) fn alarm(self, text: &str) -> String {
        self.painted(AnsiColor::Red.on_default().bold(), text)
    }

    pub(crate) fn calm(self, text: &str) -> String {
        self.painted(AnsiColor::Green.on_default().bold(), text)
    }

    pub(crate) fn unsure(self, text: &str) -> String {
        self.painted(AnsiColor::Yellow.on_default().bold(), text)
    }

    fn painted(self, style: Style, text: &str) -> String {
        if self.colours && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}
