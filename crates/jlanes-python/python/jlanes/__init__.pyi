from _hashlib import HASH
from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Any, BinaryIO, Literal, Protocol, Self, TypeAlias, final, overload

import numpy
from typing_extensions import Buffer, disjoint_base

from . import column as column
from . import merkle as merkle

_Path: TypeAlias = str | bytes | PathLike[str] | PathLike[bytes]

__version__: str
algorithms_guaranteed: set[str]
algorithms_available: set[str]

# not a subclass at run time; here it is, so that functions annotated with hashlib's class accept it
@final
class Hash(HASH):
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, data: Buffer, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def copy(self) -> Self: ...
    def __copy__(self) -> Self: ...

@disjoint_base
class blake2b:
    MAX_DIGEST_SIZE: int
    MAX_KEY_SIZE: int
    SALT_SIZE: int
    PERSON_SIZE: int
    def __new__(
        cls,
        data: Buffer = ...,
        /,
        *,
        digest_size: int = 64,
        key: Buffer = ...,
        salt: Buffer = ...,
        person: Buffer = ...,
        fanout: int = 1,
        depth: int = 1,
        leaf_size: int = 0,
        node_offset: int = 0,
        node_depth: int = 0,
        inner_size: int = 0,
        last_node: bool = False,
        usedforsecurity: bool = True,
    ) -> Self: ...
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, data: Buffer, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def copy(self) -> Self: ...
    def __copy__(self) -> Self: ...

@disjoint_base
class blake2s:
    MAX_DIGEST_SIZE: int
    MAX_KEY_SIZE: int
    SALT_SIZE: int
    PERSON_SIZE: int
    def __new__(
        cls,
        data: Buffer = ...,
        /,
        *,
        digest_size: int = 32,
        key: Buffer = ...,
        salt: Buffer = ...,
        person: Buffer = ...,
        fanout: int = 1,
        depth: int = 1,
        leaf_size: int = 0,
        node_offset: int = 0,
        node_depth: int = 0,
        inner_size: int = 0,
        last_node: bool = False,
        usedforsecurity: bool = True,
    ) -> Self: ...
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, data: Buffer, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def copy(self) -> Self: ...
    def __copy__(self) -> Self: ...

@final
class XofHash:
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, data: Buffer, /) -> None: ...
    def digest(self, length: int) -> bytes: ...
    def hexdigest(self, length: int) -> str: ...
    def copy(self) -> XofHash: ...
    def __copy__(self) -> XofHash: ...

def new(
    name: str,
    data: Buffer = ...,
    *,
    string: Buffer = ...,
    usedforsecurity: bool = True,
    **parameters: Any,
) -> Any: ...
def shake_128(
    data: Buffer = ..., *, string: Buffer = ..., usedforsecurity: bool = True
) -> XofHash: ...
def shake_256(
    data: Buffer = ..., *, string: Buffer = ..., usedforsecurity: bool = True
) -> XofHash: ...
def blake3(
    data: Buffer = ..., *, string: Buffer = ..., usedforsecurity: bool = True
) -> Hash: ...
def md5(
    data: Buffer = ..., *, string: Buffer = ..., usedforsecurity: bool = True
) -> Hash: ...
def sha1(
    data: Buffer = ...,
    *,
    string: Buffer = ...,
    usedforsecurity: bool = True,
    collisions: Literal["raise", "safe"] | None = None,
) -> Hash: ...

class CollisionError(ValueError): ...

