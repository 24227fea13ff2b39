/* csv-dialect.c: separator, decimal mark and heading of a CSV file
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/csv-dialect.h"

#include <string.h>

#include "base/fail.h"
#include "file/column-units.h"
#include "file/quantities.h"

#define MAX_LINES 60 /* lines that are examined */
#define OPTIONS                                                                                    \
  "want KEY=VALUE, separated by blanks: separator (, ; | tab space), decimal (. or ,), header (a " \
  "line's number, or no), units (yes or no), time (a column's name or number)"

/* Options of the user; 0: not given. */
static struct
{
  char separator, decimal;
  guint header;
  gboolean no_header, units, no_units;
  char *time;
} chosen;

/* Options */

/* Stores the value of one option. FALSE: there is no such option or value. */
static gboolean
set_option (const char *key, const char *value)
{
  static const char *const separators[] = { ",", ";", "|", "tab", "space", NULL };
  guint64 line;

  if (g_str_equal (key, "separator") && g_strv_contains (separators, value))
    chosen.separator = *value == 't' ? '\t' : *value == 's' ? ' ' : *value;
  else if (g_str_equal (key, "decimal") && (g_str_equal (value, ".") || g_str_equal (value, ",")))
    chosen.decimal = *value;
  else if (g_str_equal (key, "header") && g_str_equal (value, "no"))
    chosen.no_header = TRUE;
  else if (g_str_equal (key, "header")
           && g_ascii_string_to_unsigned (value, 10, 1, MAX_LINES, &line, NULL))
    chosen.header = (guint) line;
  else if (g_str_equal (key, "units") && (g_str_equal (value, "yes") || g_str_equal (value, "no")))
    chosen.units = *value == 'y', chosen.no_units = *value == 'n';
  else if (g_str_equal (key, "time") && *value != '\0')
    {
      g_free (chosen.time);
      chosen.time = g_strdup (value);
    }
  else
    return FALSE;
  return TRUE;
}

gboolean
ifbam_csv_set_options (const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit_set (text, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      char *equals = strchr (words[i], '=');

      if (*words[i] == '\0')
        continue;
      if (equals != NULL)
        *equals = '\0';
      if (equals == NULL || !set_option (words[i], equals + 1))
        return ifbam_fail (error, IFBAM_ERROR_USAGE, "--csv %s: %s%s%s (" OPTIONS ")", text,
                           words[i], equals == NULL ? "" : "=", equals == NULL ? "" : equals + 1);
    }
  if (chosen.separator == ',' && chosen.decimal == ',')
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "--csv %s: separator and decimal mark are the same", text);
  return TRUE;
}

const char *
ifbam_csv_time_column (void)
{
  return chosen.time;
}

/* Fields */

/* Returns the end of an unquoted field. Blanks before "(s)" or "[s]" separate nothing. */
static char *
field_end (char *field, char separator)
{
  static const char blanks[] = " \t";
  char *end = field;

  if (separator != ' ')
    return field + strcspn (field, (const char[]){ separator, '\0' });
  do
    end += strcspn (end, blanks);
  while ((end[strspn (end, blanks)] == '(' || end[strspn (end, blanks)] == '[')
         && (end += strspn (end, blanks)));
  return end;
}

char *
ifbam_csv_take_field (char **row, char separator)
{
  const char *blanks = separator == '\t' ? " " : " \t";
  char *field = *row + strspn (*row, blanks);
  char *end = field, *rest = field;

  if (*field == '"')
    {
      for (end = field, rest = field + 1; *rest != '\0' && (*rest != '"' || rest[1] == '"'); rest++)
        *end++ = *rest == '"' ? *rest++ : *rest;
      if (*rest++ == '\0')
        return NULL;
      if (separator != ' ')
        rest += strspn (rest, blanks);
      if (*rest != separator && *rest != '\0' && (separator != ' ' || *rest != '\t'))
        return NULL;
    }
  else
    {
      rest = field_end (field, separator);
      for (end = rest; end > field && (end[-1] == ' ' || end[-1] == '\t');)
        end--;
    }
  *row = *rest == '\0' ? NULL : rest + 1;
  if (separator == ' ' && *row != NULL && **(row) != '\0' && (*row)[strspn (*row, blanks)] == '\0')
    *row = NULL;
  else if (separator == ' ' && *row != NULL && **row == '\0')
    *row = NULL;
  *end = '\0';
  return field;
}

