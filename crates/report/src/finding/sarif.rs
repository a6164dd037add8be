//! Findings as SARIF 2.1.0, which code scanning services and editors read.
//!
//! Files are named relative to `SRCROOT`, the root of the repository. Nothing in it depends on when
//! or where Ripple ran, so that the same findings give the same text.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde_json::json;
use serde_sarif::sarif::{
    ArtifactContent, ArtifactLocation, CodeFlow, Invocation, Location as SarifLocation,
    LogicalLocation, Message, MultiformatMessageString, Notification, PhysicalLocation,
    PropertyBag, Region, ReportingConfiguration, ReportingDescriptor, Result as SarifResult,
    ResultLevel, Run, RunAutomationDetails, Sarif, Suppression, ThreadFlow, ThreadFlowLocation,
    Tool, ToolComponent,
};

use super::{Finding, Location, Rule, Severity};
use crate::pieces::written;
use crate::printable::harmless;

/// The schema of the format.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// What names of files are relative to.
const ROOT: &str = "SRCROOT";
/// The name of our fingerprints; the number changes when their meaning does.
const FINGERPRINT: &str = "rippleDifference/v1";
/// Services reject more results in one run, and more steps of one flow.
const MOST_RESULTS: usize = 25_000;
const MOST_STEPS: usize = 200;
/// The most characters of a source line to quote.
const MOST_SNIPPET: usize = 1_000;

/// The log; ends with a newline. `command` is the command that ran, `notes` say why something may
/// have been missed.
pub(crate) fn sarif(
    command: &str,
    rules: &[&'static Rule],
    findings: &[Finding],
    notes: &[String],
) -> String {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut results = Vec::new();
    for finding in findings.iter().take(MOST_RESULTS) {
        // Results with the same fingerprint would count as one.
        let times = seen.entry(&finding.fingerprint).or_default();
        *times += 1;
        results.push(result(rules, finding, *times));
    }
    let driver = ToolComponent::builder()
        .name("ripple")
        .full_name("Ripple: tells what a code change does")
        .version(env!("CARGO_PKG_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .rules(rules.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>())
        .build();
    let root =
        ArtifactLocation::builder().description(message("The root of the repository.")).build();
    let notifications: Vec<Notification> = notes
        .iter()
        .map(|note| Notification::builder().message(message(note)).level(json!("note")).build())
        .collect();
    let invocation = Invocation::builder()
        .execution_successful(true)
        .tool_execution_notifications(notifications)
        .build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .automation_details(
            RunAutomationDetails::builder().id(format!("ripple/{command}/")).build(),
        )
        .original_uri_base_ids(BTreeMap::from([(ROOT.to_owned(), root)]))
        .column_kind(json!("unicodeCodePoints"))
        .invocations(vec![invocation])
        .results(results)
        .build();
    let log = Sarif::builder().schema(SCHEMA).version(json!("2.1.0")).runs(vec![run]).build();
    written(&log)
}

fn descriptor(rule: &Rule) -> ReportingDescriptor {
    let tags = vec!["behaviour".to_owned(), "regression".to_owned()];
    ReportingDescriptor::builder()
        .id(rule.id)
        .name(camel(rule.id))
        .short_description(multiformat(rule.title))
        .full_description(multiformat(rule.help))
        .help(multiformat(rule.help))
        .default_configuration(
            ReportingConfiguration::builder().level(json!(rule.severity.name())).build(),
        )
        .properties(PropertyBag::builder().tags(tags).build())
        .build()
}

/// `fault-appeared` as `FaultAppeared`, the usual form of rule names.
fn camel(id: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
    };
    id.split('-').map(word).collect::<Vec<String>>().concat()
}

fn result(rules: &[&'static Rule], finding: &Finding, times: usize) -> SarifResult {
    let index = rules.iter().position(|rule| rule.id == finding.rule.id);
    let fingerprint = match times {
        1 => finding.fingerprint.clone(),
        times => format!("{}:{times}", finding.fingerprint),
    };
    let mut result = SarifResult::builder()
        .message(message(&finding.message))
        .rule_id(finding.rule.id)
        .level(match finding.severity {
            Severity::Error => ResultLevel::Error,
            Severity::Warning => ResultLevel::Warning,
            Severity::Note => ResultLevel::Note,
        })
        .partial_fingerprints(BTreeMap::from([(FINGERPRINT.to_owned(), fingerprint)]))
        .build();
    result.rule_index = index.and_then(|index| i64::try_from(index).ok());
    result.locations = finding.location.as_ref().map(|at| vec![located(at, None, None)]);
    let related = finding.related.iter().enumerate();
    let related: Vec<SarifLocation> = related
        .map(|(index, (at, words))| located(at, Some(words), i64::try_from(index).ok()))
        .collect();
    result.related_locations = (!related.is_empty()).then_some(related);
    let steps: Vec<ThreadFlowLocation> = finding
        .flow
        .iter()
        .take(MOST_STEPS)
        .map(|(at, words)| {
            ThreadFlowLocation::builder().location(located(at, Some(words), None)).build()
        })
        .collect();
    if !steps.is_empty() {
        let flow = ThreadFlow::builder().locations(steps).build();
        let flow = CodeFlow::builder()
            .message(message("from the change to what is seen"))
            .thread_flows(vec![flow])
            .build();
        result.code_flows = Some(vec![flow]);
    }
    result.suppressions = finding.accepted.as_ref().map(|reason| {
        let suppression = Suppression::builder()
            .kind(json!("external"))
            .status(json!("accepted"))
            .justification(harmless(reason));
        vec![suppression.build()]
    });
    result
}

fn located(at: &Location, words: Option<&str>, id: Option<i64>) -> SarifLocation {
    let mut file = ArtifactLocation::builder().uri(uri(&at.path)).build();
    if at.path.is_relative() {
        file.uri_base_id = Some(ROOT.to_owned());
    }
    let mut region = Region::builder().start_line(i64::from(at.line)).build();
    region.start_column = at.column.map(i64::from);
    region.snippet = at.text.as_ref().map(|text| {
        let text: String = text.trim_end().chars().take(MOST_SNIPPET).collect();
        ArtifactContent::builder().text(text).build()
    });
    let place = PhysicalLocation::builder().artifact_location(file).region(region).build();
    let mut location = SarifLocation::builder().physical_location(place).build();
    if !at.function.is_empty() {
        let function = LogicalLocation::builder()
            .name(at.function.clone())
            .kind("function")
            .fully_qualified_name(at.function.clone())
            .build();
        location.logical_locations = Some(vec![function]);
    }
    location.message = words.map(message);
    location.id = id;
    location
}

/// A path as a reference to a URI.
fn uri(path: &Path) -> String {
    let mut text = if path.is_absolute() { "file://".to_owned() } else { String::new() };
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(byte as char);
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// Plain text: links and placeholders of messages are escaped.
fn message(text: &str) -> Message {
    let shown = harmless(text);
    let mut plain = String::with_capacity(shown.len());
    for character in shown.chars() {
        match character {
            '[' | ']' => plain.extend(['\\', character]),
            '{' | '}' => plain.extend([character, character]),
            _ => plain.push(character),
        }
    }
    Message::builder().text(plain).build()
}

fn multiformat(text: &str) -> MultiformatMessageString {
    MultiformatMessageString::builder().text(text).markdown(text).build()
}
