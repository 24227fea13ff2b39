/* rope.c: a heavy rope between two points, which hangs at once as it hangs at rest
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/geometry-ends.h"
#include "element/link-class.h"
#include "elements/rope-shape.h"

typedef struct
{
  double length;    /* first: the geometries take it from here [m] */
  double density;   /* [kg/m] */
  double force;     /* [N] */
  double at;        /* [m] */
  double mass;      /* [kg] */
  double hangs;     /* [m] */
  double gravity;   /* [m/s2] */
  double has_force; /* and no mass */
} RopeLaw;

static const IfbamParam rope_params[] = {
  IFBAM_PARAM (RopeLaw, length, "length", "m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "of the rope, which does not stretch"),
  IFBAM_PARAM (RopeLaw, density, "density", "kg/m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "its mass per length"),
  IFBAM_PARAM (RopeLaw, force, "force", "N", 0, G_MAXDOUBLE, 0, "that pulls it down at one place"),
  IFBAM_PARAM (RopeLaw, at, "at", "m", 0, G_MAXDOUBLE, 0,
               "where that is at the start: so far beside the left end"),
  IFBAM_PARAM (RopeLaw, mass, "mass", "kg", 0, G_MAXDOUBLE, 0, "instead: that hangs on it"),
  IFBAM_PARAM (RopeLaw, hangs, "hangs-at", "m", 0, G_MAXDOUBLE, 0,
               "where that is: so much rope from the left end"),
  IFBAM_PARAM (RopeLaw, gravity, "gravity", "m/s2", G_MINDOUBLE, G_MAXDOUBLE, 9.81,
               "what pulls rope and mass down"),
  IFBAM_PARAM_BETWEEN_POINTS,
};

/* The geometry: delta is the height of what the rope and its load weigh together, so that their weight is the force and the
 * ends get what they bear of it. Behind its ends the shape has: */
enum
{
  LEFT = 0,
  RIGHT = IFBAM_END_NUMBERS,
  LENGTH = 2 * IFBAM_END_NUMBERS,
  WEIGHT, /* per length */
  FORCE,
  AT,   /* beside the left end, where LOAD is not known yet */
  LOAD, /* along the rope; what is none: not yet known; below 0: minus the ends' distance, which is too large */
  N_SHAPE,
};
_Static_assert(N_SHAPE <= IFBAM_MAX_SHAPE, "shapes have room for a rope");

static void
shape_rope (const double *numbers, const double *left, const double *right, double *shape)
{
  const RopeLaw *law = (const RopeLaw *) (gconstpointer) numbers;

  memcpy (shape + LEFT, left, IFBAM_END_NUMBERS * sizeof *shape);
  memcpy (shape + RIGHT, right, IFBAM_END_NUMBERS * sizeof *shape);
  shape[LENGTH] = law->length;
  shape[WEIGHT] = law->gravity * law->density;
  shape[FORCE] = law->has_force != 0 ? law->force : law->gravity * law->mass;
  shape[AT] = law->has_force != 0 ? law->at : -law->hangs;
  shape[LOAD] = NAN;
}

static RopeLoad
load_of (const double *shape)
{
  return (RopeLoad){ shape[LENGTH], shape[WEIGHT], shape[FORCE],
                     shape[LOAD] > 0 ? shape[LOAD] : 0.0 };
}

static gboolean
settle_rope (double *shape, const double *position)
{
  RopeLoad load = load_of (shape);

  if (!isnan (shape[LOAD]))
    return FALSE;
  if (position != NULL)
    {
      const IfbamEnds ends = ifbam_ends_at (shape, position);
      const double distance = sqrt (ends.way[0] * ends.way[0] + ends.way[1] * ends.way[1]);
      const double at = ends.way[0] > 0 ? -shape[AT] : shape[AT];

      if (distance >= (1 - ROPE_TAUT) * shape[LENGTH])
        shape[LOAD] = -distance;
      else if (!(shape[AT] > 0))
        shape[LOAD] = -shape[AT];
      else if (shape[AT] < fabs (ends.way[0]))
        shape[LOAD] = rope_load_at (&load, -ends.way[0], -ends.way[1], at);
      else
        shape[LOAD] = INFINITY;
    }
  return TRUE;
}

static char *
fault_rope (const double *shape)
{
  if (shape[LOAD] < 0)
    return g_strdup_printf ("its ends are %g m apart, and it is %g m long: it can't hang (give it "
                            "more length, or take a string)",
                            -shape[LOAD], shape[LENGTH]);
  return shape[LOAD] <= shape[LENGTH] ? NULL : g_strdup ("its load is not between its ends");
}

static double
reach_rope (const double *shape)
{
  double reach = shape[LENGTH];

  for (int end = LEFT; end <= RIGHT; end += RIGHT)
    reach = fmax (reach, fmax (fabs (shape[end + 1]), fabs (shape[end + 2])));
  return reach;
}

static void
measure_rope (const double *shape, const double *position, const double *rate, double *delta,
              double *row)
{
  const IfbamEnds ends = ifbam_ends_at (shape, position);
  const RopeLoad load = load_of (shape);
  const RopeShape rope = rope_hang (&load, -ends.way[0], -ends.way[1]);
  const double all = load.weight * load.length + load.force;
  const double along = rope.horizontal / all, up = rope.vertical / all;

  (void) rate;
  *delta = ends.left.place[1] + rope.energy / all;
  ifbam_end_row (&ends.left, -along, -up, row);
  ifbam_end_row (&ends.right, along, up + 1.0, row + ends.left.n);
}

static void
tell_rope (const double *shape, const double *position, IfbamTellNumber tell, gpointer data)
{
  const IfbamEnds ends = ifbam_ends_at (shape, position);
  const RopeLoad load = load_of (shape);
  const RopeShape rope = rope_hang (&load, -ends.way[0], -ends.way[1]);
  const double h = rope.horizontal, v = rope.vertical;
  const double before = v + load.weight * load.load;
  const double last = v + load.weight * load.length + load.force;
  const double x = ends.left.place[0], y = ends.left.place[1];

  tell (data, "horizontal-force", "N", h);
  tell (data, "tension-left", "N", rope_tension (h, v));
  tell (data, "tension-right", "N", rope_tension (h, last));
  tell (data, "slope-left", "", v / h);
  tell (data, "slope-right", "", last / h);
  tell (data, "lowest-x", "m", x + rope.lowest[0]);
  tell (data, "lowest-y", "m", y + rope.lowest[1]);
  if (!(load.force > 0))
    return;
  tell (data, "load-along", "m", load.load);
  tell (data, "load-x", "m", x + rope.place[0]);
  tell (data, "load-y", "m", y + rope.place[1]);
  tell (data, "load-slope-left", "", before / h);
  tell (data, "load-slope-right", "", (before + load.force) / h);
}

static const IfbamGeometry rope_geometry = { .name = "height",
                                             .shape = shape_rope,
                                             .settle = settle_rope,
                                             .settled_fault = fault_rope,
                                             .reach = reach_rope,
                                             .measure = measure_rope,
                                             .tell = tell_rope };

/* Laws: what it weighs, and how far its ends may go apart */

static inline double
rope_force (const RopeLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) delta, (void) rate;
  return p->gravity * p->density * p->length
         + (p->has_force != 0 ? p->force : p->gravity * p->mass);
}

static inline double
rope_energy (const RopeLaw *p, int mode, double delta)
{
  return rope_force (p, mode, delta, 0.0) * delta;
}

static inline int
rope_slopes (const RopeLaw *p, int mode, double delta, double rate, double *stiffness,
             double *damping)
{
  (void) p, (void) mode, (void) delta, (void) rate;
  *stiffness = *damping = 0.0;
  return 0;
}

static inline int
rope_taut_mode (const RopeLaw *p, double delta, double rate)
{
  (void) rate;
  return delta + ROPE_TAUT * p->length >= 0 ? 1 : 0;
}

static inline int
rope_taut_guards (const RopeLaw *p, int mode, IfbamGuard *guards)
{
  guards[0] = mode == 0 ? (IfbamGuard){ IFBAM_GUARD_POSITION, -1, -ROPE_TAUT * p->length, 1 }
                        : (IfbamGuard){ IFBAM_GUARD_POSITION, 1, ROPE_TAUT * p->length, 0 };
  return 1;
}

static inline IfbamRelation
rope_taut_relation (const RopeLaw *p, int mode)
{
  (void) p, (void) mode;
  return (IfbamRelation){ .idle = 1 };
}

static const char *const modes[] = { "slack", "taut", NULL };
static const char *const events[] = { "slack", "taut", NULL };

IFBAM_DEFINE_LAW (RopeLaw, rope_taut, (MODE, GUARDS, RELATION), .name = "taut", .modes = modes,
                  .events = events, .ends = &ifbam_stretch,
                  .breaks = ": the ends are as far apart as the rope is long, which can only hang "
                            "there (give it more length, or take a chain of rods, which moves)")
IFBAM_DEFINE_LAW (RopeLaw, rope, (SMOOTH, SLOPES), .ends = &rope_geometry, .stands = TRUE,
                  .next = &rope_taut_law)

static char *
rope_fault (IfbamElement *element, const char **key)
{
  const RopeLaw *law = (const RopeLaw *) ifbam_element_law (element);
  const gboolean force = law->force > 0, mass = law->mass > 0;

  *key = "mass";
  if (force && mass)
    return g_strdup ("goes without force: one of them loads it");
  *key = "at";
  if (force != (law->at > 0))
    return g_strdup (force ? "is missing (where the force pulls, so far beside the left end, in m)"
                           : "goes with a force (and hangs-at with a mass)");
  *key = "hangs-at";
  if (mass != (law->hangs > 0))
    return g_strdup (mass ? "is missing (how much rope is between the left end and the mass, in m)"
                          : "goes with a mass (and at with a force)");
  return law->hangs > law->length ? g_strdup_printf ("is beyond the rope's %g m", law->length)
                                  : NULL;
}

static gpointer
rope_prepare (const IfbamElement *element, void *numbers)
{
  RopeLaw *law = numbers;

  (void) element;
  law->has_force = law->force > 0;
  return NULL;
}

IFBAM_DEFINE_LINK (
    Rope, rope, RopeLaw, rope, .name = "rope",
    .summary = "heavy rope between two points, with a load",
    .law = "density * gravity * sqrt(1 + y'^2) + force at one place = H * y''; its length is kept",
    .source = "Jakob Bernoulli 1691; Irvine 1981, Cable structures, chapter 2",
    .example = "[rope r]\nlength   = 12 m\ndensity  = 0.5 kg/m\nmass     = 2 kg\n"
               "hangs-at = 5 m\nbetween  = left, right\n",
    .symbol = "M-20-6q20 24 40 0", .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_BETWEEN_ENDS,
    .fault = rope_fault, .prepare = rope_prepare)
