/* wave-clusters.c: close lines of a spectrum, found together
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spectrum/wave-clusters.h"

#include <math.h>
#include <stdlib.h>

#include "spectrum/matrix-pencil.h"
#include "spectrum/peaks.h"
#include "spectrum/remaining-peaks.h"

#define PART_OF_BAND 0.7  /* largest number of waves per resolution of half of a band */
#define FOLDED       1e-4 /* fraction of a cluster's strongest line that others may leave in it */
#define PASSES       8    /* decompositions of each cluster into a few waves */
#define PARTED       0.1  /* fraction of the weakest line that waves found at once may leave */

/* Neighbouring peaks and waves, and the limits to others [turns per row]. */
typedef struct
{
  double low, high;
  double from, to;
  double strongest;
} Cluster;

static int
compare_clusters (gconstpointer a, gconstpointer b)
{
  const Cluster *p = a, *q = b;

  if (p->strongest != q->strongest)
    return p->strongest > q->strongest ? -1 : 1;
  return p->low < q->low ? -1 : p->low > q->low;
}

static int
compare_peak_frequencies (gconstpointer a, gconstpointer b)
{
  const IfbamPeak *p = a, *q = b;

  return p->frequency < q->frequency ? -1 : p->frequency > q->frequency;
}

/* Returns the peaks of a course, subtracted waves, emerged peaks: clusters, strongest first. */
static GArray *
find_clusters (const IfbamRemainder *remainder, const double *times, double step, double least,
               const GArray *waves, const GArray *parts)
{
  const double resolution = 1.0 / ((double) remainder->n * step);
  g_autoptr (GArray) peaks = g_array_new (FALSE, FALSE, sizeof (IfbamPeak));
  GArray *clusters = g_array_new (FALSE, FALSE, sizeof (Cluster));

  for (guint k = 0; k < waves->len; k++)
    g_array_append_val (peaks, g_array_index (waves, IfbamWave, k).peak);
  for (guint k = 0; k < parts->len; k++)
    g_array_append_val (peaks, g_array_index (parts, IfbamWave, k).peak);
  if (parts->len > 0)
    {
      gsize n;
      g_autofree IfbamPeak *emerged = ifbam_find_remaining_peaks (remainder, times, least, &n);

      for (gsize i = 0; i < n; i++)
        if (emerged[i].amplitude > least
            && !ifbam_peak_has_stronger_neighbour (emerged, n, i, IFBAM_AT_ONCE * resolution))
          g_array_append_val (peaks, emerged[i]);
    }
  if (peaks->len > 1)
    qsort (peaks->data, peaks->len, sizeof (IfbamPeak), compare_peak_frequencies);
  for (guint k = 0; k < peaks->len; k++)
    {
      const IfbamPeak *peak = &g_array_index (peaks, IfbamPeak, k);
      const double turns = peak->frequency * step;
      Cluster *last =
          clusters->len == 0 ? NULL : &g_array_index (clusters, Cluster, clusters->len - 1);

      if (last != NULL && (turns - last->high) * (double) remainder->n < IFBAM_AT_ONCE)
        {
          last->high = turns;
          last->strongest = MAX (last->strongest, peak->amplitude);
        }
      else
        {
          Cluster cluster = { turns, turns, -1.0, 1.0, peak->amplitude };

          if (last != NULL)
            last->to = cluster.from = 0.5 * (last->high + turns);
          g_array_append_val (clusters, cluster);
        }
    }
  if (clusters->len > 1)
    qsort (clusters->data, clusters->len, sizeof (Cluster), compare_clusters);
  return clusters;
}

/* Returns half of a band about a cluster, without its margins [resolutions]. */
static double
within (const Cluster *cluster, gsize n)
{
  return IFBAM_MIN_REACH - 1.0 + 0.5 * (cluster->high - cluster->low) * (double) n;
}

static gboolean
is_within (const IfbamWave *wave, const Cluster *cluster, gsize n)
{
  const double turns = carg (wave->u) / IFBAM_TWO_PI;

  return fabs (turns - 0.5 * (cluster->low + cluster->high)) * (double) n <= within (cluster, n)
         && turns >= cluster->from && turns < cluster->to && turns * (double) n > IFBAM_MIN_TURNS
         && turns < 0.5 * IFBAM_SPECTRUM_NYQUIST_PART;
}

/* Selects the cluster's waves among those of a band (n_parts); the others are of other clusters,
 * images, or drifts. FALSE if one of them is not valid. */
static gboolean
select_tones (const IfbamRemainder *remainder, const IfbamBand *band, const Cluster *cluster,
              double step, double least, const IfbamTone *tones, gsize n_tones, IfbamWave *parts,
              gsize *n_parts)
{
  const double n = (double) remainder->n;

  *n_parts = 0;
  for (gsize k = 0; k < n_tones; k++)
    {
      IfbamWave part = { .found = TRUE, .rounds = 2, .moved = INFINITY };

      part.u = cexp (tones[k].s / (double) band->stride) * ifbam_rotation (band->turns);
      part.a = tones[k].b / ifbam_band_gain (band, part.u);
      if (!ifbam_wave_is_finite (&part) || !is_within (&part, cluster, remainder->n))
        continue;
      part.peak = (IfbamPeak){ carg (part.u) / (IFBAM_TWO_PI * step),
                               ifbam_wave_amplitude (&part, remainder->n) };
      if (ifbam_wave_has_double (remainder, &part, parts, *n_parts, G_MAXSIZE)
          || fabs (log (cabs (part.u))) * n > IFBAM_FADED || !(part.peak.amplitude > 0.3 * least))
        return FALSE;
      parts[(*n_parts)++] = part;
    }
  return *n_parts > 0 && *n_parts <= (within (cluster, remainder->n) + 1.0) * PART_OF_BAND;
}

