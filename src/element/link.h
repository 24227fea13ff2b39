/* link.h: a link: a geometry over its ports and a law of one or more modes, for each constraint
 *
 * From the coordinates of the nodes at its ports the geometry computes a compression delta and its
 * rate; from these the law computes the force in the link's present mode. Links with a law of one
 * mode between two nodes are computed in batches, all others one by one. link-class.h lists the
 * functions of a law.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/isa.h"
#include "base/printed.h"
#include "element/geometry.h"
#include "element/guard.h"

/* Kinds of a link's end. */
typedef enum
{
  IFBAM_FORM_NODE,    /* a node */
  IFBAM_FORM_BALL,    /* two nodes, x and y, and a radius */
  IFBAM_FORM_SURFACE, /* a given node with a shape */
  IFBAM_FORM_BODY,    /* three nodes, x, y and angle */
  IFBAM_FORM_POINT,   /* no own nodes: a point of a body, or fixed in the plane */
  IFBAM_FORM_ROUND,   /* three nodes, x, y and angle, and a radius */
  IFBAM_FORM_TABLE,   /* four nodes, x, y and the angles about both axes: a ball seen from above */
  IFBAM_N_FORMS,
} IfbamForm;

/* Bits for IfbamElementInfo.forms: ends that a class allows. */
enum
{
  IFBAM_BETWEEN_NODES = 1 << 0, /* two nodes */
  IFBAM_BETWEEN_BALLS = 1 << 1, /* a ball and a ball or a surface */
  IFBAM_ON_NODE = 1 << 2,       /* one node */
  IFBAM_ON_BALL = 1 << 3,       /* one ball */
  IFBAM_BETWEEN_ENDS = 1 << 4,  /* two points of the plane: endpoint.h */
  IFBAM_ON_SPIN = 1 << 5,       /* one ball or body, across its path */
  IFBAM_ON_TABLE = 1 << 6,      /* one ball on a table */
};

/* Returns TRUE for a point of the plane. */
static inline gboolean
ifbam_form_in_plane (guint form)
{
  return form == IFBAM_FORM_BALL || form == IFBAM_FORM_BODY || form == IFBAM_FORM_POINT
         || form == IFBAM_FORM_ROUND || form == IFBAM_FORM_TABLE;
}

/* Returns TRUE for a body: it has an angle. */
static inline gboolean
ifbam_form_turns (guint form)
{
  return form == IFBAM_FORM_BODY || form == IFBAM_FORM_ROUND;
}

/* Returns the geometry between two forms (IfbamForm); NULL: none exists, or `forms` (bits; 0:
 * points only) excludes it. n: 1 or 2 ends. straight: geometry for two nodes; NULL: their
 * difference. ends: geometry for two points of the plane. */
const IfbamGeometry *ifbam_link_geometry (guint n, guint left, guint right, guint32 forms,
                                          const IfbamGeometry *straight, const IfbamGeometry *ends);
/* Returns a description of forms: "two nodes" (static). */
const char *ifbam_link_forms_text (guint32 forms);

#define IFBAM_N_DOUBLES(Law) (sizeof (Law) / sizeof (double))
#define IFBAM_MAX_LAW        20 /* doubles in a law's struct */

/* An internal state of a law. The last doubles of the law's struct are the states' present values;
 * the file gives the start values. State nodes store them during a run: state-node.h. */
typedef struct
{
  const char *name; /* of the signal */
  const char *unit; /* "%x", "%v", "%f": as in a parameter's unit */
} IfbamLawState;

#define IFBAM_MAX_STATES 2

/* Numbers of a controller's memory. */
#define IFBAM_MEMORY 4

/* Quadrature points for a law's mean over a path. */
#define IFBAM_MAX_POINTS 3

/* Columns of a kernel. Lengths: links of the batch, or nodes. */
typedef struct
{
  const double *const *parameters; /* the law's parameters, in the order of its struct [][links] */
  const guint32 *left, *right;     /* the nodes at the ends [links] */
  const double *position, *rate;   /* present messages of the nodes [nodes] */
  const double *earlier_position, *earlier_rate; /* messages of the cycle before [nodes] */
  double *output; /* forces [N], energies [J] or dissipated powers [W], by kernel [links] */
  /* forces on the right ends, if not equal to output (geometry.h); NULL: not needed [links] */
  double *far;
  /* Laws with states: state nodes [links]; in a run, that of the first link; the states' rates
   * (NULL: not needed) [links]. */
  const guint32 *state[IFBAM_MAX_STATES];
  gsize run_state[IFBAM_MAX_STATES];
  double *state_rate[IFBAM_MAX_STATES];
} IfbamLinkBatch;

/* Computes links first <= i < last of the batch. */
typedef void (*IfbamLinkKernel) (const IfbamLinkBatch *batch, gsize first, gsize last);
/* Computes a run by a kernel for looked-up ends. */
void ifbam_link_run_by_lookup (IfbamLinkKernel kernel, guint n_numbers, const IfbamLinkBatch *batch,
                               gsize first, gsize left, gsize right, gsize n);
