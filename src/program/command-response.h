/* command-response.h: frequency responses in commands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"
#include "linear/linear.h"

typedef struct
{
  char **inputs; /* exactly one */
  char *from, *to;
  int n_points;
  gboolean linear;

  IfbamResponseRange range; /* read from the texts above */
} IfbamResponseOptions;

#define IFBAM_RESPONSE_POINTS    400
#define IFBAM_RESPONSE_NO_POINTS G_MININT /* --points was not given */
#define IFBAM_RESPONSE_OPTIONS                                                                     \
  {                                                                                                \
    .n_points = IFBAM_RESPONSE_NO_POINTS                                                           \
  }

void ifbam_response_options_add (IfbamResponseOptions *options, GOptionContext *context,
                                 const char *shown);
void ifbam_response_options_clear (IfbamResponseOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamResponseOptions, ifbam_response_options_clear)

/* Reads the texts; FALSE with IFBAM_ERROR_USAGE, which lists all faults. */
gboolean ifbam_response_options_read (IfbamResponseOptions *options, GError **error);

/* Creates the system with its input, outputs and modes, and sets the limits of the range. Prints
 * notes about the validity of the response. */
IfbamResponseSystem *ifbam_command_response_system (const IfbamResponseOptions *options,
                                                    const IfbamLoaded *loaded,
                                                    const char *const *outputs,
                                                    IfbamResponseRange *range,
                                                    IfbamProgress *progress, GError **error);

/* Computes the response; prints a note for each infinite value. */
IfbamResponse *ifbam_command_find_response (const IfbamResponseSystem *system,
                                            const IfbamResponseRange *range,
                                            IfbamProgress *progress, GError **error);
