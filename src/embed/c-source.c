/* c-source.c: a network as C: functions of its laws and scheme, specialised for the network
 *
 * Parameters are in a block that is copied to columns (c-layout.c), so that one file serves all
 * values. Few nodes and links are written one by one, and compilers keep their columns in
 * registers. Many are written as loops over runs, and as tables where there is no order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/c-source.h"

#include "embed/c-headers.h"
#include "embed/c-writer.h"
#include "file/file.h"

/* Largest number of nodes and links that are written one by one. */
#define MAX_UNROLLED 24

/* Steps */

/* Writes one step; the columns are in this order. odd: columns and outputs are exchanged. */
static void
put_cycle (IfbamCWriter *writer, const char *indent, gboolean odd)
{
  const IfbamScheme *scheme = writer->scheme;
  static const char *const order[2][6] = { { "c0", "c1", "c2", "c3", "c4", "c5" },
                                           { "c2", "c3", "c0", "c1", "c4", "c5" } };
  const char *const *c = order[odd];
  const char *output = scheme->latency && !odd ? "a1" : "a0", *input = odd ? "a1" : "a0";
  const guint x = scheme->message_position, v = scheme->message_rate;

  for (guint s = 0; s < scheme->n_stages; s++)
    {
      const char *time = NUMBER (scheme->stage_time[s]);

      PUT ("%sset_given_message (self->number, GIVEN_STEP ((double) cycle + %s), %s, %s);\n", indent, time,
           c[x], c[v]);
      if (scheme->mean)
        PUT ("%slinks_mean (%s, %s, %s, %s, %s, laws);\n", indent, c[x], c[v], c[2], c[3], output);
      else
        PUT ("%slinks_now (%s, %s, %s, laws);\n", indent, c[x], c[v], output);
      PUT ("%svarying_sources (self, SOURCE_TIME ((double) cycle, %s) * self->number[0], %s);\n",
           indent, time, output);
      PUT ("%snodes_%u (%s, %s, %s, %s, %s, %s, %s, inverse, step);\n", indent, s, c[0], c[1], c[2],
           c[3], c[4], c[5], input);
    }
  PUT ("%scycle++;\n%sif (--wait == 0)\n%s  {\n"
       "%s    write_row (self, %s, %s, %s, %s, (double) (cycle - LATENCY), rows);\n"
       "%s    rows += N_SIGNALS;\n%s    wait = stride;\n%s  }\n",
       indent, indent, indent, indent, c[scheme->latency ? 2 : 0], c[scheme->latency ? 3 : 1],
       c[scheme->latency ? 0 : 2], c[scheme->latency ? 1 : 3], indent, indent, indent);
}

