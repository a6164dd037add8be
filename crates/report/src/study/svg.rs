//! A study as a drawing: the ds-ratio of each criterion over the distance, with its interval.

use std::fmt::Write;

use effects::adequacy::Criterion;
use effects::study::{Row, Study};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 96.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 48.0;

/// The drawing. Criteria without a distance are level lines.
pub fn svg(study: &Study) -> String {
    let most = study.rows.iter().filter_map(|row| row.distance).max().unwrap_or(1);
    let place = Places { most };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    axes(&mut text, &place);
    for criterion in Criterion::ALL {
        let rows: Vec<&Row> = study.rows.iter().filter(|row| row.criterion == criterion).collect();
        draw(&mut text, &place, criterion, &rows);
    }
    text + "</svg>\n"
}

/// Where distances and ratios are in the drawing.
struct Places {
    most: u32,
}

impl Places {
    fn x(&self, distance: f64) -> f64 {
        let steps = f64::from(self.most.saturating_sub(1).max(1));
        LEFT + (distance - 1.0) / steps * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, ratio: f64) -> f64 {
        HEIGHT - BOTTOM - ratio * (HEIGHT - TOP - BOTTOM)
    }

    fn end(&self) -> f64 {
        self.x(f64::from(self.most.max(2)))
    }
}

fn axes(text: &mut String, place: &Places) {
    for tenth in (0..=10).step_by(2) {
        let (ratio, y) = (f64::from(tenth) / 10.0, place.y(f64::from(tenth) / 10.0));
        let (start, end) = (place.x(1.0), place.end());
        let _ = writeln!(
            text,
            "<line x1=\"{start:.1}\" x2=\"{end:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{ratio:.1}</text>",
            LEFT - 8.0,
            y + 4.0
        );
    }
    for distance in 1..=place.most {
        let x = place.x(f64::from(distance));
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{distance}</text>",
            HEIGHT - BOTTOM + 18.0
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">distance</text>\
         <text x=\"{LEFT}\" y=\"14\">ds-ratio</text>",
        (place.x(1.0) + place.end()) / 2.0,
        HEIGHT - 10.0
    );
}

fn colour(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Statements => "#777777",
        Criterion::Branches => "#b07000",
        Criterion::Uses => "#7a4fa0",
        Criterion::Chains => "#0060a0",
        Criterion::Propagation | Criterion::Output => "#b02030",
    }
}

fn draw(text: &mut String, place: &Places, criterion: Criterion, rows: &[&Row]) {
    let Some(last) = rows.last() else { return };
    let colour = colour(criterion);
    let mut points: Vec<(f64, f64)> = Vec::new();
    for row in rows {
        let Some(distance) = row.distance else { continue };
        let (x, y) = (place.x(f64::from(distance)), place.y(row.ratio.value));
        let (low, high) = (place.y(row.ratio.low), place.y(row.ratio.high));
        let _ = writeln!(
            text,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{low:.1}\" y2=\"{high:.1}\" stroke=\"{colour}\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
        );
        points.push((x, y));
    }
    let dashes = if points.is_empty() { " stroke-dasharray=\"5 4\"" } else { "" };
    let level = place.y(last.ratio.value);
    if points.is_empty() {
        points = vec![(place.x(1.0), level), (place.end(), level)];
    }
    let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\"{dashes}/>\
         <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
        line.join(" "),
        place.end() + 10.0,
        level + 4.0,
        criterion.name()
    );
}