gboolean
ifbam_csv_is_like_number (const char *field, char decimal)
{
  const char *digits = decimal == ',' ? "+-,0123456789eE" : "+-.0123456789eE";
  const gsize n = strlen (field);

  /* "1," is a number and a separator rather than a number. */
  return n > 0 && field[strspn (field, digits)] == '\0' && strpbrk (field, "0123456789") != NULL
         && (decimal != ','
             || (field[n - 1] != ',' && strchr (field, ',') == strrchr (field, ',')));
}

/* Recognition */

/* A line, and its number in the file. */
typedef struct
{
  const char *text; /* (length) */
  gsize length;
  guint number;
} Line;

/* Returns the fields of a line (char *, transfer full); NULL: a quote is not closed. */
static GPtrArray *
split (const Line *line, char separator)
{
  g_autofree char *copy = g_strndup (line->text, line->length);
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);

  for (char *rest = copy; rest != NULL;)
    {
      const char *field = ifbam_csv_take_field (&rest, separator);

      if (field == NULL)
        return NULL;
      g_ptr_array_add (fields, g_strdup (field));
    }
  return g_steal_pointer (&fields);
}

/* TRUE if a comma of a field may separate thousands: "1,234". */
static gboolean
may_be_thousands (const char *field)
{
  const char *comma = strchr (field, ',');

  field += strspn (field, "+-");
  return *field != '0' && comma - field <= 3 && comma > field
         && strspn (comma + 1, "0123456789") == 3 && comma[4] == '\0';
}

/* A reading of the lines: n fields in rows that begin at a line. */
typedef struct
{
  char separator, decimal;
  guint first, rows, n; /* index of the first row; number of rows; fields */
  gboolean trailing;
  guint thousands, fractions; /* fields with a comma: those that may be thousands; all */
} Reading;

/* Returns the fields of a row of numbers; 0: it is none. Empty fields count, but the last. */
static guint
count_numbers (const Line *line, Reading *reading, gboolean *trailing)
{
  g_autoptr (GPtrArray) fields = split (line, reading->separator);
  guint numbers = 0;

  if (fields == NULL)
    return 0;
  for (guint i = 0; i < fields->len; i++)
    {
      const char *field = fields->pdata[i];

      if (*field != '\0' && !ifbam_csv_is_like_number (field, reading->decimal))
        return 0;
      numbers += *field != '\0';
      if (reading->decimal == ',' && strchr (field, ',') != NULL)
        reading->fractions++, reading->thousands += may_be_thousands (field);
    }
  *trailing = fields->len > 1 && *(const char *) fields->pdata[fields->len - 1] == '\0';
  return numbers > 0 ? fields->len : 0;
}

/* Finds the longest run of rows with equally many numbers. */
static void
read_lines_as (const GArray *lines, Reading *best, char separator, char decimal)
{
  Reading now = { .separator = separator, .decimal = decimal };

  for (guint i = 0; i < lines->len; i++)
    {
      gboolean trailing = FALSE;
      const guint fractions = now.fractions, thousands = now.thousands;
      const guint n = count_numbers (&g_array_index (lines, Line, i), &now, &trailing);

      if (n != now.n)
        {
          now.first = i, now.rows = 0, now.n = n, now.trailing = TRUE;
          now.fractions -= fractions;
          now.thousands -= thousands;
        }
      now.rows += n > 1;
      now.trailing &= trailing;
      if (now.rows > best->rows)
        *best = now;
    }
}

static GArray *
list_lines (const char *text, gsize length, gboolean whole)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));
  const char *end = text + length;

  if (length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    text += 3;
  for (guint number = 1; text < end && number <= MAX_LINES; number++)
    {
      const char *next = memchr (text, '\n', (gsize) (end - text));
      Line line = { text, (gsize) ((next == NULL ? end : next) - text), number };

      if (next == NULL && !whole)
        break;
      while (line.length > 0 && g_ascii_isspace (line.text[line.length - 1])
             && line.text[line.length - 1] != '\t')
        line.length--;
      if (line.length > strspn (line.text, " \t\r"))
        g_array_append_val (lines, line);
      text = next == NULL ? end : next + 1;
    }
  return lines;
}

