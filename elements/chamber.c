/* chamber.c: chamber between pipes, with gas or compressible liquid
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/chamber-law.h"

static const IfbamParam chamber_params[] = {
  IFBAM_PARAM (ChamberLaw, volume, "volume", "m3", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "of the gas, or of the liquid, where its compression is 0"),
  IFBAM_PARAM (ChamberLaw, pressure, "pressure", "Pa", 0, G_MAXDOUBLE, 100e3,
               "at a compression of 0, absolute"),
  IFBAM_PARAM (ChamberLaw, ambient, "ambient", "Pa", 0, G_MAXDOUBLE, 100e3,
               "of the surroundings, absolute"),
  IFBAM_PARAM (ChamberLaw, exponent, "exponent", "", 1, 3, 1.4,
               "of a gas: 1 isothermal, 1.4 adiabatic for air"),
  IFBAM_PARAM (ChamberLaw, compressibility, "compressibility", "1/Pa", 0, G_MAXDOUBLE, 0,
               "of a liquid (oil: about 0.7 GPa-1); 0: it contains gas"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 2, 2, IFBAM_REQUIRED,
                         "the pipe that leads from it, and the one that leads to it: OUT, IN"),
};

static char *
chamber_fault (IfbamElement *element, const char **key)
{
  const ChamberLaw *law = (const ChamberLaw *) ifbam_element_law (element);

  *key = "exponent";
  return law->compressibility > 0 && law->exponent != 1.4
             ? g_strdup ("applies to a gas, compressibility to a liquid (want one of them)")
             : NULL;
}

IFBAM_DEFINE_LAW (ChamberLaw, chamber, (SMOOTH, SLOPES, DIFFERENCE_3))

IFBAM_DEFINE_LINK (
    Chamber, chamber, ChamberLaw, chamber, .name = "chamber",
    .summary = "chamber between pipes, with gas or a compressible liquid",
    .law = "p = pressure * (volume / (volume - compression))^exponent - ambient; liquid: "
           "p = pressure - ambient + compression / (compressibility * volume)",
    .source = "gas: Poisson 1823; Merritt 1967, Hydraulic control systems, chapter 2",
    .example = "[chamber air]\nvolume   = 0.2 l\npressure = 5 bar\n"
               "between  = column, pump\n",
    .symbol = "M-20 0h10M-10 0a10 10 0 1 1 20 0 10 10 0 1 1-20 0M-10 0h20M10 0h10",
    .domain = IFBAM_DOMAIN_HYDRAULICS, .backward = TRUE, .fault = chamber_fault)
