/* test-network-graph.c: models of some of a network's nodes: the same names, numbers and bits as in that of all
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "engine/engine.h"
#include "fixture.h"
#include "run/run.h"
#include "file/file.h"

/* Two chains, masses and springs between them and beside them, forces: lists of lengths that have no common factor. */
static const char mixed[] =
    "[network]\nstep = 0.2 ms\nduration = 1 s\nscheme = %s\nrecord = a.m2999.position\n"
    "[ground left]\n[drive right]\namplitude = 1 mm\nfrequency = 3 Hz\n"
    "[mass m1]\nmass = 3 kg\nvelocity = 1 m/s\n"
    "[chain a]\ncount = 3000\nmass = 1 kg, 2 kg, 1.5 kg\nstiffness = 10 kN/m, 30 kN/m, 20 kN/m, 17 "
    "kN/m, 11 kN/m\n"
    "damping = 1 N s/m, 2 N s/m\nposition = 1 mm, 0, -1 mm, 2 mm, 3 mm, 1 mm, -2 mm\nfrom = left\n"
    "m1500.mass = 7 kg\nk1501.stiffness = 12 kN/m\n"
    "[mass m2]\nmass = 2 kg\nposition = 1 mm\n"
    "[chain b]\ncount = 2500\nmass = 1 kg\nstiffness = 10 kN/m, 9 kN/m, 8 kN/m\nvelocity = 0, 10 "
    "mm/s\n"
    "from = a.m3000\nto = right\n"
    "[spring s1]\nstiffness = 4 kN/m\nbetween = m1, a.m700\n"
    "[spring s2]\nstiffness = 5 kN/m\ncubic = 1 MN/m3\nbetween = b.m2100, a.m701\n"
    "[damper d1]\ndamping = 3 N s/m\nbetween = m2, b.m5\n"
    "[spring s3]\nstiffness = 6 kN/m\nbetween = m2, right\n"
    "[force f]\nvalue = 1 N\nfrequency = 5 Hz\non = b.m1200\n"
    "[gravity g]\non = a, m2, m1\n";

#define MIXED_FREE 5502

static IfbamModel *
compile (IfbamNetwork *network, IfbamRunSpec *spec)
{
  g_autoptr (IfbamSignals) signals = NULL;
  IfbamModel *model = ifbam_network_compile_or_error (network, TRUE, spec, &signals, NULL);

  assert_non_null (model);
  return model;
}

static IfbamNetworkGraph *
graph_of (IfbamNetwork *network)
{
  g_autoptr (GArray) issues = ifbam_issues_new ();
  IfbamNetworkGraph *graph = ifbam_network_graph_new (network, issues);

  assert_non_null (graph);
  return graph;
}

static IfbamModel *
cut (const IfbamNetworkGraph *graph, const GArray *own, guint layers, IfbamRunSpec *spec,
     IfbamSignals **signals)
{
  g_autoptr (GArray) issues = ifbam_issues_new ();
  IfbamSubnetwork *part = ifbam_network_graph_cut (graph, own, layers);
  IfbamModel *model = ifbam_network_graph_compile (graph, part, spec, signals, issues);

  assert_non_null (model);
  return model;
}

static GArray *
own_of (guint64 n, guint part, guint parts)
{
  GArray *own = g_array_new (FALSE, FALSE, sizeof (IfbamRange));

  ifbam_ranges_append (own, n * part / parts, n * (part + 1) / parts - n * part / parts);
  return own;
}

/* Of the n nodes each third or so, in no order that means anything. */
static GArray *
scattered (guint64 n, guint part)
{
  GArray *own = g_array_new (FALSE, FALSE, sizeof (IfbamRange));

  for (guint64 i = 0; i < n; i++)
    if ((i * 2654435761u >> 7) % 3 == part)
      ifbam_ranges_append (own, i, 1);
  return own;
}

static guint
find_link (const IfbamModel *model, guint32 slot)
{
  for (guint i = 0; i < model->n_links; i++)
    if (model->link_slot[i] == slot)
      return i;
  return G_MAXUINT;
}

