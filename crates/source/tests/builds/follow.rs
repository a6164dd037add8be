//! Following processes alone, without a build.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use ripple_source::{Attention, Call, Containment, End, Follow, Process, ProcessId, Watcher};

#[derive(Default)]
struct Notes {
    executed: Vec<String>,
    opened: Vec<String>,
    results: Vec<i64>,
    started: usize,
    ended: Vec<End>,
    /// The program whose system calls are wanted.
    wanted: &'static str,
}

impl Watcher for Notes {
    fn started(&mut self, _: ProcessId, _: ProcessId) {
        self.started += 1;
    }

    fn executed(&mut self, process: &Process<'_>) -> Attention {
        let words: Vec<String> =
            process.arguments().iter().map(|word| word.display().to_string()).collect();
        let is_wanted = words.first().is_some_and(|name| name == self.wanted);
        self.executed.push(words.join(" "));
        if is_wanted { Attention::Calls } else { Attention::Programs }
    }

    fn calling(&mut self, process: &Process<'_>, call: &Call) -> bool {
        assert_eq!(call.number, libc::SYS_openat);
        let name = process.text(call.arguments[1]).unwrap();
        let is_ours = name.to_string_lossy().ends_with(".txt");
        if is_ours {
            self.opened.push(name.display().to_string());
        }
        is_ours
    }

    fn called(&mut self, _: &Process<'_>, _: &Call, result: i64) {
        self.results.push(result);
    }

    fn ended(&mut self, _: ProcessId, end: End) {
        self.ended.push(end);
    }
}

fn follow(script: &str, calls: &[i64], notes: &mut Notes) -> End {
    follow_contained(script, calls, notes, None)
}

fn follow_contained(
    script: &str,
    calls: &[i64],
    notes: &mut Notes,
    containment: Option<&Containment>,
) -> End {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("here.txt"), "text\n").unwrap();
    let words = ["sh", "-c", script].map(OsString::from);
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let output = tempfile::tempfile().unwrap();
    let follow = Follow {
        program: Path::new("/bin/sh"),
        arguments: &words,
        environment: &environment,
        directory: place.path(),
        output: Some(&output),
        calls,
        containment,
    };
    follow.run(notes).unwrap()
}

#[test]
fn every_program_is_seen_with_its_arguments_and_its_end() {
    let mut notes = Notes::default();
    let end = follow("/bin/echo a 'b c' ''; (sh -c 'exit 3'); exit 5", &[], &mut notes);
    assert_eq!(end, End::Exited(5));
    assert_eq!(notes.executed[1..], ["/bin/echo a b c ", "sh -c exit 3"]);
    assert_eq!(notes.started, 2);
    assert!(notes.ended.contains(&End::Exited(3)) && notes.ended.len() == 3);
}

#[test]
fn system_calls_are_reported_for_the_programs_that_are_wanted() {
    let script = "cat here.txt none.txt; head here.txt; sh -c 'true < here.txt'";
    let mut notes = Notes { wanted: "cat", ..Notes::default() };
    follow(script, &[libc::SYS_openat], &mut notes);
    assert_eq!(notes.opened, ["here.txt", "none.txt"]);
    assert!(notes.results[0] >= 0);
    assert_eq!(notes.results[1], -i64::from(libc::ENOENT));
}

#[test]
fn what_stays_behind_a_filter_is_ended() {
    let mut notes = Notes::default();
    let end = follow("sleep 60 & exit 0", &[libc::SYS_openat], &mut notes);
    assert_eq!(end, End::Exited(0));
}

#[test]
fn a_contained_command_that_takes_too_long_is_ended_with_all_it_started() {
    let place = tempfile::tempdir().unwrap();
    let Ok(containment) = Containment::of(&[place.path()]) else {
        testkit::skip("there is no landlock");
        return;
    };
    let containment = containment.within(Some(Duration::from_millis(300)));
    let start = Instant::now();
    let mut notes = Notes::default();
    let end = follow_contained("sleep 50 & sleep 60; exit 0", &[], &mut notes, Some(&containment));
    assert_eq!(end, End::Signaled(libc::SIGKILL));
    assert!(start.elapsed() < Duration::from_secs(20));
    let end = follow_contained("exit 3", &[], &mut notes, Some(&containment));
    assert_eq!(end, End::Exited(3));
}
