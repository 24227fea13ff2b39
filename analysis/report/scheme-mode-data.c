/* scheme-mode-data.c: numerical errors of all schemes for one mode, as data for a report's page
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/figure.h"
#include "report/report-sections.h"
#include "engine/engine.h"

#define SQUARES 120 /* of a region */
#define POINTS  401 /* of a locus, and over step / period */

/* Adds an array of [at, n]: n real parts, then n imaginary ones (chart: transfer full). */
static void
add_curves (IfbamReport *report, IfbamChart *chart)
{
  ifbam_json_array (report->json, NULL);
  IFBAM_FOREACH (const IfbamCurve, curve, chart->curves)
    {
      ifbam_json_array (report->json, NULL);
      ifbam_json_count (report->json, NULL, (gint64) report->numbers->len);
      ifbam_json_count (report->json, NULL, (gint64) curve->n);
      ifbam_json_end (report->json);
      ifbam_report_add_numbers (report, curve->x, curve->n, 1);
      ifbam_report_add_numbers (report, curve->y, curve->n, 1);
    }
  ifbam_json_end (report->json);
  ifbam_chart_free (chart);
}

static void
add_elongation (IfbamReport *report, const IfbamScheme *const *schemes, guint n)
{
  ifbam_json_array (report->json, "elongation");
  ifbam_json_count (report->json, NULL, (gint64) report->numbers->len);
  ifbam_json_count (report->json, NULL, POINTS);
  ifbam_json_end (report->json);
  for (guint s = 0; s <= n; s++)
    {
      double elongation[POINTS], damping[POINTS];

      for (guint i = 0; i < POINTS; i++)
        {
          const double ratio = IFBAM_ELONGATION_WHOLE * (i + 0.5) / POINTS;

          if (s == n)
            elongation[i] = ratio;
          else
            ifbam_scheme_elongation (schemes[s], ratio, &elongation[i], &damping[i]);
        }
      ifbam_report_add_numbers (report, elongation, POINTS, 1);
      if (s < n)
        ifbam_report_add_numbers (report, damping, POINTS, 1);
    }
}

void
ifbam_report_one_mode (IfbamReport *report)
{
  static const IfbamAxisRange x = { -4, 3 }, y = { -3.5, 3.5 };
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  ifbam_json_object (report->json, "one_mode");
  ifbam_json_array (report->json, "regions");
  for (guint s = 0; s < n; s++)
    add_curves (report, ifbam_region_borders (schemes[s], x, y, SQUARES));
  ifbam_json_end (report->json);
  ifbam_json_array (report->json, "roots");
  for (guint s = 0; s < n; s++)
    add_curves (report, ifbam_scheme_loci (schemes[s], IFBAM_LOCI_LONGEST, POINTS));
  ifbam_json_end (report->json);
  add_elongation (report, schemes, n);
  ifbam_json_end (report->json);
}
