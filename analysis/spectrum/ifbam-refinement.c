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
#include <complex.h>

#include "spectrum/ifbam-refinement.h"
#include "spectrum/exponential-fit.h"
#include "spectrum/matrix-pencil.h"
#include "spectrum/peaks.h"
#include "spectrum/course-checks.h"
#include "base/sine.h"

#include <harminv.h>
#include <math.h>
#include <string.h>

#define MAX_LINES     100 /* bounds the time for noise, which is all peaks */
#define ROUNDS        24
#define EMERGING      12   /* rounds after which peaks may have emerged */
#define TRIAL         3    /* rounds in which a wave may be lost, or change */
#define UNSETTLED     0.1  /* largest change of ln u times the rows, after these */
#define DOUBLE        1.0  /* as above; waves nearer than this are one */
#define SURE          1e-3 /* as above, finally, for waves fitted together */
#define SETTLED       1e-9 /* as above, at convergence */
#define UNLIKE        0.5 /* fraction of the transform near a peak that a wave may leave at first */
#define BESIDE        0.3 /* as above; below it fewer waves are as good as more */
#define GONE          0.1 /* fraction of a peak without a line that others' lines may leave */
#define NEIGHBOURS    4.0 /* nearer waves are fitted together [resolutions] */
#define AT_ONCE       6.0 /* of emerging peaks nearer than this, the strongest is first */
#define PART_OF_BAND  0.7 /* largest number of waves per resolution of half of a band */
#define FOLDED        1e-4 /* fraction of a cluster's strongest line that others may leave in it */
#define PASSES        8    /* decompositions of each cluster into a few waves */
#define MIN_TURNS     2.0  /* over the course; a slower wave does not count as an oscillation */
#define PARTED        0.1  /* fraction of the weakest line that waves found at once may leave */
#define MAX_CHOICE    12   /* waves of harminv's that are combined */
#define MIN_EXPLAINED 0.3  /* as UNLIKE, after the trial */
#define UNEXPLAINED   0.02 /* as UNLIKE, finally */
#define AROUND        9    /* frequencies around the peak [resolutions] */
#define THINNED       64   /* approximate rows of a thinned course */
#define WINDOW        8    /* length of the sliding window [thinned rows] */
#define ALIASED       0.15 /* half of the band [turns per thinned row]; aliases are 92 dB lower */
#define MIN_REACH     8.0  /* half of the band around a peak [resolutions] */
#define MAX_REACH     64.0
#define MAX_BASIS     40 /* basis functions of harminv; its time grows with their third power */
#define NEAREST                                                                                    \
  1e-9             /* distance of two waves that harminv can distinguish [turns per thinned row] */
#define REFRESH 96 /* products between two powers that are computed directly */
#define WINDOWS 4  /* cached windows */
#define RANGES  4  /* ranges of REFRESH powers that are computed side by side */
#define TILE    (RANGES * REFRESH)
#define FADED   36.0 /* a wave that has decayed by e^FADED is below the last bit */

/* Windows of the last lengths: most bands have one of a few. */
typedef struct
{
  gsize length[WINDOWS]; /* 0: none */
  double *values[WINDOWS];
  guint oldest;
} Windows;

/* The course minus the found waves. */
typedef struct
{
  gsize n;
  double *rows; /* relative to the largest value (n) */
  Windows *windows;
} Remainder;

/* a u^t and its conjugate, t in rows */
typedef struct
{
  IfbamPeak peak;   /* peak at which it was searched for */
  gboolean emerged; /* the peak emerged when others' lines were subtracted */
  gboolean found, lost;
  gboolean together; /* fitted together with its neighbours in the last round */
  double complex a, u;
  double moved; /* change of ln u in the last round, times the rows */
  int rounds;   /* number of searches for it */
} Wave;

/* A course shifted down in frequency, weighted and thinned. */
typedef struct
{
  double turns;         /* shift per row */
  gsize stride;         /* rows per thinned row */
  gsize length;         /* of the sliding window [rows] */
  const double *window; /* owned by the remainder (length) */
  gsize n;
  double complex *rows; /* [n] */
} Band;

static double complex
rotation (double turns)
{
  double s, c;

  ifbam_sine_cosine (turns, &s, &c);
  return c + s * I;
}

static double
cosine (double turns)
{
  return creal (rotation (turns));
}

/* Blackman and Harris's four terms (Harris 1978, "On the use of windows for harmonic analysis with
 * the discrete Fourier transform"): lobes 92 dB down. The sum is 1. */
static double *
make_window (gsize length)
{
  double *window = g_new (double, length);

  if (length == 1)
    window[0] = 1.0;
  for (gsize i = 0; length > 1 && i < length; i++)
    {
      double u = ((double) i + 0.5) / (double) length;

      window[i] =
          (0.35875 - 0.48829 * cosine (u) + 0.14128 * cosine (2.0 * u) - 0.01168 * cosine (3.0 * u))
          / (0.35875 * (double) length);
    }
  return window;
}

