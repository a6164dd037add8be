//! A layered layout after Sugiyama, Tagawa, Toda (1981).
//!
//! Lines that close a cycle are turned around, boxes get layers by longest paths, long lines get a
//! point in every layer that they pass, and boxes are moved within their layers towards the middle
//! of their neighbours.

use super::Drawing;

const CHARACTER: f64 = 7.3;
const LINE: f64 = 15.0;
const PADDING: f64 = 8.0;
const GAP: f64 = 24.0;
const LAYER_GAP: f64 = 46.0;
const SWEEPS: usize = 8;
/// Lines that pass more layers than this are drawn straight.
const LONGEST: usize = 400;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

#[derive(Clone, Debug)]
pub struct Placed {
    pub boxes: Vec<Rect>,
    /// For each line of the drawing, the points that it goes through.
    pub routes: Vec<Vec<(f64, f64)>>,
    pub width: f64,
    pub height: f64,
}

struct Layers {
    rects: Vec<Rect>,
    layer: Vec<usize>,
    rows: Vec<Vec<usize>>,
    /// Neighbours above and below.
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
}

pub fn place(drawing: &Drawing) -> Placed {
    let down = without_cycles(drawing);
    let layer = longest_paths(drawing.boxes.len(), &down);
    let mut layers = Layers {
        rects: drawing.boxes.iter().map(|(id, label)| measure(id, label)).collect(),
        rows: vec![Vec::new(); layer.iter().max().map_or(0, |&last| last + 1)],
        above: vec![Vec::new(); layer.len()],
        below: vec![Vec::new(); layer.len()],
        layer,
    };
    for at in 0..layers.layer.len() {
        let row = layers.layer[at];
        layers.rows[row].push(at);
    }
    let bends: Vec<Vec<usize>> = down.iter().map(|&(a, b)| layers.bend(a, b)).collect();
    layers.order();
    layers.position();
    layers.finish(drawing, &down, &bends)
}

fn measure(id: &str, label: &str) -> Rect {
    let lines = std::iter::once(id).chain(label.lines());
    let longest = lines.clone().map(|line| line.chars().count()).max().unwrap_or(1);
    let width = longest as f64 * CHARACTER + 2.0 * PADDING;
    Rect { x: 0.0, y: 0.0, width, height: lines.count() as f64 * LINE + PADDING }
}

/// The lines, from upper to lower box; a line from a box to itself stays so.
fn without_cycles(drawing: &Drawing) -> Vec<(usize, usize)> {
    let len = drawing.boxes.len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); len];
    for line in &drawing.lines {
        next[line.from].push(line.to);
    }
    // 0: not seen, 1: on the way, 2: left.
    let mut state = vec![0; len];
    let mut finished = vec![0; len];
    let mut time = 0;
    for root in 0..len {
        if state[root] != 0 {
            continue;
        }
        state[root] = 1;
        let mut stack = vec![(root, 0)];
        while let Some((at, child)) = stack.last_mut() {
            match next[*at].get(*child) {
                Some(&to) => {
                    *child += 1;
                    if state[to] == 0 {
                        state[to] = 1;
                        stack.push((to, 0));
                    }
                }
                None => {
                    time += 1;
                    finished[*at] = time;
                    stack.pop();
                }
            }
        }
    }
    let turn = |from: usize, to: usize| {
        if finished[from] < finished[to] { (to, from) } else { (from, to) }
    };
    drawing.lines.iter().map(|line| turn(line.from, line.to)).collect()
}

fn longest_paths(len: usize, down: &[(usize, usize)]) -> Vec<usize> {
    let mut layer = vec![0; len];
    let mut waits = vec![0; len];
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); len];
    for &(a, b) in down.iter().filter(|(a, b)| a != b) {
        next[a].push(b);
        waits[b] += 1;
    }
    let mut ready: Vec<usize> = (0..len).filter(|&at| waits[at] == 0).collect();
    while let Some(at) = ready.pop() {
        for &to in &next[at] {
            layer[to] = layer[to].max(layer[at] + 1);
            waits[to] -= 1;
            if waits[to] == 0 {
                ready.push(to);
            }
        }
    }
    layer
}

impl Layers {
    /// Gives a line points in the layers that it passes; connects neighbours.
    fn bend(&mut self, from: usize, to: usize) -> Vec<usize> {
        let (first, last) = (self.layer[from], self.layer[to]);
        if from == to || last - first > LONGEST {
            return Vec::new();
        }
        let mut points = Vec::new();
        let mut before = from;
        for layer in first + 1..last {
            let point = self.rects.len();
            self.rects.push(Rect { x: 0.0, y: 0.0, width: 4.0, height: 4.0 });
            self.layer.push(layer);
            self.above.push(Vec::new());
            self.below.push(Vec::new());
            self.rows[layer].push(point);
            self.connect(before, point);
            points.push(point);
            before = point;
        }
        self.connect(before, to);
        points
    }

