/* c-layout.h: layout of a network's parameters and state in the generated C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* Parameter that can be changed by its name: the key of an element, or one value of its list. */
typedef struct
{
  char *name; /* "k1.stiffness" */
  gsize number;
  double minimum, maximum;
} IfbamCName;

/* Copies `count` parameters into consecutive entries of an array. Their indices are from + stride
 * k; with length > 1, from + (phase + k) % length. */
typedef struct
{
  guint array;
  gsize to, count, from, stride, length, phase;
} IfbamCPlace;

/* Arrays that are filled from the parameters; all lie in one block. */
typedef enum
{
  IFBAM_C_INERTIA,  /* inertias of free nodes */
  IFBAM_C_POSITION, /* initial coordinates */
  IFBAM_C_RATE,
  IFBAM_C_LAWS, /* parameters of link laws: batch by batch, column by column */
} IfbamCArray;

typedef struct
{
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  GArray *numbers; /* double: the step [s], then parameters of elements */
  GArray *names;   /* IfbamCName */
  GArray *places;  /* IfbamCPlace */
  GPtrArray *programs; /* IfbamProgram (not owned): laws have their indices */
  gsize *batch;    /* index of a batch's first parameter in the array of laws (n batches) */
  gsize *apart;    /* distance of its columns there (n batches) */
  gsize n_laws;
  gsize *source,
      *given; /* index of the first parameter of a source (n_sources), of a given node (n given) */
  gsize first_source;       /* index of the first source's output; outputs of links precede it */
  gsize n_forces, n_nodes; /* lengths, with padding for loops over whole vectors */
  gsize shift;              /* doubles in front of the first node, for alignment */
  GHashTable *blocks;       /* owner of parameters -> index of the first one, plus 1 */
} IfbamCLayout;

/* The network must be one that can be written as C: see ifbam_c_fault(). */
IfbamCLayout *ifbam_c_layout_new (const IfbamModel *model, const IfbamRunSpec *spec);
void ifbam_c_layout_free (IfbamCLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamCLayout, ifbam_c_layout_free)

/* Returns the run's length, rounded up to whole vectors if no node reads the excess outputs. */
gsize ifbam_c_run_length (const IfbamCLayout *layout, const IfbamBatch *batch,
                          const IfbamLinkRun *run);
