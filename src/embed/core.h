/* core.h: a network, its model and its engine, without GLib and files
 *
 * Elements are added by class name, with parameters in SI units; then the network is compiled and
 * stepped. Samples and events equal those of `ifbam run`, to the last bit. The only globals are
 * constant tables of classes and schemes: any number of networks can run, each in its own thread.
 *
 * A function that returns an int returns 0 on success; else ifbam_core_said() returns the error.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define IFBAM_CORE __attribute__ ((visibility ("default")))

typedef struct _IfbamCore IfbamCore;

/* Event; see IfbamEvent. */
typedef struct
{
  double time;
  const char *element, *word; /* owned by the compiled network */
  double impulse;
  double rate_before, rate_after;
  double energy_change;
} IfbamCoreEvent;

IFBAM_CORE IfbamCore *ifbam_core_new (void);
IFBAM_CORE void ifbam_core_free (IfbamCore *core);
/* Returns the errors of the last call, one line each; "" if it succeeded. */
IFBAM_CORE const char *ifbam_core_said (const IfbamCore *core);

/* The network */

/* Adds the elements of a text, one line each:
 *   spring k1 stiffness=0x1.388p+13 between=wall,m1
 * Numbers are hexadecimal (or inf), so that they are exact and independent of the locale. In texts,
 * "%20" is a space. `network` is the class of the settings, `course` is a list TIME:VALUE,…; for
 * `positions` of the network see ifbam_core_set_start(). */
IFBAM_CORE int ifbam_core_read (IfbamCore *core, const char *text);

/* Reads and compiles the text of a network file (length bytes). On failure ifbam_core_said() returns
 * all faults of `ifbam check` as JSON, [{"line":3,"message":"[spring k1] stiffness: ..."}]; line 0:
 * of the whole text. Files of courses are those of ifbam_core_add_course(); `step = auto`,
 * `start = equilibrium` and [columns] are faults. */
IFBAM_CORE int ifbam_core_read_text (IfbamCore *core, const char *text, size_t length);
/* Reads a number with a unit that converts to `unit` (SI, "N/m"), as in a network file; meaning: the
 * quantity, for messages. */
IFBAM_CORE int ifbam_core_parse (IfbamCore *core, const char *text, const char *unit,
                                 const char *meaning, double *number);
/* Adds the values of a key `course = FILE:COLUMN` with this text, at increasing times [s] (n each). */
IFBAM_CORE int ifbam_core_add_course (IfbamCore *core, const char *text, const double *times,
                                      const double *values, size_t n);

/* Returns the index of the new element, or -1. Index 0: the settings; `step` must be set. */
IFBAM_CORE int ifbam_core_add (IfbamCore *core, const char *class_name, const char *name);
/* key: "stiffness"; for a member of a composite "k3.stiffness". */
IFBAM_CORE int ifbam_core_set_number (IfbamCore *core, int element, const char *key, double number);
IFBAM_CORE int ifbam_core_set_numbers (IfbamCore *core, int element, const char *key,
                                       const double *numbers, size_t n);
/* text: a text, a choice, or names of elements separated by commas. */
IFBAM_CORE int ifbam_core_set_text (IfbamCore *core, int element, const char *key,
                                    const char *text);
/* Sets the value of the key `course`: a motion or force at increasing times [s] (n each). */
IFBAM_CORE int ifbam_core_set_course (IfbamCore *core, int element, const double *times,
                                      const double *values, size_t n);
/* Sets initial coordinates of the free nodes, in the order of the network, in place of those of the
 * elements, and their rates if 2 n values are given. They take effect when the network is compiled. */
IFBAM_CORE void ifbam_core_set_start (IfbamCore *core, const double *positions, size_t n);

/* Running */

/* Compiles the network and sets the engine to the start. */
IFBAM_CORE int ifbam_core_compile (IfbamCore *core);
/* Steps between two samples, and the step of the last sample, from `sample` and `duration`. */
IFBAM_CORE uint64_t ifbam_core_stride (const IfbamCore *core);
IFBAM_CORE uint64_t ifbam_core_last_step (const IfbamCore *core);