    fn connect(&mut self, upper: usize, lower: usize) {
        self.below[upper].push(lower);
        self.above[lower].push(upper);
    }

    /// Orders each layer by where its neighbours are, downward and upward in turn.
    fn order(&mut self) {
        let mut rank = vec![0.0; self.rects.len()];
        for row in &self.rows {
            row.iter().enumerate().for_each(|(at, &item)| rank[item] = at as f64);
        }
        for sweep in 0..SWEEPS {
            let count = self.rows.len();
            for step in 0..count {
                let row = if sweep % 2 == 0 { step } else { count - 1 - step };
                let sides = if sweep % 2 == 0 { &self.above } else { &self.below };
                let mut keyed: Vec<(f64, usize)> = self.rows[row]
                    .iter()
                    .map(|&item| (mean(&sides[item], &rank).unwrap_or(rank[item]), item))
                    .collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                self.rows[row] = keyed.iter().map(|&(_, item)| item).collect();
                let row = &self.rows[row];
                row.iter().enumerate().for_each(|(at, &item)| rank[item] = at as f64);
            }
        }
    }

    fn position(&mut self) {
        let mut y = PADDING;
        for row in &self.rows {
            let mut x = PADDING;
            let height = row.iter().map(|&item| self.rects[item].height).fold(0.0, f64::max);
            for &item in row {
                self.rects[item].x = x;
                self.rects[item].y = y + (height - self.rects[item].height) / 2.0;
                x += self.rects[item].width + GAP;
            }
            y += height + LAYER_GAP;
        }
        for sweep in 0..SWEEPS {
            for row in 0..self.rows.len() {
                self.pull(row, sweep % 2 == 0);
            }
        }
        let left = self.rects.iter().map(|rect| rect.x).fold(f64::MAX, f64::min);
        self.rects.iter_mut().for_each(|rect| rect.x += PADDING - left);
    }

    /// Moves the boxes of a layer towards their neighbours without changing their order.
    fn pull(&mut self, row: usize, rightward: bool) {
        let centres: Vec<f64> = self.rects.iter().map(|rect| rect.x + rect.width / 2.0).collect();
        let wish = |item: usize| {
            let near: Vec<usize> =
                self.above[item].iter().chain(&self.below[item]).copied().collect();
            mean(&near, &centres).unwrap_or(centres[item]) - self.rects[item].width / 2.0
        };
        let items = self.rows[row].clone();
        let mut xs: Vec<f64> = items.iter().map(|&item| wish(item)).collect();
        if rightward {
            for at in 1..items.len() {
                let least = xs[at - 1] + self.rects[items[at - 1]].width + GAP;
                xs[at] = xs[at].max(least);
            }
        } else {
            for at in (1..items.len()).rev() {
                let most = xs[at] - self.rects[items[at - 1]].width - GAP;
                xs[at - 1] = xs[at - 1].min(most);
            }
        }
        for (&item, x) in items.iter().zip(xs) {
            self.rects[item].x = x;
        }
    }

    fn finish(&self, drawing: &Drawing, down: &[(usize, usize)], bends: &[Vec<usize>]) -> Placed {
        let boxes = self.rects[..drawing.boxes.len()].to_vec();
        let mut routes = Vec::with_capacity(bends.len());
        for ((line, &(upper, lower)), points) in drawing.lines.iter().zip(down).zip(bends) {
            let mut route = self.route(upper, lower, points);
            if line.from != upper {
                route.reverse();
            }
            routes.push(route);
        }
        let reach = |side: fn(&Rect) -> f64| self.rects.iter().map(side).fold(0.0, f64::max);
        let width = reach(|rect| rect.x + rect.width) + PADDING + 2.0 * GAP;
        let height = reach(|rect| rect.y + rect.height) + PADDING;
        Placed { boxes, routes, width, height }
    }

    fn route(&self, upper: usize, lower: usize, points: &[usize]) -> Vec<(f64, f64)> {
        let (a, b) = (self.rects[upper], self.rects[lower]);
        if upper == lower {
            let (right, middle) = (a.x + a.width, a.y + a.height / 2.0);
            return vec![(right, middle - 6.0), (right + GAP, middle), (right, middle + 6.0)];
        }
        let mut route = vec![(a.x + a.width / 2.0, a.y + a.height)];
        route.extend(points.iter().map(|&at| (self.rects[at].x + 2.0, self.rects[at].y + 2.0)));
        route.push((b.x + b.width / 2.0, b.y));
        route
    }
}

fn mean(items: &[usize], positions: &[f64]) -> Option<f64> {
    let sum: f64 = items.iter().map(|&item| positions[item]).sum();
    (!items.is_empty()).then(|| sum / items.len() as f64)
}
