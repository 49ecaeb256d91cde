/* No function ends the process for want of memory: each allocation fails in turn, alone and with all
 * after it, and the system's limit is reached. What succeeds is right, what fails has the code for it.
 *
 * The library takes its memory by this program's malloc. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "jlanes.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *at, size_t size);
void *__libc_memalign(size_t align, size_t size);

/* allocations of this thread up to the one that fails; 0 if none does */
static __thread size_t countdown;
/* whether all after it fail, too */
static __thread int for_good;

static int fails(void) {
    if (countdown == 0) return 0;
    if (countdown > 1) {
        countdown--;
        return 0;
    }
    if (!for_good) countdown = 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *at, size_t size) {
    return fails() ? NULL : __libc_realloc(at, size);
}

int posix_memalign(void **at, size_t align, size_t size) {
    if (fails()) return ENOMEM;
    *at = __libc_memalign(align, size);
    return *at ? 0 : ENOMEM;
}

void *aligned_alloc(size_t align, size_t size) {
    return fails() ? NULL : __libc_memalign(align, size);
}

enum { COUNT = 64, LONGEST = 400, LONG = 2500, ROOM = 1 << 18, LARGE = 3 << 19, PARAMETERS = 1 << 20 };

static uint8_t data[COUNT + LONGEST], long_message[3 * LONG], out[ROOM], expected[ROOM];
static uint8_t large[LARGE];
static const uint8_t *messages[COUNT];
static size_t lens[COUNT], used;
static int32_t offsets[COUNT + 1];

/* what a scenario is about */
static const char *algorithm;
static uint32_t flags;

/* room for results of so many bytes, behind those that are there */
static uint8_t *room(size_t len) {
    if (used + len > ROOM) abort();
    used += len;
    return out + used - len;
}

static size_t size_of_digest(void) {
    size_t size = 0, before = countdown;
    countdown = 0;
    if (jlanes_output_size(algorithm, &size) != JLANES_OK) abort();
    countdown = before;
    return size;
}

#define TRY(call) \
    do { \
        int tried = (call); \
        if (tried != JLANES_OK) return tried; \
    } while (0)

static int sizes(void) {
    size_t size;
    TRY(jlanes_output_size(algorithm, &size));
    *room(1) = (uint8_t)size;
    return JLANES_OK;
}

static int one_message(void) {
    size_t size = size_of_digest();
    return jlanes_digest(algorithm, long_message, sizeof long_message, room(size), size);
}

static int in_pieces(struct jlanes_hasher *hasher) {
    size_t i, size = size_of_digest();
    struct jlanes_hasher *copy;
    int code;

    for (i = 0; i < 3; i++) TRY(jlanes_hasher_update(hasher, long_message + i, LONG));
    TRY(jlanes_hasher_copy(hasher, &copy));
    code = jlanes_hasher_update(copy, data, 100);
    if (code == JLANES_OK) code = jlanes_hasher_finish(copy, room(size), size);
    jlanes_hasher_free(copy);
    TRY(code);
    TRY(jlanes_hasher_finish(hasher, room(size), size));
    TRY(jlanes_hasher_update(hasher, data, 5));
    TRY(jlanes_hasher_reset(hasher));
    return jlanes_hasher_finish(hasher, room(size), size);
}

static int hasher(void) {
    struct jlanes_hasher *hasher;
    int code;
    TRY(jlanes_hasher_new(algorithm, &hasher));
    code = in_pieces(hasher);
    jlanes_hasher_free(hasher);
    return code;
}

static int hmac_hasher(void) {
    struct jlanes_hasher *hasher;
    int code;
    TRY(jlanes_hasher_new_hmac(algorithm, data, 300, &hasher));
    code = in_pieces(hasher);
    jlanes_hasher_free(hasher);
    return code;
}

static int keyed_hasher(void) {
    struct jlanes_parameters parameters = {0};
    struct jlanes_hasher *hasher;
    int code;
    parameters.size = sizeof parameters;
    parameters.key.data = parameters.personalization.data = data;
    parameters.key.len = 32;
    parameters.personalization.len = 8;
    TRY(jlanes_hasher_new_keyed(algorithm, data, 32, &hasher));
    code = in_pieces(hasher);
    jlanes_hasher_free(hasher);
    TRY(code);
    TRY(jlanes_hasher_new_with(algorithm, &parameters, &hasher));
    code = in_pieces(hasher);
    jlanes_hasher_free(hasher);
    return code;
}

static int large_pieces(struct jlanes_hasher *hasher, uint8_t *digest, size_t size) {
    TRY(jlanes_hasher_update(hasher, large, LARGE / 2 - 1));
    TRY(jlanes_hasher_update(hasher, large + LARGE / 2 - 1, LARGE - LARGE / 2 + 1));
    return jlanes_hasher_finish(hasher, digest, size);
}

