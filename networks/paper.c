/* paper.c: runs what the method's paper shows: its table, its eigenfrequencies and its figures
 *
 *   build/paper DIRECTORY [NETWORKS]     pictures into DIRECTORY; network files from NETWORKS/
 *
 * Grabysz 1994, "Information flow based algorithm of modelling". The elements of the files talk in a loop
 * that is the paper's own. Exit status 1: a period is off by more than half a step, an eigenfrequency by
 * more than 0.05 Hz, or a picture can't be drawn.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#include "embed/ifbam.h"
#include "figure/figure.h"
#include "file/file.h"

#define MAX_MODES 3
#define PERIODS   5
#define WORST_ROW 0.5  /* of a period in the table [steps] */
#define WORST_HZ  0.05 /* of an eigenfrequency [Hz] */

typedef struct
{
  const char *directory, *networks;
  gboolean fine; /* nothing is off so far */
} Paper;

/* Section 4: five periods of figure 3's oscillator by the averaged scheme. */
static const struct
{
  double step, printed; /* [s] */
} rows[] = {
  { 25e-6, 0.3141125 }, { 50e-6, 0.314075 }, { 0.1e-3, 0.314 },
  { 0.2e-3, 0.3138 },   { 0.4e-3, 0.3134 },  { 1e-3, 0.312 },
};

/* Section 5: what is printed, and the mass whose spectrum figure 9 shows. */
static const struct
{
  const char *network, *mass, *label;
  guint n_modes;
  double printed[MAX_MODES]; /* [Hz] */
} systems[] = {
  { "two-dof", "m1", "m1, two degrees of freedom", 2, { 10.9, 46.5 } },
  { "three-dof", "m3", "m3, three degrees of freedom", 3, { 9.66, 24.3, 48.5 } },
};

static IfbamNetwork *
load (const Paper *paper, const char *name, const char *const *settings, GError **error)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.ini", paper->networks, name);

  return ifbam_network_new_from_file (path, settings, error);
}

/* What a mass has said of itself. */
typedef struct
{
  gsize n;
  double *time, *position, *velocity; /* (n) */
} Course;

static void
course_free (Course *course)
{
  g_free (course->time);
  g_free (course->position);
  g_free (course->velocity);
  g_free (course);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Course, course_free)

/* A spring and who stands at its ends. */
typedef struct
{
  IfbamElement *spring, *left, *right;
} Joined;

/* Springs k1, k2, ... of a network. */
static guint
list_springs (IfbamNetwork *network, Joined *joined)
{
  guint n = 0;

  for (; n < MAX_MODES; n++)
    {
      const char name[] = { 'k', (char) ('1' + n), '\0' };
      g_auto (GStrv) between = NULL;

      joined[n].spring = ifbam_network_get_element (network, name);
      if (joined[n].spring == NULL)
        break;
      g_object_get (joined[n].spring, "between", &between, NULL);
      joined[n].left = ifbam_network_get_element (network, between[0]);
      joined[n].right = ifbam_network_get_element (network, between[1]);
    }
  return n;
}

/* The paper's loop (section 3): all speak, then all compute. Each spring has its mass on its right. */
static void
cycle (const Joined *joined, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      ifbam_element_master_from_left (joined[i].left, joined[i].spring);
      ifbam_element_master_from_left (joined[i].spring, joined[i].right);
      ifbam_element_master_from_right (joined[i].right, joined[i].spring);
      ifbam_element_master_from_right (joined[i].spring, joined[i].left);
    }
  for (guint i = 0; i < n; i++)
    {
      ifbam_element_slave (joined[i].spring);
      ifbam_element_slave (joined[i].right);
    }
}

/* The elements of a network talk for its duration: what a mass says. A velocity is said half a step before its
 * position: between two of them lies that of the position. */
