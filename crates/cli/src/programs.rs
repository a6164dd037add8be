//! `--program`, and what to do if a version is more than one program: take the one that is meant,
//! or say which there are and what to type next.

use std::collections::BTreeSet;

use anyhow::{anyhow, bail};
use base::{Both, Version};
use effects::Loader;
use effects::programs::{
    Broken, One, Plan, Question, Several, Single, Wanted, Why, plan, plan_single,
};
use source::Checkout;

use crate::builds::BuildFlags;
use crate::output;
use crate::setup::Globals;
use crate::typed::Typed;

/// The most files, programs or functions to name.
const SHOWN: usize = 3;

#[derive(Clone, Debug, Default, clap::Args)]
pub struct ProgramFlag {
    /// Program to look at, if there are several: its name, or the file with its `main`
    #[arg(long, value_name = "NAME")]
    pub program: Option<String>,

    #[command(flatten)]
    pub build: BuildFlags,
}

impl ProgramFlag {
    pub fn wanted<'a>(
        &'a self,
        entry: Option<&'a str>,
        runs: bool,
    ) -> (Wanted<'a>, &'a BuildFlags) {
        (Wanted { program: self.program.as_deref(), entry, runs }, &self.build)
    }
}

/// What to look at in two versions.
pub enum Chosen {
    Versions(Box<Both<Checkout>>),
    Several(Box<Several>),
}