/* more than is kept back, in buffers of long leaves and in copies of them */
static int large_message(void) {
    static uint8_t again[64];
    size_t size = size_of_digest(), before;
    struct jlanes_hasher *hasher, *copy;
    int code;

    TRY(jlanes_hasher_new(algorithm, &hasher));
    code = large_pieces(hasher, room(size), size);
    if (code == JLANES_OK) code = jlanes_hasher_update(hasher, large, LARGE / 2 - 1);
    if (code == JLANES_OK) code = jlanes_hasher_copy(hasher, &copy);
    if (code == JLANES_OK) {
        code = jlanes_hasher_finish(copy, room(size), size);
        jlanes_hasher_free(copy);
    }
    /* whatever has failed, the hasher can be used again */
    before = countdown;
    countdown = 0;
    if (code != JLANES_OK &&
        (jlanes_hasher_reset(hasher) != JLANES_OK ||
         large_pieces(hasher, again, size) != JLANES_OK || memcmp(again, expected, size) != 0))
        abort();
    jlanes_hasher_free(hasher);
    countdown = before;
    return code;
}

/* parameters as long as they may be */
static int long_parameters(void) {
    struct jlanes_parameters parameters = {0};
    struct jlanes_hasher *hasher;
    struct jlanes_lanes *lanes;
    size_t size = size_of_digest();
    int code;

    parameters.size = sizeof parameters;
    if (strncmp(algorithm, "kt", 2) == 0) {
        parameters.customization.data = large;
        parameters.customization.len = PARAMETERS;
    } else if (strncmp(algorithm, "skein", 5) == 0) {
        parameters.key.data = parameters.personalization.data = parameters.nonce.data = large;
        parameters.key.len = PARAMETERS / 2;
        parameters.personalization.len = parameters.nonce.len = PARAMETERS / 4;
    } else {
        parameters.hmac_key.data = large;
        parameters.hmac_key.len = PARAMETERS;
    }
    TRY(jlanes_hasher_new_with(algorithm, &parameters, &hasher));
    code = jlanes_hasher_update(hasher, data, 100);
    if (code == JLANES_OK) code = jlanes_hasher_finish(hasher, room(size), size);
    jlanes_hasher_free(hasher);
    TRY(code);
    TRY(jlanes_lanes_new_with(algorithm, &parameters, NULL, flags, &lanes));
    code = jlanes_digest_many(lanes, messages, lens, COUNT, room(size * COUNT), size * COUNT);
    jlanes_lanes_free(lanes);
    return code;
}

static int digests(const struct jlanes_lanes *lanes) {
    size_t size = size_of_digest(), count = COUNT;
    if (size * COUNT > ROOM / 2) count = ROOM / 2 / size;
    TRY(jlanes_digest_many(lanes, messages, lens, count, room(size * count), size * count));
    return jlanes_digest_records(lanes, data, 10, 20, room(size * 20), size * 20);
}

static int many(void) {
    struct jlanes_lanes *lanes;
    int code;
    TRY(jlanes_lanes_new(algorithm, NULL, flags, &lanes));
    code = digests(lanes);
    jlanes_lanes_free(lanes);
    return code;
}

static int many_keyed(void) {
    struct jlanes_lanes *lanes;
    int code;
    TRY(jlanes_lanes_new_keyed(algorithm, data, 32, NULL, flags, &lanes));
    code = digests(lanes);
    jlanes_lanes_free(lanes);
    return code;
}

static int macs_of(const struct jlanes_lanes *lanes) {
    size_t size = size_of_digest(), count = 20;
    TRY(jlanes_hmac_many(lanes, data, 9, messages, lens, count, room(size * count), size * count));
    TRY(jlanes_hmac_many_keyed(lanes, messages, lens, messages + 9, lens + 9, count,
                               room(size * count), size * count));
    return jlanes_pbkdf2_many(lanes, messages, lens, messages + 5, lens + 5, count, 2, 7,
                              room(7 * count), 7 * count);
}

static int macs(void) {
    struct jlanes_lanes *lanes;
    int code;
    TRY(jlanes_lanes_new(algorithm, NULL, flags, &lanes));
    code = macs_of(lanes);
    jlanes_lanes_free(lanes);
    return code;
}

static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

