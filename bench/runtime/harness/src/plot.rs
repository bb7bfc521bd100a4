//! Pictures as SVG: curves over numbers that grow tenfold, and groups of bars. They follow the reader's choice of light or dark.

use crate::report::number;
use std::fmt::Write as _;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 50.0;
/// Where the axes end.
const END: f64 = WIDTH - RIGHT;
const FOOT: f64 = HEIGHT - BOTTOM;
/// Told apart also by those who see no red or no green: on white, and on black.
const COLOURS: [[&str; 2]; 5] = [
    ["#0072b2", "#56b4e9"],
    ["#555555", "#bbbbbb"],
    ["#d55e00", "#f0883e"],
    ["#009e73", "#2fc79a"],
    ["#b3558a", "#e39ac6"],
];

/// A name, and a value for every place of the axis or every group of bars.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) values: Vec<f64>,
}

/// How values go up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Scale {
    /// From 0, in equal steps.
    Linear { top: f64 },
    /// From one power of ten to another.
    Logarithmic { low: f64, high: f64 },
}

impl Scale {
    /// Equal steps for these values.
    pub(crate) fn linear(series: &[Series]) -> Self {
        Scale::Linear { top: ceiling(finite(series).fold(0.0, f64::max)) }
    }

    /// Powers of ten for these values.
    pub(crate) fn logarithmic(series: &[Series]) -> Self {
        let (least, most) = (finite(series).fold(f64::MAX, f64::min), finite(series).fold(1.0, f64::max));
        Scale::Logarithmic { low: least.min(most).log10().floor(), high: most.log10().ceil() }
    }

    /// The height at which a value stands.
    fn y(self, value: f64) -> f64 {
        let part = match self {
            Scale::Linear { top } => value / top,
            Scale::Logarithmic { low, high } => (value.log10() - low) / (high - low).max(1.0),
        };
        FOOT - part * (FOOT - TOP)
    }

    /// The values that have a line.
    fn marks(self) -> Vec<f64> {
        match self {
            Scale::Linear { top } => (0..=4).map(|step| top * f64::from(step) / 4.0).collect(),
            Scale::Logarithmic { low, high } => (low as i32..=high as i32).map(|power| 10_f64.powi(power)).collect(),
        }
    }
}

/// A picture of curves over `places`.
pub(crate) fn curves(title: &str, across: &str, places: &[usize], series: &[Series], scale: Scale) -> String {
    let mut svg = begin(title, scale);
    let x = |place: usize| LEFT + place as f64 / (places.len().max(2) - 1) as f64 * (END - LEFT);
    for (place, label) in places.iter().enumerate() {
        below(&mut svg, x(place), &plain(*label as f64));
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{across}</text>",
        f64::midpoint(LEFT, END),
        HEIGHT - 10.0
    );
    let mut taken: Vec<f64> = Vec::new();
    for (series, colour) in series.iter().zip((0..COLOURS.len()).cycle()) {
        let points = series.values.iter().enumerate().filter(|(_, value)| value.is_finite());
        let points: Vec<(f64, f64)> = points.map(|(place, value)| (x(place), scale.y(*value))).collect();
        let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(svg, "<polyline points=\"{}\" class=\"s{colour}\"/>", line.join(" "));
        for (x, y) in &points {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" class=\"f{colour}\"/>");
        }
        let Some((end, mut height)) = points.last().copied() else { continue };
        // The name stands at the end, away from the names that are there.
        while taken.iter().any(|other| (other - height).abs() < 14.0) {
            height -= 1.0;
        }
        taken.push(height);
        name(&mut svg, end + 10.0, height + 4.0, colour, &series.name);
    }
    svg.push_str("</svg>\n");
    svg
}

