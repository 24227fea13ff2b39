/* element-info.h: what an element class says of itself, and what every element carries
 *
 * A class is one const IfbamElementInfo: its words, its parameter table, and its kernels. A kernel
 * is a batch: it does n elements whose parameters and messages stand in columns. The objects
 * call it with n = 1, the compiled engine with all, so the physics stands once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <string.h>

#include "base/domain.h"
#include "element/ifbam-element.h"
#include "base/interpolant.h"
#include "base/isa.h"
#include "element/link.h"
#include "base/param.h"
#include "base/printed.h"

typedef struct _IfbamElementInfo IfbamElementInfo;
typedef struct _IfbamBuilder IfbamBuilder;
typedef struct _IfbamDialogue IfbamDialogue;

/* Reads a number with its unit, for who knows units: the domains (bits) decide what "%x" is, and become
 * those that the unit fits. FALSE with a reason (transfer full), a phrase that completes "KEY: ". */
typedef gboolean (*IfbamNumberReader) (const IfbamParam *param, guint32 *domains, const char *text,
                                       double *number, char **reason);

typedef enum
{
  IFBAM_KIND_FREE_NODE,  /* hears forces, answers with its motion */
  IFBAM_KIND_GIVEN_NODE, /* its motion is prescribed */
  IFBAM_KIND_LINK,       /* hears motions, answers with a force: link.h */
  IFBAM_KIND_SOURCE,     /* a force on nodes, a function of time */
  IFBAM_KIND_IMPULSE,    /* strikes a node at instants */
  IFBAM_KIND_COMPOSITE,  /* stands for many elements */
  IFBAM_KIND_SETTINGS,   /* the [network] group */
} IfbamKind;

/* What an impulse is given by. */
typedef enum
{
  IFBAM_IMPULSE_MOMENTUM,    /* itself [N s] */
  IFBAM_IMPULSE_RESTITUTION, /* the part of the rate that comes back */
  IFBAM_IMPULSE_ENERGY,      /* what it brings [J] */
} IfbamImpulseKind;

/* The motion of a given node at a time. */
typedef struct
{
  double position, rate, acceleration;
} IfbamMotion;

/* The same of n given nodes, whose laws stand in columns (numbers of the law)(n). */
typedef void (*IfbamMotionKernel) (const double *const *parameters, const IfbamInterpolant *course,
                                   double time, double *position, double *rate,
                                   double *acceleration, gsize n);
/* Forces of n sources at a time, on nodes of these inertias. */
typedef void (*IfbamSourceKernel) (const double *const *parameters, const IfbamInterpolant *course,
                                   double time, const double *inertia, double *value, gsize n);

/* Is told a value of one of a composite's elements: "k3", a parameter of its class, its number. */
typedef void (*IfbamMemberValue) (gpointer data, const char *member, const IfbamParam *param,
                                  double value);

/* A path of links in the plane at rest, from its left end on. */
typedef struct
{
  gsize n;             /* links */
  const double *place; /* of its ends, and of all between them: x, y (n + 1)(2) [m] */
  const double *force; /* that pushes a link's ends apart (n) [N] */
  double pull;         /* that a field has downward on what lies between the ends [m/s2] */
  gboolean fixed[2];   /* whether its ends are */
} IfbamPathAtRest;

#define IFBAM_MAX_PARAMS 32 /* of a class */

struct _IfbamElementInfo
{
  const char *name;     /* "torsion-spring" */
  IfbamPrinted summary; /* one line: what it is */
  IfbamPrinted law;     /* its formula */
  IfbamPrinted source;  /* where the formula comes from */
  IfbamPrinted example; /* a group of a network file */
  /* How a diagram draws it: SVG path data about the origin; NULL: a box with the class's name. A link
   * runs from (-20, 0), its left node, to (20, 0); a source from (-20, 0), its node, to (20, 0). A
   * free node's outline, from (-20, -20) to (20, 20), is stretched around its name. A given node lies
   * left of the origin, at which links end; one that is fixed from -28 to 28 in y. */
  IfbamPrinted symbol;
  IfbamKind kind;
  IfbamDomain domain;
  guint32 domains; /* of IFBAM_DOMAIN_ANY: bit d: it can be of domain d; 0: of all */
  const IfbamParam *params;
  guint n_params;    /* at most IFBAM_MAX_PARAMS */
  gsize law_size;    /* of the struct of doubles [bytes] */
  IfbamLawCode code; /* of nodes and sources; of links their law has it */
  guint n_slots;     /* other values: lists, names, texts; 0: as many as the table has */

