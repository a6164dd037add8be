//! Complexity as a page: a plot over time and a ranking. One file, nothing is fetched.

use std::fmt::Write;

use super::{Measured, date, short};

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#1c2430;background:#fff}\
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}svg{width:100%;height:auto}\
table{border-collapse:collapse;width:100%}th,td{padding:.3rem .6rem;border-bottom:1px solid #dde3ea;text-align:left}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}code{font-size:.9em}\
circle{fill:#2f6fb2;fill-opacity:.55}circle:hover{fill:#c2410c;fill-opacity:1}.axis{stroke:#9aa7b5}.grid{stroke:#e6ebf0}\
text{font-size:11px;fill:#5b6776}.note{color:#5b6776}\
@media(prefers-color-scheme:dark){body{color:#dbe2ea;background:#14181d}th,td{border-color:#2c343d}.grid{stroke:#242b33}circle{fill:#6ea8e0}}";

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 320.0;
const MARGIN: f64 = 44.0;

pub fn report(measured: &[Measured]) -> String {
    let mut page = String::new();
    page.push_str("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Change complexity</title>");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">");
    let _ = writeln!(page, "<style>{STYLE}</style></head><body>\n<h1>Change complexity</h1>");
    summary(&mut page, measured);
    page.push_str("<h2>Over time</h2>\n");
    plot(&mut page, measured);
    page.push_str("<h2>Ranking</h2>\n");
    ranking(&mut page, measured);
    page.push_str("</body></html>\n");
    page
}

// Writing to a string cannot fail, hence the ignored results.

fn summary(page: &mut String, measured: &[Measured]) {
    let mut values: Vec<u64> = measured.iter().map(|m| m.complexity.cycc).collect();
    values.sort_unstable();
    let median = values.get(values.len() / 2).copied().unwrap_or(0);
    let highest = values.last().copied().unwrap_or(0);
    let _ = writeln!(
        page,
        "<p>{} changes. CyCC: median {median}, highest {highest}. CyCC counts the linearly independent \
         sequences of changed statements, CLoC the changed executable lines.</p>",
        measured.len()
    );
}

/// A point per change, by time; the vertical scale is logarithmic, because complexities are.
fn plot(page: &mut String, measured: &[Measured]) {
    let time = |m: &Measured| m.commit.as_ref().map_or(0, |commit| commit.time);
    let first = measured.iter().map(time).min().unwrap_or(0);
    let last = measured.iter().map(time).max().unwrap_or(0);
    let highest = measured.iter().map(|m| m.complexity.cycc).max().unwrap_or(0).max(1);
    let top = ((highest + 1) as f64).log2();
    let x = |seconds: i64| match last - first {
        0 => WIDTH / 2.0,
        span => MARGIN + (seconds - first) as f64 / span as f64 * (WIDTH - 2.0 * MARGIN),
    };
    let y =
        |cycc: u64| HEIGHT - MARGIN - ((cycc + 1) as f64).log2() / top * (HEIGHT - 2.0 * MARGIN);
    let _ = writeln!(
        page,
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"CyCC over time\">"
    );
    let mut tick = 0;
    while tick <= highest {
        let at = y(tick);
        let (left, right) = (MARGIN, WIDTH - MARGIN);
        let _ = writeln!(
            page,
            "<line class=\"grid\" x1=\"{left}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\"/>"
        );
        let _ = writeln!(
            page,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            left - 6.0,
            at + 4.0
        );
        tick = tick * 4 + 3;
    }
    let bottom = HEIGHT - MARGIN;
    let _ = writeln!(
        page,
        "<line class=\"axis\" x1=\"{MARGIN}\" y1=\"{bottom}\" x2=\"{}\" y2=\"{bottom}\"/>",
        WIDTH - MARGIN
    );
    if measured.iter().any(|m| m.commit.is_some()) {
        let below = bottom + 18.0;
        let _ = writeln!(page, "<text x=\"{MARGIN}\" y=\"{below}\">{}</text>", date(first));
        let _ = writeln!(
            page,
            "<text x=\"{}\" y=\"{below}\" text-anchor=\"end\">{}</text>",
            WIDTH - MARGIN,
            date(last)
        );
    }
    for measured in measured {
        let cycc = measured.complexity.cycc;
        let title = match &measured.commit {
            Some(commit) => format!("{} {}", short(&commit.id), commit.subject),
            None => "the change".to_owned(),
        };
        let _ = writeln!(
            page,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"><title>CyCC {cycc}, CLoC {}: {}</title></circle>",
            x(time(measured)),
            y(cycc),
            measured.complexity.cloc(),
            escape(&title)
        );
    }
    page.push_str("</svg>\n");
}

fn ranking(page: &mut String, measured: &[Measured]) {
    let mut ranked: Vec<&Measured> = measured.iter().collect();
    ranked.sort_by_key(|m| std::cmp::Reverse((m.complexity.cycc, m.complexity.cloc())));
    page.push_str(
        "<table><thead><tr><th class=\"n\">CyCC</th><th class=\"n\">CLoC</th><th>Commit</th><th>Date</th>\
         <th>Subject</th><th>Most complex functions</th></tr></thead><tbody>\n",
    );
    for measured in ranked {
        let found = &measured.complexity;
        let mut functions: Vec<_> = found.functions.iter().collect();
        functions.sort_by_key(|function| std::cmp::Reverse(function.cycc));
        let names = functions
            .iter()
            .take(3)
            .map(|f| format!("<code>{}</code> {}", escape(&f.name), f.cycc));
        let names = names.collect::<Vec<_>>().join(", ");
        let (id, day, subject) = match &measured.commit {
            Some(commit) => {
                (short(&commit.id).to_owned(), date(commit.time), escape(&commit.subject))
            }
            None => (String::new(), String::new(), String::new()),
        };
        let unparsed = match found.unparsed.len() {
            0 => String::new(),
            count => format!(" <span class=\"note\">({count} not understood)</span>"),
        };
        let _ = writeln!(
            page,
            "<tr><td class=\"n\">{}</td><td class=\"n\">{}</td><td><code>{id}</code></td><td>{day}</td>\
             <td>{subject}</td><td>{names}{unparsed}</td></tr>",
            found.cycc,
            found.cloc()
        );
    }
    page.push_str("</tbody></table>\n");
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