def sha224(
    data: Buffer = ..., *, string: Buffer = ..., usedforsecurity: bool = True
) -> Hash: ...
def sha256(
    data: Buffer = ..., *, string: Buffer = ..., usedforsecurity: bool = True
) -> Hash: ...
def sha384(
    data: Buffer = ..., *, string: Buffer = ..., usedforsecurity: bool = True
) -> Hash: ...
def sha512(
    data: Buffer = ..., *, string: Buffer = ..., usedforsecurity: bool = True
) -> Hash: ...
def sha3_224(
    data: Buffer = ..., *, string: Buffer = ..., usedforsecurity: bool = True
) -> Hash: ...
def sha3_256(
    data: Buffer = ..., *, string: Buffer = ..., usedforsecurity: bool = True
) -> Hash: ...
def sha3_384(
    data: Buffer = ..., *, string: Buffer = ..., usedforsecurity: bool = True
) -> Hash: ...
def sha3_512(
    data: Buffer = ..., *, string: Buffer = ..., usedforsecurity: bool = True
) -> Hash: ...
def file_digest(
    fileobj: Any, digest: str | Callable[[], Hash], /, *, _bufsize: int = ...
) -> Hash: ...
def pbkdf2_hmac(
    hash_name: _Algorithm, password: Buffer, salt: Buffer, iterations: int, dklen: int | None = None
) -> bytes: ...
def scrypt(
    password: Buffer,
    *,
    salt: Buffer = ...,
    n: int = ...,
    r: int = ...,
    p: int = ...,
    maxmem: int = 0,
    dklen: int = 64,
) -> bytes: ...

class _Array(Protocol):
    """Attributes of numpy's arrays that columns do not have."""

    @property
    def dtype(self) -> Any: ...
    @property
    def strides(self) -> Any: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

# a name or a constructor
_Algorithm: TypeAlias = str | Callable[..., Any]
# results are columns of the same package
_Column: TypeAlias = _ArrowArray | _ArrowStream
_Matrix: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.uint8]]

@overload
def digest_many(
    name: _Algorithm,
    messages: _Column,
    *,
    prefix: Buffer | None = None,
    key: Buffer | None = None,
    threads: int = 1,
    collisions: Literal["raise", "safe"] | None = None,
) -> Any: ...
@overload
def digest_many(
    name: _Algorithm,
    messages: _Array,
    *,
    prefix: Buffer | None = None,
    key: Buffer | None = None,
    threads: int = 1,
    collisions: Literal["raise", "safe"] | None = None,
) -> _Matrix: ...
@overload
def digest_many(
    name: _Algorithm,
    messages: memoryview,
    *,
    prefix: Buffer | None = None,
    key: Buffer | None = None,
    threads: int = 1,
    collisions: Literal["raise", "safe"] | None = None,
) -> memoryview: ...
@overload
def digest_many(
    name: _Algorithm,
    messages: Iterable[Buffer],
    *,
    prefix: Buffer | None = None,
    key: Buffer | None = None,
    threads: int = 1,
    collisions: Literal["raise", "safe"] | None = None,
) -> list[bytes]: ...
@overload
def hexdigest_many(
    name: _Algorithm,
    messages: _Column,
    *,
    prefix: Buffer | None = None,
    key: Buffer | None = None,
    threads: int = 1,
    collisions: Literal["raise", "safe"] | None = None,
) -> Any: ...
@overload
def hexdigest_many(
    name: _Algorithm,
    messages: _Array,
    *,
    prefix: Buffer | None = None,
    key: Buffer | None = None,
    threads: int = 1,
    collisions: Literal["raise", "safe"] | None = None,
) -> list[str]: ...
@overload
def hexdigest_many(
    name: _Algorithm,
    messages: memoryview,
    *,
    prefix: Buffer | None = None,
    key: Buffer | None = None,
    threads: int = 1,
    collisions: Literal["raise", "safe"] | None = None,
) -> list[str]: ...
@overload
def hexdigest_many(
    name: _Algorithm,
    messages: Iterable[Buffer],
    *,
    prefix: Buffer | None = None,
    key: Buffer | None = None,
    threads: int = 1,
    collisions: Literal["raise", "safe"] | None = None,
) -> list[str]: ...
@overload
def hmac_many(
    key: Buffer | _Column, messages: _Column, digest: _Algorithm, *, threads: int = 1
) -> Any: ...
@overload
def hmac_many(
    key: Buffer | Iterable[Buffer], messages: _Array, digest: _Algorithm, *, threads: int = 1
) -> _Matrix: ...
@overload
def hmac_many(
    key: Buffer | Iterable[Buffer], messages: memoryview, digest: _Algorithm, *, threads: int = 1
) -> memoryview: ...
@overload
def hmac_many(
    key: Buffer | Iterable[Buffer], messages: Iterable[Buffer], digest: _Algorithm, *, threads: int = 1
) -> list[bytes]: ...
@overload
def xof_many(name: _Algorithm, messages: _Column, length: int) -> Any: ...
@overload
def xof_many(name: _Algorithm, messages: _Array, length: int) -> _Matrix: ...
@overload
def xof_many(name: _Algorithm, messages: memoryview, length: int) -> memoryview: ...
@overload
def xof_many(name: _Algorithm, messages: Iterable[Buffer], length: int) -> list[bytes]: ...
@overload
def xof_many(
    name: _Algorithm, messages: Iterable[Buffer] | _Array | memoryview, length: list[int]
) -> list[bytes]: ...
@overload
def pbkdf2_many(
    hash_name: _Algorithm,
    passwords: _Column,
    salts: Buffer | _Column,
    iterations: int,
    dklen: int | None = None,
    *,
    threads: int = 1,
) -> Any: ...
@overload
def pbkdf2_many(
    hash_name: _Algorithm,
    passwords: _Array,
    salts: Buffer | Iterable[Buffer],
    iterations: int,
    dklen: int | None = None,
    *,
    threads: int = 1,
) -> _Matrix: ...
@overload
def pbkdf2_many(
    hash_name: _Algorithm,
    passwords: memoryview,
    salts: Buffer | Iterable[Buffer],
    iterations: int,
    dklen: int | None = None,
    *,
    threads: int = 1,
) -> memoryview: ...
@overload
def pbkdf2_many(
    hash_name: _Algorithm,
    passwords: Iterable[Buffer],
    salts: Buffer | Iterable[Buffer],
    iterations: int,
    dklen: int | None = None,
    *,
    threads: int = 1,
) -> list[bytes]: ...

