"""Runs test_hashlib and test_hmac of the installed CPython with jlanes in hashlib's place.

Prints how many tests ran, and which were left out and why; fails if one fails.
"""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

# About hashlib's insides, which jlanes does not have.
INSIDES = {
    "test_get_builtin_constructor": "it compares with hashlib's own modules",
    "test_with_fallback": "it adds an algorithm to hashlib's private cache",
    "test_readonly_types": "the stable ABI has no immutable types before Python 3.14",
}

# Tests of all algorithms that begin with MD5.
TAKE_MD5 = {
    "test_blocksize_name",
    "test_no_unicode",
    "test_usedforsecurity_false",
    "test_usedforsecurity_true",
}

# CPython's own modules that have an algorithm.
MODULES = {"md5": "_md5", "blake2b": "_blake2", "sha3_256": "_sha3", "shake_128": "_sha3"}


def tests(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests(test)
        else:
            yield test


def main():
    sys.path.insert(0, HERE)
    sys.modules.pop("hashlib", None)
    import hashlib

    assert os.path.dirname(hashlib.__file__) == HERE, hashlib.__file__
    for name, module in MODULES.items():
        if name not in hashlib.algorithms_guaranteed:
            sys.modules[module] = None  # the tests take what it has for granted
    try:
        from test import test_hashlib, test_hmac
    except ImportError as error:
        sys.exit(f"not run: CPython's tests are not installed: {error}")
    assert test_hashlib.hashlib is hashlib or test_hashlib.hashlib.__file__ == hashlib.__file__

    case = test_hashlib.HashLibTestCase
    missing = {
        name.lower()
        for name in case.supported_hash_names
        if name.lower() not in hashlib.algorithms_guaranteed
    }
    case.supported_hash_names = tuple(
        name for name in case.supported_hash_names if name.lower() not in missing
    )

    chosen, left_out = unittest.TestSuite(), []
    loader = unittest.defaultTestLoader
    for module in (test_hashlib, test_hmac):
        for test in tests(loader.loadTestsFromModule(module)):
            name = test.id().rsplit(".", 1)[1]
            words = name.replace("shake128", "shake_128").replace("shake256", "shake_256")
            lacks = [family for family in missing if family in words]
            if missing and name == "test_algorithms_guaranteed":
                lacks = sorted(missing)
            if "md5" in missing and name in TAKE_MD5:
                lacks = ["md5"]
            if name.endswith("_sha3") and "sha3_256" in missing:
                lacks = ["sha3_256"]
            if name in INSIDES:
                left_out.append((name, INSIDES[name]))
            elif lacks:
                left_out.append((name, f"there is no {lacks[0]}"))
            else:
                chosen.addTest(test)

    result = unittest.TextTestRunner(verbosity=1).run(chosen)
    for test, reason in result.skipped:
        print(f"skipped by CPython: {test.id()}: {reason}")
    for name, reason in left_out:
        print(f"left out: {name}: {reason}")
    bad = len(result.failures) + len(result.errors)
    passed = result.testsRun - len(result.skipped) - bad
    print(f"{result.testsRun} run, {passed} passed, {bad} failed, {len(result.skipped)} skipped by"
          f" CPython, {len(left_out)} left out")
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
