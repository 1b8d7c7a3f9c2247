//! Values that a pickle spells out: numbers, text, bytes and names.

use super::arena::{Item, Span};
use super::error::{PickleError, PickleProblem};
use super::global::Global;
use super::machine::Machine;
use super::text;

impl Machine<'_> {
    /// The next bytes, after their length of `N` bytes.
    fn take_span<const N: usize>(&mut self) -> Result<Span, PickleError> {
        let length = self.bytes.length::<N>()?;
        let start = self.bytes.position();
        self.bytes.take(length)?;
        Ok(Span {
            start,
            length,
            decoded: false,
        })
    }

    pub(super) fn push_span<const N: usize>(
        &mut self,
        kind: fn(Span) -> Item,
    ) -> Result<(), PickleError> {
        let span = self.take_span::<N>()?;
        self.push(kind(span));
        Ok(())
    }

    pub(super) fn push_text<const N: usize>(&mut self) -> Result<(), PickleError> {
        let span = self.take_span::<N>()?;
        if std::str::from_utf8(self.arena.span(span)).is_err() {
            return Err(self.malformed("the text is not UTF-8"));
        }
        self.push(Item::Text(span));
        Ok(())
    }

    pub(super) fn push_escaped(&mut self, code: u8) -> Result<(), PickleError> {
        let line = self.bytes.line()?;
        let (decoded, kind): (_, fn(Span) -> Item) = match code {
            b'S' => (text::unquote(line), Item::OldText),
            _ => (text::unescape(line), Item::Text),
        };
        let Some(decoded) = decoded else {
            return Err(self.malformed("the text has bad quotes or escapes"));
        };
        let span = Span {
            start: self.arena.decoded.len(),
            length: decoded.len(),
            decoded: true,
        };
        self.arena.decoded.extend(decoded);
        self.push(kind(span));
        Ok(())
    }

    pub(super) fn push_int_line(&mut self) -> Result<(), PickleError> {
        let offset = self.bytes.position();
        let line = self.bytes.line()?;
        let item = match line {
            b"00" => Item::Bool(false),
            b"01" => Item::Bool(true),
            digits => Item::Int(parse_int(offset, digits)?),
        };
        self.push(item);
        Ok(())
    }

    pub(super) fn push_long_line(&mut self) -> Result<(), PickleError> {
        let offset = self.bytes.position();
        let line = self.bytes.line()?;
        let digits = line.strip_suffix(b"L").unwrap_or(line);
        self.push(Item::Int(parse_int(offset, digits)?));
        Ok(())
    }

    /// A whole number of `length` bytes, smallest first, in two's complement.
    pub(super) fn push_long(&mut self, length: usize) -> Result<(), PickleError> {
        let bytes = self.bytes.take(length)?;
        let sign = match bytes.last() {
            Some(&last) if last >= 0x80 => 0xff,
            _ => 0,
        };
        let (low, high) = bytes.split_at(length.min(8));
        let mut wide = [sign; 8];
        wide[..low.len()].copy_from_slice(low);
        let value = i64::from_le_bytes(wide);
        let fits = high.iter().all(|&byte| byte == sign) && (value < 0) == (sign != 0);
        if !fits {
            return Err(self.malformed("the whole number has more than 64 bits"));
        }
        self.push(Item::Int(value));
        Ok(())
    }

    pub(super) fn push_stack_global(&mut self) -> Result<(), PickleError> {
        let name = self.pop()?;
        let module = self.pop()?;
        let (Item::Text(module), Item::Text(name)) = (module, name) else {
            return Err(self.malformed("the name of a global must be text"));
        };
        let (module, name) = (self.arena.span(module), self.arena.span(name));
        let global = find_global(self.offset, module, name)?;
        self.push(Item::Global(global));
        Ok(())
    }
}

pub(super) fn find_global(
    offset: usize,
    module: &[u8],
    name: &[u8],
) -> Result<Global, PickleError> {
    Global::find(module, name).ok_or_else(|| {
        // Names come from the file: short, and nothing to upset a terminal.
        let short = |part: &[u8]| -> String {
            let part = String::from_utf8_lossy(&part[..part.len().min(80)]).into_owned();
            part.chars().flat_map(char::escape_debug).collect()
        };
        let name = format!("{}.{}", short(module), short(name));
        PickleError::new(offset, PickleProblem::Global { name })
    })
}

fn parse_int(offset: usize, digits: &[u8]) -> Result<i64, PickleError> {
    let text = std::str::from_utf8(digits).unwrap_or_default();
    text.trim()
        .parse()
        .map_err(|_| PickleError::malformed(offset, "this is not a whole number of 64 bits"))
}
