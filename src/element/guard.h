/* guard.h: what a link with modes watches, and which relation its reaction keeps; freestanding C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* What a guard watches: the compression, its rate, the force that the law has, that it would have in
 * the next mode, what the law says beside (see IFBAM_WATCHED), the reaction, the reaction beside its carrier's, of which the offset is a part, or the size of its and that
 * across it. */
typedef enum
{
  IFBAM_GUARD_POSITION,
  IFBAM_GUARD_RATE,
  IFBAM_GUARD_FORCE,
  IFBAM_GUARD_WOULD,
  IFBAM_GUARD_WATCHED,
  IFBAM_GUARD_REACTION,
  IFBAM_GUARD_CARRIED,
  IFBAM_GUARD_BOTH,
} IfbamGuardKind;

/* The mode lasts while factor * quantity + offset >= 0; then comes the mode `next`. */
typedef struct
{
  IfbamGuardKind kind;
  double factor, offset;
  int next;
} IfbamGuard;

/* A law whose modes end where no force of its own does answers, asked for its force in IFBAM_WATCHED (mode), with what
 * they end by [N]. */
#define IFBAM_WATCHED(mode)    (~(mode))
#define IFBAM_IS_WATCHED(mode) ((mode) < 0)

/* A link has so many guards at most in a mode. */
#define IFBAM_MAX_GUARDS 4

/* Relations that a link's reaction or impulse keeps (Glocker 2001, Set-valued force laws, 4). What a friction
 * that is carried by another relation sticks and slips with is so much of that one's reaction:
 *   contact   delta <= gap; where it is equal, reaction >= 0 (Signorini), impacts by Newton's law
 *   one-way   rate <= 0; where it is equal, reaction >= 0
 *   rigid     rate = 0
 *   fixed     delta = 0 for ever
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
  double
      breakaway; /* friction: the most that sticks; of one that is carried a part of its carrier's reaction */
  double coulomb;  /* friction: what slips, likewise */
  double adhesion; /* friction: what slips and gets as slow as this is stopped at once */
  double
      preload; /* friction that is carried: sticks with so much more; what slips has it in its law's force */
  int idle; /* the law says nothing in this mode, and loses nothing */
} IfbamConstraint;

/* Whether a relation always holds, whatever the sign of its reaction. */
static inline int
ifbam_relation_is_bilateral (IfbamConstraintKind kind)
{
  return kind == IFBAM_CONSTRAINT_RIGID || kind == IFBAM_CONSTRAINT_FIXED;
}

/* Modes of contact and one-way relations; rigid and fixed ones hold. */
enum
{
  IFBAM_MODE_OPEN,
  IFBAM_MODE_HELD,
};

/* Modes of friction: the five of Cellier & Kofman 2006, Continuous System Simulation, 9.7; of one that is carried
 * a sixth, while its carrier does not hold. */
enum
{
  IFBAM_MODE_STUCK,
  IFBAM_MODE_STARTING_FORWARD,
  IFBAM_MODE_FORWARD,
  IFBAM_MODE_STARTING_BACKWARD,
  IFBAM_MODE_BACKWARD,
  IFBAM_MODE_LOOSE,
};

/* Direction of a friction's mode: 1, -1, or 0 where it sticks or is loose. */
static inline int
ifbam_friction_direction (int mode)
{
  return mode == IFBAM_MODE_STUCK || mode == IFBAM_MODE_LOOSE ? 0
         : mode <= IFBAM_MODE_FORWARD                         ? 1
                                                              : -1;
}

/* Whether a friction has started, and does not slip yet. */
static inline int
ifbam_friction_starts (int mode)
{
  return mode == IFBAM_MODE_STARTING_FORWARD || mode == IFBAM_MODE_STARTING_BACKWARD;
}