static const double *
find_window (Windows *windows, gsize length)
{
  const guint place = windows->oldest;

  for (guint i = 0; i < WINDOWS; i++)
    if (windows->length[i] == length)
      return windows->values[i];
  g_free (windows->values[place]);
  windows->values[place] = make_window (length);
  windows->length[place] = length;
  windows->oldest = (place + 1) % WINDOWS;
  return windows->values[place];
}

/* Writes TILE powers: first[c] factor^k at c REFRESH + k. Powers are recursive, so that ranges are
 * computed side by side; this overwrites FIRST. */
static void
fill_powers (double complex *first, double complex factor, double complex *powers)
{
  for (gsize k = 0; k < REFRESH; k++)
    for (gsize c = 0; c < RANGES; c++)
      {
        const double re = creal (first[c]), im = cimag (first[c]);

        powers[c * REFRESH + k] = first[c];
        ((double *) &first[c])[0] = re * creal (factor) - im * cimag (factor);
        ((double *) &first[c])[1] = re * cimag (factor) + im * creal (factor);
      }
}

/* Copies n rows of the remainder from first on, shifted down by the band's frequency, to VALUES
 * (TILE). */
static void
turn_rows (const Band *band, const Remainder *remainder, gsize first, gsize n,
           double complex *values)
{
  double complex turned[RANGES];

  for (gsize c = 0; c < RANGES; c++)
    turned[c] = rotation (-band->turns * (double) (first + c * REFRESH));
  fill_powers (turned, rotation (-band->turns), values);
  for (gsize i = 0; i < n; i++)
    values[i] *= remainder->rows[first + i];
}

/* Adds rows [from, to) of one stride of the remainder to the thinned rows with windows there. */
static void
add_rows (Band *band, const double complex *values, gsize from, gsize to)
{
  const gsize at = from / band->stride, last = MIN (at, band->n - 1);
  const gsize reach = band->length / band->stride; /* number of windows over a row */
  const gsize first = at + 1 > reach ? at + 1 - reach : 0;
  double complex sums[WINDOW];

  for (gsize j = first; j <= last; j++)
    sums[j - first] = band->rows[j];
  if (last + 1 - first == WINDOW)
    {
      const double *window = band->window + from - first * band->stride;

      for (gsize i = 0; i < to - from; i++)
        for (gsize k = 0; k < WINDOW; k++)
          sums[k] += window[i - k * band->stride] * values[i];
    }
  else
    for (gsize j = first; j <= last; j++)
      for (gsize i = from; i < to; i++)
        sums[j - first] += band->window[i - j * band->stride] * values[i - from];
  for (gsize j = first; j <= last; j++)
    band->rows[j] = sums[j - first];
}

/* Adds every row to the thinned rows with windows over it. */
static void
band_fill (Band *band, const Remainder *remainder)
{
  double complex values[TILE];

  for (gsize tile = 0; tile < remainder->n; tile += TILE)
    {
      const gsize end = MIN (tile + TILE, remainder->n);

      turn_rows (band, remainder, tile, end - tile, values);
      for (gsize from = tile, to; from < end; from = to)
        {
          to = MIN (end, (from / band->stride + 1) * band->stride);
          add_rows (band, values + from - tile, from, to);
        }
    }
}

/* reach: half of the relevant band [resolutions] */
static void
band_init (Band *band, const Remainder *remainder, double turns, double reach)
{
  gsize n = remainder->n;
  gsize stride = MIN (n / THINNED, (gsize) (ALIASED * (double) n / reach));

  band->turns = turns;
  band->stride = MAX (stride, 1);
  band->length = band->stride > 1 ? WINDOW * band->stride : 1;
  band->n = (n - band->length) / band->stride + 1;
  band->window = find_window (remainder->windows, band->length);
  band->rows = g_new0 (double complex, band->n);
  band_fill (band, remainder);
}

static void
band_clear (Band *band)
{
  g_free (band->rows);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Band, band_clear)

/* Returns the factor of u's amplitude by shift and window. */
static double complex
band_gain (const Band *band, double complex u)
{
  const double complex factor = u * rotation (-band->turns);
  double complex power = 1.0, sum = 0.0;

  for (gsize i = 0; i < band->length; i++)
    {
      sum += band->window[i] * power;
      power *= factor;
    }
  return sum;
}

/* Subtracts a wave, without its conjugate, from the thinned rows. */
static void
band_subtract (Band *band, double complex a, double complex u)
{
  const double complex factor = cpow (u * rotation (-band->turns), (double) band->stride);
  double complex power = a * band_gain (band, u);

  for (gsize j = 0; j < band->n; j++)
    {
      band->rows[j] -= power;
      power *= factor;
    }
}

/* Hann's window at thinned row j. */
static double
hann (const Band *band, gsize j)
{
  return 1.0 - cosine ((double) j / (double) band->n);
}

/* Compute the transform, with Hann's window, at a distance [resolutions] from the middle of the
 * band: of the thinned rows, and of a wave a u^j. */
