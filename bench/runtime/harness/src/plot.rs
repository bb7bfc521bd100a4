//! Curves as SVG: a few lines over a logarithmic axis of numbers that grow tenfold.

use crate::report::number;
use std::fmt::Write as _;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 50.0;
/// Told apart also by those who see no red or no green.
const COLOURS: [&str; 5] = ["#0072b2", "#555555", "#d55e00", "#009e73", "#cc79a7"];

/// One line: its name, and a value for every place of the axis.
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) values: Vec<f64>,
}

/// A picture of curves over `places`, values upwards from 0.
pub(crate) fn plot(title: &str, across: &str, places: &[usize], curves: &[Curve]) -> String {
    let most = curves.iter().flat_map(|curve| &curve.values).copied().filter(|value| value.is_finite());
    let top = ceiling(most.fold(0.0, f64::max));
    let x = |place: usize| {
        let part = place as f64 / (places.len().max(2) - 1) as f64;
        LEFT + part * (WIDTH - LEFT - RIGHT)
    };
    let y = |value: f64| HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{title}</text>\n"
    );
    for step in 0..=4 {
        let value = top * f64::from(step) / 4.0;
        let height = y(value);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {height:.1}H{:.1}\" stroke=\"#dddddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            height + 4.0,
            if step == 0 { "0".to_owned() } else { number(value) }
        );
    }
    for (place, label) in places.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(place),
            HEIGHT - BOTTOM + 18.0,
            number(*label as f64).trim_end_matches(".00").trim_end_matches(".0")
        );
    }
    let middle = LEFT + (WIDTH - LEFT - RIGHT) / 2.0;
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{across}</text>", HEIGHT - 10.0);
    let mut taken: Vec<f64> = Vec::new();
    for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        draw(&mut svg, curve, colour, &x, &y, &mut taken);
    }
    svg.push_str("</svg>\n");
    svg
}

/// One curve with its name at its end, away from the names that are there.
fn draw(
    svg: &mut String,
    curve: &Curve,
    colour: &str,
    x: &impl Fn(usize) -> f64,
    y: &impl Fn(f64) -> f64,
    taken: &mut Vec<f64>,
) {
    let points: Vec<(f64, f64)> = curve.values.iter().enumerate().map(|(place, value)| (x(place), y(*value))).collect();
    let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ =
        writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>", line.join(" "));
    for (x, y) in &points {
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
    }
    let Some((end, mut height)) = points.last().copied() else { return };
    while taken.iter().any(|other| (other - height).abs() < 14.0) {
        height -= 1.0;
    }
    taken.push(height);
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
        end + 10.0,
        height + 4.0,
        curve.name
    );
}

/// The next number above that is 1, 2, 4 or 8 times a power of ten.
fn ceiling(value: f64) -> f64 {
    let power = 10_f64.powf(value.max(1.0).log10().floor());
    [1.0, 2.0, 4.0, 8.0, 10.0].iter().map(|times| times * power).find(|top| *top >= value).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_ends_above_the_highest_value() {
        assert_eq!([1.0, 3.0, 72_000.0, 81_000.0].map(ceiling), [1.0, 4.0, 80_000.0, 100_000.0]);
    }

    #[test]
    fn every_curve_is_drawn_and_named() {
        let curves = ["one", "two"].map(|name| Curve { name: name.to_owned(), values: vec![1.0, 2.0] });
        let svg = plot("Title", "across", &[1, 10], &curves);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains(">one</text>") && svg.contains(">two</text>"), "{svg}");
    }
}
