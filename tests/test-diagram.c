/* test-diagram.c: a network's diagram shows its elements, whole, apart from each other, and not too many
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "elements/registry.h"
#include "fixture.h"
#include "figure/figure.h"
#include "run/run.h"

/* Contents of the picture. */
typedef struct
{
  GHashTable *names; /* data-name -> class of the group */
  GArray *boxes;     /* Box */
  double width, height;
  guint n_groups, n_links, n_symbols, depth;
  gboolean in_text;
  GString *text;
} Picture;

typedef struct
{
  double x, y, half_width, half_height;
} Box;

static const char *
attribute (const char **names, const char **values, const char *name)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], name) == 0)
      return values[i];
  return "";
}

static void
start_element (GMarkupParseContext *context, const char *element, const char **names,
               const char **values, gpointer data, GError **error)
{
  const char *class_name = attribute (names, values, "class");
  const char *name = attribute (names, values, "data-name");
  Picture *picture = data;

  (void) context;
  (void) error;
  picture->depth++;
  if (strcmp (element, "svg") == 0)
    {
      picture->width = g_ascii_strtod (attribute (names, values, "width"), NULL);
      picture->height = g_ascii_strtod (attribute (names, values, "height"), NULL);
    }
  if (name[0] != '\0')
    {
      picture->n_groups++;
      picture->n_links += strcmp (class_name, "link") == 0;
      g_hash_table_insert (picture->names, g_strdup (name), g_strdup (class_name));
    }
  picture->n_symbols += strcmp (class_name, "symbol") == 0;
  if (strcmp (class_name, "box") == 0)
    {
      /* "translate(X Y) scale(A B)"; the outline goes from -20 to 20 */
      g_auto (GStrv) words = g_strsplit_set (attribute (names, values, "transform"), "() ", -1);
      const Box box = { g_ascii_strtod (words[1], NULL), g_ascii_strtod (words[2], NULL),
                        20 * g_ascii_strtod (words[5], NULL),
                        20 * g_ascii_strtod (words[6], NULL) };

      assert_string_equal (words[0], "translate");
      assert_string_equal (words[4], "scale");
      g_array_append_val (picture->boxes, box);
    }
}

static void
end_element (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  (void) context;
  (void) element;
  (void) error;
  ((Picture *) data)->depth--;
}

static void
add_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data,
          GError **error)
{
  (void) context;
  (void) error;
  g_string_append_len (((Picture *) data)->text, text, (gssize) length);
}

static void
picture_clear (Picture *picture)
{
  g_hash_table_unref (picture->names);
  g_array_unref (picture->boxes);
  g_string_free (picture->text, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Picture, picture_clear)

/* Draws a network's text and reads the picture; all that must hold of any picture holds. */
static Picture
draw (const char *text, IfbamDiagram *diagram)
{
  static const GMarkupParser parser = { start_element, end_element, add_text, NULL, NULL };
  Picture picture = { .names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
                      .boxes = g_array_new (FALSE, FALSE, sizeof (Box)),
                      .text = g_string_new (NULL) };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &picture, NULL);
  g_autofree char *svg = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };

  network = text_network (text);
  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  svg = ifbam_diagram_svg (diagram, model);
  if (!g_markup_parse_context_parse (context, svg, -1, &error)
      || !g_markup_parse_context_end_parse (context, &error))
    fail_msg ("%s", error->message);
  assert_int_equal (picture.depth, 0);
  assert_true (picture.boxes->len <= diagram->drawn); /* a box can stand for several nodes */
  for (guint i = 0; i < picture.boxes->len; i++)
    {
      const Box *box = &g_array_index (picture.boxes, Box, i);

      assert_true (box->x - box->half_width >= 0 && box->x + box->half_width <= picture.width);
      assert_true (box->y - box->half_height >= 0 && box->y + box->half_height <= picture.height);
      for (guint j = 0; j < i; j++)
        {
          const Box *other = &g_array_index (picture.boxes, Box, j);

          assert_true (fabs (box->x - other->x) >= box->half_width + other->half_width
                       || fabs (box->y - other->y) >= box->half_height + other->half_height);
        }
    }
  return picture;
}

#define HEAD "[network]\nstep = 1 ms\nduration = 1 s\n[ground wall]\n"

