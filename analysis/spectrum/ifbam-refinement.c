/* ifbam-refinement.c: the lines that make the peaks of a spectrum, by harmonic inversion
 *
 * A transform's peak is as wide as the course is short, and a line that decays or grows bends it.
 * Harmonic inversion takes the course for a sum of waves a u^t, with complex a and u, and solves for
 * both; it has no resolution in this sense. The method is filter diagonalisation, the code harminv's
 * (Mandelshtam and Taylor 1997, "Harmonic inversion of time signals", J. Chem. Phys. 107, 6756).
 *
 * Each peak is looked at alone: the course is shifted down by the peak's frequency, weighted with a
 * sliding window and thinned. Every wave stays one, with another power of u, and those far off become
 * small (decimated signals: Mandelshtam, Taylor, Shoemaker and Weeks 1997, Chem. Phys. Lett. 264,
 * 513). Of the waves that harminv finds there, the one counts that explains the transform around the
 * peak best, alone or together with another one: a peak may be of several lines.
 *
 * harminv drops what is below 1e-5 of the strongest wave, and is as wrong as what it drops. So waves
 * are taken off the course from the strongest peak on, and in further rounds each is looked for in the
 * course less all others, its own conjugate, and a straight line, until none of them moves.
 *
 * The transform hides lines in the lobes of others, and what lobes add up to may look like a line. So
 * what remains is transformed again: a peak that has come out is looked for like the others, and one that the lines
 * of others explain is none. What waves leave that still move are peaks, too, but no lines: peaks come out one by one,
 * the strongest first, where the waves beside them stand still. Waves nearer to each other than four resolutions bend
 * each other; they are fitted together, by least squares.
 *
 * A wave that does not settle, or leaves more than a little of the course around its peak unexplained,
 * is not believed: the peak is no line, but noise, an overtone that slides, or a course that was
 * pushed on its way.
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

#define MOST_LINES   100 /* so that noise, which is all peaks, does not take minutes */
#define ROUNDS       24
#define EMERGING     12   /* rounds after which peaks may have come out */
#define TRIAL        3    /* rounds in which a wave may be lost, or move about */
#define UNSETTLED    0.1  /* of ln u over the whole course, after these */
#define DOUBLE       1.0  /* the same, nearer than which two waves are one */
#define SURE         1e-3 /* the same, at last, of waves that were fitted together */
#define SETTLED      1e-9 /* the same, when no more rounds are needed */
#define UNLIKE       0.5  /* part of the transform around the peak that a wave may leave at first */
#define BESIDE       0.3  /* the same, below which fewer waves are as good as more */
#define GONE         0.1  /* part of a peak that others' lines may leave, where it was none */
#define NEIGHBOURS   4.0  /* waves nearer to each other are fitted together [resolutions] */
#define AT_ONCE      6.0  /* of peaks nearer to each other that come out, the strongest is first */
#define PART_OF_BAND 0.7  /* waves in a resolution of half of a band, at most */
#define FOLDED       1e-4 /* part of a cluster's strongest that other lines may leave there */
#define PASSES       8    /* in which clusters are taken for a few waves each */
#define LEAST_TURNS  2.0  /* over the course, below which a wave is what does not swing */
#define PARTED       0.1  /* part of the weakest line that waves found at once may leave */
#define MOST_CHOICE  12   /* waves of harminv's that are tried together */
#define HOPELESS     0.3  /* the same around the peak, after the trial */
#define UNEXPLAINED  0.02 /* the same, at last */
#define AROUND       9    /* frequencies around the peak [resolutions] */
#define THINNED      64   /* rows of a thinned course, about */
#define WINDOW       8    /* length of the sliding window [thinned rows] */
#define ALIASED                                                                                    \
  0.15 /* half of the band [turns per thinned row]: what folds into it is 92 dB down */
#define LEAST_REACH 8.0 /* half of the band around a peak [resolutions] */
#define MOST_REACH  64.0
#define MAX_BASIS   40   /* functions of harminv's; its time grows with their third power */
#define NEAREST     1e-9 /* distance of two waves that harminv can tell [turns per thinned row] */
#define REFRESH     32   /* products between two powers that are computed anew */
#define WINDOWS     4    /* that are kept */
#define TILE        128  /* rows that are turned at once: four stretches of REFRESH */
#define FADED       36.0 /* a wave that decayed by so many powers of e is below the last bit */