/* TRUE for a row of units, the first of which is one of time. */
static gboolean
is_row_of_units (const Line *line, const Reading *reading)
{
  g_autoptr (GPtrArray) fields = split (line, reading->separator);
  guint units = 0;

  if (fields == NULL || fields->len != reading->n)
    return FALSE;
  for (guint i = 0; i < fields->len; i++)
    {
      g_autofree char *unit = ifbam_course_read_unit (fields->pdata[i]);
      g_autofree char *one = g_strconcat ("1 ", unit, NULL), *reason = NULL;
      double second;

      if (unit == NULL
          || (i == 0 && !ifbam_units_parse (one, "s", "time", "50 us", &second, &reason)))
        return FALSE;
      units += *unit != '\0';
    }
  return units > 0;
}

/* Sets the lines of names and units, above the rows. */
static void
find_header (const GArray *lines, const Reading *reading, IfbamCsvDialect *dialect)
{
  const guint first = reading->first;
  guint names = first > 0 ? first - 1 : 0;

  const Line *above = &g_array_index (lines, Line, names);

  dialect->trailing = reading->trailing
                      && (chosen.no_header || above->text[above->length - 1] == reading->separator);
  dialect->n -= dialect->trailing;
  if (chosen.no_header)
    {
      dialect->header = 0;
      return;
    }
  if (chosen.units
      || (!chosen.no_units && chosen.header == 0 && first > 1
          && is_row_of_units (&g_array_index (lines, Line, names), reading)))
    {
      dialect->units = g_array_index (lines, Line, names).number;
      names -= names > 0;
    }
  dialect->header = chosen.header > 0 ? chosen.header : g_array_index (lines, Line, names).number;
}

char *
ifbam_csv_find_dialect (const char *text, gsize length, gboolean whole, IfbamCsvDialect *dialect)
{
  static const char separators[] = ",;\t| ", decimals[] = ".,";
  g_autoptr (GArray) lines = list_lines (text, length, whole);
  Reading best = { 0 };

  *dialect = (IfbamCsvDialect) IFBAM_CSV_PLAIN;
  for (guint d = 0; d < 2; d++)
    for (guint s = 0; separators[s] != '\0'; s++)
      if (separators[s] != decimals[d]
          && (chosen.separator == 0 || chosen.separator == separators[s])
          && (chosen.decimal == 0 || chosen.decimal == decimals[d]))
        read_lines_as (lines, &best, separators[s], decimals[d]);
  if (best.rows == 0)
    {
      dialect->header = lines->len > 0 ? g_array_index (lines, Line, 0).number : 1;
      dialect->separator = chosen.separator != 0 ? chosen.separator : ',';
      return NULL;
    }
  dialect->separator = best.separator;
  dialect->decimal = best.decimal;
  dialect->n = best.n;
  find_header (lines, &best, dialect);
  return best.decimal == ',' && chosen.decimal == 0 && best.fractions > 0
                 && best.thousands == best.fractions
             ? g_strdup ("commas may be decimal marks or separate thousands, as in 1,234 (want "
                         "--csv decimal=, if they are decimal marks)")
             : NULL;
}

char *
ifbam_csv_dialect_text (const IfbamCsvDialect *dialect)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (dialect->separator != ',')
    g_string_append_printf (text, ", separator %s",
                            dialect->separator == '\t'  ? "tab"
                            : dialect->separator == ' ' ? "space"
                                                        : (const char[]){ dialect->separator, 0 });
  if (dialect->decimal != '.')
    g_string_append (text, ", decimal comma");
  if (dialect->header > 1)
    g_string_append_printf (text, ", names in line %u", dialect->header);
  if (dialect->units > 0)
    g_string_append_printf (text, ", units in line %u", dialect->units);
  return text->len == 0 ? NULL : g_strdup (text->str + 2);
}