static double complex
transform_rows (const Band *band, double distance)
{
  double complex sum = 0.0;

  for (gsize j = 0; j < band->n; j++)
    sum += hann (band, j) * band->rows[j] * rotation (-distance * (double) j / (double) band->n);
  return sum;
}

static double complex
transform_wave (const Band *band, double complex a, double complex u)
{
  double complex sum = 0.0, power = a;

  for (gsize j = 0; j < band->n; j++)
    {
      sum += hann (band, j) * power;
      power *= u;
    }
  return sum;
}

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
list_shares (const Band *band, harminv_data data, double spacing)
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
        share.at[i] = transform_wave (
            band, share.a, share.u * rotation (-(i - AROUND / 2) * spacing / (double) band->n));
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
choose (const Band *band, harminv_data data, double spacing, double complex *a, double complex *u)
{
  g_autoptr (GArray) list = list_shares (band, data, spacing);
  const Share *shares = (const Share *) list->data;
  const guint n = MIN (list->len, MAX_CHOICE);
  gboolean kept[MAX_CHOICE];
  double complex whole[AROUND];
  double left;

  for (int k = 0; k < AROUND; k++)
    whole[k] = transform_rows (band, (k - AROUND / 2) * spacing);
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

static gboolean
is_finite_wave (const Wave *wave)
{
  double size = cabs (wave->u), turns = carg (wave->u) / IFBAM_TWO_PI;

  return isfinite (cabs (wave->a)) && isfinite (size) && size > 0.0 && turns > 0.0 && turns < 0.5;
}

/* Finds the wave at a frequency [turns per row]; the conjugate of a known one is subtracted. */
static Wave
find_wave (const Remainder *remainder, double turns, double reach, const Wave *known)
{
  g_auto (Band) band = { 0 };
  double complex a, u;
  double edge;
  int n_basis;
  harminv_data data;
  Wave wave = { .peak = known->peak, .emerged = known->emerged };

  band_init (&band, remainder, turns, reach);
  if (known->found)
    band_subtract (&band, conj (known->a), conj (known->u));
  if (transform_rows (&band, 0.0) == 0.0) /* harminv would crash */
    return wave;
  edge = MIN (reach * (double) band.stride / (double) remainder->n, 0.49);
  n_basis = (int) MIN (2.2 * edge * (double) band.n + 2.0, MAX_BASIS);
  n_basis = CLAMP ((int) band.n / 2 - 1, 2, n_basis);
  data = harminv_data_create ((int) band.n, band.rows, -edge, edge, n_basis);
  solve (data);
  wave.found = choose (&band, data, reach / MIN_REACH, &a, &u);
  harminv_data_destroy (data);
  if (!wave.found)
    return wave;
  wave.u = cpow (u, 1.0 / (double) band.stride) * rotation (turns);
  wave.a = a / band_gain (&band, wave.u);
  wave.found = is_finite_wave (&wave);
  return wave;
}

/* Adds or, with sign -1, subtracts a wave and its conjugate. */
static void
add_wave (Remainder *remainder, const Wave *wave, double sign)
{
  const double logarithm = log (cabs (wave->u)), turns = carg (wave->u) / IFBAM_TWO_PI;
  double complex first[RANGES], powers[TILE];

  for (gsize tile = 0; tile < remainder->n; tile += TILE)
    {
      for (gsize c = 0; c < RANGES; c++)
        {
          const double row = (double) (tile + c * REFRESH);

          first[c] = wave->a * exp (row * logarithm) * rotation (row * turns);
        }
      fill_powers (first, wave->u, powers);
      for (gsize i = 0; i < MIN (TILE, remainder->n - tile); i++)
        remainder->rows[tile + i] += sign * 2.0 * creal (powers[i]);
    }
}

/* Returns the part of the course in which a wave has not decayed. */
static Remainder
part_of (const Remainder *remainder, const Wave *wave)
{
  double decay = wave->found ? -log (cabs (wave->u)) : 0.0;
  Remainder part = *remainder;

  if (decay * (double) part.n > FADED)
    part.n = MAX ((gsize) (FADED / decay), IFBAM_LEAST_ROWS);
  return part;
}

/* Returns half of the band that a wave needs: fast decay is wide. */
static double
reach_of (const Remainder *remainder, const Wave *wave)
{
  double width = 0.0;

  if (wave->found)
    width = fabs (log (cabs (wave->u))) * (double) remainder->n / IFBAM_TWO_PI;
  return CLAMP (4.0 * width, MIN_REACH, MAX_REACH);
}

/* Widens the band if a wave is found that is wider. */
static Wave
find_widening (const Remainder *remainder, double turns, const Wave *known)
{
  Remainder part = part_of (remainder, known);
  double reach = reach_of (&part, known);

  for (;;)
    {
      Wave wave = find_wave (&part, turns, reach, known);
      double wanted = reach_of (&part, &wave);

      if (!wave.found || wanted <= 2.0 * reach)
        return wave;
      reach = wanted;
    }
}

/* Returns the distance of two waves over the whole course. */
static double
distance (const Remainder *remainder, const Wave *one, const Wave *other)
{
  return cabs (clog (one->u / other->u)) * (double) remainder->n;
}

/* Returns the distance of the nearest other wave. */
static double
nearest_distance (const Remainder *remainder, const Wave *wave, const Wave *waves, gsize n_waves,
                  gsize except)
{
  double nearest = INFINITY;

  for (gsize k = 0; k < n_waves; k++)
    if (k != except && waves[k].found)
      nearest = MIN (nearest, distance (remainder, wave, &waves[k]));
  return nearest;
}

/* TRUE for two large, nearly equal waves that almost cancel: they can explain anything. */
static gboolean
has_double (const Remainder *remainder, const Wave *wave, const Wave *waves, gsize n_waves,
            gsize except)
{
  return nearest_distance (remainder, wave, waves, n_waves, except) < DOUBLE;
}

/* Returns the rounds in which a wave must converge: more with neighbours, image or drifts. */
static int
trial_of (const Wave *wave, double duration)
{
  return wave->emerged || wave->peak.frequency * duration < NEIGHBOURS ? 3 * TRIAL : TRIAL;
}

/* Finds wave k again in the remainder, and subtracts it. */
static void
refine_one (Remainder *remainder, double step, Wave *waves, gsize n_waves, gsize k)
{
  Wave *wave = &waves[k], next;
  double turns = wave->peak.frequency * step;

  if (wave->lost || wave->together)
    return;
  if (wave->found)
    {
      add_wave (remainder, wave, 1.0);
      turns = carg (wave->u) / IFBAM_TWO_PI;
    }
  next = find_widening (remainder, turns, wave);
  next.found = next.found && !has_double (remainder, &next, waves, n_waves, k);
  next.moved = next.found && wave->found ? distance (remainder, &next, wave) : INFINITY;
  next.rounds = wave->rounds + 1;
  next.lost =
      next.rounds >= trial_of (wave, step * (double) remainder->n) && !(next.moved < UNSETTLED);
  next.found = next.found && !next.lost;
  if (next.found)
    add_wave (remainder, &next, -1.0);
  *wave = next;
}

/* Fits neighbouring waves simultaneously: one by one they would converge slowly, as each distorts
 * the others. If the fit fails, nothing changes. */
static void
fit_together (Remainder *remainder, Wave *const *waves, gsize n)
{
  g_auto (Band) band = { 0 };
  g_autofree IfbamTone *tones = g_new (IfbamTone, n);
  g_autofree Wave *next = g_new (Wave, n);
  Remainder part = { 0 };
  double low = INFINITY, high = 0.0, reach = 0.0, moved = 0.0;
  gboolean sound, fitted = TRUE;

  for (gsize k = 0; k < n; k++)
    {
      const double turns = carg (waves[k]->u) / IFBAM_TWO_PI;
      const Remainder own = part_of (remainder, waves[k]);

      if (own.n > part.n)
        part = own;
      reach = MAX (reach, reach_of (remainder, waves[k]));
      low = MIN (low, turns);
      high = MAX (high, turns);
      fitted &= waves[k]->together;
      add_wave (remainder, waves[k], 1.0);
    }
  reach += 0.5 * (high - low) * (double) part.n;
  band_init (&band, &part, 0.5 * (low + high), reach);
  for (gsize k = 0; k < n; k++)
    {
      band_subtract (&band, conj (waves[k]->a), conj (waves[k]->u));
      tones[k].b = waves[k]->a * band_gain (&band, waves[k]->u);
      tones[k].s = (double) band.stride
                   * (clog (waves[k]->u) - IFBAM_TWO_PI * band.turns * (double complex) I);
    }
  /* If there is no better fit nearby, waves that were fitted before have converged. */
  sound = ifbam_fit_tones (band.rows, band.n, tones, n) || fitted;
  for (gsize k = 0; k < n; k++)
    {
      next[k] = *waves[k];
      next[k].u = cexp (tones[k].s / (double) band.stride) * rotation (band.turns);
      next[k].a = tones[k].b / band_gain (&band, next[k].u);
      sound = sound && is_finite_wave (&next[k])
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
      add_wave (remainder, waves[k], -1.0);
    }
}

static int
compare_turns (gconstpointer a, gconstpointer b)
{
  const double p = carg ((*(Wave *const *) a)->u), q = carg ((*(Wave *const *) b)->u);

  return p < q ? -1 : p > q;
}

/* Fits all groups of neighbouring waves. */
static void
refine_together (Remainder *remainder, Wave *waves, gsize n)
{
  g_autofree Wave **row = g_new (Wave *, n + 1);
  gsize found = 0;

  for (gsize k = 0; k < n; k++)
    if (waves[k].found && (waves[k].rounds > 1 || waves[k].emerged))
      row[found++] = &waves[k];
  qsort (row, found, sizeof (Wave *), compare_turns);
  for (gsize first = 0, end; first < found; first = end)
    {
      for (end = first + 1; end < found && end - first < MAX_CHOICE
                            && carg (row[end]->u) - carg (row[end - 1]->u)
                                   < NEIGHBOURS * IFBAM_TWO_PI / (double) remainder->n;)
        end++;
      if (end - first > 1)
        fit_together (remainder, row + first, end - first);
      else
        row[first]->together = FALSE;
    }
}

/* Subtracts the straight line that fits the rows best: constant and drift. */
static void
remove_trend (Remainder *remainder)
{
  double middle = 0.5 * (double) (remainder->n - 1);
  double mean = 0.0, slope = 0.0, squares = 0.0;

  for (gsize i = 0; i < remainder->n; i++)
    {
      double distance = (double) i - middle;

      mean += remainder->rows[i];
      slope += remainder->rows[i] * distance;
      squares += distance * distance;
    }
  mean /= (double) remainder->n;
  slope /= squares;
  for (gsize i = 0; i < remainder->n; i++)
    remainder->rows[i] -= mean + slope * ((double) i - middle);
}

/* Sorts the strongest first. */
static int
compare_waves (gconstpointer a, gconstpointer b)
{
  const IfbamPeak *p = &((const Wave *) a)->peak, *q = &((const Wave *) b)->peak;

  if (p->amplitude != q->amplitude)
    return p->amplitude > q->amplitude ? -1 : 1;
  return p->frequency < q->frequency ? -1 : p->frequency > q->frequency;
}

static gboolean
are_settled (const Wave *waves, gsize n)
{
  for (gsize k = 0; k < n; k++)
    if (!waves[k].lost && !(waves[k].moved < SETTLED))
      return FALSE;
  return TRUE;
}

/* Returns the unexplained fraction about a wave: the remainder's transform over the wave's. */
static double
misfit (const Remainder *remainder, const Wave *wave)
{
  g_auto (Band) band = { 0 };
  Remainder part = part_of (remainder, wave);
  double reach = reach_of (&part, wave), spacing = reach / MIN_REACH;
  double rest = 0.0, whole = 0.0;
  double complex remains[AROUND];

  band_init (&band, &part, carg (wave->u) / IFBAM_TWO_PI, reach);
  for (int k = 0; k < AROUND; k++)
    remains[k] = transform_rows (&band, (k - AROUND / 2) * spacing);
  band_subtract (&band, wave->a, wave->u);
  for (int k = 0; k < AROUND; k++)
    {
      double complex own = remains[k] - transform_rows (&band, (k - AROUND / 2) * spacing);

      rest += creal (remains[k] * conj (remains[k]));
      whole += creal (own * conj (own));
    }
  return sqrt (rest / whole);
}

/* Drops waves that explain too little of their peaks. */
static void
drop_unexplaining (Remainder *remainder, double duration, Wave *waves, gsize n)
{
  for (gsize k = 0; k < n; k++)
    if (waves[k].rounds == trial_of (&waves[k], duration) && !waves[k].lost
        && !(waves[k].found && misfit (remainder, &waves[k]) < MIN_EXPLAINED))
      {
        if (waves[k].found)
          add_wave (remainder, &waves[k], 1.0);
        waves[k].found = FALSE;
        waves[k].lost = TRUE;
      }
}

/* Returns the peaks of the remainder above an amplitude, by frequency (n_peaks, transfer full). */
static IfbamPeak *
find_remaining (const Remainder *remainder, const double *times, double least, gsize *n_peaks)
{
  g_autoptr (IfbamSpectrum) spectrum =
      ifbam_spectrum_new (times, remainder->rows, remainder->n, IFBAM_WINDOW_HANN, NULL);

  *n_peaks = 0;
  return spectrum == NULL ? NULL : ifbam_spectrum_find_peaks_above (spectrum, least, n_peaks);
}

/* Returns the first of the peaks (n, by frequency) at or above a frequency. */
static gsize
first_peak (const IfbamPeak *peaks, gsize n, double frequency)
{
  gsize low = 0, high = n;

  while (low < high)
    {
      const gsize middle = (low + high) / 2;

      if (peaks[middle].frequency < frequency)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Returns an estimate of peaks about a frequency by waves that have not converged. Hann's lobes
 * fall with the third power of the distance. */
static double
still_moving (const Wave *waves, gsize n, double frequency, double resolution)
{
  double sum = 0.0;

  for (gsize k = 0; k < n; k++)
    if (waves[k].found)
      {
        const double apart = fabs (waves[k].peak.frequency - frequency) / resolution;

        sum += MIN (0.1 * waves[k].moved, 1.0) * waves[k].peak.amplitude
               / MAX (1.0, apart * apart * apart);
      }
  return sum;
}

/* TRUE if there is a stronger peak nearby: it comes first, and may explain this one. */
static gboolean
has_stronger_neighbour (const IfbamPeak *peaks, gsize n, gsize i, double reach)
{
  for (gsize k = first_peak (peaks, n, peaks[i].frequency - reach);
       k < n && peaks[k].frequency - peaks[i].frequency < reach; k++)
    if (peaks[k].amplitude > peaks[i].amplitude
        && fabs (peaks[k].frequency - peaks[i].frequency) < reach)
      return TRUE;
  return FALSE;
}

/* Adds peaks that emerged, if they are strong enough for a line. */
static void
add_emerged (const Remainder *remainder, const double *times, double least, GArray *waves)
{
  gsize n;
  const guint n_waves = waves->len;
  g_autofree IfbamPeak *peaks = NULL;
  const double resolution =
      (double) (remainder->n - 1) / ((double) remainder->n * (times[remainder->n - 1] - times[0]));

  if (waves->len >= MAX_LINES)
    return;
  peaks = find_remaining (remainder, times, least, &n);
  for (gsize i = 0; i < n; i++)
    {
      Wave wave = { .peak = peaks[i], .emerged = TRUE, .moved = INFINITY };
      gboolean known = has_stronger_neighbour (peaks, n, i, AT_ONCE * resolution)
                       || peaks[i].amplitude < least || waves->len >= MAX_LINES
                       || peaks[i].amplitude < still_moving ((const Wave *) waves->data, n_waves,
                                                             peaks[i].frequency, resolution);

      /* A peak without a wave stays in the remainder. */
      for (guint k = 0; k < waves->len && !known; k++)
        {
          const Wave *other = &g_array_index (waves, Wave, k);

          known =
              !other->found && fabs (other->peak.frequency - peaks[i].frequency) < 0.5 * resolution;
        }
      if (!known)
        g_array_append_val (waves, wave);
    }
}

/* Returns the strongest peak of the remainder at a frequency. */
static double
remaining_at (const IfbamPeak *remaining, gsize n, double frequency, double resolution)
{
  double strongest = 0.0;

  for (gsize i = first_peak (remaining, n, frequency - resolution);
       i < n && remaining[i].frequency - frequency < resolution; i++)
    if (fabs (remaining[i].frequency - frequency) < resolution)
      strongest = MAX (strongest, remaining[i].amplitude);
  return strongest;
}

/* TRUE if others' lines explain a peak without a line: little remains there. */
static gboolean
is_explained (const Wave *wave, const IfbamPeak *remaining, gsize n, double resolution)
{
  return remaining_at (remaining, n, wave->peak.frequency, resolution)
         <= GONE * wave->peak.amplitude;
}

/* Returns the amplitude of a wave with Hann's window, over the course's largest value. */
static double
shown_amplitude (const Wave *wave, gsize n)
{
  double complex factor = cabs (wave->u), power = 1.0, sum = 0.0;

  for (gsize i = 0; i < n; i++)
    {
      sum += (1.0 - cosine ((double) i / (double) n)) * power;
      power *= factor;
    }
  return 2.0 * cabs (wave->a) * cabs (sum) / (double) n;
}

/* TRUE if a line without a peak counts: strong, no drift, no scheme's line at Nyquist frequency. */
static gboolean
is_inside (const Wave *wave, gsize n, double least)
{
  const double turns = carg (wave->u) / IFBAM_TWO_PI;

  return turns * (double) n > MIN_TURNS && turns < 0.5 * IFBAM_SPECTRUM_NYQUIST_PART
         && shown_amplitude (wave, n) > least;
}

/* TRUE if a wave counts provided that it explains its peak: not if it is much weaker. */
static gboolean
is_strong_enough (const Remainder *remainder, const Wave *wave, double least)
{
  return wave->found && wave->moved < (wave->together ? SURE : UNSETTLED)
         && (wave->emerged ? is_inside (wave, remainder->n, least)
                           : shown_amplitude (wave, remainder->n) > 0.5 * least);
}

/* Adds emerged waves that are no lines back; TRUE if there were any. */
static gboolean
drop_emerged (Remainder *remainder, double least, Wave *waves, gsize n)
{
  gboolean any = FALSE;

  for (gsize k = 0; k < n; k++)
    if (waves[k].emerged && !waves[k].lost && !is_strong_enough (remainder, &waves[k], least))
      {
        any |= waves[k].found;
        if (waves[k].found)
          add_wave (remainder, &waves[k], 1.0);
        waves[k].found = FALSE;
        waves[k].lost = TRUE;
      }
  return any;
}

/* Adds waves back that are no lines finally: those that don't explain their peaks. */
static void
restore_unexplained (Remainder *remainder, double least, Wave *waves, gsize n)
{
  g_autofree gboolean *counts = g_new (gboolean, n + 1);

  for (gsize k = 0; k < n; k++)
    counts[k] = is_strong_enough (remainder, &waves[k], least)
                && misfit (remainder, &waves[k]) < UNEXPLAINED;
  for (gsize k = 0; k < n; k++)
    {
      if (waves[k].found && !counts[k])
        add_wave (remainder, &waves[k], 1.0);
      waves[k].found = counts[k];
    }
}

/* Refines all waves in rounds until they converge. emerging: rounds that may add peaks. least:
 * lowest amplitude of a line. */
static void
settle (Remainder *remainder, const double *times, double step, double least, int emerging,
        GArray *waves)
{
  for (int round = 1; round <= ROUNDS; round++)
    {
      Wave *wave;

      if (waves->len > 1)
        qsort (waves->data, waves->len, sizeof (Wave), compare_waves);
      wave = (Wave *) waves->data;
      for (gsize k = MAX_LINES; k < waves->len; k++)
        wave[k].lost = TRUE;
      remove_trend (remainder);
      for (gsize k = 0; k < waves->len; k++)
        refine_one (remainder, step, wave, waves->len, k);
      refine_together (remainder, wave, waves->len);
      drop_unexplaining (remainder, step * (double) remainder->n, wave, waves->len);
      if (round <= emerging)
        add_emerged (remainder, times, least, waves);
      if (are_settled ((const Wave *) waves->data, waves->len))
        break;
    }
}

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
find_clusters (const Remainder *remainder, const double *times, double step, double least,
               const GArray *waves, const GArray *parts)
{
  const double resolution = 1.0 / ((double) remainder->n * step);
  g_autoptr (GArray) peaks = g_array_new (FALSE, FALSE, sizeof (IfbamPeak));
  GArray *clusters = g_array_new (FALSE, FALSE, sizeof (Cluster));

  for (guint k = 0; k < waves->len; k++)
    g_array_append_val (peaks, g_array_index (waves, Wave, k).peak);
  for (guint k = 0; k < parts->len; k++)
    g_array_append_val (peaks, g_array_index (parts, Wave, k).peak);
  if (parts->len > 0)
    {
      gsize n;
      g_autofree IfbamPeak *emerged = find_remaining (remainder, times, least, &n);

      for (gsize i = 0; i < n; i++)
        if (emerged[i].amplitude > least
            && !has_stronger_neighbour (emerged, n, i, AT_ONCE * resolution))
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

      if (last != NULL && (turns - last->high) * (double) remainder->n < AT_ONCE)
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
  return MIN_REACH - 1.0 + 0.5 * (cluster->high - cluster->low) * (double) n;
}

static gboolean
is_within (const Wave *wave, const Cluster *cluster, gsize n)
{
  const double turns = carg (wave->u) / IFBAM_TWO_PI;

  return fabs (turns - 0.5 * (cluster->low + cluster->high)) * (double) n <= within (cluster, n)
         && turns >= cluster->from && turns < cluster->to && turns * (double) n > MIN_TURNS
         && turns < 0.5 * IFBAM_SPECTRUM_NYQUIST_PART;
}

/* Selects the cluster's waves among those of a band (n_parts); the others are of other clusters,
 * images, or drifts. FALSE if one of them is not valid. */
static gboolean
select_tones (const Remainder *remainder, const Band *band, const Cluster *cluster, double step,
              double least, const IfbamTone *tones, gsize n_tones, Wave *parts, gsize *n_parts)
{
  const double n = (double) remainder->n;

  *n_parts = 0;
  for (gsize k = 0; k < n_tones; k++)
    {
      Wave part = { .found = TRUE, .rounds = 2, .moved = INFINITY };

      part.u = cexp (tones[k].s / (double) band->stride) * rotation (band->turns);
      part.a = tones[k].b / band_gain (band, part.u);
      if (!is_finite_wave (&part) || !is_within (&part, cluster, remainder->n))
        continue;
      part.peak = (IfbamPeak){ carg (part.u) / (IFBAM_TWO_PI * step),
                               shown_amplitude (&part, remainder->n) };
      if (has_double (remainder, &part, parts, *n_parts, G_MAXSIZE)
          || fabs (log (cabs (part.u))) * n > FADED || !(part.peak.amplitude > 0.3 * least))
        return FALSE;
      parts[(*n_parts)++] = part;
    }
  return *n_parts > 0 && *n_parts <= (within (cluster, remainder->n) + 1.0) * PART_OF_BAND;
}

/* Subtracts the cluster's waves, again or for the first time; known ones are added back before.
 * Returns TRUE if the residual is small; moved: (inout) whether anything has changed */
static gboolean
part_cluster (Remainder *remainder, double step, double least, const Cluster *cluster, double level,
              GArray *parts, gboolean *moved)
{
  g_auto (Band) band = { 0 };
  const double reach = within (cluster, remainder->n) + 1.0;
  IfbamTone tones[MAX_CHOICE];
  Wave next[MAX_CHOICE];
  gsize n_next = 0, n_tones;
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (Wave));

  /* Too few waves for the cluster's width. */
  if ((cluster->high - cluster->low) * (double) remainder->n >= (MAX_CHOICE - 1) * AT_ONCE)
    return FALSE;
  for (guint k = parts->len; k-- > 0;)
    {
      Wave *part = &g_array_index (parts, Wave, k);

      if (is_within (part, cluster, remainder->n))
        {
          add_wave (remainder, part, 1.0);
          g_array_append_val (known, *part);
          g_array_remove_index_fast (parts, k);
        }
    }
  band_init (&band, remainder, 0.5 * (cluster->low + cluster->high), reach);
  for (guint k = 0; k < known->len; k++)
    {
      const Wave *part = &g_array_index (known, Wave, k);

      band_subtract (&band, conj (part->a), conj (part->u));
    }
  n_tones = ifbam_part_tones (band.rows, band.n, level, tones, MAX_CHOICE);
  if (n_tones == 0
      || !select_tones (remainder, &band, cluster, step, least, tones, n_tones, next, &n_next))
    n_next = 0;
  if (n_next > 0)
    {
      *moved |= n_next != known->len;
      for (gsize k = 0; k < n_next; k++)
        {
          next[k].together = n_next > 1;
          *moved |= !(nearest_distance (remainder, &next[k], (const Wave *) known->data, known->len,
                                        G_MAXSIZE)
                      < SURE);
        }
      g_array_set_size (known, 0);
      g_array_append_vals (known, next, (guint) n_next);
    }
  for (guint k = 0; k < known->len; k++)
    add_wave (remainder, &g_array_index (known, Wave, k), -1.0);
  if (known->len > 0)
    g_array_append_vals (parts, known->data, known->len);
  return n_next > 0;
}

/* Returns the nearest peak without a wave, within reach. */
static Wave *
nearest_peak (GArray *waves, gsize n, double frequency, double reach)
{
  Wave *nearest = NULL;

  for (gsize k = 0; k < n; k++)
    {
      Wave *wave = &g_array_index (waves, Wave, k);
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
adopt_parts (const Remainder *remainder, const double *times, double step, double least,
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
      Wave part = g_array_index (parts, Wave, k);
      /* Weaker waves only serve to subtract them. */
      Wave *known = part.peak.amplitude > least
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
  remaining = find_remaining (remainder, times, GONE * least, &n_remaining);
  for (gsize k = 0; k < n; k++)
    {
      Wave *wave = &g_array_index (waves, Wave, k);

      wave->lost = !wave->found
                   && remaining_at (remaining, n_remaining, wave->peak.frequency, resolution)
                          < MIN (least, GONE * wave->peak.amplitude);
    }
}

/* Decomposes each cluster of peaks into a few waves at once, the strongest first, and again with
 * all others and their images subtracted, until they converge. Peaks of a cluster without such
 * waves (noise, changing frequencies) are treated one by one. */
static void
part_clusters (Remainder *remainder, const double *times, double step, double least, GArray *waves)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Wave));

  for (int pass = 0; pass < PASSES; pass++)
    {
      g_autoptr (GArray) clusters = NULL;
      gboolean moved = FALSE;

      remove_trend (remainder);
      clusters = find_clusters (remainder, times, step, least, waves, parts);
      for (guint c = 0; c < MIN (clusters->len, MAX_LINES); c++)
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

/* waves: at first one per peak */
static void
refine_all (Remainder *remainder, const double *times, double step, double least, GArray *waves)
{
  part_clusters (remainder, times, step, least, waves);
  settle (remainder, times, step, least, EMERGING, waves);
  if (drop_emerged (remainder, least, (Wave *) waves->data, waves->len))
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
  g_autoptr (GArray) waves = g_array_new (FALSE, TRUE, sizeof (Wave));
  GArray *lines = g_array_sized_new (TRUE, TRUE, sizeof (IfbamLine), 1);
  Windows windows = { 0 };
  Remainder remainder = { .n = n_rows, .windows = &windows };
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
      const Wave wave = { .peak = { peaks[k].frequency,
                                    largest > 0.0 ? peaks[k].amplitude / largest : 0.0 } };

      strongest = MAX (strongest, wave.peak.amplitude);
      g_array_append_val (waves, wave);
    }
  refine_all (&remainder, times, step, threshold * strongest, waves);
  restore_unexplained (&remainder, threshold * strongest, (Wave *) waves->data, waves->len);
  remaining = find_remaining (&remainder, times, GONE * threshold * strongest, &n_remaining);
  for (gsize k = 0; k < waves->len; k++)
    {
      const Wave *wave = &g_array_index (waves, Wave, k);
      IfbamLine line = { wave->peak.frequency, NAN, NAN, NAN, wave->peak.amplitude * largest };

      if (wave->found)
        line = (IfbamLine){ carg (wave->u) / (IFBAM_TWO_PI * step), -log (cabs (wave->u)) / step,
                            2.0 * cabs (wave->a) * largest, carg (wave->a),
                            shown_amplitude (wave, n_rows) * largest };
      else if (wave->emerged
               || (n_peaks > 1
                   && is_explained (wave, remaining, n_remaining, 1.0 / ((double) n_rows * step))))
        continue;
      g_array_append_val (lines, line);
    }
  if (lines->len > 1)
    qsort (lines->data, lines->len, sizeof (IfbamLine), compare_frequencies);
  for (guint i = 0; i < WINDOWS; i++)
    g_free (windows.values[i]);
  *n_lines = lines->len;
  return (IfbamLine *) g_array_free (lines, FALSE);
}
