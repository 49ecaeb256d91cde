/* jlanes: standard digests of many messages at once on SIMD lanes.
 *
 * Made from the Rust sources; do not edit.
 *
 * Functions that return an int return JLANES_OK, or one of the codes below, and then what they have
 * written is no result; jlanes_last_error() has a message. Pointers to no bytes may be NULL. Outputs
 * overlap no input, and are exactly as long as what is written.
 *
 * Threads: a struct jlanes_hasher is used by one thread at a time, whichever. A struct jlanes_lanes
 * does not change after it was made, and any number of threads may use it at once; it is freed when
 * none does. Messages of errors belong to the thread. With JLANES_PARALLEL, work is shared with a
 * pool of threads that the library starts when it is first needed, as many as there are CPUs, or as
 * the environment variable RAYON_NUM_THREADS says; a process that forks after that has no such
 * threads in the child, where parallel lanes would wait for ever. */


#ifndef JLANES_H
#define JLANES_H

/* The version of this header; jlanes_version() is that of the library. */
#define JLANES_VERSION "0.4.0"
#define JLANES_VERSION_MAJOR 0
#define JLANES_VERSION_MINOR 4
#define JLANES_VERSION_PATCH 0

#include <stddef.h>
#include <stdint.h>

/* Arrow's C data interface, as its specification wants it to be copied. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */


/*
 Success.
 */
#define JLANES_OK 0

/*
 A pointer is NULL, a number is out of range, or a text is not UTF-8.
 */
#define JLANES_ERROR_ARGUMENT 1

/*
 The algorithm's name is unknown.
 */
#define JLANES_ERROR_ALGORITHM 2

/*
 The algorithm has no digest for a message, or no HMAC.
 */
#define JLANES_ERROR_UNSUPPORTED 3

/*
 The backend's name is unknown, or the CPU does not support it.
 */
#define JLANES_ERROR_BACKEND 4

/*
 An Arrow array is malformed, or has an unsupported type.
 */
#define JLANES_ERROR_COLUMN 5

/*
 There is not enough memory. A hasher of this call may have hashed the data or not: reset it or free
 it.
 */
#define JLANES_ERROR_MEMORY 6

/*
 The library has a bug. The only valid use of the objects of this call is to free them.
 */
#define JLANES_ERROR_BUG 7

/*
 Use all threads of the process's pool, not only the calling one.
 */
#define JLANES_PARALLEL 1

/*
 Raw digests, as Arrow's Binary.
 */
#define JLANES_ENCODING_BINARY 0

/*
 Raw digests, as Arrow's LargeBinary.
 */
#define JLANES_ENCODING_LARGE_BINARY 1

/*
 Raw digests, as Arrow's FixedSizeBinary.
 */
#define JLANES_ENCODING_FIXED_SIZE_BINARY 2

/*
 Lower-case hexadecimal, as Arrow's Utf8.
 */
#define JLANES_ENCODING_HEX 3

/*
 Lower-case hexadecimal, as Arrow's LargeUtf8.
 */
#define JLANES_ENCODING_LARGE_HEX 4

/*
 A message that arrives in pieces. Only one thread at a time may use it.
 */
struct jlanes_hasher;

/*
 An algorithm, and its settings for many messages at once. It is immutable: any number of threads
 may use it at the same time.
 */
struct jlanes_lanes;

/*
 Bytes, `len` of them at `data`, maybe none. An absent value has a `data` of NULL and a `len` of 0.
 */
struct jlanes_bytes {
  /*
   The first byte.
   */
  const uint8_t *data;
  /*
   The number of bytes.
   */
  size_t len;
};

/*
 Values besides the algorithm that change a digest. A member of NULL or 0 is absent. Values that an
 algorithm does not have are an error, as are more than 1 MiB in total.

 Fill it with zeros, and set `size`. Later versions of the library may add members at the end. A
 program that was compiled without them works as before; one that sets them fails with
 JLANES_ERROR_ARGUMENT where the library is older.
 */
