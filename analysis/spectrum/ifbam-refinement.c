/* ifbam-refinement.c: lines of a spectrum's peaks, by harmonic inversion
 *
 * A transform's peak is as wide as the course is short, and distorted if its line decays or grows.
 * Harmonic inversion models the course as a sum of waves a u^t, with complex a and u, and solves
 * for both, without a resolution in this sense. The method is filter diagonalisation, by the
 * library harminv (Mandelshtam and Taylor 1997, "Harmonic inversion of time signals", J. Chem.
 * Phys. 107, 6756).
 *
 * Each peak is treated alone: the course is shifted down by the peak's frequency, weighted with a
 * sliding window and thinned. A wave stays a wave, with another power of u, and distant ones become
 * small (decimated signals: Mandelshtam, Taylor, Shoemaker and Weeks 1997, Chem. Phys. Lett. 264,
 * 513). Of harminv's waves, the one is taken that explains the transform around the peak best,
 * alone or together with others: a peak may consist of several lines.
 *
 * harminv drops waves below 1e-5 of the strongest, and has errors of this size. Therefore waves are
 * subtracted from the course, the strongest peak first, and in further rounds each is found again
 * in the course minus all others, its own conjugate, and a straight line, until all converge.
 *
 * The transform hides lines in the lobes of others, and sums of lobes may look like lines.
 * Therefore the remainder is transformed again: a peak that emerges is treated like the others, and
 * a peak that the lines of others explain is dropped. The remainder of waves that have not
 * converged also has peaks, which are no lines: peaks are added one by one, the strongest first,
 * where the waves nearby have converged. Waves nearer than four resolutions distort each other;
 * they are fitted together, by least squares.
 *
 * A wave that does not converge, or leaves too much of the course around its peak unexplained, is
 * rejected: the peak is no line, but noise, an overtone, or from a course with external forces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spectrum/ifbam-refinement.h"

#include <math.h>
#include <stdlib.h>

#include "spectrum/course-checks.h"
#include "spectrum/line-waves.h"
#include "spectrum/peaks.h"
#include "spectrum/remaining-peaks.h"
#include "spectrum/wave-clusters.h"

#define ROUNDS        24
#define EMERGING      12   /* rounds after which peaks may have emerged */
#define SETTLED       1e-9 /* change of ln u times the rows at convergence */
#define MIN_EXPLAINED 0.3  /* fraction of the transform that a wave may leave after its trial */
#define UNEXPLAINED   0.02 /* the same, finally */

/* Sorts the strongest first. */
static int
compare_waves (gconstpointer a, gconstpointer b)
{
  const IfbamPeak *p = &((const IfbamWave *) a)->peak, *q = &((const IfbamWave *) b)->peak;

  if (p->amplitude != q->amplitude)
    return p->amplitude > q->amplitude ? -1 : 1;
  return p->frequency < q->frequency ? -1 : p->frequency > q->frequency;
}

static gboolean
are_settled (const IfbamWave *waves, gsize n)
{
  for (gsize k = 0; k < n; k++)
    if (!waves[k].lost && !(waves[k].moved < SETTLED))
      return FALSE;
  return TRUE;
}

/* Drops waves that explain too little of their peaks. */
static void
drop_unexplaining (IfbamRemainder *remainder, double duration, IfbamWave *waves, gsize n)
{
  for (gsize k = 0; k < n; k++)
    if (waves[k].rounds == ifbam_wave_trial (&waves[k], duration) && !waves[k].lost
        && !(waves[k].found && ifbam_wave_misfit (remainder, &waves[k]) < MIN_EXPLAINED))
      {
        if (waves[k].found)
          ifbam_remainder_add_wave (remainder, &waves[k], 1.0);
        waves[k].found = FALSE;
        waves[k].lost = TRUE;
      }
}

/* TRUE if a line without a peak counts: strong, no drift, no scheme's line at Nyquist frequency. */
static gboolean
is_inside (const IfbamWave *wave, gsize n, double least)
{
  const double turns = carg (wave->u) / IFBAM_TWO_PI;

  return turns * (double) n > IFBAM_MIN_TURNS && turns < 0.5 * IFBAM_SPECTRUM_NYQUIST_PART
         && ifbam_wave_amplitude (wave, n) > least;
}

