//! `ripple study`: suites drawn from a pool detect a change as often as they must.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use serde_json::Value;
use testkit::desk::Desk;

/// Program E of Santelices et al. (2008), Fig. 1.
const E: &str = "\
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]), y = atoi(argv[2]);
    if (x <= 2)
        y = y + 1;
    else
        y = y - 1;
    if (y > 2)
        puts(\"1\");
    else
        puts(\"0\");
    return 0;
}
";

fn row<'v>(report: &'v Value, criterion: &str, distance: Option<u64>) -> &'v Value {
    let rows = report["rows"].as_array().unwrap();
    let is_it =
        |row: &&Value| row["criterion"] == criterion && row["distance"].as_u64() == distance;
    rows.iter().find(is_it).unwrap()
}

#[test]
fn suites_detect_the_change_of_the_paper_as_often_as_it_says() {
    if testkit::compiler("study").is_none() {
        return;
    }
    let inputs: String =
        (1..=10).flat_map(|x| (1..=10).map(move |y| format!("{x} {y}\n"))).collect();
    let new = E.replace("x <= 2", "x > 2");
    let desk = Desk::of(&["study"], &[("old.c", E), ("new.c", &new), ("pool.txt", &inputs)]);
    let args = ["old.c", "new.c", "--tests", "pool.txt", "--distance", "3", "--svg", "plot.svg"];
    let report = desk.report(&args, 0);
    assert_eq!((report["pool"].as_u64(), report["differing"].as_u64()), (Some(100), Some(20)));
    assert_eq!(report["detectability"], 0.2);
    // §3.2.1: one test for the statement detects it with 20 %, one for each of two chains of length 1
    // with 36 %, one for each of four chains of length 3 with 74.1 %.
    for (criterion, distance, size, expected) in [
        ("STMT", None, 1.0, 0.2),
        ("BR", None, 2.0, 0.36),
        ("CHAIN", Some(1), 2.0, 0.36),
        ("CHAIN", Some(3), 4.0, 0.741),
    ] {
        let row = row(&report, criterion, distance);
        assert_eq!(row["size"]["value"], size, "{row}");
        let found = row["detection"]["value"].as_f64().unwrap();
        // Three standard errors of a thousand suites.
        assert!((found - expected).abs() < 0.045, "{row}");
        let bound = |which: &str| row["detection"][which].as_f64().unwrap();
        assert!(bound("low") < found && found < bound("high"), "{row}");
    }
    // Only tests that show the difference have another state all along chains of length 3.
    assert_eq!(row(&report, "PROP", Some(3))["detection"]["value"], 1.0);
    let plot = desk.read("plot.svg");
    assert!(plot.starts_with("<svg") && plot.contains("PROP") && plot.ends_with("</svg>\n"));

    // The same seed gives the same suites, another one others.
    assert_eq!(desk.report(&args, 0), report);
    let other = desk.report(&[&args[..], &["--seed", "2"]].concat(), 0);
    assert_ne!(other["rows"], report["rows"]);
    let csv = desk.run(&["old.c", "new.c", "--tests", "pool.txt", "--format", "csv"]);
    assert!(csv.out.starts_with("criterion,distance,") && csv.out.contains("\nSTMT,,1,1.0000,"));
}
