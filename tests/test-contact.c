/* test-contact.c: answers of the contact solver against the laws themselves, closed forms and permutations
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

#include "constraint/constraint.h"
#include "noise.h"
#include "oracles/lemke.h"

#define MAX_NODES 80
#define MAX_ROWS  120

/* Largest violation of a law, in parts of the largest rate or acceleration of the problem. */
#define TOLERANCE 1e-7

/* Reactions in another order of rows, in parts of the largest: of nearly all problems, and where rows all but follow from others. */
#define ORDER_TOLERANCE       1e-12
#define WORST_ORDER_TOLERANCE 1e-8

typedef struct
{
  IfbamContactRow row[MAX_ROWS];
  double inverse_mass[MAX_NODES];
  guint n, n_nodes, n_levels;
} Problem;

static IfbamContactWorkspace *workspace;

static int
set_up (void **state)
{
  (void) state;
  workspace = ifbam_contact_workspace_new ();
  return noise_set_up (5);
}

static int
tear_down (void **state)
{
  ifbam_contact_workspace_free (workspace);
  return noise_tear_down (state);
}

static IfbamContactStatus
solve (Problem *problem, gboolean has_guess, IfbamContactResult *result)
{
  const IfbamContactProblem of = { .row = problem->row,
                                   .n = problem->n,
                                   .inverse_mass = problem->inverse_mass,
                                   .n_nodes = problem->n_nodes,
                                   .n_levels = problem->n_levels,
                                   .has_guess = has_guess,
                                   .max_systems = 5000 };

  for (guint level = 0; level < problem->n_levels; level++)
    {
      double most = 1;

      for (guint i = 0; i < problem->n; i++)
        most = fmax (most, fabs (problem->row[i].rhs[level]));
      for (guint i = 0; i < problem->n; i++)
        problem->row[i].tolerance[level] = 1e-12 * most;
    }
  return ifbam_contact_solve (&of, workspace, result);
}

/* Adds a row over nodes; its right sides are those of node rates and accelerations. */
static IfbamContactRow *
add_row (Problem *problem, IfbamContactKind kind, guint n_ports, const guint32 *node,
         const double *jacobian)
{
  IfbamContactRow *row = &problem->row[problem->n++];

  *row = (IfbamContactRow){ .kind = kind };
  row->row.n_ports = n_ports;
  row->row.share = 1;
  for (guint e = 0; e < n_ports; e++)
    {
      row->row.node[e] = node[e];
      row->row.row[e] = row->row.pull[e] = jacobian[e];
    }
  return row;
}

static IfbamContactRow *
add_friction (Problem *problem, guint carrier, double friction, const double *jacobian)
{
  const IfbamConstraintRow *normal = &problem->row[carrier].row;
  IfbamContactRow *row =
      add_row (problem, IFBAM_CONTACT_FRICTION, normal->n_ports, normal->node, jacobian);

  row->n_carriers = 1;
  row->carrier[0] = carrier;
  row->friction = friction;
  return row;
}

/* An independent certifier */

static double
own_inverse_mass (const Problem *problem, guint i)
{
  const IfbamConstraintRow *row = &problem->row[i].row;
  double sum = 0;

  for (guint e = 0; e < row->n_ports; e++)
    sum += row->row[e] * row->row[e] * problem->inverse_mass[row->node[e]];
  return sum;
}

/* q - J M^-1 P^T lambda, by a dense sum. */
static double
find_rate (const Problem *problem, guint i, guint level)
{
  const IfbamConstraintRow *row = &problem->row[i].row;
  double rate = problem->row[i].rhs[level];

  for (guint k = 0; k < problem->n; k++)
    {
      const IfbamConstraintRow *other = &problem->row[k].row;

      for (guint e = 0; e < row->n_ports; e++)
        for (guint f = 0; f < other->n_ports; f++)
          if (row->node[e] == other->node[f])
            rate -= row->row[e] * other->pull[f] * problem->inverse_mass[row->node[e]]
                    * problem->row[k].lambda[level];
    }
  return rate;
}

