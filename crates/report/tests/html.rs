//! The HTML report in a real browser: nothing goes wrong, nothing leaves the page, every link
//! leads somewhere, everything works by mouse and by keyboard, and hostile content is harmless.
//!
//! `RIPPLE_SCREENSHOTS=DIR` writes pictures there.
#![allow(clippy::print_stdout)] // Says why nothing was tested.

#[path = "html/browser.rs"]
mod browser;
#[path = "html/subjects.rs"]
mod subjects;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use effects::compare::{Compared, Verdict};
use ripple_report::compare::html;
use serde_json::json;
use testkit::{compiler_in, root, skip};

use self::browser::Browser;
use self::subjects::{example, hostile, judged, large, proved, verified};

const DESKTOP: (u32, u32) = (1280, 900);
const PHONE: (u32, u32) = (390, 844);

/// Pairs whose reports cover everything: one and several differences, faults, files, none.
const PAIRS: [(&str, &str); 7] = [
    ("tariff", "v1-v2"),
    ("tokens", "v1-v2"),
    ("avoid", "v4-v12"),
    ("histogram", "v1-v2"),
    ("match", "v1-v2"),
    ("dates", "v1-v2"),
    ("tlv", "v1-v2"),
];

fn browser() -> Option<Browser> {
    let found = Browser::start();
    if found.is_none() {
        skip("there is no chromium");
    }
    found
}

fn write(directory: &Path, name: &str, compared: &Compared) -> PathBuf {
    let path = directory.join(format!("{name}.html"));
    fs::write(&path, html(compared)).expect("the report can be written");
    path
}

/// Takes pictures at the width of a desktop and of a phone, if requested.
fn photograph(browser: &mut Browser, path: &Path, name: &str) {
    let Some(directory) = env::var_os("RIPPLE_SCREENSHOTS").map(PathBuf::from) else { return };
    for ((width, height), kind) in [(DESKTOP, "desktop"), (PHONE, "phone")] {
        for theme in ["light", "dark"] {
            browser.open(path, width, height);
            browser.evaluate(&format!("document.documentElement.dataset.theme = '{theme}'"));
            browser.screenshot(&directory.join(format!("{name}-{kind}-{theme}.png")));
            for section in ["differences", "proved", "source", "tests", "graphs", "effort"] {
                browser.evaluate(&format!("location.hash = '{section}'"));
                std::thread::sleep(Duration::from_millis(150));
                let file = format!("{name}-{section}-{kind}-{theme}.png");
                browser.screenshot(&directory.join(file));
            }
        }
    }
}

/// What holds for every report.
fn check_page(browser: &mut Browser, path: &Path) {
    browser.open(path, DESKTOP.0, DESKTOP.1);
    let empty: Vec<String> = Vec::new();
    let dead = browser.evaluate(
        "[...document.querySelectorAll('a')].map(a => a.getAttribute('href'))
            .filter(href => !href || href[0] !== '#' || !document.getElementById(href.slice(1)))",
    );
    assert_eq!(dead, json!(empty), "links without a target");
    let twice = browser.evaluate(
        "(ids => ids.filter((id, at) => ids.indexOf(id) !== at).slice(0, 5))(
            [...document.querySelectorAll('main > section *:not(.n)[id], main > section[id]')].map(e => e.id))",
    );
    assert_eq!(twice, json!(empty), "names that are there twice");
    let landmarks = browser.evaluate(
        "['header', 'nav[aria-label]', 'main', 'footer', 'h1', 'title']
            .map(name => document.querySelectorAll(name).length)",
    );
    assert_eq!(landmarks[0], 1);
    assert_eq!(landmarks, json!([1, 1, 1, 1, 1, landmarks[5]]));
    let jumps = browser.evaluate(
        "(levels => levels.filter((level, at) => at && level > levels[at - 1] + 1))(
            [...document.querySelectorAll('h1, h2, h3, h4')].map(h => +h.tagName[1]))",
    );
    assert_eq!(jumps, json!(Vec::<u8>::new()), "levels of headings that are left out");
    let nameless = browser.evaluate(
        "[...document.querySelectorAll('button, select, input, summary, a')]
            .filter(e => !(e.textContent.trim() || e.ariaLabel || e.labels?.length)).length",
    );
    assert_eq!(nameless, 0, "controls without a name");
    check_theme(browser);
    check_width(browser);
    assert_eq!(browser.complaints, empty, "{}", path.display());
}

