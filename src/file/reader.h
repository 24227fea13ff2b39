/* reader.h: the reader of network texts, which the core contains
 *
 * For files that are also compiled without GLib; others include file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/element-formula.h"
#include "file/element-text.h"
#include "file/network.h"
#include "file/quantities.h"