/// Decides what to look at in two versions, and says what is left out.
pub fn choose(
    loader: &Loader<'_>,
    [mut old, mut new]: Both<Checkout>,
    (wanted, build): (Wanted<'_>, &BuildFlags),
    globals: &Globals,
) -> anyhow::Result<Chosen> {
    let mut planned = plan(loader, [&old, &new], wanted);
    if let Some(built) = build.instead_of(&planned, [&old, &new], globals) {
        [old, new] = built;
        planned = plan(loader, [&old, &new], wanted);
    }
    match planned? {
        Plan::AsTheyAre => Ok(Chosen::Versions(Box::new([old, new]))),
        Plan::Lost { versions, .. } => Ok(Chosen::Versions(versions)),
        Plan::One(one) => {
            let One { versions, why, broken } = *one;
            if !globals.quiet {
                say_broken(&broken);
                say_why(&why);
            }
            Ok(Chosen::Versions(Box::new(versions)))
        }
        Plan::Several(several) => {
            if !globals.quiet {
                say_broken(&several.broken);
            }
            Ok(Chosen::Several(several))
        }
        Plan::Question(question) => Err(ask(&question)),
    }
}

/// The same for commands that look at one program: of several that the change affects, the user
/// must name one.
pub fn choose_one(
    loader: &Loader<'_>,
    versions: Both<Checkout>,
    wanted: (Wanted<'_>, &BuildFlags),
    globals: &Globals,
) -> anyhow::Result<Both<Checkout>> {
    match choose(loader, versions, wanted, globals)? {
        Chosen::Versions(versions) => Ok(*versions),
        Chosen::Several(several) => Err(which_of(&several)),
    }
}

/// The same for commands that run nothing: of several programs that the change affects, they look
/// at the closest one, and at all changed files.
pub fn choose_together(
    loader: &Loader<'_>,
    versions: Both<Checkout>,
    wanted: (Wanted<'_>, &BuildFlags),
    globals: &Globals,
) -> anyhow::Result<Both<Checkout>> {
    let several = match choose(loader, versions, wanted, globals)? {
        Chosen::Versions(versions) => return Ok(*versions),
        Chosen::Several(several) => several,
    };
    let names: Vec<&str> =
        several.affected.programs.iter().map(|one| one.new.name.as_str()).collect();
    if let [first, others @ ..] = &names[..]
        && !globals.quiet
    {
        let command = Typed::this().with("--program", others.first().unwrap_or(first));
        output::note(&format!(
            "note: the change affects {} programs, and this is about {first}; another one: {command}",
            names.len()
        ));
    }
    Ok(several.together())
}

/// Decides what to look at in one version.
pub fn choose_single(
    loader: &Loader<'_>,
    mut checkout: Checkout,
    (wanted, build): (Wanted<'_>, &BuildFlags),
    globals: &Globals,
) -> anyhow::Result<Checkout> {
    let mut planned = plan_single(loader, &checkout, wanted);
    if let Some(built) = build.instead_of_single(&planned, &checkout, globals) {
        checkout = built;
        planned = plan_single(loader, &checkout, wanted);
    }
    match planned? {
        Single::AsItIs => Ok(checkout),
        Single::Lost { checkout, .. } => Ok(*checkout),
        Single::One { checkout, broken } => {
            if !globals.quiet {
                say_broken(&broken);
            }
            Ok(*checkout)
        }
        Single::Question(question) => Err(ask(&question)),
    }
}

/// Names files that do not compile, with their first errors.
fn say_broken(broken: &[Broken]) {
    for one in broken.iter().take(SHOWN) {
        output::note(&format!("warning: {}", reason(one)));
    }
    if broken.len() > SHOWN {
        let more = broken.len() - SHOWN;
        output::note(&format!(
            "warning: {more} more files are left out, because they do not compile"
        ));
    }
}

/// Why a file is left out.
pub fn reason(broken: &Broken) -> String {
    format!("{} is left out, because {}", broken.file.display(), first_error(broken))
}

/// That a file does not compile, with the first error and what it means.
pub fn first_error(broken: &Broken) -> String {
    let error = broken.failure.said.lines().find(|line| line.contains("error: "));
    let error = error.unwrap_or("clang rejects it").trim();
    let missing = broken.nowhere.iter().find(|name| error.contains(name.as_str()));
    let hint = match missing {
        Some(name) => format!(
            " ({name} is neither in this version nor installed: a build generates it, or a \
             package has it)"
        ),
        None => String::new(),
    };
    format!("it does not compile: {error}{hint}")
}

fn say_why(why: &Why) {
    let Why::OnlyAffected { program, unaffected } = why else { return };
    let others = match unaffected {
        1 => "the other program does not reach the change".to_owned(),
        many => format!("the {many} other programs do not reach the change"),
    };
    output::note(&format!("note: the program is {program}; {others}"));
}

/// Which of the affected programs to look at.
pub fn which_of(several: &Several) -> anyhow::Error {
    let typed = Typed::this();
    let names: Vec<&str> =
        several.affected.programs.iter().map(|one| one.new.name.as_str()).collect();
    if let Some(first) = names.first() {
        let (all, command) = (listed(&names), typed.with("--program", first));
        return anyhow!(
            "the change affects {} programs: {all}; name one, for example: {command}",
            names.len()
        );
    }
    let function = several.functions.iter().find(|one| one.obstacle.is_none());
    let changed: BTreeSet<&str> =
        several.affected.changed.iter().map(|one| one.name.as_str()).collect();
    let changed: Vec<&str> = changed.into_iter().collect();
    match (function, &changed[..]) {
        (Some(function), _) => {
            let command = typed.with("--entry", &function.name);
            anyhow!(
                "no program reaches the change ({}); call a function instead: {command}",
                listed(&changed)
            )
        }
        (None, []) => {
            let mut all = several.affected.unaffected.iter();
            match all.next() {
                Some(program) => {
                    let command = typed.with("--program", program);
                    anyhow!("nothing changed that a program executes; to look at one: {command}")
                }
                None => anyhow!(
                    "nothing changed that a program executes, and no file defines `main`; to look \
                     at a function, add --entry FUNCTION"
                ),
            }
        }
        (None, _) => anyhow!(
            "no program reaches the change ({}), and no changed function can be called alone",
            listed(&changed)
        ),
    }
}

/// The error for what cannot be decided, with the command to type next.
fn ask(question: &Question) -> anyhow::Error {
    let typed = Typed::this();
    match question {
        Question::WhichProgram { mains } => {
            let names: Vec<&str> = mains.iter().map(|(name, _)| name.as_str()).collect();
            let command = typed.with("--program", names.first().copied().unwrap_or_default());
            anyhow!(
                "`main` is defined in {} files; programs: {}. Try: {command}",
                mains.len(),
                listed(&names)
            )
        }
        Question::NoProgram { functions } => {
            let names: Vec<&str> = functions.iter().map(String::as_str).collect();
            match names.first() {
                Some(first) => anyhow!(
                    "no file defines `main`; functions: {}. To look at one, call it: {}",
                    listed(&names),
                    typed.with("--entry", first)
                ),
                None => anyhow!("no file defines `main`, nor any other function"),
            }
        }
        Question::UnknownProgram { name, nearest, all } => {
            let names: Vec<&str> = all.iter().map(String::as_str).collect();
            match nearest.first().or(all.first()) {
                Some(next) => anyhow!(
                    "there is no program `{name}`; programs: {}. Try: {}",
                    listed(&names),
                    typed.with("--program", next)
                ),
                None => anyhow!("there is no program `{name}`: no file defines `main`"),
            }
        }
        Question::ProgramOnlyIn { name, version } => {
            let (has, lacks) = sides(*version);
            anyhow!(
                "only {has} has the program `{name}`, so nothing of {lacks} can be compared with it; `ripple programs` lists the programs of both"
            )
        }
        Question::UnknownEntry { name, version, nearest } => {
            let which = match version {
                Some(version) => format!("{} defines", sides(*version).0),
                None => "the program defines".to_owned(),
            };
            match nearest.first() {
                Some((next, file)) => anyhow!(
                    "{which} no function `{name}`; did you mean `{next}` in {}? Try: {}",
                    file.display(),
                    typed.with("--entry", next)
                ),
                None => anyhow!("{which} no function `{name}`"),
            }
        }
        Question::WhichEntry { name, files } => {
            let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
            let shown: Vec<&str> = names.iter().map(String::as_str).collect();
            anyhow!(
                "several files define the function `{name}`: {}; select one behind `--`, or a \
                 program with --program",
                listed(&shown)
            )
        }
    }
}

fn sides(version: Version) -> (&'static str, &'static str) {
    match version {
        Version::Old => ("OLD", "NEW"),
        Version::New => ("NEW", "OLD"),
    }
}

/// Names, as many as one can read.
pub fn listed(names: &[&str]) -> String {
    const MOST: usize = 12;
    let mut text = names.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text.push_str(&format!(" and {} more", names.len() - MOST));
    }
    text
}

/// Refuses `--program` where files are named one by one.
pub fn refuse_with_files(program: &ProgramFlag) -> anyhow::Result<()> {
    if program.program.is_some() {
        bail!("`--program` selects a program of a directory or a revision, not of files");
    }
    Ok(())
}