static Course *
talk (IfbamNetwork *network, const char *mass, GError **error)
{
  IfbamElement *speaker = ifbam_network_get_element (network, mass);
  g_autoptr (Course) course = g_new0 (Course, 1);
  Joined joined[MAX_MODES];
  const guint n = list_springs (network, joined);
  double step, duration, said;

  g_object_get (ifbam_network_get_settings (network), "step", &step, "duration", &duration, NULL);
  course->n = (gsize) (duration / step + 0.5) + 1;
  course->time = g_new (double, course->n);
  course->position = g_new (double, course->n);
  course->velocity = g_new (double, course->n);
  if (!ifbam_network_reset (network, error))
    return NULL;
  for (gsize i = 0; i < course->n; i++)
    {
      course->time[i] = (double) i * step;
      course->position[i] = ifbam_element_get_quantity (speaker, "position", error);
      said = ifbam_element_get_quantity (speaker, "velocity", error);
      cycle (joined, n);
      course->velocity[i] = 0.5 * (said + ifbam_element_get_quantity (speaker, "velocity", error));
    }
  return g_steal_pointer (&course);
}

/* The same of a network's file, with settings such as "network.step=1 ms". */
static Course *
run (const Paper *paper, const char *name, const char *mass, const char *const *settings,
     GError **error)
{
  g_autoptr (IfbamNetwork) network = load (paper, name, settings, error);

  return network != NULL ? talk (network, mass, error) : NULL;
}

/* The course of one-dof with another step and, if not NULL, another scheme. */
static Course *
run_one_dof (const Paper *paper, double step, const char *scheme, GError **error)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *step_setting =
      g_strconcat ("network.step=", g_ascii_dtostr (number, sizeof number, step), NULL);
  g_autofree char *scheme_setting =
      scheme != NULL ? g_strconcat ("network.scheme=", scheme, NULL) : NULL;
  const char *settings[] = { step_setting, scheme_setting, NULL };

  return run (paper, "one-dof", "m1", settings, error);
}

/* The table */

/* The row of the highest value of the hump that begins after so many crossings of zero upward; n if
 * the course ends before. */
static gsize
find_maximum (const double *values, gsize n, guint hump)
{
  gsize i = 1, highest = n;

  for (guint crossings = 0; i < n; i++)
    if (values[i - 1] < 0 && values[i] >= 0 && ++crossings == hump)
      break;
  for (; i < n && values[i] >= 0; i++)
    if (highest == n || values[i] > values[highest])
      highest = i;
  return i < n ? highest : n;
}

/* Where the parabola a + b u + c u^2 that fits the values with the least squares has its top; u runs
 * over 2 half + 1 rows around the middle, in steps. The rows lie symmetrically, so b stands alone. */
static double
fit_top (const double *values, gsize middle, gsize half)
{
  double s0 = 0, s2 = 0, s4 = 0, y0 = 0, y1 = 0, y2 = 0;

  for (gsize i = middle - half; i <= middle + half; i++)
    {
      double u = (double) i - (double) middle, y = values[i] - values[middle];

      s0 += 1;
      s2 += u * u;
      s4 += u * u * u * u;
      y0 += y;
      y1 += u * y;
      y2 += u * u * y;
    }
  return -0.5 * (y1 / s2) / ((s0 * y2 - s2 * y0) / (s0 * s4 - s2 * s2));
}

/* The instant of the fifth maximum after the start, from the rows within a twentieth of a period. */
static double
measure_periods (const Course *course, double step)
{
  gsize middle = find_maximum (course->position, course->n, PERIODS);
  gsize half = middle / (20 * PERIODS);

  if (middle + half >= course->n)
    return NAN;
  return ((double) middle + fit_top (course->position, middle, half)) * step;
}

static gboolean
print_table (Paper *paper, GError **error)
{
  g_print (
      "Five periods of one-dof, scheme averaged, cold start: the fifth maximum after the start,\n"
      "by a parabola through the rows within T/20 of it\n\n"
      "  step [s]   paper [s]    here [s]     difference [steps]\n");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (Course) course = run_one_dof (paper, rows[i].step, NULL, error);
      double here, difference;

      if (course == NULL)
        return FALSE;
      here = measure_periods (course, rows[i].step);
      difference = (here - rows[i].printed) / rows[i].step;
      g_print ("  %-9g  %.7f    %.7f    %+.2f\n", rows[i].step, rows[i].printed, here, difference);
      if (!(fabs (difference) <= WORST_ROW))
        paper->fine = FALSE;
    }
  return TRUE;
}