  /* link */
  const IfbamLaw *link;

  /* free node */
  double (*inertia) (const void *law);
  /* any node: where it starts. Parameters of a free node are its inertia, then where it starts, and how fast */
  IfbamMotion (*initial) (const void *law);

  /* given node; course: NULL, or what the `course` key names */
  IfbamMotion (*motion) (const void *law, const IfbamInterpolant *course, double time);
  IfbamMotionKernel motions[IFBAM_N_ISA];
  gboolean fixed; /* given node, source: it does not depend on the time */
  const char *(*course_unit) (
      const IfbamElement *element); /* what a course is in; NULL: as its key has it */

  /* source: its force on a node of an inertia (0 where the motion is given). `fixed`: it does not
   * depend on the time */
  double (*value) (const void *law, const IfbamInterpolant *course, double time, double inertia);
  IfbamSourceKernel values[IFBAM_N_ISA];
  /* NULL, or of what energy the force is the negative slope: then it is no supply */
  double (*potential) (const void *law, double inertia, double position);

  /* link: NULL, or completes a copy of the law where it depends on the radius of round ends (0: points), or on what
   * its end weighs (0: nobody says). Returns NULL, or a phrase as `fault` does. */
  char *(*link_law) (const IfbamElement *element, void *law, double radius, double mass,
                     const char **key);
  gboolean backward;              /* what its file calls left is its right end */
  const IfbamDomain *end_domains; /* of its ends, each; NULL: its own */
  guint32 forms; /* what may stand at its ends: bits of IfbamForm; 0: only points */
  /* source, link with two modes: the slot that names the monitor that it follows (0: none) */
  guint follow_slot;
  guint
      control_slot; /* source: that which names the controller that says how strong it is (0: none) */
  /* link that hears a signal, not nodes that it stands between: the slot of the text that names it
   * (0: none); it is told whether that is a rate, and its unit, and completes a copy of the law. Returns
   * NULL, or a phrase as `fault` does. */
  guint signal_slot;
  /* link between points of the plane: the slot that names the node whose coordinate is added to its length (0: none) */
  guint length_slot;
  /* link: the slot that names another one, by whose force it is pressed (0: none): its law takes that in the place of its
   * state */
  guint press_slot;
  /* link: where in the doubles of its law the course is kept that the key `course` names, counted from 1 (0: it has
   * none) */
  guint course_number;
  /* link whose force goes to its ends, but follows what others do: the slot that names these (0: none) */
  guint input_slot;
  char *(*hears) (const IfbamElement *element, void *law, gboolean rate, const char *unit,
                  IfbamNumberReader read, const char **key);

  /* impulse: N s for a value of its list, where it strikes alone a mobility [1/kg] and a rate; what the value is */
  double (*impulse) (const void *law, double value, double inverse_mass, double rate);
  IfbamImpulseKind (*impulse_kind) (const void *law);
  /* source, given node, link, impulse: appends the time_events (IfbamTimeEvent: time and value) that are given */
  void (*time_events) (const IfbamElement *element, GArray *time_events);

  /* what has a shape: see IfbamForm; its numbers go to shape (IFBAM_MAX_SHAPE), its coordinates are
   * so many nodes from its first one on */
  guint form;
  guint (*form_of) (const IfbamElement *element); /* NULL, or by its values */
  /* node: NULL, or the class of the link that ties its coordinate to the distance of two others, where its slot
   * IFBAM_SLOT_BETWEEN names these: branch.h */
  const IfbamElementInfo *tie;
  guint n_coordinates; /* at least; 0: one, or none of what is only a place */
  void (*shape) (const IfbamElement *element, double *shape);

  /* any: NULL, or a phrase (transfer full) that says why the values do not go together, with the
   * key that it is said of. */
  char *(*fault) (IfbamElement *element, const char **key);