static double
find_bound (const Problem *problem, guint i, guint level)
{
  const IfbamContactRow *row = &problem->row[i];
  double square = 0;

  for (guint k = 0; k < row->n_carriers; k++)
    square +=
        problem->row[row->carrier[k]].lambda[level] * problem->row[row->carrier[k]].lambda[level];
  return (level + 1 == problem->n_levels ? row->limit : 0) + row->friction * sqrt (square);
}

/* The scale of rounding at a row: rates of all reactions before they cancel. */
static double
find_scale (const Problem *problem, guint i, guint level)
{
  double most = fabs (problem->row[i].rhs[level]);

  for (guint k = 0; k < problem->n; k++)
    {
      most = fmax (most, fabs (problem->row[k].rhs[level]));
      most =
          fmax (most, 1e-3 * fabs (problem->row[k].lambda[level]) * own_inverse_mass (problem, k));
    }
  return most;
}

/* Fails where a law of Coulomb or of contact is broken. Level 1 of a row counts only where its level 0 is undecided. */
static void
assert_laws (const Problem *problem, const char *name)
{
  for (guint i = 0; i < problem->n; i++)
    {
      const IfbamContactRow *row = &problem->row[i];
      const double own = own_inverse_mass (problem, i);

      for (guint level = 0; level < problem->n_levels; level++)
        {
          const double rate = find_rate (problem, i, level);
          const double push = row->lambda[level] * own;
          const double bound = find_bound (problem, i, level) * own;
          const double room = TOLERANCE * find_scale (problem, i, level);
          gboolean holds = TRUE, is_decided = FALSE;

          if (own == 0 && row->kind != IFBAM_CONTACT_UNILATERAL)
            break;
          if (row->kind == IFBAM_CONTACT_BILATERAL)
            holds = fabs (rate) <= room;
          else if (row->kind == IFBAM_CONTACT_UNILATERAL)
            {
              holds = push >= -room && rate <= room && (push <= room || rate >= -room);
              is_decided = fabs (push) > room || fabs (rate) > room;
            }
          else
            {
              holds = fabs (push) <= bound + room
                      && (fabs (rate) <= room || fabs (push - (rate > 0 ? bound : -bound)) <= room);
              is_decided = fabs (rate) > room || bound - fabs (push) > room;
            }
          if (!holds)
            fail_msg ("%s: row %u of %u, kind %d, level %u: push %g, bound %g, rate %g of %g", name,
                      i, problem->n, row->kind, level, push, bound, rate, row->rhs[level]);
          if (is_decided)
            break;
        }
    }
}

/* Fails where y does not prove that rates which no reactions can take away press rows together. */
static void
assert_ray (const Problem *problem, const double *y)
{
  double change[MAX_NODES] = { 0 }, terms[MAX_NODES] = { 0 }, gain = 0;

  for (guint i = 0; i < problem->n; i++)
    {
      const IfbamContactRow *row = &problem->row[i];

      assert_true (row->kind == IFBAM_CONTACT_BILATERAL
                   || (row->kind == IFBAM_CONTACT_UNILATERAL ? y[i] >= 0 : y[i] == 0));
      gain += y[i] * row->rhs[0];
      for (guint e = 0; e < row->row.n_ports; e++)
        if (problem->inverse_mass[row->row.node[e]] > 0)
          {
            change[row->row.node[e]] += row->row.row[e] * y[i];
            terms[row->row.node[e]] += fabs (row->row.row[e] * y[i]);
          }
    }
  for (guint k = 0; k < problem->n_nodes; k++)
    assert_true (fabs (change[k]) <= 1e-8 * terms[k]);
  assert_true (gain > 0);
}

/* Random problems */

static void
draw_masses (Problem *problem, guint n_nodes, double decades)
{
  *problem = (Problem){ .n_nodes = n_nodes, .n_levels = 1 };
  for (guint k = 0; k < n_nodes; k++)
    problem->inverse_mass[k] = pow (10, between (-decades / 2, decades / 2));
  if (g_rand_boolean (noise))
    problem->inverse_mass[0] = 0;
}

