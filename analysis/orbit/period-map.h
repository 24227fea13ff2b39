/* period-map.h: state of a network after a period, as a function of the state before
 *
 * A state consists of the positions, then the rates of the free nodes. Each evaluation is a run from
 * time 0, the phase 0 of the source; its number of steps does not depend on the period, so that the
 * result is a smooth function of the state, the period and the number wherever the sequence of
 * events is the same.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "run/run.h"
#include "sweep/sweep.h"

typedef struct
{
  const IfbamNetworkBytes *bytes; /* not owned */
  const char *const *settings;    /* ELEMENT.KEY=VALUE, NULL-terminated */
  const char *over;               /* "push.frequency=1Hz:2Hz"; NULL: one orbit */
  const char *source;             /* element with a frequency; NULL: the only one */
  gboolean free;                  /* without a source: the period is unknown */
  guint periods;                  /* of the source in one period of the motion */
  guint settling;                 /* periods before the search */
  const char *signals;            /* comma-separated, with wildcards; NULL: those of the file */
  guint max_points;               /* of a branch */
  IfbamResponseProgress progress;
  gpointer data;
} IfbamOrbitRequest;

typedef struct
{
  const IfbamOrbitRequest *request; /* not owned */
  IfbamVariation *variation;        /* the number with its two ends; NULL: none */
  char *source;                     /* NULL: free */
  guint64 steps;                    /* per period; 0: not known yet */
  gsize n;                          /* length of a state */
  /* The network at a number */
  double number;
  IfbamNetwork *network;
  IfbamModel *model;
  IfbamSignals *signals;
  IfbamRunSpec spec;
} IfbamPeriodMap;

/* Reads the network at the first number. NULL with IFBAM_ERROR_USAGE or an error of the network. */
IfbamPeriodMap *ifbam_period_map_new (const IfbamOrbitRequest *request, GError **error);
void ifbam_period_map_free (IfbamPeriodMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamPeriodMap, ifbam_period_map_free)

/* Reads the network at a number [SI], unless it is the present one. */
gboolean ifbam_period_map_load (IfbamPeriodMap *map, double number, GError **error);
/* Returns the period of the source at the present number [s]. */
double ifbam_period_map_period (const IfbamPeriodMap *map);
/* Sets the number of steps to that of the file's step in the present period, rounded up. */
void ifbam_period_map_choose_steps (IfbamPeriodMap *map);
/* Stores the state at the start of the file's run (n). */
void ifbam_period_map_get_start (const IfbamPeriodMap *map, double *state);

/* Returns the spec of a run over periods of the source from a state at its phase 0 (not copied). */
IfbamRunSpec ifbam_period_map_spec (const IfbamPeriodMap *map, const double *state,
                                    guint64 periods);

/* A run of the present network from a state. */
typedef struct
{
  const double *state; /* at time 0 (n) */
  double time;         /* [s] */
  guint64 steps;
  double *end;                                           /* state at the end (n); may be `state` */
  GArray **events;                                       /* IfbamEvent; NULL: not wanted */
  void (*listener) (gpointer data, const double *state); /* gets each step's end; NULL: none */
  gpointer data;
} IfbamPeriodRun;

/* Runs; stores the end, and events (transfer full), unless it fails. */
gboolean ifbam_period_map_run (const IfbamPeriodMap *map, const IfbamPeriodRun *run,
                               GError **error);
/* Computes half the difference of the largest and the smallest value of each signal in a run. */
gboolean ifbam_period_map_measure (const IfbamPeriodMap *map, const double *state, double time,
                                   double *amplitude, GError **error);
/* Returns "stop: 1 impact, then 2" for the first element with different numbers of events (transfer
 * full); NULL: none. */
char *ifbam_events_compare (const GArray *before, const GArray *after);