fn check_theme(browser: &mut Browser) {
    let paper = "getComputedStyle(document.body).backgroundColor";
    let press = "document.getElementById('theme').click()";
    browser.evaluate(press);
    let light = browser.evaluate(paper);
    browser.evaluate(press);
    let dark = browser.evaluate(paper);
    browser.evaluate(press);
    assert_ne!(light, dark);
    assert_eq!(browser.evaluate("document.documentElement.dataset.theme ?? 'system'"), "system");
}

/// Nothing of the page itself is wider than a phone.
fn check_width(browser: &mut Browser) {
    browser.resize(PHONE.0, PHONE.1);
    let over = browser.evaluate("document.documentElement.scrollWidth - innerWidth");
    assert!(over.as_i64() <= Some(0), "{over} wider than a phone");
    browser.resize(DESKTOP.0, DESKTOP.1);
}

/// Visits the page with Tab alone. Every control is reached.
fn check_keyboard(browser: &mut Browser) {
    browser.evaluate(
        "window.usable = new Set([...document.querySelectorAll(
            'a[href], button, input, select, summary, [tabindex=\"0\"]')]
            .filter(e => e.checkVisibility()));
         window.all = window.usable.size;
         document.addEventListener('focusin', event => window.usable.delete(event.target));
         document.activeElement?.blur()",
    );
    let all = browser.evaluate("window.all").as_u64().expect("a number");
    for _ in 0..all + 20 {
        browser.press("Tab", 9, "");
    }
    let missed = browser.evaluate("[...window.usable].map(e => e.outerHTML.slice(0, 90))");
    assert_eq!(missed, json!(Vec::<String>::new()), "of {all}, Tab does not come to these");
}

#[test]
fn reports_of_examples_work_in_a_browser() {
    let Some(compiler) = compiler_in(&root()) else { return };
    let Some(mut browser) = browser() else { return };
    let place = tempfile::tempdir().expect("a directory");
    for (name, pair) in PAIRS {
        let compared = example(&compiler, name, pair);
        check_infection(name, &compared);
        let path = write(place.path(), name, &compared);
        photograph(&mut browser, &path, name);
        check_page(&mut browser, &path);
        check_keyboard(&mut browser);
        if compared.verdict == Verdict::Different {
            check_source(&mut browser);
            check_chain(&mut browser);
        }
        assert!(browser.complaints.is_empty(), "{name}: {:?}", browser.complaints);
    }
}

