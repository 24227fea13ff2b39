/* rope.c: a heavy rope between two points: in equilibrium without inertia, or moving in links
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/number-text.h"
#include "element/element.h"
#include "elements/elements.h"
#include "elements/rope-shape.h"

/* Rods of a rope in links. */
#define MAX_LINKS 1073741824.0

typedef struct
{
  double length;    /* must be first: parameter of the geometries [m] */
  double density;   /* [kg/m] */
  double force;     /* [N] */
  double at;        /* [m] */
  double mass;      /* [kg] */
  double hangs;     /* [m] */
  double gravity;   /* [m/s2] */
  double links;     /* 0: in equilibrium, without inertia */
  double has_force; /* a force, no mass */
} RopeLaw;

static const IfbamParam rope_params[] = {
  IFBAM_PARAM (RopeLaw, length, "length", "m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "of the rope, which does not stretch"),
  IFBAM_PARAM (RopeLaw, density, "density", "kg/m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "its mass per length"),
  IFBAM_PARAM (RopeLaw, force, "force", "N", 0, G_MAXDOUBLE, 0, "downward force on the rope"),
  IFBAM_PARAM (RopeLaw, at, "at", "m", 0, G_MAXDOUBLE, 0,
               "horizontal distance of the force from the left end, at the start"),
  IFBAM_PARAM (RopeLaw, mass, "mass", "kg", 0, G_MAXDOUBLE, 0, "instead: mass of the load"),
  IFBAM_PARAM (RopeLaw, hangs, "hangs-at", "m", 0, G_MAXDOUBLE, 0,
               "length of rope from the left end to the mass"),
  IFBAM_PARAM (RopeLaw, gravity, "gravity", "m/s2", G_MINDOUBLE, G_MAXDOUBLE, 9.81,
               "gravity on rope and mass"),
  IFBAM_PARAM_BETWEEN_POINTS,
  IFBAM_PARAM (
      RopeLaw, links, "links", "", 0, MAX_LINKS, 0,
      "number of rods NAME.r1, ... with balls NAME.m1, ... between them; 0: without inertia"),
};

/* The geometry: delta is the height of the centre of the weight of rope and load [m], so that the
 * law's force is that weight. After the ends the shape has: */
enum
{
  LEFT = 0,
  RIGHT = IFBAM_END_SIZE,
  LENGTH = 2 * IFBAM_END_SIZE,
  WEIGHT, /* per length */
  FORCE,
  AT,   /* horizontally from the left end, until LOAD is known */
  LOAD, /* along the rope; NaN: unknown; below 0: minus the ends' distance, too large */
  N_SHAPE,
};
_Static_assert(N_SHAPE <= IFBAM_MAX_SHAPE, "shapes have room for a rope");

static void
shape_rope (const double *parameters, const double *left, const double *right, double *shape)
{
  const RopeLaw *law = (const RopeLaw *) (gconstpointer) parameters;

  memcpy (shape + LEFT, left, IFBAM_END_SIZE * sizeof *shape);
  memcpy (shape + RIGHT, right, IFBAM_END_SIZE * sizeof *shape);
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
fill_rope (double *shape, const double *position)
{
  RopeLoad load = load_of (shape);

  if (!isnan (shape[LOAD]))
    return FALSE;
  if (position != NULL)
    {
      const IfbamEnds ends = ifbam_ends_at (shape, position);
      const double distance =
          sqrt (ends.vector[0] * ends.vector[0] + ends.vector[1] * ends.vector[1]);
      const double at = ends.vector[0] > 0 ? -shape[AT] : shape[AT];

      if (distance >= (1 - ROPE_TAUT) * shape[LENGTH])
        shape[LOAD] = -distance;
      else if (!(shape[AT] > 0))
        shape[LOAD] = -shape[AT];
      else if (shape[AT] < fabs (ends.vector[0]))
        shape[LOAD] = rope_load_at (&load, -ends.vector[0], -ends.vector[1], at);
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
size_rope (const double *shape)
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
  const RopeShape rope = rope_hang (&load, -ends.vector[0], -ends.vector[1]);
  const double all = load.weight * load.length + load.force;
  const double along = rope.horizontal / all, up = rope.vertical / all;

  (void) rate;
  *delta = ends.left.point[1] + rope.energy / all;
  ifbam_end_row (&ends.left, -along, -up, row);
  ifbam_end_row (&ends.right, along, up + 1.0, row + ends.left.n);
}

static void
report_rope (const double *shape, const double *position, IfbamReportNumber report, gpointer data)
{
  const IfbamEnds ends = ifbam_ends_at (shape, position);
  const RopeLoad load = load_of (shape);
  const RopeShape rope = rope_hang (&load, -ends.vector[0], -ends.vector[1]);
  const double h = rope.horizontal, v = rope.vertical;
  const double before = v + load.weight * load.load;
  const double last = v + load.weight * load.length + load.force;
  const double x = ends.left.point[0], y = ends.left.point[1];

  report (data, "horizontal-force", "N", h);
  report (data, "tension-left", "N", rope_tension (h, v));
  report (data, "tension-right", "N", rope_tension (h, last));
  report (data, "slope-left", "", v / h);
  report (data, "slope-right", "", last / h);
  report (data, "lowest-x", "m", x + rope.lowest[0]);
  report (data, "lowest-y", "m", y + rope.lowest[1]);
  if (!(load.force > 0))
    return;
  report (data, "load-along", "m", load.load);
  report (data, "load-x", "m", x + rope.load_point[0]);
  report (data, "load-y", "m", y + rope.load_point[1]);
  report (data, "load-slope-left", "", before / h);
  report (data, "load-slope-right", "", (before + load.force) / h);
}

static void
trace_rope (const double *shape, const double *position, guint n, double *points)
{
  const IfbamEnds ends = ifbam_ends_at (shape, position);
  const RopeLoad load = load_of (shape);
  const RopeShape rope = rope_hang (&load, -ends.vector[0], -ends.vector[1]);

  for (guint i = 0; i < n; i++)
    {
      double *point = points + 2 * i;

      memcpy (point, ends.left.point, 2 * sizeof *point);
      rope_point (&load, &rope, load.length * i / (n - 1), &point[0], &point[1]);
    }
}

static const IfbamGeometry rope_geometry = { .name = "height",
                                             .shape = shape_rope,
                                             .fill = fill_rope,
                                             .fill_fault = fault_rope,
                                             .size = size_rope,
                                             .measure = measure_rope,
                                             .report = IFBAM_PRINTED (report_rope),
                                             .trace = trace_rope };

/* Laws: the weight, and the limit of the ends' distance */

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

static inline IfbamConstraint
rope_taut_constraint (const RopeLaw *p, int mode)
{
  (void) p, (void) mode;
  return (IfbamConstraint){ .idle = 1 };
}

static const char *const modes[] = { "slack", "taut", NULL };
static const char *const events[] = { "slack", "taut", NULL };

IFBAM_DEFINE_LAW (RopeLaw, rope_taut, (MODE, GUARDS, CONSTRAINT), .name = "taut", .modes = modes,
                  .events = events, .ends = &ifbam_stretch,
                  .ending = ": the ends are as far apart as the rope is long, which can only hang "
                            "there (give it more length, or links, with which it moves)")
IFBAM_DEFINE_LAW (RopeLaw, rope, (SMOOTH, SLOPES), .ends = &rope_geometry, .acts_on_fixed = TRUE,
                  .next = &rope_taut_law)

static char *
rope_fault (IfbamElement *element, const char **key)
{
  const RopeLaw *law = (const RopeLaw *) ifbam_element_law (element);
  const gboolean force = law->force > 0, mass = law->mass > 0;

  *key = "mass";
  if (force && mass)
    return g_strdup ("can't be combined with \"force\" (give one of them)");
  *key = "at";
  if (force != (law->at > 0))
    return g_strdup (
        force ? "is missing (want the force's horizontal distance from the left end, in m)"
              : "applies with a force only (with a mass want hangs-at)");
  *key = "hangs-at";
  if (mass != (law->hangs > 0))
    return g_strdup (
        mass ? "is missing (want the length of rope from the left end to the mass, in m)"
             : "applies with a mass only (with a force want at)");
  if (law->hangs > law->length)
    return g_strdup_printf ("is beyond the rope's %g m", law->length);
  if (law->links > 0 && law->hangs == law->length)
    return g_strdup ("is the rope's end: with links it hangs between two of them");
  *key = "links";
  if (law->links != (double) (gsize) law->links || law->links == 1)
    return g_strdup_printf ("%s is no number of links (want 2 or more)", IFBAM_NUMBER (law->links));
  return NULL;
}

static gpointer
rope_prepare (const IfbamElement *element, void *copy)
{
  RopeLaw *law = copy;

  (void) element;
  law->has_force = law->force > 0;
  return NULL;
}

/* In links: rods and balls. A ball bears half the weight of the adjacent rods, next to a free end
 * all of it. A ball is at the load. The start is the equilibrium. */

typedef struct
{
  RopeLoad load;
  double vector[2];  /* from the left end to the right one [m] */
  double start[2];   /* position of the left end [m] */
  gboolean moves[2]; /* TRUE: the end is free */
  gsize n, before;   /* rods, and rods before the load (all without one) */
  double rod[2];     /* length of a rod before and behind the load [m] */
} RopeCut;

static gboolean
rope_expands (const IfbamElement *element)
{
  return ((const RopeLaw *) ifbam_element_law (element))->links >= 1;
}

static gsize
links_of (const IfbamElement *element)
{
  const double links = ((const RopeLaw *) ifbam_element_law (element))->links;

  return links >= 2 && links <= MAX_LINKS ? (gsize) links : 2;
}

static void
rope_add_size (const IfbamElement *element, guint64 *nodes, guint64 *links)
{
  *nodes += 2 * (links_of (element) - 1);
  *links += links_of (element);
}

static char *const *
ends_of (const IfbamElement *element)
{
  char *const *names = ifbam_element_slots (element)[IFBAM_SLOT_BETWEEN];

  return names != NULL && g_strv_length ((char **) names) == 2 ? names : NULL;
}

/* Returns the gravity [m/s2]: of the field that acts on the rope, else its own. */
static double
gravity_of (const IfbamElement *element, IfbamBuilder *builder)
{
  const IfbamElement *field = builder->find_field (builder, element);
  const double gravity = field == NULL ? 0.0 : ifbam_element_value_of (field, "acceleration");

  return gravity > 0 ? gravity : ((const RopeLaw *) ifbam_element_law (element))->gravity;
}

/* Finds the load's position as the geometry does. Returns the fault (transfer full), or NULL. */
static char *
cut_rope (const IfbamElement *element, IfbamBuilder *builder, RopeCut *cut)
{
  static const double fixed[IFBAM_END_SIZE];
  char *const *names = ends_of (element);
  double right[IFBAM_END_SIZE] = { 0 }, shape[IFBAM_MAX_SHAPE];
  RopeLaw law = *(const RopeLaw *) ifbam_element_law (element);
  char *fault;

  *cut = (RopeCut){ .n = links_of (element) };
  cut->moves[0] = builder->find_start (builder, names[0], cut->start);
  cut->moves[1] = builder->find_start (builder, names[1], cut->vector);
  for (int c = 0; c < 2; c++)
    cut->vector[c] = right[1 + c] = cut->vector[c] - cut->start[c];
  law.gravity = gravity_of (element, builder);
  law.has_force = law.force > 0;
  shape_rope ((const double *) &law, fixed, right, shape);
  fill_rope (shape, fixed);
  fault = fault_rope (shape);
  cut->load = load_of (shape);
  cut->before = cut->n;
  if (fault == NULL && cut->load.force > 0)
    cut->before = (gsize) fmin (fmax (round ((double) cut->n * (cut->load.load / law.length)), 1.0),
                                (double) cut->n - 1.0);
  cut->rod[0] = (cut->before == cut->n ? law.length : cut->load.load) / (double) cut->before;
  cut->rod[1] =
      cut->before == cut->n ? 0.0 : (law.length - cut->load.load) / (double) (cut->n - cut->before);
  return fault;
}

static double
rod_of (const RopeCut *cut, gsize rod)
{
  return cut->rod[rod < cut->before ? 0 : 1];
}

/* Returns the mass of the ball behind a rod. */
static double
mass_of (const RopeCut *cut, const RopeLaw *law, gsize rod)
{
  double length = 0.5 * (rod_of (cut, rod) + rod_of (cut, rod + 1));

  if (rod == 0 && cut->moves[0])
    length += 0.5 * rod_of (cut, 0);
  if (rod + 2 == cut->n && cut->moves[1])
    length += 0.5 * rod_of (cut, cut->n - 1);
  return law->density * length + (rod + 1 == cut->before ? law->mass : 0.0);
}

/* Minimum width: with one end above the other the rope has a fold, which no rods can leave. */
#define FOLD 0.05

static double
width_of (const RopeCut *cut)
{
  const double length = cut->load.length, y = cut->vector[1];
  const double least = fmin (FOLD * length, 0.5 * sqrt (length * length - y * y));

  return fabs (cut->vector[0]) >= least ? cut->vector[0] : copysign (least, cut->vector[0]);
}

static void
rope_expand_nodes (IfbamElement *element, IfbamBuilder *builder)
{
  static const char *const tails[] = { "x", "y" };
  const IfbamElementInfo *info = ifbam_element_type_info (ifbam_mass_get_type ());
  const RopeLaw *law = (const RopeLaw *) ifbam_element_law (element);
  const gsize n = links_of (element) - 1;
  g_autofree double *mass = g_new (double, n), *position = g_new (double, 2 * n);
  IfbamSeries series[IFBAM_MAX_PARAMS] = { 0 };
  RopeShape rope = { 0 };
  double width = 0;
  RopeCut cut;
  char *fault;

  if (ends_of (element) == NULL)
    return; /* reported already */
  fault = cut_rope (element, builder, &cut);
  if (fault != NULL)
    builder->issue (builder, element, "between", fault);
  else
    {
      width = width_of (&cut);
      rope = rope_hang (&cut.load, width, cut.vector[1]);
    }
  for (gsize i = 0; i < n; i++)
    {
      const double along = (double) MIN (i + 1, cut.before) * cut.rod[0]
                           + (double) (MAX (i + 1, cut.before) - cut.before) * cut.rod[1];

      mass[i] = mass_of (&cut, law, i);
      position[i] = cut.start[0] + (cut.vector[0] - width) * (along / cut.load.length);
      position[n + i] = cut.start[1];
      if (fault == NULL)
        rope_point (&cut.load, &rope, along, &position[i], &position[n + i]);
    }
  for (guint c = 0; c < G_N_ELEMENTS (tails); c++)
    {
      const IfbamMember member = {
        .info = info, .letter = "m", .tail = tails[c], .is_guess = TRUE, .series = series
      };

      series[ifbam_element_param_index (info, "mass")] = (IfbamSeries){ mass, n, NULL };
      series[ifbam_element_param_index (info, "position")] =
          (IfbamSeries){ position + c * n, n, NULL };
      builder->add_nodes (builder, element, &member, n);
    }
}

/* Adds a source with one parameter (key) on `count` nodes from `first` on. */
static void
add_force (IfbamElement *element, IfbamBuilder *builder, GType type, const char *letter,
           const char *key, double value, gsize first, gsize count)
{
  const IfbamElementInfo *info = ifbam_element_type_info (type);
  IfbamSeries series[IFBAM_MAX_PARAMS] = { 0 };
  const IfbamMember member = { .info = info, .letter = letter, .series = series };

  series[ifbam_element_param_index (info, key)] = (IfbamSeries){ &value, 1, NULL };
  builder->add_source (builder, element, &member, first, count);
}

static void
rope_expand_links (IfbamElement *element, IfbamBuilder *builder)
{
  const IfbamElementInfo *info = ifbam_element_type_info (ifbam_rod_get_type ());
  const RopeLaw *law = (const RopeLaw *) ifbam_element_law (element);
  const IfbamElement *field = builder->find_field (builder, element);
  const int gravity = ifbam_element_param_index (element->info, "gravity");
  char *const *names = ends_of (element);
  const gsize n = links_of (element) - 1;
  g_autofree double *length = g_new (double, n + 1);
  IfbamSeries series[IFBAM_MAX_PARAMS] = { 0 };
  const IfbamMember member = { .info = info, .letter = "r", .series = series };
  gsize first;
  RopeCut cut;

  if (names == NULL)
    return; /* reported already */
  if (field != NULL && ifbam_element_is_set (element, (guint) gravity))
    builder->issue (
        builder, element, "gravity",
        g_strdup_printf ("\"%s\" acts on it already (leave one of them out)", field->name));
  g_free (cut_rope (element, builder, &cut));
  for (gsize i = 0; i <= n; i++)
    length[i] = rod_of (&cut, i);
  series[ifbam_element_param_index (info, "length")] = (IfbamSeries){ length, n + 1, NULL };
  builder->add_plane_path (builder, element, &member, names[0], names[1], n);
  first = builder->first_node (builder, element) + n; /* the first y */
  if (field == NULL)
    add_force (element, builder, ifbam_gravity_get_type (), "weight", "acceleration", law->gravity,
               first, n);
  if (law->force > 0 && cut.before <= n)
    add_force (element, builder, ifbam_force_get_type (), "load", "value", -law->force,
               first + cut.before - 1, 1);
}

/* Returns half the weight of a rod. */
static double
half_rod (const RopeLaw *law, const IfbamPathAtRest *path, gsize rod)
{
  const double *left = path->points + 2 * rod, *right = left + 2;

  return 0.5 * path->gravity * law->density
         * sqrt ((right[0] - left[0]) * (right[0] - left[0])
                 + (right[1] - left[1]) * (right[1] - left[1]));
}

/* Returns the force of a rod on its left end, along an axis. */
static double
force_along (const IfbamPathAtRest *path, gsize rod, int axis)
{
  const double *left = path->points + 2 * rod, *right = left + 2;

  return -path->force[rod] * (right[axis] - left[axis])
         / sqrt ((right[0] - left[0]) * (right[0] - left[0])
                 + (right[1] - left[1]) * (right[1] - left[1]));
}

/* Finds the ball with the largest load: the force in excess of the rods' weight. */
static gsize
find_load (const RopeLaw *law, const IfbamPathAtRest *path)
{
  double most = 0.0;
  gsize found = 1;

  for (gsize i = 1; i < path->n; i++)
    {
      double load = force_along (path, i, 1) - force_along (path, i - 1, 1)
                    - half_rod (law, path, i - 1) - half_rod (law, path, i);

      load -= i == 1 && !path->fixed[0] ? half_rod (law, path, 0) : 0.0;
      load -= i + 1 == path->n && !path->fixed[1] ? half_rod (law, path, i) : 0.0;
      if (load > most)
        {
          most = load;
          found = i;
        }
    }
  return found;
}

static void
rope_report_path (const IfbamElement *element, const IfbamPathAtRest *path,
                  IfbamReportNumber report, gpointer data)
{
  const RopeLaw *law = (const RopeLaw *) ifbam_element_law (element);
  const gsize n = path->n, at = find_load (law, path);
  const double h = force_along (path, n / 2, 0);
  const double first = force_along (path, 0, 1) - (path->fixed[0] ? half_rod (law, path, 0) : 0.0);
  const double last =
      force_along (path, n - 1, 1) + (path->fixed[1] ? half_rod (law, path, n - 1) : 0.0);
  gsize lowest = 0;

  for (gsize i = 1; i <= n; i++)
    if (path->points[2 * i + 1] < path->points[2 * lowest + 1])
      lowest = i;
  report (data, "horizontal-force", "N", h);
  report (data, "tension-left", "N", rope_tension (h, first));
  report (data, "tension-right", "N", rope_tension (h, last));
  report (data, "slope-left", "", first / h);
  report (data, "slope-right", "", last / h);
  report (data, "lowest-x", "m", path->points[2 * lowest]);
  report (data, "lowest-y", "m", path->points[2 * lowest + 1]);
  if (!(law->force > 0 || law->mass > 0))
    return;
  {
    double along = 0.0;

    for (gsize i = 0; i < at; i++)
      {
        const double dx = path->points[2 * i + 2] - path->points[2 * i];
        const double dy = path->points[2 * i + 3] - path->points[2 * i + 1];

        along += sqrt (dx * dx + dy * dy);
      }
    report (data, "load-along", "m", along);
  }
  report (data, "load-x", "m", path->points[2 * at]);
  report (data, "load-y", "m", path->points[2 * at + 1]);
  report (data, "load-slope-left", "",
          (force_along (path, at - 1, 1) + half_rod (law, path, at - 1)) / h);
  report (data, "load-slope-right", "", (force_along (path, at, 1) - half_rod (law, path, at)) / h);
}

IFBAM_DEFINE_LINK (
    Rope, rope, RopeLaw, rope, .name = "rope",
    .summary = "heavy rope between two points, with a load",
    .law = "density * gravity * sqrt(1 + y'^2) + force at one point = H * y''; constant length",
    .source = "Jakob Bernoulli 1691; Irvine 1981, Cable structures, chapter 2",
    .example = "[rope r]\nlength   = 12 m\ndensity  = 0.5 kg/m\nmass     = 2 kg\n"
               "hangs-at = 5 m\nbetween  = left, right\n",
    .symbol = "M-20-6q20 24 40 0", .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_BETWEEN_ENDS,
    .fault = rope_fault, .prepare = rope_prepare, .expands = rope_expands,
    .add_size = rope_add_size, .expand_nodes = rope_expand_nodes, .expand_links = rope_expand_links,
    .report = IFBAM_PRINTED (rope_report_path))
