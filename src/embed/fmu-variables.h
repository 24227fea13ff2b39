/* fmu-variables.h: variables of an FMU
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

typedef enum
{
  IFBAM_FMU_PARAMETER, /* parameter of an element */
  IFBAM_FMU_INPUT,     /* force on a node, or motion of a given node */
  IFBAM_FMU_OUTPUT,    /* a signal */
  IFBAM_FMU_STATE,     /* of model exchange: see embed/model-exchange.h */
  IFBAM_FMU_RATE,      /* derivative of a state that is itself a rate */
  IFBAM_FMU_INDICATOR, /* guard */
} IfbamFmuKind;

typedef struct
{
  IfbamFmuKind kind;
  const char *name;    /* interned, as all texts here: "k1.stiffness", "force@m1", "m1.position" */
  const char *unit;    /* "": dimensionless */
  const char *meaning; /* "": the name is sufficient */
  const char *in_list; /* its line in resources/variables.txt: src/embed/fmu.h */
  double start;        /* NaN for an output */
  double minimum, maximum;
  guint of; /* index, from 1 on, of the variable of which this one is the derivative; 0: none */
} IfbamFmuVariable;

/* Content of an FMU. */
typedef struct
{
  char *text;        /* network as core text (embed/core.h) */
  char *list;        /* variables.txt without its first line */
  GArray *variables; /* IfbamFmuVariable: entry i has the value reference i + 1 */
  char *hindrance;   /* reason why model exchange is not offered; NULL: it is */
} IfbamFmuContent;

/* inputs: names as for ifbam_response_read_input() (NULL: none); signals: the outputs. Returns NULL
 * with IFBAM_ERROR_USAGE, which lists all faults of the inputs. */
IfbamFmuContent *ifbam_fmu_content_new (const IfbamNetwork *network, const IfbamModel *model,
                                        const IfbamRunSpec *spec, const char *const *inputs,
                                        const IfbamSignals *signals, GError **error);
void ifbam_fmu_content_free (IfbamFmuContent *content);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamFmuContent, ifbam_fmu_content_free)
