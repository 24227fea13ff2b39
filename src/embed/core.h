/* core.h: a network, its model and its engine for who has neither GLib nor files
 *
 * Elements come by class, with numbers in SI units; then the network is compiled and stepped. Rows and events
 * are those of `ifbam run`, to the last bit. There are no globals but tables of classes and schemes: as
 * many networks as wanted live side by side, each in a thread of its own if that is wanted.
 *
 * What returns an int returns 0 where it went well; else ifbam_core_said() says why not.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define IFBAM_CORE __attribute__ ((visibility ("default")))

typedef struct _IfbamCore IfbamCore;

/* Something that happened at an instant; see IfbamEvent. */
typedef struct
{
  double time;
  const char *element, *word; /* they live as long as the network stays compiled */
  double impulse;
  double rate_before, rate_after;
  double energy_change;
} IfbamCoreEvent;

IFBAM_CORE IfbamCore *ifbam_core_new (void);
IFBAM_CORE void ifbam_core_free (IfbamCore *core);
/* Why the last call failed, a line for each fault; "" after one that did not. */
IFBAM_CORE const char *ifbam_core_said (const IfbamCore *core);

/* The network */

/* Adds all that a text says, a line for an element:
 *   spring k1 stiffness=0x1.388p+13 between=wall,m1
 * Numbers are hexadecimal (or inf), so that no bit is lost and no locale matters; in texts, "%20" is a
 * space. `network` is the class of the settings, `course` is a list TIME:VALUE,…, `positions` of the network
 * see ifbam_core_set_start(). */
IFBAM_CORE int ifbam_core_read (IfbamCore *core, const char *text);

/* The number of a new element, or -1. Number 0 is that of the settings, of which `step` must be set. */
IFBAM_CORE int ifbam_core_add (IfbamCore *core, const char *class_name, const char *name);
/* "stiffness", or of a member of a composite "k3.stiffness". */
IFBAM_CORE int ifbam_core_set_number (IfbamCore *core, int element, const char *key, double number);
IFBAM_CORE int ifbam_core_set_numbers (IfbamCore *core, int element, const char *key,
                                       const double *numbers, size_t n);
/* A text, a choice, or names of elements with a comma between them. */
IFBAM_CORE int ifbam_core_set_text (IfbamCore *core, int element, const char *key,
                                    const char *text);
/* What the key `course` stands for: a motion or force at increasing times [s], n of both. */
IFBAM_CORE int ifbam_core_set_course (IfbamCore *core, int element, const double *times,
                                      const double *values, size_t n);
/* Where the free nodes start instead of where their elements say, in the order of the network: one more
 * reason to compile, like the others. */
IFBAM_CORE void ifbam_core_set_start (IfbamCore *core, const double *positions, size_t n);

/* Running */

/* Compiles what was said and goes to the start. */
IFBAM_CORE int ifbam_core_compile (IfbamCore *core);
/* Steps between two rows, and the step of the last row, as `sample` and `duration` want it. */
IFBAM_CORE uint64_t ifbam_core_stride (const IfbamCore *core);
IFBAM_CORE uint64_t ifbam_core_last_step (const IfbamCore *core);

/* What is told beside rows, before it is compiled: signals as `ifbam run --record` names them ("k1.force,network.energy"); ""
 * or NULL: nothing. What integrates over time (network.dissipated, network.supplied) makes each step slower. */
IFBAM_CORE void ifbam_core_record (IfbamCore *core, const char *signals);
/* How many signals that are. */
IFBAM_CORE size_t ifbam_core_n_signals (const IfbamCore *core);

/* Nodes in the order of the network, free ones first; the number of one by its name, or -1. */
IFBAM_CORE size_t ifbam_core_n_nodes (const IfbamCore *core);
IFBAM_CORE size_t ifbam_core_n_free (const IfbamCore *core);
IFBAM_CORE long ifbam_core_find_node (const IfbamCore *core, const char *name);

/* Steps on. What can't go on says why. */
IFBAM_CORE int ifbam_core_advance (IfbamCore *core, uint64_t steps);
/* The row: time, positions and rates of all nodes (n_nodes; may be NULL). */
IFBAM_CORE double ifbam_core_row (IfbamCore *core, double *positions, double *rates);
/* Goes on n times by so many steps (0: stays), and tells where it is each time: time, then positions, then rates of all
 * nodes (n)(1 + 2 n_nodes). Returns how many times that went well. */
IFBAM_CORE size_t ifbam_core_rows (IfbamCore *core, size_t n, uint64_t steps, double *rows);
/* The recorded signals at the row (n_signals). */
IFBAM_CORE void ifbam_core_signals (IfbamCore *core, double *values);
/* Goes to the cycle of a step, on or back by the start, and tells the recorded signals as they are said there: under a scheme
 * with latency forces are those that are heard in this cycle, and rates stand half a step before positions, as in
 * `ifbam dialogue`; else all is as at the row. What nobody says is not a number, with latency and events all of cycle 0. Rows aren't to be asked for after that. */
IFBAM_CORE int ifbam_core_cycle (IfbamCore *core, uint64_t step, double *values);
/* How what hangs between two points of the plane does so at a row's positions (those of all nodes): n places, x and y of
 * each. Returns n, or 0 where no link of that name has a shape. */
IFBAM_CORE size_t ifbam_core_shape (IfbamCore *core, const char *name, const double *positions,
                                    size_t n, double *places);
/* Events so far; with latency one may be later than the row. */
IFBAM_CORE size_t ifbam_core_n_events (const IfbamCore *core);
IFBAM_CORE IfbamCoreEvent ifbam_core_event (const IfbamCore *core, size_t i);

/* All that the next steps depend on, as a block of bytes that describes itself: see engine/snapshot.h. It stays until
 * the next call of this; NULL: the network can't go on. */
IFBAM_CORE const void *ifbam_core_get_state (IfbamCore *core, size_t *size);
/* Goes on from such a block, of the same network. */
IFBAM_CORE int ifbam_core_set_state (IfbamCore *core, const void *data, size_t size);