/* Writes the loop over steps, with a sample at every stride-th, first after `wait` steps. */
static void
put_advance (IfbamCWriter *writer)
{
  const IfbamScheme *scheme = writer->scheme;
  const guint n_columns = scheme->n_columns;

  PUT ("\nstatic void\nadvance (IfbamNetwork *self, unsigned long steps, unsigned long stride, "
       "unsigned long wait, "
       "double *restrict rows)\n{\n"
       "  const double step = self->number[0];\n  unsigned long long cycle = self->steps;\n");
  if (writer->by_one)
    {
      PUT ("  double c0[N_NODES], c1[N_NODES], c2[N_NODES], c3[N_NODES], c4[N_NODES], c5[N_NODES], "
           "a0[N_OUTPUTS], "
           "a1[N_OUTPUTS];\n  double laws[N_LAWS], inverse[N_FREE + 1];\n\n"
           "  (void) c2, (void) c3, (void) c4, (void) c5, (void) a1;\n"
           "  memcpy (laws, self->laws, sizeof laws);\n"
           "  memcpy (inverse, self->inverse, sizeof inverse);\n"
           "  memcpy (a0, self->output[0], sizeof a0);\n  memcpy (a1, self->output[LATENCY], "
           "sizeof a1);\n");
      for (guint c = 0; c < 6; c++)
        PUT ("  memcpy (c%u, self->column[%u], sizeof c%u);\n", c, MIN (c, n_columns - 1), c);
    }
  else
    {
      for (guint c = 0; c < 6; c++)
        PUT ("  double *const c%u = self->column[%u] + SHIFT;\n", c, MIN (c, n_columns - 1));
      PUT ("  double *const a0 = self->output[0], *const a1 = self->output[LATENCY];\n"
           "  const double *const laws = self->laws, *const inverse = self->inverse;\n\n  (void) "
           "a1;\n");
    }
  if (scheme->latency)
    {
      PUT ("  for (; steps >= 2; steps -= 2)\n    {\n");
      put_cycle (writer, "      ", FALSE);
      put_cycle (writer, "      ", TRUE);
      PUT ("    }\n  if (steps > 0)\n    {\n");
      put_cycle (writer, "      ", FALSE);
      PUT ("    }\n");
    }
  else
    {
      PUT ("  for (; steps > 0; steps--)\n    {\n");
      put_cycle (writer, "      ", FALSE);
      PUT ("    }\n");
    }
  PUT ("  self->steps = cycle;\n");
  if (writer->by_one)
    {
      if (scheme->latency)
        PUT ("  if (steps > 0)\n    {\n      memcpy (self->column[0], c2, sizeof c2);\n"
             "      memcpy (self->column[1], c3, sizeof c3);\n      memcpy (self->column[2], c0, "
             "sizeof c0);\n"
             "      memcpy (self->column[3], c1, sizeof c1);\n      memcpy (self->output[0], a1, "
             "sizeof a1);\n"
             "      memcpy (self->output[1], a0, sizeof a0);\n      return;\n    }\n");
      for (guint c = 0; c < n_columns; c++)
        PUT ("  memcpy (self->column[%u], c%u, sizeof c%u);\n", c, c, c);
      PUT ("  memcpy (self->output[0], a0, sizeof a0);\n");
      if (scheme->latency)
        PUT ("  memcpy (self->output[1], a1, sizeof a1);\n");
    }
  else if (scheme->latency)
    PUT ("  if (steps > 0)\n    {\n      exchange (c0, c2, N_NODES - SHIFT);\n"
         "      exchange (c1, c3, N_NODES - SHIFT);\n      exchange (a0, a1, N_OUTPUTS);\n    }\n");
  PUT ("}\n");
}

/* Whole file */

static gboolean
paste_all (IfbamCWriter *writer, GError **error)
{
  const IfbamModel *model = writer->model;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  IfbamCPaste paste = { writer->text, seen };
  g_autoptr (GPtrArray) laws = g_ptr_array_new ();

  for (guint b = 0; b < model->batches->len; b++)
    g_ptr_array_add (laws, (gpointer) ifbam_c_batch (writer, b)->law->code.prefix);
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (model, i, &member);

      if (span->info->code.n_parameters > 0)
        g_ptr_array_add (laws, (gpointer) span->info->code.prefix);
    }
  for (gsize s = 0; s < model->n_sources; s++)
    g_ptr_array_add (laws, (gpointer) ifbam_model_source_of (model, s)->info->code.prefix);
  for (guint i = 0; i < laws->len; i++)
    {
      g_autofree char *path = ifbam_c_law_path (laws->pdata[i]);

      if (!ifbam_c_paste (&paste, path, error))
        return FALSE;
    }
  if (!writer->for_engine && !ifbam_c_paste (&paste, "base/number-put.h", error))
    return FALSE;
  return ifbam_c_paste (&paste, "element/extrapolation.h", error)
         && ifbam_c_paste (&paste, writer->scheme->code.header, error);
}

