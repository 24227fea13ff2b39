/* damping.c: Rayleigh damping: dampers beside all springs, and from all masses to ground
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/number-text.h"
#include "base/sine.h"
#include "element/element.h"
#include "elements/elements.h"

enum
{
  RATIO,
  FREQUENCIES,
  N_SLOTS,
};

typedef struct
{
  double alpha; /* [1/s] */
  double beta;  /* [s] */
  double loss;
} DampingLaw;

static const IfbamParam damping_params[] = {
  IFBAM_PARAM (DampingLaw, alpha, "alpha", "1/s", 0, G_MAXDOUBLE, 0,
               "of each inertia: the damping of its damper to rest"),
  IFBAM_PARAM (DampingLaw, beta, "beta", "s", 0, G_MAXDOUBLE, 0,
               "of each stiffness: the damping of the damper beside it"),
  IFBAM_PARAM (DampingLaw, loss, "loss", "", 0, G_MAXDOUBLE, 0,
               "of each stiffness: its imaginary part in frequency responses, and only there"),
  IFBAM_PARAM_LIST (RATIO, "ratio", "", 0, G_MAXDOUBLE, 0,
                    "instead: the damping ratio of modes at two frequencies: one for both, or two"),
  IFBAM_PARAM_LIST (FREQUENCIES, "frequencies", "Hz", G_MINDOUBLE, G_MAXDOUBLE, 0,
                    "these: the lower, the upper one"),
};

/* A mode of angular frequency w has the damping ratio (alpha/w + beta w)/2. */
static DampingLaw
damping_law (const IfbamElement *element)
{
  DampingLaw law = *(const DampingLaw *) ifbam_element_law (element);
  gsize n, m;
  const double *ratio = ifbam_element_list (element, RATIO, &n);
  const double *frequency = ifbam_element_list (element, FREQUENCIES, &m);
  double low, high, first, second;

  if (n < 1 || m != 2 || !(frequency[1] > frequency[0]))
    return law;
  low = IFBAM_TWO_PI * frequency[0], high = IFBAM_TWO_PI * frequency[1];
  first = ratio[0], second = ratio[n - 1];
  law.alpha = 2 * low * high * (first * high - second * low) / (high * high - low * low);
  law.beta = 2 * (second * high - first * low) / (high * high - low * low);
  return law;
}

static char *
damping_fault (IfbamElement *element, const char **key)
{
  const DampingLaw *law = (const DampingLaw *) ifbam_element_law (element);
  gsize n, m;
  const gboolean ratio = ifbam_element_list (element, RATIO, &n) != NULL;
  const double *frequency = ifbam_element_list (element, FREQUENCIES, &m);
  DampingLaw made;

  *key = ratio ? "frequencies" : "ratio";
  if (ratio != (frequency != NULL))
    return g_strdup_printf ("is missing (%s)", ratio ? "want two, at which the ratio holds"
                                                     : "want the ratio at the frequencies");
  *key = law->alpha != 0 ? "alpha" : "beta";
  if (ratio && (law->alpha != 0 || law->beta != 0))
    return g_strdup ("can't be combined with \"ratio\" (the ratio determines alpha and beta)");
  if (!ratio)
    return NULL;
  *key = "ratio";
  if (n > 2)
    return g_strdup_printf ("%" G_GSIZE_FORMAT " of them (want one, or one for each frequency)", n);
  *key = "frequencies";
  if (m != 2)
    return g_strdup_printf ("%" G_GSIZE_FORMAT " of them (want two)", m);
  if (!(frequency[1] > frequency[0]))
    return g_strdup_printf ("%s Hz is not above %s Hz", IFBAM_NUMBER (frequency[1]),
                            IFBAM_NUMBER (frequency[0]));
  made = damping_law (element);
  *key = "ratio";
  if (made.alpha < 0 || made.beta < 0)
    return g_strdup_printf (
        "Rayleigh damping can't have these ratios: %s would be %s (want ratios that differ less)",
        made.alpha < 0 ? "alpha" : "beta", IFBAM_NUMBER (made.alpha < 0 ? made.alpha : made.beta));
  return NULL;
}

static void
damping_expand_nodes (IfbamElement *element, IfbamBuilder *builder)
{
  (void) element, (void) builder;
}

static void
damping_expand_links (IfbamElement *element, IfbamBuilder *builder)
{
  const DampingLaw law = damping_law (element);
  IfbamSeries series[2] = { { NULL, 0, NULL }, { NULL, 0, NULL } };
  const struct
  {
    GType type;
    const char *beside, *to_rest;
  } kinds[] = { { ifbam_damper_get_type (), "spring", "mass" },
                { ifbam_torsion_damper_get_type (), "torsion", "inertia" } };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (kinds[k].type);
      const IfbamMember beside = { .info = info, .letter = kinds[k].beside, .series = series };
      const IfbamMember to_rest = { .info = info, .letter = kinds[k].to_rest, .series = series };

      if (law.beta > 0 || law.loss > 0)
        builder->add_dampers (builder, element, &beside, TRUE, law.beta);
      if (law.alpha > 0)
        builder->add_dampers (builder, element, &to_rest, FALSE, law.alpha);
    }
}

static const IfbamElementInfo damping_info = {
  .name = "damping",
  .summary =
      "Rayleigh damping: dampers beside all springs along lines, and from all masses to rest",
  .law = "beside a spring: damping = beta * stiffness; from a mass to rest: alpha * inertia; "
         "in responses a stiffness is stiffness * (1 + i loss)",
  .source = "Rayleigh 1877, The theory of sound, section 97; Clough & Penzien 1975, chapter 13",
  .example = "[damping all]\nalpha = 0.2 1/s\nbeta  = 1 ms\n",
  .kind = IFBAM_KIND_COMPOSITE,
  .domain = IFBAM_DOMAIN_ANY,
  .domains = 1u << IFBAM_DOMAIN_TRANSLATION | 1u << IFBAM_DOMAIN_ROTATION,
  IFBAM_PARAMS_OF (damping),
  .law_size = sizeof (DampingLaw),
  .n_slots = N_SLOTS,
  .fault = damping_fault,
  .damps = TRUE,
  .expand_nodes = damping_expand_nodes,
  .expand_links = damping_expand_links,
};

IFBAM_DEFINE_ELEMENT (Damping, damping)
