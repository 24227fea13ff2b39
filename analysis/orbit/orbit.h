/* orbit.h: periodic motions of a network, and how they change with one of its numbers
 *
 * Other directories include this header, not those that it includes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "orbit/continuation.h"
#include "orbit/section.h"
