//! Seeds of a comparison.

use std::str::FromStr;

/// Largest number of seeds; more are probably a typing error.
const MOST: u64 = 1000;

/// Seeds of `--seeds` without duplicates, in the given order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeds(pub Vec<u64>);

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || "write numbers like 0,1,2 or a range like 0-4".to_owned();
        // Settings store integers of this size.
        let number = |part: &str| {
            let number = part.trim().parse::<i64>().map_err(|_| wrong())?;
            u64::try_from(number).map_err(|_| wrong())
        };
        let mut seeds: Vec<u64> = Vec::new();
        for part in text.split(',') {
            let (first, last) = match part.split_once('-') {
                Some((first, last)) => (number(first)?, number(last)?),
                None => (number(part)?, number(part)?),
            };
            if first > last {
                return Err(format!(
                    "{first}-{last}: a range begins with its smaller end"
                ));
            }
            if last - first >= MOST {
                return Err(format!(
                    "{first}-{last}: at most {MOST} seeds can be compared"
                ));
            }
            for seed in first..=last {
                if !seeds.contains(&seed) {
                    seeds.push(seed);
                }
            }
        }
        Ok(Self(seeds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        let of = |text: &str| text.parse::<Seeds>().map(|seeds| seeds.0);
        assert_eq!(of("3"), Ok(vec![3]));
        assert_eq!(of("0-4"), Ok(vec![0, 1, 2, 3, 4]));
        assert_eq!(of("7, 1-2,2"), Ok(vec![7, 1, 2]));
        for wrong in [
            "",
            "a",
            "1,,2",
            "-1",
            "4-0",
            "1-",
            "0-1000000",
            "9223372036854775808",
        ] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
