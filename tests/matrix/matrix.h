/* matrix.h: the test matrix; each cell is a way to run a network, a network, and a cut
 *
 * A cell compares samples, events, account and error text, bit for bit, with those of the reference way: the objects in
 * dialogue. test-matrix.c draws cells; ways.py adds ways that are other programs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-network.h"
#include "run/run.h"

/* Features of a network */

typedef enum
{
  MATRIX_SHIPPED = 1 << 0,
  MATRIX_SPECIAL = 1 << 1, /* a file in tests/matrix/networks */
  MATRIX_LINE = 1 << 2,
  MATRIX_MEMBRANE = 1 << 3,
  MATRIX_TANGLE = 1 << 4, /* links join any nodes */
  MATRIX_CIRCUIT = 1 << 5,
  MATRIX_MECHANISM = 1 << 6,
  MATRIX_CONTACTS = 1 << 7,
  MATRIX_FRICTION = 1 << 8,
  MATRIX_TIME_EVENTS = 1 << 9,
  MATRIX_CONTROLLERS = 1 << 10,
  MATRIX_MASSLESS = 1 << 11,
  MATRIX_COLUMNS = 1 << 12, /* masses and links stand in a file of columns */
  MATRIX_BESIDE = 1 << 13,  /* an unrelated part stands beside the network */
} MatrixFeatures;

#define MATRIX_N_FEATURES 14
/* Seeds from here on make networks of many thousand nodes. */
#define MATRIX_HUGE 100000

extern const char *const matrix_feature_names[MATRIX_N_FEATURES];
/* The features of a list of names with commas between them; 0: a name is unknown. */
MatrixFeatures matrix_features_parse (const char *names);

/* The generator: text of a network, the same for a seed and features (transfer full). Features stand beside each other in it, and
 * time events change the others' sources and links. A file measured.csv with columns x and f has to stand beside it. */
char *matrix_draw_text (guint32 seed, MatrixFeatures features);
char *matrix_measured_text (void);
/* Masses and springs of a grid alone (transfer full). */
char *matrix_draw_plain_grid (guint width, guint height);
/* The same with dampers, a drive and sources; scrambled: masses in any order. */
char *matrix_draw_grid (guint32 seed, guint width, guint height, gboolean scrambled);
/* Masses in a closed line, with a drive and sources (transfer full). */
char *matrix_draw_ring (guint32 seed, guint n, gboolean scrambled);

/* Networks */

typedef struct
{
  char *name;
  char *path; /* NULL: `text` is the network */
  char *text;
  MatrixFeatures features;
} MatrixNetwork;

/* All networks of the matrix, at this effort (MatrixNetwork; transfer full). */
GPtrArray *matrix_networks (void);
/* Values that are recorded of a run. */
typedef enum
{
  MATRIX_RECORD_ALL,    /* all signals of each step, and the account of all work */
  MATRIX_RECORD_MOTION, /* all signals of each step that need no account */
  MATRIX_RECORD_FEW,    /* some nodes at some steps */
  MATRIX_RECORD_EVENTS, /* motion, just before and just after events, too */
  MATRIX_N_RECORDS
} MatrixRecord;

/* Outcomes */

typedef struct
{
  const IfbamSignals *signals; /* (not owned) */
  GByteArray *rows;            /* time and values of each */
  GArray *events;              /* IfbamEvent; names are interned */
  guint max_events;            /* the run is interrupted after so many; 0: it is not */
  IfbamSums sums;              /* of a run that got to its end */
  char *error;                 /* NULL: none */
  int code;
  guint64 stopped; /* step of the error */
} MatrixOutcome;

void matrix_outcome_init (MatrixOutcome *outcome, const IfbamSignals *signals);
void matrix_outcome_clear (MatrixOutcome *outcome);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MatrixOutcome, matrix_outcome_clear)
/* Sets the callbacks of a task, and runs it from its state or the start on. */
void matrix_outcome_run (MatrixOutcome *outcome, IfbamRunTask *task, const IfbamModel *model,
                         const IfbamRunSpec *spec);
/* The same: sets the callbacks of a task that the caller runs; then its end. */
void matrix_outcome_listen (MatrixOutcome *outcome, IfbamRunTask *task);
void matrix_outcome_end (MatrixOutcome *outcome, const IfbamRunTask *task, const GError *error);
/* Fails the test unless the outcome is that of the wanted run from an offset of rows [bytes] and events on. stop: the last step at
 * which the run paused; close to a divergence it may be noticed at another step. */