static void
put_size (IfbamCWriter *writer)
{
  const IfbamModel *model = writer->model;
  const IfbamScheme *scheme = writer->scheme;
  const IfbamCLayout *layout = writer->layout;

  PUT ("\nenum\n{\n  N_FREE = " SIZE ",\n  N_NODES = " SIZE
       ", /* given ones included, padded to whole vectors */\n"
       "  SHIFT = " SIZE ",   /* padding before the first node */\n  N_OUTPUTS = " SIZE
       ",\n  N_COLUMNS = %u,\n"
       "  N_LAWS = " SIZE ",\n  N_NUMBERS = %u,\n  N_SIGNALS = " SIZE ",\n  LATENCY = %d,\n};\n",
       model->n_free, layout->n_nodes, layout->shift, layout->n_forces, scheme->n_columns,
       layout->n_laws + IFBAM_LINE, layout->numbers->len, writer->n_signals,
       scheme->latency ? 1 : 0);
  PUT ("#define SOURCE_TIME(step, stage) ((step) + (stage) + %s)\n", NUMBER (scheme->source_lead));
  PUT ("#define GIVEN_STEP(step) (%s)\n",
       writer->spec->cold ? "(step) <= 0 ? 0.0 : (step)" : "step");
}

static void
put_network (IfbamCWriter *writer)
{
  PUT ("\n/* A network: no pointers, so that it can be copied. */\n"
       "typedef struct\n{\n  double column[N_COLUMNS < 4 ? 4 : N_COLUMNS][N_NODES], output[1 + "
       "LATENCY][N_OUTPUTS];\n"
       "  double laws[N_LAWS], inverse[(N_FREE + 8) / 8 * 8], inertia[N_FREE + 1], position[N_FREE "
       "+ 1], "
       "rate[N_FREE + 1], acceleration[N_FREE + 1];\n"
       "  double number[N_NUMBERS];\n  unsigned long long steps;\n"
       "} __attribute__ ((aligned (64))) IfbamNetwork;\n");
}

static void
put_places (IfbamCWriter *writer)
{
  const GArray *places = writer->layout->places;

  PUT ("\nstatic const struct\n{\n  unsigned array;\n  size_t to, count, from, stride, length, "
       "phase;\n} places[] = {\n");
  for (guint p = 0; p < places->len; p++)
    {
      const IfbamCPlace *place = &g_array_index (places, IfbamCPlace, p);

      /* Lists repeat; consecutive elements do not. */
      PUT ("  { %u, " SIZE ", " SIZE ", " SIZE ", " SIZE ", " SIZE ", " SIZE " },\n", place->array,
           place->to, place->count, place->from, place->length > 1 ? 1 : place->stride,
           place->length > 1 ? place->length : place->count, place->phase);
    }
  if (places->len == 0)
    PUT ("  { 0, 0, 0, 0, 0, 1, 0 },\n");
  PUT ("};\n");
}

/* Returns TRUE if the values of parameters determine the kind of the law. */
static gboolean
has_kinds (const IfbamBatch *batch)
{
  return batch->law->has_modes != NULL || ifbam_c_law_has (batch->law->code.prefix, "points");
}

/* Writes the check that new parameter values leave each law of its kind. */
static void
put_kinds (IfbamCWriter *writer)
{
  const IfbamModel *model = writer->model;

  PUT ("\n/* Returns 1 if the parameters have left each law of its kind, else 0. */\nstatic int\nis_same_kind "
       "(const IfbamNetwork *self)\n{\n"
       "  const double *const laws = self->laws;\n\n  (void) laws;\n");
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = ifbam_c_batch (writer, b);
      const IfbamLawCode *code = &batch->law->code;

      if (!has_kinds (batch))
        continue;
      PUT ("  for (size_t i = 0; i < " SIZE "; i++)\n    {\n", batch->count);
      ifbam_c_put_law (writer, b);
      PUT ("    if (is_gap_%u (i))\n      continue;\n", b);
      if (ifbam_c_law_has (code->prefix, "points"))
        PUT ("    if (%s_points (&p.law) != %u)\n      return 0;\n", code->prefix, batch->points);
      if (batch->law->has_modes != NULL)
        PUT ("    if (%s_has_modes (&p.law))\n      return 0;\n", code->prefix);
      PUT ("    }\n");
    }
  PUT ("  return 1;\n}\n");
}