static const char three[] = HEAD "[spring k1]\nstiffness = 10 kN/m\nbetween = wall, m1\n"
                                 "[mass m1]\nmass = 1 kg\n"
                                 "[spring k2]\nstiffness = 40 kN/m\ncubic = 5 MN/m3\n"
                                 "between = m1, m2\n[mass m2]\nmass = 1500 kg\n"
                                 "[damper d3]\ndamping = 5 N s/m\nbetween = m3, m1\n"
                                 "[mass m3]\nmass = 0.5 kg\n[force push]\non = m3\nvalue = 2 N\n"
                                 "[drive floor]\namplitude = 1 mm\n[spring k4]\n"
                                 "stiffness = 1 kN/m\nbetween = m3, floor\n";

static void
test_every_element_is_there (void **state)
{
  static const char *const wanted[][2] = {
    { "wall", "given" }, { "floor", "given" }, { "m1", "node" }, { "m2", "node" },
    { "m3", "node" },    { "k1", "link" },     { "k2", "link" }, { "d3", "link" },
    { "k4", "link" },    { "push", "source" },
  };
  IfbamDiagram diagram = { 0 };
  g_auto (Picture) picture = draw (three, &diagram);

  (void) state;
  assert_int_equal (diagram.drawn, 3);
  assert_int_equal (picture.n_groups, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    assert_string_equal (g_hash_table_lookup (picture.names, wanted[i][0]), wanted[i][1]);
  assert_non_null (strstr (picture.text->str, "10 kN/m"));
  assert_non_null (strstr (picture.text->str, "1500 kg"));
  assert_non_null (strstr (picture.text->str, "spring k2: stiffness 40 kN/m, cubic 5 MN/m3"));
  assert_non_null (strstr (picture.text->str, "The damper d3 joins m3 and m1."));
}

/* Other elements have a position, too: with two ends between them, with one end there. */
static void
test_links_and_loads (void **state)
{
  static const char text[] =
      HEAD "[mass m1]\nmass = 1 kg\n[mass m2]\nmass = 1 kg\n"
           "[friction f1]\nbreakaway = 1 N\nbetween = wall, m1\n"
           "[impact i1]\ngap = 1 cm\nbetween = m1, m2\n"
           "[spring k1]\nstiffness = 1 kN/m\nbetween = m1, m2\n"
           "[drag air]\ncoefficient = 1 kg/m\non = m2\n[gravity earth]\non = m1, m2\n"
           "[impulse hit]\non = m1\nat = 1 ms\nimpulse = 1 N s\n";
  static const char *const wanted[][2] = { { "f1", "link" },    { "i1", "link" },
                                           { "k1", "link" },    { "air", "source" },
                                           { "hit", "source" }, { "earth", "source" } };
  IfbamDiagram diagram = { 0 };
  g_auto (Picture) picture = draw (text, &diagram);

  (void) state;
  assert_int_equal (diagram.drawn, 2);
  assert_int_equal (picture.n_links, 3);
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    assert_string_equal (g_hash_table_lookup (picture.names, wanted[i][0]), wanted[i][1]);
  assert_non_null (strstr (picture.text->str, "The friction f1 joins wall and m1."));
}

/* Two coordinates are one thing to look at. */
static void
test_a_ball_is_one_box (void **state)
{
  static const char text[] =
      "[network]\nstep = 1 ms\nduration = 1 s\n[surface floor]\n"
      "[ball b]\nmass = 1 kg\nradius = 1 cm\ny = 1 m\n[bounce hop]\nbetween = b, floor\n"
      "[gravity earth]\non = b\n";
  IfbamDiagram diagram = { 0 };
  g_auto (Picture) picture = draw (text, &diagram);

  (void) state;
  assert_int_equal (diagram.drawn, 2);
  assert_int_equal (picture.boxes->len, 1);
  assert_string_equal (g_hash_table_lookup (picture.names, "b"), "node");
  assert_string_equal (g_hash_table_lookup (picture.names, "hop"), "link");
  assert_string_equal (g_hash_table_lookup (picture.names, "floor"), "given");
  assert_string_equal (g_hash_table_lookup (picture.names, "earth"), "source");
  assert_int_equal (picture.n_groups, 4);
}

/* The branch at m1: m1 is as high as both of its links, m2 and m3 are not. */
static void
test_a_branch_is_a_row (void **state)
{
  IfbamDiagram diagram = { 0 };
  g_auto (Picture) picture = draw (three, &diagram);
  const Box *box = (const Box *) (gpointer) picture.boxes->data;

  (void) state;
  assert_true (box[0].half_height > 1.5 * box[1].half_height);
  assert_true (box[0].x < box[1].x && fabs (box[1].x - box[2].x) < 40);
  assert_true (box[1].y < box[2].y || box[2].y < box[1].y);
}

static char *
chain (guint n, const char *rest)
{
  return g_strdup_printf (HEAD "[ground end]\n[chain c]\ncount = %u\nmass = 1 kg\n"
                               "stiffness = 1 kN/m\nfrom = wall\nto = end\n%s",
                          n, rest);
}

static void
test_a_long_chain_is_cut_short (void **state)
{
  g_autofree char *text = chain (100000, "[force f]\non = c.m500\nvalue = 1 N\n");
  IfbamDiagram diagram = { 0 };
  g_auto (Picture) picture = draw (text, &diagram);
  gsize wanted = 70000;

  (void) state;
  /* both ends with a neighbour, and the node of the force between two */
  assert_int_equal (diagram.drawn, 7);
  assert_string_equal (g_hash_table_lookup (picture.names, "c.m1"), "node");
  assert_string_equal (g_hash_table_lookup (picture.names, "c.m100000"), "node");
  assert_string_equal (g_hash_table_lookup (picture.names, "c.m500"), "node");
  assert_string_equal (g_hash_table_lookup (picture.names, "end"), "given");
  assert_null (g_hash_table_lookup (picture.names, "c.m40000"));
  assert_non_null (strstr (picture.text->str, "496 more"));
  assert_non_null (strstr (picture.text->str, "99497 more"));
  /* Requested nodes are there, too. */
  diagram = (IfbamDiagram){ .wanted = &wanted, .n_wanted = 1 };
  picture_clear (&picture);
  picture = draw (text, &diagram);
  assert_int_equal (diagram.drawn, 10);
}

static void
test_short_chains_are_whole (void **state)
{
  (void) state;
  for (guint n = 1; n <= 16; n++)
    {
      g_autofree char *text = chain (n, "");
      IfbamDiagram diagram = { 0 };
      g_auto (Picture) picture = draw (text, &diagram);

      assert_int_equal (diagram.drawn, n);
      assert_int_equal (picture.n_links, n + 1);
    }
}

/* Networks of all shapes: nothing overlaps, nothing is lost, there is an end. */
static void
test_random_networks (void **state)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  (void) state;
  for (guint trial = 0; trial < 200; trial++)
    {
      const guint n = (guint) g_rand_int_range (random, 1, trial % 10 == 0 ? 200 : 17);
      const guint n_links = (guint) g_rand_int_range (random, 0, (int) (2 * n));
      g_autoptr (GString) text = g_string_new (HEAD);
      IfbamDiagram diagram = { 0 };

      for (guint i = 0; i < n; i++)
        g_string_append_printf (text, "[mass m%u]\nmass = 1 kg\n", i);
      for (guint i = 0; i < n_links; i++)
        {
          const int a = g_rand_int_range (random, 0, (int) n),
                    b = g_rand_int_range (random, -2, (int) n);

          if (a == b)
            continue;
          g_string_append_printf (text, "[spring k%u]\nstiffness = 1 N/m\nbetween = ", i);
          if (b < 0)
            g_string_append_printf (text, "wall, m%d\n", a);
          else
            g_string_append_printf (text, "m%d, m%d\n", a, b);
        }
      {
        g_auto (Picture) picture = draw (text->str, &diagram);

        assert_true (n <= 16 ? diagram.drawn == n : diagram.drawn <= 40);
        for (guint i = 0; i < n_links && n <= 16; i++)
          {
            g_autofree char *name = g_strdup_printf ("k%u", i);
            g_autofree char *group = g_strdup_printf ("[spring k%u]", i);

            assert_true ((g_hash_table_lookup (picture.names, name) != NULL)
                         == (strstr (text->str, group) != NULL));
          }
      }
    }
}

