/* c-layout.h: where the numbers of a network stand in the C that it is written as
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* A number that the network's file says, or so many of a list, by the name that changes it. */
typedef struct
{
  char *name; /* "k1.stiffness" */
  gsize number;
  double minimum, maximum;
} IfbamCName;

/* Numbers go to so many places of one array, `stride` apart in the numbers, again from the first one after `length` of
 * them. */
typedef struct
{
  guint array;
  gsize to, count, from, stride, length, phase;
} IfbamCPlace;

/* Arrays of the network's numbers, each one's place in a common block. */
typedef enum
{
  IFBAM_C_INERTIA,  /* of free nodes */
  IFBAM_C_POSITION, /* where they start */
  IFBAM_C_RATE,
  IFBAM_C_LAWS, /* the numbers of laws of links: batch by batch, number by number */
} IfbamCArray;

typedef struct
{
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  GArray *numbers; /* double: the step, then those of elements */
  GArray *names;   /* IfbamCName */
  GArray *places;  /* IfbamCPlace */
  gsize *batch;    /* where a batch's numbers begin among those of laws (n batches) */
  gsize *apart;    /* how far its columns are apart, likewise */
  gsize n_laws;
  gsize *source,
      *given; /* which number is the first of a source's law; of a given node's (n_sources; n given) */
  gsize first_source;       /* its answer; those of links are in front */
  gsize n_answers, n_nodes; /* with room for what loops go too far */
  gsize shift;              /* which doubles stand before the first node's */
  GHashTable *blocks;       /* of whom numbers are -> the first of them + 1 */
} IfbamCLayout;

/* Of a network that can be written so: see ifbam_c_fault(). */
IfbamCLayout *ifbam_c_layout_new (const IfbamModel *model, const IfbamRunSpec *spec);
void ifbam_c_layout_free (IfbamCLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamCLayout, ifbam_c_layout_free)

/* A run's links, rounded up to whole vectors where what they say too much is heard by nobody. */
gsize ifbam_c_run_length (const IfbamCLayout *layout, const IfbamBatch *batch,
                          const IfbamLinkRun *run);