/* The ports of a node: links by their indices in the file, then sources by their names. */
static char *
ports_of (const IfbamModel *model, gsize node)
{
  GString *text = g_string_new (NULL);

  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    {
      const guint32 slot = model->port[p] >> 1;
      const guint link = slot < model->n_slots ? find_link (model, slot) : 0;
      double law[IFBAM_MAX_LAW];

      if (slot >= model->n_slots)
        {
          g_string_append_printf (text, " %s",
                                  ifbam_model_source_of (model, slot - model->n_slots)->name);
          continue;
        }
      ifbam_model_link_law (model, link, law);
      g_string_append_printf (
          text, " %c%" G_GUINT64_FORMAT " %.17g", model->port[p] & 1 ? '-' : '+',
          model->subnetwork == NULL ? link : ifbam_ranges_number (model->subnetwork->links, link),
          law[0]);
    }
  return g_string_free (text, FALSE);
}

static gboolean
lacks (const IfbamModel *model, guint32 place)
{
  for (guint i = 0; i < model->subnetwork->incomplete->len; i++)
    if (g_array_index (model->subnetwork->incomplete, guint32, i) == place)
      return TRUE;
  return FALSE;
}

/* Each node equals that of the whole, with equal ports, unless it is listed as incomplete. */
static void
check_nodes (const IfbamModel *whole, const IfbamModel *model, gboolean with_ports)
{
  gsize n_lacking = 0;

  assert_int_equal (model->n_free, ifbam_ranges_count (model->subnetwork->nodes));
  assert_int_equal (model->n_links, ifbam_ranges_count (model->subnetwork->links));
  assert_int_equal (model->n_links, model->subnetwork->n_own_links);
  assert_int_equal (model->n_nodes - model->n_free, whole->n_nodes - whole->n_free);
  for (gsize i = 0; i < model->n_nodes; i++)
    {
      const guint64 file = i < model->n_free ? ifbam_ranges_number (model->subnetwork->nodes, i)
                                             : i - model->n_free + whole->n_free;
      const gsize here = i < model->n_free ? ifbam_model_free_node (model, i) : i;
      const gsize there = file < whole->n_free ? ifbam_model_free_node (whole, file) : file;
      g_autofree char *name = ifbam_model_node_name (model, here);
      g_autofree char *wanted = ifbam_model_node_name (whole, there);
      double x[2], v[2];

      assert_string_equal (name, wanted);
      ifbam_model_initial_range (model, here, 1, &x[0], &v[0]);
      ifbam_model_initial_range (whole, there, 1, &x[1], &v[1]);
      assert_memory_equal (&x[0], &x[1], sizeof x[0]);
      assert_memory_equal (&v[0], &v[1], sizeof v[0]);
      if (i >= model->n_free)
        continue;
      assert_memory_equal (&model->inverse_inertia[here], &whole->inverse_inertia[there],
                           sizeof (double));
      if (with_ports)
        {
          g_autofree char *ports = ports_of (model, here);
          g_autofree char *all = ports_of (whole, there);

          assert_int_equal (strcmp (ports, all) != 0, lacks (model, (guint32) i));
          n_lacking += strcmp (ports, all) != 0;
        }
    }
  if (with_ports)
    assert_int_equal (n_lacking, model->subnetwork->incomplete->len);
}

static void
test_names_and_ports (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network_printf (mixed, "averaged");
  g_autoptr (IfbamNetworkGraph) graph = graph_of (network);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) whole = compile (network, &spec);

  (void) state;
  assert_int_equal (graph->n_free, whole->n_free);
  assert_int_equal (graph->n_links, whole->n_links);
  assert_int_equal (graph->n_given, whole->n_nodes - whole->n_free);
  assert_int_equal (whole->n_free, MIXED_FREE);
  for (guint k = 0; k < 5; k++)
    {
      g_autoptr (GArray) own = k < 3    ? own_of (MIXED_FREE, k, 3)
                               : k == 3 ? scattered (MIXED_FREE, 1)
                                        : own_of (MIXED_FREE, 0, 1);
      g_auto (IfbamRunSpec) own_spec = { 0 };
      g_autoptr (IfbamModel) model = cut (graph, own, k < 3 ? k : 1, &own_spec, NULL);

      check_nodes (whole, model, TRUE);
      if (k == 4)
        assert_int_equal (model->subnetwork->incomplete->len, 0);
    }
}

