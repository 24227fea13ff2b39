/* ball.c: a ball in the plane: a mass with two coordinates, a radius, and an angle or, on a table,
 * two
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/coordinates.h"

typedef struct
{
  double mass;           /* [kg] */
  double radius;         /* [m] */
  double x, y;           /* position of its middle at the start [m] */
  double vx, vy;         /* [m/s] */
  double speed;          /* [rad/s] */
  double inertia;        /* about its middle; 0: the ball does not turn [kg m2] */
  double angle;          /* [rad] */
  double table;          /* TRUE: seen from above, on a table */
  double turn_x, turn_y; /* on a table: angular speeds about x and y [rad/s] */
} BallLaw;

static const char *const choices[] = { "no", "yes", NULL };

/* Inertia of a shape as a fraction of mass radius^2: solid ball, hollow ball, disc, ring. */
static const char *const shapes[] = { "solid", "hollow", "disc", "ring", NULL };
static const double part_of_shape[] = { 0.4, 2.0 / 3.0, 0.5, 1.0 };

static const IfbamParam params[] = {
  IFBAM_PARAM_ADVISED (BallLaw, mass, "mass", "kg", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
                       "its inertia", "where nothing but rods meet, give it a small mass"),
  IFBAM_PARAM (BallLaw, radius, "radius", "m", 0, G_MAXDOUBLE, 0, "radius of contact"),
  IFBAM_PARAM (BallLaw, x, "x", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its middle at the start, to the right"),
  IFBAM_PARAM (BallLaw, y, "y", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its middle at the start, upward"),
  IFBAM_PARAM (BallLaw, vx, "vx", "m/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "velocity along x at the start"),
  IFBAM_PARAM (BallLaw, vy, "vy", "m/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "velocity along y at the start"),
  IFBAM_PARAM (BallLaw, speed, "speed", "rad/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "at the start, counterclockwise; without inertia constant, and only for magnus"),
  IFBAM_PARAM_OR_WORD (BallLaw, inertia, "inertia", "kg m2", 0, G_MAXDOUBLE, 0,
                       "moment of inertia, or shape; the ball can then turn", shapes),
  IFBAM_PARAM (BallLaw, angle, "angle", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "at the start, counterclockwise; needs an inertia"),
  IFBAM_PARAM_WORD (BallLaw, table, "table", choices, 0,
                    "seen from above: it turns about x and y; needs an inertia"),
  IFBAM_PARAM (BallLaw, turn_x, "turn-x", "rad/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "on a table: how fast it turns about x at the start"),
  IFBAM_PARAM (BallLaw, turn_y, "turn-y", "rad/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "on a table: how fast it turns about y at the start (vx / radius where it rolls)"),
};

static double
ball_inertia (const IfbamElement *element)
{
  const BallLaw *law = (const BallLaw *) ifbam_element_law (element);

  for (int i = 0; shapes[i] != NULL; i++)
    if (law->inertia == ifbam_param_word_number (i))
      return part_of_shape[i] * law->mass * law->radius * law->radius;
  return law->inertia;
}

static guint
ball_form (const IfbamElement *element)
{
  const BallLaw *law = (const BallLaw *) ifbam_element_law (element);

  return law->table != 0     ? IFBAM_FORM_TABLE
         : law->inertia != 0 ? IFBAM_FORM_ROUND
                             : IFBAM_FORM_BALL;
}

static const IfbamCoordinate coordinates[] = {
  { "x", FALSE, "mass", "x", "vx", NULL },
  { "y", FALSE, "mass", "y", "vy", NULL },
  { "angle", TRUE, "inertia", "angle", "speed", ball_inertia },
};

static const IfbamCoordinate table_coordinates[] = {
  { "x", FALSE, "mass", "x", "vx", NULL },
  { "y", FALSE, "mass", "y", "vy", NULL },
  { "turn-x", TRUE, "inertia", NULL, "turn-x", ball_inertia },
  { "turn-y", TRUE, "inertia", NULL, "turn-y", ball_inertia },
};

static void
ball_expand_nodes (IfbamElement *element, IfbamBuilder *builder)
{
  ifbam_coordinates_expand (
      element, builder, ball_form (element) == IFBAM_FORM_TABLE ? table_coordinates : coordinates,
      ifbam_element_n_coordinates (element));
}

static void
ball_expand_links (IfbamElement *element, IfbamBuilder *builder)
{
  (void) element;
  (void) builder;
}

static void
ball_shape (const IfbamElement *element, double *shape)
{
  const BallLaw *law = (const BallLaw *) ifbam_element_law (element);

  shape[0] = law->radius;
  shape[1] = ball_form (element) == IFBAM_FORM_TABLE ? law->mass : law->speed;
}

static char *
ball_fault (IfbamElement *element, const char **key)
{
  const BallLaw *law = (const BallLaw *) ifbam_element_law (element);

  *key = "inertia";
  if (law->table != 0 && law->inertia == 0)
    return g_strdup ("is needed on a table, where a ball turns (such as \"solid\")");
  if (ball_form (element) != IFBAM_FORM_BALL && !(ball_inertia (element) >= G_MINDOUBLE))
    return g_strdup_printf ("%s too little to be divided by",
                            law->radius > 0 ? "is" : "needs a radius: without one it is");
  *key = law->angle != 0 ? "angle" : "speed";
  if (law->table != 0 && (law->angle != 0 || law->speed != 0))
    return g_strdup ("on a table a ball turns about x and y (use turn-x and turn-y)");
  *key = law->turn_x != 0 ? "turn-x" : "turn-y";
  if (law->table == 0 && (law->turn_x != 0 || law->turn_y != 0))
    return g_strdup ("applies to a ball on a table only (want table = yes, or speed)");
  *key = "angle";
  return law->inertia == 0 && law->angle != 0 ? g_strdup ("needs an inertia (such as \"solid\")")
                                              : NULL;
}

static const IfbamElementInfo ball_info = {
  .name = "ball",
  .summary = "ball in the plane; with an inertia it turns",
  .law = "mass * acceleration = sum of the forces, along x and along y; inertia * angular "
         "acceleration = sum of their moments",
  .source = "Newton 1687",
  .example = "[ball b]\nmass   = 1.1 kg\nradius = 10 cm\ny      = 2 m\nvx     = 1 m/s\n",
  .symbol = "M-20 0c0-11 9-20 20-20s20 9 20 20-9 20-20 20-20-9-20-20z",
  .kind = IFBAM_KIND_COMPOSITE,
  .domain = IFBAM_DOMAIN_TRANSLATION,
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .law_size = sizeof (BallLaw),
  .form = IFBAM_FORM_BALL,
  .form_of = ball_form,
  .n_coordinates = 2,
  .shape = ball_shape,
  .fault = ball_fault,
  .expand_nodes = ball_expand_nodes,
  .expand_links = ball_expand_links,
  .set_member = ifbam_coordinates_set_member,
};

IFBAM_DEFINE_ELEMENT (Ball, ball)
