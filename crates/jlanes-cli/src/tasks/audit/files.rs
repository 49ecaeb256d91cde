//! The files that an audit reads, and the missing files that it searches for.

use std::{
    collections::{HashMap, HashSet},
    io,
    path::Path,
    sync::Arc,
};

use jlanes_files::{Computation, Job, Payload, Rules, Work, lists::normalized_path};

use super::listing::{Listing, here};
use crate::{
    files::{OperandFile, Operands, is_link, parts_below},
    report::Notice,
    system::{self, FileKind},
};

/// The maximum number of digests computed in one read. A list may have any number for a file.
const MAX_DIGESTS_PER_READ: usize = 16;

/// The missing files, by which moved files are recognized.
pub(crate) struct MissingFiles {
    /// The digests to compute for unlisted files; none if no file is missing.
    pub(super) computations: Arc<[Computation]>,
    /// The missing files by computation and digest, the first one last.
    pub(super) files: HashMap<(usize, Box<[u8]>), Vec<usize>>,
    /// The numbers of the computations in the listing.
    pub(super) numbers: Arc<[usize]>,
    /// The files in the listing that exist and that the rules exclude.
    pub(super) left_out: HashSet<usize>,
}

impl MissingFiles {
    /// Finds the files of `listing` that are not among those of `operands`.
    pub(crate) fn new(operands: Operands, rules: &Arc<Rules>, listing: &Listing) -> Self {
        let mut seen = vec![false; listing.files().len()];
        let roots = operands.try_clone().filter(|_| rules.may_skip_files());
        for (name, found) in operands.files(Arc::clone(rules)) {
            let is_there = !matches!(found, OperandFile::Failed(error) if Notice::is(&error));
            if is_there && let Some(file) = listing.row(&name) {
                seen[file] = true;
            }
        }
        let left_out: HashSet<_> = match roots {
            Some(roots) => {
                let roots = roots.into_iter().flatten().map(|root| normalized_path(&root));
                let (roots, here) = (roots.collect(), here());
                let is_walked = |path: &[u8]| {
                    let inside = here.iter().find_map(|here| path.strip_prefix(&here[..]));
                    [Some(path), inside].into_iter().flatten().any(|it| is_in(it, &roots, rules))
                };
                let rows = listing.paths().filter(|(path, row)| !seen[*row] && is_walked(path));
                rows.map(|(_, row)| row).collect()
            }
            None => HashSet::new(),
        };
        left_out.iter().for_each(|row| seen[*row] = true);
        let mut numbers = Vec::new();
        let mut files: HashMap<_, Vec<_>> = HashMap::new();
        let missing = (0..seen.len()).rev().filter(|file| !seen[*file]);
        for (file, claim) in missing.filter_map(|file| Some((file, listing.search_claim(file)?))) {
            if !numbers.contains(&claim.computation) {
                if numbers.len() == MAX_DIGESTS_PER_READ {
                    continue;
                }
                numbers.push(claim.computation);
            }
            files.entry((claim.computation, claim.digest.clone())).or_default().push(file);
        }
        let computations =
            numbers.iter().map(|number| listing.computation(*number).clone()).collect();
        Self { computations, files, numbers: numbers.into(), left_out }
    }
}

/// Whether `path` is a regular file that a walk of the directories `roots` finds, unless `rules` exclude it.
fn is_in(path: &[u8], roots: &HashSet<Vec<u8>>, rules: &Rules) -> bool {
    let whole = system::path(path);
    // other names of a file, through links and `..`, are not excluded: no walk comes to them
    let is_other = |part: &Path| part.file_name().is_none() || (!rules.follow && is_link(part));
    let is_file = || system::lstat(path).is_ok_and(|stat| stat.kind == FileKind::File);
    parts_below(&whole, roots).is_some_and(|mut parts| !parts.any(is_other)) && is_file()
}

/// A file to compare with the listing.
pub(crate) struct PresentFile {
    pub(super) name: Vec<u8>,
    pub(super) state: InListing,
    /// The size of the file, if the lists have only its size.
    pub(super) size: Option<u64>,
    /// The reason why it is not hashed.
    pub(super) error: Option<io::Error>,
}

/// Whether the listing has a file.
#[derive(Clone, Copy)]
pub(super) enum InListing {
    /// It does, in the row `file`. The claims by the first `done` computations were compared before.
    /// Unless `is_last`, more follow.
    Listed {
        file: usize,
        done: usize,
        is_last: bool,
    },
    Unlisted,
}

/// The files of `operands`, each with the digests of the listing.
pub(crate) fn jobs(
    operands: Operands,
    rules: Arc<Rules>,
    listing: Arc<Listing>,
    missing: &MissingFiles,
) -> impl Iterator<Item = Job<PresentFile>> + Send + use<> {
    let unknown = Arc::clone(&missing.computations);
    // most files have digests by the same computations
    let mut last: (Vec<usize>, Arc<[Computation]>) = (Vec::new(), Arc::new([]));
    operands.files(rules).flat_map(move |(name, found)| {
        let file = listing.row(&name);
        let present = |state, error| PresentFile { name: name.clone(), state, size: None, error };
        match (found, file) {
            (OperandFile::Failed(error), _) if Notice::is(&error) => {
                vec![Job { payload: present(InListing::Unlisted, Some(error)), work: None }]
            }
            (OperandFile::Failed(error), file) => {
                let listed = |file| InListing::Listed { file, done: 0, is_last: true };
                let payload = present(file.map_or(InListing::Unlisted, listed), Some(error));
                vec![Job { payload, work: None }]
            }
            (OperandFile::File(target), None) => {
                // a file that is not read may be missing
                let error = if unknown.is_empty() { target.stat().err() } else { None };
                let work = || Work { computations: Arc::clone(&unknown), target };
                let work = (!unknown.is_empty()).then(work);
                vec![Job { payload: present(InListing::Unlisted, error), work }]
            }
            (OperandFile::File(target), Some(file)) if listing.claims(file).is_empty() => {
                let state = InListing::Listed { file, done: 0, is_last: true };
                let payload = match target.regular_size() {
                    Ok(size) => PresentFile { size: Some(size), ..present(state, None) },
                    Err(error) => present(state, Some(error)),
                };
                vec![Job { payload, work: None }]
            }
            (OperandFile::File(target), Some(file)) => {
                let mut numbers: Vec<_> =
                    listing.claims(file).iter().map(|claim| claim.computation).collect();
                numbers.dedup();
                let parts = numbers.chunks(MAX_DIGESTS_PER_READ).enumerate();
                let job = |(i, part): (usize, &[usize])| {
                    if last.0 != part {
                        let computations =
                            part.iter().map(|number| listing.computation(*number).clone());
                        last = (part.to_vec(), computations.collect());
                    }
                    let done = i * MAX_DIGESTS_PER_READ;
                    let is_last = done + part.len() == numbers.len();
                    let work = Work { computations: Arc::clone(&last.1), target: target.clone() };
                    let payload = present(InListing::Listed { file, done, is_last }, None);
                    Job { payload, work: Some(work) }
                };
                parts.map(job).collect()
            }
        }
    })
}

impl Payload for PresentFile {
    fn weight(&self) -> usize {
        self.name.len()
    }
}
