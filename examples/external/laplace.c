/* Two-sided geometric noise on a number, in steps of 1/1024, for plaudit: C99, both formats, no library.
 * Compile: cc -std=c99 -O2 -o laplace laplace.c -lm   Spec: laplace.toml.   Protocol: docs/external.md.
 *
 * There is no JSON library in C, so this reads no more of a request than it needs: plaudit writes each
 * request on a line of its own, and the keys below are not in this mechanism's datasets. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double STEP = 1.0 / 1024.0;

/* SplitMix64: 53 random bits in [0, 1). */
static double uniform(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static double geometric(uint64_t *state) { return floor(-log(1.0 - uniform(state)) / STEP); }

/* What follows "key": in the line, past blanks and opening brackets. */
static const char *value_of(const char *line, const char *key) {
    const char *at = strstr(line, key);
    if (at == NULL) {
        fprintf(stderr, "laplace: no %s in the request: %s\n", key, line);
        exit(2);
    }
    return at + strlen(key) + strspn(at + strlen(key), " [");
}

/* Header of an NPY array of `runs` doubles, version 1.0: 128 bytes. */
static void npy_header(unsigned long runs) {
    static const union { uint16_t word; char first; } order = {1};
    char text[119];
    int length = snprintf(text, sizeof text, "{'descr': '%cf8', 'fortran_order': False, 'shape': (%lu,), }",
                          order.first ? '<' : '>', runs);
    memset(text + length, ' ', sizeof text - (size_t)length);
    text[117] = '\n';
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, stdout);
    fwrite(text, 1, 118, stdout);
}

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strchr(line, '\n') == NULL) {
            fprintf(stderr, "laplace: this request is longer than %zu bytes\n", sizeof line);
            return 2;
        }
        double answer = strtod(value_of(line, "\"dataset\":"), NULL);
        unsigned long runs = strtoul(value_of(line, "\"runs\":"), NULL, 10);
        uint64_t state = strtoull(value_of(line, "\"seed\":"), NULL, 10);
        int npy = strncmp(value_of(line, "\"format\":"), "\"npy\"", 5) == 0;
        if (npy) npy_header(runs);
        for (unsigned long i = 0; i < runs; i++) {
            double outcome = answer + (geometric(&state) - geometric(&state)) * STEP;
            if (npy) fwrite(&outcome, sizeof outcome, 1, stdout);
            else printf("%.16e\n", outcome); /* 17 digits: the double survives; never "1", an integer */
        }
        fflush(stdout); /* or plaudit waits for what is still in the buffer */
    }
    return 0;
}