/* In as many steps errors from outside do not reach own nodes, even NaN. */
static void
test_bits (void **state)
{
  static const struct
  {
    const char *scheme;
    guint steps, layers;
  } cases[] = { { "averaged", 16, 9 },
                { "original", 16, 9 },
                { "euler", 6, 6 },
                { "verlet", 6, 7 },
                { "rk4", 3, 13 } };

  (void) state;
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (IfbamNetwork) network = text_network_printf (mixed, cases[c].scheme);
      g_autoptr (IfbamNetworkGraph) graph = graph_of (network);
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) whole = compile (network, &spec);
      g_autoptr (IfbamEngine) all = ifbam_compiled_engine_new (whole, &spec, 1);
      g_autofree double *x = g_new (double, 2 * MIXED_FREE), *v = g_new (double, 2 * MIXED_FREE);

      ifbam_engine_start (all);
      ifbam_engine_advance (all, cases[c].steps, NULL);
      ifbam_engine_get_nodes (all, 0, MIXED_FREE, x, v);
      for (guint part = 0; part < 4; part++)
        {
          g_autoptr (GArray) own =
              part < 3 ? own_of (MIXED_FREE, part, 3) : scattered (MIXED_FREE, 2);
          g_auto (IfbamRunSpec) own_spec = { 0 };
          /* The start is wrong outside by two layers. */
          g_autoptr (IfbamModel) model = cut (graph, own, cases[c].layers + 2, &own_spec, NULL);
          g_autoptr (IfbamEngine) engine = NULL;
          double *here[] = { x + MIXED_FREE, v + MIXED_FREE };

          for (guint i = 0; i < model->subnetwork->incomplete->len; i++)
            model->inverse_inertia[ifbam_model_free_node (
                model, g_array_index (model->subnetwork->incomplete, guint32, i))] = NAN;
          engine = ifbam_compiled_engine_new (model, &own_spec, 1);
          ifbam_engine_start (engine);
          ifbam_engine_advance (engine, cases[c].steps, NULL);
          ifbam_engine_get_nodes (engine, 0, model->n_free, here[0], here[1]);
          for (guint r = 0; r < own->len; r++)
            {
              const IfbamRange *range = &g_array_index (own, IfbamRange, r);

              for (guint64 i = range->first; i < range->first + range->count; i++)
                {
                  const gsize there = ifbam_model_free_node (whole, i);
                  gsize place;

                  assert_true (ifbam_ranges_find (model->subnetwork->nodes, i, &place));
                  place = ifbam_model_free_node (model, place);
                  assert_memory_equal (&here[0][place], &x[there], sizeof *x);
                  assert_memory_equal (&here[1][place], &v[there], sizeof *v);
                }
            }
        }
    }
}

/* Springs with dampers in parallel, or springs only, in random order, with links to elements beside them. */
static void
write_columns (const char *name, guint64 n, guint n_outer, gboolean damped)
{
  g_autoptr (IfbamColumnsData) data = ifbam_columns_data_new ();
  g_autofree char *path = folder_path (name);
  const guint64 n_links = 2 * n;
  double *values[4];

  data->n_nodes = n;
  data->n_links = n_links;
  data->left = g_new (guint32, n_links);
  data->right = g_new (guint32, n_links);
  for (guint k = 0; k < G_N_ELEMENTS (values); k++)
    values[k] = g_new (double, n_links);
  for (guint64 i = 0; i < n_links; i++)
    {
      data->left[i] = (guint32) (i * 7919 % (n + n_outer));
      data->right[i] = (guint32) ((data->left[i] + 1 + (i % 5 == 0) * (i % 40)) % n);
      if (data->right[i] == data->left[i])
        data->right[i] = (data->left[i] + 1) % (guint32) n;
      values[0][i] = 1 + (double) (i % 11) / 10;
      values[1][i] = (double) (i % 13) / 1000;
      values[2][i] = 1000 + (double) (i % 89);
      values[3][i] = 1 + (double) (i % 83) / 100;
    }
  for (guint k = 0; k < G_N_ELEMENTS (values); k++)
    {
      const IfbamColumnsKind kind = k < 2    ? IFBAM_COLUMNS_MASS
                                    : k == 2 ? IFBAM_COLUMNS_SPRING
                                             : IFBAM_COLUMNS_DAMPER;
      GVariant *list = g_variant_new_from_data (G_VARIANT_TYPE ("ad"), values[k],
                                                (k < 2 ? n : n_links) * sizeof (double), TRUE,
                                                g_free, values[k]);

      g_variant_ref_sink (list);
      if (k < 3 || damped)
        data->values[kind][k == 1] = list;
      else
        g_variant_unref (list);
    }
  assert_true (ifbam_columns_file_write (path, data, NULL));
}

