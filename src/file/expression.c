/* expression.c: arithmetic in values, "2 * sqrt($k * $m)", with units
 *
 *   sum     = product { ("+" | "-") product }
 *   product = sign { ("*" | "/") sign | UNIT }
 *   sign    = [ "-" | "+" ] power
 *   power   = atom [ ("^" | "**") [ "-" ] NUMBER ]
 *   atom    = NUMBER [ UNIT ] | "(" sum ")" | FUNCTION "(" sum ")" | "pi" | "$" NAME | UNIT
 *
 * A unit belongs to its number: "10 N / 2 mm" is 10 N / (2 mm). Quantities are converted to SI when
 * they are read, which leaves a short list of operations on numbers: units are looked up once for
 * any number of values. (Available libraries such as tinyexpr and muParser have no units; each
 * quantity would have to be read twice.)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/expression.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

/* Largest depth of parentheses. */
#define MAX_DEPTH 64

/* Words */

static const char *
skip (const char *p)
{
  return p + strspn (p, " \t");
}

static gsize
word_length (const char *p)
{
  gsize n = 0;

  if (g_ascii_isalpha (*p))
    while (g_ascii_isalnum (p[n]) || p[n] == '_')
      n++;
  return n;
}

/* Returns the operation of the function with "(" at the start of P; -1: none. */
static int
function_at (const char *p)
{
  const gsize n = word_length (p);

  for (guint f = IFBAM_FIRST_FUNCTION; f < ifbam_n_operations && *skip (p + n) == '('; f++)
    if (strlen (ifbam_operations[f].word) == n && memcmp (p, ifbam_operations[f].word, n) == 0)
      return (int) f;
  return -1;
}

static gboolean
is_pi (const char *p)
{
  return word_length (p) == 2 && memcmp (p, "pi", 2) == 0;
}

static gboolean
begins_unit (const char *p)
{
  return (g_ascii_isalpha (*p) || *p == '%' || (guchar) *p >= 0x80) && function_at (p) < 0
         && !is_pi (p);
}

static const char *
skip_exponent (const char *p)
{
  const char *q = p;

  if (*q == '^')
    q++;
  else if (q[0] == '*' && q[1] == '*')
    q += 2;
  else if (*q != '-')
    return p;
  q += *q == '-' || *q == '+';
  if (!g_ascii_isdigit (*q))
    return p;
  while (g_ascii_isdigit (*q))
    q++;
  return q;
}

/* Returns the start of the next unit behind a joint (blanks, a dot, "*", "/"), or NULL. */
static const char *
skip_joint (const char *p)
{
  const char *q = skip (p);
  const gboolean divides = *q == '/';

  if (*q == '*' || *q == '.' || divides)
    q = skip (q + 1);
  else if (memcmp (q, "\xc2\xb7", MIN (strlen (q), 2)) == 0 && strlen (q) >= 2)
    q = skip (q + 2);
  else if (q == p)
    return NULL;
  return begins_unit (q) || (divides && *q == '(' && begins_unit (q + 1)) ? q : NULL;
}

gsize
ifbam_unit_length (const char *text)
{
  const char *p = text, *next;

  if (*p == '/' && begins_unit (skip (p + 1)))
    p = skip (p + 1);
  else if (!begins_unit (p))
    return 0;
  for (;;)
    {
      if (*p == '(')
        {
          const gsize inner = ifbam_unit_length (p + 1);

          if (inner == 0 || p[1 + inner] != ')')
            break;
          p += inner + 2;
        }
      else
        {
          while (g_ascii_isalnum (*p) || *p == '_' || *p == '%' || (guchar) *p >= 0x80)
            p++;
          p = skip_exponent (p);
        }
      next = skip_joint (p);
      if (next == NULL)
        break;
      /* "N/(2 m)" ends before the slash. */
      if (*next == '(' && next[1 + ifbam_unit_length (next + 1)] != ')')
        break;
      p = next;
    }
  return (gsize) (p - text);
}

