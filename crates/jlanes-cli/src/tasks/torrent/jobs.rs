//! The messages of a torrent: pieces of version 1, and trees of version 2.

use std::sync::Arc;

use jlanes::{
    Algorithm,
    algorithm::{BaseHash, Fixed},
};
use jlanes_files::{Computation, Job, Payload, Target, Work, torrent::Torrent};

use super::{TorrentContent, TorrentFiles, content::PieceReader};

/// The engine's payload: the piece or the file that a result belongs to.
pub(crate) enum TorrentItem {
    /// A piece of version 1.
    Piece(usize),
    /// The tree of the next file.
    Tree,
    /// The end of a file, after its pieces and its tree.
    File(usize),
}

impl Payload for TorrentItem {
    fn weight(&self) -> usize {
        0
    }
}

/// The jobs for the wanted files, in order, and the number of bytes to read.
pub(super) fn jobs<'t>(
    torrent: &'t Torrent,
    files: &'t TorrentFiles,
    content: &'t Arc<TorrentContent>,
) -> (impl Iterator<Item = Job<TorrentItem>> + Send + 't, u64) {
    let of = |algorithm: Algorithm| Arc::from([Computation::from(algorithm)]);
    let sha1: Arc<[Computation]> = of(BaseHash::Fixed(Fixed::Sha1).into());
    let btv2: Arc<[Computation]> = of("btv2".parse().expect("a name"));
    let wanted = move |at: &usize| !torrent.files[*at].is_padding && files.wants(*at);
    let reads = |at: usize| {
        let times =
            u64::from(torrent.pieces.is_some()) + u64::from(torrent.files[at].root.is_some());
        if content.is_whole(at) { times * torrent.files[at].len } else { 0 }
    };
    let bytes = (0..torrent.files.len()).filter(wanted).map(reads).sum();

    let mut next = 0;
    let jobs = (0..torrent.files.len()).filter(wanted).flat_map(move |at| {
        let (start, end) = content.range(at);
        let piece = torrent.pieces.as_ref().map_or(u64::MAX, |pieces| pieces.len);
        let first = (start / piece).max(next);
        let past =
            if torrent.pieces.is_none() || start == end { first } else { end.div_ceil(piece) };
        next = past.max(next);
        let sha1 = Arc::clone(&sha1);
        let pieces = (first..past).filter_map(move |n| {
            let range = (n * piece, content.total().min((n + 1) * piece));
            // without all of its bytes, a piece proves nothing
            content.has(range).then(|| {
                let target = Target::reader(PieceReader::new(content, range));
                let work = Work { computations: Arc::clone(&sha1), target };
                Job { payload: TorrentItem::Piece(n as usize), work: Some(work) }
            })
        });
        let file = &torrent.files[at];
        let path = files.path(file);
        let tree = (file.root.is_some() && content.is_whole(at)).then(|| {
            let target = Target::at(&path);
            let work = target.map(|target| Work { computations: Arc::clone(&btv2), target });
            Job { payload: TorrentItem::Tree, work: work.ok() }
        });
        pieces.chain(tree).chain([Job { payload: TorrentItem::File(at), work: None }])
    });
    (jobs, bytes)
}