/* Of files of columns, beside a chain and masses and joined to them. */
static void
test_columns (void **state)
{
  static const char beside[] =
      "[network]\nstep = 0.2 ms\nduration = 1 s\nrecord = c.m1.position, d.k7.force\n"
      "[ground left]\n[mass m1]\nmass = 2 kg\n[columns c]\nfile = c.h5\nouter = left, m1, b.m9\n"
      "[chain b]\ncount = 500\nmass = 1 kg, 2 kg\nstiffness = 10 kN/m\nfrom = c.m700\n"
      "[columns d]\nfile = d.h5\nouter = c.m3\n[spring s]\nstiffness = 4 kN/m\nbetween = d.m5, "
      "b.m2\n";
  const guint64 n_free = 1 + 800 + 500 + 300;

  (void) state;
  write_columns ("c.h5", 800, 3, TRUE);
  write_columns ("d.h5", 300, 1, FALSE);
  for (guint k = 0; k < 5; k++)
    {
      g_autoptr (IfbamNetwork) network = text_network (beside), all = text_network (beside);
      g_autoptr (IfbamNetworkGraph) graph = graph_of (network);
      g_autoptr (GArray) own = k < 3    ? own_of (n_free, k, 3)
                               : k == 3 ? scattered (n_free, 1)
                                        : own_of (n_free, 0, 1);
      g_auto (IfbamRunSpec) spec = { 0 }, own_spec = { 0 };
      g_autoptr (IfbamModel) whole = compile (all, &spec);
      g_autoptr (IfbamSignals) signals = NULL;
      g_autoptr (IfbamModel) model = cut (graph, own, k < 3 ? k : 1, &own_spec, &signals);

      assert_int_equal (graph->n_free, whole->n_free);
      assert_int_equal (graph->n_links, whole->n_links);
      check_nodes (whole, model, TRUE);
      assert_int_equal (signals->elsewhere, signals->names->len < 3);
      if (k == 4)
        assert_int_equal (model->subnetwork->incomplete->len, 0);
    }
}

/* Reads a text for a range of nodes, with five layers. */
typedef struct
{
  guint64 first, count;
  IfbamModel *model;
  IfbamRunSpec spec;
  IfbamSignals *signals;
  guint64 n_free, n_links;
} Wish;

static IfbamModel *
compile_wish (gpointer data, IfbamNetwork *network, IfbamRunSpec *spec, IfbamSignals **signals,
              GArray *issues)
{
  Wish *wish = data;
  g_autoptr (IfbamNetworkGraph) graph = ifbam_network_graph_new (network, issues);
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (IfbamRange));

  if (graph == NULL)
    return NULL;
  wish->n_free = graph->n_free;
  wish->n_links = graph->n_links;
  ifbam_ranges_append (own, wish->first, wish->count);
  return ifbam_network_graph_compile (graph, ifbam_network_graph_cut (graph, own, 5), spec, signals,
                                      issues);
}

static IfbamNetwork *
read_wish (Wish *wish, const char *text, GError **error)
{
  const IfbamNetworkBytes bytes = { .path = (char *) "long.ini",
                                    .text = (char *) text,
                                    .length = strlen (text) };
  const IfbamCompiling compiling = { compile_wish, wish, NULL };

  return ifbam_network_new_compiled_by (&bytes, NULL, &compiling, &wish->model, &wish->spec,
                                        &wish->signals, error);
}

static void
wish_clear (Wish *wish)
{
  ifbam_model_free (wish->model);
  ifbam_run_spec_clear (&wish->spec);
  g_clear_pointer (&wish->signals, ifbam_signals_free);
}

#define LONG_CHAIN                                                                                 \
  "[network]\nstep = 1 ms\nduration = 1 s\nrecord = c.m700000000000.position\n[ground left]\n"     \
  "[chain c]\ncount = 1e12\nmass = 1 kg, 2 kg, 3 kg\nstiffness = 10 kN/m, 20 kN/m\n"               \
  "damping = 1 N s/m\nfrom = left\nk700000000001.stiffness = 5 kN/m\n"

