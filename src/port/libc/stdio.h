/* stdio.h: the part of the C library that the core uses, without a C library
 *
 * Known are %s, %d, %u, %x, %f, %g, %a and %%, with a precision and the sizes l, ll and z;
 * digits are those of a C library.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

int snprintf (char *text, size_t size, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));
int vasprintf (char **text, const char *format, va_list arguments)
    __attribute__ ((format (printf, 2, 0)));