@final
class FileDigests:
    @property
    def path(self) -> Any: ...
    @property
    def size(self) -> int: ...
    @property
    def error(self) -> OSError | ValueError | None: ...
    @property
    def digests(self) -> dict[str, bytes]: ...
    def digest(self, name: str | None = None, /) -> bytes: ...
    def hexdigest(self, name: str | None = None, /) -> str: ...

def file_digests(
    paths: Iterable[_Path],
    algorithms: _Algorithm | Iterable[_Algorithm],
    *,
    recursive: bool = False,
    threads: int = 0,
    progress: Callable[[int, int], object] | None = None,
    errors: str = "raise",
) -> list[FileDigests]: ...
def sum(
    paths: Iterable[_Path],
    algorithm: _Algorithm | Iterable[_Algorithm] = "sha256",
    *,
    recursive: bool = False,
    threads: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> Iterator[FileDigests]: ...

@final
class Verified:
    @property
    def line(self) -> int: ...
    @property
    def name(self) -> str | None: ...
    @property
    def verdict(self) -> Literal["match", "mismatch", "unreadable", "malformed", "refused"]: ...
    @property
    def algorithm(self) -> str | None: ...
    @property
    def expected(self) -> str | None: ...
    @property
    def found(self) -> str | None: ...
    @property
    def error(self) -> OSError | ValueError | None: ...

@final
class Verification(Iterator[Verified]):
    def __next__(self) -> Verified: ...
    @property
    def account(self) -> dict[str, int] | None: ...
    @property
    def ok(self) -> bool: ...
    @property
    def bytes(self) -> int: ...

def verify(
    list: _Path | BinaryIO,
    /,
    *,
    base: _Path | None = None,
    untrusted: bool = False,
    algorithm: _Algorithm | None = None,
    threads: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> Verification: ...
