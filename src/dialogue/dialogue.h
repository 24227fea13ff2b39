/* dialogue.h: the elements as objects that exchange messages
 *
 * Other directories include this header, not those that it includes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/elimination.h"
#include "dialogue/object-evaluator.h"
#include "dialogue/phases.h"
