/* ball.c: a ball in the plane: two coordinates of one mass, and a radius
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "element/builder.h"
#include "elements/elements.h"

typedef struct
{
  double mass;   /* [kg] */
  double radius; /* [m] */
  double x, y;   /* of its middle at the start [m] */
  double vx, vy; /* [m/s] */
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
};

/* Each coordinate is a mass: which of the ball's numbers it has. */
static const struct
{
  const char *letter;
  gsize start, velocity; /* places in the law */
} coordinates[] = {
  { "x", offsetof (BallLaw, x), offsetof (BallLaw, vx) },
  { "y", offsetof (BallLaw, y), offsetof (BallLaw, vy) },
};

static void
ball_expand_nodes (IfbamElement *element, IfbamBuilder *builder)
{
  const IfbamElementInfo *info = ifbam_element_type_info (ifbam_mass_get_type ());
  const char *law = (const char *) ifbam_element_law (element);

  for (guint c = 0; c < G_N_ELEMENTS (coordinates); c++)
    {
      const struct
      {
        const char *key;
        gsize place;
      } numbers[] = { { "mass", offsetof (BallLaw, mass) },
                      { "position", coordinates[c].start },
                      { "velocity", coordinates[c].velocity } };
      IfbamSeries series[IFBAM_MAX_LAW] = { 0 };
      IfbamMember member = {
        .info = info, .letter = coordinates[c].letter, .lone = TRUE, .series = series
      };

      for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
        series[ifbam_element_param_index (info, numbers[k].key)] =
            (IfbamSeries){ (const double *) (gconstpointer) (law + numbers[k].place), 1, NULL };
      builder->add_nodes (builder, element, &member, 1);
    }
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
  shape[0] = ((const BallLaw *) ifbam_element_law (element))->radius;
}

static gboolean
ball_set_member (IfbamElement *element, const char *member, const char *key, const char *text,
                 IfbamNumberReader read, char **reason)
{
  (void) text, (void) read;
  *reason = g_strdup_printf ("\"%s.%s\" is a coordinate of the ball \"%s\" and has no key \"%s\" "
                             "(set %s.%s)",
                             element->name, member, element->name, key, element->name,
                             ifbam_element_param_index (element->info, key) < 0 ? member : key);
  return FALSE;
}

static const IfbamElementInfo ball_info = {
  .name = "ball",
  .summary = "ball in the plane that does not turn",
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
  .set_member = ball_set_member,
};

IFBAM_DEFINE_ELEMENT (Ball, ball)
