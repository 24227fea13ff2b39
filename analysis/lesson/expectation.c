/* expectation.c: comparisons of measures, "max(m1.position, 1 s..2 s) < 5 mm"
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lesson/expectation.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/number-text.h"

#define MAX_CALLS 9
/* Modes that are computed for frequency(mode N). */
#define MODES 40
#define WANTED                                                                                     \
  "want LEFT < RIGHT, LEFT > RIGHT, LEFT within 1 %% of RIGHT, \"diverges\" or \"holds\""

typedef enum
{
  LESS,
  MORE,
  WITHIN,
  DIVERGES,
  HOLDS,
} Comparison;

/* A measure in an expression. */
typedef struct
{
  char *text;    /* as in the file: "max(m1.position)" */
  char *measure; /* as for `sweep`: "max:m1.position" */
  guint column;  /* among those of the measure */
  double from, to;
} Call;

struct _IfbamExpectation
{
  char *text;
  guint line;
  Comparison comparison;
  char *left, *right, *tolerance; /* with $q1, $q2, ... for the calls */
  gboolean relative;              /* the tolerance is a percentage of RIGHT */
  GArray *calls;                  /* Call */
};

/* TRUE for a measure with one value: those of `sweep` of samples and events, frequency and damping. */
static gboolean
is_measure (const char *word)
{
  const int kind = ifbam_measure_find (word);

  return g_str_equal (word, "frequency") || g_str_equal (word, "damping")
         || (kind >= 0 && kind < IFBAM_MEASURE_RESPONSE && kind != IFBAM_MEASURE_SPECTRUM);
}

static void
call_clear (gpointer data)
{
  Call *call = data;

  g_free (call->text);
  g_free (call->measure);
}

void
ifbam_expectation_free (gpointer expectation)
{
  IfbamExpectation *self = expectation;

  if (self == NULL)
    return;
  g_free (self->text);
  g_free (self->left);
  g_free (self->right);
  g_free (self->tolerance);
  g_array_unref (self->calls);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamExpectation, ifbam_expectation_free)

const char *
ifbam_expectation_text (const IfbamExpectation *expectation)
{
  return expectation->text;
}

guint
ifbam_expectation_line (const IfbamExpectation *expectation)
{
  return expectation->line;
}

/* Reading */

/* Reads "FROM..TO". Returns a reason (transfer full), or NULL. */
static char *
read_window (Call *call, char *text)
{
  char *dots = strstr (text, "..");
  char *reason = NULL;

  if (dots == NULL)
    return g_strdup_printf ("\"%s\" is no part of the time (want FROM..TO, such as 1 s..2 s)",
                            text);
  *dots = '\0';
  if (ifbam_units_parse (g_strstrip (text), "s", "time", "1 s", &call->from, &reason)
      && ifbam_units_parse (g_strstrip (dots + 2), "s", "time", "1 s", &call->to, &reason)
      && !(call->from < call->to))
    reason = g_strdup_printf ("%s..%s: the end is not after the beginning", text, dots + 2);
  return reason;
}

/* Reads the arguments of a measure. Returns a reason (transfer full), or NULL. */
static char *
read_call (Call *call, const char *word, char *arguments)
{
  char *comma = strrchr (arguments, ',');
  const gboolean of_modes = g_str_equal (word, "frequency") || g_str_equal (word, "damping");
  char *end = NULL;

  call->from = 0;
  call->to = INFINITY;
  if (comma != NULL)
    {
      char *reason;

      *comma = '\0';
      reason = read_window (call, comma + 1);
      if (reason != NULL)
        return reason;
    }
  g_strstrip (arguments);
  if (of_modes && g_str_has_prefix (arguments, "mode "))
    {
      const guint64 number = g_ascii_strtoull (arguments + 5, &end, 10);

      if (*end != '\0' || number < 1 || number > MODES)
        return g_strdup_printf ("\"%s\": want a mode from 1 to %d", arguments, MODES);
      call->column = (guint) number - 1;
      call->measure = g_strdup (g_str_equal (word, "damping") ? word : "frequencies");
    }
  else if (*arguments == '\0' || g_str_equal (word, "damping"))
    return g_strdup_printf ("want %s(%s)", word, of_modes ? "mode 1" : "m1.position");
  else
    call->measure = g_strdup_printf ("%s:%s", of_modes ? "spectrum" : word, arguments);
  return NULL;
}

/* Returns the text with $q1, $q2, ... in place of measures, which are added to the calls (transfer
 * full); NULL with a reason. */