/* Rings, where every node has two neighbours and nothing tells them apart. */
static void
test_rings (void **state)
{
  (void) state;
  for (guint n = 2; n < 60; n += 3)
    {
      g_autoptr (GString) text = g_string_new (HEAD);
      IfbamDiagram diagram = { 0 };

      for (guint i = 0; i < n; i++)
        g_string_append_printf (text,
                                "[mass m%u]\nmass = 1 kg\n"
                                "[spring k%u]\nstiffness = 1 N/m\nbetween = m%u, m%u\n",
                                i, i, i, (i + 1) % n);
      {
        g_auto (Picture) picture = draw (text->str, &diagram);

        assert_int_equal (diagram.drawn, n <= 16 ? n : 3);
        assert_true ((strstr (picture.text->str, " more") != NULL) == (n > 16));
      }
    }
}

/* Of a body's many points those with links have names, and fixed ones have a support. */
static void
test_points (void **state)
{
  IfbamDiagram diagram = { 0 };
  g_auto (Picture) picture =
      draw (HEAD "[point pivot]\n[body bar]\nmass = 1\ninertia = 1\n[point top]\non = bar\ny = 1\n"
                 "[point rather-a-long-name]\non = bar\nx = 1\n[ball b]\nmass = 1\nx = 2\n"
                 "[hinge pin]\nbetween = pivot, top\n[rod r]\nbetween = rather-a-long-name, b\n"
                 "[ball c]\nmass = 1\nx = 3\n[rod s]\nbetween = b, c\n",
            &diagram);

  (void) state;
  assert_non_null (strstr (picture.text->str, "pivot, top"));
  assert_non_null (strstr (picture.text->str, "rat\342\200\246me, b"));
  assert_null (strstr (picture.text->str, "b, c"));
  assert_int_equal (picture.n_symbols, 4); /* three links and a support */
}

