/* line-waves.c: waves of a spectrum's lines, by harmonic inversion
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spectrum/line-waves.h"

#include <harminv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spectrum/course-checks.h"
#include "spectrum/exponential-fit.h"

#define TRIAL      3   /* rounds in which a wave may be lost, or change */
#define DOUBLE     1.0 /* as above; waves nearer than this are one */
#define UNLIKE     0.5 /* fraction of the transform near a peak that a wave may leave at first */
#define BESIDE     0.3 /* as above; below it fewer waves are as good as more */
#define NEIGHBOURS 4.0 /* nearer waves are fitted together [resolutions] */
#define AROUND     9   /* frequencies around the peak [resolutions] */
#define MAX_REACH  64.0
#define MAX_BASIS  40 /* basis functions of harminv; its time grows with their third power */
#define NEAREST                                                                                    \
  1e-9 /* distance of two waves that harminv can distinguish [turns per thinned row] */

/* Callback for harminv: TRUE if its wave k may be used, so that all are finite and distinct;
 * otherwise its matrices would not be finite, and LAPACK would end the program. */
static int
accept_wave (harminv_data data, int k, void *kept)
{
  GArray *angles = kept;
  double angle;

  if (k < 0)
    {
      g_array_set_size (angles, 0);
      return 0;
    }
  angle = harminv_get_freq (data, k);
  if (!isfinite (angle) || !isfinite (harminv_get_decay (data, k)))
    return 0;
  for (guint i = 0; i < angles->len; i++)
    {
      double distance = angle - g_array_index (angles, double, i);

      if (fabs (distance - round (distance)) < NEAREST)
        return 0;
    }
  g_array_append_val (angles, angle);
  return 1;
}

/* Calls harminv_solve(), but safely. */
static void
solve (harminv_data data)
{
  g_autoptr (GArray) angles = g_array_new (FALSE, FALSE, sizeof (double));
  int before;

  harminv_solve_once (data);
  do
    {
      before = harminv_get_num_freqs (data);
      harminv_solve_again (data, accept_wave, angles);
    }
  while (harminv_get_num_freqs (data) < before);
}

/* A wave, and its transform at AROUND frequencies about the middle of the band. */
typedef struct
{
  double complex a, u;
  double complex at[AROUND];
} Share;

static int
compare_shares (gconstpointer a, gconstpointer b)
{
  const double p = cabs (((const Share *) a)->at[AROUND / 2]),
               q = cabs (((const Share *) b)->at[AROUND / 2]);

  return p > q ? -1 : p < q;
}

/* Returns harminv's waves, the strongest in the middle of the band first. */
static GArray *
list_shares (const IfbamBand *band, harminv_data data, double spacing)
{
  GArray *shares = g_array_new (FALSE, FALSE, sizeof (Share));

  for (int k = 0; k < harminv_get_num_freqs (data); k++)
    {
      double complex omega;
      Share share;

      harminv_get_amplitude (&share.a, data, k);
      harminv_get_omega (&omega, data, k);
      share.u = cexp (-I * omega);
      for (int i = 0; i < AROUND; i++)
        share.at[i] = ifbam_band_transform_wave (
            band, share.a,
            share.u * ifbam_rotation (-(i - AROUND / 2) * spacing / (double) band->n));
      if (isfinite (cabs (share.at[AROUND / 2])))
        g_array_append_val (shares, share);
    }
  if (shares->len > 1)
    qsort (shares->data, shares->len, sizeof (Share), compare_shares);
  return shares;
}

/* Returns the relative residual of the transform minus kept waves, except one. */
static double
residual_without (const double complex *whole, const Share *shares, const gboolean *kept, guint n,
                  guint except)
{
  double rest = 0.0, all = 0.0;

  for (int k = 0; k < AROUND; k++)
    {
      double complex left = whole[k];

      for (guint i = 0; i < n; i++)
        if (kept[i] && i != except)
          left -= shares[i].at[k];
      rest += creal (left * conj (left));
      all += creal (whole[k] * conj (whole[k]));
    }
  return sqrt (rest / all);
}

