//! Files of other programs, which are recognised and refused with a way to convert them.

use std::path::Path;

use crate::bytes::error::ReadError;
use crate::bytes::intake::ZIP_MAGIC;
use crate::format::table::{lower_extension, unpacked_name};

/// A kind of file that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Foreign {
    /// The kind of file, with its article.
    what: &'static str,
    /// The function of pandas that reads it, if one does.
    reader: Option<&'static str>,
}

impl Foreign {
    const fn of(what: &'static str, reader: &'static str) -> Self {
        Self {
            what,
            reader: Some(reader),
        }
    }

    const PARQUET: Self = Self::of("a Parquet file", "read_parquet");
    const PICKLE: Self = Self::of("a Python pickle", "read_pickle");
    const EXCEL: Self = Self::of("a spreadsheet", "read_excel");
    const STATA: Self = Self::of("a Stata file", "read_stata");
    const ARROW: Self = Self::of("an Arrow file", "read_feather");
    const HDF: Self = Self::of("an HDF5 file", "read_hdf");
    const SPSS: Self = Self::of("an SPSS file", "read_spss");
    const SAS: Self = Self::of("a SAS file", "read_sas");
    const GRAPH_PICKLE: Self = Self {
        what: "a pickled networkx graph",
        reader: None,
    };

    /// The kind that the ending of a name stands for.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        Some(match lower_extension(&unpacked_name(path))?.as_str() {
            "parquet" | "pq" => Self::PARQUET,
            "pkl" | "pickle" => Self::PICKLE,
            "gpickle" => Self::GRAPH_PICKLE,
            "xlsx" | "xlsm" | "xls" | "ods" => Self::EXCEL,
            "dta" => Self::STATA,
            "feather" | "arrow" => Self::ARROW,
            "h5" | "hdf5" | "hdf" => Self::HDF,
            "sav" => Self::SPSS,
            "sas7bdat" => Self::SAS,
            _ => return None,
        })
    }

    /// The kind that the start of a file stands for.
    pub(crate) fn of_start(start: &[u8]) -> Option<Self> {
        // The name of the first member of a zip archive begins at byte 30.
        let is_office = start.starts_with(ZIP_MAGIC)
            && start.get(30..).is_some_and(|rest| {
                let names: [&[u8]; 4] = [b"[Content_Types].xml", b"xl/", b"_rels/", b"mimetype"];
                names.iter().any(|name| rest.starts_with(name))
            });
        match start {
            _ if is_office => Some(Self::EXCEL),
            [b'P', b'A', b'R', b'1', ..] => Some(Self::PARQUET),
            [0xd0, 0xcf, 0x11, 0xe0, ..] => Some(Self::EXCEL),
            [0x89, b'H', b'D', b'F', ..] => Some(Self::HDF),
            [0x80, 2..=5, ..] => Some(Self::PICKLE),
            _ if start.starts_with(b"ARROW1") || start.starts_with(b"FEA1") => Some(Self::ARROW),
            _ if start.starts_with(b"<stata_dta>") => Some(Self::STATA),
            _ => None,
        }
    }

    /// The refusal of a file, with a line that converts it.
    pub(crate) fn refuse(self, path: &Path) -> ReadError {
        // A name that needs quoting of its own would break the line.
        let plain = |name: &str| {
            let good = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./ ".contains(&byte);
            !name.is_empty() && name.bytes().all(good)
        };
        let input = path.to_str().filter(|name| plain(name)).unwrap_or("FILE");
        let stem = unpacked_name(path).with_extension("");
        let output = stem.to_str().filter(|name| plain(name)).unwrap_or("graph");
        let line = match self.reader {
            Some(reader) => format!(
                "convert it: python3 -c \"import pandas; pandas.{reader}('{input}').to_csv('{output}.csv', index=False)\""
            ),
            None => format!(
                "convert it: python3 -c \"import pickle, networkx; networkx.write_graphml(pickle.load(open('{input}', 'rb')), '{output}.graphml')\""
            ),
        };
        ReadError::in_file(
            path,
            format!("this is {}, which is not read", self.what),
            line,
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::format::{ReadOptions, read_graph};

    #[test]
    fn the_message_converts_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            let error = read_graph(&path, &ReadOptions::default()).unwrap_err();
            let folder = format!("{}/", folder.path().display());
            error.to_string().replace(&folder, "")
        };
        assert_eq!(
            refusal("my edges.parquet", b"PAR1"),
            "my edges.parquet: this is a Parquet file, which is not read; convert it: python3 -c \
             \"import pandas; pandas.read_parquet('my edges.parquet').to_csv('my edges.csv', \
             index=False)\""
        );
        let mut excel = b"PK\x03\x04".to_vec();
        excel.resize(30, 0);
        excel.extend(b"[Content_Types].xml");
        for (name, bytes, expected) in [
            ("a.xlsx", &b"x"[..], "pandas.read_excel('a.xlsx')"),
            (
                "a.pkl.gz",
                b"x",
                "pandas.read_pickle('a.pkl.gz').to_csv('a.csv'",
            ),
            ("a.gpickle", b"x", "networkx.write_graphml("),
            ("a.dta", b"x", "pandas.read_stata("),
            ("b", b"PAR1\0", "pandas.read_parquet('b')"),
            ("b", &excel, "pandas.read_excel('b')"),
            ("b", b"\x80\x04\x95", "pandas.read_pickle('b')"),
            ("b", b"<stata_dta><header>", "pandas.read_stata('b')"),
            ("b';rm", b"PAR1\0", "pandas.read_parquet('FILE')"),
        ] {
            let error = refusal(name, bytes);
            assert!(error.contains(expected), "{error}");
        }
    }
}
