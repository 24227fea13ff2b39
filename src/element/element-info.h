/* element-info.h: description of an element class, and data of an element
 *
 * A class is one const IfbamElementInfo: texts, parameter table, kernels. A kernel computes n
 * elements with parameters and messages in columns. Objects call it with n = 1, the compiled
 * engine with all elements, so that both compute equal bits.
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

/* Reads a number with a unit. *domains (bits): the possible domains, for units such as "%x"; only
 * those that fit the unit remain. Returns FALSE with a reason (transfer full), without the key. */
typedef gboolean (*IfbamNumberReader) (const IfbamParam *param, guint32 *domains, const char *text,
                                       double *number, char **reason);

typedef enum
{
  IFBAM_KIND_FREE_NODE,  /* computes its motion from forces */
  IFBAM_KIND_GIVEN_NODE, /* its motion is prescribed */
  IFBAM_KIND_LINK,       /* computes a force from motions: link.h */
  IFBAM_KIND_SOURCE,     /* a force on nodes, a function of time */
  IFBAM_KIND_IMPULSE,    /* impulses on a node at given times */
  IFBAM_KIND_COMPOSITE,  /* represents several elements */
  IFBAM_KIND_SETTINGS,   /* the [network] group */
} IfbamKind;

/* The quantity that defines an impulse. */
typedef enum
{
  IFBAM_IMPULSE_MOMENTUM,    /* the impulse [N s] */
  IFBAM_IMPULSE_RESTITUTION, /* minus the rate after per rate before */
  IFBAM_IMPULSE_ENERGY,      /* energy added [J] */
} IfbamImpulseKind;

/* Motion of a given node at a time, in SI units of its domain. */
typedef struct
{
  double position, rate, acceleration;
} IfbamMotion;

/* Computes the motions of n given nodes. parameters: (doubles of the law)(n) */
typedef void (*IfbamMotionKernel) (const double *const *parameters, const IfbamInterpolant *course,
                                   double time, double *position, double *rate,
                                   double *acceleration, gsize n);
/* Computes the forces of n sources on nodes of n inertias. parameters: as above */
typedef void (*IfbamSourceKernel) (const double *const *parameters, const IfbamInterpolant *course,
                                   double time, const double *inertia, double *value, gsize n);

/* Receives a parameter's value of a composite's member, such as "k3". */
typedef void (*IfbamMemberValue) (gpointer data, const char *member, const IfbamParam *param,
                                  double value);

/* A path of links in the plane, in equilibrium, from left to right. */
typedef struct
{
  gsize n;              /* links */
  const double *points; /* ends of the links, x and y [m] (n + 1)(2) */
  const double *force;  /* forces that separate a link's ends [N] (n) */
  double gravity;       /* downward acceleration of a field on the points [m/s2] */
  gboolean fixed[2];    /* TRUE: the left, right end can't move */
} IfbamPathAtRest;

#define IFBAM_MAX_PARAMS 32 /* of a class */

/* A class. Functions are NULL where the class does not need them. */
struct _IfbamElementInfo
{
  const char *name;     /* "torsion-spring" */
  IfbamPrinted summary; /* one line */
  IfbamPrinted law;     /* formula */
  IfbamPrinted source;  /* literature */
  IfbamPrinted example; /* a group of a network file */
  /* Symbol in diagrams, as SVG path data; NULL: a box with the class's name. Link: from the left
   * node (-20, 0) to the right one (20, 0). Source: from its node (-20, 0) to (20, 0). Free node:
   * an outline from (-20, -20) to (20, 20), scaled to its name. Given node: left of the origin,
   * where links end; a fixed one extends from -28 to 28 in y. */
  IfbamPrinted symbol;
  IfbamKind kind;
  IfbamDomain domain;
  guint32 domains; /* for IFBAM_DOMAIN_ANY: bit d: domain d is possible; 0: all */
  const IfbamParam *params;
  guint n_params;    /* at most IFBAM_MAX_PARAMS */
  gsize law_size;    /* size of the law's struct [bytes] */
  IfbamLawCode code; /* nodes, sources; of a link: IfbamLaw.code */
  guint n_slots;     /* slots of lists, names, texts; 0: as many as the table has */