/* Drops waves while the others explain the transform nearly as well; returns the residual. */
static double
give_up (const double complex *whole, const Share *shares, gboolean *kept, guint n)
{
  double left = residual_without (whole, shares, kept, n, n);

  for (guint turn = 1; turn < n; turn++)
    {
      double least = INFINITY;
      guint weakest = n;

      for (guint i = 0; i < n; i++)
        {
          const double without = kept[i] ? residual_without (whole, shares, kept, n, i) : INFINITY;

          if (without < least)
            {
              least = without;
              weakest = i;
            }
        }
      if (!(least < BESIDE || least < 1.1 * left))
        break;
      kept[weakest] = FALSE;
      left = least;
    }
  return left;
}

/* Chooses the strongest of the fewest waves that explain the transform. */
static gboolean
choose (const IfbamBand *band, harminv_data data, double spacing, double complex *a,
        double complex *u)
{
  g_autoptr (GArray) list = list_shares (band, data, spacing);
  const Share *shares = (const Share *) list->data;
  const guint n = MIN (list->len, IFBAM_MAX_WAVES_AT_ONCE);
  gboolean kept[IFBAM_MAX_WAVES_AT_ONCE];
  double complex whole[AROUND];
  double left;

  for (int k = 0; k < AROUND; k++)
    whole[k] = ifbam_band_transform (band, (k - AROUND / 2) * spacing);
  for (guint i = 0; i < n; i++)
    kept[i] = TRUE;
  left = give_up (whole, shares, kept, n);
  for (guint i = 0; i < n; i++)
    if (kept[i] && left < UNLIKE)
      {
        *a = shares[i].a;
        *u = shares[i].u;
        return TRUE;
      }
  return FALSE;
}

gboolean
ifbam_wave_is_finite (const IfbamWave *wave)
{
  double size = cabs (wave->u), turns = carg (wave->u) / IFBAM_TWO_PI;

  return isfinite (cabs (wave->a)) && isfinite (size) && size > 0.0 && turns > 0.0 && turns < 0.5;
}

/* Finds the wave at a frequency [turns per row]; the conjugate of a known one is subtracted. */
static IfbamWave
find_wave (const IfbamRemainder *remainder, double turns, double reach, const IfbamWave *known)
{
  g_auto (IfbamBand) band = { 0 };
  double complex a, u;
  double edge;
  int n_basis;
  harminv_data data;
  IfbamWave wave = { .peak = known->peak, .emerged = known->emerged };

  ifbam_band_init (&band, remainder, turns, reach);
  if (known->found)
    ifbam_band_subtract (&band, conj (known->a), conj (known->u));
  if (ifbam_band_transform (&band, 0.0) == 0.0) /* harminv would crash */
    return wave;
  edge = MIN (reach * (double) band.stride / (double) remainder->n, 0.49);
  n_basis = (int) MIN (2.2 * edge * (double) band.n + 2.0, MAX_BASIS);
  n_basis = CLAMP ((int) band.n / 2 - 1, 2, n_basis);
  data = harminv_data_create ((int) band.n, band.rows, -edge, edge, n_basis);
  solve (data);
  wave.found = choose (&band, data, reach / IFBAM_MIN_REACH, &a, &u);
  harminv_data_destroy (data);
  if (!wave.found)
    return wave;
  wave.u = cpow (u, 1.0 / (double) band.stride) * ifbam_rotation (turns);
  wave.a = a / ifbam_band_gain (&band, wave.u);
  wave.found = ifbam_wave_is_finite (&wave);
  return wave;
}

void
ifbam_remainder_add_wave (IfbamRemainder *remainder, const IfbamWave *wave, double sign)
{
  const double logarithm = log (cabs (wave->u)), turns = carg (wave->u) / IFBAM_TWO_PI;
  double complex first[IFBAM_POWER_RANGES], powers[IFBAM_POWER_TILE];

  for (gsize tile = 0; tile < remainder->n; tile += IFBAM_POWER_TILE)
    {
      for (gsize c = 0; c < IFBAM_POWER_RANGES; c++)
        {
          const double row = (double) (tile + c * IFBAM_POWER_RANGE);

          first[c] = wave->a * exp (row * logarithm) * ifbam_rotation (row * turns);
        }
      ifbam_fill_powers (first, wave->u, powers);
      for (gsize i = 0; i < MIN (IFBAM_POWER_TILE, remainder->n - tile); i++)
        remainder->rows[tile + i] += sign * 2.0 * creal (powers[i]);
    }
}

/* Returns the part of the course in which a wave has not decayed. */
static IfbamRemainder
part_of (const IfbamRemainder *remainder, const IfbamWave *wave)
{
  double decay = wave->found ? -log (cabs (wave->u)) : 0.0;
  IfbamRemainder part = *remainder;

  if (decay * (double) part.n > IFBAM_FADED)
    part.n = MAX ((gsize) (IFBAM_FADED / decay), IFBAM_LEAST_ROWS);
  return part;
}

