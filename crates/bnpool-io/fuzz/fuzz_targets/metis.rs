#![no_main]

use bnpool_io::format::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| bnpool_graph_fuzz::read(Format::Metis, bytes));