/* Computes n links from `first` on, with end nodes left, left + 1, … and right, right + 1, … */
typedef void (*IfbamRunKernel) (const IfbamLinkBatch *batch, gsize first, gsize left, gsize right,
                                gsize n);

typedef struct
{
  IfbamLinkKernel force;  /* F(delta, rate) at the present messages */
  IfbamLinkKernel mean;   /* mean of F over the coming step's path, from two cycles' messages */
  IfbamLinkKernel energy; /* V(delta) */
  IfbamLinkKernel loss;   /* (F(delta, rate) - F(delta, 0)) rate */
  IfbamRunKernel run_force[IFBAM_N_ISA]; /* force, mean and energy, for runs */
  IfbamRunKernel run_mean[IFBAM_N_ISA];
  IfbamRunKernel run_energy[IFBAM_N_ISA];
} IfbamLinkKernels;

/* Names of a law in C: its struct, and its functions' prefix (elements/PREFIX-law.h). */
typedef struct
{
  IfbamPrinted type, prefix;
  guint n_parameters; /* doubles in the struct */
} IfbamLawCode;

#define IFBAM_CODE_OF(Law, word)                                                                   \
  {                                                                                                \
    .type = #Law, .prefix = #word, .n_parameters = IFBAM_N_DOUBLES (Law),                          \
  }

/* The law of a link, or of one of its constraints. Each constraint of a link has its own geometry,
 * modes and energy balance; the parameters are those of the link. */
typedef struct _IfbamLaw IfbamLaw;

struct _IfbamLaw
{
  IfbamLawCode code;
  const char *const *modes; /* mode names, NULL-terminated; NULL: none */
  /* Event name on entering a mode, by mode (NULL: no event; the last name serves further modes). */
  const char *const *events;
  int (*mode) (const void *law, double delta, double rate);
  double (*force) (const void *law, int mode, double delta, double rate); /* NULL: none */
  double (*energy) (const void *law, int mode, double delta);
  double (*loss) (const void *law, int mode, double delta, double rate);
  guint (*guards) (const void *law, int mode, IfbamGuard *guards);
  IfbamConstraint (*constraint) (const void *law, int mode);
  int (*toggle) (const void *law, int mode); /* the mode after a scheduled event; NULL: none */
  /* Event name of a change of mode (NULL: no event), if both modes define it; NULL: `events` */
  const char *(*event) (const void *law, int from, int to);
  /* dF/ddelta and dF/drate; TRUE if they depend on the state. NULL: use finite differences. */
  gboolean (*slopes) (const void *law, int mode, double delta, double rate, double *stiffness,
                      double *damping);
  /* Fraction, at most 1, of a change by which the force of a law with one mode is nearly linear;
   * NULL: 1 */
  double (*step_limit) (const void *law, double delta, double rate, double by_delta,
                        double by_rate);
  double (*change_loss) (const void *law, int from, int to, double delta); /* loss [J]; NULL: 0 */
  /* A controller's sample, `every` [s] after the last: updates memory, zeros at first; memory[0] is
   * the output from then on. NULL: no controller. */
  void (*sample) (const void *law, double delta, double rate, double every, double *memory);

  const IfbamLawState *states; /* (n_states) */
  /* first_state: index of the first state in the law's doubles */
  guint n_states, first_state;
  void (*state_rates) (const void *law, int mode, double delta, double rate, double *rates);

  /* Between two nodes: */
  const IfbamGeometry *geometry; /* NULL: their difference */
  /* Quadrature points, 1 to IFBAM_MAX_POINTS, by the parameters alone; NULL: in no batches */
  guint (*points) (const void *law);
  /* TRUE if a law marked `active` can supply energy with these parameters; NULL: always */
  gboolean (*supplies) (const void *law);
  /* TRUE if the law has modes with these parameters, and is in no batch; NULL: never */
  gboolean (*has_modes) (const void *law);
  IfbamLinkKernels kernels[IFBAM_MAX_POINTS]; /* by points - 1 */
  gboolean lossy;
  gboolean active;    /* can supply energy: its loss can be negative */
  gboolean storeless; /* stores no energy */

  /* Between two points of the plane; NULL: not possible, except as a contact of balls */
  const IfbamGeometry *ends;
  guint first_of_ends;    /* index of that geometry's first parameter in the law's doubles */
  gboolean acts_on_fixed; /* has an effect even if no end can move */
  gboolean own_length;    /* the law also uses that parameter, the length set by the geometry */

  /* A run ends in another mode than the first, with this reason; NULL: the run continues. */
  const char *ending;

  /* Law of the link's next constraint; NULL: none. */
  const IfbamLaw *next;
  /* A further constraint is recorded as LINK.NAME.QUANTITY. Without `ends` it is a friction with
   * the first constraint as carrier. */
  const char *name;
  gboolean (*acts) (const void *law); /* with these parameters; NULL: always */
  /* Count of consecutive carriers at right angles; their magnitude is the normal force. 0: one. */
  guint n_carriers;
  /* A second friction, perpendicular to the first one: both stick together, and the magnitude of
   * both is limited by the first one's breakaway. */
  gboolean across;
};
