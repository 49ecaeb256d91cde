#include <jlanes.h>
#include <stdio.h>

static const char *const texts[] = {"one", "another"};

int main(void) {
    const uint8_t *messages[] = {(const uint8_t *)texts[0], (const uint8_t *)texts[1]};
    const size_t lens[] = {3, 7};
    const uint8_t *key = (const uint8_t *)"key";
    uint8_t digest[32], digests[2 * 32], tags[2 * 32];
    struct jlanes_lanes *lanes = NULL;

    /* one message, with any algorithm by its name */
    int status = jlanes_digest("sha256", messages[0], lens[0], digest, sizeof digest);
    /* many messages at once: digests, and tags under one key */
    if (status == JLANES_OK) status = jlanes_lanes_new("sha256", NULL, 0, &lanes);
    if (status == JLANES_OK)
        status = jlanes_digest_many(lanes, messages, lens, 2, digests, sizeof digests);
    if (status == JLANES_OK)
        status = jlanes_hmac_many(lanes, key, 3, messages, lens, 2, tags, sizeof tags);

    if (status == JLANES_OK)
        printf("%02x %02x %02x\n", digest[0], digests[0], tags[0]);
    else
        fprintf(stderr, "%s\n", jlanes_last_error());
    jlanes_lanes_free(lanes);
    return status;
}
