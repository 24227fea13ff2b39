/* body.c: a rigid body in the plane: the coordinates of its centre of mass, and its angle
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/coordinates.h"

typedef struct
{
  double mass;    /* [kg] */
  double inertia; /* about the centre of mass [kg m2] */
  double x, y;    /* centre of mass at the start [m] */
  double angle;   /* [rad] */
  double vx, vy;  /* [m/s] */
  double speed;   /* [rad/s] */
} BodyLaw;

static const IfbamParam params[] = {
  IFBAM_PARAM_ADVISED (BodyLaw, mass, "mass", "kg", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
                       "its mass", "a bar without mass is a rod between its ends"),
  IFBAM_PARAM_ADVISED (BodyLaw, inertia, "inertia", "kg m2", G_MINDOUBLE, G_MAXDOUBLE,
                       IFBAM_REQUIRED, "its moment of inertia about the centre of mass",
                       "a bar without mass is a rod between its ends; mass at one point is a ball"),
  IFBAM_PARAM (BodyLaw, x, "x", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its centre of mass at the start, to the right"),
  IFBAM_PARAM (BodyLaw, y, "y", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its centre of mass at the start, upward"),
  IFBAM_PARAM (BodyLaw, angle, "angle", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "at the start, counterclockwise"),
  IFBAM_PARAM (BodyLaw, vx, "vx", "m/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "velocity along x at the start"),
  IFBAM_PARAM (BodyLaw, vy, "vy", "m/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "velocity along y at the start"),
  IFBAM_PARAM (BodyLaw, speed, "speed", "rad/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "angular speed at the start, counterclockwise"),
};

static const IfbamCoordinate coordinates[] = {
  { "x", FALSE, "mass", "x", "vx", NULL },
  { "y", FALSE, "mass", "y", "vy", NULL },
  { "angle", TRUE, "inertia", "angle", "speed", NULL },
};

static void
body_expand_nodes (IfbamElement *element, IfbamBuilder *builder)
{
  ifbam_coordinates_expand (element, builder, coordinates, G_N_ELEMENTS (coordinates));
}

static void
body_expand_links (IfbamElement *element, IfbamBuilder *builder)
{
  (void) element, (void) builder;
}

static const IfbamElementInfo body_info = {
  .name = "body",
  .summary = "rigid body in the plane",
  .law = "mass * acceleration = sum of the forces; inertia * angular acceleration = sum of their "
         "moments about the centre of mass; unspecified start values are computed, so that rods, "
         "hinges and other constraints fit",
  .source = "Newton 1687; Euler 1775",
  .example = "[body crank]\nmass    = 5 kg\ninertia = 0.1 kg m2\nangle   = 90 deg\n",
  .symbol = "M-20-17l3-3h34l3 3v34l-3 3h-34l-3-3z",
  .kind = IFBAM_KIND_COMPOSITE,
  .domain = IFBAM_DOMAIN_TRANSLATION,
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .law_size = sizeof (BodyLaw),
  .form = IFBAM_FORM_BODY,
  .n_coordinates = G_N_ELEMENTS (coordinates),
  .expand_nodes = body_expand_nodes,
  .expand_links = body_expand_links,
  .set_member = ifbam_coordinates_set_member,
};

IFBAM_DEFINE_ELEMENT (Body, body)
