//! The report's plots, as SVG.

mod bars;
mod lines;

use plotters::{
    coord::Shift,
    prelude::{DrawingArea, RGBColor, SVGBackend},
};

pub(super) use bars::ratios;
pub(super) use lines::{policy, sizes};

const WIDTH: u32 = 1000;
const NO_TARGET: RGBColor = RGBColor(0x9a, 0x9a, 0x9a);

type Drawing<'a> = DrawingArea<SVGBackend<'a>, Shift>;
