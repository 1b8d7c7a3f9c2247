//! The header of a `.npy` file: a Python dictionary, parsed strictly.

use super::dtype::Dtype;

/// The content of the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) dtype: Dtype,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<usize>,
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// Most dimensions numpy itself allows.
const MOST_DIMENSIONS: usize = 64;

/// Splits a file into its header and its data; the error names the problem.
pub(super) fn split(bytes: &[u8]) -> Result<(Header, &[u8]), String> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or("it does not start like a .npy file")?;
    let (&[major, minor], rest) = rest.split_first_chunk().ok_or("its header is cut off")?;
    let (length, rest) = match (major, minor) {
        (1, 0) => {
            let (length, rest) = rest.split_first_chunk().ok_or("its header is cut off")?;
            (usize::from(u16::from_le_bytes(*length)), rest)
        }
        (2 | 3, 0) => {
            let (length, rest) = rest.split_first_chunk().ok_or("its header is cut off")?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
        _ => return Err(format!("version {major}.{minor} of the format is unknown")),
    };
    let (header, data) = rest
        .split_at_checked(length)
        .ok_or("its header is cut off")?;
    let header = std::str::from_utf8(header).map_err(|_| "its header is not UTF-8")?;
    Ok((Dictionary { text: header }.parse()?, data))
}

/// The rest of a dictionary that is being parsed.
struct Dictionary<'a> {
    text: &'a str,
}

impl<'a> Dictionary<'a> {
    fn parse(mut self) -> Result<Header, String> {
        let (mut dtype, mut fortran_order, mut shape) = (None, None, None);
        self.expect("{")?;
        while !self.take("}") {
            let key = self.string()?;
            self.expect(":")?;
            let again = match key {
                "descr" => dtype.replace(self.dtype()?).is_some(),
                "fortran_order" => fortran_order.replace(self.boolean()?).is_some(),
                "shape" => shape.replace(self.shape()?).is_some(),
                _ => return Err("its header has an unknown key".to_owned()),
            };
            if again {
                return Err("its header names a key twice".to_owned());
            }
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        if !self.text.trim().is_empty() {
            return Err("its header has more than a dictionary".to_owned());
        }
        match (dtype, fortran_order, shape) {
            (Some(dtype), Some(fortran_order), Some(shape)) => Ok(Header {
                dtype,
                fortran_order,
                shape,
            }),
            _ => Err("its header lacks descr, fortran_order or shape".to_owned()),
        }
    }

    fn take(&mut self, token: &str) -> bool {
        self.text = self.text.trim_start_matches(' ');
        match self.text.strip_prefix(token) {
            Some(rest) => {
                self.text = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) {
            return Ok(());
        }
        Err(format!("its header lacks a `{token}`"))
    }

    fn string(&mut self) -> Result<&'a str, String> {
        let quote = if self.take("'") { '\'' } else { '"' };
        if quote == '"' {
            self.expect("\"")?;
        }
        let (string, rest) = self
            .text
            .split_once(quote)
            .ok_or("its header has an open string")?;
        self.text = rest;
        Ok(string)
    }

    fn dtype(&mut self) -> Result<Dtype, String> {
        if self.take("[") {
            return Err("it holds records of several fields".to_owned());
        }
        let name = self.string()?;
        name.parse()
    }

    fn boolean(&mut self) -> Result<bool, String> {
        if self.take("True") {
            Ok(true)
        } else {
            self.expect("False").map(|()| false)
        }
    }

    fn shape(&mut self) -> Result<Vec<usize>, String> {
        self.expect("(")?;
        let mut shape = Vec::new();
        while !self.take(")") {
            self.text = self.text.trim_start_matches(' ');
            let digits = self.text.len()
                - self
                    .text
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .len();
            let (number, rest) = self.text.split_at(digits);
            let side = number
                .parse()
                .map_err(|_| "its shape is not a tuple of numbers")?;
            self.text = rest;
            // Python 2 wrote long integers as `3L`.
            self.take("L");
            shape.push(side);
            if shape.len() > MOST_DIMENSIONS {
                return Err("it has too many dimensions".to_owned());
            }
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Header, String> {
        Dictionary { text }.parse()
    }

    #[test]
    fn reads_what_numpy_writes() {
        let header =
            parse("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }   \n").unwrap();
        assert_eq!(header.shape, [3, 2]);
        assert!(!header.fortran_order);
        let header = parse("{\"shape\":(7L,),\"fortran_order\":True,\"descr\":\"|b1\"}").unwrap();
        assert_eq!(header.shape, [7]);
        assert!(header.fortran_order);
        let header = parse("{'descr': '|O', 'fortran_order': False, 'shape': (), }").unwrap();
        assert!(header.shape.is_empty());
    }

    #[test]
    fn refuses_anything_else() {
        for text in [
            "",
            "{",
            "{}",
            "{'descr': '<f8'}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3, -2), }",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3 2), }",
            "{'descr': '<f8', 'fortran_order': 0, 'shape': (3,), }",
            "{'descr': '<q9', 'fortran_order': False, 'shape': (3,), }",
            "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), } __import__('os')",
            "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (3,)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
