/* c-prescribed.c: given nodes and sources in the generated C: their laws, and courses as tables
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/c-writer.h"

void
ifbam_c_put_course (IfbamCWriter *writer, GHashTable *courses, const IfbamInterpolant *course)
{
  const double *columns[] = { course->time, course->value, course->integral, course->twice };
  static const char *const names[] = { "time", "value", "integral", "twice" };
  const guint number = g_hash_table_size (courses);

  if (g_hash_table_contains (courses, course))
    return;
  g_hash_table_insert (courses, (gpointer) course, GUINT_TO_POINTER (number));
  for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
    {
      PUT ("\nstatic const double course_%u_%s[] = {\n", number, names[c]);
      for (gsize i = 0; i < course->n; i++)
        PUT ("  %s,\n", NUMBER (columns[c][i]));
      PUT ("};\n");
    }
  PUT ("static const IfbamInterpolant course_%u = { %lu, course_%u_time, course_%u_value, "
       "course_%u_integral, course_%u_twice, %d, %d };\n",
       number, course->n, number, number, number, number, course->interpolation, course->outside);
}

static char *
course_text (GHashTable *courses, const IfbamInterpolant *course)
{
  return course == NULL ? g_strdup ("0")
                        : g_strdup_printf (
                            "&course_%u", GPOINTER_TO_UINT (g_hash_table_lookup (courses, course)));
}

static void
put_law_copy (IfbamCWriter *writer, const IfbamLawCode *code, gsize number)
{
  PUT ("  %s law;\n\n  memcpy (&law, number + " SIZE ", sizeof law);\n", code->type, number);
}

void
ifbam_c_put_given (IfbamCWriter *writer, GHashTable *courses)
{
  const IfbamModel *model = writer->model;
  const IfbamScheme *scheme = writer->scheme;

  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (model, i, &member);
      g_autofree char *course = course_text (courses, span->course);

      PUT ("\nstatic void\ngiven_" SIZE
           " (const double *number, double time, double *x, double *v, "
           "double *a)\n{\n",
           i);
      if (span->info->code.n_parameters == 0)
        PUT ("  (void) number, (void) time;\n  *x = *v = *a = 0.0;\n");
      else
        {
          put_law_copy (writer, &span->info->code, writer->layout->given[i - model->n_free]);
          PUT ("  %s_motion (&law, %s, time, x, v, a);\n", span->info->code.prefix, course);
        }
      PUT ("}\n");
    }
  /* Writes the motion of given nodes that move, at a stage of a step. */
  PUT ("\nIFBAM_INLINE void\nset_given_message (const double *number, double step, double *x, double "
       "*v)\n{\n"
       "  double unwanted, acceleration;\n\n"
       "  (void) number, (void) step, (void) x, (void) v, (void) unwanted, (void) acceleration;\n");
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      if (!ifbam_c_moves (writer, i))
        continue;
      PUT ("  given_" SIZE " (number, step * number[0], &x[" SIZE "], &v[" SIZE
           "], &acceleration);\n",
           i, i, i);
      if (scheme->velocity_lag > 0)
        /* Before a cold start velocities are 0. */
        PUT ("  %sgiven_" SIZE " (number, (step - %s) * number[0], &unwanted, &v[" SIZE
             "], &acceleration);\n",
             writer->spec->cold ? "if (step > 0.0)\n    " : "", i, NUMBER (scheme->velocity_lag),
             i);
    }
  PUT ("}\n");
  if (writer->for_engine)
    return;
  PUT ("\nstatic void\nplace_given (IfbamNetwork *self)\n{\n  double unwanted;\n\n  (void) self, "
       "(void) unwanted;\n");
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    PUT ("  given_" SIZE " (self->number, 0.0, &self->column[0][SHIFT + " SIZE
         "], &self->column[1][SHIFT + " SIZE "], &unwanted);\n",
         i, i, i);
  PUT ("}\n\nstatic void\nbegin_given (IfbamNetwork *self, int before, double *const *column)\n{\n"
       "  double x, v, a;\n\n  (void) self, (void) before, (void) column, (void) x, (void) v, "
       "(void) a;\n");
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    if (writer->spec->cold)
      PUT ("  {\n    double *const one[6] = { column[0] + " SIZE ", column[1] + " SIZE
           ", column[2] + " SIZE ", column[3] + " SIZE " };\n\n    given_" SIZE
           " (self->number, 0.0, &x, &v, &a);\n"
           "    %s (before, 1, one, &x, &v, &a, self->number[0]);\n  }\n",
           i, i, i, i, i, scheme->code.begin_cold);
    else if (scheme->latency)
      PUT ("  for (int c = 0; c < 2; c++)\n    {\n      const double step = -(before ? 1.0 : 0.0) "
           "- c;\n\n"
           "      given_" SIZE " (self->number, step * self->number[0], &column[2 * c][" SIZE
           "], &v, &a);\n"
           "      given_" SIZE
           " (self->number, (step - %s) * self->number[0], &x, &column[2 * c + 1][" SIZE
           "], &a);\n    }\n",
           i, i, i, NUMBER (scheme->velocity_lag), i);
    else
      PUT ("  given_" SIZE " (self->number, %s * self->number[0], &column[%u][" SIZE
           "], &column[%u][" SIZE "], &a);\n",
           i, NUMBER (scheme->stage_time[0]), scheme->message_position, i, scheme->message_rate, i);
  PUT ("}\n");
}

