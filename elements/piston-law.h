/* piston-law.h: piston between what moves along a line and the liquid in a pipe; freestanding C
 *
 *   delta = area x_left - V_right, which stays what it is: area v_left = flow_right
 *
 * The reaction is the pressure on the liquid [Pa]; what moves feels area times it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double area; /* first: the geometry takes it from here [m2] */
} PistonLaw;

static inline int
piston_mode (const PistonLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_HELD;
}

static inline IfbamRelation
piston_relation (const PistonLaw *p, int mode)
{
  (void) p, (void) mode;
  return (IfbamRelation){ .kind = IFBAM_RELATION_RIGID, .idle = 1 };
}
