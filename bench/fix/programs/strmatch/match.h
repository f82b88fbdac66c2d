// SPDX-License-Identifier: Apache-2.0
#ifndef MATCH_H
#define MATCH_H

// '?' stands for any character. Compares until the first difference.
__host__ __device__ inline bool matches_at(const char *text, const char *pattern, int length)
{
    for (int i = 0; i < length; i++) {
        if (pattern[i] == '?')
            continue;
        if (text[i] != pattern[i])
            return false;
    }
    return true;
}

// Case is ignored for letters.
__host__ __device__ inline char lower(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 'a';
    return c;
}

#endif
