//! What `ripple dump` and `ripple slice` share: graphs of the user's functions.

use anyhow::bail;
use clap::ValueEnum;
use graphs::{Cfg, DominatorTree, Drawing, GraphError, ProgramGraphs, views};
use ir::{FileId, FuncId, Module, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Graph {
    Cfg,
    Calls,
    Pdg,
    Sdg,
    Dominators,
    Postdominators,
}

impl Graph {
    pub fn reversed(self) -> anyhow::Result<Graph> {
        match self {
            Graph::Dominators => Ok(Graph::Postdominators),
            _ => bail!("`--post` applies to `ripple dump domtree` only"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}

/// A graph of the named functions, or of all functions of the user.
pub fn show(
    module: &Module,
    graph: Graph,
    format: Format,
    names: &[String],
) -> anyhow::Result<String> {
    let functions = chosen(module, names)?;
    let wanted = |function: FuncId| functions.contains(&function);
    let graphs = ProgramGraphs::new(module);
    let drawings = match graph {
        Graph::Calls => vec![views::call_graph(&graphs, wanted)],
        Graph::Sdg => vec![views::sdg(&graphs, wanted)],
        Graph::Pdg => functions.iter().map(|&function| views::pdg(&graphs, function)).collect(),
        Graph::Cfg | Graph::Dominators | Graph::Postdominators => {
            let draw = |&function: &FuncId| {
                let cfg = graphs.cfg(function)?;
                Some(control(module, function, &cfg, graph))
            };
            functions.iter().filter_map(draw).collect()
        }
    };
    if format == Format::Svg && drawings.len() > 1 {
        bail!("SVG shows one graph; choose a function with `--function NAME`");
    }
    let texts = drawings.iter().map(|drawing| draw(drawing, format));
    Ok(texts.collect::<Vec<String>>().join(if format == Format::Text { "\n" } else { "" }))
}

pub fn draw(drawing: &Drawing, format: Format) -> String {
    match format {
        Format::Text => drawing.text(),
        Format::Dot => drawing.dot(),
        Format::Svg => drawing.svg(),
    }
}

fn control(module: &Module, function: FuncId, cfg: &Cfg, graph: Graph) -> Drawing {
    match graph {
        Graph::Dominators => views::dominators(module, function, cfg, &DominatorTree::new(cfg)),
        Graph::Postdominators => {
            views::dominators(module, function, cfg, &DominatorTree::of_postdominance(cfg))
        }
        _ => views::cfg(module, function, cfg),
    }
}

/// Functions with code: the named ones, or else those of the user.
fn chosen(module: &Module, names: &[String]) -> Result<Vec<FuncId>, GraphError> {
    let with_code = || module.functions.iter().filter(|(_, function)| function.body().is_some());
    if names.is_empty() {
        let own = |span: Span| is_own(module, file_of(module, span));
        return Ok(with_code().filter(|(_, f)| own(f.span)).map(|(id, _)| id).collect());
    }
    let find = |name: &String| {
        let found = with_code().find(|(_, f)| f.name == *name || f.display_name() == name);
        found.map(|(id, _)| id).ok_or_else(|| GraphError::NoSuchFunction(name.clone()))
    };
    names.iter().map(find).collect()
}

pub fn file_of(module: &Module, span: Span) -> Option<FileId> {
    Some(module.scopes[span.scope?].file)
}

/// Whether a file belongs to the user, not to Ripple's C library. Code without a known file does.
pub fn is_own(module: &Module, file: Option<FileId>) -> bool {
    file.is_none_or(|file| !module.files[file].in_archive)
}
