//! What a build left: the programs and libraries among the files of its graph that exist when it
//! has ended, with their units.
//!
//! What `configure` and its like build to try something is left out: it is gone in the end, or in a
//! directory that they keep for this.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::graph::{Graph, Linked, Node, Part};
use super::members::Archives;
use super::model::{DroppedFlag, Product, ProductId, ProductKind, Unit, UnitId, name_of};

/// The units and products of a build, with flags that were dropped.
pub(super) struct Products {
    pub units: Vec<Unit>,
    pub products: Vec<Product>,
    pub dropped: Vec<DroppedFlag>,
}

/// A product whose units have numbers of the graph.
struct Draft {
    product: Product,
    units: Vec<usize>,
    /// Keys of what it is linked with.
    shared: Vec<usize>,
    archives: Vec<PathBuf>,
    /// If it is linked, its number in the graph.
    linked: Option<usize>,
}

/// Collects them. `directory` is where the build ran.
pub(super) fn products(mut graph: Graph, directory: &Path) -> Products {
    let places = places(&graph);
    let mut archives = Archives::default();
    let mut drafts: Vec<Draft> = Vec::new();
    for (node, mut places) in places {
        let draft = match &graph.nodes[node] {
            Node::Units(_) => continue,
            Node::Linked(number) => {
                let mut linked = graph.links[*number].clone();
                let at = places.iter().position(|place| *place == linked.path).unwrap_or(0);
                linked.path = places.remove(at);
                linked_draft(&linked, *number, &graph, &mut archives, directory)
            }
            Node::Archive(members) => {
                let path = places.remove(0);
                let present = archives.present(&path, members);
                let units = present.iter().flat_map(|member| member.units.clone()).collect();
                let unknown = present.iter().filter(|member| member.units.is_empty());
                let unknown = unknown.map(|member| member.path.clone()).collect();
                draft(path, ProductKind::Archive, units, unknown, directory)
            }
        };
        drafts.push(Draft { product: Product { copies: places, ..draft.product }, ..draft });
    }
    drafts.sort_by(|a, b| a.product.path.cmp(&b.product.path));
    let (units, dropped) = renumber(&mut graph, &mut drafts);
    connect(&mut drafts, &mut graph);
    let products = drafts.into_iter().map(|draft| draft.product).collect();
    Products { units, products, dropped }
}

/// The existing paths of each node that is no probe, sorted. Other names of a file are left out.
fn places(graph: &Graph) -> BTreeMap<usize, Vec<PathBuf>> {
    let mut places: BTreeMap<usize, Vec<PathBuf>> = BTreeMap::new();
    for (path, &node) in &graph.at {
        let is_file = path.symlink_metadata().is_ok_and(|meta| meta.is_file());
        if is_file && !is_probe(path) {
            places.entry(node).or_default().push(path.clone());
        }
    }
    places
}

/// Whether a file is one that `configure`, CMake or Meson make to try something.
pub(super) fn is_probe(path: &Path) -> bool {
    let is_trial = |part: &str| {
        matches!(part, "CMakeScratch" | "CMakeTmp" | "meson-private")
            || part.starts_with("conftest")
            || part.starts_with("cmTC_")
            || part.starts_with("CompilerId")
            || part.starts_with("CMakeDetermineCompilerABI")
    };
    path.components().any(|part| part.as_os_str().to_str().is_some_and(is_trial))
}

fn draft(
    path: PathBuf,
    kind: ProductKind,
    units: Vec<usize>,
    unknown: Vec<PathBuf>,
    directory: &Path,
) -> Draft {
    let product = Product {
        name: name_of(&path, directory),
        path,
        kind,
        units: Vec::new(),
        shared: Vec::new(),
        archives: Vec::new(),
        libraries: Vec::new(),
        unknown,
        copies: Vec::new(),
    };
    Draft { product, units, shared: Vec::new(), archives: Vec::new(), linked: None }
}

fn linked_draft(
    linked: &Linked,
    number: usize,
    graph: &Graph,
    archives: &mut Archives,
    directory: &Path,
) -> Draft {
    let units = archives.units_of(linked, graph);
    let mut made =
        draft(linked.path.clone(), linked.kind, units, linked.unknown.clone(), directory);
    for part in &linked.parts {
        match part {
            Part::Object { .. } => {}
            Part::Shared { linked } => made.shared.push(*linked),
            Part::Archive { path, .. } => made.archives.push(path.clone()),
        }
    }
    let mut seen = BTreeSet::new();
    made.product.libraries.extend(linked.libraries.iter().cloned());
    made.product.libraries.retain(|name| seen.insert(name.clone()));
    made.linked = Some(number);
    made
}

/// Keeps the units that are in a product, or whose objects are left. Sorts them, so that a parallel
/// build gives the same numbers each time.
fn renumber(graph: &mut Graph, drafts: &mut [Draft]) -> (Vec<Unit>, Vec<DroppedFlag>) {
    let mut used: BTreeSet<usize> = drafts.iter().flat_map(|draft| draft.units.clone()).collect();
    for (path, &node) in &graph.at {
        if let Node::Units(units) = &graph.nodes[node]
            && path.is_file()
            && !is_probe(path)
        {
            used.extend(units);
        }
    }
    let mut order: Vec<usize> = used.into_iter().collect();
    order.sort_by(|&a, &b| graph.units[a].cmp(&graph.units[b]).then(a.cmp(&b)));
    let mut numbers: BTreeMap<usize, UnitId> = BTreeMap::new();
    let mut units: Vec<Unit> = Vec::new();
    let mut dropped: BTreeMap<String, usize> = BTreeMap::new();
    for old in order {
        let unit = &graph.units[old];
        if units.last() != Some(unit) {
            units.push(unit.clone());
            let flags: BTreeSet<&String> = graph.dropped[old].iter().collect();
            for flag in flags {
                *dropped.entry(flag.clone()).or_default() += 1;
            }
        }
        let number = u32::try_from(units.len() - 1).expect("a build has fewer units than that");
        numbers.insert(old, UnitId(number));
    }
    for draft in drafts {
        let mut seen = BTreeSet::new();
        let known = draft.units.iter().filter_map(|old| numbers.get(old).copied());
        draft.product.units = known.filter(|unit| seen.insert(*unit)).collect();
    }
    let dropped = dropped.into_iter().map(|(flag, units)| DroppedFlag { flag, units }).collect();
    (units, dropped)
}

/// Names the libraries of the build by their places among the products.
fn connect(drafts: &mut [Draft], graph: &mut Graph) {
    let number = |at: usize| ProductId(u32::try_from(at).expect("a build has fewer products"));
    let mut linked = BTreeMap::new();
    let mut nodes = BTreeMap::new();
    for (at, draft) in drafts.iter().enumerate() {
        linked.extend(draft.linked.map(|key| (key, number(at))));
        nodes.extend(graph.find(&draft.product.path).map(|node| (node, number(at))));
    }
    for draft in drafts {
        let mut seen = BTreeSet::new();
        let shared = draft.shared.iter().filter_map(|key| linked.get(key).copied());
        draft.product.shared = shared.filter(|one| seen.insert(*one)).collect();
        let archives = draft.archives.iter().filter_map(|path| graph.find(path));
        let archives = archives.filter_map(|node| nodes.get(&node).copied());
        draft.product.archives = archives.filter(|one| seen.insert(*one)).collect();
    }
}
