//! Files that `torch.save` wrote, and damaged ones like them.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use bnpool_io::format::{Archive, Limits};
use bnpool_io::pickle::TorchFile;
use proptest::prelude::*;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/sets")
        .join(name)
}

#[test]
fn tensors_come_row_after_row() {
    let path = fixture("lrgb/peptides-struct/train.pt");
    let file = TorchFile::open(&path, &Limits::default()).unwrap();
    let pickle = file.pickle().unwrap();
    let graphs: Vec<_> = pickle.root().items().unwrap().collect();
    assert_eq!(graphs.len(), 3);
    for (graph, nodes) in graphs.iter().zip([3, 5, 4]) {
        let parts: Vec<_> = graph.items().unwrap().collect();
        let tensors: Vec<_> = parts.iter().map(|p| p.as_tensor().unwrap()).collect();
        let edges = 2 * (nodes - 1);
        assert_eq!(tensors[0].shape(), [nodes, 9]);
        assert_eq!(tensors[1].shape(), [edges, 3]);
        assert_eq!(tensors[2].shape(), [2, edges]);
        assert_eq!(tensors[3].shape(), [1, 11]);
        assert_eq!(tensors[3].to_f32(&file).unwrap().len(), 11);
        // The second graph keeps its edges transposed, with strides of 1 and 2.
        let ends = tensors[2].to_i64(&file).unwrap();
        assert_eq!(ends[..4], [0, 1, 1, 2].map(|u| u.min(nodes as i64 - 1)));
        assert_eq!(ends[edges..edges + 2], [1, 0]);
    }
}

fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in members {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// An archive around a pickle and one storage of eight bytes.
fn archive(pickle: &[u8]) -> TorchFile {
    let bytes = zip_of(&[("a/data.pkl", pickle), ("a/data/0", &[1; 8])]);
    TorchFile::from_bytes(Path::new("a.pt"), bytes, &Limits::default()).unwrap()
}

fn tensor(key: &str, start: &str, shape: &str, strides: &str) -> Vec<u8> {
    format!(
        "ctorch._utils\n_rebuild_tensor_v2\n((Vstorage\nctorch\nFloatStorage\nV{key}\nVcpu\nI2\nt\
         Q{start}({shape}t({strides}tI00\n}}tR."
    )
    .into_bytes()
}

#[test]
fn tensors_stay_inside_their_storage() {
    let numbers = |key, start, shape, strides| {
        let file = archive(&tensor(key, start, shape, strides));
        let pickle = file.pickle().unwrap();
        let tensor = pickle.root().as_tensor().unwrap();
        tensor.to_f32(&file).map(|numbers| numbers.len())
    };
    assert_eq!(numbers("0", "I0\n", "I2\n", "I1\n"), Ok(2));
    assert_eq!(numbers("0", "I1\n", "I5\n", "I0\n"), Ok(5));
    assert_eq!(numbers("0", "I1\n", "", ""), Ok(1));
    assert_eq!(numbers("0", "I9\n", "I0\n", "I1\n"), Ok(0));
    let largest = "I9223372036854775807\n";
    assert_eq!(numbers("0", "I1\n", "I1\n", largest), Ok(1));
    for (key, start, shape, strides) in [
        ("1", "I0\n", "I2\n", "I1\n"),
        ("0", "I1\n", "I2\n", "I1\n"),
        ("0", largest, "I2\n", "I1\n"),
        ("0", "I0\n", "I2\n", largest),
        ("0", "I0\n", largest, "I0\n"),
        ("0", "I0\n", "I1000000\nI1000000\n", "I0\nI0\n"),
    ] {
        assert!(
            numbers(key, start, shape, strides).is_err(),
            "{start} {shape} {strides}"
        );
    }
}

#[test]
fn other_archives_are_named() {
    let error = TorchFile::from_bytes(Path::new("a.pt"), b"PK".to_vec(), &Limits::default());
    assert!(error.unwrap_err().to_string().starts_with("a.pt: "));
    let bytes = zip_of(&[("a/other.pkl", b"")]);
    let error = TorchFile::from_bytes(Path::new("a.pt"), bytes, &Limits::default()).unwrap_err();
    assert!(
        error.to_string().contains("no `data.pkl` inside"),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn damaged_pickles_of_tensors_never_panic(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let path = fixture("lrgb/peptides-struct/val.pt");
        let mut original = Archive::open(path, &Limits::default()).unwrap();
        let pickle = original.read("val/data.pkl").unwrap().unwrap();
        let mut pickle = pickle.into_bytes();
        for (place, byte) in changes {
            let place = place.index(pickle.len());
            pickle[place] = byte;
        }
        let storage = [2; 200];
        let bytes = zip_of(&[("a/data.pkl", &pickle), ("a/data/0", &storage), ("a/data/1", &storage)]);
        let file = TorchFile::from_bytes(Path::new("a.pt"), bytes, &Limits::default()).unwrap();
        let Ok(pickle) = file.pickle() else {
            return Ok(());
        };
        for graph in pickle.root().items().into_iter().flatten() {
            for tensor in graph.items().into_iter().flatten().filter_map(|part| part.as_tensor()) {
                let _ = (tensor.to_f32(&file), tensor.to_i64(&file));
            }
        }
    }
}
