/* surface.c: ground with waves, for balls
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/surface-law.h"
#include "element/element.h"

static const IfbamParam surface_params[] = {
  IFBAM_PARAM (SurfaceLaw, height, "height", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its middle line"),
  IFBAM_PARAM (SurfaceLaw, amplitude, "amplitude", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its waves; 0 is a level ground"),
  IFBAM_PARAM (SurfaceLaw, wavelength, "wavelength", "m", G_MINDOUBLE, G_MAXDOUBLE, 0,
               "of its waves; needed with an amplitude"),
};

static void
surface_shape (const IfbamElement *element, double *shape)
{
  const SurfaceLaw *law = (const SurfaceLaw *) ifbam_element_law (element);

  shape[0] = law->amplitude;
  shape[1] = law->wavelength;
}

static char *
surface_fault (IfbamElement *element, const char **key)
{
  const SurfaceLaw *law = (const SurfaceLaw *) ifbam_element_law (element);

  if (law->amplitude == 0 || law->wavelength > 0)
    return NULL;
  *key = "amplitude";
  return g_strdup ("a surface with an amplitude needs its wavelength, too");
}

IFBAM_DEFINE_GIVEN_NODE (Surface, surface, SurfaceLaw, surface, .name = "surface",
                         .summary = "ground for balls, level or wavy",
                         .law = "y = height + amplitude * sin(2 pi x / wavelength)",
                         .source = "Gallois 2014, OpenModelica Annual Workshop, Linkoping",
                         .example = "[surface hills]\namplitude  = 20 cm\nwavelength = 3 m\n",
                         .symbol = "M0-28c6 9.3 6 9.3 0 18.7s-6 9.3 0 18.6 6 9.4 0 18.7"
                                   "M0-20l-10 8M0-4l-10 8M0 12l-10 8",
                         .domain = IFBAM_DOMAIN_TRANSLATION, .fixed = TRUE,
                         .form = IFBAM_FORM_SURFACE, .shape = surface_shape, .fault = surface_fault)
