/* test-scene.c: positions of the drawn plane against signals of the run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "fixture.h"
#include "figure/figure.h"
#include "run/run.h"
#include "embed/ifbam.h"

typedef struct
{
  IfbamNetwork *network;
  IfbamModel *model;
  IfbamScene *scene;
  IfbamCourse *course;
} Look;

static void
look_clear (Look *look)
{
  g_clear_pointer (&look->scene, ifbam_scene_free);
  g_clear_pointer (&look->model, ifbam_model_free);
  g_clear_object (&look->course);
  g_clear_object (&look->network);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Look, look_clear)

/* A network's plane over its run, with all coordinates in the course but one (G_MAXUINT: none). */
static Look
look_without (IfbamNetwork *network, guint missing)
{
  Look look = { .network = network };
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autofree char *signals = NULL, *record = NULL;

  look.model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, NULL);
  assert_non_null (look.model);
  look.scene = ifbam_scene_new (look.model);
  signals = ifbam_scene_signals (look.scene);
  if (missing == G_MAXUINT)
    record = g_strconcat ("*.x,*.y,", signals, NULL);
  else
    {
      g_auto (GStrv) names = g_strsplit (signals, ",", -1);

      assert_true (missing < g_strv_length (names));
      g_free (names[missing]);
      names[missing] = g_strdup ("network.energy");
      record = g_strjoinv (",", names);
    }
  g_object_set (ifbam_network_get_settings (network), "record", record, NULL);
  look.course = network_course (network, IFBAM_ENGINE_PLAN);
  ifbam_scene_look (look.scene, look.course);
  assert_true (look.scene->n_rows > 1);
  return look;
}

static Look
look_at (IfbamNetwork *network)
{
  return look_without (network, G_MAXUINT);
}

static double
value_of (const Look *look, const char *name, const char *quantity, gsize row)
{
  g_autofree char *signal = g_strdup_printf ("%s.%s", name, quantity);
  gsize n;
  const double *values = ifbam_course_get_values (look->course, signal, &n, NULL);

  assert_non_null (values);
  assert_true (row < n);
  return values[row];
}

static void
assert_place (const Look *look, const IfbamScenePoint *point, const char *name, gsize row)
{
  double place[2];

  assert_true (ifbam_scene_place (look->scene, point, row, place));
  assert_true (fabs (place[0] - value_of (look, name, "x", row)) <= 1e-14);
  assert_true (fabs (place[1] - value_of (look, name, "y", row)) <= 1e-14);
}

static void
test_places_are_the_signals (void **state)
{
  static const char *const names[] = { "pendulum",      "double-pendulum",
                                       "slider-crank",  "four-bar",
                                       "parallelogram", "half-car",
                                       "balls",         "crane" };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    {
      g_autofree char *path = g_strdup_printf ("networks/%s.ini", names[k]);
      g_auto (Look) look =
          look_at (open_network (path, (const char *[]){ "network.duration=0.2", NULL }));

      assert_true (look.scene->bodies->len > 0);
      for (gsize row = 0; row < look.scene->n_rows; row += look.scene->n_rows - 1)
        {
          for (guint i = 0; i < look.scene->bodies->len; i++)
            {
              const IfbamSceneBody *body = &g_array_index (look.scene->bodies, IfbamSceneBody, i);

              assert_place (&look, &body->middle, body->name, row);
            }
          for (guint i = 0; i < look.scene->marks->len; i++)
            {
              const IfbamSceneMark *mark = &g_array_index (look.scene->marks, IfbamSceneMark, i);

              assert_place (&look, &mark->point, mark->name, row);
            }
        }
    }
}

static void
test_links_end_at_their_points (void **state)
{
  g_auto (Look) look = look_at (open_network ("networks/parallelogram.ini", NULL));
  const gsize last = look.scene->n_rows - 1;

  (void) state;
  assert_int_equal (look.scene->links->len, 3);
  for (guint i = 0; i < 3; i++)
    {
      const IfbamSceneLink *link = &g_array_index (look.scene->links, IfbamSceneLink, i);
      double from[2], to[2];

      assert_place (&look, &link->end[0], (const char *[]){ "a", "b", "c" }[i], last);
      assert_place (&look, &link->end[1], (const char *[]){ "p", "q", "r" }[i], last);
      assert_true (ifbam_scene_place (look.scene, &link->end[0], last, from));
      assert_true (ifbam_scene_place (look.scene, &link->end[1], last, to));
      assert_true (fabs (hypot (from[0] - to[0], from[1] - to[1]) - 0.8) < 1e-12);
    }
}

