/* link.h: what a link is: a geometry over its ports and a law of one mode or more, once or several times
 *
 * A link hears the coordinates of the nodes at its ports, whose geometry makes a compression delta and a
 * rate of them, and answers with the force of its law in the mode that it has. A law of one mode between two
 * nodes is computed in batches; all else is the same thing with more to say, and is computed link by
 * link. link-class.h has what a law consists of.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/isa.h"
#include "base/printed.h"
#include "element/geometry.h"
#include "element/guard.h"

/* What stands at a link's end: one port or more. */
typedef enum
{
  IFBAM_FORM_POINT,   /* a node */
  IFBAM_FORM_BALL,    /* two nodes, x and y, and a radius */
  IFBAM_FORM_SURFACE, /* a given node with a shape */
  IFBAM_FORM_BODY,    /* three nodes, x, y and angle */
  IFBAM_FORM_PLACE,   /* none: it is a point of a body, or fixed in the plane */
  IFBAM_FORM_ROUND,   /* three nodes, x, y and angle, and a radius */
  IFBAM_FORM_TABLE,   /* four nodes, x, y and angles about these: a ball seen from above */
  IFBAM_N_FORMS,
} IfbamForm;

/* Bits for IfbamElementInfo.forms: what may stand at the ends. */
enum
{
  IFBAM_BETWEEN_POINTS = 1 << 0, /* two nodes */
  IFBAM_BETWEEN_BALLS = 1 << 1,  /* a ball and a ball or a surface */
  IFBAM_ON_POINT = 1 << 2,       /* one node */
  IFBAM_ON_BALL = 1 << 3,        /* one ball */
  IFBAM_BETWEEN_ENDS = 1 << 4,   /* two points of the plane: endpoint.h */
  IFBAM_ON_SPIN = 1 << 5,        /* one ball or body, across its path */
  IFBAM_ON_TABLE = 1 << 6,       /* one ball on a table */
};

/* Whether it is a point of the plane. */
static inline gboolean
ifbam_form_in_plane (guint form)
{
  return form == IFBAM_FORM_BALL || form == IFBAM_FORM_BODY || form == IFBAM_FORM_PLACE
         || form == IFBAM_FORM_ROUND || form == IFBAM_FORM_TABLE;
}

/* Whether it has an angle, and points of its own. */
static inline gboolean
ifbam_form_turns (guint form)
{
  return form == IFBAM_FORM_BODY || form == IFBAM_FORM_ROUND;
}

/* The geometry between forms (IfbamForm); NULL where there is none, or forms (bits; 0: points only)
 * does not allow them. n: 1 or 2 ends. straight: that of two nodes; NULL: their difference. ends: that
 * of two points of the plane. */
const IfbamGeometry *ifbam_link_geometry (guint n, guint left, guint right, guint32 forms,
                                          const IfbamGeometry *straight, const IfbamGeometry *ends);
/* What forms stand for: "two nodes" (static). */
const char *ifbam_link_forms_text (guint32 forms);

#define IFBAM_NUMBERS_OF(Law) (sizeof (Law) / sizeof (double))
#define IFBAM_MAX_LAW         20 /* doubles of a law */

/* An internal state of a law, which has a rate of its own. What it is at the moment is one of the last numbers of
 * the law's struct; what the file says there is where it starts. Nodes within the link keep it: state-node.h. */
typedef struct
{
  const char *name; /* of the signal */
  const char *unit; /* "%x", "%v", "%f": as a parameter's */
} IfbamLawState;

#define IFBAM_MAX_STATES 2

/* Numbers that a controller remembers. */
#define IFBAM_MEMORY 4

/* By how many points a law's mean over a path is taken. */
#define IFBAM_MAX_POINTS 3

/* The columns that a kernel reads and writes. Lengths: links of the batch, or nodes. */
typedef struct
{
  const double *const *parameters; /* the law's numbers, in the order of its struct [][links] */
  const guint32 *left, *right;     /* the nodes at the ends [links] */
  const double *position, *rate;   /* what the nodes say now [nodes] */
  const double *earlier_position, *earlier_rate; /* what they said a cycle before [nodes] */
  double *answer; /* forces [N], energies [J] or dissipated powers [W], by kernel [links] */
  double
      *far; /* what the right ends hear, where that is not the force (see geometry.h); NULL: nobody
                * asks [links] */
  /* Of laws with states: the nodes whose rates these are [links], of a run where the first link's stand, and at
   * what rates the states change (NULL: nobody asks) [links]. */
  const guint32 *state[IFBAM_MAX_STATES];
  gsize run_state[IFBAM_MAX_STATES];
  double *flow[IFBAM_MAX_STATES];
} IfbamLinkBatch;

/* Does links first <= i < last of the batch. */
typedef void (*IfbamLinkKernel) (const IfbamLinkBatch *batch, gsize first, gsize last);
/* Does a run by a kernel that looks links up, one by one. */
void ifbam_link_run_by_lookup (IfbamLinkKernel kernel, guint n_numbers, const IfbamLinkBatch *batch,
                               gsize first, gsize left, gsize right, gsize n);