/* Eigenfrequencies */

typedef double Matrix[MAX_MODES][MAX_MODES];

static double
number (IfbamNetwork *network, const char *element, const char *key)
{
  double value;

  g_object_get (ifbam_network_get_element (network, element), key, &value, NULL);
  return value;
}

/* M^-1/2 K M^-1/2 of masses m1, m2, ... and springs k1, k2, ..., as the network file joins them. */
static void
fill_matrix (IfbamNetwork *network, guint n, Matrix matrix)
{
  double inverse_root[MAX_MODES];

  memset (matrix, 0, sizeof (Matrix));
  for (guint i = 0; i < n; i++)
    {
      char name[] = { 'm', (char) ('1' + i), '\0' };

      inverse_root[i] = 1 / sqrt (number (network, name, "mass"));
    }
  for (guint i = 0; i < n; i++)
    {
      char name[] = { 'k', (char) ('1' + i), '\0' };
      double stiffness = number (network, name, "stiffness");
      g_auto (GStrv) between = NULL;

      g_object_get (ifbam_network_get_element (network, name), "between", &between, NULL);
      for (guint a = 0; a < 2; a++)
        for (guint b = 0; b < 2; b++)
          if (between[a][0] == 'm' && between[b][0] == 'm') /* not the wall */
            {
              guint row = (guint) (between[a][1] - '1'), column = (guint) (between[b][1] - '1');

              matrix[row][column] +=
                  (a == b ? 1 : -1) * stiffness * inverse_root[row] * inverse_root[column];
            }
    }
}

/* Takes matrix[p][q] to zero by a rotation (Jacobi 1846; Golub & Van Loan, Matrix Computations,
 * 8.5.2). */