/* Points of a body, as a convex outline; its middle counts where something is joined there. */
static void
test_outlines (void **state)
{
  g_auto (Look) look = look_at (
      text_network ("[network]\nstep = 1 ms\nduration = 10 ms\n[body b]\nmass = 1\ninertia = 1\n"
                    "[point p]\non = b\nx = -1\ny = -1\n[point q]\non = b\nx = 1\ny = -1\n"
                    "[point inside]\non = b\ny = -0.5\n[point r]\non = b\ny = 1\n"
                    "[body plain]\nmass = 1\ninertia = 1\n[body crank]\nmass = 1\ninertia = 1\n"
                    "[point same]\non = plain\n[point pin]\non = crank\nx = 2\n[point "
                    "foot]\n[hinge h]\nbetween = foot, crank\n"));
  const IfbamSceneBody *bodies = (const IfbamSceneBody *) (gpointer) look.scene->bodies->data;
  static const double corners[] = { -1, -1, 1, -1, 0, 1 };

  (void) state;
  assert_int_equal (look.scene->bodies->len, 3);
  assert_int_equal (bodies[0].outline->len, 3);
  assert_memory_equal (bodies[0].outline->data, corners, sizeof corners);
  assert_int_equal (bodies[1].outline->len, 1);
  assert_int_equal (bodies[2].outline->len, 2);
}

/* A ball's hit is where the ball is, a rod's event at its end, that of the current nowhere. */
static void
test_events_have_places (void **state)
{
  g_auto (Look) look = look_at (text_network (
      "[network]\nstep = 1 ms\nduration = 1 s\n[surface s]\n[ball a]\nmass = 1\nradius = 0.1\ny = "
      "1.1\n"
      "vx = 2\n[gravity g]\non = a\n[bounce hit]\nrestitution = 0.5\nbetween = a, s\n[ball b]\n"
      "mass = 1\nx = 1\ny = 5\nradius = 0.2\n[bounce two]\nrestitution = 1\nbetween = a, b\n"
      "[capacitor c]\ncapacitance = 1 F\nvoltage = 1 V\n[capacitor d]\ncapacitance = 1 F\n[diode "
      "k]\nbetween = c, d\n"));
  const double time = sqrt (2 / 9.80665);
  double place[2], radius;

  (void) state;
  assert_true (ifbam_scene_event_place (
      look.scene, &(IfbamEvent){ .time = time, .element = "hit", .word = "impact" }, place,
      &radius));
  assert_true (fabs (place[0] - 2 * time) < 1e-12);
  assert_true (fabs (place[1] - 0.1) < 5e-3); /* within the step it turns round */
  assert_true (radius == 0.1);
  assert_true (ifbam_scene_event_place (
      look.scene, &(IfbamEvent){ .time = 0, .element = "two", .word = "impact" }, place, &radius));
  assert_true (fabs (place[0] - 1.0 / 3) < 1e-12);
  assert_false (ifbam_scene_event_place (
      look.scene, &(IfbamEvent){ .time = 0, .element = "k", .word = "conducts" }, place, &radius));
  assert_false (ifbam_scene_event_place (
      look.scene, &(IfbamEvent){ .time = 0, .element = "nobody", .word = "" }, place, &radius));
}

