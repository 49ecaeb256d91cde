//! The report's plots, as SVG.

mod bars;
mod lines;

use plotters::{
    coord::Shift,
    prelude::{DrawingArea, RGBColor, SVGBackend},
};

pub(super) use bars::{methods, ratios};
pub(super) use lines::{policy, sizes};

const WIDTH: u32 = 1000;
const GREY: RGBColor = RGBColor(0x9a, 0x9a, 0x9a);
const BLUE: RGBColor = RGBColor(0x2a, 0x78, 0xb5);
const ORANGE: RGBColor = RGBColor(0xd9, 0x7a, 0x1e);

type Drawing<'a> = DrawingArea<SVGBackend<'a>, Shift>;