static void
rotate (Matrix matrix, guint n, guint p, guint q)
{
  double half_cot, t, c, s;

  if (matrix[p][q] == 0)
    return;
  half_cot = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
  t = copysign (1, half_cot) / (fabs (half_cot) + sqrt (1 + half_cot * half_cot));
  c = 1 / sqrt (1 + t * t);
  s = t * c;
  for (guint i = 0; i < n; i++)
    {
      double a = matrix[i][p], b = matrix[i][q];

      matrix[i][p] = c * a - s * b;
      matrix[i][q] = s * a + c * b;
    }
  for (guint i = 0; i < n; i++)
    {
      double a = matrix[p][i], b = matrix[q][i];

      matrix[p][i] = c * a - s * b;
      matrix[q][i] = s * a + c * b;
    }
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The eigenfrequencies [Hz], ascending. Ten sweeps are more than enough: they converge
 * quadratically. */
static void
solve_frequencies (IfbamNetwork *network, guint n, double *frequencies)
{
  Matrix matrix;

  fill_matrix (network, n, matrix);
  for (guint sweep = 0; sweep < 10; sweep++)
    for (guint p = 0; p < n; p++)
      for (guint q = p + 1; q < n; q++)
        rotate (matrix, n, p, q);
  for (guint i = 0; i < n; i++)
    frequencies[i] = sqrt (matrix[i][i]) / (2 * G_PI);
  qsort (frequencies, n, sizeof *frequencies, compare);
}

/* Runs a system, prints its row of frequencies, and keeps its spectrum and peaks. */
static gboolean
print_system (Paper *paper, guint system, IfbamSpectrum **spectrum, IfbamPeak **peaks, gsize *n,
              GError **error)
{
  g_autoptr (IfbamNetwork) network = load (paper, systems[system].network, NULL, error);
  g_autoptr (Course) course = NULL;
  double exact[MAX_MODES];

  if (network == NULL)
    return FALSE;
  course = talk (network, systems[system].mass, error);
  if (course == NULL)
    return FALSE;
  *spectrum =
      ifbam_spectrum_new (course->time, course->position, course->n, IFBAM_WINDOW_HANN, error);
  if (*spectrum == NULL)
    return FALSE;
  *peaks = ifbam_spectrum_find_peaks (*spectrum, IFBAM_SPECTRUM_THRESHOLD, TRUE, n);
  solve_frequencies (network, systems[system].n_modes, exact);
  if (*n != systems[system].n_modes)
    paper->fine = FALSE;
  for (guint i = 0; i < MIN (*n, systems[system].n_modes); i++)
    {
      double printed = systems[system].printed[i], found = (*peaks)[i].frequency;

      g_print ("  %-10s  %u     %-11g  %-13.5f  %.5f\n", i == 0 ? systems[system].network : "",
               i + 1, printed, found, exact[i]);
      if (!(fabs (found - exact[i]) <= WORST_HZ && fabs (printed - exact[i]) <= WORST_HZ))
        paper->fine = FALSE;
    }
  return TRUE;
}

/* Figures */

static gboolean
draw (const Paper *paper, const char *figure, const IfbamChart *chart, GError **error)
{
  static const char *const suffixes[] = { "png", "svg" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%s.%s", paper->directory, figure, suffixes[i]);

      if (!ifbam_chart_draw (chart, path, error))
        return FALSE;
    }
  g_print ("  %s/%s.png, .svg  %s\n", paper->directory, figure, chart->title);
  return TRUE;
}

/* A chart with a title and axes (transfer full). */
static IfbamChart *
new_chart (IfbamChartKind kind, const char *title, IfbamAxis x, IfbamAxis y)
{
  IfbamChart *chart = ifbam_chart_new (kind);

  chart->title = title;
  chart->x = x;
  chart->y = y;
  return chart;
}

/* The course of one-dof; a range of NaN is all of it. mark: NaN, or an instant to point at. */
static gboolean
draw_one_dof (const Paper *paper, const char *figure, const char *title, const char *scheme,
              double step, IfbamAxisRange x_range, double mark, GError **error)
{
  g_autoptr (Course) course = run_one_dof (paper, step, scheme, error);
  g_autoptr (IfbamChart) chart =
      new_chart (IFBAM_CHART_COURSE, title, (IfbamAxis){ "time", "s", x_range, FALSE },
                 (IfbamAxis){ "position", "m", IFBAM_AXIS_WHOLE, FALSE });
  IfbamCurve *curve;

  if (course == NULL)
    return FALSE;
  curve = ifbam_chart_add (chart, "m1.position", course->time, course->position, course->n);
  if (!isnan (mark))
    {
      curve->n_marks = 1;
      curve->mark_x = &mark;
      curve->mark_y = &curve->y[(gsize) (mark / step + 0.5)];
    }
  return draw (paper, figure, chart, error);
}

static gboolean
draw_courses (const Paper *paper, GError **error)
{
  static const IfbamAxisRange whole = IFBAM_AXIS_WHOLE, zoom = { 0.304, 0.324 };
  g_autoptr (Course) course = run_one_dof (paper, 50e-6, NULL, error);

  return course != NULL
         && draw_one_dof (paper, "figure-6",
                          "Fig. 6: the original scheme, step 1 ms: the amplitude grows", "original",
                          1e-3, whole, NAN, error)
         && draw_one_dof (paper, "figure-7", "Fig. 7: the averaged scheme, step 1 ms", "averaged",
                          1e-3, whole, NAN, error)
         && draw_one_dof (paper, "figure-8",
                          "Fig. 8: the averaged scheme, step 0.05 ms: the fifth maximum",
                          "averaged", 50e-6, zoom, measure_periods (course, 50e-6), error);
}

static gboolean
print_and_draw_spectra (Paper *paper, GError **error)
{
  IfbamSpectrum *spectra[G_N_ELEMENTS (systems)] = { NULL };
  IfbamPeak *peaks[G_N_ELEMENTS (systems)] = { NULL };
  double marks[G_N_ELEMENTS (systems)][2][MAX_MODES];
  g_autoptr (IfbamChart) chart =
      new_chart (IFBAM_CHART_SPECTRUM, "Fig. 9: spectra of displacement",
                 (IfbamAxis){ "frequency", "Hz", { 0, 60 }, FALSE },
                 (IfbamAxis){ "amplitude", "m", IFBAM_AXIS_WHOLE, FALSE });
  gboolean fine = TRUE;

  for (guint i = 0; fine && i < G_N_ELEMENTS (systems); i++)
    {
      gsize n, n_points;
      const double *frequencies;
      IfbamCurve *curve;

      fine = print_system (paper, i, &spectra[i], &peaks[i], &n, error);
      if (!fine)
        break;
      frequencies = ifbam_spectrum_get_frequencies (spectra[i], &n_points);
      curve = ifbam_chart_add (chart, systems[i].label, frequencies,
                               ifbam_spectrum_get_amplitudes (spectra[i], &n_points), n_points);
      curve->n_marks = MIN (n, MAX_MODES);
      curve->mark_x = marks[i][0];
      curve->mark_y = marks[i][1];
      for (gsize j = 0; j < curve->n_marks; j++)
        {
          marks[i][0][j] = peaks[i][j].frequency;
          marks[i][1][j] = peaks[i][j].amplitude;
        }
    }
  if (fine)
    g_print ("\nFigures\n\n");
  fine = fine && draw_courses (paper, error) && draw (paper, "figure-9", chart, error);
  for (guint i = 0; i < G_N_ELEMENTS (systems); i++)
    {
      g_clear_object (&spectra[i]);
      g_free (peaks[i]);
    }
  return fine;
}

static gboolean
draw_phase (const Paper *paper, GError **error)
{
  static const char *const settings[] = { "network.duration=2 s", NULL };
  g_autoptr (Course) course = run (paper, "three-dof", "m3", settings, error);
  g_autoptr (IfbamChart) chart =
      new_chart (IFBAM_CHART_PHASE, "Fig. 11: phase portrait of m3, three degrees of freedom, 2 s",
                 (IfbamAxis){ "position", "m", IFBAM_AXIS_WHOLE, FALSE },
                 (IfbamAxis){ "velocity", "m/s", IFBAM_AXIS_WHOLE, FALSE });

  if (course == NULL)
    return FALSE;
  ifbam_chart_add (chart, "m3", course->position, course->velocity, course->n);
  return draw (paper, "figure-11", chart, error);
}

static gboolean
show (Paper *paper, GError **error)
{
  if (!print_table (paper, error))
    return FALSE;
  g_print (
      "\nEigenfrequencies [Hz]: the paper's, the spectrum's (scheme averaged), and exactly: the\n"
      "eigenvalues of M^-1/2 K M^-1/2 by Jacobi's rotations\n\n"
      "  network     mode  paper [Hz]   spectrum [Hz]  exact [Hz]\n");
  return print_and_draw_spectra (paper, error) && draw_phase (paper, error);
}

int
main (int argc, char **argv)
{
  Paper paper = { argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : "networks", TRUE };
  g_autoptr (GError) error = NULL;

  ifbam_output_guard_standard ();
  if (argc < 2 || argc > 3)
    {
      g_printerr ("usage: paper DIRECTORY [NETWORKS]\n");
      return 2;
    }
  if (g_mkdir_with_parents (paper.directory, 0777) != 0)
    {
      g_printerr ("paper: %s can't be made\n", paper.directory);
      return 1;
    }
  if (!show (&paper, &error))
    {
      g_printerr ("paper: %s\n", error->message);
      return 1;
    }
  if (!paper.fine)
    {
      g_printerr ("paper: a number is not the paper's (periods within %g steps, frequencies within "
                  "%g Hz)\n",
                  WORST_ROW, WORST_HZ);
      return 1;
    }
  if (ferror (stdout))
    {
      g_printerr ("paper: standard output can't be written\n");
      return 1;
    }
  return 0;
}