typedef struct
{
  gsize rows, events;
  guint64 stop;
} MatrixOffset;
void matrix_outcome_compare (const char *what, const MatrixOutcome *wanted,
                             const MatrixOutcome *outcome, const MatrixOffset *from);
void matrix_events_compare (const char *what, const GArray *wanted, gsize first,
                            const GArray *events);

/* A network that is compiled, under one scheme */

typedef struct
{
  char *name;
  const MatrixNetwork *of; /* (not owned) */
  guint seed;
  IfbamNetwork *network;
  IfbamModel *model;
  IfbamRunSpec spec;
  IfbamSignals *signals[MATRIX_N_RECORDS];
  gsize few_stride;
  MatrixOutcome *wanted[MATRIX_N_RECORDS]; /* of the reference way, once it is needed */
} MatrixCase;

/* The case under the scheme that the seed chooses (0: the network's own, if it is a file's); NULL: the network is refused under
 * it. */
MatrixCase *matrix_case_new (const MatrixNetwork *network, guint seed);
void matrix_case_free (MatrixCase *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MatrixCase, matrix_case_free)
/* Its network once more (transfer full), with groups beside its own where more is not NULL; NULL: refused. */
IfbamNetwork *matrix_case_network (const MatrixCase *self, const char *more);
/* How the case runs if this is recorded. */
IfbamRunSpec matrix_case_spec (const MatrixCase *self, MatrixRecord record);
const MatrixOutcome *matrix_case_wanted (MatrixCase *self, MatrixRecord record);
/* A task of the case that records this. */
IfbamRunTask matrix_case_task (MatrixRecord record);
gboolean matrix_case_has_events (const MatrixCase *self);

/* Ways */

typedef struct _MatrixWay MatrixWay;
struct _MatrixWay
{
  const char *name;
  /* NULL, or the reason why the way refuses the case. */
  const char *(*can) (const MatrixWay *way, MatrixCase *one);
  /* Runs the case and compares it; fails the test on a difference. */
  void (*run) (const MatrixWay *way, MatrixCase *one, MatrixRecord record);
  /* Records that it can make (bits 1 << MatrixRecord). */
  guint records;
  /* Of ways that are tasks of ifbam_run(); they can be cut. */
  gboolean is_task, objects, by_events;
  gboolean no_account; /* it keeps no account of work: others refuse its states */
  guint threads;
  const char *tile, *isa;
};

extern const MatrixWay matrix_ways[];
extern const guint matrix_n_ways;

/* The task of a way, and the model of the case that it runs: the case's own, or one for other instructions (owned then). */
typedef struct
{
  IfbamRunTask task;
  const IfbamModel *model;
  IfbamRunSpec spec;
  IfbamModel *owned_model;
  IfbamRunSpec owned_spec;
} MatrixTask;

void matrix_task_init (MatrixTask *self, const MatrixWay *way, const MatrixCase *one,
                       MatrixRecord record);
void matrix_task_clear (MatrixTask *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MatrixTask, matrix_task_clear)
/* The way as a case has it: its tile may be one that the case draws. */
MatrixWay matrix_way_draw (const MatrixWay *way, const MatrixCase *one);
/* Sets and clears the environment of a way, which engines look at when they are made. */
void matrix_way_enter (const MatrixWay *way);
void matrix_way_leave (void);

/* Ways that are no tasks. */
const char *matrix_lanes_can (const MatrixWay *way, MatrixCase *one);
void matrix_lanes_run (const MatrixWay *way, MatrixCase *one, MatrixRecord record);
const char *matrix_core_can (const MatrixWay *way, MatrixCase *one);
void matrix_core_run (const MatrixWay *way, MatrixCase *one, MatrixRecord record);
/* How many cases were kept for build/core.wasm: see MATRIX_KEPT in core-way.c. */
guint matrix_core_n_kept (void);

/* Cuts */

/* Cuts the run of a way at a step that the seed draws, and goes on in another one: the state has to be that of the reference way at
 * this step, and rows, events, account and end those of the uncut run. Returns how many cuts there were. */
guint matrix_cut (const MatrixWay *from, const MatrixWay *to, MatrixCase *one, MatrixRecord record);
/* The same with a pause only. */
guint matrix_pause (const MatrixWay *way, MatrixCase *one, MatrixRecord record);