/* A pendulum that hits a mass on a line: the face is where they touch, at the height of the ball then. */
static void
test_blocks (void **state)
{
  g_auto (Look) look = look_at (
      text_network ("[network]\nstep = 1 ms\nduration = 1 s\n[point pivot]\n[ball bob]\nmass = "
                    "1\nx = -0.6\ny = -0.8\n"
                    "[rod r]\nbetween = pivot, bob\n[gravity g]\non = bob\n[mass block]\nmass = 1\n"
                    "[impact hit]\ngap = 0.1 m\nrestitution = 0\nbetween = bob.x, block\n"));
  const IfbamSceneBlock *block = &g_array_index (look.scene->blocks, IfbamSceneBlock, 0);
  double face[2];

  (void) state;
  assert_int_equal (look.scene->blocks->len, 1);
  assert_string_equal (block->name, "block");
  assert_true (ifbam_scene_face (look.scene, block, 0, face));
  assert_true (fabs (face[0] - 0.1) < 1e-12);
  assert_true (fabs (face[1] + 0.99) < 0.02);
  for (gsize row = 0; row < look.scene->n_rows; row++)
    {
      assert_true (ifbam_scene_face (look.scene, block, row, face));
      assert_true (value_of (&look, "bob", "x", row) <= face[0] + 1e-9);
    }
}

static const IfbamSceneTie *
tie_of (const Look *look, const char *name)
{
  for (guint i = 0; i < look->scene->ties->len; i++)
    if (g_str_equal (g_array_index (look->scene->ties, IfbamSceneTie, i).name, name))
      return &g_array_index (look->scene->ties, IfbamSceneTie, i);
  fail_msg ("%s is not seen", name);
  return NULL;
}

/* Wheels and springs of a car stand below its ends, one behind the other. */
static void
test_riders (void **state)
{
  static const struct
  {
    const char *name;
    double ties[2], boxes[2];
    guint lanes;
  } cases[] = {
    { "front-spring", { 0, -1 }, { 0, 0 }, 2 },  { "front-damper", { 0, -1 }, { 0, 0 }, 2 },
    { "rear-spring", { 0, -1 }, { 0, 0 }, 2 },   { "rear-damper", { 0, -1 }, { 0, 0 }, 2 },
    { "front-tyre", { -1, -2 }, { -1, -1 }, 1 }, { "rear-tyre", { -1, -2 }, { -1, -1 }, 1 },
  };
  g_auto (Look) look = look_at (open_network ("networks/half-car.ini", NULL));

  (void) state;
  assert_int_equal (look.scene->ties->len, G_N_ELEMENTS (cases));
  assert_int_equal (look.scene->riders->len, 4); /* two wheels, the road below each */
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const IfbamSceneTie *tie = tie_of (&look, cases[i].name);

      assert_int_equal (tie->axis, 1);
      assert_int_equal (tie->n_lanes, cases[i].lanes);
      for (guint e = 0; e < 2; e++)
        {
          double ties, boxes, place[2];

          ifbam_scene_tie_aside (look.scene, tie, e, &ties, &boxes);
          assert_true (ties == cases[i].ties[e] && boxes == cases[i].boxes[e]);
          for (gsize row = 0; row < look.scene->n_rows; row += 50)
            {
              assert_true (ifbam_scene_tie_place (look.scene, tie, e, row, place));
              assert_true (fabs (place[0] - (cases[i].name[0] == 'f' ? 1.2 : -1.4)) < 0.01);
            }
        }
    }
}

/* Nothing is drawn through another: a wall stands so far behind its block that the spring has room. */
static void
test_room_behind_blocks (void **state)
{
  g_auto (Look) look = look_at (open_network ("networks/pendulum-hit.ini", NULL));
  const IfbamSceneTie *spring = tie_of (&look, "k");
  double most = INFINITY;

  (void) state;
  assert_int_equal (look.scene->riders->len, 2);
  assert_int_equal (spring->axis, 0);
  for (gsize row = 0; row < look.scene->n_rows; row++)
    {
      double block[2], wall[2], way;

      assert_true (ifbam_scene_tie_place (look.scene, spring, 0, row, block));
      assert_true (ifbam_scene_tie_place (look.scene, spring, 1, row, wall));
      assert_true (block[1] == wall[1]);
      way = wall[0] - block[0] + value_of (&look, "block", "position", row);
      assert_true (wall[0] >= block[0] - 1e-12);
      if (row > 0) /* it follows the block */
        assert_true (fabs (way - most) < 1e-12);
      most = way;
    }
}