gboolean
ifbam_is_expression (const char *text)
{
  const char *p = text + (*text == '-' || *text == '+');
  IfbamDigits digits;

  if (*p == '(' || *p == '$' || function_at (p) >= 0 || is_pi (p))
    return TRUE;
  if (!g_ascii_isdigit (*p) && *p != '.')
    return FALSE;
  if (!ifbam_digits_scan (p, &digits))
    return FALSE;
  p = skip (digits.rest + ifbam_unit_length (digits.rest));
  if (*p == '-' || *p == '+')
    {
      /* "1e-3-", "5-" and dates are no sums. */
      p = skip (p + 1);
      return g_ascii_isdigit (*p) || *p == '(' || *p == '$' || *p == '.' || g_ascii_isalpha (*p);
    }
  return *p == '*' || *p == '/' || *p == '^' || function_at (p) >= 0 || is_pi (p);
}

/* Parser */

typedef struct
{
  const char *p;
  const IfbamUnknown *unknowns;
  gsize n_unknowns;
  IfbamFormula *formula;
  guint depth;
  char **reason;
} Reader;

typedef struct
{
  IfbamDimension dimension;
  gboolean is_bare; /* there was no unit */
} Kind;

static gboolean read_sum (Reader *reader, Kind *kind);

static char *
name_dimension (const IfbamDimension *dimension)
{
  char *text = ifbam_dimension_text (dimension);

  if (*text != '\0')
    return text;
  g_free (text);
  return g_strdup ("a pure number");
}

static gboolean
is_pure (const Kind *kind)
{
  static const IfbamDimension none;

  return memcmp (&kind->dimension, &none, sizeof none) == 0;
}

static gboolean
read_unit (Reader *reader, const char *digits, Kind *kind)
{
  const gsize length = ifbam_unit_length (reader->p);
  g_autofree char *unit = g_strndup (reader->p, length);
  IfbamConversion conversion = { 0 };
  IfbamDigits number;

  switch (ifbam_unit_read (unit, &kind->dimension, &conversion))
    {
    case IFBAM_UNIT_FITS:
      break;
    case IFBAM_UNIT_NOT_SCALE:
      return ifbam_reject (reader->reason, "%s does not begin at zero: it can't be multiplied",
                           unit);
    case IFBAM_UNIT_UNKNOWN:
    case IFBAM_UNIT_MISFIT:
    case IFBAM_UNIT_ANGULAR:
    case IFBAM_UNIT_CYCLIC:
    case IFBAM_UNIT_NUMBER:
    default:
      return ifbam_reject (reader->reason,
                           "\"%s\" is no unit and no function (functions: sqrt, abs, "
                           "sin, cos, tan, asin, acos, atan, exp, log)",
                           unit);
    }
  ifbam_digits_scan (digits, &number);
  ifbam_formula_append (reader->formula, IFBAM_NUMBER, 0,
                        ifbam_digits_convert (digits, &number, &conversion));
  kind->is_bare = FALSE;
  reader->p = skip (reader->p + length);
  return TRUE;
}

static gboolean
read_number (Reader *reader, Kind *kind)
{
  const char *digits = reader->p;
  IfbamDigits number;

  if (!ifbam_digits_scan (digits, &number))
    return ifbam_reject (reader->reason, "a number is missing before \"%s\"", digits);
  reader->p = number.rest;
  if (ifbam_unit_length (reader->p) > 0)
    return read_unit (reader, digits, kind);
  ifbam_formula_append (reader->formula, IFBAM_NUMBER, 0,
                        ifbam_digits_convert (digits, &number, NULL));
  return TRUE;
}

static gboolean
read_unknown (Reader *reader, Kind *kind)
{
  const char *name = reader->p + 1;
  gsize n = 0;

  while (g_ascii_isalnum (name[n]) || name[n] == '_' || name[n] == '-')
    n++;
  for (guint i = 0; i < reader->n_unknowns; i++)
    if (strlen (reader->unknowns[i].name) == n && memcmp (reader->unknowns[i].name, name, n) == 0)
      {
        ifbam_formula_append (reader->formula, IFBAM_INPUT, i, 0);
        kind->dimension = reader->unknowns[i].dimension;
        kind->is_bare = is_pure (kind);
        reader->p = skip (name + n);
        return TRUE;
      }
  return ifbam_reject (reader->reason, "\"%.*s\" is no parameter", (int) n + 1, reader->p);
}