  /* any: NULL, or sets the numbers that no parameter is in a copy of the element's law. Returns what they point
   * to, for free_prepared; NULL: nothing. */
  gpointer (*prepare) (const IfbamElement *element, void *law);
  GDestroyNotify free_prepared;

  /* link: NULL, or whether it stands for many elements, as it is set: then it is a composite */
  gboolean (*expands) (const IfbamElement *element);
  /* composite: adds how many free nodes and links it stands for to *nodes and *links */
  void (*add_size) (const IfbamElement *element, guint64 *nodes, guint64 *links);
  /* composite: adds its nodes, then, in a second call, its links */
  void (*expand_nodes) (IfbamElement *element, IfbamBuilder *builder);
  void (*expand_links) (IfbamElement *element, IfbamBuilder *builder);
  gboolean has_columns; /* composite: elements/columns.h: who compiles it reads its file before */
  gboolean damps;       /* composite: its links are dampers of all that there is, and come last */
  /* composite: a value of one of its elements; FALSE with a reason (transfer full) */
  gboolean (*set_member) (IfbamElement *element, const char *member, const char *key,
                          const char *text, IfbamNumberReader read, char **reason);
  /* composite: tells every value that set_member took, the elements in order */
  void (*list_members) (const IfbamElement *element, IfbamMemberValue value, gpointer data);
  void (*free_extra) (gpointer extra);
  /* composite that is a path in the plane: NULL, or what else there is to say of it where it is at rest */
  void (*report) (const IfbamElement *element, const IfbamPathAtRest *path,
                  IfbamReportNumber report, gpointer data);
};

/* What the elements of a network share. */
typedef struct
{
  guint32 n_ids;           /* that elements had so far */
  guint32 changes;         /* of their values, counted */
  IfbamDialogue *dialogue; /* who talks by hand; NULL: nobody */
} IfbamHome;

struct _IfbamElement
{
  GObject parent_instance;
  const IfbamElementInfo *info;
  char *name;
  IfbamHome *home; /* its network's (not owned); NULL: it is in none */
  gpointer extra;  /* of the class, see free_extra */
  guint32 id;      /* in its network, in the order of the file: who adds it says so */
  guint32 set;     /* bit i: param i was given */
  guint32 domains; /* bit d: its units fit domain d */
  /* then: the law (law_size), then the slots */
};

/* For classes: the table of parameters NAME_params. */
#define IFBAM_PARAMS_OF(name) .params = name##_params, .n_params = G_N_ELEMENTS (name##_params)

/* What an element is as it is set. */
static inline IfbamKind
ifbam_element_kind (const IfbamElement *element)
{
  return element->info->expands != NULL && element->info->expands (element) ? IFBAM_KIND_COMPOSITE
                                                                            : element->info->kind;
}

/* Whether the links of a class are computed in batches, at least those whose law has one mode. */
static inline gboolean
ifbam_element_in_batches (const IfbamElementInfo *info)
{
  return info->link != NULL && info->link->points != NULL;
}

/* Whether they stand `on` one thing: what a link between two nodes computes has its right end at rest then. */
static inline gboolean
ifbam_element_is_one_ended (const IfbamElementInfo *info)
{
  return (info->forms & (IFBAM_ON_POINT | IFBAM_ON_BALL | IFBAM_ON_SPIN | IFBAM_ON_TABLE)) != 0;
}

/* What stands at an end of a link is of this domain. */
static inline IfbamDomain
ifbam_element_end_domain (const IfbamElementInfo *info, guint end)
{
  return info->end_domains != NULL ? info->end_domains[end] : info->domain;
}

/* What it is at a link's end. */
static inline guint
ifbam_element_form (const IfbamElement *element)
{
  return element->info->form_of != NULL ? element->info->form_of (element) : element->info->form;
}

/* How many coordinates it has in the plane. */
static inline guint
ifbam_element_n_coordinates (const IfbamElement *element)
{
  return element->info->n_coordinates == 0                  ? 0
         : ifbam_element_form (element) == IFBAM_FORM_TABLE ? 4
         : ifbam_form_turns (ifbam_element_form (element))  ? 3
                                                            : 2;
}

