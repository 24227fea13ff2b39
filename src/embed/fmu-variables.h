/* fmu-variables.h: the variables of a network as an FMU has them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

typedef enum
{
  IFBAM_FMU_PARAMETER, /* a number of an element */
  IFBAM_FMU_INPUT,     /* a force on a node, or a motion of a given one */
  IFBAM_FMU_OUTPUT,    /* a signal */
  IFBAM_FMU_STATE,     /* of model exchange: see embed/model-exchange.h */
  IFBAM_FMU_RATE,      /* at which a state changes that is a rate itself */
  IFBAM_FMU_INDICATOR, /* a guard */
} IfbamFmuKind;

typedef struct
{
  IfbamFmuKind kind;
  const char *name;    /* interned, as all its texts: "k1.stiffness", "force@m1", "m1.position" */
  const char *unit;    /* "": it is a number */
  const char *meaning; /* "": its name tells */
  const char *in_list; /* its line in resources/variables.txt: src/embed/fmu.h */
  double start;        /* of an output: NaN */
  double minimum, maximum;
  guint of; /* the number of the variable whose rate it is, from 1 on; 0: of none */
} IfbamFmuVariable;

/* What an FMU of a network consists of. */
typedef struct
{
  char *text;        /* the network, as the core reads it */
  char *list;        /* of the variables, as the FMU reads it, without its first line */
  GArray *variables; /* IfbamFmuVariable: value reference i + 1 is that of number i */
  char *hindrance;   /* why model exchange is not offered; NULL: it is */
} IfbamFmuContent;

/* inputs: as ifbam_response_read_input() has them (NULL: none); signals: the outputs. IFBAM_ERROR_USAGE with all that
 * is wrong of the inputs. */
IfbamFmuContent *ifbam_fmu_content_new (const IfbamNetwork *network, const IfbamModel *model,
                                        const IfbamRunSpec *spec, const char *const *inputs,
                                        const IfbamSignals *signals, GError **error);
void ifbam_fmu_content_free (IfbamFmuContent *content);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamFmuContent, ifbam_fmu_content_free)
