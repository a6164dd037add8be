//! Writes a placed drawing as SVG.

use std::fmt::Write;

use super::layout::Placed;
use super::{Drawing, Style};

pub fn draw(drawing: &Drawing, placed: &Placed) -> String {
    let (width, height) = (placed.width.ceil(), placed.height.ceil());
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"12\">\n\
         <title>{}</title>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n\
         <style>svg {{ background: white }}</style>\n",
        escaped(&drawing.name)
    );
    for (line, route) in drawing.lines.iter().zip(&placed.routes) {
        let points: Vec<String> = route.iter().map(|(x, y)| format!("{x:.0},{y:.0}")).collect();
        let dash = match line.style {
            Style::Solid => "",
            Style::Dashed => " stroke-dasharray=\"6 3\"",
            Style::Dotted => " stroke-dasharray=\"2 3\"",
        };
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"black\"{dash} \
             marker-end=\"url(#arrow)\"/>",
            points.join(" ")
        );
        write_label(&mut svg, &line.label, route);
    }
    for ((id, label), at) in drawing.boxes.iter().zip(&placed.boxes) {
        let _ = writeln!(
            svg,
            "<rect x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\" rx=\"3\" \
             fill=\"#f4f4f4\" stroke=\"black\"/>",
            at.x, at.y, at.width, at.height
        );
        for (index, text) in std::iter::once(id.as_str()).chain(label.lines()).enumerate() {
            let weight = if index == 0 { " font-weight=\"bold\"" } else { "" };
            let _ = writeln!(
                svg,
                "<text x=\"{:.0}\" y=\"{:.0}\"{weight}>{}</text>",
                at.x + 8.0,
                at.y + 15.0 + 15.0 * index as f64,
                escaped(text)
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Writes the label of a line beside its first step.
fn write_label(svg: &mut String, label: &str, route: &[(f64, f64)]) {
    if let [first, second, ..] = route
        && !label.is_empty()
    {
        let (x, y) = ((first.0 + second.0) / 2.0 + 4.0, (first.1 + second.1) / 2.0);
        let label = escaped(label);
        let _ = writeln!(svg, "<text x=\"{x:.0}\" y=\"{y:.0}\" fill=\"#444\">{label}</text>");
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