/* TRUE if a wave counts provided that it explains its peak: not if it is much weaker. */
static gboolean
is_strong_enough (const IfbamRemainder *remainder, const IfbamWave *wave, double least)
{
  return wave->found && wave->moved < (wave->together ? IFBAM_SURE : IFBAM_UNSETTLED)
         && (wave->emerged ? is_inside (wave, remainder->n, least)
                           : ifbam_wave_amplitude (wave, remainder->n) > 0.5 * least);
}

/* Adds emerged waves that are no lines back; TRUE if there were any. */
static gboolean
drop_emerged (IfbamRemainder *remainder, double least, IfbamWave *waves, gsize n)
{
  gboolean any = FALSE;

  for (gsize k = 0; k < n; k++)
    if (waves[k].emerged && !waves[k].lost && !is_strong_enough (remainder, &waves[k], least))
      {
        any |= waves[k].found;
        if (waves[k].found)
          ifbam_remainder_add_wave (remainder, &waves[k], 1.0);
        waves[k].found = FALSE;
        waves[k].lost = TRUE;
      }
  return any;
}

/* Adds waves back that are no lines finally: those that don't explain their peaks. */
static void
restore_unexplained (IfbamRemainder *remainder, double least, IfbamWave *waves, gsize n)
{
  g_autofree gboolean *counts = g_new (gboolean, n + 1);

  for (gsize k = 0; k < n; k++)
    counts[k] = is_strong_enough (remainder, &waves[k], least)
                && ifbam_wave_misfit (remainder, &waves[k]) < UNEXPLAINED;
  for (gsize k = 0; k < n; k++)
    {
      if (waves[k].found && !counts[k])
        ifbam_remainder_add_wave (remainder, &waves[k], 1.0);
      waves[k].found = counts[k];
    }
}

/* Refines all waves in rounds until they converge. emerging: rounds that may add peaks. least:
 * lowest amplitude of a line. */
static void
settle (IfbamRemainder *remainder, const double *times, double step, double least, int emerging,
        GArray *waves)
{
  for (int round = 1; round <= ROUNDS; round++)
    {
      IfbamWave *wave;

      if (waves->len > 1)
        qsort (waves->data, waves->len, sizeof (IfbamWave), compare_waves);
      wave = (IfbamWave *) waves->data;
      for (gsize k = IFBAM_MAX_LINES; k < waves->len; k++)
        wave[k].lost = TRUE;
      ifbam_remainder_remove_trend (remainder);
      for (gsize k = 0; k < waves->len; k++)
        ifbam_refine_one_wave (remainder, step, wave, waves->len, k);
      ifbam_refine_neighbours (remainder, wave, waves->len);
      drop_unexplaining (remainder, step * (double) remainder->n, wave, waves->len);
      if (round <= emerging)
        ifbam_add_emerged_peaks (remainder, times, least, waves);
      if (are_settled ((const IfbamWave *) waves->data, waves->len))
        break;
    }
}

/* waves: at first one per peak */
static void
refine_all (IfbamRemainder *remainder, const double *times, double step, double least,
            GArray *waves)
{
  ifbam_part_clusters (remainder, times, step, least, waves);
  settle (remainder, times, step, least, EMERGING, waves);
  if (drop_emerged (remainder, least, (IfbamWave *) waves->data, waves->len))
    settle (remainder, times, step, least, 0, waves);
}

static int
compare_frequencies (gconstpointer a, gconstpointer b)
{
  const IfbamLine *p = a, *q = b;

  return p->frequency < q->frequency ? -1 : p->frequency > q->frequency;
}

