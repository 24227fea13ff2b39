/* ball.c: a ball in the plane: two coordinates of one mass, and a radius
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/coordinates.h"

typedef struct
{
  double mass;   /* [kg] */
  double radius; /* [m] */
  double x, y;   /* of its middle at the start [m] */
  double vx, vy; /* [m/s] */
  double speed;  /* [rad/s] */
} BallLaw;

static const IfbamParam params[] = {
  IFBAM_PARAM (BallLaw, mass, "mass", "kg", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "its inertia"),
  IFBAM_PARAM (BallLaw, radius, "radius", "m", 0, G_MAXDOUBLE, 0,
               "from its middle to what it hits"),
  IFBAM_PARAM (BallLaw, x, "x", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its middle at the start, to the right"),
  IFBAM_PARAM (BallLaw, y, "y", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its middle at the start, upward"),
  IFBAM_PARAM (BallLaw, vx, "vx", "m/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "velocity along x at the start"),
  IFBAM_PARAM (BallLaw, vy, "vy", "m/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "velocity along y at the start"),
  IFBAM_PARAM (BallLaw, speed, "speed", "rad/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "at which it turns all the time, counterclockwise; only magnus takes an interest"),
};

static const IfbamCoordinate coordinates[] = {
  { "x", FALSE, "mass", "x", "vx" },
  { "y", FALSE, "mass", "y", "vy" },
};

static void
ball_expand_nodes (IfbamElement *element, IfbamBuilder *builder)
{
  ifbam_coordinates_expand (element, builder, coordinates, G_N_ELEMENTS (coordinates));
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
  shape[1] = law->speed;
}

static const IfbamElementInfo ball_info = {
  .name = "ball",
  .summary = "ball in the plane; how it turns is given",
  .law = "mass * acceleration = sum of the forces, along x and along y",
  .source = "Newton 1687",
  .example = "[ball b]\nmass   = 1.1 kg\nradius = 10 cm\ny      = 2 m\nvx     = 1 m/s\n",
  .symbol = "M-20 0c0-11 9-20 20-20s20 9 20 20-9 20-20 20-20-9-20-20z",
  .kind = IFBAM_KIND_COMPOSITE,
  .domain = IFBAM_DOMAIN_TRANSLATION,
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .law_size = sizeof (BallLaw),
  .form = IFBAM_FORM_BALL,
  .n_coordinates = G_N_ELEMENTS (coordinates),
  .shape = ball_shape,
  .expand_nodes = ball_expand_nodes,
  .expand_links = ball_expand_links,
  .set_member = ifbam_coordinates_set_member,
};

IFBAM_DEFINE_ELEMENT (Ball, ball)
