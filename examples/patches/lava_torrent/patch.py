"""Reads sixteen pieces before it hashes them together; the builders with threads stay as they are."""

crate, version = "lava_torrent", "0.11.1"
features = ["std", "sha1"]

changes = {
    "src/torrent/v1/build.rs": [
        (r"(?=impl TorrentBuilder \{\n)", """\
/// Pieces that are read before they are hashed: as many as there are lanes.
const BATCH: u64 = 16;

fn hash_pieces(data: &[u8], piece_length: u64) -> impl Iterator<Item = Piece> {
    let pieces: Vec<&[u8]> = data.chunks(piece_length as usize).collect();
    let digests = jlanes::multi::Lanes::<jlanes::Sha1>::new().digests(&pieces);
    digests.into_iter().map(|digest| digest.to_vec())
}

"""),
        (r"(fn read_file<P>.*?take\(piece_length)(\).*?)pieces\.push\(Sha1::digest\(&piece\)\.to_vec\(\)\)",
         r"\1 * BATCH\2pieces.extend(hash_pieces(&piece, piece_length))"),
        (r"(fn read_dir<P>.*?let piece_remaining = )", r"\1BATCH * "),
        (r"(fn read_dir<P>.*?)piece\.len\(\) == piece_length_usize(.*?)pieces\.push\(Sha1::digest\(&piece\)\.to_vec\(\)\)"
         r"(.*?)pieces\.push\(Sha1::digest\(&piece\)\.to_vec\(\)\)",
         r"\1piece.len() as u64 == BATCH * piece_length_u64\2pieces.extend(hash_pieces(&piece, piece_length_u64))"
         r"\3pieces.extend(hash_pieces(&piece, piece_length_u64))"),
    ],
}
folders = ["target", "tests/tmp"]  # which its tests write to