/* Windows of the last lengths that were used: most bands have one of a few. */
typedef struct
{
  gsize length[WINDOWS]; /* 0: none */
  double *values[WINDOWS];
  guint oldest;
} Windows;

/* The course less the waves that were found. */
typedef struct
{
  gsize n;
  double *rows; /* [n] in parts of the largest value */
  Windows *windows;
} Remainder;

/* a u^t and its conjugate, t in rows */
typedef struct
{
  IfbamPeak peak;   /* that it is looked for at */
  gboolean emerged; /* the peak came out when others' lines were taken off */
  gboolean found, lost;
  gboolean together; /* it was fitted with those beside it in the last round */
  double complex a, u;
  double moved; /* in the last round: of ln u, times the rows */
  int rounds;   /* in which it was looked for */
} Wave;

/* A course shifted down by a frequency, weighted and thinned. */
typedef struct
{
  double turns;         /* per row, by which it was shifted */
  gsize stride;         /* of the thinned rows */
  gsize length;         /* of the sliding window [rows] */
  const double *window; /* [length] of the remainder's */
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

/* Blackman and Harris's four terms (Harris 1978, "On the use of windows for harmonic analysis with the
 * discrete Fourier transform"): lobes 92 dB down. The sum is 1. */
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

/* Rows of the remainder from first on (n, at most TILE), turned back by the band's frequency. Four stretches of REFRESH powers
 * go side by side: each power waits for the one before. */
static void
turn_rows (const Band *band, const Remainder *remainder, gsize first, gsize n,
           double complex *values)
{
  const double complex factor = rotation (-band->turns);
  double complex turned[TILE / REFRESH];

  for (gsize c = 0; c < TILE / REFRESH; c++)
    turned[c] = rotation (-band->turns * (double) (first + c * REFRESH));
  for (gsize k = 0; k < REFRESH; k++)
    for (gsize c = 0; c < TILE / REFRESH; c++)
      {
        const gsize i = c * REFRESH + k;
        const double re = creal (turned[c]), im = cimag (turned[c]);

        values[i] = i < n ? remainder->rows[first + i] * turned[c] : 0.0;
        ((double *) &turned[c])[0] = re * creal (factor) - im * cimag (factor);
        ((double *) &turned[c])[1] = re * cimag (factor) + im * creal (factor);
      }
}

/* Adds rows (from, to) in one stride of the remainder to the thinned rows whose windows they are in. */
static void
add_rows (Band *band, const double complex *values, gsize from, gsize to)
{
  const gsize at = from / band->stride, last = MIN (at, band->n - 1);
  const gsize reach = band->length / band->stride; /* windows over a row */
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

/* Every row adds to the thinned rows whose windows it is in. */
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

/* reach: half of the band that matters [resolutions] */
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

/* What the shift and the window make of u's amplitude. */
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

/* Takes a wave, without its conjugate, off the thinned rows. */
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

/* Hann's, for thinned row j */
static double
hann (const Band *band, gsize j)
{
  return 1.0 - cosine ((double) j / (double) band->n);
}

/* The transform, with Hann's window, at a distance [resolutions] from the middle of the band: of the
 * thinned rows, and of a wave a u^j among them. */
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

/* For harminv: whether it may go on from its wave k, so that all are finite and none stands on another
 * one: the matrices would not be finite, and LAPACK would end the program. */
static int
stands_apart (harminv_data data, int k, void *kept)
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

/* harminv_solve(), but safe. */
static void
solve (harminv_data data)
{
  g_autoptr (GArray) angles = g_array_new (FALSE, FALSE, sizeof (double));
  int before;

  harminv_solve_once (data);
  do
    {
      before = harminv_get_num_freqs (data);
      harminv_solve_again (data, stands_apart, angles);
    }
  while (harminv_get_num_freqs (data) < before);
}

/* The transform at AROUND frequencies about the middle of the band. */
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

/* harminv's waves, the strongest in the middle of the band first. */
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

/* What the waves of a list that are kept leave of the transform, but for one, in parts of it. */
static double
left_without (const double complex *whole, const Share *shares, const gboolean *kept, guint n,
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

/* Gives up waves as long as the others explain the transform nearly as well; returns what the rest leaves. */
static double
give_up (const double complex *whole, const Share *shares, gboolean *kept, guint n)
{
  double left = left_without (whole, shares, kept, n, n);

  for (guint turn = 1; turn < n; turn++)
    {
      double least = INFINITY;
      guint weakest = n;

      for (guint i = 0; i < n; i++)
        {
          const double without = kept[i] ? left_without (whole, shares, kept, n, i) : INFINITY;

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

/* The strongest of the fewest of harminv's waves that explain the transform: one, or several where lines
 * stand so near to each other that none does alone. */
static gboolean
choose (const Band *band, harminv_data data, double spacing, double complex *a, double complex *u)
{
  g_autoptr (GArray) list = list_shares (band, data, spacing);
  const Share *shares = (const Share *) list->data;
  const guint n = MIN (list->len, MOST_CHOICE);
  gboolean kept[MOST_CHOICE];
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
is_sound (const Wave *wave)
{
  double size = cabs (wave->u), turns = carg (wave->u) / IFBAM_TWO_PI;

  return isfinite (cabs (wave->a)) && isfinite (size) && size > 0.0 && turns > 0.0 && turns < 0.5;
}

/* The wave at a frequency [turns per row]; of one that is known the conjugate is taken off. */
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
  if (transform_rows (&band, 0.0) == 0.0) /* harminv does not live through that */
    return wave;
  edge = MIN (reach * (double) band.stride / (double) remainder->n, 0.49);
  n_basis = (int) MIN (2.2 * edge * (double) band.n + 2.0, MAX_BASIS);
  n_basis = CLAMP ((int) band.n / 2 - 1, 2, n_basis);
  data = harminv_data_create ((int) band.n, band.rows, -edge, edge, n_basis);
  solve (data);
  wave.found = choose (&band, data, reach / LEAST_REACH, &a, &u);
  harminv_data_destroy (data);
  if (!wave.found)
    return wave;
  wave.u = cpow (u, 1.0 / (double) band.stride) * rotation (turns);
  wave.a = a / band_gain (&band, wave.u);
  wave.found = is_sound (&wave);
  return wave;
}

/* Adds or, with a sign of -1, takes off a wave and its conjugate. */
static void
add_wave (Remainder *remainder, const Wave *wave, double sign)
{
  double logarithm = log (cabs (wave->u)), turns = carg (wave->u) / IFBAM_TWO_PI;
  double complex power = 0.0;

  for (gsize i = 0; i < remainder->n; i++)
    {
      if (i % REFRESH == 0)
        power = wave->a * exp ((double) i * logarithm) * rotation ((double) i * turns);
      remainder->rows[i] += sign * 2.0 * creal (power);
      power *= wave->u;
    }
}

/* The part of the course in which a wave lives. */
static Remainder
part_of (const Remainder *remainder, const Wave *wave)
{
  double decay = wave->found ? -log (cabs (wave->u)) : 0.0;
  Remainder part = *remainder;

  if (decay * (double) part.n > FADED)
    part.n = MAX ((gsize) (FADED / decay), IFBAM_LEAST_ROWS);
  return part;
}

/* Half of the band that a wave needs: one that decays within a part of the course is wide. */
static double
reach_of (const Remainder *remainder, const Wave *wave)
{
  double width = 0.0;

  if (wave->found)
    width = fabs (log (cabs (wave->u))) * (double) remainder->n / IFBAM_TWO_PI;
  return CLAMP (4.0 * width, LEAST_REACH, MOST_REACH);
}

/* Where a wave is found wider than the band, the band was too narrow. */
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

/* How far apart two waves are over the whole course. */
static double
distance (const Remainder *remainder, const Wave *one, const Wave *other)
{
  return cabs (clog (one->u / other->u)) * (double) remainder->n;
}

/* How far away the nearest of waves is, but for one. */
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

/* Two large waves that stand together and nearly cancel explain anything. */
static gboolean
has_double (const Remainder *remainder, const Wave *wave, const Wave *waves, gsize n_waves,
            gsize except)
{
  return nearest_distance (remainder, wave, waves, n_waves, except) < DOUBLE;
}

/* Rounds that a wave has to settle: more where others stand beside it, or its own image and what does not swing. */
static int
trial_of (const Wave *wave, double duration)
{
  return wave->emerged || wave->peak.frequency * duration < NEIGHBOURS ? 3 * TRIAL : TRIAL;
}

/* Looks for wave k in what remains, and takes it off. */
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

/* Fits waves that stand beside each other at once: each bends what is found of the others, and one by one they creep.
 * Nothing changes where that leads astray. */
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
  /* (Where nothing better is nearby those that have been fitted are as good as they get.) */
  sound = ifbam_fit_tones (band.rows, band.n, tones, n) || fitted;
  for (gsize k = 0; k < n; k++)
    {
      next[k] = *waves[k];
      next[k].u = cexp (tones[k].s / (double) band.stride) * rotation (band.turns);
      next[k].a = tones[k].b / band_gain (&band, next[k].u);
      sound = sound && is_sound (&next[k])
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

/* Fits all waves that stand beside each other. */
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
      for (end = first + 1; end < found && end - first < MOST_CHOICE
                            && carg (row[end]->u) - carg (row[end - 1]->u)
                                   < NEIGHBOURS * IFBAM_TWO_PI / (double) remainder->n;)
        end++;
      if (end - first > 1)
        fit_together (remainder, row + first, end - first);
      else
        row[first]->together = FALSE;
    }
}

/* Takes the straight line off that fits the rows best: what stands or moves on, beside the waves. */
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

/* The strongest first. */
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

/* How much of the course around a wave is left unexplained: the transform of what remains, in parts of
 * the wave's, at frequencies around it. */
static double
misfit (const Remainder *remainder, const Wave *wave)
{
  g_auto (Band) band = { 0 };
  Remainder part = part_of (remainder, wave);
  double reach = reach_of (&part, wave), spacing = reach / LEAST_REACH;
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

/* Gives up those that explain too little of their peaks. */
static void
drop_hopeless (Remainder *remainder, double duration, Wave *waves, gsize n)
{
  for (gsize k = 0; k < n; k++)
    if (waves[k].rounds == trial_of (&waves[k], duration) && !waves[k].lost
        && !(waves[k].found && misfit (remainder, &waves[k]) < HOPELESS))
      {
        if (waves[k].found)
          add_wave (remainder, &waves[k], 1.0);
        waves[k].found = FALSE;
        waves[k].lost = TRUE;
      }
}

/* The peaks of what remains above an amplitude, by frequency (n_peaks, transfer full); times as the course's. */
static IfbamPeak *
find_remaining (const Remainder *remainder, const double *times, double least, gsize *n_peaks)
{
  g_autoptr (IfbamSpectrum) spectrum =
      ifbam_spectrum_new (times, remainder->rows, remainder->n, IFBAM_WINDOW_HANN, NULL);

  *n_peaks = 0;
  return spectrum == NULL ? NULL : ifbam_spectrum_find_peaks_above (spectrum, least, n_peaks);
}

/* The first of the peaks (n, by frequency) at a frequency or above it. */
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

/* What waves that still move leave about a frequency: their own errors are peaks, too. Hann's lobes fall with the
 * third power of the distance. */
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

/* Whether a stronger peak stands nearby: it comes first, and may explain this one. */
static gboolean
is_outshone (const IfbamPeak *peaks, gsize n, gsize i, double reach)
{
  for (gsize k = first_peak (peaks, n, peaks[i].frequency - reach);
       k < n && peaks[k].frequency - peaks[i].frequency < reach; k++)
    if (peaks[k].amplitude > peaks[i].amplitude
        && fabs (peaks[k].frequency - peaks[i].frequency) < reach)
      return TRUE;
  return FALSE;
}

/* Looks also for the peaks that have come out, if they are as strong as a line must be. */
static void
add_emerged (const Remainder *remainder, const double *times, double least, GArray *waves)
{
  gsize n;
  const guint n_waves = waves->len;
  g_autofree IfbamPeak *peaks = NULL;
  const double resolution =
      (double) (remainder->n - 1) / ((double) remainder->n * (times[remainder->n - 1] - times[0]));

  if (waves->len >= MOST_LINES)
    return;
  peaks = find_remaining (remainder, times, least, &n);
  for (gsize i = 0; i < n; i++)
    {
      Wave wave = { .peak = peaks[i], .emerged = TRUE, .moved = INFINITY };
      gboolean known = is_outshone (peaks, n, i, AT_ONCE * resolution) || peaks[i].amplitude < least
                       || waves->len >= MOST_LINES
                       || peaks[i].amplitude < still_moving ((const Wave *) waves->data, n_waves,
                                                             peaks[i].frequency, resolution);

      /* What has not been found yet remains. */
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

/* The strongest of what remains at a frequency. */
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

/* Whether others' lines explain a peak at which none was found: hardly anything remains there. */
static gboolean
is_explained (const Wave *wave, const IfbamPeak *remaining, gsize n, double resolution)
{
  return remaining_at (remaining, n, wave->peak.frequency, resolution)
         <= GONE * wave->peak.amplitude;
}

/* What the transform shows of a wave alone, by Hann's window, in parts of the course's largest value. */
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

/* Whether a line that no peak shows counts: it is as strong as a peak must be, no drift, and not one of the
 * lines that schemes have near the Nyquist frequency. */
static gboolean
is_inside (const Wave *wave, gsize n, double least)
{
  const double turns = carg (wave->u) / IFBAM_TWO_PI;

  return turns * (double) n > LEAST_TURNS && turns < 0.5 * IFBAM_SPECTRUM_NYQUIST_PART
         && shown_amplitude (wave, n) > least;
}

/* Whether a wave counts, if it explains its peak: one that is much weaker does not. */
static gboolean
is_sought (const Remainder *remainder, const Wave *wave, double least)
{
  return wave->found && wave->moved < (wave->together ? SURE : UNSETTLED)
         && (wave->emerged ? is_inside (wave, remainder->n, least)
                           : shown_amplitude (wave, remainder->n) > 0.5 * least);
}

/* Gives back what came out and is no line; whether there was any. */
static gboolean
drop_emerged (Remainder *remainder, double least, Wave *waves, gsize n)
{
  gboolean any = FALSE;

  for (gsize k = 0; k < n; k++)
    if (waves[k].emerged && !waves[k].lost && !is_sought (remainder, &waves[k], least))
      {
        any |= waves[k].found;
        if (waves[k].found)
          add_wave (remainder, &waves[k], 1.0);
        waves[k].found = FALSE;
        waves[k].lost = TRUE;
      }
  return any;
}

/* Gives back what is no line in the end: it does not explain its peak, and no other one. */
static void
give_back (Remainder *remainder, double least, Wave *waves, gsize n)
{
  g_autofree gboolean *counts = g_new (gboolean, n + 1);

  for (gsize k = 0; k < n; k++)
    counts[k] =
        is_sought (remainder, &waves[k], least) && misfit (remainder, &waves[k]) < UNEXPLAINED;
  for (gsize k = 0; k < n; k++)
    {
      if (waves[k].found && !counts[k])
        add_wave (remainder, &waves[k], 1.0);
      waves[k].found = counts[k];
    }
}

/* Looks for all waves in turn, until none moves any more. emerging: so many rounds may bring out peaks.
 * least: the lowest amplitude of a line. */
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
      for (gsize k = MOST_LINES; k < waves->len; k++)
        wave[k].lost = TRUE;
      remove_trend (remainder);
      for (gsize k = 0; k < waves->len; k++)
        refine_one (remainder, step, wave, waves->len, k);
      refine_together (remainder, wave, waves->len);
      drop_hopeless (remainder, step * (double) remainder->n, wave, waves->len);
      if (round <= emerging)
        add_emerged (remainder, times, least, waves);
      if (are_settled ((const Wave *) waves->data, waves->len))
        break;
    }
}

/* Peaks and waves that stand together, and where those of others begin [turns per row]. */
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

/* The peaks of a course, the waves that have been taken off, and what has come out since, as clusters, the strongest first. */
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
        if (emerged[i].amplitude > least && !is_outshone (emerged, n, i, AT_ONCE * resolution))
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

/* A band about a cluster, and which of its waves are the cluster's [resolutions]. */
static double
within (const Cluster *cluster, gsize n)
{
  return LEAST_REACH - 1.0 + 0.5 * (cluster->high - cluster->low) * (double) n;
}

static gboolean
is_within (const Wave *wave, const Cluster *cluster, gsize n)
{
  const double turns = carg (wave->u) / IFBAM_TWO_PI;

  return fabs (turns - 0.5 * (cluster->low + cluster->high)) * (double) n <= within (cluster, n)
         && turns >= cluster->from && turns < cluster->to && turns * (double) n > LEAST_TURNS
         && turns < 0.5 * IFBAM_SPECTRUM_NYQUIST_PART;
}

/* Which of the waves that a band is made of are the cluster's (n_parts); the others are of other clusters, images, or what does
 * not swing. FALSE if one of its own is none that may be. */
static gboolean
take_tones (const Remainder *remainder, const Band *band, const Cluster *cluster, double step,
            double least, const IfbamTone *tones, gsize n_tones, Wave *parts, gsize *n_parts)
{
  const double n = (double) remainder->n;

  *n_parts = 0;
  for (gsize k = 0; k < n_tones; k++)
    {
      Wave part = { .found = TRUE, .rounds = 2, .moved = INFINITY };

      part.u = cexp (tones[k].s / (double) band->stride) * rotation (band->turns);
      part.a = tones[k].b / band_gain (band, part.u);
      if (!is_sound (&part) || !is_within (&part, cluster, remainder->n))
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

/* Takes the cluster's waves off once more, or for the first time: those that were known are put back before, but for their
 * images. Whether they leave hardly anything now; moved: (inout) whether anything has changed */
static gboolean
part_cluster (Remainder *remainder, double step, double least, const Cluster *cluster, double level,
              GArray *parts, gboolean *moved)
{
  g_auto (Band) band = { 0 };
  const double reach = within (cluster, remainder->n) + 1.0;
  IfbamTone tones[MOST_CHOICE];
  Wave next[MOST_CHOICE];
  gsize n_next = 0, n_tones;
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (Wave));

  /* So few waves would leave a gap. */
  if ((cluster->high - cluster->low) * (double) remainder->n >= (MOST_CHOICE - 1) * AT_ONCE)
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
  n_tones = ifbam_part_tones (band.rows, band.n, level, tones, MOST_CHOICE);
  if (n_tones == 0
      || !take_tones (remainder, &band, cluster, step, least, tones, n_tones, next, &n_next))
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

/* The peak that has no wave yet and is nearest to a wave, if it is near. */
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

/* Gives the waves to the peaks that they make; the others have come out. Where they leave nothing
 * that could be a line none is looked for: what is found in rounding bends those beside it. */
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
      /* What is weaker than lines must be is there for the others' sake. */
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

/* Of peaks that stand together no line may be looked for alone: each cluster is taken for a few waves at once, the strongest
 * first, and once more with all others and their images taken off, until nothing moves. Where no few waves do it (noise, what
 * slides) its peaks are looked for one by one, as others. */
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
      for (guint c = 0; c < MIN (clusters->len, MOST_LINES); c++)
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

/* waves: one for each peak at first */
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
 * @times: (array length=n_rows): evenly spaced instants [s]
 * @values: (array length=n_rows): the values at these instants
 * @n_rows: how many there are, at least 8
 * @peaks: (array length=n_peaks): what ifbam_spectrum_find_peaks() found in them
 * @n_peaks: how many there are
 * @threshold: the part of the strongest peak that a line must exceed which no peak shows
 * @n_lines: (out): how many lines there are
 * @error: return location for an error
 *
 * Finds the lines that make the peaks, with frequency and decay rate. They have no resolution: where a
 * course is a sum of decaying or growing sines, they are right to many digits, however short the course
 * and however close two lines: a peak may be of several, and one that the lines of others explain is none.
 * A peak that no line explains (noise, an overtone of a nonlinear network whose amplitude changes) keeps
 * its frequency, and has the decay rate NaN; so have all but the 100 strongest peaks.
 *
 * Returns: (transfer full) (array length=n_lines): the lines by frequency, or %NULL with
 *   %IFBAM_ERROR_COURSE for rows that are too few, not evenly spaced or not finite
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
  give_back (&remainder, threshold * strongest, (Wave *) waves->data, waves->len);
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