/* Sets the signals to compute besides coordinates, named as for `ifbam run --record`
 * ("k1.force,network.energy"); "" or NULL: none. Call it before compilation. Signals that integrate
 * over time (network.dissipated, network.supplied) make each step slower. */
IFBAM_CORE void ifbam_core_record (IfbamCore *core, const char *signals);
/* Number of these signals. */
IFBAM_CORE size_t ifbam_core_n_signals (const IfbamCore *core);

/* Nodes in the order of the network, free ones first; index of a node by its name, or -1. */
IFBAM_CORE size_t ifbam_core_n_nodes (const IfbamCore *core);
IFBAM_CORE size_t ifbam_core_n_free (const IfbamCore *core);
IFBAM_CORE long ifbam_core_find_node (const IfbamCore *core, const char *name);

/* Advances by a number of steps. */
IFBAM_CORE int ifbam_core_advance (IfbamCore *core, uint64_t steps);
/* Returns the time [s]; writes coordinates and rates of all nodes (n_nodes; may be NULL). */
IFBAM_CORE double ifbam_core_row (IfbamCore *core, double *positions, double *rates);
/* Advances n times by `steps` steps (0: none) and writes a sample each time: time, coordinates,
 * rates of all nodes (n)(1 + 2 n_nodes). Returns the number of samples written before a failure. */
IFBAM_CORE size_t ifbam_core_rows (IfbamCore *core, size_t n, uint64_t steps, double *rows);
/* Writes the recorded signals at the present time (n_signals). */
IFBAM_CORE void ifbam_core_signals (IfbamCore *core, double *values);
/* Goes to the cycle of a step, back through the start if needed, and writes the recorded signals as
 * messages of this cycle, as in `ifbam dialogue`. Under a scheme with latency, forces are those
 * received in this cycle, and rates lag positions by half a step. Otherwise the signals are those
 * of the sample. A signal that no message contains is NaN; with latency and events, all are NaN in
 * cycle 0. Afterwards samples must not be read. */
IFBAM_CORE int ifbam_core_cycle (IfbamCore *core, uint64_t step, double *values);
/* Computes n points (x, y) of the shape of a link in the plane at given coordinates of all nodes
 * (n_nodes). Returns n, or 0 if no link of that name has a shape. */
IFBAM_CORE size_t ifbam_core_shape (IfbamCore *core, const char *name, const double *positions,
                                    size_t n, double *places);
/* Number of events so far; with latency an event may be later than the sample. */
IFBAM_CORE size_t ifbam_core_n_events (const IfbamCore *core);
IFBAM_CORE IfbamCoreEvent ifbam_core_event (const IfbamCore *core, size_t i);

/* Energy that the scheme brings (engine/scheme-energy.h), in a run of its own from the start */

/* Begins it; returns the number of elements with such energy, or 0: ifbam_core_said() says why. */
IFBAM_CORE size_t ifbam_core_scheme_energy_begin (IfbamCore *core);
IFBAM_CORE const char *ifbam_core_scheme_energy_name (const IfbamCore *core, size_t element);
/* Advances by a number of steps; returns how many it did until values were not finite. points: for
 * each step of the first link of an element (0: it has none) its compression before and after the
 * step, the applied force, and the force of its law (steps)(4). energy: since the start [J] of each
 * element, of steps with events, and the rest of the run's energy balance (elements + 2). */
IFBAM_CORE size_t ifbam_core_scheme_energy_advance (IfbamCore *core, size_t steps, size_t element,
                                                    double *points, double *energy);

/* Returns the state on which all later steps depend, as a self-describing block of bytes
 * (engine/snapshot.h). It is valid until the next call; NULL: the run has failed. */
IFBAM_CORE const void *ifbam_core_get_state (IfbamCore *core, size_t *size);
/* Continues from such a block of the same network. */
IFBAM_CORE int ifbam_core_set_state (IfbamCore *core, const void *data, size_t size);