/* Returns half of the band that a wave needs: fast decay is wide. */
static double
reach_of (const IfbamRemainder *remainder, const IfbamWave *wave)
{
  double width = 0.0;

  if (wave->found)
    width = fabs (log (cabs (wave->u))) * (double) remainder->n / IFBAM_TWO_PI;
  return CLAMP (4.0 * width, IFBAM_MIN_REACH, MAX_REACH);
}

/* Widens the band if a wave is found that is wider. */
static IfbamWave
find_widening (const IfbamRemainder *remainder, double turns, const IfbamWave *known)
{
  IfbamRemainder part = part_of (remainder, known);
  double reach = reach_of (&part, known);

  for (;;)
    {
      IfbamWave wave = find_wave (&part, turns, reach, known);
      double wanted = reach_of (&part, &wave);

      if (!wave.found || wanted <= 2.0 * reach)
        return wave;
      reach = wanted;
    }
}

/* Returns the distance of two waves over the whole course. */
static double
distance (const IfbamRemainder *remainder, const IfbamWave *one, const IfbamWave *other)
{
  return cabs (clog (one->u / other->u)) * (double) remainder->n;
}

double
ifbam_wave_nearest_distance (const IfbamRemainder *remainder, const IfbamWave *wave,
                             const IfbamWave *waves, gsize n_waves, gsize except)
{
  double nearest = INFINITY;

  for (gsize k = 0; k < n_waves; k++)
    if (k != except && waves[k].found)
      nearest = MIN (nearest, distance (remainder, wave, &waves[k]));
  return nearest;
}

gboolean
ifbam_wave_has_double (const IfbamRemainder *remainder, const IfbamWave *wave,
                       const IfbamWave *waves, gsize n_waves, gsize except)
{
  return ifbam_wave_nearest_distance (remainder, wave, waves, n_waves, except) < DOUBLE;
}

int
ifbam_wave_trial (const IfbamWave *wave, double duration)
{
  return wave->emerged || wave->peak.frequency * duration < NEIGHBOURS ? 3 * TRIAL : TRIAL;
}

void
ifbam_refine_one_wave (IfbamRemainder *remainder, double step, IfbamWave *waves, gsize n_waves,
                       gsize k)
{
  IfbamWave *wave = &waves[k], next;
  double turns = wave->peak.frequency * step;

  if (wave->lost || wave->together)
    return;
  if (wave->found)
    {
      ifbam_remainder_add_wave (remainder, wave, 1.0);
      turns = carg (wave->u) / IFBAM_TWO_PI;
    }
  next = find_widening (remainder, turns, wave);
  next.found = next.found && !ifbam_wave_has_double (remainder, &next, waves, n_waves, k);
  next.moved = next.found && wave->found ? distance (remainder, &next, wave) : INFINITY;
  next.rounds = wave->rounds + 1;
  next.lost = next.rounds >= ifbam_wave_trial (wave, step * (double) remainder->n)
              && !(next.moved < IFBAM_UNSETTLED);
  next.found = next.found && !next.lost;
  if (next.found)
    ifbam_remainder_add_wave (remainder, &next, -1.0);
  *wave = next;
}

/* Fits neighbouring waves simultaneously: one by one they would converge slowly, as each distorts
 * the others. If the fit fails, nothing changes. */
