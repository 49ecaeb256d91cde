/* jlanes: standard digests of many messages at once on SIMD lanes.
 *
 * Made from the Rust sources; do not edit.
 *
 * Functions that return an int return JLANES_OK, or one of the codes below, and then they have
 * written no result; jlanes_last_error() has a message. Pointers to no bytes may be NULL. Outputs
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
 The call has done what it is for.
 */
#define JLANES_OK 0

/*
 A pointer is NULL, a number is out of range, or a text is no UTF-8.
 */
#define JLANES_ERROR_ARGUMENT 1

/*
 There is no algorithm of this name.
 */
#define JLANES_ERROR_ALGORITHM 2

/*
 The algorithm has no digest of a message, or no HMAC.
 */
#define JLANES_ERROR_UNSUPPORTED 3

/*
 There is no backend of this name, or the CPU lacks it.
 */
#define JLANES_ERROR_BACKEND 4

/*
 An Arrow array is malformed, or has a type that is not hashed.
 */
#define JLANES_ERROR_COLUMN 5

/*
 There is not enough memory.
 */
#define JLANES_ERROR_MEMORY 6

/*
 The library has a bug. Objects that took part in the call are only good for being freed.
 */
#define JLANES_ERROR_BUG 7

/*
 Use all threads of the process's pool, and not only the calling one.
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
 Hexadecimal in small letters, as Arrow's Utf8.
 */
#define JLANES_ENCODING_HEX 3

/*
 Hexadecimal in small letters, as Arrow's LargeUtf8.
 */
#define JLANES_ENCODING_LARGE_HEX 4

/*
 One message that comes in pieces. One thread at a time may use it.
 */
struct jlanes_hasher;

/*
 An algorithm, and how it hashes many messages at once. It does not change: any number of threads
 may use it at the same time.
 */
struct jlanes_lanes;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The library's version, as "0.2.0".
 */
const char *jlanes_version(void);

/*
 What the last call that has failed on this thread says, in English; an empty text before. It is
 good until the thread's next call.
 */
const char *jlanes_last_error(void);

/*
 The bytes of an algorithm's digest.

 The caller sees to this:
 `algorithm` is NULL or ends with a zero; `size` is NULL or has room.
 */
int jlanes_output_size(const char *algorithm, size_t *size);

/*
 The digest of one message, in `out_len` bytes, which is what `jlanes_output_size` says.

 The caller sees to this:
 Pointers are NULL or lead to what they say; `out` overlaps nothing else.
 */
int jlanes_digest(const char *algorithm,
                  const uint8_t *message,
                  size_t len,
                  uint8_t *out,
                  size_t out_len);

/*
 Makes a hasher of an algorithm: "sha256", "skein512-256", "shake128-512" (512 bits of output),
 "jlanes8-sha256", "fsverity-sha256", and all others that jlanes-sum has.

 The caller sees to this:
 `algorithm` is NULL or ends with a zero; `hasher` is NULL or has room.
 */
int jlanes_hasher_new(const char *algorithm, struct jlanes_hasher **hasher);

/*
 Makes a hasher of HMAC tags, with a hash and a key of any length.

 The caller sees to this:
 `algorithm` is NULL or ends with a zero; `key` is NULL or has `key_len` bytes; `hasher` is NULL or
 has room.
 */
int jlanes_hasher_new_hmac(const char *algorithm,
                           const uint8_t *key,
                           size_t key_len,
                           struct jlanes_hasher **hasher);

/*
 Makes a hasher under the algorithm's own key, which BLAKE2 has: 1 to 64 bytes for "blake2b", 1 to
 32 for "blake2s".

 The caller sees to this:
 As `jlanes_hasher_new_hmac`.
 */
int jlanes_hasher_new_keyed(const char *algorithm,
                            const uint8_t *key,
                            size_t key_len,
                            struct jlanes_hasher **hasher);

/*
 Makes another hasher that has taken what this one has.

 The caller sees to this:
 `hasher` is NULL or a hasher that no other thread uses; `copy` is NULL or has room.
 */
int jlanes_hasher_copy(const struct jlanes_hasher *hasher, struct jlanes_hasher **copy);

/*
 Goes on with the message.

 The caller sees to this:
 `hasher` is NULL or a hasher that no other thread uses; `data` is NULL or has `len` bytes.
 */
int jlanes_hasher_update(struct jlanes_hasher *hasher, const uint8_t *data, size_t len);

