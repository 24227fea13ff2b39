/* test-mechanism-stability.c: predicted growth of mechanisms under the schemes, against runs
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "engine/engine.h"
#include "event/event.h"
#include "linear/linear.h"
#include "run/run.h"
#include "fixture.h"
#include "noise.h"

/* Start of a run relative to the equilibrium. */
#define AMPLITUDE 1e-7

typedef struct
{
  const char *path;
  const char *settings[4];
} Network;

/* The shipped ones that come to rest (a motor that never does is switched off), and some with springs, dampers and
 * reactions at once. */
static const Network networks[] = {
  { "networks/pendulum.ini", { NULL } },
  { "networks/double-pendulum.ini", { NULL } },
  { "networks/half-car.ini", { "push.at=1000 s", NULL } },
  { "networks/four-bar.ini", { "motor.value=0 N m", NULL } },
  { "networks/four-bar.ini", { "motor.value=0 N m", "load.damping=2 N m s/rad", NULL } },
  { "networks/parallelogram.ini", { NULL } },
  { "networks/rod-chain.ini", { NULL } },
  { "networks/pendulum-hit.ini", { NULL } },
  { "networks/crane.ini", { "motor.value=0 N", "brake.value=0 N", "winch.amplitude=0 m", NULL } },
  { "networks/rope.ini", { NULL } },
};

#define SPRUNG                                                                                     \
  "[network]\nstep = 1 ms\nduration = 1 s\n[point p]\n[body b]\nmass = 2\ninertia = 0.05\n"        \
  "angle = 0.3\n[point top]\non = b\ny = 0.4\n[hinge h]\nbetween = p, top\n[gravity g]\non = b\n"  \
  "[ball c]\nmass = 0.5\nx = 0.5\ny = -1\n[point foot]\non = b\ny = -0.4\n[point far]\nx = 2\n"    \
  "y = -0.5\n[rod r]\nbetween = foot, c\n[gravity w]\non = c\n[spring k]\nstiffness = 80\n"        \
  "length = 1.2\nbetween = c, far\n[spring l]\nstiffness = 300\nlength = 0.3\nbetween = p, c\n"

static const char *const texts[] = {
  SPRUNG,
  SPRUNG "[damper d]\ndamping = 3\nbetween = c, far\n[ground floor]\n[torsion-damper t]\n"
         "damping = 0.2\nbetween = b.angle, floor\n",
};

typedef struct
{
  char *name;
  IfbamNetwork *network;
  IfbamModel *model;
  IfbamRunSpec spec;
  IfbamStability *stability;
} Case;