static guint
draw_nodes (const Problem *problem, guint32 *node, double *jacobian, double *tangent)
{
  const guint n_ports = (guint) g_rand_int_range (noise, 1, (int) MIN (problem->n_nodes, 4) + 1);
  const guint32 first = (guint32) g_rand_int_range (noise, 0, (int) problem->n_nodes);

  for (guint e = 0; e < n_ports; e++)
    {
      node[e] = (first + e) % problem->n_nodes;
      jacobian[e] = between (-1, 1);
      tangent[e] = between (-1, 1);
    }
  return n_ports;
}

/* Projects node rates, so that the rates of touching rows are 0. */
static void
stop_touching (const Problem *problem, const gboolean *touches, double *rate)
{
  IfbamConstraintSystem system = { .n = 0 };
  static IfbamConstraintRow rows[MAX_ROWS];
  double lambda[MAX_ROWS];
  guint32 scratch[MAX_NODES];
  guint n = 0;

  memset (scratch, 0xff, sizeof scratch);
  for (guint i = 0; i < problem->n; i++)
    if (touches[i])
      {
        rows[n] = problem->row[i].row;
        lambda[n] = 0;
        for (guint e = 0; e < rows[n].n_ports; e++)
          lambda[n] += rows[n].row[e] * rate[rows[n].node[e]];
        n++;
      }
  ifbam_constraint_system_set (&system, rows, n, problem->inverse_mass, scratch);
  ifbam_constraint_system_solve (&system, lambda, lambda);
  for (guint k = 0; k < n; k++)
    for (guint e = 0; e < rows[k].n_ports; e++)
      rate[rows[k].node[e]] -= rows[k].row[e] * lambda[k] * problem->inverse_mass[rows[k].node[e]];
  ifbam_constraint_system_clear (&system);
}

/* Rates and accelerations are those of nodes that move, so that rows can be left without any. Of two levels all contacts and half of
 * the frictions touch without a rate. */
static void
draw_right_sides (Problem *problem)
{
  double rate[MAX_NODES];
  gboolean touches[MAX_ROWS];

  for (guint i = 0; i < problem->n; i++)
    touches[i] = problem->row[i].kind != IFBAM_CONTACT_FRICTION || g_rand_boolean (noise);
  for (guint level = 0; level < problem->n_levels; level++)
    {
      for (guint k = 0; k < problem->n_nodes; k++)
        rate[k] = problem->inverse_mass[k] > 0 ? between (-1, 1) : 0;
      if (level + 1 < problem->n_levels)
        stop_touching (problem, touches, rate);
      for (guint i = 0; i < problem->n; i++)
        {
          IfbamContactRow *row = &problem->row[i];

          row->rhs[level] = 0;
          for (guint e = 0; e < row->row.n_ports && !(touches[i] && level + 1 < problem->n_levels);
               e++)
            row->rhs[level] += row->row.row[e] * rate[row->row.node[e]];
          /* A row that follows from those that touch. */
          if (level + 1 < problem->n_levels && fabs (row->rhs[level]) < 1e-8)
            row->rhs[level] = 0;
        }
    }
}

/* A contact along one before it, of which it is a multiple: the two share their load. */
static void
repeat_row (Problem *problem)
{
  const IfbamConstraintRow *other =
      &problem->row[g_rand_int_range (noise, 0, (int) problem->n)].row;
  double jacobian[4], times = between (0.5, 2);

  for (guint e = 0; e < other->n_ports; e++)
    jacobian[e] = times * other->row[e];
  add_row (problem, IFBAM_CONTACT_UNILATERAL, other->n_ports, other->node, jacobian);
}

typedef struct
{
  double repeated;                     /* part of the contacts that repeat another */
  double frictions, bilaterals, boxes; /* parts of the rows */
  double most_friction, decades;
  gboolean has_two_levels;
} Kinds;