/* Writes functions that test for gaps: entries between runs that belong to no link. */
static void
put_gaps (IfbamCWriter *writer)
{
  for (guint b = 0; b < writer->model->batches->len; b++)
    {
      const IfbamBatch *batch = ifbam_c_batch (writer, b);
      gboolean any = FALSE;

      if (!has_kinds (batch))
        continue;
      PUT ("\nstatic int\nis_gap_%u (size_t i)\n{\n  return ", b);
      for (gsize i = 0, n; i < batch->count; i += n)
        {
          n = 1;
          if (!ifbam_batch_is_gap (batch, i))
            continue;
          while (i + n < batch->count && ifbam_batch_is_gap (batch, i + n))
            n++;
          PUT ("%s(i + 1 > " SIZE " && i < " SIZE ")", any ? "\n         || " : "", i, i + n);
          any = TRUE;
        }
      PUT (any ? ";\n}\n" : "(void) i, 0;\n}\n");
    }
}

static char *
c_string (const char *text)
{
  g_autofree char *escaped = g_strescape (text, NULL);

  return g_strdup_printf ("\"%s\"", escaped);
}

static void
put_numbers (IfbamCWriter *writer)
{
  const GArray *numbers = writer->layout->numbers, *names = writer->layout->names;

  PUT ("\n/* The step, then the parameters of the elements. */\nstatic const double "
       "numbers[N_NUMBERS] = {\n");
  for (guint i = 0; i < numbers->len; i++)
    PUT ("  %s,\n", NUMBER (g_array_index (numbers, double, i)));
  PUT ("};\n\nstatic const struct\n{\n  const char *name;\n  size_t number;\n  double minimum, "
       "maximum;\n} names[] = {\n");
  for (guint i = 0; i < names->len; i++)
    {
      const IfbamCName *name = &g_array_index (names, IfbamCName, i);
      g_autofree char *text = c_string (name->name);

      PUT ("  { %s, " SIZE ", %s, ", text, name->number, NUMBER (name->minimum));
      PUT ("%s },\n", NUMBER (name->maximum));
    }
  if (names->len == 0)
    PUT ("  { \"\", 0, 0.0, 0.0 },\n");
  PUT ("};\n#define N_NAMES %u\n", names->len);
}

static void
add_courses (IfbamCWriter *writer, GHashTable *courses)
{
  const IfbamModel *model = writer->model;

  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (model, i, &member);

      if (span->info->code.n_parameters > 0 && span->course != NULL)
        ifbam_c_put_course (writer, courses, span->course);
    }
  for (gsize s = 0; s < model->n_sources; s++)
    if (ifbam_model_source_of (model, s)->course != NULL)
      ifbam_c_put_course (writer, courses, ifbam_model_source_of (model, s)->course);
}

static void
writer_begin (IfbamCWriter *writer)
{
  const IfbamModel *model = writer->model;

  writer->layout = ifbam_c_layout_new (model, writer->spec);
  writer->text = g_string_new (NULL);
  writer->by_one = model->n_free <= MAX_UNROLLED && model->n_links <= MAX_UNROLLED;
  if (writer->by_one)
    {
      writer->layout->n_nodes = model->n_nodes;
      writer->layout->shift = 0;
    }
}

static gboolean
put_engine (IfbamCWriter *writer, const GArray *signals, GError **error)
{
  g_autoptr (GHashTable) courses = g_hash_table_new (NULL, NULL);

  if (!paste_all (writer, error))
    return FALSE;
  put_size (writer);
  put_network (writer);
  put_places (writer);
  add_courses (writer, courses);
  ifbam_c_put_programs (writer);
  for (guint b = 0; b < writer->model->batches->len; b++)
    {
      ifbam_c_put_ends (writer, b);
      ifbam_c_put_link (writer, b, FALSE);
      if (writer->scheme->mean)
        ifbam_c_put_link (writer, b, TRUE);
    }
  ifbam_c_put_ports (writer);
  ifbam_c_put_links (writer, FALSE);
  if (writer->scheme->mean)
    ifbam_c_put_links (writer, TRUE);
  ifbam_c_put_stages (writer);
  ifbam_c_put_given (writer, courses);
  ifbam_c_put_sources (writer, courses);
  ifbam_c_put_record (writer, courses, signals);
  if (writer->scheme->latency && !writer->by_one)
    PUT ("\nstatic void\nexchange (double *one, double *other, size_t n)\n{\n  for (size_t i = 0; "
         "i < n; i++)\n    {\n"
         "      const double swap = one[i];\n\n      one[i] = other[i];\n      other[i] = swap;\n  "
         "  }\n}\n");
  put_advance (writer);
  PUT ("%s", ifbam_c_text ("network.c.in", NULL));
  return TRUE;
}