  const IfbamLaw *link;

  /* Free node: inertia [kg, kg m2, …]. */
  double (*inertia) (const void *law);
  /* Node: motion at the start. A free node's first parameters: inertia, position, velocity. */
  IfbamMotion (*initial) (const void *law);

  /* Given node. course: of the `course` key, or NULL */
  IfbamMotion (*motion) (const void *law, const IfbamInterpolant *course, double time);
  IfbamMotionKernel motions[IFBAM_N_ISA];
  gboolean fixed; /* given node, source: independent of time */
  const char *(*course_unit) (
      const IfbamElement *element); /* unit of the course; NULL: that of the key */

  /* Source: returns the force on a node of an inertia (0: given node). */
  double (*value) (const void *law, const IfbamInterpolant *course, double time, double inertia);
  IfbamSourceKernel values[IFBAM_N_ISA];
  /* Source: returns the potential energy [J] of its force, which then does no external work. */
  double (*potential) (const void *law, double inertia, double position);

  /* Link: completes a copy of the law by the effective radius of the ends (0: points) and the mass
   * of the end (0: unknown). Returns NULL, or the error as `fault` does. */
  char *(*link_law) (const IfbamElement *element, void *law, double radius, double mass,
                     const char **key);
  gboolean backward;              /* left and right of the file are exchanged */
  const IfbamDomain *end_domains; /* domain of each end; NULL: `domain` */
  guint32 forms; /* possible ends, bits such as IFBAM_BETWEEN_BALLS; 0: two nodes */
  /* Source, given node, link with two modes: slot of its monitor (0: none). */
  guint when_slot;
  guint scale_slot; /* source, given node: slot of its controller (0: none) */
  /* Link with a signal instead of nodes: slot of the signal's name (0: none); see signal. */
  guint signal_slot;
  /* Link in the plane: slot of a node (0: none); its coordinate is added to the link's length. */
  guint length_slot;
  /* Friction: slot of the link that presses it (0: none); its force replaces the law's state. */
  guint normal_slot;
  /* Link: 1 + index in the law's doubles of the course of the key `course`; 0: none. */
  guint course_parameter;
  /* Link with a formula in the slot IFBAM_SLOT_FORMULA: 1 + index in the law's doubles of its program
   * (base/program.h), of which the model is the owner; 0: none. */
  guint program_parameter;
  /* Link with a force by the motion of other nodes than its ends: slot of these (0: none). */
  guint input_slot;
  /* Link with a signal: completes a copy of the law. rate: TRUE if the signal is a rate; unit: of
   * the signal. Returns NULL, or the error as `fault` does. */
  char *(*signal) (const IfbamElement *element, void *law, gboolean rate, const char *unit,
                   IfbamNumberReader read, const char **key);

  /* Impulse: returns the impulse [N s] of a listed value on an inverse mass [1/kg] with a rate. */
  double (*impulse) (const void *law, double value, double inverse_mass, double rate);
  IfbamImpulseKind (*impulse_kind) (const void *law);
  /* Source, given node, link, impulse: appends its scheduled events (IfbamTimeEvent). */
  void (*time_events) (const IfbamElement *element, GArray *time_events);

  /* End of links: form (IfbamForm). form_of: form by the element's values; NULL: `form`. */
  guint form;
  guint (*form_of) (const IfbamElement *element);
  /* Node: class of the link that makes it a branch, if IFBAM_SLOT_BETWEEN has two nodes: branch.h.
   */
  const IfbamElementInfo *branch_link;
  guint n_coordinates; /* least count in the plane; 0: on a line, or a point without nodes */
  /* End of links: stores its shape (IFBAM_MAX_SHAPE). */
  void (*shape) (const IfbamElement *element, double *shape);

  /* Returns an error (transfer full) and its key if the values are inconsistent, else NULL. */
  char *(*fault) (IfbamElement *element, const char **key);

  /* Sets the doubles of a copy of the law that are not parameters. Returns data that they point to
   * (to be freed by free_prepared), or NULL. */
  gpointer (*prepare) (const IfbamElement *element, void *law);
  GDestroyNotify free_prepared;

