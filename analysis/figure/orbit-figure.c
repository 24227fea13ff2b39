/* orbit-figure.c: branches of periodic motions, and Poincaré sections
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/orbit-figure.h"

#include <math.h>
#include <string.h>

/* Branches */

static const IfbamOrbit *
orbit_at (const IfbamBranch *branch, guint i)
{
  return branch->orbits->pdata[i];
}

/* Adds the points of a signal from first up to end, which have one stability. */
static void
add_piece (IfbamChart *chart, const IfbamBranch *branch, guint signal, guint first, guint end)
{
  const guint n = end - first;
  double *x = ifbam_chart_numbers (chart, n), *y = ifbam_chart_numbers (chart, n);
  const gboolean stable = orbit_at (branch, end - 1)->stable;
  g_autofree char *label = g_strdup_printf ("%s, %s", (const char *) branch->signals->pdata[signal],
                                            stable ? "stable" : "unstable");
  gboolean known = FALSE;
  IfbamCurve *curve;

  for (guint c = 0; c < chart->curves->len; c++)
    known |= g_strcmp0 (ifbam_chart_curve (chart, c)->label, label) == 0;
  for (guint i = 0; i < n; i++)
    {
      x[i] = orbit_at (branch, first + i)->number;
      y[i] = orbit_at (branch, first + i)->amplitude[signal];
    }
  curve = ifbam_chart_add (chart, known ? NULL : label, x, y, n);
  curve->kin = "branch";
  curve->colour = signal + 1;
  curve->style = stable ? 0 : IFBAM_CURVE_DASHED;
}

/* Adds the special points of a signal with their names. */
static void
add_special (IfbamChart *chart, const IfbamBranch *branch, guint signal)
{
  for (guint i = 0; i < branch->orbits->len; i++)
    {
      const IfbamOrbit *orbit = orbit_at (branch, i);
      double *point = ifbam_chart_numbers (chart, 2);
      IfbamCurve *curve;

      if (orbit->kind == IFBAM_ORBIT_REGULAR)
        continue;
      point[0] = orbit->number;
      point[1] = orbit->amplitude[signal];
      curve = ifbam_chart_add (chart, NULL, point, point + 1, 1);
      curve->kin = "branch";
      curve->colour = signal + 1;
      curve->style = IFBAM_CURVE_POINTS;
      curve->mark_x = point;
      curve->mark_y = point + 1;
      curve->mark_word = ifbam_orbit_kind_name (orbit->kind);
      curve->n_marks = 1;
    }
}

void
ifbam_branch_chart (IfbamChart *chart, const IfbamBranch *branch)
{
  chart->kind = IFBAM_CHART_PHASE;
  chart->x.quantity = ifbam_chart_copy_text (chart, branch->name);
  chart->x.unit = branch->unit;
  chart->y.quantity = "amplitude";
  for (guint s = 0; s < branch->units->len; s++)
    {
      guint first = 0;

      chart->y.unit = branch->units->pdata[s];
      for (guint i = 1; i <= branch->orbits->len; i++)
        if (i == branch->orbits->len
            || orbit_at (branch, i)->stable != orbit_at (branch, i - 1)->stable)
          {
            add_piece (chart, branch, s, first, i);
            first = i - 1;
          }
      add_special (chart, branch, s);
    }
}

/* Sections */

/* Adds the points of a signal, or of the second one over the first, of one direction, if any. */
static void
add_points (IfbamChart *chart, const IfbamSections *sections, guint signal, IfbamCarry carry)
{
  const guint n_signals = sections->units->len;
  const gboolean plane = sections->name == NULL;
  guint n = 0;
  double *x, *y;
  IfbamCurve *curve;
  g_autofree char *label = g_strdup_printf ("%s%s", (const char *) sections->signals->pdata[signal],
                                            carry == IFBAM_CARRY_UP     ? ", upward"
                                            : carry == IFBAM_CARRY_DOWN ? ", downward"
                                                                        : "");

  for (guint r = 0; r < sections->runs->len; r++)
    n += g_array_index (sections->runs, IfbamSectionRun, r).values->len / n_signals;
  x = ifbam_chart_numbers (chart, n);
  y = ifbam_chart_numbers (chart, n);
  n = 0;
  for (guint r = 0; r < sections->runs->len; r++)
    {
      const IfbamSectionRun *run = &g_array_index (sections->runs, IfbamSectionRun, r);

      for (guint i = 0; run->carry == carry && i < run->values->len / n_signals; i++, n++)
        {
          x[n] = plane ? g_array_index (run->values, double, i *n_signals) : run->number;
          y[n] = g_array_index (run->values, double, i *n_signals + signal);
        }
    }
  if (n == 0)
    return;
  curve = ifbam_chart_add (chart, label, x, y, n);
  curve->kin = "section";
  curve->style = IFBAM_CURVE_POINTS;
}

void
ifbam_sections_chart (IfbamChart *chart, const IfbamSections *sections)
{
  const gboolean plane = sections->name == NULL && sections->units->len > 1;

  chart->kind = IFBAM_CHART_PHASE;
  chart->x.quantity = ifbam_chart_copy_text (chart, plane ? sections->signals->pdata[0]
                                                    : sections->name != NULL ? sections->name
                                                                             : "");
  chart->x.unit = plane ? sections->units->pdata[0] : sections->unit;
  for (guint s = plane ? 1 : 0; s < sections->units->len; s++)
    {
      chart->y.quantity = ifbam_chart_copy_text (chart, sections->signals->pdata[s]);
      chart->y.unit = sections->units->pdata[s];
      for (IfbamCarry carry = IFBAM_CARRY_NONE; carry <= IFBAM_CARRY_DOWN; carry++)
        add_points (chart, sections, s, carry);
    }
}