static void
draw_problem (Problem *problem, guint n, guint n_nodes, const Kinds *kinds)
{
  draw_masses (problem, n_nodes, kinds->decades);
  problem->n_levels = kinds->has_two_levels ? 2 : 1;
  while (problem->n < n)
    {
      guint32 node[4];
      double jacobian[4], tangent[4], draw = between (0, 1);
      const guint n_ports = draw_nodes (problem, node, jacobian, tangent);

      if (draw < kinds->bilaterals && problem->n < n_nodes / 3)
        add_row (problem, IFBAM_CONTACT_BILATERAL, n_ports, node, jacobian);
      else if (draw >= kinds->bilaterals && draw < kinds->bilaterals + kinds->boxes)
        add_row (problem, IFBAM_CONTACT_FRICTION, n_ports, node, jacobian)->limit =
            pow (10, between (-3, 1));
      else
        {
          if (problem->n > 1 && between (0, 1) < kinds->repeated)
            repeat_row (problem);
          else
            add_row (problem, IFBAM_CONTACT_UNILATERAL, n_ports, node, jacobian);
          if (between (0, 1) < kinds->frictions && n_ports > 1)
            add_friction (problem, problem->n - 1, between (0, kinds->most_friction), tangent);
        }
    }
  draw_right_sides (problem);
}

/* Solves problems at random; each answer keeps all laws, and each proof is one. Of a hundred problems two at most may be left without
 * either, as rows that all but follow from others can't be told apart. */
static void
check_random (guint trials, guint least, guint most, double nodes_per_row, const Kinds *kinds,
              const char *name)
{
  static Problem problem;
  guint n_solved = 0, n_proven = 0, n_open = 0, n_systems = 0;

  for (guint trial = 0; trial < trials; trial++)
    {
      const guint n = (guint) g_rand_int_range (noise, (int) least, (int) most + 1);
      const guint n_nodes = MAX (2, MIN (MAX_NODES, (guint) (n * nodes_per_row)));
      IfbamContactResult result;
      IfbamContactStatus status;

      draw_problem (&problem, n, n_nodes, kinds);
      status = solve (&problem, FALSE, &result);
      n_systems += result.n_systems;
      if (status == IFBAM_CONTACT_SOLVED)
        {
          n_solved++;
          assert_laws (&problem, name);
        }
      else if (status == IFBAM_CONTACT_NO_SOLUTION && result.ray != NULL)
        {
          n_proven++;
          assert_ray (&problem, result.ray);
        }
      else
        n_open++;
    }
  print_message ("# %s: %u solved, %u proven, %u open, %.1f systems each\n", name, n_solved,
                 n_proven, n_open, (double) n_systems / trials);
  assert_true (n_open * 50 <= trials);
}

static void
test_random (void **state)
{
  const char *effort = getenv ("TEST_RANDOM");
  const guint trials = effort == NULL ? 300 : (guint) atoi (effort);
  const Kinds plain = { .bilaterals = 0.2, .decades = 8 };
  const Kinds repeated = { .repeated = 0.3, .bilaterals = 0.2, .decades = 8 };
  const Kinds dense = { .decades = 2 };
  const Kinds boxes = { .bilaterals = 0.2, .boxes = 0.5, .decades = 8 };
  const Kinds friction = { .frictions = 0.7, .bilaterals = 0.1, .most_friction = 1, .decades = 4 };
  const Kinds levels = {
    .frictions = 0.5, .bilaterals = 0.1, .most_friction = 0.5, .decades = 2, .has_two_levels = TRUE
  };

  (void) state;
  check_random (4 * trials, 1, 6, 1.5, &plain, "few contacts");
  check_random (trials, 7, 60, 1.3, &plain, "many contacts");
  check_random (trials, 3, 60, 1.3, &repeated, "repeated contacts");
  check_random (trials, 3, 40, 0.5, &dense, "more contacts than nodes");
  check_random (trials, 1, 40, 1.3, &boxes, "boxes");
  check_random (4 * trials, 1, 6, 1.5, &friction, "few frictions");
  check_random (trials, 7, 60, 1.3, &friction, "many frictions");
  check_random (trials, 3, 30, 0.5, &friction, "more frictions than nodes");
  check_random (4 * trials, 1, 6, 1.5, &levels, "two levels, few");
  check_random (trials, 7, 60, 1.3, &levels, "two levels, many");
}

