/* test-event-parts.c: parts of the event engine by themselves: heap and agenda against sorted lists, how few steps find an event
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "event/island-step.h"
#include "event/event-candidates.h"
#include "event-run.h"
#include "fixture.h"
#include "noise.h"

/* Candidates */

static int
compare_candidates (const void *a, const void *b)
{
  const IfbamCandidate *one = a, *other = b;

  if (one->lo != other->lo)
    return one->lo < other->lo ? -1 : 1;
  if (one->link != other->link)
    return one->link < other->link ? -1 : 1;
  return one->stamp < other->stamp ? -1 : one->stamp > other->stamp;
}

/* Some come, the first one goes, more come: by time, then by link (given instants at last), then by stamp. */
static void
test_heap (void **state)
{
  (void) state;
  for (guint trial = 0; trial < 200; trial++)
    {
      g_autoptr (GArray) heap = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
      IfbamCandidate sorted[100];
      guint n = 0;

      for (guint turn = 0; turn < 150; turn++)
        {
          const gboolean comes = turn < 75 ? g_rand_int_range (noise, 0, 4) > 0 : FALSE;

          if (comes && n < G_N_ELEMENTS (sorted))
            {
              const guint32 who = (guint32) g_rand_int_range (noise, 0, 4);
              const IfbamCandidate candidate = {
                .lo = g_rand_int_range (noise, 0, 6),
                .hi = turn,
                .link = who == 3 ? IFBAM_NONE : who,
                .stamp = (guint32) g_rand_int_range (noise, 0, 1000000),
              };

              ifbam_heap_push (heap, &candidate);
              sorted[n++] = candidate;
              qsort (sorted, n, sizeof *sorted, compare_candidates);
            }
          else if (n > 0)
            {
              const IfbamCandidate first = ifbam_heap_pop (heap);

              assert_int_equal (compare_candidates (&first, sorted), 0);
              assert_true (first.hi == sorted[0].hi);
              memmove (sorted, sorted + 1, --n * sizeof *sorted);
            }
          assert_int_equal (heap->len, n);
        }
    }
}

/* Given instants */

#define STEP 0.01
/* Of each list all instants up to here are compared. */
#define LAST 40

static IfbamTimeEvent
draw_instant (double period)
{
  return (IfbamTimeEvent){ .time = g_rand_int_range (noise, period > 0 ? -20 : 1, 100) / 8.0,
                           .kind = (IfbamTimeEventKind) g_rand_int_range (noise, 0, 4),
                           .index = (guint32) g_rand_int_range (noise, 0, 5),
                           .period = period,
                           .end = period > 0 && g_rand_boolean (noise)
                                      ? g_rand_int_range (noise, 0, 200) / 8.0
                                      : INFINITY };
}

/* Returns a model's scheduled events after 0 and up to the last, in order; no periodic ones at its end, or after it. */
static GArray *
list_all (const IfbamModel *model)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));

  g_array_append_vals (all, model->time_events->data, model->time_events->len);
  for (guint i = 0; i < model->recurrent->len; i++)
    {
      IfbamTimeEvent instant = g_array_index (model->recurrent, IfbamTimeEvent, i);
      const double first = instant.time;
      const double period = instant.period == IFBAM_EACH_STEP ? STEP : instant.period;

      for (guint turn = 0;
           (instant.time = first + turn * period) <= LAST && instant.time < instant.end; turn++)
        if (instant.time > 0)
          g_array_append_val (all, instant);
    }
  g_array_sort (all, ifbam_time_event_compare);
  return all;
}

static void
assert_instant (const IfbamTimeEvent *found, const IfbamTimeEvent *wanted)
{
  assert_non_null (found);
  assert_int_equal (ifbam_time_event_compare (found, wanted), 0);
}

static double
next_of (const GArray *all, IfbamTimeEventKind kind, guint32 number, double time)
{
  for (guint i = 0; i < all->len; i++)
    {
      const IfbamTimeEvent *instant = &g_array_index (all, IfbamTimeEvent, i);

      if (instant->kind == kind && instant->index == number && instant->time > time)
        return instant->time;
    }
  return INFINITY;
}

/* Instants that come once, and others that come again, some until an end: all of them, each at its turn, as in one sorted list, from
 * the start once more, too. */