/* Of a chain that no machine holds some thousand masses are as small as they are. */
static void
test_long_chain (void **state)
{
  const guint64 first = G_GUINT64_CONSTANT (699999999000);
  Wish wish = { .first = first, .count = 3000 };
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = read_wish (&wish, LONG_CHAIN, &error);
  const IfbamModel *model = wish.model;
  g_autofree char *name = NULL, *link = NULL;
  gsize place;
  double law[IFBAM_MAX_LAW];

  (void) state;
  if (network == NULL)
    fail_msg ("%s", error->message);
  assert_true (wish.n_free == G_GUINT64_CONSTANT (1000000000000));
  assert_true (wish.n_links == G_GUINT64_CONSTANT (2000000000000));
  assert_int_equal (model->n_free, 3010);
  assert_int_equal (model->n_links, 2 * 3009);
  assert_int_equal (model->subnetwork->incomplete->len, 2);
  assert_int_equal (g_array_index (model->subnetwork->incomplete, guint32, 0), 0);
  assert_int_equal (g_array_index (model->subnetwork->incomplete, guint32, 1), 3009);
  name = ifbam_model_node_name (model, 0);
  assert_string_equal (name, "c.m699999998996");
  assert_int_equal (wish.signals->signals->len, 1);
  assert_string_equal (wish.signals->names->pdata[0], "c.m700000000000.position");
  assert_int_equal (g_array_index (wish.signals->signals, IfbamSignal, 0).number, 1004);
  /* Mass number i has the value of its number; so has the spring between numbers i and i + 1. */
  assert_true (model->inverse_inertia[0] == 1.0 / (double) ((first - 5) % 3 + 1));
  assert_true (
      ifbam_ranges_find (model->subnetwork->links, G_GUINT64_CONSTANT (1400000000000), &place));
  link = ifbam_model_link_name (model, place);
  assert_string_equal (link, "c.k700000000001");
  ifbam_model_link_law (model, place, law);
  assert_true (law[0] == 5000);
  ifbam_model_link_law (model, place + 2, law);
  assert_true (law[0] == 20000);
  wish_clear (&wish);
}

/* Errors have the lines of the file, also those of elements on other ranks. */
static void
test_faults (void **state)
{
  Wish wish = { .first = 10, .count = 10 };
  g_autoptr (GError) error = NULL;

  (void) state;
  assert_null (read_wish (&wish,
                          LONG_CHAIN "[spring s]\nstiffness = 1 N/m\nbetween = c.m7, c.m2e12\n"
                                     "[force f]\nvalue = 1 N\non = nobody\n",
                          &error));
  assert_message (error->message, "long.ini:15:*[spring s]*c.m2e12*\n*long.ini:18:*nobody");
  g_clear_error (&error);
  assert_null (read_wish (&wish, LONG_CHAIN "[ground w]\n[impact i]\nbetween = w, c.m3\n", &error));
  assert_message (error->message, "long.ini:14:*[impact i]*it has events*runs as a whole");
  g_clear_error (&error);
  assert_null (read_wish (&wish, LONG_CHAIN "[columns k]\nfile = nowhere.h5\n", &error));
  assert_message (error->message, "long.ini:13:*[columns k]*read as a whole");
  g_clear_error (&error);
  /* One error: the compiler reports it, the graph does not. */
  assert_null (read_wish (&wish,
                          LONG_CHAIN "[chain d]\ncount = 3\nmass = 1 kg\nstiffness = 1 N/m\n"
                                     "to = d.m3\n",
                          &error));
  assert_message (error->message,
                  "long.ini:17:*[chain d] to*both ends of a spring are on \"d.m3\"");
  assert_null (strchr (error->message, '\n'));
  wish_clear (&wish);
}

/* A share that no process can number is refused by its size, before anything of it is made. */
static void
test_too_large_a_share (void **state)
{
  Wish wish = { .first = 10, .count = G_GUINT64_CONSTANT (1) << 31 };
  g_autoptr (GError) error = NULL;

  (void) state;
  assert_null (read_wish (&wish, LONG_CHAIN, &error));
  assert_message (error->message,
                  "this process has 2147483658 nodes*; at most 1073741824 of each are possible");
  wish_clear (&wish);
}

