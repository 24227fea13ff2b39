/* guard.h: guards of a link's modes, and constraints enforced by its reaction; freestanding C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* The quantity of a guard: compression, rate, force of the law, force in the next mode, a quantity
 * of the law (IFBAM_LAW_QUANTITY), reaction; reaction of a friction with a carrier (`offset`: times
 * the carrier's reaction); magnitude of the reactions of a friction and the one across. */
typedef enum
{
  IFBAM_GUARD_POSITION,
  IFBAM_GUARD_RATE,
  IFBAM_GUARD_FORCE,
  IFBAM_GUARD_NEXT_FORCE,
  IFBAM_GUARD_LAW,
  IFBAM_GUARD_REACTION,
  IFBAM_GUARD_CARRIED,
  IFBAM_GUARD_BOTH,
} IfbamGuardKind;

/* The mode lasts while factor * quantity + offset >= 0; then mode `next` begins. */
typedef struct
{
  IfbamGuardKind kind;
  double factor, offset;
  int next;
} IfbamGuard;

/* IFBAM_GUARD_LAW: force functions called with the mode IFBAM_LAW_QUANTITY (mode) return the
 * guard's quantity [N] in that mode. */
#define IFBAM_LAW_QUANTITY(mode)    (~(mode))
#define IFBAM_IS_LAW_QUANTITY(mode) ((mode) < 0)

/* Guards of a link in a mode. */
#define IFBAM_MAX_GUARDS 4

/* Constraints enforced by a link's reaction or impulse (Glocker 2001, Set-valued force laws, 4). A
 * friction with a carrier has limits that are fractions of the carrier's reaction:
 *   contact   delta <= gap; if equal, reaction >= 0 (Signorini), impacts by Newton's law
 *   one-way   rate <= 0; if equal, reaction >= 0
 *   rigid     rate = 0
 *   fixed     delta = 0
 *   friction  |reaction| <= breakaway, rate = 0; else a law of the modes forward and backward */
typedef enum
{
  IFBAM_CONSTRAINT_NONE,
  IFBAM_CONSTRAINT_CONTACT,
  IFBAM_CONSTRAINT_ONE_WAY,
  IFBAM_CONSTRAINT_RIGID,
  IFBAM_CONSTRAINT_FIXED,
  IFBAM_CONSTRAINT_FRICTION,
} IfbamConstraintKind;

typedef struct
{
  IfbamConstraintKind kind;
  double gap;         /* contact */
  double restitution; /* contact: 0 to 1 */
  /* friction: limit while sticking; with a carrier: fraction of its reaction */
  double breakaway;
  double coulomb;  /* friction: limit while slipping, in the unit of breakaway */
  double adhesion; /* friction: a slower slip is stopped at once [m/s] */
  /* friction with a carrier: added limit while sticking; in the law's force while slipping */
  double preload;
  int idle; /* the law has no force and no loss in this mode */
} IfbamConstraint;

/* Returns TRUE if the constraint is active for either sign of its reaction. */
static inline int
ifbam_constraint_is_bilateral (IfbamConstraintKind kind)
{
  return kind == IFBAM_CONSTRAINT_RIGID || kind == IFBAM_CONSTRAINT_FIXED;
}

/* Modes of contact and one-way constraints. Rigid and fixed ones are always ACTIVE. */
enum
{
  IFBAM_MODE_OPEN,
  IFBAM_MODE_ACTIVE,
};

/* Modes of friction: the five of Cellier & Kofman 2006, Continuous System Simulation, 9.7. A
 * friction with a carrier has a sixth, LOOSE, while its carrier is not active. */
enum
{
  IFBAM_MODE_STUCK,
  IFBAM_MODE_STARTING_FORWARD,
  IFBAM_MODE_FORWARD,
  IFBAM_MODE_STARTING_BACKWARD,
  IFBAM_MODE_BACKWARD,
  IFBAM_MODE_LOOSE,
};

/* Returns the direction of a friction's mode: 1, -1; 0: sticking or loose. */
static inline int
ifbam_friction_direction (int mode)
{
  return mode == IFBAM_MODE_STUCK || mode == IFBAM_MODE_LOOSE ? 0
         : mode <= IFBAM_MODE_FORWARD                         ? 1
                                                              : -1;
}

/* Returns TRUE if a friction has broken loose and does not slip yet. */
static inline int
ifbam_friction_starts (int mode)
{
  return mode == IFBAM_MODE_STARTING_FORWARD || mode == IFBAM_MODE_STARTING_BACKWARD;
}