/* Writes the title in a comment; comment marks in it are split. */
static void
put_title (IfbamCWriter *writer, const char *title)
{
  g_autoptr (GString) text = g_string_new (title);

  g_string_replace (text, "\n", " ", 0);
  g_string_replace (text, "*/", "* /", 0);
  g_string_replace (text, "/*", "/ *", 0);
  ifbam_make_printable (text->str);
  PUT ("/* %s\n", text->str);
}

char *
ifbam_c_source (const IfbamModel *model, const IfbamRunSpec *spec, const IfbamSignals *signals,
                const char *title, GError **error)
{
  IfbamCWriter own = { .model = model,
                       .spec = spec,
                       .scheme = spec->scheme,
                       .n_signals = signals->signals->len },
               *writer = &own;
  g_autoptr (GString) line = g_string_new ("time,");
  g_autofree char *header = NULL;
  gboolean fine;

  writer_begin (writer);
  for (guint i = 0; i < signals->names->len && signals->names->pdata[i] != NULL; i++)
    ifbam_csv_append_name (line, signals->names->pdata[i]);
  g_string_truncate (line, line->len - 1);
  header = c_string (line->str);
  put_title (writer, title);
  PUT ("%s%s", ifbam_c_text ("about.txt", NULL), ifbam_c_text ("prologue.h", NULL));
  fine = put_engine (writer, signals->signals, error);
  if (fine)
    {
      put_numbers (writer);
      put_gaps (writer);
      put_kinds (writer);
      PUT ("\n#define LINKS%s\n#define BEGIN %s\n#define STRIDE %" G_GUINT64_FORMAT
           "ul\n#define N_ROWS %" G_GUINT64_FORMAT "ull\n#define STEP %s\n#define HEADER %s\n",
           spec->scheme->mean ? " links_mean" : "(x, v, x1, v1, a, laws) links_now (x, v, a, laws)",
           spec->cold ? spec->scheme->code.begin_cold : spec->scheme->code.begin, spec->stride,
           spec->last_step / spec->stride + 1, NUMBER (spec->step), header);
      PUT ("%s%s%s", ifbam_c_text ("offered.h", NULL), ifbam_c_text ("start.c.in", NULL),
           ifbam_c_text ("main.c.in", NULL));
    }
  ifbam_c_layout_free (writer->layout);
  return g_string_free (writer->text, !fine);
}

char *
ifbam_c_engine_source (const IfbamModel *model, const IfbamRunSpec *spec, const gsize *nodes,
                       gsize n, GArray **numbers, GError **error)
{
  IfbamCWriter own = { .model = model,
                       .spec = spec,
                       .scheme = spec->scheme,
                       .for_engine = TRUE,
                       .n_signals = 2 * n },
               *writer = &own;
  g_autoptr (GArray) signals = g_array_new (FALSE, FALSE, sizeof (IfbamSignal));
  gboolean fine;

  for (gsize i = 0; i < n; i++)
    for (guint rate = 0; rate < 2; rate++)
      {
        const IfbamSignal signal = { rate ? IFBAM_SIGNAL_RATE : IFBAM_SIGNAL_POSITION, FALSE,
                                     nodes[i] };

        g_array_append_val (signals, signal);
      }
  writer_begin (writer);
  PUT ("%s", ifbam_c_text ("prologue.h", NULL));
  fine = put_engine (writer, signals, error);
  PUT ("\nenum\n{\n  N_ALL = " SIZE ",\n  N_SLOTS = " SIZE ",\n  N_SOURCES = " SIZE
       ",\n  FIRST_SOURCE = " SIZE ",\n};\n%s",
       model->n_nodes, model->n_slots, model->n_sources, writer->layout->first_source,
       ifbam_c_text ("engine.c.in", NULL));
  *numbers = g_array_ref (writer->layout->numbers);
  ifbam_c_layout_free (writer->layout);
  return g_string_free (writer->text, !fine);
}
