/* gnuplot-script.c: scripts for gnuplot, and the pictures or texts drawn by them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/gnuplot-script.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "figure/gnuplot.h"
#include "file/file.h"

#define TITLE_LETTERS 84 /* of a line above a picture */
#define TITLE_LINES   5

/* Okabe and Ito 2008, "Color universal design": distinct for colour-blind people. Their yellow is
 * too light for lines on white. */
static const char *const colours[] = { "#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                       "#E69F00", "#56B4E9", "#000000" };

typedef struct
{
  const char *suffix;
  guint fineness;       /* of a picture's pixels: projectors need more than pages */
  const char *terminal; /* width and height in pixels */
} Format;

static const Format formats[] = {
  { ".svg", 1, "svg size %u,%u font 'Helvetica, Arial, sans-serif,15' background rgb 'white'" },
  { ".png", 2, "pngcairo size %u,%u font 'sans,12' fontscale 2 linewidth 2 pointscale 2" },
  { ".pdf", 1, "pdfcairo size %u/72.,%u/72. font 'sans,12'" },
};

static const Format *
format_of (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_has_suffix (lower, formats[i].suffix))
      return &formats[i];
  return NULL;
}

gboolean
ifbam_script_knows (const char *path, GError **error)
{
  if (format_of (path) != NULL)
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_USAGE,
                     "%s: the suffix says the format of a picture (want .svg, .png or .pdf)", path);
}

/* Writing */

/* Text in double quotes, with octal codes for the quote, the backslash and the backquote, by which
 * gnuplot would run a command. Single quotes fail in gnuplot 5.4 if a text begins with a quote. */
void
ifbam_script_text (GString *script, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (script, '"');
  for (const char *c = valid; *c != '\0'; c++)
    if (strchr ("\"\\`", *c) != NULL)
      g_string_append_printf (script, "\\%03o", (guint) *c);
    else
      g_string_append_c (script, (guchar) *c < ' ' ? ' ' : *c);
  g_string_append_c (script, '"');
}

void
ifbam_script_range (GString *script, const char *axis, IfbamAxisRange range)
{
  g_string_append_printf (script, "set %srange [%s:%s]\n", axis,
                          isnan (range.from) ? "" : IFBAM_G10 (range.from),
                          isnan (range.to) ? "" : IFBAM_G10 (range.to));
}

void
ifbam_script_label (GString *script, const char *axis, const char *quantity, const char *unit)
{
  g_autofree char *label =
      *unit != '\0' ? g_strdup_printf ("%s [%s]", quantity, unit) : g_strdup (quantity);

  g_string_append_printf (script, "set %slabel ", axis);
  ifbam_script_text (script, label);
  g_string_append_c (script, '\n');
}

/* Breaks between words, or within words longer than a line; omits the rest beyond a few lines. */
void
ifbam_script_title (GString *script, const char *command, const char *title, guint letters,
                    const char *after)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GString) line = g_string_new (NULL);
  guint n_lines = 0;

  if (title == NULL || *title == '\0')
    return;
  g_string_append (script, command);
  words = g_strsplit (title, " ", -1);
  for (guint i = 0; words[i] != NULL && n_lines < TITLE_LINES; i++)
    for (const char *word = words[i], *end = NULL; end == NULL || *end != '\0'; word = end)
      {
        const glong length = g_utf8_strlen (word, -1);
        const gboolean part = end != NULL;

        if (line->len > 0 && (part || g_utf8_strlen (line->str, -1) + 1 + length > (glong) letters))
          {
            if (++n_lines == TITLE_LINES)
              {
                g_string_append (line, " …");
                break;
              }
            ifbam_script_text (script, line->str);
            g_string_append (script, ".\"\\n\".");
            g_string_truncate (line, 0);
          }
        end = g_utf8_offset_to_pointer (word, MIN (length, (glong) MAX (letters, 1)));
        g_string_append_printf (line, "%s%.*s", line->len > 0 ? " " : "", (int) (end - word), word);
      }
  ifbam_script_text (script, line->str);
  g_string_append (script, after);
}