struct jlanes_parameters {
  /*
   sizeof(struct jlanes_parameters)
   */
  size_t size;
  /*
   A key for HMAC.
   */
  struct jlanes_bytes hmac_key;
  /*
   The key of the algorithm's own keyed mode: 1 to 64 bytes for "blake2b", 1 to 32 for "blake2s",
   32 for "blake3", and at least one byte for Skein and KMAC.
   */
  struct jlanes_bytes key;
  /*
   The salt of BLAKE2 or fs-verity.
   */
  struct jlanes_bytes salt;
  /*
   The personalization of BLAKE2 or Skein.
   */
  struct jlanes_bytes personalization;
  /*
   The customization string of KMAC, KangarooTwelve or ParallelHash.
   */
  struct jlanes_bytes customization;
  /*
   Skein's public key.
   */
  struct jlanes_bytes public_key;
  /*
   Skein's key identifier.
   */
  struct jlanes_bytes key_id;
  /*
   Skein's nonce.
   */
  struct jlanes_bytes nonce;
  /*
   The context for which BLAKE3 derives a key from the message, a NUL-terminated text.
   */
  const char *context;
  /*
   The position in BLAKE3's output, in bytes, where the digest starts.
   */
  uint64_t seek;
  /*
   Bytes of fs-verity's blocks.
   */
  size_t block_size;
};

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The library's version, as "0.4.0".
 */
const char *jlanes_version(void);

/*
 The message of this thread's last failed call, in English; empty before a failure. It is valid
 until the thread's next call.
 */
const char *jlanes_last_error(void);

/*
 The number of bytes of an algorithm's digest.

 The caller sees to this:
 `algorithm` is NULL or NUL-terminated; `size` is NULL or leads to space.
 */
int jlanes_output_size(const char *algorithm, size_t *size);

/*
 The digest of one message, in `out_len` bytes, the result of `jlanes_output_size`.

 The caller sees to this:
 Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
 */
int jlanes_digest(const char *algorithm,
                  const uint8_t *message,
                  size_t len,
                  uint8_t *out,
                  size_t out_len);

/*
 Creates a hasher of an algorithm: "sha256", "skein512-256", "shake128-512" (512 bits of output),
 "jlanes8-sha256", "fsverity-sha256", and the others of jlanes-sum that have a digest for every
 message: all but j-pointers, BitTorrent's "btv2", dm-verity, and of S3's the composites, CRCs and xxHash.

 The caller sees to this:
 `algorithm` is NULL or NUL-terminated; `hasher` is NULL or leads to space.
 */
int jlanes_hasher_new(const char *algorithm,
                      struct jlanes_hasher **hasher);

/*
 Creates a hasher of HMAC tags, with a hash and a key of at most 1 MiB.

 The caller sees to this:
 `algorithm` is NULL or NUL-terminated; `key` is NULL or has `key_len` bytes; `hasher` is NULL or
 leads to space.
 */
int jlanes_hasher_new_hmac(const char *algorithm,
                           const uint8_t *key,
                           size_t key_len,
                           struct jlanes_hasher **hasher);

/*
 Creates a hasher under the algorithm's own key: 1 to 64 bytes for "blake2b", 1 to 32 for "blake2s",
 32 for "blake3", and at least one byte for Skein and KMAC.

 The caller sees to this:
 As `jlanes_hasher_new_hmac`.
 */
int jlanes_hasher_new_keyed(const char *algorithm,
                            const uint8_t *key,
                            size_t key_len,
                            struct jlanes_hasher **hasher);

/*
 Creates a hasher of an algorithm with parameters: a key, a salt, a personalization and so on.

 The caller sees to this:
 `algorithm` is NULL or NUL-terminated; `parameters` is NULL, or has `size` bytes and leads to what
 it says; `hasher` is NULL or leads to space.
 */
int jlanes_hasher_new_with(const char *algorithm,
                           const struct jlanes_parameters *parameters,
                           struct jlanes_hasher **hasher);

/*
 Creates a hasher in the same state.

 The caller sees to this:
 `hasher` is NULL or a hasher that no other thread uses; `copy` is NULL or leads to space.
 */
int jlanes_hasher_copy(const struct jlanes_hasher *hasher, struct jlanes_hasher **copy);

/*
 Hashes more of the message.

 The caller sees to this:
 `hasher` is NULL or a hasher that no other thread uses; `data` is NULL or has `len` bytes.
 */
int jlanes_hasher_update(struct jlanes_hasher *hasher, const uint8_t *data, size_t len);

/*
 Writes the digest in `out_len` bytes, the result of `jlanes_output_size`, and starts a new
 message.

 The caller sees to this:
 `hasher` is NULL or a hasher that no other thread uses; `out` is NULL or has `out_len` bytes.
 */
int jlanes_hasher_finish(struct jlanes_hasher *hasher, uint8_t *out, size_t out_len);

/*
 Discards the message, and starts a new one.

 The caller sees to this:
 `hasher` is NULL or a hasher that no other thread uses.
 */
