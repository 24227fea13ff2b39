/* spring.c: ideal spring between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/spring-law.h"

typedef struct
{
  SpringLaw law;
  double length; /* [m] */
  double loss;   /* structural, in frequency responses */
} SpringInPlane;

/* The spring between two angles */
typedef struct
{
  SpringLaw law;
  double loss;
} TwistLaw;

#define SPRING_LOSS(Law)                                                                           \
  IFBAM_PARAM (Law, loss, "loss", "", 0, G_MAXDOUBLE, 0,                                           \
               "structural loss factor, in frequency responses only: stiffness k (1 + i loss)")

static const IfbamParam spring_params[] = {
  IFBAM_PARAM_ADVISED (SpringInPlane, law.stiffness, "stiffness", "N/m", 0, G_MAXDOUBLE,
                       IFBAM_REQUIRED, "force per unit of compression",
                       "a [characteristic] may have a negative slope"),
  IFBAM_PARAM (SpringInPlane, law.quadratic, "quadratic", "N/m2", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "force per square of compression: above 0 it hardens where it is compressed, and "
               "softens where it is stretched"),
  IFBAM_PARAM (SpringInPlane, law.cubic, "cubic", "N/m3", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "force per cube of compression: it hardens; below 0 it softens"),
  IFBAM_PARAM_LENGTH (SpringInPlane),
  SPRING_LOSS (SpringInPlane),
  IFBAM_PARAM_BETWEEN_ANY,
};

IFBAM_DEFINE_LAW (SpringLaw, spring, (SMOOTH, SLOPES, DIFFERENCE_1_2), .ends = &ifbam_distance,
                  .first_of_ends = IFBAM_N_DOUBLES (SpringLaw))

IFBAM_DEFINE_LINK (Spring, spring, SpringInPlane, spring, .name = "spring",
                   .summary = "spring, linear or with a quadratic and a cubic term",
                   .law = "F = stiffness * compression + quadratic * compression^2 + cubic * "
                          "compression^3",
                   .source = "Grabysz 1994, eq. 4.3; Helmholtz 1863; Duffing 1918",
                   .example = "[spring k1]\nstiffness = 10 kN/m\nbetween   = wall, m1\n",
                   .symbol = "M-20 0h5l2.5-8 5 16 5-16 5 16 5-16 5 16 2.5-8h5",
                   .domain = IFBAM_DOMAIN_TRANSLATION,
                   .forms = IFBAM_BETWEEN_NODES | IFBAM_BETWEEN_ENDS)

/* The spring's law between two angles */

static const IfbamParam torsion_spring_params[] = {
  IFBAM_PARAM_ADVISED (TwistLaw, law.stiffness, "stiffness", "N m/rad", 0, G_MAXDOUBLE,
                       IFBAM_REQUIRED, "torque per unit of twist",
                       "a [torsion-characteristic] may have a negative slope"),
  IFBAM_PARAM (TwistLaw, law.quadratic, "quadratic", "N m/rad2", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "torque per square of twist, whatever its sign"),
  IFBAM_PARAM (TwistLaw, law.cubic, "cubic", "N m/rad3", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "torque per cube of twist: it hardens; below 0 it softens"),
  SPRING_LOSS (TwistLaw),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LINK (TorsionSpring, torsion_spring, TwistLaw, spring, .name = "torsion-spring",
                   .summary = "torsion spring, linear or with a quadratic and a cubic term",
                   .law = "T = stiffness * twist + quadratic * twist^2 + cubic * twist^3",
                   .source = "Grabysz 1994, eq. 4.3, for angle and torque; Duffing 1918",
                   .example = "[torsion-spring shaft]\nstiffness = 2 kN m/rad\n"
                              "between   = motor, load\n",
                   .symbol = "M-20 0h6M-14-7h28v14h-28zM-9 7l6-14M-2 7l6-14M5 7l6-14M14 0h6",
                   .domain = IFBAM_DOMAIN_ROTATION)
