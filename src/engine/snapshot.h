/* snapshot.h: data that determine an engine's next steps, as one self-describing block of bytes
 *
 * The header has version, scheme, step, counts of nodes and links, and a text that describes them.
 * Columns with names, types and lengths follow. So the block can be read without the engine, and an
 * engine can report the part that does not fit.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/compensated-sum.h"
#include "engine/run-spec.h"

/* Version of the block's format, and of the columns of engines. */
#define IFBAM_STATE_VERSION 3

typedef enum
{
  IFBAM_STATE_DOUBLES,
  IFBAM_STATE_WORDS, /* of 32 bits: modes, indices, flags */
} IfbamStateType;

typedef struct _IfbamState IfbamState;

/* A column in the memory of its engine. */
typedef struct
{
  const char *name; /* static; shorter than IFBAM_STATE_NAME */
  IfbamStateType type;
  gpointer data; /* first entry */
  gsize stride;  /* bytes from entry to entry */
  gsize n;       /* count of entries */
  gsize width;   /* values per entry */
} IfbamStateColumn;

#define IFBAM_STATE_NAME 32

/* Copies the columns (IfbamStateColumn) at step `steps`. structure: the network's nodes and links,
 * see ifbam_model_structure (); NULL: no check. */
IfbamState *ifbam_state_new (const IfbamModel *model, const IfbamRunSpec *spec, guint64 steps,
                             const char *structure, const GArray *columns);
/* Overwrites a state made of the same columns. */
void ifbam_state_update (IfbamState *state, guint64 steps, const GArray *columns);
/* Returns a state from a copy of its bytes, possibly of another process on the same kind of
 * machine; NULL with IFBAM_ERROR_USAGE: invalid. */
IfbamState *ifbam_state_new_from_data (gconstpointer data, gsize size, GError **error);
/* In two parts: size of the head, the bytes before columns; a head's state, all columns zero. */
gsize ifbam_state_head_size (const IfbamState *state);
IfbamState *ifbam_state_new_from_head (gconstpointer head, gsize n_head, GError **error);
IfbamState *ifbam_state_copy (const IfbamState *state);
void ifbam_state_free (IfbamState *state);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamState, ifbam_state_free)

/* Returns TRUE for equal bits. */
gboolean ifbam_state_equal (const IfbamState *one, const IfbamState *other);
/* Returns the block (not owned). */
gconstpointer ifbam_state_data (const IfbamState *state, gsize *size);
guint64 ifbam_state_steps (const IfbamState *state);
/* Returns a column's values (not owned) and count; NULL: no column of this name and type. */
gconstpointer ifbam_state_find (const IfbamState *state, const char *name, IfbamStateType type,
                                gsize *n);
/* Returns the name of column `number`, from 0 on; NULL: no more. */
const char *ifbam_state_name (const IfbamState *state, guint index);
/* Returns all values, column by column, up to the first column of words. */
double *ifbam_state_numbers (IfbamState *state, gsize *n);

/* Copies a state into an engine's columns. FALSE with IFBAM_ERROR_USAGE: it does not fit, and no
 * column has changed. */
gboolean ifbam_state_restore (const IfbamState *state, const IfbamModel *model,
                              const IfbamRunSpec *spec, const GArray *columns, GError **error);

/* As ifbam_state_restore, without checks. */
void ifbam_state_put (const IfbamState *state, const GArray *columns);

/* Adds a column, to be saved or restored. */

static inline void
ifbam_state_add (GArray *columns, const char *name, IfbamStateType type, gpointer data,
                 gsize stride, gsize n, gsize width)
{
  const IfbamStateColumn column = { name, type, data, stride, n, width };

  g_array_append_val (columns, column);
}

static inline void
ifbam_state_add_doubles (GArray *columns, const char *name, double *data, gsize n)
{
  ifbam_state_add (columns, name, IFBAM_STATE_DOUBLES, data, sizeof *data, n, 1);
}

static inline void
ifbam_state_add_compensated_sums (GArray *columns, const char *name, IfbamCompensatedSum *data,
                                  gsize n)
{
  ifbam_state_add (columns, name, IFBAM_STATE_DOUBLES, data, sizeof *data, n, 2);
}

/* Adds the columns that determine a scheme's next step, of free nodes; with latency also the cycle
 * before and forces in transit, by slot, then of sources: answer (n_slots + n_sources). */
void ifbam_state_add_scheme (GArray *columns, const IfbamModel *model, const IfbamScheme *scheme,
                             double *const *column, double *answer);