int jlanes_hasher_reset(struct jlanes_hasher *hasher);

/*
 Frees a hasher, which may be NULL.

 The caller sees to this:
 `hasher` is NULL, or a hasher that nobody uses any more.
 */
void jlanes_hasher_free(struct jlanes_hasher *hasher);

/*
 Creates lanes for an algorithm, on a backend ("avx2", for example), or on the best one if
 `backend` is NULL. `flags` is 0 or JLANES_PARALLEL.

 The caller sees to this:
 Texts are NULL or NUL-terminated; `lanes` is NULL or leads to space.
 */
int jlanes_lanes_new(const char *algorithm,
                     const char *backend,
                     uint32_t flags,
                     struct jlanes_lanes **lanes);

/*
 Creates lanes under the algorithm's own key: 1 to 64 bytes for "blake2b", 1 to 32 for "blake2s", 32
 for "blake3", and at least one byte for Skein and KMAC. Their digests are tags. Otherwise as
 `jlanes_lanes_new`.

 The caller sees to this:
 As `jlanes_lanes_new`; `key` is NULL or has `key_len` bytes.
 */
int jlanes_lanes_new_keyed(const char *algorithm,
                           const uint8_t *key,
                           size_t key_len,
                           const char *backend,
                           uint32_t flags,
                           struct jlanes_lanes **lanes);

/*
 Creates lanes for an algorithm with parameters: a key, a salt, a personalization and so on. Otherwise
 as `jlanes_lanes_new`.

 The caller sees to this:
 As `jlanes_lanes_new`; `parameters` is NULL, or has `size` bytes and leads to what it says.
 */
int jlanes_lanes_new_with(const char *algorithm,
                          const struct jlanes_parameters *parameters,
                          const char *backend,
                          uint32_t flags,
                          struct jlanes_lanes **lanes);

/*
 Frees lanes, which may be NULL.

 The caller sees to this:
 `lanes` is NULL, or lanes that nobody uses any more.
 */
void jlanes_lanes_free(struct jlanes_lanes *lanes);

/*
 The digests of `count` messages, contiguous in `out`, which has `count` times the digest's
 bytes. Message `i` is `lens[i]` bytes at `messages[i]`.

 The caller sees to this:
 Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
 */
int jlanes_digest_many(const struct jlanes_lanes *lanes,
                       const uint8_t *const *messages,
                       const size_t *lens,
                       size_t count,
                       uint8_t *out,
                       size_t out_len);

/*
 The digests of `count` contiguous records of `width` bytes each.

 The caller sees to this:
 Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
 */
int jlanes_digest_records(const struct jlanes_lanes *lanes,
                          const uint8_t *records,
                          size_t width,
                          size_t count,
                          uint8_t *out,
                          size_t out_len);

/*
 The HMAC tags of `count` messages under one key, contiguous in `out`.

 The caller sees to this:
 Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
 */
int jlanes_hmac_many(const struct jlanes_lanes *lanes,
                     const uint8_t *key,
                     size_t key_len,
                     const uint8_t *const *messages,
                     const size_t *lens,
                     size_t count,
                     uint8_t *out,
                     size_t out_len);

/*
 The HMAC tags of `count` messages, message `i` under key `i`.

 The caller sees to this:
 Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
 */
int jlanes_hmac_many_keyed(const struct jlanes_lanes *lanes,
                           const uint8_t *const *keys,
                           const size_t *key_lens,
                           const uint8_t *const *messages,
                           const size_t *lens,
                           size_t count,
                           uint8_t *out,
                           size_t out_len);

/*
 Keys of `width` bytes, contiguous in `out`, derived with PBKDF2 and HMAC from `count` passwords
 and as many salts.

 The caller sees to this:
 Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
 */
int jlanes_pbkdf2_many(const struct jlanes_lanes *lanes,
                       const uint8_t *const *passwords,
                       const size_t *password_lens,
                       const uint8_t *const *salts,
                       const size_t *salt_lens,
                       size_t count,
                       uint32_t rounds,
                       size_t width,
                       uint8_t *out,
                       size_t out_len);

/*
 The digest of every row of an Arrow array of text or bytes; null stays null.

 The function takes ownership of `array`, even if the call fails: its `release` is NULL
 afterwards. `schema` is only read. The caller has to release the results; if the call fails,
 they are not written.

 The caller sees to this:
 `array` and `schema` are NULL or valid structures; `out_array` and `out_schema` are NULL or lead
 to space for one.
 */
