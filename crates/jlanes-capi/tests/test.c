/* What the C interface does, against known answers. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jlanes.h"

static int failures;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, \
                    jlanes_last_error()); \
            failures++; \
        } \
    } while (0)

static const uint8_t *bytes(const char *text) {
    return (const uint8_t *)text;
}

/* whether `digest` is what the hexadecimal says, from its first byte on */
static int is(const uint8_t *digest, const char *hex) {
    for (; hex[0] && hex[1]; hex += 2, digest++) {
        unsigned byte;
        if (sscanf(hex, "%2x", &byte) != 1 || byte != *digest) return 0;
    }
    return 1;
}

static const char SHA256_ABC[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
static const char SHA256_EMPTY[] =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
static const char HMAC_JEFE[] = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

static void streaming(void) {
    struct jlanes_hasher *hasher = NULL;
    uint8_t digest[64], again[64], many_digests[128];
    size_t size = 0;

    CHECK(jlanes_hasher_new("SHA256", &hasher) == JLANES_OK);
    CHECK(jlanes_hasher_update(hasher, bytes("a"), 1) == JLANES_OK);
    CHECK(jlanes_hasher_update(hasher, NULL, 0) == JLANES_OK);
    CHECK(jlanes_hasher_update(hasher, bytes("bc"), 2) == JLANES_OK);
    CHECK(jlanes_hasher_finish(hasher, digest, 31) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_hasher_finish(hasher, digest, 32) == JLANES_OK);
    CHECK(is(digest, SHA256_ABC));
    CHECK(jlanes_hasher_update(hasher, bytes("x"), 1) == JLANES_OK);
    CHECK(jlanes_hasher_reset(hasher) == JLANES_OK);
    CHECK(jlanes_hasher_finish(hasher, digest, 32) == JLANES_OK);
    CHECK(is(digest, SHA256_EMPTY));
    jlanes_hasher_free(hasher);
    jlanes_hasher_free(NULL);

    CHECK(jlanes_output_size("skein512-256", &size) == JLANES_OK && size == 32);
    CHECK(jlanes_output_size("sha384", &size) == JLANES_OK && size == 48);
    CHECK(jlanes_digest("sha256", bytes("abc"), 3, digest, 32) == JLANES_OK);
    CHECK(is(digest, SHA256_ABC));
    /* functions with any length of output have it in bits behind their name */
    CHECK(jlanes_output_size("shake128-256", &size) == JLANES_OK && size == 32);
    CHECK(jlanes_digest("shake128-256", NULL, 0, digest, 32) == JLANES_OK);
    CHECK(is(digest, "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"));
    CHECK(jlanes_digest("shake128-80", NULL, 0, digest, 10) == JLANES_OK);
    CHECK(is(digest, "7f9c2ba4e88f827d6160"));
    /* a tree: not the digest of the plain hash, but always the same */
    CHECK(jlanes_digest("jlanes8-sha256", bytes("abc"), 3, digest, 32) == JLANES_OK);
    CHECK(!is(digest, SHA256_ABC));
    CHECK(jlanes_hasher_new("jlanes8-sha256", &hasher) == JLANES_OK);
    CHECK(jlanes_hasher_update(hasher, bytes("abc"), 3) == JLANES_OK);
    CHECK(jlanes_hasher_finish(hasher, again, 32) == JLANES_OK);
    CHECK(memcmp(digest, again, 32) == 0);
    jlanes_hasher_free(hasher);
    /* HMAC in pieces (RFC 4231, test case 2), and of a copy */
    {
        struct jlanes_hasher *copy = NULL;

        CHECK(jlanes_hasher_new_hmac("sha256", bytes("Jefe"), 4, &hasher) == JLANES_OK);
        CHECK(jlanes_hasher_update(hasher, bytes("what do ya want "), 16) == JLANES_OK);
        CHECK(jlanes_hasher_copy(hasher, &copy) == JLANES_OK);
        CHECK(jlanes_hasher_update(hasher, bytes("forgotten"), 9) == JLANES_OK);
        jlanes_hasher_free(hasher);
        CHECK(jlanes_hasher_update(copy, bytes("for nothing?"), 12) == JLANES_OK);
        CHECK(jlanes_hasher_finish(copy, digest, 32) == JLANES_OK);
        CHECK(is(digest, HMAC_JEFE));
        CHECK(jlanes_hasher_update(copy, bytes("what do ya want for nothing?"), 28) == JLANES_OK);
        CHECK(jlanes_hasher_finish(copy, digest, 32) == JLANES_OK);
        CHECK(is(digest, HMAC_JEFE));
        jlanes_hasher_free(copy);
        CHECK(jlanes_hasher_new_hmac("glacier", NULL, 0, &copy) == JLANES_ERROR_UNSUPPORTED);
        CHECK(jlanes_hasher_copy(NULL, &copy) == JLANES_ERROR_ARGUMENT);
    }
    /* BLAKE2's own key: the first of the keyed test vectors of its authors, for no message */
    {
        uint8_t key[64];

        for (size = 0; size < sizeof key; size++) key[size] = (uint8_t)size;
        CHECK(jlanes_hasher_new_keyed("blake2b", key, 64, &hasher) == JLANES_OK);
        CHECK(jlanes_hasher_finish(hasher, digest, 64) == JLANES_OK);
        CHECK(is(digest, "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786"));
        jlanes_hasher_free(hasher);
        CHECK(jlanes_hasher_new_keyed("blake2b", NULL, 0, &hasher) == JLANES_ERROR_UNSUPPORTED);
        CHECK(jlanes_hasher_new_keyed("sha256", key, 64, &hasher) == JLANES_ERROR_UNSUPPORTED);
        CHECK(jlanes_hasher_new_keyed("skein512", NULL, 0, &hasher) == JLANES_ERROR_UNSUPPORTED);
        CHECK(jlanes_hasher_new_keyed("skein512", key, 64, &hasher) == JLANES_OK);
        jlanes_hasher_free(hasher);
    }
    /* parameters: a member that is there, one of a later version, one that the algorithm lacks */
    {
        struct {
            struct jlanes_parameters parameters;
            uint64_t later;
        } given;
        uint8_t key[32];

        memset(&given, 0, sizeof given);
        for (size = 0; size < sizeof key; size++) key[size] = (uint8_t)size;
        given.parameters.size = sizeof given.parameters;
        CHECK(jlanes_hasher_new_with("sha256", NULL, &hasher) == JLANES_OK);
        jlanes_hasher_free(hasher);
        CHECK(jlanes_hasher_new_with("sha256", &given.parameters, &hasher) == JLANES_OK);
        CHECK(jlanes_hasher_update(hasher, bytes("abc"), 3) == JLANES_OK);
        CHECK(jlanes_hasher_finish(hasher, digest, 32) == JLANES_OK);
        CHECK(is(digest, SHA256_ABC));
        jlanes_hasher_free(hasher);
        given.parameters.hmac_key.data = bytes("Jefe");
        given.parameters.hmac_key.len = 4;
        given.parameters.size = sizeof given;
        CHECK(jlanes_hasher_new_with("sha256", &given.parameters, &hasher) == JLANES_OK);
        CHECK(jlanes_hasher_update(hasher, bytes("what do ya want for nothing?"), 28) == JLANES_OK);
        CHECK(jlanes_hasher_finish(hasher, digest, 32) == JLANES_OK);
        CHECK(is(digest, HMAC_JEFE));
        jlanes_hasher_free(hasher);
        given.later = 1;
        CHECK(jlanes_hasher_new_with("sha256", &given.parameters, &hasher) ==
              JLANES_ERROR_ARGUMENT);
        {
            static uint8_t zeros[(1 << 20) + 1];
            static char name[(64 << 10) + 2];
            memset(name, 'a', sizeof name - 1);
            CHECK(jlanes_hasher_new_hmac("sha256", zeros, sizeof zeros, &hasher) == JLANES_ERROR_ARGUMENT);
            CHECK(jlanes_hasher_new(name, &hasher) == JLANES_ERROR_ARGUMENT);
            CHECK(jlanes_hasher_new(name + 1, &hasher) == JLANES_ERROR_ALGORITHM);
        }
        given.parameters.size = 0;
        CHECK(jlanes_hasher_new_with("sha256", &given.parameters, &hasher) ==
              JLANES_ERROR_ARGUMENT);
        /* as compiled with the first two members alone */
        given.parameters.size = offsetof(struct jlanes_parameters, salt);
        given.parameters.salt.len = 1;
        CHECK(jlanes_hasher_new_with("sha256", &given.parameters, &hasher) == JLANES_OK);
        jlanes_hasher_free(hasher);
        given.parameters.key.data = key;
        given.parameters.key.len = 32;
        CHECK(jlanes_hasher_new_with("blake2b", &given.parameters, &hasher) ==
              JLANES_ERROR_ARGUMENT);
        memset(&given, 0, sizeof given);
        given.parameters.size = sizeof given.parameters;
        given.parameters.salt.data = key;
        given.parameters.salt.len = 16;
        CHECK(jlanes_hasher_new_with("sha256", &given.parameters, &hasher) ==
              JLANES_ERROR_UNSUPPORTED);
        given.parameters.salt.len = 17;
        CHECK(jlanes_hasher_new_with("blake2b", &given.parameters, &hasher) ==
              JLANES_ERROR_UNSUPPORTED);
        /* no value, or one that is not there: a keyed digest must not become a plain one */
        given.parameters.salt.data = NULL;
        CHECK(jlanes_hasher_new_with("blake2b", &given.parameters, &hasher) ==
              JLANES_ERROR_ARGUMENT);
        given.parameters.salt.data = key;
        given.parameters.salt.len = 16;
        given.parameters.personalization.data = bytes("jlanes");
        given.parameters.personalization.len = 6;
        /* hashlib.blake2b(b"abc", salt=bytes(range(16)), person=b"jlanes") */
        CHECK(jlanes_hasher_new_with("blake2b", &given.parameters, &hasher) == JLANES_OK);
        CHECK(jlanes_hasher_update(hasher, bytes("abc"), 3) == JLANES_OK);
        CHECK(jlanes_hasher_finish(hasher, digest, 64) == JLANES_OK);
        CHECK(is(digest, "02e4ba1456d7c2cc76bc195bc61854cf77ef360551b7e6f5ec487e5d7e9207d5"));
        jlanes_hasher_free(hasher);
        {
            struct jlanes_lanes *lanes = NULL;

            CHECK(jlanes_lanes_new_with("blake2b", &given.parameters, NULL, 0, &lanes) == JLANES_OK);
            CHECK(jlanes_digest_records(lanes, bytes("abcabc"), 3, 2, many_digests, 128) ==
                  JLANES_OK);
            CHECK(memcmp(many_digests, digest, 64) == 0);
            CHECK(memcmp(many_digests + 64, digest, 64) == 0);
            jlanes_lanes_free(lanes);
        }
        /* BLAKE3's context and position, and KangarooTwelve's customization */
        memset(&given, 0, sizeof given);
        given.parameters.size = sizeof given.parameters;
        given.parameters.context = "a context";
        CHECK(jlanes_hasher_new_with("blake3-512", &given.parameters, &hasher) == JLANES_OK);
        CHECK(jlanes_hasher_finish(hasher, digest, 64) == JLANES_OK);
        jlanes_hasher_free(hasher);
        given.parameters.seek = 32;
        CHECK(jlanes_hasher_new_with("blake3", &given.parameters, &hasher) == JLANES_OK);
        CHECK(jlanes_hasher_finish(hasher, again, 32) == JLANES_OK);
        CHECK(memcmp(again, digest + 32, 32) == 0);
        jlanes_hasher_free(hasher);
        memset(&given, 0, sizeof given);
        given.parameters.size = sizeof given.parameters;
        given.parameters.customization.data = key;
        given.parameters.customization.len = 1;
        /* RFC 9861, section 5: KT128 of no message, customization ptn(1), which is a zero byte */
        CHECK(jlanes_hasher_new_with("kt128", &given.parameters, &hasher) == JLANES_OK);
        CHECK(jlanes_hasher_finish(hasher, digest, 32) == JLANES_OK);
        CHECK(is(digest, "fab658db63e94a246188bf7af69a133045f46ee984c56e3c3328caaf1aa1a583"));
        jlanes_hasher_free(hasher);
    }
    /* fs-verity's file digest of an empty file */
    CHECK(jlanes_digest("fsverity-sha256", NULL, 0, digest, 32) == JLANES_OK);
    CHECK(is(digest, "3d248ca5"));
}

static void many(uint32_t flags) {
    enum { COUNT = 1000 };
    static uint8_t text[COUNT], out[COUNT * 64];
    const uint8_t *messages[COUNT], *two[2] = {bytes("Jefe"), bytes("password")};
    size_t lens[COUNT], two_lens[2] = {4, 8};
    uint8_t digest[64];
    struct jlanes_lanes *lanes = NULL;
    size_t i;

    for (i = 0; i < COUNT; i++) {
        text[i] = (uint8_t)(i * 7);
        messages[i] = text;
        lens[i] = i;
    }
    CHECK(jlanes_lanes_new("sha512", NULL, flags, &lanes) == JLANES_OK);
    CHECK(jlanes_digest_many(lanes, messages, lens, COUNT, out, sizeof out) == JLANES_OK);
    for (i = 0; i < COUNT; i++) {
        CHECK(jlanes_digest("sha512", text, i, digest, 64) == JLANES_OK);
        CHECK(memcmp(digest, out + 64 * i, 64) == 0);
    }
    CHECK(jlanes_digest_records(lanes, text, 10, COUNT / 10, out, 64 * COUNT / 10) == JLANES_OK);
    for (i = 0; i < COUNT / 10; i++) {
        CHECK(jlanes_digest("sha512", text + 10 * i, 10, digest, 64) == JLANES_OK);
        CHECK(memcmp(digest, out + 64 * i, 64) == 0);
    }
    CHECK(jlanes_digest_many(lanes, NULL, NULL, 0, NULL, 0) == JLANES_OK);
    jlanes_lanes_free(lanes);

    CHECK(jlanes_lanes_new("sha256", "portable", flags, &lanes) == JLANES_OK);
    messages[0] = bytes("what do ya want for nothing?"); /* RFC 4231, test case 2 */
    lens[0] = 28;
    CHECK(jlanes_hmac_many(lanes, bytes("Jefe"), 4, messages, lens, 2, out, 64) == JLANES_OK);
    CHECK(is(out, HMAC_JEFE));
    memset(out, 0, 64);
    CHECK(jlanes_hmac_many_keyed(lanes, two, two_lens, messages, lens, 2, out, 64) == JLANES_OK);
    CHECK(is(out, HMAC_JEFE));
    CHECK(!is(out + 32, HMAC_JEFE));
    messages[1] = bytes("salt");
    lens[1] = 4;
    CHECK(jlanes_pbkdf2_many(lanes, two + 1, two_lens + 1, messages + 1, lens + 1, 1, 2, 20, out,
                             20) == JLANES_OK);
    CHECK(is(out, "ae4d0c95af6b46d32d0adff928f06dd02a303f8e"));
    jlanes_lanes_free(lanes);
    jlanes_lanes_free(NULL);

    /* functions with any length of output, and BLAKE2 with a key */
    CHECK(jlanes_lanes_new("shake256-800", NULL, flags, &lanes) == JLANES_OK);
    CHECK(jlanes_digest_records(lanes, text, 10, COUNT / 100, out, COUNT) == JLANES_OK);
    for (i = 0; i < COUNT / 100; i++) {
        uint8_t output[100];
        CHECK(jlanes_digest("shake256-800", text + 10 * i, 10, output, 100) == JLANES_OK);
        CHECK(memcmp(output, out + 100 * i, 100) == 0);
    }
    jlanes_lanes_free(lanes);
    CHECK(jlanes_lanes_new_keyed("blake2s-128", text, 32, NULL, flags, &lanes) == JLANES_OK);
    CHECK(jlanes_digest_records(lanes, text, 10, COUNT / 10, out, 16 * COUNT / 10) == JLANES_OK);
    for (i = 0; i < COUNT / 10; i++) {
        struct jlanes_hasher *hasher = NULL;
        CHECK(jlanes_hasher_new_keyed("blake2s-128", text, 32, &hasher) == JLANES_OK);
        CHECK(jlanes_hasher_update(hasher, text + 10 * i, 10) == JLANES_OK);
        CHECK(jlanes_hasher_finish(hasher, digest, 16) == JLANES_OK);
        CHECK(memcmp(digest, out + 16 * i, 16) == 0);
        jlanes_hasher_free(hasher);
    }
    jlanes_lanes_free(lanes);
    lanes = NULL;
    CHECK(jlanes_lanes_new_keyed("blake2s", text, 33, NULL, flags, &lanes) ==
          JLANES_ERROR_UNSUPPORTED);
    CHECK(lanes == NULL);
}

static void errors(void) {
    struct jlanes_hasher *hasher = NULL;
    struct jlanes_lanes *lanes = NULL;
    const uint8_t *message = NULL;
    size_t len = 1, huge = (size_t)-1;
    uint8_t out[32];

    CHECK(jlanes_hasher_new("sha257", &hasher) == JLANES_ERROR_ALGORITHM);
    CHECK(strcmp(jlanes_last_error(), "unknown algorithm") == 0);
    CHECK(jlanes_hasher_new("sha\xff", &hasher) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_hasher_new(NULL, &hasher) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_hasher_new("sha256", NULL) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_hasher_new("btv2", &hasher) == JLANES_ERROR_UNSUPPORTED);
    CHECK(hasher == NULL);
    CHECK(jlanes_hasher_update(NULL, out, 1) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_hasher_finish(NULL, out, 32) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_output_size("sha256", NULL) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_digest("sha256", NULL, 1, out, 32) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_digest("sha256", out, huge, out, 32) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_lanes_new("sha256", "mmx", 0, &lanes) == JLANES_ERROR_BACKEND);
    CHECK(jlanes_lanes_new("sha256", NULL, 77, &lanes) == JLANES_ERROR_ARGUMENT);
    CHECK(lanes == NULL);
    CHECK(jlanes_lanes_new("jlanes8-sha256", NULL, 0, &lanes) == JLANES_OK);
    CHECK(jlanes_digest_many(lanes, &message, &len, 1, out, 32) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_digest_many(lanes, NULL, &len, 1, out, 32) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_digest_many(lanes, &message, &len, huge, out, 32) == JLANES_ERROR_ARGUMENT);
    message = bytes("a");
    CHECK(jlanes_digest_many(lanes, &message, &len, 1, out, 31) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_digest_many(NULL, &message, &len, 1, out, 32) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_digest_records(lanes, out, 0, 1, out, 32) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_digest_records(lanes, out, 2, huge, out, 32) == JLANES_ERROR_ARGUMENT);
    CHECK(jlanes_hmac_many(lanes, NULL, 0, &message, &len, 1, out, 32) ==
          JLANES_ERROR_UNSUPPORTED);
    CHECK(jlanes_pbkdf2_many(lanes, &message, &len, &message, &len, 1, 1, 0, out, 0) ==
          JLANES_ERROR_ARGUMENT);
    jlanes_lanes_free(lanes);
    /* no records, whatever their width */
    CHECK(jlanes_lanes_new("sha256", NULL, 0, &lanes) == JLANES_OK);
    CHECK(jlanes_digest_records(lanes, NULL, 0, 0, NULL, 0) == JLANES_OK);
    CHECK(jlanes_digest_records(lanes, NULL, 7, 0, NULL, 0) == JLANES_OK);
    jlanes_lanes_free(lanes);
    CHECK(strcmp(jlanes_version(), JLANES_VERSION) == 0);
    {
        char version[32];
        sprintf(version, "%d.%d.%d", JLANES_VERSION_MAJOR, JLANES_VERSION_MINOR,
                JLANES_VERSION_PATCH);
        CHECK(strncmp(JLANES_VERSION, version, strlen(version)) == 0);
    }
}

/* An array of text that this program owns. */
struct text {
    const void *buffers[3];
    int32_t offsets[4];
    uint8_t validity;
    struct ArrowArray array;
    struct ArrowSchema schema;
};

static int released;

static void release_array(struct ArrowArray *array) {
    released++;
    array->release = NULL;
}

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void make(struct text *text) {
    memset(text, 0, sizeof *text);
    text->offsets[1] = text->offsets[2] = 28;
    text->offsets[3] = 31;
    text->validity = 5; /* the second row is null */
    text->buffers[0] = &text->validity;
    text->buffers[1] = text->offsets;
    text->buffers[2] = "what do ya want for nothing?abc";
    text->array.length = 3;
    text->array.null_count = 1;
    text->array.n_buffers = 3;
    text->array.buffers = text->buffers;
    text->array.release = release_array;
    text->schema.format = "u";
    text->schema.release = release_schema;
}

static void columns(void) {
    struct text text;
    struct jlanes_lanes *lanes = NULL;
    struct ArrowArray out, expected;
    struct ArrowSchema schema, expected_schema;
    const char *hex;
    int code;

    CHECK(jlanes_lanes_new("sha256", NULL, 0, &lanes) == JLANES_OK);
    make(&text);
    released = 0;
    code = jlanes_arrow_digest(lanes, &text.array, &text.schema, JLANES_ENCODING_HEX, &expected,
                               &expected_schema);
    CHECK(code == JLANES_OK && released == 1 && text.array.release == NULL);
    if (code != JLANES_OK) return;
    CHECK(strcmp(expected_schema.format, "u") == 0);
    CHECK(expected.length == 3 && expected.null_count == 1 && expected.n_buffers == 3);
    CHECK(*(const uint8_t *)expected.buffers[0] == 5);
    CHECK(((const int32_t *)expected.buffers[1])[3] == 128);
    hex = expected.buffers[2];
    CHECK(memcmp(hex + 64, SHA256_ABC, 64) == 0);

    make(&text);
    code = jlanes_arrow_verify(lanes, &text.array, &text.schema, &expected, &expected_schema, &out,
                               &schema);
    CHECK(code == JLANES_OK && expected.release == NULL);
    CHECK(strcmp(schema.format, "b") == 0 && (*(const uint8_t *)out.buffers[1] & 5) == 5);
    out.release(&out);
    schema.release(&schema);
    expected_schema.release(&expected_schema);
    CHECK(out.release == NULL && schema.release == NULL);

    make(&text);
    code = jlanes_arrow_hmac(lanes, bytes("Jefe"), 4, &text.array, &text.schema,
                             JLANES_ENCODING_FIXED_SIZE_BINARY, &out, &schema);
    CHECK(code == JLANES_OK && strcmp(schema.format, "w:32") == 0);
    CHECK(is(out.buffers[1], HMAC_JEFE));
    expected = out; /* for the verification below */
    expected_schema = schema;

    make(&text);
    code = jlanes_arrow_verify_hmac(lanes, bytes("Jefe"), 4, &text.array, &text.schema, &expected,
                                    &expected_schema, &out, &schema);
    CHECK(code == JLANES_OK && expected.release == NULL && text.array.release == NULL);
    CHECK((*(const uint8_t *)out.buffers[1] & 5) == 5);
    out.release(&out);
    schema.release(&schema);
    expected_schema.release(&expected_schema);

    /* every row's key is the row itself */
    {
        struct text keys;
        uint8_t tag[32];
        struct jlanes_hasher *hasher = NULL;

        make(&text);
        make(&keys);
        code = jlanes_arrow_hmac_keyed(lanes, &keys.array, &keys.schema, &text.array, &text.schema,
                                       JLANES_ENCODING_FIXED_SIZE_BINARY, &out, &schema);
        CHECK(code == JLANES_OK && keys.array.release == NULL && text.array.release == NULL);
        CHECK(jlanes_hasher_new_hmac("sha256", bytes("abc"), 3, &hasher) == JLANES_OK);
        CHECK(jlanes_hasher_update(hasher, bytes("abc"), 3) == JLANES_OK);
        CHECK(jlanes_hasher_finish(hasher, tag, 32) == JLANES_OK);
        jlanes_hasher_free(hasher);
        CHECK(memcmp((const uint8_t *)out.buffers[1] + 64, tag, 32) == 0);
        out.release(&out);
        schema.release(&schema);
    }

    make(&text);
    code = jlanes_arrow_pbkdf2(lanes, &text.array, &text.schema, bytes("salt"), 4, 3, 7,
                               JLANES_ENCODING_FIXED_SIZE_BINARY, &out, &schema);
    CHECK(code == JLANES_OK && strcmp(schema.format, "w:7") == 0);
    {
        const uint8_t *password = bytes("abc"), *salt = bytes("salt");
        size_t len = 3, salt_len = 4;
        uint8_t key[7];

        CHECK(jlanes_pbkdf2_many(lanes, &password, &len, &salt, &salt_len, 1, 3, 7, key, 7) ==
              JLANES_OK);
        CHECK(memcmp((const uint8_t *)out.buffers[1] + 14, key, 7) == 0);
    }
    out.release(&out);
    schema.release(&schema);
    make(&text);
    CHECK(jlanes_arrow_pbkdf2(lanes, &text.array, &text.schema, NULL, 0, 0, 7, 0, &out, &schema) ==
          JLANES_ERROR_ARGUMENT);
    /* the width in Arrow's schema has 32 bits, also for no rows */
    make(&text);
    text.array.length = text.array.null_count = 0;
    CHECK(jlanes_arrow_pbkdf2(lanes, &text.array, &text.schema, NULL, 0, 1, (size_t)1 << 31,
                              JLANES_ENCODING_FIXED_SIZE_BINARY, &out, &schema) ==
          JLANES_ERROR_MEMORY);

    make(&text);
    code = jlanes_arrow_row_digest(lanes, &text.array, &text.schema, JLANES_ENCODING_BINARY, &out,
                                   &schema);
    CHECK(code == JLANES_OK && out.null_count == 0);
    /* the row whose only field is a null text */
    {
        uint8_t digest[32];
        CHECK(jlanes_digest("sha256", bytes("JLR1\1\0\0\0\xa0"), 9, digest, 32) == JLANES_OK);
        CHECK(memcmp((const uint8_t *)out.buffers[2] + 32, digest, 32) == 0);
    }
    out.release(&out);
    schema.release(&schema);

    /* what is wrong is an error, and released all the same */
    released = 0;
    make(&text);
    text.offsets[1] = 40;
    CHECK(jlanes_arrow_digest(lanes, &text.array, &text.schema, JLANES_ENCODING_HEX, &out,
                              &schema) == JLANES_ERROR_COLUMN);
    CHECK(strstr(jlanes_last_error(), "row 0") != NULL);
    make(&text);
    CHECK(jlanes_arrow_digest(lanes, &text.array, &text.schema, 99, &out, &schema) ==
          JLANES_ERROR_ARGUMENT);
    make(&text);
    CHECK(jlanes_arrow_digest(lanes, &text.array, &text.schema, 0, NULL, NULL) ==
          JLANES_ERROR_ARGUMENT);
    make(&text);
    text.schema.format = "+l";
    CHECK(jlanes_arrow_digest(lanes, &text.array, &text.schema, 0, &out, &schema) ==
          JLANES_ERROR_COLUMN);
    make(&text);
    CHECK(jlanes_arrow_digest(NULL, &text.array, &text.schema, 0, &out, &schema) ==
          JLANES_ERROR_ARGUMENT);
    CHECK(released == 5);
    CHECK(jlanes_arrow_digest(lanes, &text.array, &text.schema, 0, &out, &schema) ==
          JLANES_ERROR_COLUMN);
    jlanes_lanes_free(lanes);
}

static int stream_left;

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    *out = ((struct text *)stream->private_data)->schema;
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    struct text *text = stream->private_data;
    if (stream_left < 0) return 5;
    make(text);
    *out = text->array;
    if (stream_left == 0) out->release = NULL;
    stream_left--;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return "the disk is on fire";
}