/* A rope without links hangs from end to end with a kink at its load (O9: 2.66 m below the left end, 4 m beside it). */
static void
test_ropes_hang (void **state)
{
  g_auto (Look) look = look_at (open_network ("networks/rope.ini", NULL));
  const IfbamSceneLink *rope = &g_array_index (look.scene->links, IfbamSceneLink, 0);
  double place[2 * 1201], first[2], last[2], length = 0, steepest = 0, lowest = 0;

  (void) state;
  assert_string_equal (rope->link->name, "r");
  assert_true (ifbam_scene_trace (look.scene, rope, 0, 1201, place));
  assert_true (ifbam_scene_place (look.scene, &rope->end[0], 0, first));
  assert_true (ifbam_scene_place (look.scene, &rope->end[1], 0, last));
  for (guint c = 0; c < 2; c++)
    {
      assert_number (place[c], first[c], 1e-12);
      assert_number (place[2 * 1200 + c], last[c], 1e-9);
    }
  for (guint i = 1; i <= 1200; i++)
    {
      const double *here = place + 2 * i, *before = here - 2;

      length += hypot (here[0] - before[0], here[1] - before[1]);
      if (here[1] < lowest)
        lowest = here[1];
      steepest = fmax (steepest, fabs ((here[1] - before[1]) / (here[0] - before[0])));
    }
  assert_number (length, 12, 1e-4);
  assert_number (lowest, -2.66, 0.05);
  assert_number (steepest, 1.109343561788, 0.01); /* at the right end */
}

/* Compares a point's position with and without its signal; TRUE: there is a position. */
static gboolean
is_told (const Look *whole, const Look *look, const IfbamScenePoint *point, gsize row)
{
  double place[2], wanted[2];

  assert_true (ifbam_scene_place (whole->scene, point, row, wanted));
  if (!ifbam_scene_place (look->scene, point, row, place))
    return FALSE;
  assert_true (place[0] == wanted[0] && place[1] == wanted[1]);
  return TRUE;
}

/* A spring along x between two balls ends at both. */
static void
test_a_spring_between_balls (void **state)
{
  g_auto (Look) look = look_at (text_network ("[network]\nstep = 1 ms\nduration = 20 ms\n"
                                              "[ball b]\nmass = 1\ny = 2\n"
                                              "[ball c]\nmass = 1\nx = 3\nvy = 1\n"
                                              "[spring k]\nstiffness = 100\nbetween = b.x, c.x\n"));
  const IfbamSceneTie *tie = tie_of (&look, "k");

  (void) state;
  assert_int_equal (tie->axis, 0);
  for (guint e = 0; e < 2; e++)
    {
      const char *const ball = e == 0 ? "b" : "c";
      double place[2];

      assert_int_equal (tie->rider[e], IFBAM_SCENE_POINT);
      assert_true (ifbam_scene_tie_place (look.scene, tie, e, 10, place));
      assert_true (place[0] == value_of (&look, ball, "x", 10));
      assert_true (place[1] == value_of (&look, ball, "y", 10));
    }
}

/* Where a coordinate has no number nothing has a place from then on. */
static void
test_rows_that_are_no_numbers (void **state)
{
  static const char *const signals[] = { "b.x", "b.y", NULL };
  g_auto (Look) look = look_at (text_network ("[network]\nstep = 1 ms\nduration = 20 ms\n"
                                              "[ball b]\nmass = 1\n"));
  const IfbamScenePoint *middle = &g_array_index (look.scene->bodies, IfbamSceneBody, 0).middle;
  double place[2];

  (void) state;
  g_clear_object (&look.course);
  look.course = ifbam_course_new (signals);
  for (guint i = 0; i < 6; i++)
    ifbam_course_append_row (look.course, i, (const double[]){ i, i == 4 ? NAN : 2 * i });
  ifbam_scene_look (look.scene, look.course);
  assert_int_equal (look.scene->n_rows, 4);
  assert_true (ifbam_scene_place (look.scene, middle, 3, place));
  assert_true (place[0] == 3 && place[1] == 6);
  assert_false (ifbam_scene_place (look.scene, middle, 4, place));
}

