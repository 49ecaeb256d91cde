//! The figures of the papers, redrawn: \[JL\] (j-lanes), \[SMS\] (simultaneous message scheduling),
//! \[SH\] (S-HASH) and \[SK\] (Skein's trees). Those over files are among the [files](super::files).

mod j_lanes;
mod s_hash;
mod schedules;
mod trees;

use crate::contest::Contest;

pub(crate) use trees::tree as skein_tree;

/// Rows that are drawn together.
pub(crate) struct Figure {
    /// The name of all its contests, which begins with the paper's.
    pub(crate) title: &'static str,
    /// The page's text for it.
    pub(crate) caption: &'static str,
    pub(crate) plot: Plot,
    pub(crate) contests: Vec<Contest>,
}

/// How a figure's rows are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plot {
    /// Speed by the size of the input, a line a method.
    Sizes,
    /// Speed of one input, a bar a method.
    Methods,
    /// The speed-up, one bar per row.
    Ratios,
}

impl Figure {
    /// A figure of `contests`, which are given its title.
    fn new(
        title: &'static str,
        caption: &'static str,
        plot: Plot,
        contests: impl IntoIterator<Item = Contest>,
    ) -> Self {
        let contests = contests.into_iter();
        let contests =
            contests.map(|contest| contest.with(|row| row.name = title.to_owned())).collect();
        Self { title, caption, plot, contests }
    }
}

/// All figures, paper by paper.
pub(crate) fn all() -> Vec<Figure> {
    [j_lanes::all(), schedules::all(), s_hash::all(), trees::all()].into_iter().flatten().collect()
}

pub(crate) fn contests() -> Vec<Contest> {
    all().into_iter().flat_map(|figure| figure.contests).collect()
}