/**
 * ifbam_refine_peaks:
 * @times: (array length=n_rows): equidistant times [s]
 * @values: (array length=n_rows): the values at these times
 * @n_rows: their number, at least 8
 * @peaks: (array length=n_peaks): peaks from ifbam_spectrum_find_peaks()
 * @n_peaks: their number
 * @threshold: the fraction of the strongest peak that a line without a peak must exceed
 * @n_lines: (out): number of lines
 * @error: return location for an error
 *
 * Finds the lines of the peaks, with frequency and decay rate. They have no resolution: if a course
 * is a sum of decaying or growing sines, they are accurate to many digits, for short courses and
 * close lines, too. A peak may have several lines, or none if the lines of others explain it. A
 * peak that no line explains (noise, an overtone of changing amplitude) keeps its frequency, and
 * has the decay rate NaN; so have all but the 100 strongest peaks.
 *
 * Returns: (transfer full) (array length=n_lines): the lines by frequency, or %NULL with
 *   %IFBAM_ERROR_COURSE for rows that are too few, not equidistant or not finite
 */
IfbamLine *
ifbam_refine_peaks (const double *times, const double *values, gsize n_rows, const IfbamPeak *peaks,
                    gsize n_peaks, double threshold, gsize *n_lines, GError **error)
{
  g_autofree double *rows = NULL;
  g_autofree IfbamPeak *remaining = NULL;
  g_autoptr (GArray) waves = g_array_new (FALSE, TRUE, sizeof (IfbamWave));
  GArray *lines = g_array_sized_new (TRUE, TRUE, sizeof (IfbamLine), 1);
  IfbamBandWindows windows = { 0 };
  IfbamRemainder remainder = { .n = n_rows, .windows = &windows };
  double step, largest, strongest = 0.0;
  gsize n_remaining;

  g_return_val_if_fail (n_peaks == 0 || peaks != NULL, NULL);
  g_return_val_if_fail (n_lines != NULL, NULL);
  *n_lines = 0;
  if (!ifbam_rows_are_enough (n_rows, IFBAM_LEAST_ROWS, "to be refined", error)
      || !ifbam_rows_step (times, n_rows, &step, error)
      || !ifbam_rows_largest (values, n_rows, &largest, error))
    {
      g_array_unref (lines);
      return NULL;
    }
  remainder.rows = rows = g_new (double, n_rows);
  for (gsize i = 0; i < n_rows; i++)
    rows[i] = largest > 0.0 ? values[i] / largest : 0.0;
  for (gsize k = 0; k < n_peaks; k++)
    {
      const IfbamWave wave = { .peak = { peaks[k].frequency,
                                         largest > 0.0 ? peaks[k].amplitude / largest : 0.0 } };

      strongest = MAX (strongest, wave.peak.amplitude);
      g_array_append_val (waves, wave);
    }
  refine_all (&remainder, times, step, threshold * strongest, waves);
  restore_unexplained (&remainder, threshold * strongest, (IfbamWave *) waves->data, waves->len);
  remaining = ifbam_find_remaining_peaks (&remainder, times, IFBAM_GONE * threshold * strongest,
                                          &n_remaining);
  for (gsize k = 0; k < waves->len; k++)
    {
      const IfbamWave *wave = &g_array_index (waves, IfbamWave, k);
      IfbamLine line = { wave->peak.frequency, NAN, NAN, NAN, wave->peak.amplitude * largest };

      if (wave->found)
        line = (IfbamLine){ carg (wave->u) / (IFBAM_TWO_PI * step), -log (cabs (wave->u)) / step,
                            2.0 * cabs (wave->a) * largest, carg (wave->a),
                            ifbam_wave_amplitude (wave, n_rows) * largest };
      else if (wave->emerged
               || (n_peaks > 1
                   && ifbam_peak_is_explained (wave, remaining, n_remaining,
                                               1.0 / ((double) n_rows * step))))
        continue;
      g_array_append_val (lines, line);
    }
  if (lines->len > 1)
    qsort (lines->data, lines->len, sizeof (IfbamLine), compare_frequencies);
  for (guint i = 0; i < IFBAM_BAND_WINDOWS; i++)
    g_free (windows.values[i]);
  *n_lines = lines->len;
  return (IfbamLine *) g_array_free (lines, FALSE);
}
