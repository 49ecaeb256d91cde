"""hashlib's interface, and standard digests of many messages at once on SIMD lanes.

One message, as in hashlib::

    >>> import jlanes
    >>> jlanes.sha256(b"abc").hexdigest()[:16]
    'ba7816bf8f01cfea'

Many messages, each with its standard digest::

    >>> jlanes.digest_many("sha256", [b"one", b"another"])[0] == jlanes.sha256(b"one").digest()
    True

A call that hashes more than 2 KiB releases the GIL, so threads work in parallel. Threads may share a
hash object. If another thread changes the bytes of a message during a call, its digest is undefined, as
with hashlib.
"""

from . import _jlanes, column, merkle
from ._files import file_digests, sum, verify
from ._jlanes import (
    CollisionError,
    FileDigests,
    Hash,
    Verification,
    Verified,
    XofHash,
    __version__,
    blake3,
    digest_many,
    hexdigest_many,
    hmac_many,
    new,
    pbkdf2_hmac,
    pbkdf2_many,
    xof_many,
)

algorithms_guaranteed = set(_jlanes.guaranteed)
algorithms_available = set(_jlanes.available)

# a constructor for each algorithm in this build
for _name in _jlanes.guaranteed:
    globals()[_name] = getattr(_jlanes, _name)
del _name


def file_digest(fileobj, digest, /, *, _bufsize=2**18):
    """Hash the rest of a binary file object, from its position on; return the hash object.

    *digest* is the name of an algorithm or a constructor of hash objects, as in hashlib.
    """
    hasher = new(digest) if isinstance(digest, str) else digest()
    if not (
        hasattr(fileobj, "readinto") and hasattr(fileobj, "readable") and fileobj.readable()
    ):
        raise ValueError(f"{fileobj!r} is not a readable binary file")
    piece = memoryview(bytearray(_bufsize))
    while True:
        count = fileobj.readinto(piece)
        if count is None:
            raise BlockingIOError("the file has no data yet")
        if count == 0:
            return hasher
        hasher.update(piece[:count])


def __getattr__(name):
    # scrypt is OpenSSL's, which takes longer to load than this package
    if name == "scrypt":
        from _hashlib import scrypt

        return scrypt
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    *_jlanes.guaranteed,
    "CollisionError",
    "FileDigests",
    "Hash",
    "Verification",
    "Verified",
    "XofHash",
    "algorithms_available",
    "algorithms_guaranteed",
    "blake3",
    "column",
    "digest_many",
    "file_digest",
    "file_digests",
    "hexdigest_many",
    "hmac_many",
    "merkle",
    "new",
    "pbkdf2_hmac",
    "pbkdf2_many",
    "verify",
    "xof_many",
]  # without `sum`: `from jlanes import *` must not hide Python's own