/* Does n links from `first` on, whose ends are the nodes left, left + 1, … and right, right + 1, … */
typedef void (*IfbamRunKernel) (const IfbamLinkBatch *batch, gsize first, gsize left, gsize right,
                                gsize n);

typedef struct
{
  IfbamLinkKernel force;  /* F(delta, rate) of what the nodes say now */
  IfbamLinkKernel mean;   /* mean of F over the coming step's path, from two cycles' messages */
  IfbamLinkKernel energy; /* V(delta) */
  IfbamLinkKernel loss;   /* (F(delta, rate) - F(delta, 0)) rate */
  IfbamRunKernel run_force[IFBAM_N_ISA]; /* force, mean and energy again, for runs */
  IfbamRunKernel run_mean[IFBAM_N_ISA];
  IfbamRunKernel run_energy[IFBAM_N_ISA];
} IfbamLinkKernels;

/* What a law is called in C: its struct, and what its functions' names begin with. elements/PREFIX-law.h has them. */
typedef struct
{
  IfbamPrinted type, prefix;
  guint n_numbers; /* of the struct */
} IfbamLawCode;

#define IFBAM_CODE_OF(Law, word)                                                                   \
  {                                                                                                \
    .type = #Law, .prefix = #word, .n_numbers = IFBAM_NUMBERS_OF (Law),                            \
  }

/* The law of a link, or of one of its relations: a link can have several, each with a geometry, modes and an
 * account of its own, of the same numbers. */
typedef struct _IfbamLaw IfbamLaw;

struct _IfbamLaw
{
  IfbamLawCode code;
  const char *const *modes; /* their names, NULL-terminated; NULL: numbers say enough */
  /* What entering a mode is called in a list of events, by mode (NULL: the last word, if modes are
   * more). */
  const char *const *events;
  int (*mode) (const void *law, double delta, double rate);
  double (*force) (const void *law, int mode, double delta, double rate); /* NULL: none */
  double (*energy) (const void *law, int mode, double delta);
  double (*loss) (const void *law, int mode, double delta, double rate);
  guint (*guards) (const void *law, int mode, IfbamGuard *guards);
  IfbamConstraint (*relation) (const void *law, int mode);
  int (*toggle) (const void *law, int mode); /* the mode after a given instant; NULL: has none */
  /* What a change of mode is called in a list of events (NULL: it is none), where the new mode alone
   * does not tell; NULL: by `events` */
  const char *(*event) (const void *law, int from, int to);
  /* dF/ddelta and dF/drate; TRUE where they are others at another state. NULL: differences tell. */
  gboolean (*slopes) (const void *law, int mode, double delta, double rate, double *stiffness,
                      double *damping);
  double (*change) (const void *law, int from, int to, double delta); /* loses [J]; NULL: nothing */
  /* What a controller remembers after an instant, of which the first number is what it says from there on; `every` [s]
   * after the last one. Zeros before the first one. NULL: it is none. */
  void (*sample) (const void *law, double delta, double rate, double every, double *memory);

  const IfbamLawState *states; /* (n_states) */
  guint n_states, first_state; /* which of the law's numbers is the first */
  void (*state_rates) (const void *law, int mode, double delta, double rate, double *rates);

  /* Between two nodes */
  const IfbamGeometry *geometry; /* NULL: their difference */
  /* 1 to IFBAM_MAX_POINTS, by the numbers alone; NULL: it has no kernels for batches */
  guint (*points) (const void *law);
  /* Whether a law that can bring energy does so with these numbers; NULL: whatever they are */
  gboolean (*brings) (const void *law);
  /* Whether the law of these numbers has modes, so that it is in no batch; NULL: never */
  gboolean (*has_modes) (const void *law);
  IfbamLinkKernels kernels[IFBAM_MAX_POINTS]; /* by points - 1 */
  gboolean lossy;
  gboolean active;    /* it can bring energy: its loss can be negative */
  gboolean storeless; /* its energy is 0 wherever it is, and nobody has to ask for it */

  /* Between two points of the plane; NULL: it stands there as a contact of balls, or not at all */
  const IfbamGeometry *ends;
  guint first_of_ends; /* which of the law's numbers is that geometry's first */
  gboolean stands;     /* it has something to say even where none of its ends can move */
  gboolean own_length; /* that number is the law's, too: it takes what the geometry settles */

  /* Why a run ends that gets into another mode than the first; NULL: it goes on */
  const char *breaks;

  /* Of a link with several relations: the law of the next one; NULL: there is none. */
  const IfbamLaw *next;
  /* The further ones have names, by which they are recorded: LINK.NAME.QUANTITY, and may not be there for
   * numbers for which they would do nothing (NULL: they always are). One that has no geometry of ends goes along the
   * first relation, which carries it: a friction, whose reaction that one's bounds. */
  const char *name;
  gboolean (*acts) (const void *law);
  /* That one and so many - 1 behind it, which act at right angles: the size of both counts; 0: one. */
  guint n_carriers;
  /* Or it goes across the first one, which slips in a direction that can turn: it sticks when that one does, and both
   * hold no more than that one's breakaway together. */
  gboolean across;
};
