//! Medians and quartiles.

/// The quartiles of values: first, median, third.
pub(crate) fn quartiles(values: &[f64]) -> [f64; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    [0.25, 0.5, 0.75].map(|part| {
        let place = part * sorted.len().saturating_sub(1) as f64;
        let at = |place: f64| sorted.get(place as usize).copied().unwrap_or(f64::NAN);
        let (below, above) = (at(place.floor()), at(place.ceil()));
        below + (above - below) * place.fract()
    })
}

pub(crate) fn median(values: &[f64]) -> f64 {
    quartiles(values)[1]
}

/// The median of the ratios of values that were measured in the same round.
pub(crate) fn ratio(these: &[f64], others: &[f64]) -> f64 {
    let ratios: Vec<f64> = these.iter().zip(others).map(|(this, other)| this / other).collect();
    median(&ratios)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_values() {
        assert_eq!(quartiles(&[4.0, 1.0, 3.0, 2.0, 5.0]), [2.0, 3.0, 4.0]);
        assert_eq!(quartiles(&[1.0, 2.0]), [1.25, 1.5, 1.75]);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn a_ratio_is_taken_round_by_round() {
        assert_eq!(ratio(&[1.0, 20.0, 3.0], &[2.0, 40.0, 3.0]), 0.5);
    }
}
