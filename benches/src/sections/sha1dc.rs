//! SHA-1 with detection of collision attacks: the objects of a git pack, compared with gitoxide's crate
//! and with SHA-1 alone on the same lanes.

use jlanes::{Sha1, Sha1Checked, multi::Lanes};

use crate::{
    contest::Contest,
    method::{Method, one_by_one, outputs},
    workload::{KIB, MIB, Workload},
};

const DIGEST_BYTES: usize = 20;

pub(crate) fn contests() -> Vec<Contest> {
    let batches = [
        Workload::git_objects(8000, 600, MIB),
        Workload::equal(1024, 600),
        Workload::equal(1024, 4 * KIB),
    ];
    let batches = batches.map(|workload| {
        Contest::new("SHA-1 with detection", workload, results())
            .against(peer(), 3.0)
            .against(undetected(), 0.7)
            .beside([one_by_one::<sha1_checked::Sha1>("sha1-checked")])
    });
    let alone = Contest::new(
        "SHA-1 with detection, in cache",
        Workload::equal(1, 64 * KIB),
        one_by_one::<Sha1Checked>("jlanes"),
    );
    batches.into_iter().chain([alone.against(peer(), 1.0)]).collect()
}

fn results() -> Method {
    Method::plain("jlanes", DIGEST_BYTES, |messages, digests| {
        let results = Lanes::<Sha1Checked>::new().try_digests(messages).into_iter();
        for (result, digest) in results.zip(digests.chunks_mut(DIGEST_BYTES)) {
            digest.copy_from_slice(&result.expect("random messages are of no attack"));
        }
    })
}

/// SHA-1 on the same lanes.
fn undetected() -> Method {
    Method::plain("jlanes, SHA-1", DIGEST_BYTES, |messages, digests| {
        Lanes::<Sha1>::new().digest(messages, outputs::<Sha1>(digests));
    })
}

pub(super) fn peer() -> Method {
    Method::each("sha1dc", DIGEST_BYTES, |message, digest| {
        let mut hasher = sha1dc::Hasher::new();
        hasher.update(message);
        let result = hasher.finalize().expect("random messages are of no attack");
        digest.copy_from_slice(result.as_bytes());
    })
}