static gboolean
read_group (Reader *reader, Kind *kind)
{
  const char *opening = reader->p;

  if (++reader->depth > MAX_DEPTH)
    return ifbam_reject (reader->reason, "has more than %d parentheses within each other",
                         MAX_DEPTH);
  reader->p = skip (reader->p + 1);
  if (!read_sum (reader, kind))
    return FALSE;
  if (*reader->p != ')')
    return ifbam_reject (reader->reason, "the parenthesis of \"%.20s\" is not closed", opening);
  reader->p = skip (reader->p + 1);
  reader->depth--;
  return TRUE;
}

static gboolean
read_function (Reader *reader, guint f, Kind *kind)
{
  const IfbamOperation *function = &ifbam_operations[f];
  IfbamDimension *dimension = &kind->dimension;
  Kind flat;

  reader->p = skip (reader->p + strlen (function->word));
  if (!read_group (reader, kind))
    return FALSE;
  ifbam_formula_append (reader->formula, f, 0, 0);
  flat = *kind;
  if (function->takes == IFBAM_TAKES_ANGLE)
    flat.dimension.halves[IFBAM_BASIC_RADIAN] -=
        flat.dimension.halves[IFBAM_BASIC_RADIAN] == 2 ? 2 : 0;
  switch (function->takes)
    {
    case IFBAM_TAKES_ANGLE:
    case IFBAM_TAKES_NUMBER:
      if (!is_pure (&flat))
        {
          g_autofree char *found = name_dimension (dimension);

          return ifbam_reject (reader->reason, "%s of %s: it takes %s", function->word, found,
                               function->takes == IFBAM_TAKES_ANGLE ? "an angle" : "a pure number");
        }
      memset (dimension, 0, sizeof *dimension);
      if (function->gives_angle)
        {
          dimension->halves[IFBAM_BASIC_RADIAN] = 2;
          kind->is_bare = FALSE;
        }
      break;
    case IFBAM_TAKES_SQUARE:
      for (guint i = 0; i < IFBAM_N_BASIC_UNITS; i++)
        if (dimension->halves[i] % 2 != 0)
          {
            g_autofree char *found = name_dimension (dimension);

            return ifbam_reject (reader->reason, "sqrt of %s: that is no unit", found);
          }
        else
          dimension->halves[i] /= 2;
      break;
    case IFBAM_TAKES_ANYTHING:
    default:
      break;
    }
  return TRUE;
}

static gboolean
read_atom (Reader *reader, Kind *kind)
{
  const int f = function_at (reader->p);

  *kind = (Kind){ .is_bare = TRUE };
  if (*reader->p == '(')
    return read_group (reader, kind);
  if (*reader->p == '$')
    return read_unknown (reader, kind);
  if (f >= 0)
    return read_function (reader, (guint) f, kind);
  if (is_pi (reader->p))
    {
      ifbam_formula_append (reader->formula, IFBAM_NUMBER, 0, G_PI);
      reader->p = skip (reader->p + 2);
      return TRUE;
    }
  if (begins_unit (reader->p))
    return read_unit (reader, "1", kind);
  if (*reader->p == '\0')
    return ifbam_reject (reader->reason, "ends where a number should follow");
  return read_number (reader, kind);
}

static gboolean
read_power (Reader *reader, Kind *kind)
{
  const gboolean stars = reader->p[0] == '*' && reader->p[1] == '*';
  IfbamDigits digits;
  double power;

  reader->p = skip (reader->p + (stars ? 2 : 1));
  if (!ifbam_digits_scan (reader->p, &digits))
    return ifbam_reject (reader->reason, "a power is a number, not \"%s\"", reader->p);
  power = ifbam_digits_convert (reader->p, &digits, NULL);
  reader->p = digits.rest;
  if (!is_pure (kind))
    for (guint i = 0; i < IFBAM_N_BASIC_UNITS; i++)
      {
        const double halves = kind->dimension.halves[i] * power;

        if (halves != trunc (halves) || fabs (halves) > 400)
          {
            g_autofree char *found = name_dimension (&kind->dimension);

            return ifbam_reject (reader->reason, "%s to the power of %g is no unit", found, power);
          }
        kind->dimension.halves[i] = (int) halves;
      }
  ifbam_formula_append (reader->formula, IFBAM_NUMBER, 0, power);
  ifbam_formula_append (reader->formula, IFBAM_POWER, 0, 0);
  return TRUE;
}

