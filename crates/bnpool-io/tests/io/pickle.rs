//! Pickles of every protocol, and pickles that mean harm.
//!
//! The files in `data/pickle` were written by Python 3 with numpy and scipy; all
//! hold the same dictionary, once for each protocol (0 and 1 without the sparse
//! matrix, which they can only write as a call of `copyreg`).

use std::path::Path;

use bnpool_io::pickle::{Pickle, PickleProblem, Value};
use proptest::prelude::*;

fn fixture(protocol: usize) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pickle");
    std::fs::read(folder.join(format!("protocol{protocol}.pkl"))).expect("the fixture is there")
}

fn get<'p>(value: Value<'p>, key: &str) -> Value<'p> {
    value.get(key).unwrap_or_else(|| panic!("no `{key}`"))
}

fn ints(value: Value<'_>) -> Vec<i64> {
    let items = value.items().expect("a list");
    items
        .map(|item| item.as_int().expect("an integer"))
        .collect()
}

#[test]
fn every_protocol_reads_the_same() {
    for protocol in 0..=5 {
        let bytes = fixture(protocol);
        let pickle = Pickle::parse(&bytes).unwrap_or_else(|e| panic!("protocol {protocol}: {e}"));
        let root = pickle.root();
        assert_eq!(get(root, "none").kind(), "None");
        assert_eq!(get(root, "yes").as_int(), Some(1));
        assert_eq!(get(root, "int").as_int(), Some(-5));
        assert_eq!(get(root, "big").as_int(), Some(1 << 40));
        assert_eq!(get(root, "float").as_float(), Some(2.5));
        assert_eq!(get(root, "text").as_text().as_deref(), Some("é\n"));
        assert_eq!(get(root, "bytes").kind(), "bytes");
        let list: Vec<_> = get(root, "list").items().unwrap().collect();
        assert_eq!((list[0].as_int(), ints(list[1])), (Some(1), vec![2, 3]));
        let graph: Vec<_> = get(root, "graph").entries().unwrap().collect();
        assert_eq!(
            (graph[0].0.as_int(), ints(graph[0].1)),
            (Some(0), vec![1, 2])
        );
        assert_eq!(get(get(root, "ordered"), "b").as_int(), Some(2));
        let array = get(root, "f4").as_array().unwrap();
        assert_eq!(array.shape(), [2, 3]);
        assert_eq!(array.to_f32().unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let array = get(root, "fortran").as_array().unwrap();
        assert_eq!(array.to_i64().unwrap(), [0, 1, 2, 3, 4, 5]);
        let array = get(root, "big_endian").as_array().unwrap();
        assert_eq!(array.to_f32().unwrap(), [1.5, -2.0]);
        assert_eq!(get(root, "scalar").as_int(), Some(7));
        let array = get(root, "bools").as_array().unwrap();
        assert_eq!(array.to_i64().unwrap(), [1, 0]);
        let objects = get(root, "objects").as_array().unwrap();
        let lengths = objects
            .objects()
            .unwrap()
            .map(|o| o.as_array().unwrap().shape()[0]);
        assert_eq!(lengths.collect::<Vec<_>>(), [2, 3]);
        for item in get(root, "twice").items().unwrap() {
            assert_eq!(ints(item), [1]);
        }
        if protocol >= 2 {
            let matrix = get(root, "csr").as_csr().unwrap().unwrap();
            assert_eq!((matrix.rows(), matrix.columns_count()), (2, 3));
            assert_eq!(matrix.columns(), [1, 0, 2]);
            assert_eq!(matrix.weights(), Some(&[1.5, 2.0, 3.0][..]));
        }
    }
}

fn refused(bytes: &[u8]) -> String {
    Pickle::parse(bytes).expect_err("hostile").to_string()
}

#[test]
fn code_is_never_run_but_named() {
    let global = |name: &str| {
        format!(
            "the global `{name}` is not allowed: a pickle may hold only plain data and arrays \
             (at byte 0 of the pickle)"
        )
    };
    assert_eq!(refused(b"cos\nsystem\n(S'true'\ntR."), global("os.system"));
    assert_eq!(refused(b"cbuiltins\neval\n."), global("builtins.eval"));
    assert_eq!(refused(b"ctorch\nload\n."), global("torch.load"));
    assert_eq!(refused(b"cnumpy\nload\n."), global("numpy.load"));
    assert_eq!(
        refused(b"\x80\x04\x8c\x02os\x8c\x06system\x93."),
        global("os.system").replace("byte 0", "byte 14")
    );
    assert_eq!(
        refused(b"(ios\nsystem\n."),
        "the opcode INST (0x69) is not allowed (at byte 1 of the pickle)"
    );
    assert!(refused(b"\x82\x01.").contains("EXT1"));
    assert!(refused(b"\x8f.").contains("EMPTY_SET"));
    assert!(refused(b"Pid\n.").contains("PERSID"));
    assert!(refused(b"\x97.").contains("NEXT_BUFFER"));
    // A terminal must not obey names from a file.
    assert!(!refused(b"c\x1b[2J\nx\n.").contains('\x1b'));
}

#[test]
fn small_pickles_cannot_ask_for_memory() {
    // Lengths of 4 GiB and 2^63 bytes with nothing behind them.
    for bytes in [
        &b"T\xff\xff\xff\xff"[..],
        b"X\xff\xff\xff\x7f.",
        b"\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.",
        b"\x8d\xff\xff\xff\xff\xff\xff\xff\xff.",
        b"\x8b\xff\xff\xff\xff.",
        b"",
        b"(",
        b"]",
    ] {
        let error = Pickle::parse(bytes).expect_err("cut off");
        assert_eq!(error.problem, PickleProblem::Truncated, "{bytes:?}");
    }
    // A memo entry with the largest number, and one that does not exist.
    assert!(Pickle::parse(b"Nr\xff\xff\xff\xff.").is_ok());
    assert!(refused(b"j\xff\xff\xff\xff.").contains("nothing was kept"));
    // Stack and marks.
    assert!(refused(b".").contains("stack is empty"));
    assert!(refused(b"N(0000.").contains("stack is empty"));
    assert!(refused(b"t.").contains("no mark"));
    assert!(refused(b"(N}u.").contains("no value") || refused(b"}(Nu.").contains("no value"));
    assert!(refused(b"NNa.").contains("only a list"));
    assert!(refused(b"\x80\x06N.").contains("newer than 5"));
    assert!(refused(b"\x8a\x09\0\0\0\0\0\0\0\0\x01.").contains("64 bits"));
    assert!(refused(b"\xff.").contains("no pickle"));
}

#[test]
fn lists_inside_themselves_do_no_harm() {
    let pickle = Pickle::parse(b"]q\x00h\x00a.").expect("a list in itself");
    let inner = pickle.root().items().unwrap().next().unwrap();
    assert_eq!(inner.items().unwrap().len(), 1);
    // Thirty lists, each holding the one before twice: a tree of 2^30 leaves.
    let mut bomb = b"]q\x00".to_vec();
    for level in 0..30_u8 {
        bomb.extend([b']', b'q', level + 1, b'h', level, b'a', b'h', level, b'a']);
    }
    bomb.push(b'.');
    assert!(Pickle::parse(&bomb).is_ok());
}

#[test]
fn arrays_must_be_as_long_as_they_say() {
    let array = |shape: &[u8]| {
        let head = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(K\0tU\x01btR(K\x01";
        let tail = b"cnumpy\ndtype\n(U\x02f4K\0K\x01tR(K\x03U\x01<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb\x89U\x08abcdefghtb.";
        [&head[..], shape, &tail[..]].concat()
    };
    let numbers = |shape: &[u8]| {
        let bytes = array(shape);
        let pickle = Pickle::parse(&bytes).expect("a pickle");
        let numbers = pickle.root().as_array().expect("an array").to_f32();
        numbers.map(|numbers| numbers.len())
    };
    assert_eq!(numbers(b"(K\x02t"), Ok(2));
    assert_eq!(numbers(b"(K\x02K\x01t"), Ok(2));
    for wrong in [
        &b"(K\x03t"[..],
        b"(t",
        b"(J\xff\xff\xff\x7fJ\xff\xff\xff\x7fJ\xff\xff\xff\x7ft",
        b"(J\xff\xff\xff\x7ft",
    ] {
        assert!(numbers(wrong).is_err(), "{wrong:?}");
    }
}

/// Asks a value for everything it can give.
fn exercise(value: Value<'_>) {
    let _ = (value.as_int(), value.as_float(), value.as_text());
    if let Some(array) = value.as_array() {
        let _ = (array.to_f32(), array.to_i64());
        let _ = array.objects().map(|objects| objects.count());
    }
    let _ = value.as_csr().map(|matrix| matrix.is_ok());
    let _ = value.get("x");
    if let Some(items) = value.items() {
        items.for_each(|item| drop(item.as_array().map(|array| array.to_f32())));
    }
    if let Some(entries) = value.entries() {
        for (_, value) in entries {
            let _ = value.as_array().map(|array| array.to_i64());
            let _ = value.as_csr().map(|matrix| matrix.is_ok());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(pickle) = Pickle::parse(&bytes) {
            exercise(pickle.root());
        }
    }

    #[test]
    fn damaged_pickles_never_panic(
        protocol in 0_usize..=5,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        end in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let mut bytes = fixture(protocol);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if cut {
            bytes.truncate(end.index(bytes.len()));
        }
        if let Ok(pickle) = Pickle::parse(&bytes) {
            exercise(pickle.root());
        }
    }
}
