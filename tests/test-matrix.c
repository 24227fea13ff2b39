/* test-matrix.c: each way to run a network gives the samples, events, account and error text of the reference way, bit for bit
 *
 *   test-matrix [WAY [NETWORK]]            cells of ways and networks with these in their names
 *   MATRIX_PART=N test-matrix ...          each nth network only
 *   test-matrix --write FOLDER SEED FEATURE,...   writes network.ini and measured.csv of a random network, and ends
 *
 * A fixed draw chooses the scheme of a network, its ways, their recordings and cuts; TEST_EFFORT=full takes all ways. The last test
 * fails if a way was neither equal nor refused for a feature of networks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fixture.h"
#include "matrix/matrix.h"

#define MAX_WAYS  32
#define LARGE     1000  /* nodes */
#define TOO_LARGE 10000 /* nodes */
/* One of so many ways is drawn for a case. */
#define EACH_WAY by_effort (4, 3, 1)

static const char *wanted_way = "", *wanted_network = "";
static guint part = 1;
static GPtrArray *networks;
static guint n_networks[MATRIX_N_FEATURES];

/* Counts, for each way and feature. */
static struct
{
  guint equal, refused;
} pairs[MAX_WAYS][MATRIX_N_FEATURES];

static struct
{
  guint cases, cells, cuts, events, ended_early;
} met;

static int
set_up (void **state)
{
  g_autofree char *text = matrix_measured_text (), *path = NULL;

  g_unsetenv ("IFBAM_TILE");
  g_unsetenv ("IFBAM_ISA");
  if (folder_make (state) != 0)
    return 1;
  path = folder_write ("measured.csv", text);
  networks = matrix_networks ();
  return 0;
}

static int
tear_down (void **state)
{
  g_ptr_array_unref (networks);
  return folder_remove (state);
}

static void
count_pair (guint way, MatrixFeatures features, gboolean equal)
{
  for (guint f = 0; f < MATRIX_N_FEATURES; f++)
    if ((features & 1u << f) != 0)
      {
        pairs[way][f].equal += equal;
        pairs[way][f].refused += !equal;
      }
}

/* One of the recordings of a way. */
static MatrixRecord
draw_record (guint records, guint seed)
{
  MatrixRecord record = seed % MATRIX_N_RECORDS;

  while ((records & 1u << record) == 0)
    record = (record + 1) % MATRIX_N_RECORDS;
  return record;
}

/* From this way to a way that can go on, at one step. */
static void
cut (const MatrixWay *from, guint way, MatrixCase *one, MatrixRecord record)
{
  for (guint k = 1; k <= matrix_n_ways; k++)
    {
      const MatrixWay to =
          matrix_way_draw (&matrix_ways[(way + one->seed * 7 + k) % matrix_n_ways], one);

      if (to.is_task && to.no_account == from->no_account && (to.records & 1u << record) != 0
          && to.can (&to, one) == NULL)
        {
          met.cuts += matrix_cut (from, &to, one, record);
          return;
        }
    }
}

/* All ways run a network of many tiles without events, and a special network under its own scheme. */
static gboolean
draws_all (const MatrixCase *one)
{
  return *wanted_way != '\0'
         || ((one->of->features & MATRIX_SPECIAL) != 0 && one->seed == 0 && by_effort (0, 1, 1))
         || (one->model->n_nodes > LARGE && one->model->n_nodes < TOO_LARGE
             && !matrix_case_has_events (one) && by_effort (0, 1, 1));
}

static void
try_case (MatrixCase *one, guint draw)
{
  const gboolean all = draws_all (one);

  met.cases++;
  for (guint w = 0; w < matrix_n_ways; w++)
    {
      const MatrixWay way = matrix_way_draw (&matrix_ways[w], one);
      const MatrixRecord record = draw_record (way.records, one->seed + draw / EACH_WAY + w);

      if (strstr (way.name, wanted_way) == NULL || (!all && (w + draw) % EACH_WAY != 0))
        continue;
      if (way.can (&way, one) != NULL)
        {
          count_pair (w, one->of->features, FALSE);
          continue;
        }
      way.run (&way, one, record);
      if (way.is_task && (draw / EACH_WAY + w) % 2 == 0)
        cut (&way, w, one, record);
      else if (way.is_task && (draw / EACH_WAY + w) % 4 == 1)
        matrix_pause (&way, one, record);
      met.cells++;
      met.ended_early += matrix_case_wanted (one, record)->error != NULL;
      met.events += matrix_case_wanted (one, record)->events->len;
      count_pair (w, one->of->features, TRUE);
    }
}

/* How many cases a network has: files have one under their own scheme, and more under others. */
static guint
n_cases (const MatrixNetwork *network)
{
  if (strstr (network->name, "/own-scheme/") != NULL)
    return 1;
  return (network->features & MATRIX_SPECIAL) != 0   ? by_effort (2, 4, 20)
         : (network->features & MATRIX_SHIPPED) != 0 ? by_effort (1, 2, 20)
                                                     : by_effort (1, 1, 4);
}

