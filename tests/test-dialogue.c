/* test-dialogue.c: the objects by hand, cycle by cycle, and the compiled engines give the same numbers, bit for
 * bit; and the objects do without the compiled columns
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "by-hand.h"
#include "dialogue/dialogue.h"
#include "fixture.h"
#include "file/file.h"
#include "engine/engine.h"

#define MOST_NODES 200  /* by hand, for long */
#define OWN_CYCLES 4000 /* by the network's own scheme */
/* The network's own scheme, and each nth of the others. */
#define EACH   by_effort (4, 2, 1)
#define CYCLES 300 /* by the others, or of large networks */

static void
test_shipped_networks (void **state)
{
  g_auto (GStrv) paths = shipped_networks ("networks", G_STRFUNC);
  guint n_networks = 0, n_events = 0;

  (void) state;
  for (guint p = 0; paths[p] != NULL; p++)
    {
      const char *path = paths[p], *name = strrchr (path, G_DIR_SEPARATOR) + 1;
      guint n_schemes;
      const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

      n_networks++;
      for (guint s = 0; s <= n_schemes; s++)
        {
          if (s < n_schemes && (s + g_str_hash (name)) % EACH != 0)
            continue;

          g_autoptr (GError) error = NULL;
          g_autofree char *scheme =
              s < n_schemes ? g_strconcat ("network.scheme=", schemes[s]->name, NULL) : NULL;
          const char *settings[] = { scheme, NULL };
          g_autoptr (IfbamNetwork) network = ifbam_network_new_from_file (path, settings, &error);
          g_autofree char *what =
              g_strdup_printf ("%s, %s", name, scheme != NULL ? scheme : "as it is");

          if (network == NULL)
            {
              /* The cold start is the flip-flop schemes' alone. */
              assert_true (s < n_schemes && !schemes[s]->latency);
              continue;
            }
          assert_true (ifbam_network_reset (network, &error));
          n_events += compare_by_hand (
              network,
              s == n_schemes && network->model->n_nodes <= MOST_NODES ? OWN_CYCLES : CYCLES, what);
        }
    }
  assert_true (n_networks > by_effort (7, 30, 30));
  assert_true (n_events > by_effort (50, 500, 500));
  print_message ("# %u networks, %u events\n", n_networks, n_events);
}

/* What an impact says of itself while it is open, of what it hears, and what nobody has. */
static void
test_quantities (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (
      "[network]\nstep = 1 ms\nduration = 1 s\nscheme = averaged\n[ground anvil]\n"
      "position = -10 mm\n[mass m]\nmass = 1\nposition = 2 mm\nvelocity = 0.5\n[spring k]\n"
      "stiffness = 30\nbetween = anvil, m\n[impact stop]\nbetween = anvil, m\n");
  IfbamElement *stop = ifbam_network_get_element (network, "stop"),
               *mass = ifbam_network_get_element (network, "m");
  g_autoptr (GError) error = NULL;

  (void) state;
  assert_true (isnan (ifbam_element_get_quantity (stop, "mode", &error)));
  assert_message (error->message, "\"stop\" says nothing before ifbam_network_reset() (mode)");
  g_clear_error (&error);
  assert_true (ifbam_network_reset (network, &error));
  ifbam_cast_master (network->home.cast);
  assert_true (ifbam_element_get_quantity (stop, "mode", &error) == 0);
  assert_true (ifbam_element_get_quantity (stop, "impulse", &error) == 0);
  assert_true (ifbam_element_get_quantity (stop, "compression", &error)
               == -10e-3 - ifbam_element_get_quantity (mass, "position", NULL));
  assert_true (ifbam_element_get_quantity (stop, "rate", &error)
               == -ifbam_element_get_quantity (mass, "velocity", NULL));
  assert_true (ifbam_element_get_quantity (mass, "velocity", NULL) != 0);
  assert_null (error);
  assert_true (isnan (ifbam_element_get_quantity (stop, "charge", &error)));
  assert_message (error->message, "\"stop\" has no quantity \"charge\"");
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (test_shipped_networks),
                                      cmocka_unit_test (test_quantities) };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
