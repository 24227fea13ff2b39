/* row-table.c: table of some of a run's samples, for a terminal
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/row-table.h"

#include <string.h>

#include "figure/figure.h"
#include "file/file.h"

#define MAX_ROWS     20
#define NUMBER_WIDTH 12
#define DIGITS       "%.6g"

struct _IfbamRowTable
{
  const IfbamSignals *signals;
  double interval, next; /* time between shown samples, and of the next one [s] */
  GArray *rows;          /* double: time and values of each sample */
  double *last;          /* last sample, which is shown, too */
  gsize n_rows;          /* number of all samples */
};

static gsize
row_length (const IfbamRowTable *table)
{
  return table->signals->units->len + 1;
}

IfbamRowTable *
ifbam_row_table_new (const IfbamSignals *signals, double duration)
{
  IfbamRowTable *table = g_new0 (IfbamRowTable, 1);

  table->signals = signals;
  table->interval = duration > 0 ? ifbam_scale_step (duration, MAX_ROWS) : 0;
  table->rows = g_array_new (FALSE, FALSE, sizeof (double));
  table->last = g_new0 (double, row_length (table));
  return table;
}

void
ifbam_row_table_free (IfbamRowTable *table)
{
  if (table == NULL)
    return;
  g_array_unref (table->rows);
  g_free (table->last);
  g_free (table);
}

void
ifbam_row_table_row (IfbamRowTable *table, double time, const double *values)
{
  table->n_rows++;
  table->last[0] = time;
  memcpy (table->last + 1, values, (row_length (table) - 1) * sizeof *values);
  if (time < table->next * (1 - 1e-9))
    return;
  g_array_append_vals (table->rows, table->last, (guint) row_length (table));
  while (table->next <= time * (1 + 1e-9) && table->interval > 0)
    table->next += table->interval;
}

static void
append_cell (GString *text, const char *cell, gsize width, gboolean first)
{
  const gsize length = (gsize) g_utf8_strlen (cell, -1);

  g_string_append_printf (text, "%*s%s", (int) (width - MIN (width, length) + (first ? 0 : 2)), "",
                          cell);
}

static gsize
width_of (const char *name, const char *unit)
{
  return MAX (NUMBER_WIDTH, MAX (strlen (name), strlen (unit) + 2));
}

/* Returns the number of signals that fit beside the time. */
static gsize
count_columns (const IfbamRowTable *table)
{
  guint columns, lines;
  gsize width = NUMBER_WIDTH, n = 0;

  ifbam_terminal_size (&columns, &lines);
  for (; n < table->signals->units->len; n++)
    {
      width += 2 + width_of (table->signals->names->pdata[n], table->signals->units->pdata[n]);
      if (width > columns && n > 0)
        break;
    }
  return n;
}

static void
append_head (GString *text, const IfbamRowTable *table, gsize n)
{
  for (guint units = 0; units < 2; units++)
    {
      append_cell (text, units ? "[s]" : "time", NUMBER_WIDTH, TRUE);
      for (gsize i = 0; i < n; i++)
        {
          const char *name = table->signals->names->pdata[i],
                     *unit = table->signals->units->pdata[i];
          g_autofree char *bracketed =
              *unit == '\0' ? g_strdup ("") : g_strdup_printf ("[%s]", unit);

          append_cell (text, units ? bracketed : name, width_of (name, unit), FALSE);
        }
      g_string_append_c (text, '\n');
    }
}

static void
append_row (GString *text, const IfbamRowTable *table, const double *row, gsize n)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  for (gsize i = 0; i <= n; i++)
    append_cell (text, g_ascii_formatd (digits, sizeof digits, DIGITS, row[i]),
                 i == 0 ? NUMBER_WIDTH
                        : width_of (table->signals->names->pdata[i - 1],
                                    table->signals->units->pdata[i - 1]),
                 i == 0);
  g_string_append_c (text, '\n');
}

gboolean
ifbam_row_table_print (IfbamRowTable *table, const char *file, GError **error)
{
  const gsize length = row_length (table), n = count_columns (table);
  const double *rows = (const double *) (gpointer) table->rows->data;
  g_autoptr (GString) text = g_string_new (NULL);
  gsize shown = table->rows->len / length;

  append_head (text, table, n);
  for (gsize i = 0; i < shown; i++)
    append_row (text, table, rows + i * length, n);
  if (shown > 0 && rows[(shown - 1) * length] < table->last[0])
    {
      append_row (text, table, table->last, n);
      shown++;
    }
  if (!ifbam_output_put (NULL, text->str, text->len, error))
    return FALSE;
  g_printerr (
      "ifbam: note: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " rows, %" G_GSIZE_FORMAT
      " of %u signals; -o FILE.csv writes all (-o - here), \"ifbam plot course %s\" draws them\n",
      shown, table->n_rows, n, table->signals->units->len, file);
  return TRUE;
}