#[test]
fn a_picture_of_partitions_shows_the_inputs_that_are_chosen() {
    let Some(mut browser) = browser() else { return };
    let place = tempfile::tempdir().expect("a directory");
    let Some(compared) = proved(place.path()) else { return };
    let path = write(place.path(), "proved", &compared);
    photograph(&mut browser, &path, "proved");
    check_page(&mut browser, &path);
    let text = browser.evaluate("document.getElementById('proved').textContent");
    let text = text.as_str().expect("text");
    let when = "they differ exactly when 1 ≤ arg1 ∧ 4 ≤ arg2 ≤ 12 ∧ 8 ≤ arg3 ∧ arg4[0] ≠ 'x'";
    assert!(text.contains(when), "{text}");
    let rows = browser.evaluate("document.querySelectorAll('.partitions tbody tr').length");
    let counts = compared.proof.as_ref().expect("it is proved").counts;
    assert_eq!(rows.as_u64(), Some((counts.equal + counts.different) as u64));
    check_planes(&mut browser);
    check_keyboard(&mut browser);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn a_verification_has_the_picture_as_well() {
    let Some(mut browser) = browser() else { return };
    let place = tempfile::tempdir().expect("a directory");
    let Some(verification) = verified(place.path()) else { return };
    let path = place.path().join("verified.html");
    fs::write(&path, ripple_report::verify::html(&verification)).expect("it can be written");
    browser.open(&path, DESKTOP.0, DESKTOP.1);
    check_planes(&mut browser);
    check_width(&mut browser);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn a_page_about_tests_has_trees_that_fold() {
    let Some(mut browser) = browser() else { return };
    let Some(compiler) = compiler_in(&root()) else { return };
    let place = tempfile::tempdir().expect("a directory");
    let judged = judged(&compiler);
    let path = place.path().join("adequacy.html");
    fs::write(&path, ripple_report::adequacy::html(&judged)).expect("it can be written");
    browser.open(&path, DESKTOP.0, DESKTOP.1);
    let rows: usize = judged.lines.iter().map(|line| line.tree.len()).sum();
    assert!(rows > 5, "{rows}");
    let shown = browser.evaluate("document.querySelectorAll('#chains summary, #chains p').length");
    // The legend is a paragraph, too.
    assert_eq!(shown, json!(rows + 1));
    let height = "document.documentElement.scrollHeight";
    let before = browser.evaluate(height);
    browser.evaluate("document.querySelectorAll('details').forEach(one => one.open = false)");
    assert!(browser.evaluate(height).as_f64() < before.as_f64());
    let mutants = browser.evaluate("document.querySelectorAll('#mutants li').length");
    assert_eq!(mutants, json!(judged.mutants.map_or(0, |all| all.len())));
    check_width(&mut browser);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// The picture shows the chosen axes, and it is the same from both sides.
fn check_planes(browser: &mut Browser) {
    let drawn = "document.getElementById('drawn').textContent";
    let squares = "document.querySelectorAll('#plane rect.df').length";
    choose(browser, "across", "0");
    choose(browser, "up", "1");
    let (words, different) = (browser.evaluate(drawn), browser.evaluate(squares).as_u64());
    assert!(
        words.as_str().expect("text").contains(&format!("{} different", different.unwrap_or(0)))
    );
    assert!(different > Some(0), "{words}");
    // The same plane, transposed.
    choose(browser, "across", "1");
    assert_eq!(browser.evaluate(drawn), "Choose two inputs.");
    choose(browser, "up", "0");
    assert_eq!((browser.evaluate(drawn), browser.evaluate(squares).as_u64()), (words, different));
    let title = "document.querySelector('#plane rect.df title').textContent";
    let title = browser.evaluate(title);
    let title = title.as_str().expect("text");
    assert!(title.starts_with("arg2 = ") && title.ends_with(": different"), "{title}");
    assert_eq!(browser.evaluate("document.title.includes('owned')"), false);
}

/// The change may affect everything that a run infects.
fn check_infection(name: &str, compared: &Compared) {
    let illustration = compared.illustration.as_ref().expect("it was asked for");
    assert!(illustration.has_effects);
    for (number, run) in illustration.runs.iter().enumerate() {
        for (side, infected) in run.infected.iter().enumerate() {
            for &(file, line) in infected {
                let file = illustration.files[file].sides[side].as_ref().expect("it has lines");
                assert!(
                    file.affected.contains(&line),
                    "{name}, difference {}: {}:{line} is infected and cannot be affected",
                    number + 1,
                    file.name
                );
            }
        }
    }
}

/// Folds open, and the marks follow the chosen run.
fn check_source(browser: &mut Browser) {
    let marks = "document.querySelectorAll('.r code.ex, .r code.in').length";
    let before = browser.evaluate(marks).as_u64();
    assert!(before > Some(0), "the first run is shown");
    let choose = |value: &str| {
        format!(
            "(run => {{ run.value = '{value}'; run.dispatchEvent(new Event('change')) }})(\
             document.getElementById('run'))"
        )
    };
    browser.evaluate(&choose(""));
    assert_eq!(browser.evaluate(marks).as_u64(), Some(0));
    let text = "[...document.querySelectorAll('.m')].map(m => m.textContent).join('')";
    let left = browser.evaluate(text);
    assert!(!left.as_str().expect("text").contains(['≠', '•']), "{left}");
    assert!(left.as_str().expect("text").contains('Δ'), "{left}");
    browser.evaluate(&choose("0"));
    assert_eq!(browser.evaluate(marks).as_u64(), before);
}

/// A box of the chain leads to its line, which is then visible.
fn check_chain(browser: &mut Browser) {
    if browser.evaluate("document.querySelector('.body .graph a') === null") == json!(true) {
        return;
    }
    browser.evaluate("document.querySelector('.body .graph a').focus()");
    browser.press("Enter", 13, "\r");
    let start = Instant::now();
    let seen = "(line => { const at = line?.getBoundingClientRect();
        return Boolean(line && line.checkVisibility() && at.top > 0 && at.bottom < innerHeight) })(
        document.querySelector('.n.here'))";
    while browser.evaluate(seen) != json!(true) {
        assert!(start.elapsed() < Duration::from_secs(10), "the line is not seen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn shown(browser: &mut Browser) -> u64 {
    let count = "document.querySelectorAll('.difference:not([hidden])').length";
    browser.evaluate(count).as_u64().expect("a number")
}

fn choose(browser: &mut Browser, id: &str, value: &str) {
    browser.evaluate(&format!(
        "(field => {{ field.value = {}; \
         field.dispatchEvent(new Event('input', {{ bubbles: true }})) }})(\
         document.getElementById('{id}'))",
        json!(value)
    ));
}

#[test]
fn many_differences_in_a_large_source_are_filtered_at_once() {
    let place = tempfile::tempdir().expect("a directory");
    let Some(mut compared) = large(place.path()) else { return };
    let page = html(&compared);
    assert!(page.len() < 2 << 20, "{} bytes", page.len());
    for name in
        ["f500(int n)", " left out, with 500 functions: f0, f1, f2, ", "+        sum += i + 2;"]
    {
        assert!(page.contains(name), "no `{name}`");
    }
    assert!(!page.contains("f499(int n)"), "this function does not matter");
    let Some(mut browser) = browser() else { return };
    assert_eq!(compared.verdict, Verdict::Different);
    let one = compared.witnesses[0].clone();
    for number in 1..500 {
        let mut witness = one.clone();
        witness.test.input.args[0] = format!("{number}").into_bytes();
        if number % 5 == 0 {
            witness.class = effects::compare::Class::FaultAppeared;
        }
        compared.witnesses.push(witness);
    }
    let path = write(place.path(), "large", &compared);
    let start = Instant::now();
    browser.open(&path, DESKTOP.0, DESKTOP.1);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    println!(
        "opened in {:?}, {} bytes",
        start.elapsed(),
        fs::metadata(&path).expect("it is").len()
    );
    assert_eq!(shown(&mut browser), 500);
    choose(&mut browser, "class", "fault_appeared");
    assert_eq!(shown(&mut browser), 99);
    browser.evaluate("document.getElementById('text').focus()");
    browser.type_text("./new 495");
    assert_eq!(shown(&mut browser), 1);
    let status = browser.evaluate("document.getElementById('shown').textContent");
    assert_eq!(status, "1 of 500 differences");
    browser.evaluate("document.querySelector('form button[type=reset]').click()");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(shown(&mut browser), 500);
    choose(&mut browser, "file", "new.c");
    assert_eq!(shown(&mut browser), 500);
    choose(&mut browser, "file", "old.c");
    assert!(shown(&mut browser) <= 500);
    choose(&mut browser, "file", "");
    browser.evaluate("document.getElementById('unfold').click()");
    let open = browser.evaluate("document.querySelectorAll('.difference[open]').length");
    assert_eq!(open, 500);
    check_page(&mut browser, &path);
}

#[test]
fn hostile_content_is_harmless() {
    let place = tempfile::tempdir().expect("a directory");
    let Some(compared) = hostile(place.path()) else { return };
    assert_eq!(compared.verdict, Verdict::Different);
    let page = html(&compared);
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
    let is_allowed = |c: char| !c.is_control() || c == '\n' || c == '\t';
    assert!(page.chars().all(is_allowed), "controls are shown, not written");
    assert!(
        !page.contains('\u{202e}') && page.contains("\\u{202e}") && page.contains("\\x1b</i>[2J")
    );
    assert!(page.contains("more bytes</i>"), "what is cut is counted");
    let Some(mut browser) = browser() else { return };
    let path = write(place.path(), "hostile", &compared);
    photograph(&mut browser, &path, "hostile");
    check_page(&mut browser, &path);
    check_keyboard(&mut browser);
    let title = browser.evaluate("document.title");
    assert!(title.as_str().expect("text").starts_with("different"), "{title}");
    assert_eq!(browser.evaluate("document.querySelectorAll('img').length"), 0);
    assert_eq!(browser.evaluate("document.querySelectorAll('script').length"), 2);
}

#[test]
fn the_same_comparison_gives_the_same_page() {
    let Some(compiler) = compiler_in(&root()) else { return };
    let pages = [0, 1].map(|_| html(&example(&compiler, "tariff", "v1-v2")));
    assert!(pages[0] == pages[1]);
}