/* Members of a chain are no chains. */
static void
test_rods_of_a_chain_are_rods (void **state)
{
  IfbamDiagram diagram = { 0 };
  g_auto (Picture) picture =
      draw (HEAD "[point pivot]\n[chain c]\ncount = 3\nmass = 100 g\nrods = 20 cm\nfrom = pivot\n",
            &diagram);

  (void) state;
  assert_string_equal (g_hash_table_lookup (picture.names, "c.r2"), "link");
  assert_non_null (strstr (picture.text->str, "rod c.r2: length 200 mm"));
  assert_null (strstr (picture.text->str, "chain c"));
}

static void
test_symbols_are_path_data (void **state)
{
  guint n;
  const GType *types = ifbam_element_types (&n);

  (void) state;
  for (guint i = 0; i < n; i++)
    {
      const char *symbol = ifbam_element_type_info (types[i])->symbol;

      if (symbol == NULL)
        continue;
      assert_int_equal (symbol[0], 'M');
      assert_int_equal (strspn (symbol, "MmLlHhVvAaCcSsQqZz0123456789-. "), strlen (symbol));
    }
}

static void
test_quantities (void **state)
{
  static const struct
  {
    double number;
    const char *unit, *text;
  } rows[] = {
    { 10e3, "N/m", "10 kN/m" },    { 0, "N/m", "0 N/m" },
    { 1e-3, "m", "1 mm" },         { 999.96, "N", "1000 N" },
    { 1e3, "N", "1 kN" },          { 1500, "kg", "1500 kg" },
    { 0.1, "kg m2", "0.1 kg m2" }, { -2e-5, "s", "-20 \302\265s" },
    { 0.5, "rad", "0.5 rad" },     { 3, "", "3" },
    { 4e14, "Hz", "400 THz" },     { 1e-15, "N", "0.001 pN" },
    { 2500, "mol", "2500 mol" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = ifbam_quantity_text (rows[i].number, rows[i].unit);

      assert_string_equal (text, rows[i].text);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_every_element_is_there),
    cmocka_unit_test (test_links_and_loads),
    cmocka_unit_test (test_a_ball_is_one_box),
    cmocka_unit_test (test_a_branch_is_a_row),
    cmocka_unit_test (test_a_long_chain_is_cut_short),
    cmocka_unit_test (test_short_chains_are_whole),
    cmocka_unit_test (test_random_networks),
    cmocka_unit_test (test_rings),
    cmocka_unit_test (test_points),
    cmocka_unit_test (test_rods_of_a_chain_are_rods),
    cmocka_unit_test (test_symbols_are_path_data),
    cmocka_unit_test (test_quantities),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
