//! Packed files: gzip, zstd, xz and bzip2, recognised by their first bytes.
//!
//! All decoders are written in Rust and have a bound on the memory that a file
//! may make them take; that of bzip2 takes 4 MB at most.

use std::io::{self, BufRead, Read};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, DEFAULT_MAX_WINDOW_SIZE, FrameDecoder};

use super::limits::Limits;

/// Endings of packed files, which do not depend on the format.
pub(crate) const ENDINGS: [&str; 5] = ["gz", "zst", "zstd", "xz", "bz2"];

/// The number of bytes that identify the packing.
pub(crate) const MAGIC_LENGTH: usize = 10;

/// Most memory that the dictionary of an xz file may take, in KiB; `xz -9` asks
/// for 65 MiB.
const XZ_MEMORY: u64 = 1 << 18;

/// The packing of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
}

impl Packing {
    /// The packing of a file that starts like this; `None` if it is not packed.
    pub(crate) fn of_start(start: &[u8]) -> Option<Self> {
        let skippable = matches!(start, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]);
        match start {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            _ if skippable => Some(Self::Zstd),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [b'B', b'Z', b'h', _, b'1', b'A', b'Y', b'&', b'S', b'Y', ..] => Some(Self::Bzip2),
            _ => None,
        }
    }

    /// Unpacks what a reader gives.
    pub(crate) fn decoder<'r>(
        self,
        reader: impl BufRead + Send + 'r,
        limits: &Limits,
    ) -> Box<dyn Read + Send + 'r> {
        match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(reader)),
            Self::Bzip2 => Box::new(MultiBzDecoder::new(reader)),
            Self::Zstd => {
                let mut decoder = FrameDecoder::new();
                decoder.set_max_window_size(DEFAULT_MAX_WINDOW_SIZE.min(limits.max_memory));
                Box::new(ZstdReader {
                    reader,
                    decoder,
                    is_open: false,
                })
            }
            Self::Xz => {
                let memory = XZ_MEMORY.min(limits.max_memory / 1024) as u32;
                Box::new(XzReader::new_mem_limit(reader, true, memory))
            }
        }
    }
}

/// All frames of a zstd file, one after the other, with their checksums.
struct ZstdReader<R> {
    reader: R,
    decoder: FrameDecoder,
    /// Whether a frame is being read.
    is_open: bool,
}

impl<R: BufRead> ZstdReader<R> {
    /// Goes on to the next frame with data; false at the end of the file.
    fn open(&mut self) -> io::Result<bool> {
        while !self.reader.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.reader) {
                Ok(()) => return Ok(true),
                // A frame that holds something for other programs.
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut frame = (&mut self.reader).take(u64::from(length));
                    if io::copy(&mut frame, &mut io::sink())? < u64::from(length) {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(damaged(error)),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_open && !self.open()? {
                return Ok(0);
            }
            self.is_open = true;
            let decoder = &mut self.decoder;
            while decoder.can_collect() == 0 && !decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                decoder
                    .decode_blocks(&mut self.reader, one)
                    .map_err(damaged)?;
            }
            let count = decoder.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            let expected = decoder.get_checksum_from_data();
            if expected.is_some() && expected != decoder.get_calculated_checksum() {
                return Err(damaged("the checksum is wrong"));
            }
            self.is_open = false;
        }
    }
}

fn damaged(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Source;

    /// `printf '0,1\n1,2\n' | zstd`, with a checksum.
    const ZSTD: &[u8] = include_bytes!("../../tests/data/packed/edges.csv.zst");
    /// `printf '0,1\n1,2\n' | xz`.
    const XZ: &[u8] = include_bytes!("../../tests/data/packed/edges.csv.xz");
    /// `printf '0,1\n1,2\n' | bzip2`.
    const BZIP2: &[u8] = include_bytes!("../../tests/data/packed/edges.csv.bz2");
    const TEXT: &[u8] = b"0,1\n1,2\n";

    fn unpack(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let source = Source::from_bytes("e.csv", bytes.to_vec(), &Limits::default());
        source
            .map(Source::into_bytes)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn unpacks_one_part_and_several() {
        for packed in [ZSTD, XZ, BZIP2] {
            assert_eq!(unpack(packed).unwrap(), TEXT);
            let twice = [packed, packed].concat();
            assert_eq!(unpack(&twice).unwrap(), [TEXT, TEXT].concat());
        }
        let skipped = [b"\x50\x2a\x4d\x18\x03\0\0\0abc", ZSTD].concat();
        assert_eq!(unpack(&skipped).unwrap(), TEXT);
    }

    #[test]
    fn damage_is_an_error_at_every_byte() {
        for packed in [ZSTD, XZ, BZIP2] {
            for place in 10..packed.len() {
                assert!(unpack(&packed[..place]).is_err(), "cut at {place}");
                let mut changed = packed.to_vec();
                changed[place] ^= 0x55;
                // Some bits mean nothing, but no other text may come out.
                assert!(
                    unpack(&changed).is_ok_and(|text| text == TEXT) || unpack(&changed).is_err()
                );
            }
        }
        let error = unpack(&ZSTD[..ZSTD.len() - 1]).unwrap_err();
        assert!(error.contains("cut off or damaged"), "{error}");
    }

    #[test]
    fn bombs_are_refused() {
        let limits = Limits {
            max_bytes: 7,
            ..Limits::default()
        };
        for packed in [ZSTD, XZ, BZIP2] {
            let error = Source::from_bytes("e.csv", packed.to_vec(), &limits).unwrap_err();
            assert!(
                error.to_string().contains("exceeds the limit of 7 bytes"),
                "{error}"
            );
        }
    }
}
