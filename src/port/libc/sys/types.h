/* sys/types.h: of a C library what the core uses, where there is none
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>

typedef ptrdiff_t ssize_t;
