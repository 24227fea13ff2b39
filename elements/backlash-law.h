/* backlash-law.h: elastic link with play: two flanks, of which neither pulls; freestanding C
 *
 *   forward    delta > play/2:   F = stiffness (delta - play/2) + damping rate >= 0
 *   backward   delta < -play/2:  F = stiffness (delta + play/2) + damping rate <= 0
 *   free       between, F = 0
 *   parted     beyond a flank's play, but its damper would pull: F = 0
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/contact-law.h"

typedef struct
{
  double stiffness; /* [N/m] */
  double damping;   /* [N s/m] */
  double play;      /* the whole of it [m] */
} BacklashLaw;

enum
{
  BACKLASH_FREE,
  BACKLASH_FORWARD,
  BACKLASH_FORWARD_PARTED,
  BACKLASH_BACKWARD,
  BACKLASH_BACKWARD_PARTED,
};

static const char *const backlash_modes[] = { "free",     "forward",          "forward, parted",
                                              "backward", "backward, parted", 0 };

/* The flank of a mode is a contact, mirrored where it is the backward one. */
static inline int
backlash_side (int mode)
{
  return mode == BACKLASH_FREE ? 0 : mode <= BACKLASH_FORWARD_PARTED ? 1 : -1;
}

static inline ContactLaw
backlash_flank (const BacklashLaw *p)
{
  ContactLaw flank = { 0.5 * p->play, p->stiffness, p->damping };

  return flank;
}

static inline int
backlash_flank_mode (int mode)
{
  return mode == BACKLASH_FORWARD || mode == BACKLASH_BACKWARD ? CONTACT_CLOSED
         : mode == BACKLASH_FREE                               ? CONTACT_OPEN
                                                               : CONTACT_PARTED;
}

static inline double
backlash_force (const BacklashLaw *p, int mode, double delta, double rate)
{
  const int side = backlash_side (mode);
  const ContactLaw flank = backlash_flank (p);

  return side * contact_force (&flank, backlash_flank_mode (mode), side * delta, side * rate);
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
backlash_mode (const BacklashLaw *p, double delta, double rate)
{
  const ContactLaw flank = backlash_flank (p);
  const int forward = contact_mode (&flank, delta, rate);
  const int backward = contact_mode (&flank, -delta, -rate);

  return forward == CONTACT_CLOSED    ? BACKLASH_FORWARD
         : forward == CONTACT_PARTED  ? BACKLASH_FORWARD_PARTED
         : backward == CONTACT_CLOSED ? BACKLASH_BACKWARD
         : backward == CONTACT_PARTED ? BACKLASH_BACKWARD_PARTED
                                      : BACKLASH_FREE;
}

static inline int
backlash_guards (const BacklashLaw *p, int mode, IfbamGuard *guards)
{
  const int side = backlash_side (mode);
  const ContactLaw flank = backlash_flank (p);
  int n;

  if (side == 0)
    {
      const IfbamGuard forward = { IFBAM_GUARD_POSITION, -1, flank.gap, BACKLASH_FORWARD };
      const IfbamGuard backward = { IFBAM_GUARD_POSITION, 1, flank.gap, BACKLASH_BACKWARD };

      guards[0] = forward;
      guards[1] = backward;
      return 2;
    }
  n = contact_guards (&flank, backlash_flank_mode (mode), guards);
  for (int i = 0; i < n; i++)
    {
      const int next = guards[i].next;

      guards[i].factor *= side;
      guards[i].next = next == CONTACT_CLOSED ? (side > 0 ? BACKLASH_FORWARD : BACKLASH_BACKWARD)
                       : next == CONTACT_PARTED
                           ? (side > 0 ? BACKLASH_FORWARD_PARTED : BACKLASH_BACKWARD_PARTED)
                           : BACKLASH_FREE;
    }
  return n;
}

static inline IfbamRelation
backlash_relation (const BacklashLaw *p, int mode)
{
  (void) p;
  return (IfbamRelation){ .idle = mode == BACKLASH_FREE };
}

/* From flank to flank (without play) is no event of its own. */
static inline const char *
backlash_event (const BacklashLaw *p, int from, int to)
{
  const int was = backlash_flank_mode (from) == CONTACT_CLOSED;
  const int is = backlash_flank_mode (to) == CONTACT_CLOSED;

  (void) p;
  return was == is ? 0 : is ? "engage" : "disengage";
}