/* Neighbours equal those by the model's links. */
static void
test_neighbours (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network_printf (mixed, "averaged");
  g_autoptr (IfbamNetworkGraph) graph = graph_of (network);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) whole = compile (network, &spec);
  const guint64 first = 650, count = 4800;
  g_autofree guint *degree = g_new0 (guint, MIXED_FREE);
  g_autofree guint64 *sum = g_new0 (guint64, MIXED_FREE);
  GArray *start, *neighbour;

  (void) state;
  for (gsize i = 0; i < whole->n_links; i++)
    {
      gsize index;
      const IfbamBatch *batch = ifbam_model_batch (whole, whole->link_slot[i], &index);
      guint32 end[] = { batch->left[index], batch->right[index] };

      if (MAX (end[0], end[1]) >= whole->n_free)
        continue;
      for (guint e = 0; e < 2 && whole->file_node != NULL; e++)
        end[e] = whole->file_node[end[e]];
      for (guint e = 0; e < 2; e++)
        {
          degree[end[e]]++;
          sum[end[e]] += end[1 - e];
        }
    }
  ifbam_network_graph_list_neighbours (graph, first, count, &start, &neighbour);
  assert_int_equal (start->len, count + 1);
  for (guint64 i = 0; i < count; i++)
    {
      const guint64 from = g_array_index (start, guint64, i),
                    to = g_array_index (start, guint64, i + 1);
      guint64 all = 0;

      for (guint64 p = from; p < to; p++)
        all += g_array_index (neighbour, guint64, p);
      assert_int_equal (to - from, degree[first + i]);
      assert_true (all == sum[first + i]);
    }
  g_array_unref (start);
  g_array_unref (neighbour);
}

static void
refused (const char *text, const char *words)
{
  g_autoptr (IfbamNetwork) network =
      text_network_printf ("[network]\nstep = 1 ms\nduration = 1 s\n[ground g]\n[mass m]\nmass = 1 "
                           "kg\n[mass n]\nmass = 1 kg\n%s",
                           text);
  g_autoptr (GArray) issues = ifbam_issues_new ();
  g_autoptr (IfbamNetworkGraph) graph = ifbam_network_graph_new (network, issues);
  g_autoptr (GString) all = g_string_new (NULL);

  assert_null (graph);
  for (guint i = 0; i < issues->len; i++)
    {
      g_autofree char *line = ifbam_issue_to_string (&g_array_index (issues, IfbamIssue, i));

      g_string_append_printf (all, "%s\n", line);
    }
  assert_message (all->str, words);
}

static void
test_refusals (void **state)
{
  (void) state;
  refused ("[impact stop]\nrestitution = 1\nbetween = g, m\n[damping all]\nalpha = 1 1/s\n",
           "[impact stop]*it has events*runs as a whole*\n*[damping all]*damps the whole network");
  refused (
      "[monitor o]\nsignal = m.position\nlevel = 1 m\n[force f]\nvalue = 1 N\non = m\nwhen = o\n",
      "[monitor o]*it has events*\n*[force f]*a monitor or controller*");
  refused ("[inerter i]\ninertance = 1 kg\nbetween = m, n\n", "[inerter i]*between two nodes");
  refused ("[chain c]\ncount = 3\nmass = 1 kg\nrods = 1 m\n", "[chain c]*plane");
  refused ("[chain c]\ncount = 3\nmass = 1 kg\nrods = 1 m\nfrom = p\n[point p]\n",
           "[chain c]*plane");
}

/* Layers that have room: a layer of a chain is a node on each side, until there is none; then any number of layers has. */
static void
test_room_for_layers (void **state G_GNUC_UNUSED)
{
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nstep = 1 ms\nduration = 1 s\n[ground g]\n[chain c]\ncount = 11\n"
                    "mass = 1 kg\nstiffness = 1 N/m\nfrom = g\n");
  g_autoptr (IfbamNetworkGraph) graph = graph_of (network);
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (IfbamRange));

  ifbam_ranges_append (own, 5, 1); /* the sixth of eleven */
  assert_int_equal (ifbam_network_graph_count_layers (graph, own, 50, 1), 0);
  assert_int_equal (ifbam_network_graph_count_layers (graph, own, 50, 4), 2);
  assert_int_equal (ifbam_network_graph_count_layers (graph, own, 50, 9), 4);
  assert_int_equal (ifbam_network_graph_count_layers (graph, own, 3, 100), 3);
  assert_int_equal (ifbam_network_graph_count_layers (graph, own, 50, 10), 50);
}