static void release_stream(struct ArrowArrayStream *stream) {
    released++;
    stream->release = NULL;
}

static void streams(void) {
    struct text text;
    struct jlanes_lanes *lanes = NULL;
    struct ArrowArrayStream in = {get_schema, get_next, get_last_error, release_stream, &text}, out;
    struct ArrowSchema schema;
    struct ArrowArray array;
    int code;

    make(&text);
    released = 0;
    stream_left = 2;
    CHECK(jlanes_lanes_new("sha256", NULL, 0, &lanes) == JLANES_OK);
    code = jlanes_arrow_digest_stream(lanes, &in, JLANES_ENCODING_BINARY, &out);
    CHECK(code == JLANES_OK && in.release == NULL);
    jlanes_lanes_free(lanes);
    if (code != JLANES_OK) return;
    CHECK(out.get_schema(&out, &schema) == 0 && strcmp(schema.format, "z") == 0);
    schema.release(&schema);
    CHECK(out.get_next(&out, &array) == 0 && array.length == 3);
    CHECK(is((const uint8_t *)array.buffers[2] + 32, SHA256_ABC));
    array.release(&array);
    stream_left = -1;
    CHECK(out.get_next(&out, &array) != 0);
    CHECK(strstr(out.get_last_error(&out), "the disk is on fire") != NULL);
    CHECK(released == 1);
    out.release(&out);
    CHECK(released == 2 && out.release == NULL);
}

int main(void) {
    CHECK(strcmp(jlanes_last_error(), "") == 0);
    streaming();
    many(0);
    if (getenv("JLANES_PARALLEL_TOO")) many(JLANES_PARALLEL);
    errors();
    columns();
    streams();
    if (failures) fprintf(stderr, "%d failures\n", failures);
    else puts("C: all passed");
    return failures != 0;
}