/* Slots that base classes share. */
enum
{
  IFBAM_SLOT_BETWEEN = 0,       /* strv: left, right */
  IFBAM_SLOT_ON = 0,            /* strv: one node */
  IFBAM_SLOT_COURSE = 1,        /* text: FILE.csv:COLUMN */
  IFBAM_SLOT_WHEN = 1,          /* of an impulse: strv: one monitor */
  IFBAM_SLOT_ENDS = 2,          /* of an impulse: strv: left, right */
  IFBAM_SLOT_FOLLOW_X = 1,      /* of a point: strv: one node */
  IFBAM_SLOT_FOLLOW_Y = 2,      /* likewise */
  IFBAM_SLOT_FOLLOW_LENGTH = 1, /* of a link between points of the plane: strv: one node */
  IFBAM_SLOT_FILE = 0,          /* of columns: text */
  IFBAM_SLOT_OUTER = 1,         /* of columns: strv: nodes that are not of it */
  IFBAM_SLOT_INPUT = 1,         /* of a link that others control: strv: plus, minus */
};

#define IFBAM_PARAM_BETWEEN                                                                        \
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 2, 2, IFBAM_REQUIRED,                      \
                         "the nodes that it joins: LEFT, RIGHT")
#define IFBAM_PARAM_BETWEEN_ANY                                                                    \
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 2, 2, IFBAM_REQUIRED,                      \
                         "the nodes that it joins, or points of the plane: LEFT, RIGHT")
#define IFBAM_PARAM_BETWEEN_POINTS                                                                 \
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 2, 2, IFBAM_REQUIRED,                      \
                         "two points of the plane: points, balls, or centres of bodies")
#define IFBAM_PARAM_FOLLOW_LENGTH                                                                  \
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_FOLLOW_LENGTH, "follow-length", 1, 1, 0,                       \
                         "node along whose position it gets longer, by that more than its length")
#define IFBAM_PARAM_FOLLOW(slot)                                                                   \
  IFBAM_PARAM_REFERENCE (slot, "follow", 1, 1, 0, "controller whose output multiplies it")
#define IFBAM_PARAM_GUIDED(slot, rate)                                                             \
  IFBAM_PARAM_REFERENCE (slot, "follow", 1, 1, 0,                                                  \
                         "the controller whose output its " rate " is multiplied by")
#define IFBAM_PARAM_WHEN(slot, meaning) IFBAM_PARAM_REFERENCE (slot, "when", 1, 1, 0, meaning)
#define IFBAM_PARAM_ON                                                                             \
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_ON, "on", 1, 1, IFBAM_REQUIRED, "the node that it acts on")
#define IFBAM_PARAM_ON_ALL                                                                         \
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_ON, "on", 1, G_MAXINT, IFBAM_REQUIRED,                         \
                         "the nodes that it acts on, or composites of such")
/* unit: of what the course drives */
#define IFBAM_PARAM_COURSE(unit)                                                                   \
  {                                                                                                \
    IFBAM_PARAM_TEXT, "course", unit, 0, 0, 0, IFBAM_SLOT_COURSE,                                  \
        "FILE.csv:COLUMN: measured course, interpolated, instead of the formula", NULL, NULL       \
  }

static inline double *
ifbam_element_law (const IfbamElement *element)
{
  return (double *) (element + 1);
}

static inline gpointer *
ifbam_element_slots (const IfbamElement *element)
{
  return (gpointer *) ((char *) (element + 1) + element->info->law_size);
}

/* Whether it is a node that stands between two others: nothing else is joined to it. */
static inline gboolean
ifbam_element_is_tied (const IfbamElement *element)
{
  return element->info->tie != NULL && ifbam_element_slots (element)[IFBAM_SLOT_BETWEEN] != NULL;
}

/* Whether numbers of its law come from elsewhere than its parameters. */
static inline gboolean
ifbam_element_law_is_made (const IfbamElementInfo *info)
{
  return info->prepare != NULL || info->link_law != NULL || info->hears != NULL;
}

/* Whether a number of a law is a parameter's own. */
static inline gboolean
ifbam_element_has_number (const IfbamElementInfo *info, guint number)
{
  for (guint i = 0; i < info->n_params; i++)
    if (ifbam_param_in_law (&info->params[i])
        && (gsize) info->params[i].place == number * sizeof (double))
      return TRUE;
  return FALSE;
}