/* One process has all nodes, and layers around loops add none. */
static void
test_alone (void **state)
{
  const guint64 start[] = { 0, 1, 3, 4 }, neighbour[] = { 1, 0, 2, 1 };
  const IfbamBuffer nothing = { 0 };
  gint32 owner[] = { 7, 7, 7 };
  g_autoptr (GError) error = NULL;
  char bytes[] = "mine";

  (void) state;
  assert_null (ifbam_ranks ());
  assert_true (ifbam_ranks_agree_on_error (&error));
  g_set_error_literal (&error, IFBAM_ERROR, IFBAM_ERROR_USAGE, "no");
  assert_false (ifbam_ranks_agree_on_error (&error));
  assert_string_equal (error->message, "no");
  ifbam_ranks_set_failure_check (NULL, NULL, NULL);
  ifbam_ranks_broadcast (bytes, sizeof bytes, 0);
  ifbam_ranks_exchange (&nothing, &nothing);
  assert_string_equal (bytes, "mine");
  assert_true (ifbam_ranks_partition (3, start, neighbour, owner));
  for (guint i = 0; i < G_N_ELEMENTS (owner); i++)
    assert_int_equal (owner[i], 0);
}

/* A composite that a stranger may add: it asks for one thing that a graph has not. */
enum
{
  A_PATH,
  DAMPERS,
  A_SOURCE
};

static int asked;

static void
odd_expand_nodes (IfbamElement *element, IfbamBuilder *builder)
{
  double place[2] = { 1, 1 };

  /* Positions of other nodes are unknown here: elements in the plane are rejected. */
  assert_true (builder->find_start (builder, "g", place));
  assert_true (place[0] == 0 && place[1] == 0);
  assert_null (builder->find_field (builder, element));
}

static void
odd_expand_links (IfbamElement *element, IfbamBuilder *builder)
{
  if (asked == A_PATH)
    builder->add_plane_path (builder, element, NULL, NULL, NULL, 2);
  else if (asked == DAMPERS)
    builder->add_dampers (builder, element, NULL, TRUE, 1);
  else
    builder->add_source (builder, element, NULL, 0, 1);
}

static const IfbamElementInfo odd_info = {
  .name = "odd",
  .kind = IFBAM_KIND_COMPOSITE,
  .domain = IFBAM_DOMAIN_ANY,
  .domains = 1u << IFBAM_DOMAIN_TRANSLATION,
  .expand_nodes = odd_expand_nodes,
  .expand_links = odd_expand_links,
};

GType ifbam_odd_get_type (void);
IFBAM_DEFINE_ELEMENT (Odd, odd)

static void
test_strangers (void **state)
{
  static const char *const why[] = { "*[odd o]*it moves in the plane*runs as a whole",
                                     "*[odd o]*it damps the whole network*runs as a whole",
                                     "*[odd o]*it moves in the plane*runs as a whole" };

  (void) state;
  for (asked = A_PATH; asked <= A_SOURCE; asked++)
    {
      g_autoptr (IfbamNetwork) network =
          text_network ("[network]\nstep = 1 ms\nduration = 1 s\n[ground g]\n[mass m]\nmass = 1\n");
      g_autoptr (GArray) issues = ifbam_issues_new ();
      g_autofree char *said = NULL;

      assert_true (ifbam_network_take (network, ifbam_element_new (ifbam_odd_get_type (), "o")));
      assert_null (ifbam_network_graph_new (network, issues));
      assert_int_equal (issues->len, 1);
      said = ifbam_issue_to_string (&g_array_index (issues, IfbamIssue, 0));
      assert_message (said, why[asked]);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_names_and_ports), cmocka_unit_test (test_bits),
    cmocka_unit_test (test_columns),         cmocka_unit_test (test_long_chain),
    cmocka_unit_test (test_neighbours),      cmocka_unit_test (test_faults),
    cmocka_unit_test (test_refusals),        cmocka_unit_test (test_too_large_a_share),
    cmocka_unit_test (test_strangers),       cmocka_unit_test (test_room_for_layers),
    cmocka_unit_test (test_alone),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
