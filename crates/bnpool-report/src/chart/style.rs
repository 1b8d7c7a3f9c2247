//! The style of all charts, for pages and for pictures.

/// Paints of a chart: CSS colours or variables.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    /// Text and data.
    pub ink: &'static str,
    /// Ticks and explanations.
    pub muted: &'static str,
    /// Grid lines.
    pub rule: &'static str,
    /// Background.
    pub ground: &'static str,
    /// Marked ranges.
    pub band: &'static str,
}

impl Paint {
    /// Paints of a standalone picture on white.
    pub const PICTURE: Self = Self {
        ink: "#1c2733",
        muted: "#566270",
        rule: "#e3e8ee",
        ground: "#ffffff",
        band: "#dfeaf5",
    };
    /// Paints of a page, which sets the variables for each theme.
    pub const PAGE: Self = Self {
        ink: "var(--ink)",
        muted: "var(--muted)",
        rule: "var(--rule)",
        ground: "var(--ground)",
        band: "var(--band)",
    };
}

/// Style sheet for the content of elements of class `chart`.
///
/// Uses only simple selectors and properties that plain SVG renderers support.
#[must_use]
pub fn rules(paint: &Paint) -> String {
    let Paint {
        ink,
        muted,
        rule,
        ground,
        band,
    } = paint;
    format!(
        ".chart text{{font-family:'Helvetica Neue',Helvetica,Arial,sans-serif;font-size:13px;fill:{ink}}}\
.chart .tick{{fill:{muted}}}\
.chart .name{{fill:{muted};font-size:13px}}\
.chart .axis{{stroke:{muted};stroke-width:1;fill:none}}\
.chart .grid{{stroke:{rule};stroke-width:1;fill:none}}\
.chart .split{{stroke:{muted};stroke-width:0.8;stroke-opacity:0.55;fill:none}}\
.chart .thin{{stroke-width:0.4;stroke-opacity:0.35}}\
.chart .curve{{fill:none;stroke-width:1.8;stroke-linejoin:round}}\
.chart .many{{stroke-width:1.3;stroke-opacity:0.85}}\
.chart .band{{fill:{band}}}\
.chart .edge{{fill:none;stroke:{muted}}}\
.chart .node{{stroke:{ground};stroke-width:1}}\
.chart .tip{{fill:{muted}}}\
.chart .number{{font-size:17px;font-weight:700;stroke:{ground};stroke-width:4px;stroke-linejoin:round;paint-order:stroke}}\
.chart .cell{{font-size:12px}}"
    )
}
