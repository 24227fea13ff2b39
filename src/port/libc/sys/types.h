/* sys/types.h: the part of the C library that the core uses, without a C library
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>

typedef ptrdiff_t ssize_t;