static void
fit_together (IfbamRemainder *remainder, IfbamWave *const *waves, gsize n)
{
  g_auto (IfbamBand) band = { 0 };
  g_autofree IfbamTone *tones = g_new (IfbamTone, n);
  g_autofree IfbamWave *next = g_new (IfbamWave, n);
  IfbamRemainder part = { 0 };
  double low = INFINITY, high = 0.0, reach = 0.0, moved = 0.0;
  gboolean sound, fitted = TRUE;

  for (gsize k = 0; k < n; k++)
    {
      const double turns = carg (waves[k]->u) / IFBAM_TWO_PI;
      const IfbamRemainder own = part_of (remainder, waves[k]);

      if (own.n > part.n)
        part = own;
      reach = MAX (reach, reach_of (remainder, waves[k]));
      low = MIN (low, turns);
      high = MAX (high, turns);
      fitted &= waves[k]->together;
      ifbam_remainder_add_wave (remainder, waves[k], 1.0);
    }
  reach += 0.5 * (high - low) * (double) part.n;
  ifbam_band_init (&band, &part, 0.5 * (low + high), reach);
  for (gsize k = 0; k < n; k++)
    {
      ifbam_band_subtract (&band, conj (waves[k]->a), conj (waves[k]->u));
      tones[k].b = waves[k]->a * ifbam_band_gain (&band, waves[k]->u);
      tones[k].s = (double) band.stride
                   * (clog (waves[k]->u) - IFBAM_TWO_PI * band.turns * (double complex) I);
    }
  /* If there is no better fit nearby, waves that were fitted before have converged. */
  sound = ifbam_fit_tones (band.rows, band.n, tones, n) || fitted;
  for (gsize k = 0; k < n; k++)
    {
      next[k] = *waves[k];
      next[k].u = cexp (tones[k].s / (double) band.stride) * ifbam_rotation (band.turns);
      next[k].a = tones[k].b / ifbam_band_gain (&band, next[k].u);
      sound = sound && ifbam_wave_is_finite (&next[k])
              && fabs (carg (next[k].u) / IFBAM_TWO_PI - band.turns) * (double) part.n < reach;
      for (gsize i = 0; i < k; i++)
        sound = sound && distance (remainder, &next[i], &next[k]) >= DOUBLE;
      moved = MAX (moved, distance (remainder, &next[k], waves[k]));
    }
  for (gsize k = 0; k < n; k++)
    {
      if (sound)
        {
          next[k].moved = moved;
          next[k].rounds += waves[k]->together;
          next[k].together = TRUE;
          *waves[k] = next[k];
        }
      else
        waves[k]->together = FALSE;
      ifbam_remainder_add_wave (remainder, waves[k], -1.0);
    }
}

static int
compare_turns (gconstpointer a, gconstpointer b)
{
  const double p = carg ((*(IfbamWave *const *) a)->u), q = carg ((*(IfbamWave *const *) b)->u);

  return p < q ? -1 : p > q;
}

void
ifbam_refine_neighbours (IfbamRemainder *remainder, IfbamWave *waves, gsize n)
{
  g_autofree IfbamWave **row = g_new (IfbamWave *, n + 1);
  gsize found = 0;

  for (gsize k = 0; k < n; k++)
    if (waves[k].found && (waves[k].rounds > 1 || waves[k].emerged))
      row[found++] = &waves[k];
  qsort (row, found, sizeof (IfbamWave *), compare_turns);
  for (gsize first = 0, end; first < found; first = end)
    {
      for (end = first + 1; end < found && end - first < IFBAM_MAX_WAVES_AT_ONCE
                            && carg (row[end]->u) - carg (row[end - 1]->u)
                                   < NEIGHBOURS * IFBAM_TWO_PI / (double) remainder->n;)
        end++;
      if (end - first > 1)
        fit_together (remainder, row + first, end - first);
      else
        row[first]->together = FALSE;
    }
}

double
ifbam_wave_misfit (const IfbamRemainder *remainder, const IfbamWave *wave)
{
  g_auto (IfbamBand) band = { 0 };
  IfbamRemainder part = part_of (remainder, wave);
  double reach = reach_of (&part, wave), spacing = reach / IFBAM_MIN_REACH;
  double rest = 0.0, whole = 0.0;
  double complex remains[AROUND];

  ifbam_band_init (&band, &part, carg (wave->u) / IFBAM_TWO_PI, reach);
  for (int k = 0; k < AROUND; k++)
    remains[k] = ifbam_band_transform (&band, (k - AROUND / 2) * spacing);
  ifbam_band_subtract (&band, wave->a, wave->u);
  for (int k = 0; k < AROUND; k++)
    {
      double complex own = remains[k] - ifbam_band_transform (&band, (k - AROUND / 2) * spacing);

      rest += creal (remains[k] * conj (remains[k]));
      whole += creal (own * conj (own));
    }
  return sqrt (rest / whole);
}

double
ifbam_wave_amplitude (const IfbamWave *wave, gsize n)
{
  double complex factor = cabs (wave->u), power = 1.0, sum = 0.0;

  for (gsize i = 0; i < n; i++)
    {
      sum += (1.0 - ifbam_turned_cosine ((double) i / (double) n)) * power;
      power *= factor;
    }
  return 2.0 * cabs (wave->a) * cabs (sum) / (double) n;
}
