/* command-response.h: how the commands ask for a frequency response
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"
#include "linear/linear.h"

typedef struct
{
  char **inputs; /* one of them */
  char *from, *to;
  int n_points;
  gboolean linear;

  IfbamResponseRange range; /* what the words come to */
} IfbamResponseOptions;

#define IFBAM_RESPONSE_POINTS    400
#define IFBAM_RESPONSE_NO_POINTS G_MININT /* --points was not given */
#define IFBAM_RESPONSE_OPTIONS                                                                     \
  {                                                                                                \
    .n_points = IFBAM_RESPONSE_NO_POINTS                                                           \
  }

void ifbam_response_options_add (IfbamResponseOptions *options, GOptionContext *context);
void ifbam_response_options_clear (IfbamResponseOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamResponseOptions, ifbam_response_options_clear)

/* What the words mean; FALSE with IFBAM_ERROR_USAGE, all faults at once. */
gboolean ifbam_response_options_read (IfbamResponseOptions *options, GError **error);

/* A compiled network with its input and outputs; its modes and the range's ends are known then. What
 * the response does not tell is said on standard error. */
IfbamResponseSystem *ifbam_command_response_system (const IfbamResponseOptions *options,
                                                    const IfbamLoaded *loaded,
                                                    const char *const *outputs,
                                                    IfbamResponseRange *range, IfbamWatch *watch,
                                                    GError **error);

/* Its response; where it is infinite, that is said on standard error. */
IfbamResponse *ifbam_command_find_response (const IfbamResponseSystem *system,
                                            const IfbamResponseRange *range, IfbamWatch *watch,
                                            GError **error);