int jlanes_arrow_digest(const struct jlanes_lanes *lanes,
                        struct ArrowArray *array,
                        const struct ArrowSchema *schema,
                        uint32_t encoding,
                        struct ArrowArray *out_array,
                        struct ArrowSchema *out_schema);

/*
 The HMAC tag of every row of an Arrow array of text or bytes, under one key; otherwise as
 `jlanes_arrow_digest`.

 The caller sees to this:
 As `jlanes_arrow_digest`; `key` is NULL or has `key_len` bytes.
 */
int jlanes_arrow_hmac(const struct jlanes_lanes *lanes,
                      const uint8_t *key,
                      size_t key_len,
                      struct ArrowArray *array,
                      const struct ArrowSchema *schema,
                      uint32_t encoding,
                      struct ArrowArray *out_array,
                      struct ArrowSchema *out_schema);

/*
 The HMAC tag of every row under the key in the same row of the array `keys`. The function takes
 ownership of both arrays; otherwise as `jlanes_arrow_digest`.

 The caller sees to this:
 As `jlanes_arrow_digest`.
 */
int jlanes_arrow_hmac_keyed(const struct jlanes_lanes *lanes,
                            struct ArrowArray *keys,
                            const struct ArrowSchema *keys_schema,
                            struct ArrowArray *array,
                            const struct ArrowSchema *schema,
                            uint32_t encoding,
                            struct ArrowArray *out_array,
                            struct ArrowSchema *out_schema);

/*
 A key of `width` bytes for every row of an Arrow array of passwords, derived with PBKDF2 and
 HMAC under one salt; otherwise as `jlanes_arrow_digest`.

 The caller sees to this:
 As `jlanes_arrow_digest`; `salt` is NULL or has `salt_len` bytes.
 */
int jlanes_arrow_pbkdf2(const struct jlanes_lanes *lanes,
                        struct ArrowArray *array,
                        const struct ArrowSchema *schema,
                        const uint8_t *salt,
                        size_t salt_len,
                        uint32_t rounds,
                        size_t width,
                        uint32_t encoding,
                        struct ArrowArray *out_array,
                        struct ArrowSchema *out_schema);

/*
 Whether the digest of every row equals the one in the array `expected`: booleans. Arrays of
 bytes contain raw digests, arrays of text hexadecimal ones. The function takes ownership of both
 arrays. The time does not depend on the digests.

 The caller sees to this:
 As `jlanes_arrow_digest`.
 */
int jlanes_arrow_verify(const struct jlanes_lanes *lanes,
                        struct ArrowArray *array,
                        const struct ArrowSchema *schema,
                        struct ArrowArray *expected,
                        const struct ArrowSchema *expected_schema,
                        struct ArrowArray *out_array,
                        struct ArrowSchema *out_schema);

/*
 Whether the HMAC tag of every row under one key equals the one in the array `expected`, as
 `jlanes_arrow_verify`.

 The caller sees to this:
 As `jlanes_arrow_digest`; `key` is NULL or has `key_len` bytes.
 */
int jlanes_arrow_verify_hmac(const struct jlanes_lanes *lanes,
                             const uint8_t *key,
                             size_t key_len,
                             struct ArrowArray *array,
                             const struct ArrowSchema *schema,
                             struct ArrowArray *expected,
                             const struct ArrowSchema *expected_schema,
                             struct ArrowArray *out_array,
                             struct ArrowSchema *out_schema);

/*
 One digest per row of a record batch, which is an Arrow array of structs; the documentation of
 jlanes-columns defines the encoding of rows.

 The caller sees to this:
 As `jlanes_arrow_digest`.
 */
int jlanes_arrow_row_digest(const struct jlanes_lanes *lanes,
                            struct ArrowArray *batch,
                            const struct ArrowSchema *schema,
                            uint32_t encoding,
                            struct ArrowArray *out_array,
                            struct ArrowSchema *out_schema);

/*
 The digests of a stream of Arrow arrays, as a stream: an array is hashed on demand. The function
 takes ownership of `stream`, even if the call fails.

 The caller sees to this:
 `stream` is NULL or a valid structure that provides arrays on any thread, one at a time; `out`
 is NULL or leads to space for one.
 */
int jlanes_arrow_digest_stream(const struct jlanes_lanes *lanes,
                               struct ArrowArrayStream *stream,
                               uint32_t encoding,
                               struct ArrowArrayStream *out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* JLANES_H */