/* Writes an expression for a source's value at a time. */
void
ifbam_c_put_source_call (IfbamCWriter *writer, GHashTable *courses, gsize s, const char *time)
{
  const IfbamSource *source = ifbam_model_source_of (writer->model, s);
  g_autofree char *course = course_text (courses, source->course);

  if (ifbam_model_is_field (writer->model, s))
    PUT ("%s_force (&law, self->inertia[%u])", source->info->code.prefix,
         writer->model->source_node[s]);
  else
    PUT ("%s_value (&law, %s, %s)", source->info->code.prefix, course, time);
}

static void
put_source_block (IfbamCWriter *writer, GHashTable *courses, gsize s, const char *time)
{
  const IfbamSource *source = ifbam_model_source_of (writer->model, s);

  PUT ("  {\n    %s law;\n\n    memcpy (&law, self->number + " SIZE
       ", sizeof law);\n    output[" SIZE "] = ",
       source->info->code.type, writer->layout->source[s], writer->layout->first_source + s);
  ifbam_c_put_source_call (writer, courses, s, time);
  PUT (";\n  }\n");
}

/* Returns the number of entries from s on that are one field on consecutive nodes. */
static gsize
count_alike (const IfbamCWriter *writer, gsize s)
{
  const IfbamModel *model = writer->model;
  gsize n = 1;

  while (ifbam_model_is_field (model, s) && s + n < model->n_sources
         && model->sources->pdata[s + n] == model->sources->pdata[s]
         && model->source_node[s + n] == model->source_node[s] + n)
    n++;
  return n;
}

void
ifbam_c_put_sources (IfbamCWriter *writer, GHashTable *courses)
{
  const IfbamModel *model = writer->model;

  PUT ("\nstatic void\nall_sources (const IfbamNetwork *self, double time, double *output)\n{\n"
       "  (void) self, (void) time, (void) output;\n");
  for (gsize s = 0, n; s < model->n_sources; s += n)
    {
      const IfbamSource *source = ifbam_model_source_of (model, s);

      n = count_alike (writer, s);
      if (n < LEAST_OF_LOOP)
        n = 1;
      if (n == 1)
        put_source_block (writer, courses, s, "time");
      else
        PUT ("  for (size_t i = 0; i < " SIZE "; i++)\n    {\n      %s law;\n\n"
             "      memcpy (&law, self->number + " SIZE ", sizeof law);\n"
             "      output[" SIZE " + i] = %s_force (&law, self->inertia[%u + i]);\n    }\n",
             n, source->info->code.type, writer->layout->source[s],
             writer->layout->first_source + s, source->info->code.prefix, model->source_node[s]);
    }
  PUT ("}\n\nIFBAM_INLINE void\nvarying_sources (const IfbamNetwork *self, double time, double "
       "*output)\n{\n"
       "  (void) self, (void) time, (void) output;\n");
  for (gsize v = 0; v < model->n_varying; v++)
    put_source_block (writer, courses, model->varying[v], "time");
  PUT ("}\n");
}