/* a column of text; all rows have the bytes before their offset */
static void column(struct ArrowArray *array, struct ArrowSchema *schema, const void *buffers[3]) {
    memset(array, 0, sizeof *array);
    memset(schema, 0, sizeof *schema);
    buffers[0] = NULL;
    buffers[1] = offsets;
    buffers[2] = data;
    array->length = COUNT;
    array->n_buffers = 3;
    array->buffers = buffers;
    array->release = release_array;
    schema->format = "u";
    schema->release = release_schema;
}

/* adds a result to what is compared, and releases it */
static void keep(struct ArrowArray *array, struct ArrowSchema *schema) {
    size_t before = countdown;
    countdown = 0;
    if (strcmp(schema->format, "b") == 0)
        memcpy(room(COUNT / 8), array->buffers[1], COUNT / 8);
    else
        memcpy(room(32), array->buffers[array->n_buffers - 1], 32);
    array->release(array);
    schema->release(schema);
    countdown = before;
}

static int columns_of(const struct jlanes_lanes *lanes) {
    struct ArrowArray array, other, result, digest;
    struct ArrowSchema schema, other_schema, result_schema, digest_schema;
    const void *buffers[3], *others[3];
    int code;

    column(&array, &schema, buffers);
    TRY(jlanes_arrow_digest(lanes, &array, &schema, JLANES_ENCODING_HEX, &digest, &digest_schema));
    column(&array, &schema, buffers);
    code = jlanes_arrow_verify(lanes, &array, &schema, &digest, &digest_schema, &result,
                               &result_schema);
    if (digest.release) abort();
    digest_schema.release(&digest_schema);
    TRY(code);
    keep(&result, &result_schema);
    column(&array, &schema, buffers);
    TRY(jlanes_arrow_hmac(lanes, data, 9, &array, &schema, JLANES_ENCODING_BINARY, &digest,
                          &digest_schema));
    column(&array, &schema, buffers);
    code = jlanes_arrow_verify_hmac(lanes, data, 9, &array, &schema, &digest, &digest_schema,
                                    &result, &result_schema);
    if (digest.release) abort();
    digest_schema.release(&digest_schema);
    TRY(code);
    keep(&result, &result_schema);
    column(&array, &schema, buffers);
    column(&other, &other_schema, others);
    TRY(jlanes_arrow_hmac_keyed(lanes, &array, &schema, &other, &other_schema,
                                JLANES_ENCODING_LARGE_BINARY, &result, &result_schema));
    keep(&result, &result_schema);
    column(&array, &schema, buffers);
    TRY(jlanes_arrow_pbkdf2(lanes, &array, &schema, data, 9, 2, 40,
                            JLANES_ENCODING_FIXED_SIZE_BINARY, &result, &result_schema));
    keep(&result, &result_schema);
    column(&array, &schema, buffers);
    TRY(jlanes_arrow_row_digest(lanes, &array, &schema, JLANES_ENCODING_LARGE_HEX, &result,
                                &result_schema));
    keep(&result, &result_schema);
    return JLANES_OK;
}

static int columns(void) {
    struct jlanes_lanes *lanes;
    int code;
    TRY(jlanes_lanes_new(algorithm, NULL, flags, &lanes));
    code = columns_of(lanes);
    jlanes_lanes_free(lanes);
    return code;
}

static int failures;

static void fail(const char *scenario, const char *what, size_t k) {
    fprintf(stderr, "%s of %s, allocation %zu: %s (%s)\n", scenario, algorithm, k, what,
            jlanes_last_error());
    failures++;
}

/* runs a scenario with every allocation failing in turn */
static void each(const char *scenario, int (*run)(void)) {
    size_t k = 0, errors = 0, len;

    used = 0;
    if (run() != JLANES_OK) fail(scenario, "it fails with all memory", 0);
    len = used;
    memcpy(expected, out, len);
    for (for_good = 0; for_good < 2; for_good++) {
        for (k = 1;; k++) {
            int code, reached;
            used = 0;
            memset(out, 0, len);
            countdown = k;
            code = run();
            reached = for_good ? countdown == 1 : countdown == 0;
            countdown = 0;
            if (code == JLANES_ERROR_MEMORY)
                errors++;
            else if (code != JLANES_OK)
                fail(scenario, "another code", k);
            else if (used != len || memcmp(out, expected, len) != 0)
                fail(scenario, "another result", k);
            if (!reached) break;
        }
    }
    printf("%5zu allocations, %5zu errors: %s of %s\n", k - 1, errors, scenario, algorithm);
}

static size_t address_space(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1) abort();
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

enum { MANY = 1 << 19 };

