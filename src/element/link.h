/* link.h: what a link is: a geometry and a law, with modes or without
 *
 * A link is a geometry (how its compression follows from the coordinates of its ends) and a law
 * with modes. Its law is freestanding C: a struct of doubles and
 *   PREFIX_mode (law, delta, rate)          the mode at the start
 *   PREFIX_force (law, mode, delta, rate)   [N], the mode's smooth continuation beyond its guards
 *   PREFIX_energy (law, mode, delta)        [J] stored
 *   PREFIX_loss (law, mode, delta, rate)    [W] dissipated
 *   PREFIX_guards (law, mode, guards)       fills guards, returns how many
 *   PREFIX_relation (law, mode)             what a reaction keeps; its guards are the engine's
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "element/guard.h"

#define IFBAM_MAX_ENDS 4

/* Numbers of a geometry: radii, and the shape of a surface. */
#define IFBAM_MAX_SHAPE 6

/* What stands at a link's end. */
typedef enum
{
  IFBAM_FORM_POINT,   /* a node */
  IFBAM_FORM_BALL,    /* two nodes, x and y, and a radius */
  IFBAM_FORM_SURFACE, /* a given node with a shape */
  IFBAM_N_FORMS,
} IfbamForm;

/* Coordinates of the ends to compression and row d delta / d coordinates (n_ends each); rates are for
 * geometries whose row depends on them. bend: the part of the compression's second derivative that
 * comes from the row's change (NULL: none). */
typedef struct
{
  const char *name;
  /* From the law's numbers and the ends' shapes (right: NULL where there is none); NULL: it has none. */
  void (*shape) (const double *law, const double *left, const double *right, double *shape);
  /* Of the contact of round ends [m]: 1/R = 1/R1 + 1/R2; NULL: they are points. */
  double (*radius) (const double *shape);
  /* Why the ends don't fit each other (transfer full), or NULL. */
  char *(*fault) (const double *shape);
  guint n_ends;
  gboolean straight;          /* the row never changes, and is +1 or -1 */
  gboolean measures_distance; /* the row turns, but delta changes by no more than the ends go */
  /* The length in which such a row may turn there and back; NULL: it turns one way. */
  double (*scale) (const double *shape);
  void (*measure) (const double *shape, const double *position, const double *rate, double *delta,
                   double *row);
  double (*bend) (const double *shape, const double *position, const double *rate);
} IfbamGeometry;

/* The geometry between forms (IfbamForm); NULL where there is none, or forms (bits; 0: points only)
 * does not allow them. n: 1 or 2 ends. */
const IfbamGeometry *ifbam_geometry_between (guint n, guint left, guint right, guint32 forms);
/* What forms stand for: "two nodes" (static). */
const char *ifbam_geometry_forms_text (guint32 forms);

typedef struct
{
  const char *const *modes; /* their names, NULL-terminated; NULL: numbers say enough */
  const char *const
      *events; /* what entering a mode is called in a list of events, by mode (NULL: the
                              * last word, if modes are more) */
  int (*mode) (const void *law, double delta, double rate);
  double (*force) (const void *law, int mode, double delta, double rate); /* NULL: none */
  double (*energy) (const void *law, int mode, double delta);
  double (*loss) (const void *law, int mode, double delta, double rate);
  guint (*guards) (const void *law, int mode, IfbamGuard *guards);
  IfbamRelation (*relation) (const void *law, int mode);
  int (*toggle) (const void *law, int mode); /* the mode after a given instant; NULL: has none */
  /* What a change of mode is called in a list of events (NULL: it is none), where the new mode alone
   * does not tell; NULL: by `events` */
  const char *(*event) (const void *law, int from, int to);
  double (*change) (const void *law, int from, int to, double delta); /* loses [J]; NULL: nothing */
} IfbamLaw;

#define IFBAM_LINK_SLOTS(Law, prefix)                                                              \
  static int prefix##_slot_mode (const void *law, double delta, double rate)                       \
  {                                                                                                \
    return prefix##_mode ((const Law *) law, delta, rate);                                         \
  }                                                                                                \
  static double prefix##_slot_force (const void *law, int mode, double delta, double rate)         \
  {                                                                                                \
    return prefix##_force ((const Law *) law, mode, delta, rate);                                  \
  }                                                                                                \
  static double prefix##_slot_energy (const void *law, int mode, double delta)                     \
  {                                                                                                \
    return prefix##_energy ((const Law *) law, mode, delta);                                       \
  }                                                                                                \
  static double prefix##_slot_loss (const void *law, int mode, double delta, double rate)          \
  {                                                                                                \
    return prefix##_loss ((const Law *) law, mode, delta, rate);                                   \
  }                                                                                                \
  static guint prefix##_slot_guards (const void *law, int mode, IfbamGuard *guards)                \
  {                                                                                                \
    return (guint) prefix##_guards ((const Law *) law, mode, guards);                              \
  }                                                                                                \
  static IfbamRelation prefix##_slot_relation (const void *law, int mode)                          \
  {                                                                                                \
    return prefix##_relation ((const Law *) law, mode);                                            \
  }

