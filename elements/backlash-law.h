/* backlash-law.h: elastic link with play: two flanks that only push; freestanding C
 *
 *   forward    delta > play/2:   F = stiffness (delta - play/2) and damping >= 0
 *   backward   delta < -play/2:  F = stiffness (delta + play/2) and damping <= 0
 *   free       between, F = 0
 *   parted     beyond a flank's play, but the damper would pull: F = 0
 *   limited    F = 2 stiffness (delta -/+ play/2): the limit of a bounded damper
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/contact-law.h"

typedef struct
{
  double stiffness; /* [N/m] */
  double play;      /* total clearance [m] */
  DampedLaw damped;
} BacklashLaw;

enum
{
  BACKLASH_FREE,
  BACKLASH_FORWARD,
  BACKLASH_FORWARD_PARTED,
  BACKLASH_BACKWARD,
  BACKLASH_BACKWARD_PARTED,
  BACKLASH_FORWARD_LIMITED,
  BACKLASH_BACKWARD_LIMITED,
};

static const char *const backlash_modes[] = { "free",
                                              "forward",
                                              "forward, parted",
                                              "backward",
                                              "backward, parted",
                                              "forward, limited",
                                              "backward, limited",
                                              0 };

/* Returns the flank of a mode: 1 forward, -1 backward (the mirrored contact), 0 free. */
static inline int
backlash_side (int mode)
{
  const int own = IFBAM_IS_LAW_QUANTITY (mode) ? IFBAM_LAW_QUANTITY (mode) : mode;

  return own == BACKLASH_FREE                                                ? 0
         : own <= BACKLASH_FORWARD_PARTED || own == BACKLASH_FORWARD_LIMITED ? 1
                                                                             : -1;
}

/* Returns the mode of a flank's contact mode. */
static inline int
backlash_both (int flank, int side)
{
  switch (flank)
    {
    case CONTACT_CLOSED:
      return side > 0 ? BACKLASH_FORWARD : BACKLASH_BACKWARD;
    case CONTACT_PARTED:
      return side > 0 ? BACKLASH_FORWARD_PARTED : BACKLASH_BACKWARD_PARTED;
    case CONTACT_LIMITED:
      return side > 0 ? BACKLASH_FORWARD_LIMITED : BACKLASH_BACKWARD_LIMITED;
    case CONTACT_OPEN:
    default:
      return BACKLASH_FREE;
    }
}

static inline ContactLaw
backlash_flank (const BacklashLaw *p)
{
  ContactLaw flank = { 0.5 * p->play, p->stiffness, p->damped };

  return flank;
}

static inline int
backlash_flank_mode (int mode)
{
  const int own = IFBAM_IS_LAW_QUANTITY (mode) ? IFBAM_LAW_QUANTITY (mode) : mode;
  const int flank = own == BACKLASH_FREE                                  ? CONTACT_OPEN
                    : own == BACKLASH_FORWARD || own == BACKLASH_BACKWARD ? CONTACT_CLOSED
                    : own >= BACKLASH_FORWARD_LIMITED                     ? CONTACT_LIMITED
                                                                          : CONTACT_PARTED;

  return IFBAM_IS_LAW_QUANTITY (mode) ? IFBAM_LAW_QUANTITY (flank) : flank;
}

static inline double
backlash_force (const BacklashLaw *p, int mode, double delta, double rate)
{
  const int side = backlash_side (mode);
  const ContactLaw flank = backlash_flank (p);

  const double force =
      contact_force (&flank, backlash_flank_mode (mode), side * delta, side * rate);

  return IFBAM_IS_LAW_QUANTITY (mode) ? force : side * force;
}

static inline double
backlash_energy (const BacklashLaw *p, int mode, double delta)
{
  const ContactLaw flank = backlash_flank (p);

  return contact_energy (&flank, backlash_flank_mode (mode), backlash_side (mode) * delta);
}

static inline double
backlash_loss (const BacklashLaw *p, int mode, double delta, double rate)
{
  const int side = backlash_side (mode);
  const ContactLaw flank = backlash_flank (p);

  return contact_loss (&flank, backlash_flank_mode (mode), side * delta, side * rate);
}

static inline int
backlash_slopes (const BacklashLaw *p, int mode, double delta, double rate, double *stiffness,
                 double *damping)
{
  const int side = backlash_side (mode);
  const ContactLaw flank = backlash_flank (p);

  return contact_slopes (&flank, backlash_flank_mode (mode), side * delta, side * rate, stiffness,
                         damping);
}

static inline int
backlash_mode (const BacklashLaw *p, double delta, double rate)
{
  const ContactLaw flank = backlash_flank (p);
  const int forward = contact_mode (&flank, delta, rate);
  const int backward = contact_mode (&flank, -delta, -rate);

  return forward != CONTACT_OPEN ? backlash_both (forward, 1) : backlash_both (backward, -1);
}

static inline int
backlash_guards (const BacklashLaw *p, int mode, IfbamGuard *guards)
{
  const int side = backlash_side (mode);
  const ContactLaw flank = backlash_flank (p);
  int n;

  if (side == 0)
    {
      for (int k = 0; k < 2; k++)
        {
          (void) contact_guards (&flank, CONTACT_OPEN, guards + k);
          guards[k].next = backlash_both (guards[k].next, k == 0 ? 1 : -1);
        }
      guards[1].factor = -guards[1].factor;
      return 2;
    }
  n = contact_guards (&flank, backlash_flank_mode (mode), guards);
  for (int i = 0; i < n; i++)
    {
      if (guards[i].kind != IFBAM_GUARD_LAW)
        guards[i].factor *= side;
      guards[i].next = backlash_both (guards[i].next, side);
    }
  return n;
}

static inline IfbamConstraint
backlash_constraint (const BacklashLaw *p, int mode)
{
  (void) p;
  return (IfbamConstraint){ .idle = mode == BACKLASH_FREE };
}

/* A direct change of flanks, without play, is no event. */
static inline const char *
backlash_event (const BacklashLaw *p, int from, int to)
{
  const char *flank = contact_event (0, backlash_flank_mode (from), backlash_flank_mode (to));

  (void) p;
  return flank == 0 ? 0 : flank[0] == 'c' ? "engage" : "disengage";
}
