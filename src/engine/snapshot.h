/* snapshot.h: all that an engine's next steps depend on, as one block of bytes that describes itself
 *
 * A header says what the state is of: version, scheme, step, how many nodes and links, and in a text who they
 * are. Columns with names, types and lengths follow. So whoever gets the block can read it without the engine,
 * and an engine can say what of it does not fit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/compensated-sum.h"
#include "engine/run-spec.h"

/* Of the block and of what engines put in it: a change of either is another version. */
#define IFBAM_STATE_VERSION 3

typedef enum
{
  IFBAM_STATE_DOUBLES,
  IFBAM_STATE_WORDS, /* of 32 bits: modes, numbers, flags */
} IfbamStateType;

typedef struct _IfbamState IfbamState;

/* A column: where its engine has it. */
typedef struct
{
  const char *name; /* static; shorter than IFBAM_STATE_NAME */
  IfbamStateType type;
  gpointer data; /* of the first entry */
  gsize stride;  /* bytes from entry to entry */
  gsize n;       /* entries */
  gsize width;   /* values of an entry */
} IfbamStateColumn;

#define IFBAM_STATE_NAME 32

/* A copy of the columns (IfbamStateColumn) at step number `steps`. structure: who is in the network, see
 * ifbam_model_structure(); NULL: the state stays with who knows it. */
IfbamState *ifbam_state_new (const IfbamModel *model, const IfbamRunSpec *spec, guint64 steps,
                             const char *structure, const GArray *columns);
/* The same columns anew, into a state that was made of these. */
void ifbam_state_renew (IfbamState *state, guint64 steps, const GArray *columns);
/* A copy of size bytes that were a state once, maybe in another process of this machine's kind; NULL with
 * IFBAM_ERROR_USAGE: they are none. */
IfbamState *ifbam_state_new_from_data (gconstpointer data, gsize size, GError **error);
/* The same in two parts: what stands before the columns, and, where n_head bytes are one, a state whose columns are
 * all zero, to be filled. */
gsize ifbam_state_head_size (const IfbamState *state);
IfbamState *ifbam_state_new_from_head (gconstpointer head, gsize n_head, GError **error);
IfbamState *ifbam_state_copy (const IfbamState *state);
void ifbam_state_free (IfbamState *state);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamState, ifbam_state_free)

/* The same bits. */
gboolean ifbam_state_equal (const IfbamState *one, const IfbamState *other);
/* The block (not owned). */
gconstpointer ifbam_state_data (const IfbamState *state, gsize *size);
guint64 ifbam_state_steps (const IfbamState *state);
/* A column's values (not owned) and their number; NULL: there is none of this name and type. */
gconstpointer ifbam_state_find (const IfbamState *state, const char *name, IfbamStateType type,
                                gsize *n);
/* The name of a column, from 0 on; NULL: there are no more. */
const char *ifbam_state_name (const IfbamState *state, guint number);
/* All values, one column after the other, up to the first that is of words. */
double *ifbam_state_numbers (IfbamState *state, gsize *n);

/* Puts a state's columns back where these columns are; FALSE with IFBAM_ERROR_USAGE: it does not fit, and
 * nothing has changed. */
gboolean ifbam_state_restore (const IfbamState *state, const IfbamModel *model,
                              const IfbamRunSpec *spec, const GArray *columns, GError **error);

/* The same where it is known to fit. */
void ifbam_state_put (const IfbamState *state, const GArray *columns);

/* Lists columns, for both ways. */

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
ifbam_state_add_tallies (GArray *columns, const char *name, IfbamTally *data, gsize n)
{
  ifbam_state_add (columns, name, IFBAM_STATE_DOUBLES, data, sizeof *data, n, 2);
}

/* Lists the columns that a scheme begins a step with, of the free nodes; with latency also those of the cycle
 * before, and the forces under way, of links by slot and of sources: answer (n_slots + n_sources). */
void ifbam_state_add_scheme (GArray *columns, const IfbamModel *model, const IfbamScheme *scheme,
                             double *const *column, double *answer);