/* Subtracts the cluster's waves, again or for the first time; known ones are added back before.
 * Returns TRUE if the residual is small; moved: (inout) whether anything has changed */
static gboolean
part_cluster (IfbamRemainder *remainder, double step, double least, const Cluster *cluster,
              double level, GArray *parts, gboolean *moved)
{
  g_auto (IfbamBand) band = { 0 };
  const double reach = within (cluster, remainder->n) + 1.0;
  IfbamTone tones[IFBAM_MAX_WAVES_AT_ONCE];
  IfbamWave next[IFBAM_MAX_WAVES_AT_ONCE];
  gsize n_next = 0, n_tones;
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (IfbamWave));

  /* Too few waves for the cluster's width. */
  if ((cluster->high - cluster->low) * (double) remainder->n
      >= (IFBAM_MAX_WAVES_AT_ONCE - 1) * IFBAM_AT_ONCE)
    return FALSE;
  for (guint k = parts->len; k-- > 0;)
    {
      IfbamWave *part = &g_array_index (parts, IfbamWave, k);

      if (is_within (part, cluster, remainder->n))
        {
          ifbam_remainder_add_wave (remainder, part, 1.0);
          g_array_append_val (known, *part);
          g_array_remove_index_fast (parts, k);
        }
    }
  ifbam_band_init (&band, remainder, 0.5 * (cluster->low + cluster->high), reach);
  for (guint k = 0; k < known->len; k++)
    {
      const IfbamWave *part = &g_array_index (known, IfbamWave, k);

      ifbam_band_subtract (&band, conj (part->a), conj (part->u));
    }
  n_tones = ifbam_part_tones (band.rows, band.n, level, tones, IFBAM_MAX_WAVES_AT_ONCE);
  if (n_tones == 0
      || !select_tones (remainder, &band, cluster, step, least, tones, n_tones, next, &n_next))
    n_next = 0;
  if (n_next > 0)
    {
      *moved |= n_next != known->len;
      for (gsize k = 0; k < n_next; k++)
        {
          next[k].together = n_next > 1;
          *moved |=
              !(ifbam_wave_nearest_distance (remainder, &next[k], (const IfbamWave *) known->data,
                                             known->len, G_MAXSIZE)
                < IFBAM_SURE);
        }
      g_array_set_size (known, 0);
      g_array_append_vals (known, next, (guint) n_next);
    }
  for (guint k = 0; k < known->len; k++)
    ifbam_remainder_add_wave (remainder, &g_array_index (known, IfbamWave, k), -1.0);
  if (known->len > 0)
    g_array_append_vals (parts, known->data, known->len);
  return n_next > 0;
}

/* Returns the nearest peak without a wave, within reach. */
static IfbamWave *
nearest_peak (GArray *waves, gsize n, double frequency, double reach)
{
  IfbamWave *nearest = NULL;

  for (gsize k = 0; k < n; k++)
    {
      IfbamWave *wave = &g_array_index (waves, IfbamWave, k);
      const double apart = fabs (wave->peak.frequency - frequency);

      if (!wave->found && apart < reach)
        {
          nearest = wave;
          reach = apart;
        }
    }
  return nearest;
}

/* Assigns the waves to their peaks; the others have emerged. A peak without a remainder that could
 * be a line is not searched for: a line of rounding would distort its neighbours. */
static void
adopt_parts (const IfbamRemainder *remainder, const double *times, double step, double least,
             GArray *waves, const GArray *parts)
{
  const double resolution = 1.0 / ((double) remainder->n * step);
  const gsize n = waves->len;
  gsize n_remaining;
  g_autofree IfbamPeak *remaining = NULL;

  if (parts->len == 0)
    return;
  for (guint k = 0; k < parts->len; k++)
    {
      IfbamWave part = g_array_index (parts, IfbamWave, k);
      /* Weaker waves only serve to subtract them. */
      IfbamWave *known = part.peak.amplitude > least
                             ? nearest_peak (waves, n, part.peak.frequency, resolution)
                             : NULL;

      part.emerged = known == NULL;
      if (known != NULL)
        {
          part.peak = known->peak;
          *known = part;
        }
      else
        g_array_append_val (waves, part);
    }
  remaining = ifbam_find_remaining_peaks (remainder, times, IFBAM_GONE * least, &n_remaining);
  for (gsize k = 0; k < n; k++)
    {
      IfbamWave *wave = &g_array_index (waves, IfbamWave, k);

      wave->lost =
          !wave->found
          && ifbam_remaining_amplitude (remaining, n_remaining, wave->peak.frequency, resolution)
                 < MIN (least, IFBAM_GONE * wave->peak.amplitude);
    }
}

void
ifbam_part_clusters (IfbamRemainder *remainder, const double *times, double step, double least,
                     GArray *waves)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (IfbamWave));

  for (int pass = 0; pass < PASSES; pass++)
    {
      g_autoptr (GArray) clusters = NULL;
      gboolean moved = FALSE;

      ifbam_remainder_remove_trend (remainder);
      clusters = find_clusters (remainder, times, step, least, waves, parts);
      for (guint c = 0; c < MIN (clusters->len, IFBAM_MAX_LINES); c++)
        {
          const Cluster *cluster = &g_array_index (clusters, Cluster, c);
          const double coarse = FOLDED * cluster->strongest, level = MIN (PARTED * least, coarse);

          if (!part_cluster (remainder, step, least, cluster, level, parts, &moved)
              && coarse > level)
            part_cluster (remainder, step, least, cluster, coarse, parts, &moved);
        }
      if (!moved)
        break;
    }
  adopt_parts (remainder, times, step, least, waves, parts);
}