  /* Link: returns TRUE if its values make it a composite. NULL: never. */
  gboolean (*expands) (const IfbamElement *element);
  /* Composite: adds its counts of free nodes and links to *nodes and *links. */
  void (*add_size) (const IfbamElement *element, guint64 *nodes, guint64 *links);
  /* Composite: add its nodes, and later its links. */
  void (*expand_nodes) (IfbamElement *element, IfbamBuilder *builder);
  void (*expand_links) (IfbamElement *element, IfbamBuilder *builder);
  gboolean has_columns; /* composite: its file is read before compilation (elements/columns.h) */
  gboolean damps;       /* composite: adds dampers to all other elements; expanded last */
  /* Composite: sets a value of a member. Returns FALSE with a reason (transfer full). */
  gboolean (*set_member) (IfbamElement *element, const char *member, const char *key,
                          const char *text, IfbamNumberReader read, char **reason);
  /* Composite: calls `value` for each value set by set_member, by member. */
  void (*list_members) (const IfbamElement *element, IfbamMemberValue value, gpointer data);
  void (*free_extra) (gpointer extra);
  /* Composite that is a path in the plane: reports more values of its equilibrium. */
  void (*report) (const IfbamElement *element, const IfbamPathAtRest *path,
                  IfbamReportNumber report, gpointer data);
};

/* Data shared by the elements of a network. */
typedef struct
{
  guint32 n_ids;           /* ids given so far */
  guint32 changes;         /* count of changed values */
  IfbamDialogue *dialogue; /* the present dialogue by hand; NULL: none */
} IfbamElementContext;

struct _IfbamElement
{
  GObject parent_instance;
  const IfbamElementInfo *info;
  char *name;
  IfbamElementContext *context; /* of its network (not owned); NULL: in no network */
  gpointer extra;               /* data of the class, see free_extra */
  guint32 id;                   /* index in its network, in the order of the file */
  guint32 set;                  /* bit i: parameter i is set */
  guint32 domains;              /* bit d: the units of its values fit domain d */
  /* followed by the law (law_size), then the slots */
};

/* Fields of a class: its parameter table NAME_params. */
#define IFBAM_PARAMS_OF(name) .params = name##_params, .n_params = G_N_ELEMENTS (name##_params)

/* Returns the kind that an element has with its values. */
static inline IfbamKind
ifbam_element_kind (const IfbamElement *element)
{
  return element->info->expands != NULL && element->info->expands (element) ? IFBAM_KIND_COMPOSITE
                                                                            : element->info->kind;
}

/* Returns TRUE if links of a class are computed in batches while their law has one mode. */
static inline gboolean
ifbam_element_in_batches (const IfbamElementInfo *info)
{
  return info->link != NULL && info->link->points != NULL;
}

/* Returns TRUE for links `on` one node or ball; the right node is then the implied ground. */
static inline gboolean
ifbam_element_is_one_ended (const IfbamElementInfo *info)
{
  return (info->forms & (IFBAM_ON_NODE | IFBAM_ON_BALL | IFBAM_ON_SPIN | IFBAM_ON_TABLE)) != 0;
}

/* Returns the domain of a link's end (0: left). */
static inline IfbamDomain
ifbam_element_end_domain (const IfbamElementInfo *info, guint end)
{
  return info->end_domains != NULL ? info->end_domains[end] : info->domain;
}

/* Returns an element's form as an end of links. */
static inline guint
ifbam_element_form (const IfbamElement *element)
{
  return element->info->form_of != NULL ? element->info->form_of (element) : element->info->form;
}

/* Returns the count of an element's coordinates in the plane. */
static inline guint
ifbam_element_n_coordinates (const IfbamElement *element)
{
  return element->info->n_coordinates == 0                  ? 0
         : ifbam_element_form (element) == IFBAM_FORM_TABLE ? 4
         : ifbam_form_turns (ifbam_element_form (element))  ? 3
                                                            : 2;
}

