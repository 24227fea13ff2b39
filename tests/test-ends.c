/* test-ends.c: each class with each kind of node, point or link in each of its places: a run, or a message at its group
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "any-class.h"
#include "fixture.h"
#include "embed/ifbam.h"
#include "noise.h"

/* One of each: nodes of all kinds, what stands in the plane, links that move, hold, stick and hear. */
#define ZOO                                                                                        \
  "[ground zg]\n[ground ze]\n[mass zm]\nmass = 1\n[mass zn]\nmass = 2\nposition = 0.5\n"           \
  "[inertia zs]\ninertia = 1\n[inertia zr]\ninertia = 2\n[drive zd]\namplitude = 1 mm\n"           \
  "frequency = 3\n[capacitor zc]\ncapacitance = 1\n[voltage-source zv]\nvoltage = 1\n"             \
  "[pipe zq]\ninertance = 1\n[ball zb]\nmass = 1\nradius = 0.1\nx = 30\n"                          \
  "[ball za]\nmass = 1\nradius = 0.1\ninertia = 1\nx = 30\ny = 5\n[body zo]\nmass = 1\n"           \
  "inertia = 1\nx = 60\n[point zp]\non = zo\nx = 0.5\n[point zf]\nx = 90\n"                        \
  "[surface zu]\nheight = -30\n[spring zk]\nstiffness = 9\nbetween = zg, zm\n"                     \
  "[damper zl]\ndamping = 1\nbetween = zm, zn\n[impact zi]\nbetween = zm, zn\n"                    \
  "[friction zh]\nbreakaway = 2\ncoulomb = 1\nbetween = zg, zn\n[rod zj]\nbetween = zo, zf\n"      \
  "[bounce zt]\nbetween = zb, zu\n[monitor zw]\nsignal = zm.position\nlevel = 1\n"

/* Those that fit each other stand together. */
static const char *const animals[] = { "zg", "zm", "zn",   "zd",       "zs",     "zr", "ze",
                                       "zc", "zv", "zq",   "zb",       "za",     "zo", "zp",
                                       "zf", "zu", "zk",   "zl",       "zi",     "zh", "zj",
                                       "zt", "zw", "zo.x", "zo.angle", "nobody", "" };

/* Anyone, or a neighbour of the one before. */
static guint
draw_animal (guint before)
{
  if (before < G_N_ELEMENTS (animals) && g_rand_boolean (noise))
    return (before + (guint) g_rand_int_range (noise, 0, 3)) % G_N_ELEMENTS (animals);
  return (guint) g_rand_int_range (noise, 0, G_N_ELEMENTS (animals));
}

/* The example of a class with its nodes and with the zoo, and other names in one key; alone: in no other. */
static char *
example_with (const IfbamElementInfo *info, const char *key, const char *names, gboolean alone)
{
  g_autofree char *example = example_network (info);
  g_autofree char *header = g_strndup (info->example, strcspn (info->example, "]") + 1);
  g_auto (GStrv) lines = g_strsplit (example, "\n", -1);
  GString *text = g_string_new (NULL);
  gboolean own = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) halves = g_strsplit (lines[i], "=", 2);
      int param;

      own = lines[i][0] == '[' ? g_str_equal (lines[i], header) : own;
      param = own && halves[0] != NULL && halves[1] != NULL
                  ? ifbam_element_param_index (info, g_strstrip (halves[0]))
                  : -1;
      if (param < 0
          || !(g_str_equal (halves[0], key)
               || (alone && info->params[param].kind == IFBAM_PARAM_ELEMENTS)))
        g_string_append_printf (text, "%s\n", lines[i]);
      if (lines[i][0] == '[' && own)
        g_string_append_printf (text, "%s = %s\n", key, names);
    }
  return g_string_free (text, FALSE);
}

static guint n_run, n_refused, n_stopped;

static void
try_names (const IfbamElementInfo *info, const char *key, const char *names, gboolean alone)
{
  g_autofree char *example = example_with (info, key, names, alone);
  g_autofree char *text = g_strconcat (example, ZOO, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = text_network_try (text, NULL, &error);
  g_autoptr (IfbamCourse) course = NULL;
  const char *const *signals;
  gsize n;

  if (network != NULL)
    course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
  if (course == NULL)
    {
      if (error == NULL || error->message[0] == '\0')
        fail_msg ("not a word about %s = %s: %s", key, names, text);
      if (network == NULL && !g_str_has_prefix (error->message, "network.ini:"))
        fail_msg ("%s = %s: its line is not named: %s", key, names, error->message);
      if (g_getenv ("V") != NULL)
        print_message ("# %s %s: %s\n", info->name, names, error->message);
      *(network == NULL ? &n_refused : &n_stopped) += 1;
      return;
    }
  n_run++;
  signals = ifbam_course_get_signals (course);
  for (guint i = 0; signals[i] != NULL; i++)
    {
      const double *values = ifbam_course_get_values (course, signals[i], &n, NULL);

      if (!isfinite (values[n - 1]))
        fail_msg ("%s is %g with %s = %s: %s", signals[i], values[n - 1], key, names, text);
    }
}

static void
try_class (GType type, const IfbamElementInfo *info)
{
  (void) type;
  if (info->kind == IFBAM_KIND_SETTINGS || info->has_columns)
    return;
  for (guint k = 0; k < info->n_params; k++)
    {
      const IfbamParam *param = &info->params[k];
      const guint most = param->kind != IFBAM_PARAM_ELEMENTS ? 0 : by_effort (8, 30, 300);

      for (guint draw = 0; draw < most; draw++)
        {
          const guint n = (guint) CLAMP (param->maximum, 1, 3);
          guint last = draw_animal (G_MAXUINT);
          g_autoptr (GString) names = g_string_new (animals[last]);

          /* as many as there may be, most of the time */
          for (guint i = draw % 8 == 7 ? 0 : 1; i < n; i++)
            g_string_append_printf (names, ", %s", animals[last = draw_animal (last)]);
          try_names (info, param->key, names->str, draw % 3 == 2);
        }
    }
}

static void
test_any_ends (void **state)
{
  (void) state;
  each_class (try_class, -1);
  print_message ("# %u run, %u are refused, %u stop\n", n_run, n_refused, n_stopped);
  assert_true (n_run > 0 && n_refused > 0);
}

static int
set_up (void **state)
{
  return folder_make (state) || noise_set_up (20261123);
}

static int
tear_down (void **state)
{
  return noise_tear_down (state) || folder_remove (state);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_any_ends),
  };

  return cmocka_run_group_tests (tests, set_up, tear_down);
}
