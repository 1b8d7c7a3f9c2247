//! The kind of a column by its values.

use crate::format::text::parse_u32;
use crate::format::text::sample::Fields;

/// Seconds since 1970 that are dates of our time: from 1989 to 2049.
const SECONDS: (f64, f64) = (6e8, 2.5e9);

/// Seconds, milliseconds, microseconds and nanoseconds.
const SCALES: [f64; 4] = [1.0, 1e3, 1e6, 1e9];

/// Years that are dates of our time.
const YEARS: (f64, f64) = (1900.0, 2100.0);

fn column<'a>(rows: &'a [&Fields], column: usize) -> impl Iterator<Item = Option<&'a str>> {
    rows.iter()
        .map(move |row| row.get(column).map(std::convert::AsRef::as_ref))
}

/// Whether all values of a column look like dates or times of a day as people write
/// them, such as `2024-01-31 12:30`, `31.1.2024` or `12:30`.
pub(super) fn are_dates(rows: &[&Fields], place: usize) -> bool {
    let mut cells = column(rows, place)
        .flatten()
        .filter(|cell| !cell.is_empty());
    cells.next().is_some_and(is_date) && cells.all(is_date)
}

/// Whether a field looks like a date or a time of a day.
pub(super) fn is_date(field: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let start = field.split([' ', 'T']).next().unwrap_or_default();
    let three = |mark: char| {
        let parts: Vec<&str> = start.split(mark).collect();
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        parts.len() == 3 && parts.into_iter().all(digits) && {
            let year_first = lengths[0] == 4 && lengths[1] < 3 && lengths[2] < 3;
            let year_last = lengths[0] < 3 && lengths[1] < 3 && matches!(lengths[2], 2 | 4);
            year_first || year_last
        }
    };
    let is_clock = || {
        let parts: Vec<&str> = start.split(':').collect();
        let hours = |part: &str| part.len() < 3 && digits(part);
        (2..=3).contains(&parts.len()) && parts[..2].iter().all(|part| hours(part))
    };
    three('-') || three('.') || three('/') || is_clock()
}

/// Whether all values of a column look like times: seconds since 1970 or parts
/// of them, years, or days such as 20240131.
pub(super) fn are_times(rows: &[&Fields], place: usize) -> bool {
    let numbers: Option<Vec<f64>> = column(rows, place)
        .map(|field| field?.parse::<f64>().ok())
        .collect();
    let Some(numbers) = numbers else {
        return false;
    };
    let all = |is: &dyn Fn(f64) -> bool| numbers.iter().all(|&number| is(number));
    let whole = all(&|number| number.fract() == 0.0);
    let between = |number: f64, (low, high): (f64, f64)| low <= number && number <= high;
    let seconds = SCALES
        .iter()
        .any(|scale| all(&|number| between(number / scale, SECONDS)));
    let years = whole && numbers.len() > 2 && all(&|number| between(number, YEARS));
    seconds || years || whole && all(&is_day)
}

/// Whether a number is a day such as 20240131.
fn is_day(number: f64) -> bool {
    let (year, month, day) = (
        (number / 1e4).floor(),
        (number / 1e2).floor() % 100.0,
        number % 100.0,
    );
    (YEARS.0..=YEARS.1).contains(&year)
        && (1.0..=12.0).contains(&month)
        && (1.0..=31.0).contains(&day)
}

/// Whether a column counts the lines, from 0 or 1 on.
pub(super) fn counts_lines(rows: &[&Fields], place: usize) -> bool {
    let number = |field: Option<&str>| {
        let field = field?;
        let (number, length) = parse_u32(field.as_bytes())?;
        (length == field.len()).then_some(number)
    };
    let Some(start @ (0 | 1)) = column(rows, place).next().and_then(number) else {
        return false;
    };
    column(rows, place)
        .zip(start..)
        .all(|(field, expected)| number(field) == Some(expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows<'a>(values: &[&'a str]) -> Vec<Fields<'a>> {
        values.iter().map(|&value| vec![value.into()]).collect()
    }

    #[test]
    fn times_are_told_from_weights() {
        for (values, expected) in [
            (&["1082040961", "1082155839"][..], true),
            (&["1082040961123", "1082155839456"], true),
            (&["1082040961.5"], true),
            (&["1999", "2004", "2010"], true),
            (&["1999", "2004"], false),
            (&["20240131", "19991231"], true),
            (&["20241331", "19991231"], false),
            (&["1", "1082155839"], false),
            (&["0.5", "2"], false),
            (&["x"], false),
        ] {
            let rows = rows(values);
            let rows: Vec<_> = rows.iter().collect();
            assert_eq!(are_times(&rows, 0), expected, "{values:?}");
        }
    }

    #[test]
    fn dates_are_known() {
        for field in [
            "2024-01-31",
            "2024-01-31T12:30:00Z",
            "31.1.2024",
            "1/31/24 12:30",
            "12:30",
        ] {
            assert!(is_date(field), "{field}");
        }
        for field in [
            "",
            "1.2.3.4",
            "10-20-30-40",
            "ann",
            "1.5",
            "127.0.0.1:80",
            "a:b",
            "1-2",
        ] {
            assert!(!is_date(field), "{field}");
        }
    }

    #[test]
    fn counting_starts_at_zero_or_one() {
        for (values, expected) in [
            (&["0", "1", "2"][..], true),
            (&["1", "2", "3"], true),
            (&["2", "3"], false),
            (&["0", "2"], false),
            (&["0", "x"], false),
        ] {
            let rows = rows(values);
            let rows: Vec<_> = rows.iter().collect();
            assert_eq!(counts_lines(&rows, 0), expected, "{values:?}");
        }
    }
}