/* Slots with a common meaning. */
enum
{
  IFBAM_SLOT_BETWEEN = 0,       /* strv: left, right */
  IFBAM_SLOT_ON = 0,            /* strv: one node */
  IFBAM_SLOT_COURSE = 1,        /* text: FILE.csv:COLUMN */
  IFBAM_SLOT_WHEN = 1,          /* impulse: strv: one monitor */
  IFBAM_SLOT_ENDS = 2,          /* impulse: strv: left, right */
  IFBAM_SLOT_FOLLOW_X = 1,      /* point: strv: one node */
  IFBAM_SLOT_FOLLOW_Y = 2,      /* point: strv: one node */
  IFBAM_SLOT_FOLLOW_LENGTH = 1, /* link between points of the plane: strv: one node */
  IFBAM_SLOT_FILE = 0,          /* columns: text */
  IFBAM_SLOT_OUTER = 1,         /* columns: strv: nodes of other elements */
  IFBAM_SLOT_INPUT = 1,         /* link with input nodes: strv: plus, minus */
  IFBAM_SLOT_FORMULA = 2,       /* link with a law by formula: text */
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
                         "node: its position is added to the length")
#define IFBAM_PARAM_FOLLOW(slot)                                                                   \
  IFBAM_PARAM_REFERENCE (slot, "follow", 1, 1, 0, "controller: its output is a factor of it")
#define IFBAM_PARAM_FOLLOW_SCALE(slot, rate)                                                       \
  IFBAM_PARAM_REFERENCE (slot, "follow", 1, 1, 0, "controller: its output is a factor of the " rate)
#define IFBAM_PARAM_WHEN(slot, meaning) IFBAM_PARAM_REFERENCE (slot, "when", 1, 1, 0, meaning)
#define IFBAM_PARAM_ON                                                                             \
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_ON, "on", 1, 1, IFBAM_REQUIRED, "the node that it acts on")
#define IFBAM_PARAM_ON_ALL                                                                         \
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_ON, "on", 1, G_MAXINT, IFBAM_REQUIRED,                         \
                         "the nodes that it acts on, or composites of nodes")