static void
test_schedule (void **state)
{
  (void) state;
  for (guint trial = 0; trial < 100; trial++)
    {
      g_autoptr (GArray) once = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
      g_autoptr (GArray) recurrent = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
      IfbamModel model = { .time_events = once, .recurrent = recurrent };
      g_autoptr (GArray) all = NULL;
      IfbamSchedule schedule = { 0 };

      for (guint i = 0; i < trial % 7 * 2; i++)
        g_array_append_vals (once, &(IfbamTimeEvent[]){ draw_instant (0) }, 1);
      g_array_sort (once, ifbam_time_event_compare);
      for (guint i = 0; i < trial % 5; i++)
        {
          const IfbamTimeEvent instant =
              draw_instant (i == 3 ? IFBAM_EACH_STEP : g_rand_int_range (noise, 1, 9) / 32.0);

          g_array_append_val (recurrent, instant);
        }
      all = list_all (&model);
      ifbam_schedule_init (&schedule, &model, STEP);
      for (guint round = 0; round < 2; round++)
        {
          for (guint i = 0; i < all->len; i++)
            {
              assert_instant (ifbam_schedule_get (&schedule, i),
                              &g_array_index (all, IfbamTimeEvent, i));
              schedule.next = i + 1;
              if (g_rand_int_range (noise, 0, 100) == 0)
                ifbam_schedule_discard_past (&schedule);
            }
          if (recurrent->len == 0)
            assert_null (ifbam_schedule_get (&schedule, all->len));
          ifbam_schedule_restart (&schedule);
        }
      for (guint i = 0; i < 100; i++)
        {
          const IfbamTimeEventKind kind = (IfbamTimeEventKind) g_rand_int_range (noise, 0, 2);
          const guint32 number = (guint32) g_rand_int_range (noise, 0, 5);
          const double time = g_rand_int_range (noise, 0, 8 * LAST / 2) / 8.0;

          assert_true (ifbam_schedule_next_edge (&schedule, kind, number, time)
                       == next_of (all, kind, number, time));
        }
      ifbam_schedule_clear (&schedule);
    }
}

/* An event added during the run is processed at its time, after simultaneous ones, at any distance. */
static void
test_schedule_grows (void **state)
{
  (void) state;
  for (guint trial = 0; trial < 100; trial++)
    {
      g_autoptr (GArray) once = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
      g_autoptr (GArray) recurrent = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
      IfbamModel model = { .time_events = once, .recurrent = recurrent };
      g_autoptr (GArray) all = NULL;
      IfbamSchedule schedule = { 0 };
      guint32 number = 1000;

      for (guint i = 0; i < 20; i++)
        g_array_append_vals (once, &(IfbamTimeEvent[]){ draw_instant (0) }, 1);
      g_array_sort (once, ifbam_time_event_compare);
      for (guint i = 0; i < trial % 3; i++)
        g_array_append_vals (recurrent, &(IfbamTimeEvent[]){ draw_instant (0.25) }, 1);
      all = list_all (&model);
      ifbam_schedule_init (&schedule, &model, STEP);
      for (guint i = 0; i < all->len; i++)
        {
          const IfbamTimeEvent now = g_array_index (all, IfbamTimeEvent, i);

          assert_instant (ifbam_schedule_get (&schedule, i), &now);
          schedule.next = i + 1;
          ifbam_schedule_discard_past (&schedule);
          if (all->len < 500 && g_rand_int_range (noise, 0, 4) == 0)
            {
              const IfbamTimeEvent lapse = { .time = now.time
                                                     + (g_rand_boolean (noise) ? 1 : 1.0 / 64)
                                                           * g_rand_int_range (noise, 0, 30),
                                             .kind = IFBAM_TIME_EVENT_PULSE_END,
                                             .index = number++,
                                             .end = INFINITY };

              if (lapse.time > LAST)
                continue;
              ifbam_schedule_add (&schedule, &lapse);
              g_array_append_val (all, lapse);
              g_array_sort (all, ifbam_time_event_compare);
            }
        }
      ifbam_schedule_clear (&schedule);
    }
}

/* Locating */

static guint steps;

void __real_ifbam_event_step (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                              double from, double h, const double *x, const double *v, double *x1,
                              double *v1, gboolean account);
void __wrap_ifbam_event_step (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                              double from, double h, const double *x, const double *v, double *x1,
                              double *v1, gboolean account);
void
__wrap_ifbam_event_step (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                         double from, double h, const double *x, const double *v, double *x1,
                         double *v1, gboolean account)
{
  steps++;
  __real_ifbam_event_step (self, island, scheme, from, h, x, v, x1, v1, account);
}

/* Where the rate tells a guard's slope an instant is found by Newton's method, else by secants; both with a few steps, where
 * halving would take fifty. */
static void
test_few_steps_find_an_event (void **state)
{
  static const struct
  {
    const char *name, *text;
    guint least, most; /* events; steps for each beside the run's */
  } cases[] = {
    { "impact",
      "[ground g]\n[mass m]\nmass = 1\nposition = -0.7\n[impact i]\nbetween = m, g\n"
      "[ground far]\nposition = 1\n[spring s]\nstiffness = 1\nbetween = m, far\n",
      50, 20 },
    { "breaking loose",
      "[drive d]\nvelocity = 0.1\n[ground g]\n[mass m]\nmass = 1\n[spring s]\nstiffness = 1\n"
      "between = d, m\n[friction f]\nbetween = m, g\nbreakaway = 0.2\ncoulomb = 0.1\n",
      25, 15 },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EventRun) run = NULL;
      guint n;

      steps = 0;
      run = event_run (EVENT_RUN_BY_EVENTS,
                       "[network]\nscheme = rk4\nstep = 0.5\nduration = 100\n"
                       "record = m.position\n%s",
                       cases[i].text);
      n = run->events->len;
      print_message ("# %s: %u events, %u steps\n", cases[i].name, n, steps);
      assert_true (n >= cases[i].least);
      assert_true (steps <= 200 + (1 + cases[i].most) * n);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_heap),
    cmocka_unit_test (test_schedule),
    cmocka_unit_test (test_schedule_grows),
    cmocka_unit_test (test_few_steps_find_an_event),
  };

  noise_set_up (1981);
  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
