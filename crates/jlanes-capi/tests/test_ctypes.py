"""The C interface from Python's ctypes, against hashlib. The library's path is the argument."""

import ctypes
import hashlib
import hmac
import sys
import threading

lib = ctypes.CDLL(sys.argv[1])
lib.jlanes_last_error.restype = ctypes.c_char_p
lib.jlanes_version.restype = ctypes.c_char_p
NAMES = {"sha1": "sha1", "sha256": "sha256", "sha384": "sha384", "sha512": "sha512"}


def check(code):
    if code != 0:
        raise RuntimeError(f"{code}: {lib.jlanes_last_error().decode()}")


def new(kind, *arguments):
    made = ctypes.c_void_p()
    check(getattr(lib, f"jlanes_{kind}_new")(*arguments, ctypes.byref(made)))
    return made


def lists(messages):
    pointers = (ctypes.c_char_p * len(messages))(*messages)
    return pointers, (ctypes.c_size_t * len(messages))(*map(len, messages))


def many(function, lanes, size, messages, *before):
    out = ctypes.create_string_buffer(size * len(messages))
    count = ctypes.c_size_t(len(messages))
    check(function(lanes, *before, *lists(messages), count, out, ctypes.c_size_t(len(out))))
    return [out.raw[i : i + size] for i in range(0, len(out), size)]


def test_streaming(name):
    message = bytes(range(256)) * 5
    hasher = new("hasher", name.encode())
    for i in range(0, len(message), 77):
        piece = message[i : i + 77]
        check(lib.jlanes_hasher_update(hasher, piece, ctypes.c_size_t(len(piece))))
    expected = hashlib.new(name, message).digest()
    out = ctypes.create_string_buffer(len(expected))
    check(lib.jlanes_hasher_finish(hasher, out, ctypes.c_size_t(len(expected))))
    lib.jlanes_hasher_free(hasher)
    assert out.raw == expected, name


def test_many(name, lanes, messages):
    size = hashlib.new(name).digest_size
    digests = many(lib.jlanes_digest_many, lanes, size, messages)
    assert digests == [hashlib.new(name, message).digest() for message in messages], name
    tags = many(lib.jlanes_hmac_many, lanes, size, messages, b"key", ctypes.c_size_t(3))
    assert tags == [hmac.digest(b"key", message, name) for message in messages], name


def main():
    messages = [bytes([i % 251]) * (i % 300) for i in range(1000)]
    for name in NAMES:
        test_streaming(name)
        lanes = new("lanes", name.encode(), None, ctypes.c_uint32(0))
        # lanes are shared by threads
        errors = []

        def run(name=name, lanes=lanes):
            try:
                test_many(name, lanes, messages)
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors, errors
        lib.jlanes_lanes_free(lanes)
    try:
        new("hasher", b"sha257")
    except RuntimeError as error:
        assert "unknown algorithm" in str(error)
    else:
        raise AssertionError("there is no sha257")
    # another thread's errors are not this one's
    said = []
    thread = threading.Thread(target=lambda: said.append(lib.jlanes_last_error()))
    thread.start()
    thread.join()
    assert said == [b""] and lib.jlanes_last_error() == b"unknown algorithm"
    print("ctypes: all passed, version", lib.jlanes_version().decode())


main()
