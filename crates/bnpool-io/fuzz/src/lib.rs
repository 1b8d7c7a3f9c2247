//! The bodies of the fuzz targets: they read bytes and drop the result. A panic, or
//! memory beyond the limit of the fuzzer, is a find.
//!
//! Run one format with `FORMAT=gexf cargo +nightly fuzz run format seeds/gexf` in the
//! folder above this one.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use bnpool_io::format::npy::Npy;
use bnpool_io::format::tu::{TuOptions, read_tu_archive};
use bnpool_io::format::{Archive, Format, Limits, ReadOptions, Source, read_source};
use bnpool_io::pickle::{Pickle, TorchFile, Value};

fn limits() -> Limits {
    Limits {
        max_bytes: 1 << 24,
        max_announced: 1 << 16,
        ..Limits::default()
    }
}

/// A file of any format, or of the one that the variable `FORMAT` names.
pub fn format(bytes: &[u8]) {
    let asked = std::env::var("FORMAT").ok();
    let options = ReadOptions {
        limits: limits(),
        ..ReadOptions::default()
    };
    for &format in Format::ALL {
        if asked.as_deref().is_none_or(|name| name == format.name())
            && let Ok(source) = Source::from_bytes("x", bytes.to_vec(), &limits())
        {
            let _ = read_source(source, format, &options);
        }
    }
}

/// A file of node features beside a small graph.
pub fn features(bytes: &[u8]) {
    beside(bytes, |path| ReadOptions {
        features: Some(path.to_owned()),
        ..ReadOptions::default()
    });
}

/// A file of node labels beside a small graph.
pub fn labels(bytes: &[u8]) {
    beside(bytes, |path| ReadOptions {
        labels: Some(path.to_owned()),
        ..ReadOptions::default()
    });
}

fn beside(bytes: &[u8], options: impl Fn(&Path) -> ReadOptions) {
    let path = std::env::temp_dir().join(format!("bnpool-fuzz-{}", std::process::id()));
    fs::write(&path, bytes).expect("a temporary file");
    for edges in ["0,1\n", "a,b\n"] {
        let source = Source::from_bytes("e", edges.into(), &limits()).expect("good edges");
        let options = ReadOptions {
            limits: limits(),
            add_isolated: true,
            ..options(&path)
        };
        let _ = read_source(source, Format::EdgeList, &options);
    }
}

/// A `.npy` array.
pub fn array(bytes: &[u8]) {
    if let Ok(array) = Npy::parse(Path::new("x"), bytes) {
        let _ = (array.to_matrix(Path::new("x")), array.data.to_i64());
    }
}

/// The files of a TU data set, cut apart at every `=`.
pub fn tu_files(bytes: &[u8]) {
    const PARTS: [&str; 7] = [
        "A",
        "graph_indicator",
        "graph_labels",
        "node_labels",
        "node_attributes",
        "edge_labels",
        "edge_attributes",
    ];
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (part, text) in PARTS.iter().zip(bytes.split(|&byte| byte == b'=')) {
        let name = format!("T/T_{part}.txt");
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Stored);
        writer.start_file(name, options).expect("a member");
        writer.write_all(text).expect("a member");
    }
    let zipped = writer.finish().expect("an archive").into_inner();
    let options = TuOptions {
        node_attributes: true,
        edge_attributes: true,
        limits: limits(),
        ..TuOptions::default()
    };
    if let Ok(archive) = Archive::from_bytes("T.zip", zipped, &limits()) {
        let _ = read_tu_archive(archive, &options);
    }
}

/// A pickle, and the arrays in it.
pub fn pickle(bytes: &[u8]) {
    if let Ok(pickle) = Pickle::parse(bytes) {
        walk(pickle.root(), &mut |value| {
            let _ = value.as_array().map(|array| array.to_f32());
            let _ = (value.as_csr(), value.as_text(), value.as_float());
        });
    }
}

/// Visits a value and what is in it, but not without end: a list may hold
/// another many times over.
fn walk<'p>(root: Value<'p>, visit: &mut impl FnMut(Value<'p>)) {
    let mut waiting = vec![root];
    for _ in 0..1000 {
        let Some(value) = waiting.pop() else { return };
        visit(value);
        waiting.extend(value.items().into_iter().flatten().take(100));
        for (key, entry) in value.entries().into_iter().flatten().take(100) {
            waiting.extend([key, entry]);
        }
    }
}

/// A PyTorch archive: the bytes are the pickle inside.
pub fn torch(bytes: &[u8]) {
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [
        ("archive/data.pkl", bytes),
        ("archive/data/0", &[0_u8; 64][..]),
    ] {
        writer.start_file(name, options).expect("a member");
        writer.write_all(content).expect("a member");
    }
    let zipped = writer.finish().expect("an archive").into_inner();
    if let Ok(file) = TorchFile::from_bytes(Path::new("x.pt"), zipped, &limits()) {
        if let Ok(pickle) = file.pickle() {
            walk(pickle.root(), &mut |value| {
                let _ = value
                    .as_tensor()
                    .map(|tensor| (tensor.to_f32(&file), tensor.to_i64(&file)));
            });
        }
    }
}
