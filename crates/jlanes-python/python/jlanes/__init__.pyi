from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Any, Protocol, Self, TypeAlias, final, overload

from typing_extensions import Buffer, disjoint_base

from . import column as column
from . import merkle as merkle

_Path: TypeAlias = str | bytes | PathLike[str] | PathLike[bytes]

__version__: str
algorithms_guaranteed: set[str]
algorithms_available: set[str]

@final
class Hash:
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, data: Buffer, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def copy(self) -> Hash: ...
    def __copy__(self) -> Hash: ...

@disjoint_base
class blake2b:
    MAX_DIGEST_SIZE: int
    MAX_KEY_SIZE: int
    SALT_SIZE: int
    PERSON_SIZE: int
    def __new__(
        cls,
        data: Buffer | None = None,
        /,
        *,
        digest_size: int = 64,
        key: Buffer | None = None,
        salt: Buffer | None = None,
        person: Buffer | None = None,
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
        data: Buffer | None = None,
        /,
        *,
        digest_size: int = 32,
        key: Buffer | None = None,
        salt: Buffer | None = None,
        person: Buffer | None = None,
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
    data: Buffer | None = None,
    *,
    string: Buffer | None = None,
    usedforsecurity: bool = True,
    **parameters: Any,
) -> Any: ...
def shake_128(
    data: Buffer | None = None, *, string: Buffer | None = None, usedforsecurity: bool = True
) -> XofHash: ...
def shake_256(
    data: Buffer | None = None, *, string: Buffer | None = None, usedforsecurity: bool = True
) -> XofHash: ...
def md5(
    data: Buffer | None = None, *, string: Buffer | None = None, usedforsecurity: bool = True
) -> Hash: ...
def sha1(
    data: Buffer | None = None, *, string: Buffer | None = None, usedforsecurity: bool = True
) -> Hash: ...
def sha224(
    data: Buffer | None = None, *, string: Buffer | None = None, usedforsecurity: bool = True
) -> Hash: ...
def sha256(
    data: Buffer | None = None, *, string: Buffer | None = None, usedforsecurity: bool = True
) -> Hash: ...
def sha384(
    data: Buffer | None = None, *, string: Buffer | None = None, usedforsecurity: bool = True
) -> Hash: ...
def sha512(
    data: Buffer | None = None, *, string: Buffer | None = None, usedforsecurity: bool = True
) -> Hash: ...
def sha3_224(
    data: Buffer | None = None, *, string: Buffer | None = None, usedforsecurity: bool = True
) -> Hash: ...
def sha3_256(
    data: Buffer | None = None, *, string: Buffer | None = None, usedforsecurity: bool = True
) -> Hash: ...
def sha3_384(
    data: Buffer | None = None, *, string: Buffer | None = None, usedforsecurity: bool = True
) -> Hash: ...
def sha3_512(
    data: Buffer | None = None, *, string: Buffer | None = None, usedforsecurity: bool = True
) -> Hash: ...
def file_digest(
    fileobj: Any, digest: str | Callable[[], Hash], /, *, _bufsize: int = ...
) -> Hash: ...
def pbkdf2_hmac(
    hash_name: str, password: Buffer, salt: Buffer, iterations: int, dklen: int | None = None
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
    """An array with a message in each row: numpy's, or a memoryview of two dimensions."""

    @property
    def shape(self) -> Any: ...
    @property
    def itemsize(self) -> int: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

# results are of the same package as what is given
_Rows: TypeAlias = _Array | _ArrowArray | _ArrowStream

@overload
def digest_many(
    name: str,
    messages: Iterable[Buffer],
    *,
    prefix: Buffer | None = None,
    key: Buffer | None = None,
    threads: int = 1,
) -> list[bytes]: ...
@overload
def digest_many(
    name: str,
    messages: _Rows,
    *,
    prefix: Buffer | None = None,
    key: Buffer | None = None,
    threads: int = 1,
) -> Any: ...
@overload
def hexdigest_many(
    name: str,
    messages: Iterable[Buffer] | _Array,
    *,
    prefix: Buffer | None = None,
    key: Buffer | None = None,
    threads: int = 1,
) -> list[str]: ...
@overload
def hexdigest_many(
    name: str,
    messages: _ArrowArray | _ArrowStream,
    *,
    key: Buffer | None = None,
    threads: int = 1,
) -> Any: ...
@overload
def hmac_many(
    key: Buffer | list[Buffer], messages: Iterable[Buffer], digest: str, *, threads: int = 1
) -> list[bytes]: ...
@overload
def hmac_many(
    key: Buffer | list[Buffer] | _Rows, messages: _Rows, digest: str, *, threads: int = 1
) -> Any: ...
@overload
def xof_many(
    name: str, messages: Iterable[Buffer], length: int | list[int]
) -> list[bytes]: ...
@overload
def xof_many(name: str, messages: _ArrowArray | _ArrowStream, length: int) -> Any: ...
@overload
def pbkdf2_many(
    hash_name: str,
    passwords: Iterable[Buffer],
    salts: Buffer | Iterable[Buffer],
    iterations: int,
    dklen: int | None = None,
    *,
    threads: int = 1,
) -> list[bytes]: ...
@overload
def pbkdf2_many(
    hash_name: str,
    passwords: _ArrowArray | _ArrowStream,
    salts: Buffer | _ArrowArray | _ArrowStream,
    iterations: int,
    dklen: int | None = None,
    *,
    threads: int = 1,
) -> Any: ...

@final
class FileDigests:
    @property
    def path(self) -> Any: ...
    @property
    def size(self) -> int: ...
    @property
    def error(self) -> OSError | None: ...
    @property
    def digests(self) -> dict[str, bytes]: ...
    def digest(self, name: str | None = None, /) -> bytes: ...
    def hexdigest(self, name: str | None = None, /) -> str: ...

def file_digests(
    paths: Iterable[_Path],
    algorithms: str | Iterable[str],
    *,
    threads: int = 0,
    progress: Callable[[int, int], object] | None = None,
    errors: str = "raise",
) -> list[FileDigests]: ...
def sum(
    paths: Iterable[_Path],
    algorithm: str | Iterable[str] = "sha256",
    *,
    recursive: bool = False,
    threads: int = 0,
) -> Iterator[FileDigests]: ...
