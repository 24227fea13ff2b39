/* chain.c: a chain of masses, springs and dampers, or of balls and rods
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/number-text.h"
#include "base/sine.h"
#include "element/element.h"
#include "elements/elements.h"

/* Larger doubles skip integers. Available memory limits the count further. */
#define MAX_MASSES 9007199254740992.0

typedef struct
{
  double count;
  double direction; /* direction of rods at the start [rad] */
} ChainLaw;

enum
{
  MASS,
  INERTIA,
  STIFFNESS,
  DAMPING,
  POSITION,
  VELOCITY,
  ANGLE,
  SPEED,
  RODS,
  FROM,
  TO,
  N_SLOTS,
};

/* In the order of the slots, after `count`. */
static const IfbamParam params[] = {
  IFBAM_PARAM (ChainLaw, count, "count", "", 1, MAX_MASSES, IFBAM_REQUIRED, "how many masses"),
  IFBAM_PARAM_LIST (MASS, "mass", "kg", G_MINDOUBLE, G_MAXDOUBLE, 0,
                    "of the masses NAME.m1, NAME.m2, …; all lists repeat along the chain"),
  IFBAM_PARAM_LIST (INERTIA, "inertia", "kg m2", G_MINDOUBLE, G_MAXDOUBLE, 0,
                    "instead of mass: a chain that turns"),
  IFBAM_PARAM_LIST (STIFFNESS, "stiffness", "%f/%x", 0, G_MAXDOUBLE, 0,
                    "of the springs NAME.k1, NAME.k2, …"),
  IFBAM_PARAM_LIST (DAMPING, "damping", "%f s/%x", 0, G_MAXDOUBLE, 0,
                    "of the dampers NAME.d1, NAME.d2, … beside the springs; without it: none"),
  IFBAM_PARAM_LIST (POSITION, "position", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                    "of the masses at the start"),
  IFBAM_PARAM_LIST (VELOCITY, "velocity", "m/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                    "of the masses at the start"),
  IFBAM_PARAM_LIST (ANGLE, "angle", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                    "of the inertias at the start"),
  IFBAM_PARAM_LIST (SPEED, "speed", "rad/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                    "of the inertias at the start"),
  IFBAM_PARAM_LIST (
      RODS, "rods", "m", G_MINDOUBLE, G_MAXDOUBLE, 0,
      "instead of stiffness: balls in the plane, joined by rods NAME.r1, NAME.r2, … of "
      "these lengths"),
  IFBAM_PARAM_REFERENCE (FROM, "from", 1, 1, 0,
                         "node that the first spring starts at (point that the first rod does); "
                         "without it k1 joins m1 and m2"),
  IFBAM_PARAM_REFERENCE (
      TO, "to", 1, 1, 0,
      "node that one more spring joins the last mass to (point that one more rod "
      "does)"),
  IFBAM_PARAM (ChainLaw, direction, "direction", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of rods: along which it lies at the start, as far as its ends allow it: "
               "counterclockwise from x"),
};

/* Lists of the chain that give parameters of a member class. */
typedef struct
{
  const char *letter;
  GType (*type[2]) (void); /* translation, rotation */
  struct
  {
    const char *key[2];
    guint slot[2];
  } lists[3];
  guint n_lists;
} Family;

static const Family families[] = {
  { "m",
    { ifbam_mass_get_type, ifbam_inertia_get_type },
    { { { "mass", "inertia" }, { MASS, INERTIA } },
      { { "position", "angle" }, { POSITION, ANGLE } },
      { { "velocity", "speed" }, { VELOCITY, SPEED } } },
    3 },
  { "k",
    { ifbam_spring_get_type, ifbam_torsion_spring_get_type },
    { { { "stiffness", "stiffness" }, { STIFFNESS, STIFFNESS } } },
    1 },
  { "d",
    { ifbam_damper_get_type, ifbam_torsion_damper_get_type },
    { { { "damping", "damping" }, { DAMPING, DAMPING } } },
    1 },
};

/* Of balls in the plane, each of two masses. */
static const Family plane_families[] = {
  { "m",
    { ifbam_mass_get_type, ifbam_mass_get_type },
    { { { "mass", "mass" }, { MASS, MASS } } },
    1 },
  { "r",
    { ifbam_rod_get_type, ifbam_rod_get_type },
    { { { "length", "length" }, { RODS, RODS } } },
    1 },
};

/* Single values set by name. */
typedef struct
{
  GHashTable *overrides[G_N_ELEMENTS (families)];
} ChainExtra;

/* Returns TRUE if the list exists, or was given and could not be read. */
static gboolean
has (const IfbamElement *element, guint slot)
{
  return ifbam_element_slots (element)[slot] != NULL || ifbam_element_is_set (element, slot + 1);
}

static guint
turns (const IfbamElement *element)
{
  return has (element, INERTIA) ? 1 : 0;
}

/* Returns TRUE for balls in the plane. */
static gboolean
has_rods (const IfbamElement *element)
{
  return has (element, RODS);
}

static guint
n_families (const IfbamElement *element)
{
  return has_rods (element) ? G_N_ELEMENTS (plane_families) : G_N_ELEMENTS (families);
}

static const Family *
family_of (const IfbamElement *element, guint f)
{
  return has_rods (element) ? &plane_families[f] : &families[f];
}

static ChainExtra *
extra_of (IfbamElement *element)
{
  if (element->extra == NULL)
    element->extra = g_new0 (ChainExtra, 1);
  return element->extra;
}

static void
chain_free_extra (gpointer data)
{
  ChainExtra *extra = data;

  for (guint f = 0; f < G_N_ELEMENTS (families); f++)
    g_clear_pointer (&extra->overrides[f], g_hash_table_unref);
  g_free (extra);
}

/* series: IFBAM_MAX_PARAMS, filled */
static IfbamMember
member_of (const IfbamElement *element, guint f, IfbamSeries *series)
{
  const Family *family = family_of (element, f);
  const ChainExtra *extra = element->extra;
  const IfbamElementInfo *info = ifbam_element_type_info (family->type[turns (element)]());

  memset (series, 0, IFBAM_MAX_PARAMS * sizeof *series);
  for (guint l = 0; l < family->n_lists; l++)
    {
      GVariant *list = ifbam_element_slots (element)[family->lists[l].slot[turns (element)]];
      int param = ifbam_element_param_index (info, family->lists[l].key[turns (element)]);

      if (list != NULL)
        {
          series[param].values =
              g_variant_get_fixed_array (list, &series[param].length, sizeof (double));
          series[param].list = list;
        }
    }
  return (IfbamMember){ .info = info,
                        .letter = family->letter,
                        .series = series,
                        .overrides = extra == NULL ? NULL : extra->overrides[f] };
}

/* A property can have been set to NaN. */
static guint64
count_of (const IfbamElement *element)
{
  const double count = ((const ChainLaw *) ifbam_element_law (element))->count;

  return count >= 1 && count <= MAX_MASSES ? (guint64) count : 1;
}

static void
chain_add_size (const IfbamElement *element, guint64 *nodes, guint64 *links)
{
  *nodes += count_of (element) * (has_rods (element) ? 2 : 1);
  *links += (count_of (element) - 1 + has (element, FROM) + has (element, TO))
            * (has (element, DAMPING) ? 2 : 1);
}

/* Adds the x of all balls, then their y: guesses along a straight line. */
static void
expand_balls (IfbamElement *element, IfbamBuilder *builder)
{
  static const char *const tails[] = { "x", "y" };
  const ChainLaw *law = (const ChainLaw *) ifbam_element_law (element);
  const gpointer *slots = ifbam_element_slots (element);
  const gsize n = (gsize) count_of (element);
  g_autofree double *position = g_new (double, n);
  IfbamSeries series[IFBAM_MAX_PARAMS], rods[IFBAM_MAX_PARAMS];
  double along[2], start[2] = { 0, 0 };

  member_of (element, 1, rods);
  ifbam_sine_cosine (law->direction / IFBAM_TWO_PI, &along[1], &along[0]);
  if (slots[FROM] != NULL)
    builder->find_start (builder, *(char **) slots[FROM], start);
  for (guint c = 0; c < G_N_ELEMENTS (tails); c++)
    {
      IfbamMember member = member_of (element, 0, series);
      double distance = 0;

      for (gsize i = 0; i < n; i++)
        {
          if (slots[FROM] != NULL || i > 0)
            {
              const gsize rod_index = i - (slots[FROM] == NULL);

              distance += rods[0].length == 0 ? 0 : rods[0].values[rod_index % rods[0].length];
            }
          position[i] = start[c] + along[c] * distance;
        }
      member.tail = tails[c];
      member.is_guess = TRUE;
      series[1] = (IfbamSeries){ position, n, NULL };
      builder->add_nodes (builder, element, &member, n);
    }
}

static void
chain_expand_nodes (IfbamElement *element, IfbamBuilder *builder)
{
  IfbamSeries series[IFBAM_MAX_PARAMS];
  IfbamMember member;

  if (has_rods (element))
    {
      expand_balls (element, builder);
      return;
    }
  member = member_of (element, 0, series);
  builder->add_nodes (builder, element, &member, count_of (element));
}

/* Reports a spring from a mass to itself. */
static void
refuse_loop (IfbamElement *element, IfbamBuilder *builder, const char *key, guint64 node,
             guint64 end, guint64 index)
{
  if (node == end)
    builder->issue (builder, element, key,
                    g_strdup_printf ("both ends of a spring are on \"%s.m%" G_GUINT64_FORMAT
                                     "\" (a link joins two nodes)",
                                     element->name, index));
}

static void
chain_expand_links (IfbamElement *element, IfbamBuilder *builder)
{
  const gpointer *slots = ifbam_element_slots (element);
  IfbamSeries series[2][IFBAM_MAX_PARAMS];
  IfbamMember members[2] = { member_of (element, 1, series[0]),
                             has_rods (element) ? (IfbamMember){ 0 }
                                                : member_of (element, 2, series[1]) };
  IfbamPath path = { .head = IFBAM_NO_INDEX,
                     .first = builder->first_node (builder, element),
                     .count = count_of (element),
                     .tail = IFBAM_NO_INDEX };

  if (has_rods (element))
    {
      builder->add_plane_path (builder, element, &members[0],
                               slots[FROM] == NULL ? NULL : *(char **) slots[FROM],
                               slots[TO] == NULL ? NULL : *(char **) slots[TO], path.count);
      return;
    }
  if (slots[FROM] != NULL)
    path.head = builder->find_node (builder, element, "from", *(char **) slots[FROM]);
  if (slots[TO] != NULL)
    path.tail = builder->find_node (builder, element, "to", *(char **) slots[TO]);
  refuse_loop (element, builder, "from", path.head, path.first, 1);
  refuse_loop (element, builder, "to", path.tail, path.first + path.count - 1, path.count);
  builder->add_path (builder, element, members, slots[DAMPING] != NULL ? 2 : 1, &path);
}

static char *
chain_fault (IfbamElement *element, const char **key)
{
  const double count = ((ChainLaw *) ifbam_element_law (element))->count;
  const int direction = ifbam_element_param_index (element->info, "direction");
  const guint domain = turns (element) == 1 ? IFBAM_DOMAIN_ROTATION : IFBAM_DOMAIN_TRANSLATION;

  if (count != (double) (guint64) count)
    {
      *key = "count";
      return g_strdup_printf ("%s is no whole number", IFBAM_NUMBER (count));
    }
  if (has (element, MASS) == has (element, INERTIA))
    {
      *key = has (element, MASS) ? "inertia" : NULL;
      return g_strdup (has (element, MASS)
                           ? "a chain has either mass or inertia, not both"
                           : "mass is missing (or inertia, for a chain that turns)");
    }
  if (has_rods (element))
    {
      for (guint slot = INERTIA; slot < RODS; slot++)
        if (has (element, slot))
          {
            *key = ifbam_element_slot_key (element->info, slot);
            return g_strdup (
                "a chain of rods has mass, rods and a direction: its balls move in the "
                "plane");
          }
      return NULL;
    }
  if (ifbam_element_is_set (element, (guint) direction))
    {
      *key = "direction";
      return g_strdup ("only a chain of rods has one");
    }
  if (!has (element, STIFFNESS))
    return g_strdup ("stiffness is missing (or rods, for a chain of balls in the plane)");
  if (has (element, turns (element) == 1 ? POSITION : ANGLE)
      || has (element, turns (element) == 1 ? VELOCITY : SPEED))
    {
      *key = has (element, turns (element) == 1 ? POSITION : ANGLE)
                 ? (turns (element) == 1 ? "position" : "angle")
                 : (turns (element) == 1 ? "velocity" : "speed");
      return g_strdup (turns (element) == 1 ? "a chain that turns has angle and speed"
                                            : "a chain of masses has position and velocity");
    }
  if (!(element->domains >> domain & 1))
    {
      *key = "stiffness";
      return g_strdup_printf ("a chain with %s has %s", turns (element) == 1 ? "inertia" : "mass",
                              turns (element) == 1
                                  ? "a stiffness in N m/rad, a damping in N m s/rad"
                                  : "a stiffness in N/m, a damping in N s/m");
    }
  return NULL;
}

static gboolean
chain_set_member (IfbamElement *element, const char *name, const char *key, const char *text,
                  IfbamNumberReader read, char **reason)
{
  const double count = ((ChainLaw *) ifbam_element_law (element))->count;
  const double n_links = count - 1 + has (element, FROM) + has (element, TO);

  for (guint f = 0; f < n_families (element); f++)
    {
      const Family *family = family_of (element, f);
      const IfbamElementInfo *info = ifbam_element_type_info (family->type[turns (element)]());
      ChainExtra *extra = extra_of (element);
      guint32 domains = 1u << info->domain;
      guint64 index;
      double value;
      char *end;
      int param;

      if (name[0] != family->letter[0] || name[1] < '1' || name[1] > '9')
        continue;
      index = g_ascii_strtoull (name + 1, &end, 10);
      param = ifbam_element_param_index (info, key);
      if (*end != '\0' || (double) index > (f == 0 ? count : n_links)
          || (family->letter[0] == 'd' && !has (element, DAMPING)))
        break;
      if (has_rods (element) && !g_str_equal (key, family->lists[0].key[0]))
        {
          *reason = g_strdup_printf ("in a chain of rods a %s has no number \"%s\" (it has %s)",
                                     info->name, key, family->lists[0].key[0]);
          return FALSE;
        }
      if (param < 0 || info->params[param].kind != IFBAM_PARAM_NUMBER)
        {
          const char *keys[32], *nearest;

          for (guint i = 0; i < info->n_params; i++)
            keys[i] = info->params[i].key;
          nearest = ifbam_nearest_word (key, keys, info->n_params);
          *reason = g_strdup_printf ("a %s has no number \"%s\"%s%s%s", info->name, key,
                                     nearest != NULL ? " (did you mean \"" : "",
                                     nearest != NULL ? nearest : "", nearest != NULL ? "\"?)" : "");
          return FALSE;
        }
      if (!read (&info->params[param], &domains, text, &value, reason))
        return FALSE;
      if (extra->overrides[f] == NULL)
        extra->overrides[f] = g_hash_table_new_full (NULL, NULL, NULL, g_free);
      g_hash_table_insert (extra->overrides[f],
                           GSIZE_TO_POINTER (((gsize) (index - 1) << 5 | (gsize) param) + 1),
                           g_memdup2 (&value, sizeof value));
      return TRUE;
    }
  *reason = g_strdup_printf ("\"%s\" has no element \"%s\"", element->name, name);
  return FALSE;
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  const gsize one = GPOINTER_TO_SIZE (*(const gpointer *) a);
  const gsize other = GPOINTER_TO_SIZE (*(const gpointer *) b);

  return one < other ? -1 : one > other;
}

static void
chain_list_members (const IfbamElement *element, IfbamMemberValue value, gpointer data)
{
  const ChainExtra *extra = element->extra;

  for (guint f = 0; extra != NULL && f < n_families (element); f++)
    {
      const Family *family = family_of (element, f);
      const IfbamElementInfo *info = ifbam_element_type_info (family->type[turns (element)]());
      g_autofree gpointer *keys = NULL;
      guint n;

      if (extra->overrides[f] == NULL)
        continue;
      keys = g_hash_table_get_keys_as_array (extra->overrides[f], &n);
      qsort (keys, n, sizeof *keys, compare_keys);
      for (guint i = 0; i < n; i++)
        {
          const gsize key = GPOINTER_TO_SIZE (keys[i]) - 1;
          const double *set = g_hash_table_lookup (extra->overrides[f], keys[i]);
          g_autofree char *member =
              g_strdup_printf ("%s%" G_GSIZE_FORMAT, family->letter, (key >> 5) + 1);

          value (data, member, &info->params[key & 31], *set);
        }
    }
}

static const IfbamElementInfo chain_info = {
  .name = "chain",
  .summary =
      "row of masses (or inertias) joined by springs and dampers, or of balls joined by rods",
  .law = "those of mass, spring and damper (inertia, torsion-spring, torsion-damper), or rod",
  .source = "Grabysz 1994, fig. 1",
  .example = "[chain c]\ncount     = 1000\nmass      = 1 kg, 2 kg\nstiffness = 10 kN/m\n"
             "from      = wall\n",
  .kind = IFBAM_KIND_COMPOSITE,
  .domain = IFBAM_DOMAIN_ANY,
  .domains = 1u << IFBAM_DOMAIN_TRANSLATION | 1u << IFBAM_DOMAIN_ROTATION,
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .law_size = sizeof (ChainLaw),
  .n_slots = N_SLOTS,
  .fault = chain_fault,
  .add_size = chain_add_size,
  .expand_nodes = chain_expand_nodes,
  .expand_links = chain_expand_links,
  .set_member = chain_set_member,
  .list_members = chain_list_members,
  .free_extra = chain_free_extra,
};

IFBAM_DEFINE_ELEMENT (Chain, chain)