/* Where a parameter's number stands in the law. */
static inline double *
ifbam_element_number (const IfbamElement *element, const IfbamParam *param)
{
  return (double *) (gpointer) ((char *) ifbam_element_law (element) + param->place);
}

/* The number of a key; 0 where its class has no such number. */
double ifbam_element_number_of (const IfbamElement *element, const char *key);

/* Who talks by hand hears of it. */
static inline void
ifbam_element_count_change (IfbamElement *element)
{
  if (element->home != NULL)
    element->home->changes++;
}

/* The `course` key as an element means it. */
static inline IfbamParam
ifbam_element_course_param (const IfbamElement *element, guint index)
{
  IfbamParam param = element->info->params[index];

  if (element->info->course_unit != NULL)
    param.unit = element->info->course_unit (element);
  return param;
}

/* For `fault`: a course and the formula's keys (comma-separated) exclude each other. */
char *ifbam_element_course_fault (IfbamElement *element, const char *formula, const char **key);
/* For `fault`: what a key says of a course, where it says something and there is none. */
char *ifbam_element_course_lack (const IfbamElement *element, const char *said, gboolean says,
                                 const char **key);
/* For `fault` of a given node: it follows a controller, or what lets it act now and then, not both. */
char *ifbam_element_scaled_motion_fault (const IfbamElement *element, const char **key);

/* element-object.c: the class of an info that lives as long as the program; of several who ask at once, one registers it. type: where
 * it is kept, 0 at first. */
GType ifbam_element_type (gsize *type, const char *type_name, const IfbamElementInfo *info);

#define IFBAM_DEFINE_ELEMENT(Name, name)                                                           \
  GType ifbam_##name##_get_type (void);                                                            \
  GType ifbam_##name##_get_type (void)                                                             \
  {                                                                                                \
    static gsize type;                                                                             \
    return ifbam_element_type (&type, IFBAM_PRINTED ("Ifbam" #Name), &name##_info);                \
  }

/* Of a registered class. */
const IfbamElementInfo *ifbam_element_type_info (GType type);

/* Bit d: an element of the class can be of domain d. */
guint32 ifbam_element_class_domains (const IfbamElementInfo *info);

/* element-object.c */
IfbamElement *ifbam_element_new (GType type, const char *name);

/* For who makes elements: their size [bytes], their start (from zeroed memory), the end of what they
 * hold. */
gsize ifbam_element_size (const IfbamElementInfo *info);
void ifbam_element_begin (IfbamElement *element, const IfbamElementInfo *info);
void ifbam_element_clear (IfbamElement *element);

/* "a" or "an", as a class name wants it. */
static inline const char *
ifbam_element_article (const IfbamElementInfo *info)
{
  return strchr ("aeiou", info->name[0]) != NULL ? "an" : "a";
}

int ifbam_element_param_index (const IfbamElementInfo *info, const char *key);
/* The key whose value is in a slot, or NULL. */
const char *ifbam_element_slot_key (const IfbamElementInfo *info, guint slot);
static inline gboolean
ifbam_element_is_set (const IfbamElement *element, guint param)
{
  return (element->set >> param & 1) != 0;
}

/* "s", "N/m", "m or rad": a parameter's unit for people (transfer full). */
char *ifbam_element_unit_text (const IfbamElementInfo *info, const IfbamParam *param);

/* Splits texts such as "2 * a", "-b", "c" of a parameter that has factors (in place): each becomes its name; the factors, read
 * by `read`, go to the start of the element's law, the rest of which, up to IFBAM_MAX_PORTS numbers, is 0. Returns FALSE with a
 * reason (transfer full) where a factor is no number; the law is unchanged then. */
gboolean ifbam_element_split_terms (IfbamElement *element, const IfbamParam *param, char **terms,
                                    IfbamNumberReader read, char **reason);

/* The missing required parameter with the lowest index, or -1. */
int ifbam_element_missing (const IfbamElement *element);

/* Text distance for "did you mean": NULL, or the candidate nearest to word. */
const char *ifbam_nearest_word (const char *word, const char *const *candidates, gsize n);