static char *
replace_calls (IfbamExpectation *self, const char *text, char **reason)
{
  g_autoptr (GString) formula = g_string_new (NULL);

  for (const char *at = text; *at != '\0';)
    {
      const gsize length = strspn (at, "abcdefghijklmnopqrstuvwxyz-");
      const char *open = at + length, *close = *open == '(' ? strchr (open, ')') : NULL;
      g_autofree char *word = g_strndup (at, length), *arguments = NULL;
      Call call = { 0 };

      if (length == 0 || *open != '(' || !is_measure (word))
        {
          g_string_append_len (formula, at, (gssize) MAX (length, 1));
          at += MAX (length, 1);
          continue;
        }
      if (close == NULL || self->calls->len == MAX_CALLS)
        {
          *reason = close == NULL ? g_strdup_printf ("%s( lacks its )", word)
                                  : g_strdup_printf ("more than %d measures", MAX_CALLS);
          return NULL;
        }
      arguments = g_strndup (open + 1, (gsize) (close - open - 1));
      call.text = g_strndup (at, (gsize) (close + 1 - at));
      *reason = read_call (&call, word, arguments);
      g_array_append_val (self->calls, call);
      if (*reason != NULL)
        return NULL;
      g_string_append_printf (formula, "$q%u", self->calls->len);
      at = close + 1;
    }
  return g_strdup (formula->str);
}

/* Splits the text at its comparison. FALSE: there is none. */
static gboolean
split (IfbamExpectation *self, char *text, char **left, char **right)
{
  char *within = strstr (text, " within "), *of = within == NULL ? NULL : strstr (within, " of ");
  char *sign = strpbrk (text, "<>");

  *left = text;
  if (of != NULL)
    {
      char *percent;

      *within = *of = '\0';
      *right = of + 4;
      self->comparison = WITHIN;
      self->tolerance = g_strdup (g_strstrip (within + 8));
      percent = strchr (self->tolerance, '%');
      self->relative = percent != NULL && percent[1] == '\0';
      if (self->relative)
        *percent = '\0';
      return TRUE;
    }
  if (sign == NULL)
    return FALSE;
  self->comparison = *sign == '<' ? LESS : MORE;
  *right = sign + 1;
  *sign = '\0';
  return TRUE;
}

IfbamExpectation *
ifbam_expectation_new (const char *text, guint line, char **reason)
{
  g_autoptr (IfbamExpectation) self = g_new0 (IfbamExpectation, 1);
  g_autofree char *copy = g_strdup (text);
  char *left, *right;

  self->text = g_strdup (text);
  self->line = line;
  self->calls = g_array_new (FALSE, FALSE, sizeof (Call));
  g_array_set_clear_func (self->calls, call_clear);
  if (g_str_equal (text, "diverges") || g_str_equal (text, "holds"))
    {
      self->comparison = *text == 'd' ? DIVERGES : HOLDS;
      return g_steal_pointer (&self);
    }
  if (!split (self, copy, &left, &right) || *g_strstrip (left) == '\0'
      || *g_strstrip (right) == '\0')
    {
      *reason = g_strdup_printf ("\"%s\" is no comparison (" WANTED ")", text);
      return NULL;
    }
  self->left = replace_calls (self, left, reason);
  self->right = self->left == NULL ? NULL : replace_calls (self, right, reason);
  if (self->right != NULL && self->calls->len == 0)
    *reason = g_strdup_printf ("\"%s\" has no measure (want one, such as max(m1.position))", text);
  return *reason == NULL ? g_steal_pointer (&self) : NULL;
}

/* Testing */

typedef struct
{
  double value;
  const char *unit;  /* interned */
  gboolean diverged; /* the run did: there is no value */
} Measured;

/* Measures once. FALSE with an error. */
static gboolean
measure (const Call *call, const IfbamNetworkBytes *bytes, const char *const *settings,
         const IfbamSweepRun *run, Measured *found, GError **error)
{
  const char *const none[] = { NULL }, *const measured[] = { call->measure, NULL };
  const gboolean is_line = g_str_has_prefix (call->measure, "spectrum:");
  g_autoptr (IfbamSweep) sweep =
      ifbam_sweep_new (bytes, settings, none, measured, is_line ? 1 : MODES, error);

  if (sweep == NULL)
    return FALSE;
  ifbam_measures_set_window (sweep->measures, call->from, call->to);
  if (!ifbam_sweep_run (sweep, run, error))
    return FALSE;
  found->diverged = sweep->grid->state[0] == IFBAM_VARIANT_DIVERGED;
  ifbam_sweep_place_modes (sweep);
  found->unit = g_intern_string (g_array_index (sweep->grid->arrays, IfbamGridArray, 0).unit);
  found->value = call->column < sweep->grid->n_values ? sweep->grid->values[call->column] : NAN;
  return TRUE;
}

