//! SVG to PNG.

use std::sync::{Arc, OnceLock};

use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

use crate::ReportError;

/// Pixels of a PNG per unit of the SVG.
pub const SCALE: f32 = 2.0;

/// The embedded fonts; those of the machine are never used, so a picture looks
/// the same everywhere. Characters that neither font has (Chinese names, say)
/// are drawn as boxes in the PNG only.
fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_font_data(UBUNTU_LIGHT.to_vec());
        fonts.load_font_data(HACK_REGULAR.to_vec());
        fonts.set_sans_serif_family("Ubuntu");
        fonts.set_monospace_family("Hack");
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(load))
}

/// Draws an SVG on white, with [`SCALE`] pixels per unit.
///
/// # Errors
///
/// Returns an error if the SVG is not well formed or has no area; `name`
/// identifies it in the error.
pub fn png(name: &str, svg: &str) -> Result<Vec<u8>, ReportError> {
    let failed = |reason: String| ReportError::Picture {
        name: name.to_owned(),
        reason,
    };
    let options = Options {
        fontdb: fonts(),
        font_family: "Ubuntu".to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| failed(error.to_string()))?;
    let size = tree
        .size()
        .to_int_size()
        .scale_by(SCALE)
        .ok_or_else(|| failed("it has no area".to_owned()))?;
    let mut pixels = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| failed("it has no area".to_owned()))?;
    pixels.fill(Color::WHITE);
    resvg::render(
        &tree,
        Transform::from_scale(SCALE, SCALE),
        &mut pixels.as_mut(),
    );
    pixels
        .encode_png()
        .map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_text_without_any_font_of_the_machine() {
        let svg = |text: &str| {
            format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"><text x="2" y="15" font-family="Nowhere, sans-serif">{text}</text></svg>"#
            )
        };
        let empty = png("empty", &svg("")).unwrap();
        let full = png("full", &svg("γ = 1")).unwrap();
        assert_eq!(&full[..8], b"\x89PNG\r\n\x1a\n");
        assert_ne!(empty, full);
    }

    #[test]
    fn says_which_picture_is_broken() {
        let error = png("graph", "<svg").unwrap_err();
        assert!(error.to_string().contains("`graph`"), "{error}");
    }
}