/// A picture of a group of bars for each name in `groups`, with a bar of each series.
pub(crate) fn bars(title: &str, groups: &[&str], series: &[Series]) -> String {
    let scale = Scale::linear(series);
    let mut svg = begin(title, scale);
    let room = (END - LEFT) / groups.len() as f64;
    let wide = room * 0.84 / series.len() as f64;
    for (group, label) in groups.iter().enumerate() {
        let start = LEFT + room * (group as f64 + 0.08);
        below(&mut svg, start + room * 0.42, label);
        for (place, (series, colour)) in series.iter().zip((0..COLOURS.len()).cycle()).enumerate() {
            let Some(value) = series.values.get(group).copied().filter(|value| value.is_finite()) else { continue };
            let (x, y) = (start + wide * place as f64, scale.y(value));
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" class=\"f{colour}\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"10\">{}</text>",
                wide - 2.0,
                FOOT - y,
                x + wide / 2.0 - 1.0,
                y - 4.0,
                number(value)
            );
        }
    }
    for (place, (series, colour)) in series.iter().zip((0..COLOURS.len()).cycle()).enumerate() {
        name(&mut svg, END + 10.0, TOP + 16.0 * place as f64, colour, &series.name);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Background, title and the lines across.
fn begin(title: &str, scale: Scale) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<style>\n{}@media (prefers-color-scheme: dark) {{\n{}}}\n</style>\n\
         <rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n<text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{title}</text>\n",
        style(0, ["#ffffff", "#1f2328", "#dddddd"]),
        style(1, ["#0d1117", "#e6edf3", "#3d444d"]),
    );
    for mark in scale.marks() {
        let y = scale.y(mark);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {y:.1}H{END:.1}\" class=\"line\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            y + 4.0,
            plain(mark)
        );
    }
    svg
}

/// The colours of one of the two ways to read.
fn style(way: usize, [paper, ink, line]: [&str; 3]) -> String {
    let mut style = format!(".paper {{ fill: {paper} }}\ntext {{ fill: {ink} }}\n.line {{ stroke: {line} }}\n");
    for (place, colours) in COLOURS.iter().enumerate() {
        let colour = colours[way];
        let _ = writeln!(style, ".f{place} {{ fill: {colour} }}");
        let _ = writeln!(style, ".s{place} {{ fill: none; stroke: {colour}; stroke-width: 2 }}");
    }
    style
}

/// A label of the axis across.
fn below(svg: &mut String, x: f64, label: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>", FOOT + 18.0);
}

/// Whose curve or bar it is.
fn name(svg: &mut String, x: f64, y: f64, colour: usize, name: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"f{colour}\">{name}</text>");
}

/// A round number without digits behind the point that say nothing.
fn plain(value: f64) -> String {
    let text = number(value);
    match text.split_once('.') {
        Some((whole, rest)) if rest.bytes().all(|digit| digit == b'0') => whole.to_owned(),
        _ => text,
    }
}

fn finite(series: &[Series]) -> impl Iterator<Item = f64> + '_ {
    series.iter().flat_map(|series| &series.values).copied().filter(|value| value.is_finite() && *value > 0.0)
}

/// The next number above that is 1, 2, 4 or 8 times a power of ten.
fn ceiling(value: f64) -> f64 {
    let power = 10_f64.powf(value.max(1.0).log10().floor());
    [1.0, 2.0, 4.0, 8.0, 10.0].iter().map(|times| times * power).find(|top| *top >= value).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(values: [f64; 2]) -> Vec<Series> {
        ["one", "two"].map(|name| Series { name: name.to_owned(), values: values.to_vec() }).into()
    }

    #[test]
    fn the_axis_ends_above_the_highest_value() {
        assert_eq!([1.0, 3.0, 72_000.0, 81_000.0].map(ceiling), [1.0, 4.0, 80_000.0, 100_000.0]);
        let scale = Scale::logarithmic(&series([4.1, 2_500.0]));
        assert_eq!(scale.marks(), [1.0, 10.0, 100.0, 1_000.0, 10_000.0]);
        assert_eq!((scale.y(1.0), scale.y(10_000.0)), (FOOT, TOP));
    }

    #[test]
    fn every_curve_is_drawn_and_named() {
        let series = series([1.0, 2.0]);
        let svg = curves("Title", "across", &[1, 10], &series, Scale::linear(&series));
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (2, 4));
        assert!(svg.contains(">one</text>") && svg.contains(">two</text>"), "{svg}");
    }

    #[test]
    fn what_was_not_measured_has_no_bar() {
        let svg = bars("Title", &["a", "b"], &series([1.0, f64::NAN]));
        // The paper is one more.
        assert_eq!(svg.matches("<rect").count(), 3);
        assert!(svg.contains(">one</text>") && svg.contains(">b</text>"), "{svg}");
    }
}
