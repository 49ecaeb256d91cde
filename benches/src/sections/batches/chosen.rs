//! What it costs that the algorithm is chosen at run time.

use jlanes::{
    Algorithm, Sha256,
    multi::{Lanes, Messages},
};

use crate::{
    contest::Contest,
    method::{Method, outputs},
    workload::{KIB, Workload},
};

/// Calls of all sizes.
pub(super) fn contests() -> impl Iterator<Item = Contest> {
    let workloads = [(1, 32), (2, 32), (16, 32), (64, 64), (1, 64 * KIB), (16, 64 * KIB)];
    workloads.into_iter().map(|(count, length)| {
        // some nanoseconds a call, which show where that is all
        let target = if count * length <= 64 { 0.85 } else { 0.97 };
        Contest::new("SHA-256 by name", Workload::equal(count, length), by_name())
            .against(by_type(), target)
    })
}

fn by_name() -> Method {
    Method::prepared("AnyLanes", 32, |messages| {
        let lanes = "sha256".parse::<Algorithm>().ok().and_then(|sha256| sha256.lanes().ok());
        let lanes = lanes.expect("SHA-256 has lanes");
        Box::new(move |digests| lanes.digest(Messages::slices(messages), digests))
    })
}

fn by_type() -> Method {
    Method::plain("Lanes", 32, |messages, digests| {
        Lanes::<Sha256>::new().digest_all(Messages::slices(messages), outputs::<Sha256>(digests));
    })
}
