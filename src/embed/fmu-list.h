/* fmu-list.h: format of the files in an FMU's `resources`
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* The first line of the list is FMU_MAGIC and the token of the description. Then each variable has
 * a line; the line's number is its value reference (0: time):
 *   parameter ELEMENT KEY PLACE                   PLACE: index in a list
 *   input ELEMENT KEY
 *   motion NODE KEY ORDER                         ORDER: derivative that is set (recorder.h)
 *   output SIGNAL
 *   state PLACE, rate PLACE, indicator PLACE      index in embed/model-exchange.h */
#define FMU_NETWORK   "network.txt"
#define FMU_VARIABLES "variables.txt"
#define FMU_MAGIC     "ifbam-fmu-1"

/* First words of the lines. */
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
