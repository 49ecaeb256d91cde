"""Merkle trees in the formats of other tools, with the results of those tools.

    >>> from jlanes import merkle
    >>> merkle.fsverity(b"").hex()[:8]  # `fsverity digest` of an empty file
    '3d248ca5'
    >>> log = merkle.Log([b"one", b"two", b"three"])
    >>> merkle.verify_inclusion(b"two", 1, len(log), log.inclusion(1), log.root())
    True
"""

from ._jlanes import (
    Log,
    bitcoin,
    btv1_pieces,
    btv2,
    btv2_pieces,
    cover,
    dmverity,
    dropbox,
    etag,
    fsverity,
    glacier,
    go_h1,
    leaf_hash,
    rfc6962,
    s3_composite,
    sha256tree,
    ssz,
    verify_consistency,
    verify_inclusion,
    verify_leaf_inclusion,
    verify_subtree_consistency,
)

__all__ = [
    "Log",
    "bitcoin",
    "btv1_pieces",
    "btv2",
    "btv2_pieces",
    "cover",
    "dmverity",
    "dropbox",
    "etag",
    "fsverity",
    "glacier",
    "go_h1",
    "leaf_hash",
    "rfc6962",
    "s3_composite",
    "sha256tree",
    "ssz",
    "verify_consistency",
    "verify_inclusion",
    "verify_leaf_inclusion",
    "verify_subtree_consistency",
]
