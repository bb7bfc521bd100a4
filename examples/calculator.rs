//! A calculator: plain arguments, defaults and bounds, errors that tell the model what to do.
//!
//! ```sh
//! cargo run --example calculator -- call add_numbers a=2 b=3
//! cargo run --example calculator -- call divide dividend=1 divisor=0
//! ```

use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool(read_only, idempotent)]
fn add_numbers(
    /// First addend.
    a: f64,
    /// Second addend.
    b: f64,
) -> f64 {
    a + b
}

/// Divides one number by another.
#[mcp_tool(read_only, idempotent)]
fn divide(
    /// What is divided.
    #[arg(example = 7.0)]
    dividend: f64,
    /// What it is divided by; not 0.
    #[arg(example = 2.0)]
    divisor: f64,
    /// How many digits to keep behind the decimal point.
    #[arg(default = 6, min = 0, max = 15)]
    digits: u8,
) -> Result<f64, String> {
    if divisor == 0.0 {
        return Err("Nothing can be divided by 0: use another divisor.".to_owned());
    }
    let scale = 10_f64.powi(i32::from(digits));
    Ok((dividend / divisor * scale).round() / scale)
}

/// Figures that describe a list of numbers.
#[mcp_type]
struct Summary {
    /// How many numbers there are.
    count: usize,
    sum: f64,
    mean: f64,
}

/// Sums a list of numbers up.
#[mcp_tool(read_only, idempotent)]
fn summarize(
    /// The numbers.
    #[arg(min_items = 1)]
    numbers: Vec<f64>,
) -> Summary {
    let sum: f64 = numbers.iter().sum();
    #[allow(clippy::cast_precision_loss)]
    Summary { count: numbers.len(), sum, mean: sum / numbers.len() as f64 }
}

mcp_main!(server!().instructions("Use these tools instead of calculating in your head."));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotated_functions_stay_functions() {
        assert!((add_numbers(2.0, 3.0) - 5.0).abs() < f64::EPSILON);
        assert_eq!(divide(1.0, 3.0, 2), Ok(0.33));
        assert!(divide(1.0, 0.0, 2).is_err());
        assert_eq!(summarize(vec![1.0, 3.0]).count, 2);
    }
}