/* The case number k of a network. Some schemes refuse some networks. */
static MatrixCase *
make_case (const MatrixNetwork *network, guint draw, guint k)
{
  const gboolean own = k == 0 && (network->features & (MATRIX_SHIPPED | MATRIX_SPECIAL)) != 0;
  MatrixCase *one = own ? matrix_case_new (network, 0) : NULL;

  for (guint seed = 1 + draw + 100 * k; one == NULL && seed < 30 + draw + 100 * k; seed++)
    one = matrix_case_new (network, seed);
  if (one == NULL)
    fail_msg ("%s: refused under all schemes", network->name);
  return one;
}

/* Networks with this as their first feature, under schemes that the draw chooses. */
static void
test_feature (void **state)
{
  const guint feature = GPOINTER_TO_UINT (*state);
  guint draw = 0;

  memset (&met, 0, sizeof met);
  for (guint i = 0; i < networks->len; i++)
    {
      const MatrixNetwork *network = networks->pdata[i];

      if ((guint) g_bit_nth_lsf (network->features, -1) != feature || i % part != 0
          || strstr (network->name, wanted_network) == NULL)
        continue;
      for (guint k = 0; k < n_cases (network); k++, draw++)
        {
          g_autoptr (MatrixCase) one = make_case (network, draw, k);
          const clock_t began = clock ();

          try_case (one, draw);
          if (g_getenv ("V") != NULL)
            print_message ("# %5.2f s %s\n", (double) (clock () - began) / CLOCKS_PER_SEC,
                           one->name);
        }
      for (guint f = 0; f < MATRIX_N_FEATURES; f++)
        n_networks[f] += (network->features & 1u << f) != 0;
    }
  print_message ("# %u cases, %u cells, %u of them ended early, %u cuts, %u events\n", met.cases,
                 met.cells, met.ended_early, met.cuts, met.events);
}

/* A way that gives no reason has been equal at least once. */
static void
test_all_pairs (void **state)
{
  guint n = 0;

  (void) state;
  if (*wanted_way != '\0' || *wanted_network != '\0' || by_effort (0, 1, 1) == 0)
    skip ();
  for (guint f = 0; f < MATRIX_N_FEATURES; f++)
    for (guint w = 0; w < matrix_n_ways && n_networks[f] > 0; w++, n++)
      if (pairs[w][f].equal + pairs[w][f].refused == 0)
        fail_msg ("%s was neither equal nor refused for %s", matrix_ways[w].name,
                  matrix_feature_names[f]);
  print_message ("# %u pairs of way and feature\n", n);
}

/* Prints the counts of ways and features. */
static void
print_pairs (void)
{
  for (guint w = 0; w < matrix_n_ways; w++)
    {
      printf ("# %-24s", matrix_ways[w].name);
      for (guint f = 0; f < MATRIX_N_FEATURES; f++)
        if (n_networks[f] > 0)
          printf (" %s %u/%u", matrix_feature_names[f], pairs[w][f].equal, pairs[w][f].refused);
      printf ("\n");
    }
}

static int
write_network (const char *to, guint32 seed, const char *names)
{
  const MatrixFeatures features = matrix_features_parse (names);
  g_autofree char *text = NULL, *whole = NULL, *measured = matrix_measured_text ();
  g_autofree char *path = g_build_filename (to, "network.ini", NULL);
  g_autofree char *measured_path = g_build_filename (to, "measured.csv", NULL);

  if (features == 0)
    return 2;
  text = matrix_draw_text (seed, features);
  whole = g_strconcat ("[network]\nformat = 1\nstep = 0.2 ms\nduration = 20 ms\n", text, NULL);
  return g_file_set_contents (path, whole, -1, NULL)
                 && g_file_set_contents (measured_path, measured, -1, NULL)
             ? 0
             : 1;
}

int
main (int argc, char **argv)
{
  struct CMUnitTest tests[MATRIX_N_FEATURES + 1];
  gsize n = 0;
  int failed;

  if (argc == 5 && strcmp (argv[1], "--write") == 0)
    return write_network (argv[2], (guint32) atoi (argv[3]), argv[4]);
  setvbuf (stdout, NULL, _IOLBF, 0);
  if (argc > 1)
    wanted_way = argv[1];
  if (argc > 2)
    wanted_network = argv[2];
  if (g_getenv ("MATRIX_PART") != NULL)
    part = (guint) MAX (atoi (g_getenv ("MATRIX_PART")), 1);
  for (guint f = 0; f < MATRIX_N_FEATURES; f++)
    if (1u << f != MATRIX_BESIDE)
      tests[n++] = (struct CMUnitTest){ matrix_feature_names[f], test_feature, NULL, NULL,
                                        GUINT_TO_POINTER (f) };
  tests[n++] = (struct CMUnitTest) cmocka_unit_test (test_all_pairs);
  failed = _cmocka_run_group_tests ("matrix", tests, n, set_up, tear_down);
  if (g_getenv ("V") != NULL)
    print_pairs ();
  return failed;
}