/* Contacts that press against each other between two nodes: no motion takes that away. */
static void
test_infeasible_problems_are_proven (void **state)
{
  static Problem problem;
  const Kinds kinds = { .frictions = 0.3, .most_friction = 0.5, .decades = 4 };

  (void) state;
  for (guint trial = 0; trial < 200; trial++)
    {
      const guint32 node[] = { 0, 1 };
      const double toward[] = { 1, -1 }, back[] = { -2, 2 };
      IfbamContactResult result;

      draw_problem (&problem, 8, 12, &kinds);
      add_row (&problem, IFBAM_CONTACT_UNILATERAL, 2, node, toward)->rhs[0] = 0.5;
      add_row (&problem, IFBAM_CONTACT_UNILATERAL, 2, node, back)->rhs[0] = -0.4;
      assert_int_equal (solve (&problem, FALSE, &result), IFBAM_CONTACT_NO_SOLUTION);
      assert_non_null (result.ray);
      assert_ray (&problem, result.ray);
    }
}

/* Without friction there is one answer: rows in another order, and from any guess, have the same reactions. */
static void
test_order_does_not_matter (void **state)
{
  static Problem problem, other;
  const Kinds kinds = { .repeated = 0.4, .bilaterals = 0.2, .decades = 1 };
  guint n_compared = 0, n_equal = 0;

  (void) state;
  for (guint trial = 0; trial < 300; trial++)
    {
      const guint n = (guint) g_rand_int_range (noise, 2, 30);
      guint order[MAX_ROWS];
      IfbamContactResult result;
      double most = 0, largest = 0;

      draw_problem (&problem, n, n + 2, &kinds);
      for (guint i = 0; i < problem.n; i++)
        order[i] = i;
      for (guint i = problem.n - 1; i > 0; i--)
        {
          const guint k = (guint) g_rand_int_range (noise, 0, (int) i + 1), last = order[i];

          order[i] = order[k];
          order[k] = last;
        }
      other = problem;
      for (guint i = 0; i < problem.n; i++)
        {
          other.row[i] = problem.row[order[i]];
          other.row[i].piece = g_rand_boolean (noise) ? IFBAM_CONTACT_OPEN : IFBAM_CONTACT_CLOSED;
        }
      if (solve (&problem, FALSE, &result) != IFBAM_CONTACT_SOLVED
          || solve (&other, TRUE, &result) != IFBAM_CONTACT_SOLVED)
        continue;
      n_compared++;
      for (guint i = 0; i < problem.n; i++)
        most = fmax (most, fabs (problem.row[i].lambda[0]));
      for (guint i = 0; i < problem.n; i++)
        largest =
            fmax (largest, fabs (other.row[i].lambda[0] - problem.row[order[i]].lambda[0]) / most);
      n_equal += largest <= ORDER_TOLERANCE;
      if (!(largest <= WORST_ORDER_TOLERANCE))
        fail_msg ("trial %u: reactions differ by %g of the largest", trial, largest);
    }
  print_message ("# %u of %u equal to %g\n", n_equal, n_compared, ORDER_TOLERANCE);
  assert_true (n_equal >= 290);
  assert_true (n_compared >= 295);
}

/* Lemke's method on a dense table, for contacts and their frictions: a friction is three unknowns, its force in either direction,
 * and the size of its slip. Returns TRUE with a solution; rate (n): final rates. */