/* Computes one side. FALSE with an error. */
static gboolean
compute_side (const char *text, const IfbamUnknown *unknowns, const double *values, gsize n,
              const char *unit, double *result, GError **error)
{
  g_autofree char *reason = NULL;
  g_autoptr (IfbamFormula) formula = ifbam_units_parse_expression (
      text, unknowns, n, unit, "value", ifbam_units_example (unit), &reason);

  if (formula == NULL)
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "%s", reason);
  *result = ifbam_formula_value (formula, values);
  return TRUE;
}

/* Compares both sides. */
static gboolean
compare (const IfbamExpectation *self, const IfbamUnknown *unknowns, const double *values,
         const char *unit_of_measure, gboolean *fulfilled, GError **error)
{
  const gsize n = self->calls->len;
  double left = 0, right = 0, tolerance = 0;
  IfbamDimension dimension;
  gboolean is_bare;
  g_autofree char *reason = NULL;
  g_autoptr (IfbamFormula) formula =
      ifbam_expression_new (self->left, unknowns, n, &dimension, &is_bare, &reason);
  const char *unit = formula == NULL || is_bare ? unit_of_measure : ifbam_units_name (&dimension);

  if (!compute_side (self->left, unknowns, values, n, unit, &left, error)
      || !compute_side (self->right, unknowns, values, n, unit, &right, error)
      || (self->comparison == WITHIN
          && !compute_side (self->tolerance, unknowns, values, n, self->relative ? "" : unit,
                            &tolerance, error)))
    return FALSE;
  if (self->relative)
    tolerance *= fabs (right) / 100;
  *fulfilled = self->comparison == LESS   ? left < right
               : self->comparison == MORE ? left > right
                                          : fabs (left - right) <= tolerance;
  return TRUE;
}

/* Tests divergence, by a run that measures anything. */
static gboolean
test_divergence (const IfbamExpectation *self, const IfbamNetworkBytes *bytes,
                 const char *const *settings, const IfbamSweepRun *run, gboolean *fulfilled,
                 char **detail, GError **error)
{
  const Call energy = { .measure = (char *) "max:network.kinetic", .to = INFINITY };
  Measured found;

  if (!measure (&energy, bytes, settings, run, &found, error))
    return FALSE;
  *fulfilled = found.diverged == (self->comparison == DIVERGES);
  *detail = g_strdup (found.diverged ? "the run diverges" : "the run holds");
  return TRUE;
}

gboolean
ifbam_expectation_test (const IfbamExpectation *expectation, const IfbamNetworkBytes *bytes,
                        const char *const *settings, const IfbamSweepRun *run, gboolean *fulfilled,
                        char **detail, GError **error)
{
  g_autoptr (GString) said = g_string_new (NULL);
  static const char *const names[MAX_CALLS] = {
    "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9"
  };
  IfbamUnknown unknowns[MAX_CALLS];
  double values[MAX_CALLS];
  const char *unit = NULL;
  Measured found = { 0 };

  if (expectation->comparison >= DIVERGES)
    return test_divergence (expectation, bytes, settings, run, fulfilled, detail, error);
  *fulfilled = FALSE;
  for (guint i = 0; i < expectation->calls->len && !found.diverged; i++)
    {
      const Call *call = &g_array_index (expectation->calls, Call, i);
      IfbamConversion conversion;

      if (!measure (call, bytes, settings, run, &found, error))
        return FALSE;
      values[i] = found.value;
      unknowns[i].name = names[i];
      ifbam_unit_read (found.unit, &unknowns[i].dimension, &conversion);
      unit = unit == NULL ? found.unit : unit;
      g_string_append_printf (said, "%s%s = %.8g%s%s", i > 0 ? ", " : "", call->text, found.value,
                              *found.unit != '\0' ? " " : "", found.unit);
    }
  if (!found.diverged && !compare (expectation, unknowns, values, unit, fulfilled, error))
    return FALSE;
  *detail = g_strdup (found.diverged ? "the run diverges" : said->str);
  return TRUE;
}