/* unit: of the course; Law: has an IfbamCourseForm form */
#define IFBAM_PARAMS_COURSE(Law, unit)                                                             \
  { IFBAM_PARAM_TEXT,                                                                              \
    "course",                                                                                      \
    unit,                                                                                          \
    0,                                                                                             \
    0,                                                                                             \
    0,                                                                                             \
    IFBAM_SLOT_COURSE,                                                                             \
    "FILE.csv:COLUMN: measured course instead of the formula",                                     \
    NULL,                                                                                          \
    NULL },                                                                                        \
      IFBAM_PARAM_WORD (Law, form.interpolation, "interpolation", ifbam_course_interpolations,     \
                        IFBAM_COURSE_LINEAR, "of the course between its points"),                  \
      IFBAM_PARAM (Law, form.shift, "shift", "s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,                    \
                   "added to the times of the course"),                                            \
      IFBAM_PARAM_WORD (Law, form.outside, "outside", ifbam_course_outsides, IFBAM_COURSE_REFUSE,  \
                        "the course before its first and after its last point")

/* Words of these parameters. */
extern const char *const ifbam_course_interpolations[], *const ifbam_course_outsides[];
/* Returns the numbers of an element's law that describe its course; NULL: the class has none. */
const IfbamCourseForm *ifbam_element_course_form (const IfbamElementInfo *info, const void *law);

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

/* Returns TRUE for a branch, a node between two nodes. Links can't join it. */
static inline gboolean
ifbam_element_is_branch (const IfbamElement *element)
{
  return element->info->branch_link != NULL
         && ifbam_element_slots (element)[IFBAM_SLOT_BETWEEN] != NULL;
}

/* Returns TRUE if the law needs data that a model owns: a table, a program. */
static inline gboolean
ifbam_element_prepares_law (const IfbamElementInfo *info)
{
  return info->prepare != NULL || info->program_parameter != 0;
}

/* Returns TRUE if doubles of the law are computed, not parameters. */
static inline gboolean
ifbam_element_completes_law (const IfbamElementInfo *info)
{
  return ifbam_element_prepares_law (info) || info->link_law != NULL || info->signal != NULL;
}

/* Returns TRUE if a double of the law (index) is a parameter. */
static inline gboolean
ifbam_element_is_parameter (const IfbamElementInfo *info, guint index)
{
  for (guint i = 0; i < info->n_params; i++)
    if (ifbam_param_in_law (&info->params[i])
        && (gsize) info->params[i].offset == index * sizeof (double))
      return TRUE;
  return FALSE;
}

/* Returns the address of a parameter in the element's law. */
static inline double *
ifbam_element_value (const IfbamElement *element, const IfbamParam *param)
{
  return (double *) (gpointer) ((char *) ifbam_element_law (element) + param->offset);
}

/* Returns the parameter of a key; 0 if the class has none. */
double ifbam_element_value_of (const IfbamElement *element, const char *key);

/* Counts a changed value, for a dialogue by hand. */
static inline void
ifbam_element_count_change (IfbamElement *element)
{
  if (element->context != NULL)
    element->context->changes++;
}

/* Returns the `course` parameter (index), with the unit of this element's course. */
static inline IfbamParam
ifbam_element_course_param (const IfbamElement *element, guint index)
{
  IfbamParam param = element->info->params[index];

  if (element->info->course_unit != NULL)
    param.unit = element->info->course_unit (element);
  return param;
}

/* For `fault`: returns an error if a course and keys of the formula (comma-separated) are set. */
char *ifbam_element_course_fault (IfbamElement *element, const char *formula, const char **key);
/* For `fault`: returns an error if a key that needs a course is set (is_set) without one. */
char *ifbam_element_no_course_fault (const IfbamElement *element, const char *course_key,
                                     gboolean is_set, const char **key);
/* For `fault` of a given node: returns an error if it has a controller and a monitor. */
char *ifbam_element_scaled_motion_fault (const IfbamElement *element, const char **key);

/* element-object.c: returns the GType of a static info; registers it once, thread-safe. type: 0 at
 * first, stores the GType. */
GType ifbam_element_type (gsize *type, const char *type_name, const IfbamElementInfo *info);

#define IFBAM_DEFINE_ELEMENT(Name, name)                                                           \
  GType ifbam_##name##_get_type (void);                                                            \
  GType ifbam_##name##_get_type (void)                                                             \
  {                                                                                                \
    static gsize type;                                                                             \
    return ifbam_element_type (&type, IFBAM_PRINTED ("Ifbam" #Name), &name##_info);                \
  }

/* Returns the info of a registered class. */
const IfbamElementInfo *ifbam_element_type_info (GType type);

/* Returns the possible domains of a class: bit d for domain d. */
guint32 ifbam_element_class_domains (const IfbamElementInfo *info);

/* element-object.c: creates an element (transfer full). */
IfbamElement *ifbam_element_new (GType type, const char *name);

/* Size of an element [bytes]; defaults in zeroed memory; frees all that it owns. */
gsize ifbam_element_size (const IfbamElementInfo *info);
void ifbam_element_begin (IfbamElement *element, const IfbamElementInfo *info);
void ifbam_element_clear (IfbamElement *element);

/* Returns "a" or "an" for a class name. */
static inline const char *
ifbam_element_article (const IfbamElementInfo *info)
{
  return strchr ("aeiou", info->name[0]) != NULL ? "an" : "a";
}

int ifbam_element_param_index (const IfbamElementInfo *info, const char *key);
/* Returns the key of a slot, or NULL. */
const char *ifbam_element_slot_key (const IfbamElementInfo *info, guint slot);
static inline gboolean
ifbam_element_is_set (const IfbamElement *element, guint param)
{
  return (element->set >> param & 1) != 0;
}

/* Returns a parameter's unit for help texts: "s", "m or rad" (transfer full). */
char *ifbam_element_unit_text (const IfbamElementInfo *info, const IfbamParam *param);

/* Splits terms such as "2 * a", "-b", "c" in place into names; stores the factors, read by `read`,
 * in the first IFBAM_MAX_PORTS doubles of the law, then 0. On an error returns FALSE with a reason
 * (transfer full); the law is then unchanged. */
gboolean ifbam_element_split_terms (IfbamElement *element, const IfbamParam *param, char **terms,
                                    IfbamNumberReader read, char **reason);

/* Returns the index of the first missing required parameter, or -1. */
int ifbam_element_missing (const IfbamElement *element);

/* Returns the candidate (n) nearest to a misspelled word, or NULL. */
const char *ifbam_nearest_word (const char *word, const char *const *candidates, gsize n);