static void
case_clear (Case *c)
{
  ifbam_stability_free (c->stability);
  ifbam_model_free (c->model);
  ifbam_run_spec_clear (&c->spec);
  g_object_unref (c->network);
  g_free (c->name);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
make_case (Case *c, guint number)
{
  g_autoptr (GError) error = NULL;

  *c = (Case){ 0 };
  if (number < G_N_ELEMENTS (networks))
    {
      c->network = open_network (networks[number].path, networks[number].settings);
      c->name = g_strdup (networks[number].path);
    }
  else
    {
      c->network = text_network (texts[number - G_N_ELEMENTS (networks)]);
      c->name = g_strdup_printf ("text %u", number);
    }
  c->model = ifbam_network_compile_or_error (c->network, FALSE, &c->spec, NULL, &error);
  assert_non_null (c->model);
  c->stability = ifbam_stability_new (c->model, &c->spec, FALSE, NULL);
  assert_non_null (c->stability);
  assert_non_null (c->stability->mechanism);
  assert_true (c->stability->mechanism->at_rest);
}

/* Returns the speed: a drift to another equilibrium does not count. */
static double
size_of (const Case *c, const double *v)
{
  double sum = 0;

  for (gsize i = 0; i < ifbam_model_n_named_free (c->model); i++)
    {
      const gsize node = ifbam_model_named_node (c->model, i);

      sum += ifbam_model_inertia (c->model, node) * v[node] * v[node];
    }
  return sqrt (sum);
}

/* Runs from beside the place of rest: how fast the deviation grows from the second quarter of so many steps to the last
 * [1/s], and its largest size in parts of the first. */
static double
run_growth (const Case *c, const IfbamScheme *scheme, double step, guint steps, double *largest)
{
  const IfbamModel *model = c->model;
  const IfbamSmallMotions *motions = c->stability->mechanism->motions;
  IfbamRunSpec spec = c->stability->mechanism->spec;
  g_autofree double *start = g_memdup2 (spec.start_position, model->n_free * sizeof (double));
  g_autofree double *q = g_new (double, motions->n + 1);
  g_autofree double *x = g_new (double, model->n_nodes + 1),
                    *v = g_new (double, model->n_nodes + 1);
  g_autoptr (IfbamEngine) engine = NULL;
  double first = 0, sum[2] = { 0, 0 };

  for (gsize i = 0; i < motions->n; i++)
    q[i] = AMPLITUDE * between (-1, 1) / sqrt (motions->inertia[i]);
  for (gsize i = 0; i < ifbam_model_n_named_free (model); i++)
    {
      const gsize node = ifbam_model_named_node (model, i);

      start[node] += ifbam_small_motions_node (motions, node, q);
    }
  spec.start_position = start;
  spec.scheme = scheme;
  spec.step = step;
  spec.cold = FALSE;
  engine = ifbam_event_engine_new (model, &spec, FALSE);
  ifbam_engine_start (engine);
  ifbam_engine_advance (engine, ifbam_engine_lookahead (&spec), NULL);
  *largest = 0;
  for (guint i = 0; i < steps; i++)
    {
      double size;

      ifbam_engine_get_nodes (engine, 0, model->n_nodes, x, v);
      size = size_of (c, v);
      /* it begins at rest */
      if (i < 4)
        first = fmax (first, size);
      *largest = i < 4 ? 1 : fmax (*largest, size / first);
      if (!isfinite (size) || *largest > 1e4 || engine->log->failure != NULL)
        {
          *largest = INFINITY;
          return INFINITY;
        }
      if (i >= steps / 4 && i < steps / 2)
        sum[0] += size * size;
      if (i >= 3 * (steps / 4))
        sum[1] += size * size;
      ifbam_engine_advance (engine, 1, NULL);
    }
  return 0.5 * log (sum[1] / sum[0]) / (step * (0.5 * steps));
}

/* Just below the step that a scheme is said to bear deviations stay bounded, just above they grow. */
static void
test_limits (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  guint tried = 0;

  (void) state;
  for (guint number = 0; number < G_N_ELEMENTS (networks) + G_N_ELEMENTS (texts);
       number += by_effort (3, 1, 1))
    {
      g_auto (Case) c = { 0 };

      make_case (&c, number);
      for (guint s = 0; s < n; s++)
        {
          const double limit = ifbam_stability_critical_step (c.stability, schemes[s]);
          /* Beyond omega h = 1 dopri5's R grows slowly: by 2e-5 a step where this is 1.03. */
          const double beyond = schemes[s]->order > 4 ? 1.4 : 1.03;
          double below, above;

          if (!(limit > 0) || !isfinite (limit))
            continue;
          run_growth (&c, schemes[s], 0.97 * limit, 4000, &below);
          run_growth (&c, schemes[s], beyond * limit, 6000, &above);
          tried++;
          if (!(below < 30) || !(above > 10 * below))
            fail_msg ("%s, %s, the step %g s: below it %g, above it %g", c.name, schemes[s]->name,
                      limit, below, above);
        }
    }
  assert_true (tried > by_effort (15, 50, 50));
}

/* Well below it, runs agree with the prediction. */
static void
test_growth (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint number = 0; number < G_N_ELEMENTS (networks) + G_N_ELEMENTS (texts);
       number += by_effort (3, 1, 1))
    {
      g_auto (Case) c = { 0 };
      double fast;

      make_case (&c, number);
      fast = fmax (c.stability->fastest, c.stability->damping);
      for (guint s = 0; s < n && fast > 0; s++)
        {
          const double step = 0.1 / fast;
          const double told = ifbam_stability_growth (c.stability, schemes[s], step).rate;
          /* not so far that it leaves small motions, or is lost in rounding */
          const guint steps = (guint) fmin (4000, (told > 0 ? 8 : 6) / fabs (told * step));
          double largest;
          const double seen = run_growth (&c, schemes[s], step, steps, &largest);

          /* growth shows the worst mode only after a while; decay may hide in even and odd cycles, whose mean rates are recorded, or, with nearly equal modes,
           * begin slowly */
          if (!(seen <= told + 1e-3 * fast + 0.05 * fabs (fmin (0, told)))
              || (told > 1e-3 * fast && !(seen >= 0.8 * told - 1e-3 * fast)))
            fail_msg ("%s, %s at %g s: a growth of %g per second was told, %g is seen", c.name,
                      schemes[s]->name, step, told, seen);
        }
    }
}

int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_limits),
    cmocka_unit_test (test_growth),
  };

  if (argc > 1)
    cmocka_set_test_filter (argv[1]);
  noise_set_up (77);
  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
