/* fmu-list.h: what an FMU reads of its archive, for who writes that
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* The files of `resources`. The first line of the list is FMU_MAGIC and the token of the description; then there is a
 * line for each variable, whose number is its value reference (0 is the time's):
 *   parameter ELEMENT KEY PLACE
 *   input ELEMENT KEY
 *   motion NODE KEY ORDER                         of its derivative that is said (recorder.h)
 *   output SIGNAL
 *   state PLACE, rate PLACE, indicator PLACE      of those of embed/model-exchange.h
 */
#define FMU_NETWORK   "network.txt"
#define FMU_VARIABLES "variables.txt"
#define FMU_MAGIC     "ifbam-fmu-1"

/* The words of the list. */
#define FMU_PARAMETER "parameter"
#define FMU_INPUT     "input"
#define FMU_MOTION    "motion"
#define FMU_OUTPUT    "output"
#define FMU_STATE     "state"
#define FMU_RATE      "rate"
#define FMU_INDICATOR "indicator"

/* Categories of messages. */
#define FMU_EVENTS "logEvents"
#define FMU_ERRORS "logStatusError"
