/* schedule.h: the instants that are given, one after the other, those that come again too
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

/* What comes again has no end: as much is written down as is asked for, and what has passed is forgotten. */
typedef struct
{
  const IfbamModel *model;
  GArray *recurrent; /* IfbamInstant: those that come again, with their periods */
  GArray *instants;  /* IfbamInstant, by time, all up to the horizon */
  guint first;       /* number of the first of them */
  guint once;        /* the next of the model's that come once */
  guint64 *turn;     /* the next one of each of the recurrent */
  double horizon;    /* [s]; infinite: nothing comes again any more */
  GArray *beyond;    /* IfbamInstant, by time: those that were added, and come after the horizon */
  GArray *edges;     /* IfbamInstant: the first ones of sources and given nodes, by their numbers */
} IfbamAgenda;

/* A given instant so near to a row belongs to it [steps]. */
#define IFBAM_AT_ROW 1e-9

/* step: of a run [s] */
IfbamAgenda *ifbam_agenda_new (const IfbamModel *model, double step);
void ifbam_agenda_free (IfbamAgenda *self);

/* From the first instant on. */
void ifbam_agenda_restart (IfbamAgenda *self);
/* The one with a number; NULL: so many there are not. */
const IfbamInstant *ifbam_agenda_at (IfbamAgenda *self, guint number);
/* One that comes once more, among those from a number on, and after these of its time: numbers behind it change. */
void ifbam_agenda_add (IfbamAgenda *self, guint from, const IfbamInstant *instant);
/* Those before a number are not asked for again. */
void ifbam_agenda_pass (IfbamAgenda *self, guint number);
/* When after a time a source's or given node's (kind) law goes on differently; infinite: never. */
double ifbam_agenda_next_edge (const IfbamAgenda *self, IfbamInstantKind kind, guint32 number,
                               double time);
