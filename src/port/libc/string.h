/* string.h: the part of the C library that the core uses, without a C library
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>

void *memcpy (void *to, const void *from, size_t n);
void *memmove (void *to, const void *from, size_t n);
void *memset (void *to, int value, size_t n);
int memcmp (const void *a, const void *b, size_t n);
void *memchr (const void *memory, int value, size_t n);
size_t strlen (const char *text);
int strcmp (const char *a, const char *b);
int strncmp (const char *a, const char *b, size_t n);
char *strchr (const char *text, int letter);
char *strrchr (const char *text, int letter);
char *strstr (const char *text, const char *part);
char *strpbrk (const char *text, const char *letters);
size_t strspn (const char *text, const char *letters);
size_t strcspn (const char *text, const char *letters);
char *strndup (const char *text, size_t n);