static gboolean
solve_by_lemke (const Problem *problem, double *rate)
{
  const guint n = problem->n, size = 3 * n, width = size + 1;
  g_autofree double *table = g_new0 (double, (gsize) size *width);
  g_autofree double *cover = g_new (double, size);
  g_autofree double *z = g_new0 (double, size);
  g_autofree guint8 *acts = g_new0 (guint8, size);

  for (guint i = 0; i < size; i++)
    cover[i] = 1 + fmod ((i + 1) * 0.6180339887498949, 1);
  for (guint i = 0; i < n; i++)
    {
      const IfbamContactRow *row = &problem->row[i];
      double *own = table + (gsize) 3 * i * width;

      for (guint k = 0; k < n; k++)
        {
          const double w =
              ifbam_row_product (&row->row, &problem->row[k].row, problem->inverse_mass);

          own[3 * k] = w;
          own[3 * k + 1] = problem->row[k].kind == IFBAM_CONTACT_FRICTION ? -w : 0;
        }
      own[size] = -row->rhs[0];
      for (guint c = 0; c <= size && row->kind == IFBAM_CONTACT_FRICTION; c++)
        own[width + c] = -own[c];
      if (row->kind != IFBAM_CONTACT_FRICTION)
        {
          own[width + 3 * i + 1] = own[2 * width + 3 * i + 2] = 1;
          continue;
        }
      own[3 * i + 2] = own[width + 3 * i + 2] = 1;
      own[2 * width + 3 * row->carrier[0]] = row->friction;
      own[2 * width + 3 * i] = own[2 * width + 3 * i + 1] = -1;
    }
  if (!ifbam_lemke (table, size, 0, 1, cover, 1, acts, z, NULL, NULL))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      rate[i] = problem->row[i].rhs[0];
      for (guint k = 0; k < n; k++)
        rate[i] -=
            ifbam_row_product (&problem->row[i].row, &problem->row[k].row, problem->inverse_mass)
            * (z[3 * k] - (problem->row[k].kind == IFBAM_CONTACT_FRICTION ? z[3 * k + 1] : 0));
    }
  return TRUE;
}

/* An independent method finds an answer where this one does. Without friction there is one motion, and both find it. */
static void
test_lemke_agrees (void **state)
{
  static Problem problem;
  guint n_compared = 0, n_found = 0;

  (void) state;
  for (guint trial = 0; trial < 400; trial++)
    {
      const Kinds kinds = { .frictions = trial % 2 == 0 ? 0 : 0.7,
                            .most_friction = 0.8,
                            .decades = 2 };
      const guint n = (guint) g_rand_int_range (noise, 1, 12);
      double rate[MAX_ROWS];
      IfbamContactResult result;

      draw_problem (&problem, n, n + 2, &kinds);
      if (!solve_by_lemke (&problem, rate))
        continue;
      n_found++;
      assert_int_equal (solve (&problem, FALSE, &result), IFBAM_CONTACT_SOLVED);
      for (guint i = 0; i < problem.n && trial % 2 == 0; i++, n_compared++)
        if (!(fabs (problem.row[i].u[0] - rate[i]) <= 1e-9))
          fail_msg ("trial %u, row %u of %u: %g, by Lemke %g", trial, i, problem.n,
                    problem.row[i].u[0], rate[i]);
    }
  print_message ("# Lemke's method solves %u of 400\n", n_found);
  assert_true (n_compared > 1000 && n_found > 380);
}

/* Closed forms */

static void
assert_near (double value, double wanted)
{
  if (!(fabs (value - wanted) <= 1e-12 * fmax (1, fabs (wanted))))
    fail_msg ("%.17g, not %.17g", value, wanted);
}

/* A block of 2 kg on a ground, pushed down by 20 N and along by a force: it slips at 6 N, by a friction of 0.3; at rest it sticks to
 * 7.2 N, by 0.36. */
static void
test_block_sticks_or_slips (void **state)
{
  (void) state;
  for (guint k = 0; k < 4; k++)
    {
      static const double push[] = { 5.9, 7.1, 7.3, -8 }, wanted[] = { 5.9, 7.1, 6, -6 };
      const guint32 node[] = { 0, 1 };
      static Problem problem;
      IfbamContactResult result;

      problem = (Problem){ .n_nodes = 2, .n_levels = 2, .inverse_mass = { 0.5, 0.5 } };
      add_row (&problem, IFBAM_CONTACT_UNILATERAL, 2, node, (double[]){ 1, 0 })->rhs[1] = 10;
      add_friction (&problem, 0, 0.3, (double[]){ 0, 1 })->rhs[1] = push[k] / 2;
      problem.row[1].rest_friction = 0.36;
      assert_int_equal (solve (&problem, FALSE, &result), IFBAM_CONTACT_SOLVED);
      assert_false (result.is_impulsive);
      assert_near (problem.row[0].lambda[1], 20);
      assert_near (problem.row[1].lambda[1], wanted[k]);
    }
}

