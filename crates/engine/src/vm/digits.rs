//! How many characters C's printf writes for a number: the digits depend on the exact decimal value.

/// Decimal places that may differ from 0: a double has no more. Rust's formatter takes few more.
const PLACES: usize = 1100;
const ALTERNATE: u8 = 4;

/// The length of a double without its sign. `form` is 0 for `%f`, 1 for `%e`, 2 for `%g`, plus 4 with `#`.
#[inline(never)]
pub(super) fn text_length(bits: u64, precision: u64, form: u8) -> u64 {
    let number = f64::from_bits(bits).abs();
    if !number.is_finite() {
        return 3;
    }
    let alternate = form & ALTERNATE != 0;
    let places = precision.min(PLACES as u64) as usize;
    let zeros = precision - places as u64;
    let point = usize::from(alternate && places == 0);
    match form & !ALTERNATE {
        0 => (fixed(number, places).len() + point) as u64 + zeros,
        1 => (scientific(number, places).len() + point) as u64 + zeros,
        _ if alternate => general(number, places, true) as u64 + zeros,
        _ => general(number, places, false) as u64,
    }
}

fn fixed(number: f64, places: usize) -> String {
    format!("{number:.places$}")
}

/// Rust writes `1.5e7` where C writes `1.5e+07`.
fn scientific(number: f64, places: usize) -> String {
    let text = format!("{number:.places$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = exponent.trim_start_matches('-');
    format!("{mantissa}e+{digits:0>2}")
}

fn general(number: f64, places: usize, alternate: bool) -> usize {
    let places = places.max(1);
    let exponent = exponent(number, places - 1);
    let small = exponent < -4 || exponent >= places as i64;
    let text = match small {
        true => scientific(number, places - 1),
        false => fixed(number, (places as i64 - 1 - exponent) as usize),
    };
    let (mantissa, tail) = text.split_at(text.find('e').unwrap_or(text.len()));
    let pointed = mantissa.contains('.');
    let kept = match (alternate, pointed) {
        (true, true) => mantissa.len(),
        (true, false) => mantissa.len() + 1,
        (false, true) => mantissa.trim_end_matches('0').trim_end_matches('.').len(),
        (false, false) => mantissa.len(),
    };
    kept + tail.len()
}

/// The exponent of ten after rounding to some places.
fn exponent(number: f64, places: usize) -> i64 {
    let text = format!("{number:.places$e}");
    text.split_once('e').and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::text_length;

    fn check(number: f64, precision: u64, form: u8, text: &str) {
        assert_eq!(text_length(number.to_bits(), precision, form), text.len() as u64, "{text}");
    }

    #[test]
    fn lengths_are_those_of_the_c_library() {
        check(0.5, 6, 0, "0.500000");
        check(-12.25, 0, 0, "12");
        check(-12.25, 0, 4, "12.");
        check(1e300, 0, 1, "1e+300");
        check(9.9996, 3, 1, "1.000e+01");
        check(1e-7, 6, 2, "1e-07");
        check(123456.5, 6, 2, "123456");
        check(999999.5, 6, 2, "1e+06");
        check(0.0001, 6, 2, "0.0001");
        check(0.25, 0, 2, "0.2");
        check(1.0, 3, 6, "1.00");
        check(100.0, 3, 6, "100.");
        check(f64::INFINITY, 6, 0, "inf");
        assert_eq!(text_length(1f64.to_bits(), 70_000, 0), 70_002);
    }
}
