/* constraint.h: reactions and impulses of constraints, contacts and frictions
 *
 * Other directories include only this header, not the headers that it includes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/constraint-system.h"
#include "constraint/contact.h"
#include "constraint/delassus.h"