void
ifbam_script_panels (GString *script, gsize n, const char *title)
{
  g_string_append (script, "set multiplot");
  if (n > 0)
    g_string_append_printf (script, " layout %" G_GSIZE_FORMAT ",1", n);
  /* the empty line is space */
  ifbam_script_title (script, " title ", title, TITLE_LETTERS, ".\"\\n\" font ',15' offset 0,-0.6");
  g_string_append_c (script, '\n');
}

/* For maps: viridis of matplotlib (van der Walt and Smith 2015), uniform for all eyes. */
void
ifbam_script_palette (GString *script)
{
  g_string_append (script,
                   "set palette defined (0 '#440154', 1 '#482878', 2 '#3e4a89', 3 '#31688e', "
                   "4 '#26828e', 5 '#1f9e89', 6 '#35b779', 7 '#6ece58', 8 '#b5de2b', "
                   "9 '#fde725')\nset border 15\nunset key\n");
}

static void
append_style (GString *script, const char *line_width)
{
  g_string_append (script, "set encoding utf8\n"
                           "set border 3 linecolor rgb '#404040' linewidth 1\n"
                           "set tics nomirror out scale 0.6\n"
                           "set format '%g'\n");
  for (guint i = 0; i < 4 * G_N_ELEMENTS (colours); i++)
    g_string_append_printf (script, "set linetype %u linecolor rgb '%s' linewidth %s dashtype %u\n",
                            i + 1, colours[i % G_N_ELEMENTS (colours)], line_width,
                            (guint) (i / G_N_ELEMENTS (colours)) + 1);
}

GString *
ifbam_script_new (const char *path, guint height, const char *line_width)
{
  const Format *format = format_of (path);
  GString *script = g_string_new ("set terminal ");

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_string_append_printf (script, format->terminal, format->fineness * IFBAM_PICTURE_WIDTH,
                          format->fineness * height);
#pragma GCC diagnostic pop
  g_string_append (script, " noenhanced\n");
  append_style (script, line_width);
  g_string_append (script, "set grid linetype 1 linecolor rgb '#e0e0e0' linewidth 0.8\n");
  return script;
}

GString *
ifbam_script_new_text (guint columns, guint lines)
{
  GString *script = g_string_new (NULL);

  g_string_printf (script, "set terminal dumb mono size %u,%u noenhanced\n", columns, lines);
  append_style (script, "1");
  return script;
}

/* Drawing */

gboolean
ifbam_script_draw (GString *script, const char *path, GError **error)
{
  g_autoptr (GBytes) picture = ifbam_gnuplot_run (script, error);

  return picture != NULL
         && ifbam_output_put (path, g_bytes_get_data (picture, NULL), g_bytes_get_size (picture),
                              error);
}

/* A page of the terminal begins with a form feed. */
static char *
strip_pages (GBytes *bytes)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  GString *stripped = g_string_sized_new (length);

  for (gsize i = 0; i < length; i++)
    if (text[i] == '\n')
      {
        while (stripped->len > 0 && stripped->str[stripped->len - 1] == ' ')
          g_string_truncate (stripped, stripped->len - 1);
        if (stripped->len > 0)
          g_string_append_c (stripped, '\n');
      }
    else if (text[i] != '\f')
      g_string_append_c (stripped, text[i]);
  return g_string_free (stripped, FALSE);
}

char *
ifbam_script_print (GString *script, GError **error)
{
  g_autoptr (GBytes) text = NULL;

  g_string_replace (script, "²", "2", 0); /* as in network files */
  text = ifbam_gnuplot_run (script, error);
  return text != NULL ? strip_pages (text) : NULL;
}

gboolean
ifbam_script_refuse_empty (IfbamAxisRange x, IfbamAxisRange y, const char *reason, GError **error)
{
  const gboolean cut = !isnan (x.from) || !isnan (x.to) || !isnan (y.from) || !isnan (y.to);

  return ifbam_fail (error, cut ? IFBAM_ERROR_USAGE : IFBAM_ERROR_COURSE,
                     "there is nothing to draw: %s", reason);
}