/* Two equal contacts of other friction on a slope between the axes of a mass slide: each carries half, as if they were equally
 * stiff. (The least norm along their force directions would load them by their frictions.) */
static void
test_sliding_contacts_share_by_compliance (void **state)
{
  const guint32 node[] = { 0, 1 };
  const double friction[] = { 0.9, 0.05 }, along = 0.5;
  static Problem problem;
  IfbamContactResult result;

  (void) state;
  problem = (Problem){ .n_nodes = 2, .n_levels = 2, .inverse_mass = { 1, 1 } };
  for (guint k = 0; k < 2; k++)
    add_row (&problem, IFBAM_CONTACT_UNILATERAL, 2, node, (double[]){ 1, 0 })->rhs[1] = 10;
  for (guint k = 0; k < 2; k++)
    add_friction (&problem, k, friction[k], (double[]){ along, 1 })->rhs[0] = 1;
  assert_int_equal (solve (&problem, FALSE, &result), IFBAM_CONTACT_SOLVED);
  assert_true (result.is_redundant);
  for (guint k = 0; k < 2; k++)
    {
      assert_near (problem.row[k].lambda[1], 10 / (2 + along * (friction[0] + friction[1])));
      assert_near (problem.row[2 + k].lambda[1], friction[k] * problem.row[k].lambda[1]);
    }
}

/* A dry bearing of coefficient 0.4 bears 3 N and 4 N, and slips: 2 N, as the norm of both. Then friction along the first of the two
 * also loads it. */
static void
test_bearing_of_two_carriers (void **state)
{
  const guint32 node[] = { 0, 1, 2 };
  static Problem problem;
  IfbamContactResult result;

  (void) state;
  for (guint coupled = 0; coupled < 2; coupled++)
    {
      const double along[] = { coupled * 0.5, 0, 1 };
      IfbamContactRow *friction;
      double x, y;

      problem = (Problem){ .n_nodes = 3, .n_levels = 1, .inverse_mass = { 1, 1, 1 } };
      add_row (&problem, IFBAM_CONTACT_BILATERAL, 3, node, (double[]){ 1, 0, 0 })->rhs[0] = 3;
      add_row (&problem, IFBAM_CONTACT_BILATERAL, 3, node, (double[]){ 0, 1, 0 })->rhs[0] = 4;
      friction = add_row (&problem, IFBAM_CONTACT_FRICTION, 3, node, along);
      friction->n_carriers = 2;
      friction->carrier[1] = 1;
      friction->friction = 0.4;
      friction->rhs[0] = 10;
      assert_int_equal (solve (&problem, FALSE, &result), IFBAM_CONTACT_SOLVED);
      assert_laws (&problem, "bearing");
      x = problem.row[0].lambda[0];
      y = problem.row[1].lambda[0];
      assert_near (y, 4);
      assert_near (problem.row[2].lambda[0], 0.4 * sqrt (x * x + y * y));
      assert_near (x, coupled == 1 ? 3 - 0.5 * problem.row[2].lambda[0] : 3);
    }
}

/* A rod that slides on its end (Painleve 1895): friction turns it into the ground. There is no finite reaction; at both levels an
 * impulse stops the slip. */
static void
test_rod_jams (void **state)
{
  const guint32 node[] = { 0, 1, 2 };
  const double angle = 1.2, reach = 0.5, mass = 1, inertia = mass * reach * reach / 3;
  static Problem problem;
  IfbamContactResult result;

  (void) state;
  for (guint n_levels = 1; n_levels <= 2; n_levels++)
    {
      IfbamContactRow *slip;

      problem = (Problem){ .n_nodes = 3,
                           .n_levels = n_levels,
                           .inverse_mass = { 1 / mass, 1 / mass, 1 / inertia } };
      /* Compression of the end, and its slip, by x, y and the angle of the rod. */
      add_row (&problem, IFBAM_CONTACT_UNILATERAL, 3, node,
               (double[]){ 0, -1, reach * cos (angle) })
          ->rhs[n_levels - 1] = 9.81;
      slip = add_friction (&problem, 0, 1.5, (double[]){ 1, 0, reach * sin (angle) });
      if (n_levels == 2)
        slip->rhs[0] = -1;
      slip->is_given = n_levels == 1;
      slip->piece = IFBAM_CONTACT_BACKWARD;
      if (n_levels == 1)
        assert_int_equal (solve (&problem, TRUE, &result), IFBAM_CONTACT_NO_SOLUTION);
      else
        {
          assert_int_equal (solve (&problem, FALSE, &result), IFBAM_CONTACT_SOLVED);
          assert_true (result.is_impulsive);
          assert_laws (&problem, "rod");
          assert_true (problem.row[0].lambda[0] > 0.1);
          assert_near (problem.row[1].u[0], 0);
        }
    }
}