static gboolean
read_sign (Reader *reader, Kind *kind)
{
  const gboolean negative = *reader->p == '-';

  if (negative || *reader->p == '+')
    reader->p = skip (reader->p + 1);
  if (!read_atom (reader, kind))
    return FALSE;
  if ((*reader->p == '^' || (reader->p[0] == '*' && reader->p[1] == '*'))
      && !read_power (reader, kind))
    return FALSE;
  if (negative)
    ifbam_formula_append (reader->formula, IFBAM_NEGATE, 0, 0);
  return TRUE;
}

static gboolean
read_product (Reader *reader, Kind *kind)
{
  if (!read_sign (reader, kind))
    return FALSE;
  while (*reader->p == '*' || *reader->p == '/' || begins_unit (reader->p))
    {
      const int sign = *reader->p == '/' ? -1 : 1;
      Kind right;

      if (begins_unit (reader->p))
        {
          right = (Kind){ .is_bare = TRUE };
          if (!read_unit (reader, "1", &right))
            return FALSE;
        }
      else
        {
          reader->p = skip (reader->p + 1);
          if (!read_sign (reader, &right))
            return FALSE;
        }
      for (guint i = 0; i < IFBAM_N_BASIC_UNITS; i++)
        {
          kind->dimension.halves[i] += sign * right.dimension.halves[i];
          if (ABS (kind->dimension.halves[i]) > 400)
            return ifbam_reject (reader->reason, "comes to a unit beyond all reason");
        }
      kind->is_bare &= right.is_bare;
      ifbam_formula_append (reader->formula, sign > 0 ? IFBAM_MULTIPLY : IFBAM_DIVIDE, 0, 0);
    }
  return TRUE;
}

static gboolean
read_sum (Reader *reader, Kind *kind)
{
  if (!read_product (reader, kind))
    return FALSE;
  while (*reader->p == '+' || *reader->p == '-')
    {
      const gboolean plus = *reader->p == '+';
      Kind right;

      reader->p = skip (reader->p + 1);
      if (!read_product (reader, &right))
        return FALSE;
      if (memcmp (&kind->dimension, &right.dimension, sizeof right.dimension) != 0)
        {
          g_autofree char *one = name_dimension (&kind->dimension);
          g_autofree char *other = name_dimension (&right.dimension);

          return ifbam_reject (reader->reason, "%s and %s have no %s", one, other,
                               plus ? "sum" : "difference");
        }
      kind->is_bare &= right.is_bare;
      ifbam_formula_append (reader->formula, plus ? IFBAM_ADD : IFBAM_SUBTRACT, 0, 0);
    }
  return TRUE;
}

IfbamFormula *
ifbam_expression_new (const char *text, const IfbamUnknown *unknowns, gsize n_unknowns,
                      IfbamDimension *dimension, gboolean *is_bare, char **reason)
{
  g_autoptr (IfbamFormula) formula = ifbam_formula_new ();
  Reader reader = { .p = skip (text),
                    .unknowns = unknowns,
                    .n_unknowns = n_unknowns,
                    .formula = formula,
                    .reason = reason };
  Kind kind;

  if (!read_sum (&reader, &kind))
    return NULL;
  if (*reader.p != '\0')
    {
      *reason = *reader.p == ')'
                    ? g_strdup ("\")\" has no \"(\"")
                    : g_strdup_printf ("an operator is missing before \"%.40s\"", reader.p);
      return NULL;
    }
  *dimension = kind.dimension;
  *is_bare = kind.is_bare;
  return g_steal_pointer (&formula);
}