/* A link's law as a link of one mode, for ends that links can't have: see IfbamElementInfo.link. */
#define IFBAM_SMOOTH_LINK(Law, prefix)                                                             \
  static int prefix##_smooth_mode (const void *law, double delta, double rate)                     \
  {                                                                                                \
    (void) law, (void) delta, (void) rate;                                                         \
    return 0;                                                                                      \
  }                                                                                                \
  static double prefix##_smooth_force (const void *law, int mode, double delta, double rate)       \
  {                                                                                                \
    (void) mode;                                                                                   \
    return prefix##_force ((const Law *) law, delta, rate);                                        \
  }                                                                                                \
  static double prefix##_smooth_energy (const void *law, int mode, double delta)                   \
  {                                                                                                \
    (void) mode;                                                                                   \
    return prefix##_energy ((const Law *) law, delta);                                             \
  }                                                                                                \
  static double prefix##_smooth_loss (const void *law, int mode, double delta, double rate)        \
  {                                                                                                \
    (void) mode;                                                                                   \
    return (prefix##_force ((const Law *) law, delta, rate)                                        \
            - prefix##_force ((const Law *) law, delta, 0.0))                                      \
           * rate;                                                                                 \
  }                                                                                                \
  static IfbamRelation prefix##_smooth_relation (const void *law, int mode)                        \
  {                                                                                                \
    const IfbamRelation none = { IFBAM_RELATION_NONE, 0, 0, 0, 0, 0 };                             \
                                                                                                   \
    (void) law, (void) mode;                                                                       \
    return none;                                                                                   \
  }                                                                                                \
  static const IfbamLaw prefix##_link = { .mode = prefix##_smooth_mode,                            \
                                          .force = prefix##_smooth_force,                          \
                                          .energy = prefix##_smooth_energy,                        \
                                          .loss = prefix##_smooth_loss,                            \
                                          .relation = prefix##_smooth_relation };

#define IFBAM_LINK_CLASS(prefix)                                                                   \
  .mode = prefix##_slot_mode, .force = prefix##_slot_force, .energy = prefix##_slot_energy,        \
  .loss = prefix##_slot_loss, .guards = prefix##_slot_guards, .relation = prefix##_slot_relation

/* Bits for IfbamElementInfo.forms: what may stand at the ends. */
enum
{
  IFBAM_BETWEEN_POINTS = 1 << 0, /* two nodes */
  IFBAM_BETWEEN_BALLS = 1 << 1,  /* a ball and a ball or a surface */
  IFBAM_ON_POINT = 1 << 2,       /* one node */
  IFBAM_ON_BALL = 1 << 3,        /* one ball */
  IFBAM_BY_RATIO = 1 << 4, /* two nodes, the right one's coordinate times the law's first number */
};

/* A class of links: slots is a list of initializers of its IfbamLaw, in parentheses. */
#define IFBAM_DEFINE_LINK_CLASS(Name, type_name, Law, slots, ...)                                  \
  static const IfbamLaw type_name##_link = { IFBAM_LINK_LIST slots };                              \
  static const IfbamElementInfo type_name##_info = { .kind = IFBAM_KIND_LINK,                      \
                                                     .params = params,                             \
                                                     .n_params = G_N_ELEMENTS (params),            \
                                                     .law_size = sizeof (Law),                     \
                                                     .link = &type_name##_link,                    \
                                                     __VA_ARGS__ };                                \
  IFBAM_DEFINE_ELEMENT (Name, type_name)
#define IFBAM_LINK_LIST(...) __VA_ARGS__

/* All slots of its law by its prefix; names of modes and events as in IfbamLaw. */
#define IFBAM_DEFINE_MODED_LINK(Name, type_name, Law, prefix, mode_names, event_names, ...)        \
  IFBAM_LINK_SLOTS (Law, prefix)                                                                   \
  IFBAM_DEFINE_LINK_CLASS (                                                                        \
      Name, type_name, Law,                                                                        \
      (.modes = mode_names, .events = event_names, IFBAM_LINK_CLASS (prefix)), __VA_ARGS__)

/* A class that keeps a relation and says no force of its own. */
#define IFBAM_DEFINE_RELATION(Name, type_name, Law, prefix, mode_names, event_names, ...)          \
  static int prefix##_slot_mode (const void *law, double delta, double rate)                       \
  {                                                                                                \
    return prefix##_mode ((const Law *) law, delta, rate);                                         \
  }                                                                                                \
  static IfbamRelation prefix##_slot_relation (const void *law, int mode)                          \
  {                                                                                                \
    return prefix##_relation ((const Law *) law, mode);                                            \
  }                                                                                                \
  IFBAM_DEFINE_LINK_CLASS (Name, type_name, Law,                                                   \
                           (.modes = mode_names, .events = event_names,                            \
                            .mode = prefix##_slot_mode, .relation = prefix##_slot_relation),       \
                           __VA_ARGS__)
