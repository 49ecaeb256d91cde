"""SHA-1 with detection of collision attacks."""

import hashlib

import pytest

import jlanes

# the first 320 bytes of shattered-1.pdf and shattered-2.pdf, and their safe hashes
ATTACKS = [
    (
        bytes.fromhex(
            "255044462d312e330a25e2e3cfd30a0a0a312030206f626a0a3c3c2f57696474682032203020522f"
            "4865696768742033203020522f547970652034203020522f537562747970652035203020522f4669"
            "6c7465722036203020522f436f6c6f7253706163652037203020522f4c656e677468203820302052"
            "2f42697473506572436f6d706f6e656e7420383e3e0a73747265616d0affd8fffe00245348412d31"
            "20697320646561642121212121852fec092339759c39b1a1c63c4c97e1fffe017346dc9166b67e11"
            "8f029ab621b2560ff9ca67cca8c7f85ba84c79030c2b3de218f86db3a90901d5df45c14f26fedfb3"
            "dc38e96ac22fe7bd728f0e45bce046d23c570feb141398bb552ef5a0a82be331fea48037b8b5d71f"
            "0e332edf93ac3500eb4ddc0decc1a864790c782c76215660dd309791d06bd0af3f98cda4bc4629b1"
        ),
        "7117b3cb9225aaf0d8ef1a40e493957b0bf8693d",
    ),
    (
        bytes.fromhex(
            "255044462d312e330a25e2e3cfd30a0a0a312030206f626a0a3c3c2f57696474682032203020522f"
            "4865696768742033203020522f547970652034203020522f537562747970652035203020522f4669"
            "6c7465722036203020522f436f6c6f7253706163652037203020522f4c656e677468203820302052"
            "2f42697473506572436f6d706f6e656e7420383e3e0a73747265616d0affd8fffe00245348412d31"
            "20697320646561642121212121852fec092339759c39b1a1c63c4c97e1fffe017f46dc93a6b67e01"
            "3b029aaa1db2560b45ca67d688c7f84b8c4c791fe02b3df614f86db1690901c56b45c1530afedfb7"
            "6038e972722fe7ad728f0e4904e046c230570fe9d41398abe12ef5bc942be33542a4802d98b5d70f"
            "2a332ec37fac3514e74ddc0f2cc1a874cd0c78305a21566461309789606bd0bf3f98cda8044629a1"
        ),
        "29f38ae9fd98e2931120fa0bf213e024250d3f6a",
    ),
]
MESSAGES = [bytes([i % 251]) * (i * 7 % 300) for i in range(50)]


def test_hash_objects():
    digests = set()
    for attack, safe in ATTACKS:
        digests.add(jlanes.sha1(attack).hexdigest())
        assert jlanes.sha1(attack, collisions="safe").hexdigest() == safe
        for made in [
            jlanes.sha1(attack, collisions="raise"),
            jlanes.new("SHA-1", attack, collisions="raise"),
            jlanes.sha1(data=attack, collisions="raise").copy(),
        ]:
            with pytest.raises(jlanes.CollisionError, match="collision"):
                made.digest()
            with pytest.raises(ValueError, match="collision"):
                made.hexdigest()
        streamed = jlanes.sha1(collisions="raise")
        streamed.update(attack[:100])
        assert streamed.digest() == hashlib.sha1(attack[:100]).digest()
        streamed.update(attack[100:])
        with pytest.raises(jlanes.CollisionError):
            streamed.digest()
    assert len(digests) == 1
    for message in MESSAGES:
        for collisions in [None, "raise", "safe"]:
            digest = jlanes.sha1(message, collisions=collisions).digest()
            assert digest == hashlib.sha1(message).digest()


def test_batches():
    expected = [hashlib.sha1(message).digest() for message in MESSAGES]
    for collisions in ["raise", "safe"]:
        assert jlanes.digest_many("sha1", MESSAGES, collisions=collisions) == expected
    hexadecimal = jlanes.hexdigest_many("sha1", MESSAGES, collisions="raise")
    assert hexadecimal == [digest.hex() for digest in expected]
    assert jlanes.digest_many("sha1", [], collisions="raise") == []
    attack, safe = ATTACKS[1]
    with pytest.raises(jlanes.CollisionError, match="message 50: .*collision"):
        jlanes.digest_many("sha1", [*MESSAGES, attack], collisions="raise")
    last = jlanes.hexdigest_many("sha1", [*MESSAGES, attack], collisions="safe")[-1]
    assert last == safe


def test_other_arguments():
    with pytest.raises(ValueError, match="'raise' or 'safe'"):
        jlanes.sha1(collisions="ignore")
    with pytest.raises(TypeError, match="must be a string"):
        jlanes.sha1(collisions=1)
    with pytest.raises(TypeError):
        jlanes.new("sha256", collisions="raise")
    with pytest.raises(ValueError, match="for sha1"):
        jlanes.digest_many("sha256", [b""], collisions="raise")
    with pytest.raises(ValueError, match="for sha1"):
        jlanes.digest_many("sha1", [b""], prefix=b"p", collisions="raise")