/*
 Writes the digest in `out_len` bytes, which is what `jlanes_output_size` says, and begins a new
 message.

 The caller sees to this:
 `hasher` is NULL or a hasher that no other thread uses; `out` is NULL or has `out_len` bytes.
 */
int jlanes_hasher_finish(struct jlanes_hasher *hasher, uint8_t *out, size_t out_len);

/*
 Forgets the message, and begins a new one.

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
 Makes lanes for an algorithm, on a backend ("avx2", for example), or on the best one if `backend`
 is NULL. `flags` is 0 or JLANES_PARALLEL.

 The caller sees to this:
 Texts are NULL or end with a zero; `lanes` is NULL or has room.
 */
int jlanes_lanes_new(const char *algorithm,
                     const char *backend,
                     uint32_t flags,
                     struct jlanes_lanes **lanes);

/*
 Makes lanes under the algorithm's own key, which BLAKE2 has: 1 to 64 bytes for "blake2b", 1 to 32
 for "blake2s". What digests they are asked for are tags. Else as `jlanes_lanes_new`.

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
 Frees lanes, which may be NULL.

 The caller sees to this:
 `lanes` is NULL, or lanes that nobody uses any more.
 */
void jlanes_lanes_free(struct jlanes_lanes *lanes);

/*
 The digests of `count` messages, side by side in `out`, which has `count` times the digest's
 bytes. Message `i` is `lens[i]` bytes at `messages[i]`.

 The caller sees to this:
 Pointers are NULL or lead to what they say; `out` overlaps nothing else.
 */
int jlanes_digest_many(const struct jlanes_lanes *lanes,
                       const uint8_t *const *messages,
                       const size_t *lens,
                       size_t count,
                       uint8_t *out,
                       size_t out_len);

/*
 The digests of `count` messages of `width` bytes, which lie side by side.

 The caller sees to this:
 Pointers are NULL or lead to what they say; `out` overlaps nothing else.
 */
int jlanes_digest_records(const struct jlanes_lanes *lanes,
                          const uint8_t *records,
                          size_t width,
                          size_t count,
                          uint8_t *out,
                          size_t out_len);

/*
 The HMAC tags of `count` messages under one key, side by side in `out`.

 The caller sees to this:
 Pointers are NULL or lead to what they say; `out` overlaps nothing else.
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
 Pointers are NULL or lead to what they say; `out` overlaps nothing else.
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
 Keys of `width` bytes, side by side in `out`, derived with PBKDF2 and HMAC from `count` passwords
 and as many salts.

 The caller sees to this:
 Pointers are NULL or lead to what they say; `out` overlaps nothing else.
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

 `array` is taken over, even if the call fails: its `release` is NULL afterwards. `schema` is only
 read. The results are the caller's to release; if the call fails, they are not written.

 The caller sees to this:
 `array` and `schema` are NULL or whole structures; `out_array` and `out_schema` are NULL or have
 room for one.
 */
int jlanes_arrow_digest(const struct jlanes_lanes *lanes,
                        struct ArrowArray *array,
                        const struct ArrowSchema *schema,
                        uint32_t encoding,
                        struct ArrowArray *out_array,
                        struct ArrowSchema *out_schema);

/*
 The HMAC tag of every row of an Arrow array of text or bytes, under one key; else as
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
 The HMAC tag of every row under the key in the same row of the array `keys`. Both arrays are taken
 over; else as `jlanes_arrow_digest`.

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
 A key of `width` bytes for every row of an Arrow array of passwords, derived with PBKDF2 and HMAC
 under one salt; else as `jlanes_arrow_digest`.

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
 Whether the digest of every row is the one in the array `expected`: booleans. Arrays of bytes are
 expected to have raw digests, arrays of text hexadecimal ones. Both arrays are taken over. The
 time that it takes tells nothing about the digests.

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
 Whether the HMAC tag of every row under one key is the one in the array `expected`, as
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
 One digest of every row of a record batch, which is an Arrow array of structs; the encoding of
 rows is defined in the documentation of jlanes-columns.

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
 The digests of a stream of Arrow arrays, as a stream: an array is hashed when it is asked for.
 `stream` is taken over, even if the call fails.

 The caller sees to this:
 `stream` is NULL or a whole structure, from which arrays may be asked on any thread, one at a
 time; `out` is NULL or has room for one.
 */
int jlanes_arrow_digest_stream(const struct jlanes_lanes *lanes,
                               struct ArrowArrayStream *stream,
                               uint32_t encoding,
                               struct ArrowArrayStream *out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* JLANES_H */