/* half a million messages, with no more addresses than these take */
static void limited(void) {
    const uint8_t **all = malloc(MANY * sizeof *all);
    size_t *all_lens = malloc(MANY * sizeof *all_lens), len = (size_t)MANY * 32, i;
    uint8_t *digests = malloc(len), *again = malloc(len);
    struct jlanes_lanes *lanes = NULL;
    struct rlimit before, limit;
    int code;

    if (!all || !all_lens || !digests || !again) abort();
    for (i = 0; i < MANY; i++) {
        all[i] = data + i % COUNT;
        all_lens[i] = i * 7919 % 100;
    }
    algorithm = "sha256";
    if (jlanes_lanes_new(algorithm, NULL, flags, &lanes) != JLANES_OK) abort();
    if (jlanes_digest_many(lanes, all, all_lens, MANY, digests, len) != JLANES_OK) abort();
    getrlimit(RLIMIT_AS, &before);
    limit = before;
    limit.rlim_cur = address_space();
    if (setrlimit(RLIMIT_AS, &limit)) abort();
    code = jlanes_digest_many(lanes, all, all_lens, MANY, again, len);
    printf("%s: digests under a limit\n", code == JLANES_OK ? "done" : jlanes_last_error());
    if (code != JLANES_ERROR_MEMORY && (code != JLANES_OK || memcmp(digests, again, len) != 0))
        fail("a limit", "neither right nor the code", 0);
    code = jlanes_hmac_many_keyed(lanes, all, all_lens, all, all_lens, MANY, again, len);
    if (code != JLANES_ERROR_MEMORY && code != JLANES_OK) fail("a limit", "another code", 0);
    if (jlanes_digest_records(lanes, digests, 32, MANY, again, len) != JLANES_OK)
        fail("a limit", "records need no memory", 0);
    setrlimit(RLIMIT_AS, &before);
    if (jlanes_digest_many(lanes, all, all_lens, MANY, again, len) != JLANES_OK ||
        memcmp(digests, again, len) != 0)
        fail("a limit", "another result after it", 0);
    jlanes_lanes_free(lanes);
    free(all);
    free(all_lens);
    free(digests);
    free(again);
}

int main(void) {
    static const char *const all[] = {
        "sha256",        "sha3-256",        "shake128-512",      "blake2b",
        "blake3",        "blake3-1000",     "kt128",             "skein512-200",
        "mh-sha256",     "jlanes8-sha256",  "rfc6962-sha256:64", "parallelhash128:512",
        "fsverity-sha256", "skein512-tree:1.1.9"};
    static const char *const hashes[] = {"sha256", "sha3-256", "blake2b-200", "skein512-200"};
    static const char *const keyed[] = {"blake2s", "skein512-200"};
    static const char *const with_large_leaves[] = {
        "glacier", "dropbox", "rfc6962-sha256:65536", "rfc6962-sha256:2097152", "parallelhash128:262144",
        "skein512-tree:14.1.255", "skein512-tree:17.1.9"};
    static const char *const with_long_parameters[] = {"sha256", "sha3-256", "skein512-200", "kt128"};
    size_t i;

    setvbuf(stdout, NULL, _IOLBF, 256);
    for (i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 7 & 127);
    for (i = 0; i < sizeof long_message; i++) long_message[i] = (uint8_t)(i * 31);
    for (i = 0; i < sizeof large; i++) large[i] = (uint8_t)(i * 31 + (i >> 13));
    for (i = 0; i < COUNT; i++) {
        messages[i] = data + i;
        lens[i] = i * 7919 % LONGEST;
        offsets[i + 1] = (int32_t)i;
    }
    for (i = 0; i < sizeof all / sizeof *all; i++) {
        algorithm = all[i];
        if (i == 0) each("size", sizes);
        each("one message", one_message);
        each("pieces", hasher);
        for (flags = 0; flags < 2; flags++) each(flags ? "many, on threads" : "many", many);
    }
    flags = 0;
    for (i = 0; i < sizeof hashes / sizeof *hashes; i++) {
        algorithm = hashes[i];
        each("HMAC in pieces", hmac_hasher);
        each("HMAC and PBKDF2", macs);
        if (i < 2) each("columns", columns);
    }
    for (i = 0; i < sizeof keyed / sizeof *keyed; i++) {
        algorithm = keyed[i];
        each("a key, in pieces", keyed_hasher);
        each("a key, many", many_keyed);
    }
    for (i = 0; i < sizeof with_large_leaves / sizeof *with_large_leaves; i++) {
        algorithm = with_large_leaves[i];
        each("a large message", large_message);
    }
    for (i = 0; i < sizeof with_long_parameters / sizeof *with_long_parameters; i++) {
        algorithm = with_long_parameters[i];
        each("long parameters", long_parameters);
    }
    for (flags = 0; flags < 2; flags++) limited();
    if (failures) fprintf(stderr, "%d failures\n", failures);
    return failures != 0;
}
