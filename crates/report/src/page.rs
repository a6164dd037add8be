//! The common parts of all HTML pages. A page needs nothing else: no network, no other file.
//!
//! A page consists of text that is escaped when it is assembled (by `maud`), one style sheet and at
//! most one script, and a policy that lets the browser run only that script and load nothing at
//! all; so hostile content of sources and outputs stays content.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("page/style.css");
/// Draws pictures of partitions.
pub(crate) const PLANES: &str = include_str!("page/planes.js");

/// What a page consists of.
pub(crate) struct Page<'a> {
    pub title: &'a str,
    /// Before the report itself.
    pub head: Markup,
    pub main: Markup,
    pub footer: &'a str,
    pub script: Option<&'a str>,
}

impl Page<'_> {
    /// The whole text.
    pub fn text(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta http-equiv="Content-Security-Policy" content=(self.policy());
                    meta name="color-scheme" content="light dark";
                    link rel="icon" href="data:,";
                    title { (self.title) " – Ripple" }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    a.skip href="#main" { "Skip to the report" }
                    (self.head)
                    main #main tabindex="-1" { (self.main) }
                    footer { p { "Made by Ripple. " (self.footer) } }
                    @if let Some(script) = self.script { script { (PreEscaped(script)) } }
                }
            }
        };
        page.into_string()
    }

    /// Only the script of the page may run, and nothing may be loaded.
    fn policy(&self) -> String {
        let script = self.script.map(|script| {
            let hash = STANDARD.encode(Sha256::digest(script.as_bytes()));
            format!("script-src 'sha256-{hash}'; ")
        });
        format!(
            "default-src 'none'; style-src 'unsafe-inline'; {}img-src data:; base-uri 'none'; \
             form-action 'none'",
            script.unwrap_or_default()
        )
    }
}