/* A course may lack any signal: points that need it have no position, all others are unchanged. */
static void
test_untold (void **state)
{
  static const char *const names[] = { "half-car", "slider-crank", "rope-swing", "charpy",
                                       "crane",    "balls",        "rope",       "marble-table" };
  const char *const short_run[] = { "network.duration=0.02", NULL };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    {
      g_autofree char *path = g_strdup_printf ("networks/%s.ini", names[k]);
      g_auto (Look) whole = look_at (open_network (path, short_run));
      g_autofree char *list = ifbam_scene_signals (whole.scene);
      g_auto (GStrv) signals = g_strsplit (list, ",", -1);

      for (guint missing = 0; signals[missing] != NULL; missing++)
        {
          g_auto (Look) look = look_without (open_network (path, short_run), missing);
          const IfbamScene *scene = look.scene;
          guint told = 0, untold = 0;
          double place[2], radius;

          for (guint i = 0; i < scene->bodies->len; i++)
            {
              const IfbamSceneBody *body = &g_array_index (scene->bodies, IfbamSceneBody, i);

              *(is_told (&whole, &look, &body->middle, 0) ? &told : &untold) += 1;
              assert_true (isfinite (ifbam_scene_angle (scene, body, 0)));
            }
          for (guint i = 0; i < scene->marks->len; i++)
            {
              const IfbamSceneMark *mark = &g_array_index (scene->marks, IfbamSceneMark, i);

              *(is_told (&whole, &look, &mark->point, 0) ? &told : &untold) += 1;
            }
          for (guint i = 0; i < scene->links->len; i++)
            {
              const IfbamSceneLink *link = &g_array_index (scene->links, IfbamSceneLink, i);
              double trace[8], wanted[8];
              const gboolean both = is_told (&whole, &look, &link->end[0], 0)
                                    & is_told (&whole, &look, &link->end[1], 0);

              *(both ? &told : &untold) += 1;
              if (link->link->geometry->trace == NULL)
                continue;
              assert_true (ifbam_scene_trace (whole.scene, link, 0, 4, wanted));
              assert_int_equal (ifbam_scene_trace (scene, link, 0, 4, trace), both);
              for (guint c = 0; both && c < 8; c++)
                assert_true (trace[c] == wanted[c]);
            }
          for (guint i = 0; i < scene->blocks->len; i++)
            {
              const IfbamSceneBlock *block = &g_array_index (scene->blocks, IfbamSceneBlock, i);

              *(ifbam_scene_face (scene, block, 0, place) ? &told : &untold) += 1;
            }
          for (guint i = 0; i < scene->riders->len; i++)
            {
              const IfbamSceneRider *rider = &g_array_index (scene->riders, IfbamSceneRider, i);

              *(ifbam_scene_rider (scene, rider, 0, place) ? &told : &untold) += 1;
            }
          for (guint i = 0; i < scene->ties->len; i++)
            for (guint e = 0; e < 2; e++)
              {
                const IfbamSceneTie *tie = &g_array_index (scene->ties, IfbamSceneTie, i);

                *(ifbam_scene_tie_place (scene, tie, e, 0, place) ? &told : &untold) += 1;
              }
          for (guint j = 0; j < look.model->unbatched_links->len; j++)
            {
              const IfbamEvent event = {
                .element = g_array_index (look.model->unbatched_links, IfbamLink, j).name,
                .time = 1e-3
              };

              if (ifbam_scene_event_place (scene, &event, place, &radius))
                assert_true (isfinite (place[0]) && isfinite (place[1]) && radius >= 0);
            }
          if (!g_str_has_suffix (signals[missing], ".angle"))
            assert_true (untold > 0);
          assert_true (told + untold > 0);
        }
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_places_are_the_signals),
    cmocka_unit_test (test_links_end_at_their_points),
    cmocka_unit_test (test_outlines),
    cmocka_unit_test (test_events_have_places),
    cmocka_unit_test (test_blocks),
    cmocka_unit_test (test_riders),
    cmocka_unit_test (test_room_behind_blocks),
    cmocka_unit_test (test_ropes_hang),
    cmocka_unit_test (test_a_spring_between_balls),
    cmocka_unit_test (test_rows_that_are_no_numbers),
    cmocka_unit_test (test_untold),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