/* Three ideal switches close a ring of three capacitors: the currents are the least, in every order. */
static void
test_ring_of_switches (void **state)
{
  static const guint order[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                    { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  const double capacity[] = { 1e-6, 2e-6, 5e-6 }, voltage[] = { 10, -4, 1 };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (order); k++)
    {
      static Problem problem;
      IfbamContactResult result;
      double sum = 0, most = 0;

      problem = (Problem){ .n_nodes = 3, .n_levels = 1 };
      for (guint a = 0; a < 3; a++)
        problem.inverse_mass[a] = 1 / capacity[a];
      for (guint a = 0; a < 3; a++)
        {
          const guint32 from = order[k][a], to = (from + 1) % 3;
          IfbamContactRow *row = add_row (&problem, IFBAM_CONTACT_BILATERAL, 2,
                                          (guint32[]){ from, to }, (double[]){ 1, -1 });

          row->rhs[0] = voltage[from] - voltage[to];
          row->row.share = 1 / capacity[from] + 1 / capacity[to]; /* equal compliances */
        }
      assert_int_equal (solve (&problem, FALSE, &result), IFBAM_CONTACT_SOLVED);
      assert_true (result.is_redundant);
      for (guint a = 0; a < 3; a++)
        {
          sum += problem.row[a].lambda[0];
          most = fmax (most, fabs (problem.row[a].lambda[0]));
          assert_true (fabs (problem.row[a].u[0]) <= 1e-12);
        }
      assert_true (fabs (sum) <= 1e-15 * most); /* no part runs around the ring */
    }
}

static int
never (void *data)
{
  (void) data;
  return 0;
}

/* An interrupt, and a limit of systems, leave the rows as they were. */
static void
test_limits (void **state)
{
  const Kinds kinds = { .frictions = 0.7, .most_friction = 1, .decades = 2 };
  static Problem problem, before;
  IfbamContactResult result;

  (void) state;
  do
    {
      draw_problem (&problem, 20, 30, &kinds);
      solve (&problem, FALSE, &result);
    }
  while (result.n_systems < 3);
  before = problem;
  for (guint k = 0; k < 2; k++)
    {
      const IfbamContactProblem of = { .row = problem.row,
                                       .n = problem.n,
                                       .inverse_mass = problem.inverse_mass,
                                       .n_nodes = problem.n_nodes,
                                       .n_levels = 1,
                                       .max_systems = k == 0 ? 5000 : 1,
                                       .may_continue = k == 0 ? never : NULL };

      assert_int_equal (ifbam_contact_solve (&of, workspace, &result), IFBAM_CONTACT_LIMIT);
      assert_memory_equal (&problem, &before, sizeof before);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_random),
    cmocka_unit_test (test_infeasible_problems_are_proven),
    cmocka_unit_test (test_order_does_not_matter),
    cmocka_unit_test (test_lemke_agrees),
    cmocka_unit_test (test_block_sticks_or_slips),
    cmocka_unit_test (test_sliding_contacts_share_by_compliance),
    cmocka_unit_test (test_bearing_of_two_carriers),
    cmocka_unit_test (test_rod_jams),
    cmocka_unit_test (test_ring_of_switches),
    cmocka_unit_test (test_limits),
  };

  return cmocka_run_group_tests (tests, set_up, tear_down);
}
