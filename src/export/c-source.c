/* c-source.c: a network as C: the functions of its laws and scheme as they are, put together for just this network
 *
 * Numbers are in a block that is spread into columns (c-layout.c), so that a file serves all values. A few nodes and links are
 * written one by one, with columns that a compiler keeps in registers; more of them are loops over runs, and tables
 * where there is no order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "export/c-source.h"

#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "export/c-layout.h"
#include "export/c-paste.h"

/* So many nodes and links at most are written one by one. */
#define MOST_BY_ONE 24
/* So many at least are worth a loop. */
#define LEAST_OF_LOOP 4
/* So many that stand in no order are worth a table. */
#define LEAST_OF_TABLE 16

typedef struct
{
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  const IfbamScheme *scheme;
  IfbamCLayout *layout;
  GString *text;
  gboolean by_one;
  gboolean for_engine;
  gsize n_signals;
} Writer;

#define PUT(...)  g_string_append_printf (writer->text, __VA_ARGS__)
#define SIZE      "%" G_GSIZE_FORMAT
#define NUMBER(x) ifbam_number_literal ((char[40]){ 0 }, x)

/* Reads back to the same double. */
static const char *
ifbam_number_literal (char text[40], double number)
{
  if (isinf (number))
    return number > 0 ? "__builtin_inf ()" : "-__builtin_inf ()";
  if (isnan (number))
    return "__builtin_nan (\"\")";
  g_ascii_formatd (text, 36, "%.17g", number);
  if (strpbrk (text, ".e") == NULL)
    strcat (text, ".0");
  return text;
}

static const IfbamBatch *
batch_of (const Writer *writer, guint b)
{
  return &g_array_index (writer->model->batches, IfbamBatch, b);
}

/* Whether it moves: what it says is asked for in every cycle. */
static gboolean
is_moving (const Writer *writer, gsize node)
{
  gsize member;

  return node >= writer->model->n_free
         && !ifbam_model_node_span (writer->model, node, &member)->info->fixed;
}

static gsize
answer_of (const Writer *writer, gsize slot)
{
  return slot < writer->model->n_slots
             ? slot
             : writer->layout->first_source + (slot - writer->model->n_slots);
}

/* Laws of links */

static void
put_law (Writer *writer, guint b)
{
  const IfbamBatch *batch = batch_of (writer, b);
  const IfbamLawCode *code = &batch->law->code;

  PUT ("  union\n  {\n    %s law;\n    double number[%u];\n  } p = { .number = { ", code->type,
       code->n_numbers);
  for (guint k = 0; k < code->n_numbers; k++)
    PUT ("%slaws[" SIZE " + i]", k > 0 ? ", " : "",
         writer->layout->batch[b] + k * writer->layout->apart[b]);
  PUT (" } };\n\n");
  if (batch->points == 1 && ifbam_c_law_has (code->prefix, "linear"))
    PUT ("  %s_linear (&p.law);\n", code->prefix);
}

static void
put_delta (Writer *writer, const IfbamBatch *batch, const char *form, const char *quantity,
           const char *place)
{
  PUT (form, quantity, "l", quantity, "l", place);
  PUT (batch->law->geometry->scaled ? " - p.law.ratio * " : " - ");
  PUT (form, quantity, "r", quantity, "r", place);
}

/* The force at a part of the path. */
static void
put_path_force (Writer *writer, const IfbamBatch *batch, const char *place)
{
  PUT ("%s_force (&p.law, 0, ", batch->law->code.prefix);
  put_delta (writer, batch, "ifbam_path_position (%s%s, %s%s1, %s)", "x", place);
  PUT (", ");
  put_delta (writer, batch, "ifbam_path_rate (%s%s, %s%s1, %s)", "v", place);
  PUT (")");
}

static void
put_states_path (Writer *writer, const IfbamBatch *batch)
{
  const IfbamLaw *law = batch->law;

  PUT ("  static const double place[3] = { 0.5 - IFBAM_GAUSS_3, 0.5, 0.5 + IFBAM_GAUSS_3 };\n"
       "  double force[3], flows[3][%u];\n\n  for (int g = 0; g < 3; g++)\n    {\n",
       law->n_states);
  for (guint k = 0; k < law->n_states; k++)
    PUT ("      p.number[%u] = ifbam_path_rate (state[%u], state1[%u], place[g]);\n",
         law->first_state + k, k, k);
  PUT ("      %s_rates (&p.law, 0, ", law->code.prefix);
  put_delta (writer, batch, "ifbam_path_position (%s%s, %s%s1, %s)", "x", "place[g]");
  PUT (",\n        ");
  put_delta (writer, batch, "ifbam_path_rate (%s%s, %s%s1, %s)", "v", "place[g]");
  PUT (", flows[g]);\n      force[g] = ");
  put_path_force (writer, batch, "place[g]");
  PUT (";\n    }\n");
  for (guint k = 0; k < law->n_states; k++)
    PUT ("  flow[%u] = ifbam_path_mean_3 (flows[0][%u], flows[1][%u], flows[2][%u]);\n", k, k, k,
         k);
  PUT ("  return ifbam_path_mean_3 (force[0], force[1], force[2]);\n");
}

/* What link i of a batch says, of what its ends do now, or by the mean over their paths. */
static void
put_link (Writer *writer, guint b, gboolean mean)
{
  const IfbamBatch *batch = batch_of (writer, b);
  const guint n_states = batch->law->n_states;

  PUT ("\nIFBAM_INLINE double\n%s_%u (const double *restrict laws, size_t i, double xl, double xr, "
       "double vl, double vr%s%s%s)\n{\n",
       mean ? "mean" : "says", b, mean ? ", double xl1, double xr1, double vl1, double vr1" : "",
       n_states == 0 ? ""
       : mean        ? ", const double *state, const double *state1"
                     : ", const double *state",
       n_states == 0 ? "" : ", double *flow");
  put_law (writer, b);
  PUT ("  (void) laws, (void) i, (void) vl, (void) vr;\n");
  if (mean)
    PUT ("  (void) vl1, (void) vr1;\n");
  if (n_states > 0 && mean)
    put_states_path (writer, batch);
  else if (mean)
    {
      PUT ("  return ");
      if (batch->points == 1)
        put_path_force (writer, batch, "0.5");
      else
        {
          const char *gauss = batch->points == 2 ? "IFBAM_GAUSS_2" : "IFBAM_GAUSS_3";

          PUT ("ifbam_path_mean_%u (", batch->points);
          for (guint g = 0; g < batch->points; g++)
            {
              const gboolean middle = batch->points == 3 && g == 1;
              g_autofree char *place =
                  middle ? g_strdup ("0.5")
                         : g_strdup_printf ("0.5 %c %s", g == 0 ? '-' : '+', gauss);

              PUT ("%s", g == 0 ? "" : ",\n    ");
              put_path_force (writer, batch, place);
            }
          PUT (")");
        }
      PUT (";\n");
    }
  else
    {
      for (guint k = 0; k < n_states; k++)
        PUT ("  p.number[%u] = state[%u];\n", batch->law->first_state + k, k);
      if (n_states > 0)
        {
          PUT ("  %s_rates (&p.law, 0, ", batch->law->code.prefix);
          put_delta (writer, batch, "%s%s", "x", "");
          PUT (", ");
          put_delta (writer, batch, "%s%s", "v", "");
          PUT (", flow);\n");
        }
      PUT ("  return %s_force (&p.law, 0, ", batch->law->code.prefix);
      put_delta (writer, batch, "%s%s", "x", "");
      PUT (", ");
      put_delta (writer, batch, "%s%s", "v", "");
      PUT (");\n");
    }
  PUT ("}\n");
}

/* A link's call: where it stands in its batch, and its ends, as C has them. */
static void
put_call (Writer *writer, guint b, gboolean mean, const char *index, const char *left,
          const char *right)
{
  PUT ("%s_%u (laws, %s, x[%s], x[%s], v[%s], v[%s]", mean ? "mean" : "says", b, index, left, right,
       left, right);
  if (mean)
    PUT (", x1[%s], x1[%s], v1[%s], v1[%s]", left, right, left, right);
}

static void
put_answer (Writer *writer, guint b, gboolean mean, const char *indent, const char *index,
            const char *left, const char *right)
{
  const IfbamBatch *batch = batch_of (writer, b);

  PUT ("%sa[" SIZE " + %s] = ", indent, batch->first_slot, index);
  put_call (writer, b, mean, index, left, right);
  PUT (");\n");
  if (batch->law->geometry->scaled)
    PUT ("%sa[" SIZE " + %s] = laws[" SIZE " + %s] * a[" SIZE " + %s];\n", indent, batch->far_slot,
         index, writer->layout->batch[b], index, batch->first_slot, index);
}

static void
put_state_answer (Writer *writer, guint b, gboolean mean, gsize i)
{
  const IfbamBatch *batch = batch_of (writer, b);
  const guint n = batch->law->n_states;
  g_autofree char *index = g_strdup_printf (SIZE, i),
                  *left = g_strdup_printf ("%u", batch->left[i]),
                  *right = g_strdup_printf ("%u", batch->right[i]);

  PUT ("  {\n    double flow[%u];\n", n);
  for (guint old = 0; old < (mean ? 2 : 1); old++)
    {
      PUT ("    const double state%s[%u] = {", old ? "1" : "", n);
      for (guint k = 0; k < n; k++)
        PUT (" v%s[%u],", old ? "1" : "", batch->state[k][i]);
      PUT (" };\n");
    }
  PUT ("\n    a[" SIZE "] = ", batch->first_slot + i);
  put_call (writer, b, mean, index, left, right);
  PUT (", state%s, flow);\n", mean ? ", state1" : "");
  if (batch->law->geometry->scaled)
    PUT ("    a[" SIZE "] = laws[" SIZE "] * a[" SIZE "];\n", batch->far_slot + i,
         writer->layout->batch[b] + i, batch->first_slot + i);
  for (guint k = 0; k < n; k++)
    PUT ("    a[" SIZE "] = flow[%u];\n", batch->state_slot[k] + i, k);
  PUT ("  }\n");
}

static void
put_one_answer (Writer *writer, guint b, gboolean mean, gsize i)
{
  const IfbamBatch *batch = batch_of (writer, b);
  g_autofree char *index = g_strdup_printf (SIZE, i),
                  *left = g_strdup_printf ("%u", batch->left[i]),
                  *right = g_strdup_printf ("%u", batch->right[i]);

  if (ifbam_batch_is_gap (batch, i))
    return;
  if (batch->law->n_states > 0)
    put_state_answer (writer, b, mean, i);
  else
    put_answer (writer, b, mean, "  ", index, left, right);
}

static void
put_loop (Writer *writer, gsize n)
{
  PUT ("  IFBAM_VECTOR_LOOP\n  for (size_t i = 0; i < " SIZE "; i++)\n    {\n", n);
}

/* Links of a batch from first on, in no order. */
static void
put_looked_up (Writer *writer, guint b, gboolean mean, gsize first, gsize last)
{
  const IfbamBatch *batch = batch_of (writer, b);

  if (writer->by_one || last - first < LEAST_OF_TABLE || batch->law->n_states > 0)
    {
      for (gsize i = first; i < last; i++)
        put_one_answer (writer, b, mean, i);
      return;
    }
  PUT ("  for (size_t i = " SIZE "; i < " SIZE "; i++)\n    {\n"
       "      const size_t l = ends_%u[i][0], r = ends_%u[i][1];\n\n",
       first, last, b, b);
  put_answer (writer, b, mean, "      ", "i", "l", "r");
  PUT ("    }\n");
}

static void
put_ends (Writer *writer, guint b)
{
  const IfbamBatch *batch = batch_of (writer, b);
  const gsize n = MAX (batch->n_residue, batch->first_idle);

  if (writer->by_one || batch->law->n_states > 0
      || MAX (batch->n_residue, batch->first_idle - batch->first_driven) < LEAST_OF_TABLE)
    return;
  PUT ("\nstatic const unsigned ends_%u[][2] = {\n", b);
  for (gsize i = 0; i < n; i++)
    PUT ("%s{ %u, %u },%s", i % 8 == 0 ? "  " : " ", batch->left[i], batch->right[i],
         i % 8 == 7 || i + 1 == n ? "\n" : "");
  PUT ("};\n");
}

static void
put_links (Writer *writer, gboolean mean)
{
  const IfbamModel *model = writer->model;

  PUT ("\n%s void\nlinks_%s (const double *restrict x, const double *restrict v%s, double "
       "*restrict a, "
       "const double *restrict laws)\n{\n  (void) x, (void) v, (void) a, (void) laws%s;\n",
       writer->by_one ? "IFBAM_INLINE" : "static", mean ? "mean" : "now",
       mean ? ", const double *restrict x1, const double *restrict v1" : "",
       mean ? ", (void) x1, (void) v1" : "");
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = batch_of (writer, b);

      put_looked_up (writer, b, mean, 0, batch->n_residue);
      for (guint g = 0; g < batch->n_groups; g++)
        for (gsize r = 0; r < batch->groups[g].n_runs; r++)
          {
            const IfbamLinkRun *run = &batch->groups[g].runs[r];
            g_autofree char *left = g_strdup_printf (SIZE " + i", run->left),
                            *right = g_strdup_printf (SIZE " + i", run->right),
                            *index = g_strdup_printf (SIZE " + i", run->first);

            if (writer->by_one || run->n < LEAST_OF_LOOP || batch->law->n_states > 0)
              for (gsize i = 0; i < run->n; i++)
                put_one_answer (writer, b, mean, run->first + i);
            else
              {
                put_loop (writer, ifbam_c_run_length (writer->layout, batch, run));
                put_answer (writer, b, mean, "      ", index, left, right);
                PUT ("    }\n");
              }
          }
      put_looked_up (writer, b, mean, batch->first_driven, batch->first_idle);
    }
  PUT ("}\n");
}

/* Nodes */

/* The sum of what node i hears, or of one so much further. */
static void
put_sum (Writer *writer, gsize i, const char *further)
{
  const IfbamModel *model = writer->model;

  if (model->port_start[i] == model->port_start[i + 1])
    PUT ("-0.0");
  for (guint32 p = model->port_start[i]; p < model->port_start[i + 1]; p++)
    PUT ("%sheard[" SIZE "%s]",
         p == model->port_start[i] ? (model->port[p] & 1 ? "-" : "")
                                   : (model->port[p] & 1 ? " - " : " + "),
         answer_of (writer, model->port[p] >> 1), further);
}

/* Nodes from one on that hear the same, each one slot further. */
static gsize
consecutive_nodes (const Writer *writer, gsize first)
{
  const IfbamModel *model = writer->model;
  const guint32 degree = model->port_start[first + 1] - model->port_start[first];
  gsize n = 1;

  for (; first + n < model->n_free
         && model->port_start[first + n + 1] - model->port_start[first + n] == degree;
       n++)
    for (guint32 p = 0; p < degree; p++)
      if (model->port[model->port_start[first + n] + p]
          != model->port[model->port_start[first] + p] + 2 * n)
        return n;
  return n;
}

/* How many from one on are no loop: none, if they are one themselves. */
static gsize
count_irregular (const Writer *writer, gsize first)
{
  gsize n = 0;

  while (first + n < writer->model->n_free
         && (writer->by_one || consecutive_nodes (writer, first + n) < LEAST_OF_LOOP))
    n++;
  return n;
}

/* What is done to a node, with its number and what it hears. */
typedef struct
{
  const char *before, *behind;
  gboolean moves; /* it takes the inverse inertia, too */
} Doing;

static void
put_doing (Writer *writer, const Doing *doing, const char *indent, const char *node)
{
  PUT ("%s%s%s%s", indent, doing->before, node, doing->moves ? ", " : "] = ");
  if (doing->moves)
    PUT ("inverse[%s], ", node);
}

static void
put_nodes (Writer *writer, const Doing *doing)
{
  const IfbamModel *model = writer->model;

  for (gsize first = 0, n; first < model->n_free; first += n)
    {
      n = count_irregular (writer, first);
      if (n == 0)
        {
          g_autofree char *node = g_strdup_printf (SIZE " + i", first);

          n = consecutive_nodes (writer, first);
          put_loop (writer, n);
          put_doing (writer, doing, "      ", node);
          put_sum (writer, first, " + i");
          PUT ("%s;\n    }\n", doing->behind);
        }
      else if (!writer->by_one && n >= LEAST_OF_TABLE)
        {
          PUT ("  for (size_t i = " SIZE "; i < " SIZE
               "; i++)\n    {\n      double force = -0.0;\n\n"
               "      for (size_t p = port_start[i]; p < port_start[i + 1]; p++)\n"
               "        force += port[p] & 1 ? -heard[port[p] >> 1] : heard[port[p] >> 1];\n",
               first, first + n);
          put_doing (writer, doing, "      ", "i");
          PUT ("force%s;\n    }\n", doing->behind);
        }
      else
        for (gsize i = first; i < first + n; i++)
          {
            g_autofree char *node = g_strdup_printf (SIZE, i);

            put_doing (writer, doing, "  ", node);
            put_sum (writer, i, "");
            PUT ("%s;\n", doing->behind);
          }
    }
}

static void
put_ports (Writer *writer)
{
  const IfbamModel *model = writer->model;
  gboolean wanted = FALSE;

  for (gsize first = 0, n; first < model->n_free && !writer->by_one; first += MAX (n, 1))
    {
      n = count_irregular (writer, first);
      wanted |= n >= LEAST_OF_TABLE;
      if (n == 0)
        n = consecutive_nodes (writer, first);
    }
  if (!wanted)
    return;
  PUT ("\n/* Who hears whom: from where on, and twice the number of what is heard, 1 more where it "
       "counts "
       "negative. */\nstatic const unsigned port_start[] = {\n ");
  for (gsize i = 0; i <= model->n_free; i++)
    PUT (" %u,%s", model->port_start[i], i % 16 == 15 ? "\n " : "");
  PUT ("\n};\nstatic const unsigned port[] = {\n ");
  for (guint32 p = 0; p < model->port_start[model->n_free]; p++)
    PUT (" " SIZE ",%s", answer_of (writer, model->port[p] >> 1) << 1 | (model->port[p] & 1),
         p % 16 == 15 ? "\n " : "");
  PUT ("\n};\n");
}

#define COLUMNS_OF_C "c0, c1, c2, c3, c4, c5"

static void
put_stages (Writer *writer)
{
  for (guint s = 0; s < writer->scheme->n_stages; s++)
    {
      g_autofree char *before =
          g_strdup_printf ("%s (" COLUMNS_OF_C ", ", writer->scheme->code.stage[s]);

      PUT ("\n%s void\nnodes_%u (IFBAM_NODE_COLUMNS, const double *restrict heard, const double "
           "*restrict "
           "inverse, double step)\n{\n  (void) heard, (void) c4, (void) c5;\n",
           writer->by_one ? "IFBAM_INLINE" : "static", s);
      put_nodes (writer, &(Doing){ before, ", step)", TRUE });
      PUT ("}\n");
    }
  PUT ("\nstatic void\nsum_forces (const double *restrict heard, double *restrict sum)\n{\n  "
       "(void) heard;\n");
  put_nodes (writer, &(Doing){ "sum[", "", FALSE });
  PUT ("}\n");
}

/* Given nodes and sources */

static void
put_course (Writer *writer, GHashTable *courses, const IfbamInterpolant *course)
{
  const double *columns[] = { course->time, course->value, course->integral, course->line };
  static const char *const names[] = { "time", "value", "integral", "line" };
  const guint number = g_hash_table_size (courses);

  if (g_hash_table_contains (courses, course))
    return;
  g_hash_table_insert (courses, (gpointer) course, GUINT_TO_POINTER (number));
  for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
    {
      if (columns[c] == NULL)
        continue;
      PUT ("\nstatic const double course_%u_%s[] = {\n", number, names[c]);
      for (gsize i = 0; i < course->n * (c == 3 ? 2 : 1); i++)
        PUT ("  %s,\n", NUMBER (columns[c][i]));
      PUT ("};\n");
    }
  PUT ("static const IfbamInterpolant course_%u = { %lu, course_%u_time, course_%u_value, ", number,
       course->n, number, number);
  if (course->integral != NULL)
    PUT ("course_%u_integral, ", number);
  else
    PUT ("0, ");
  if (course->line != NULL)
    PUT ("course_%u_line };\n", number);
  else
    PUT ("0 };\n");
}

static char *
course_text (GHashTable *courses, const IfbamInterpolant *course)
{
  return course == NULL ? g_strdup ("0")
                        : g_strdup_printf (
                            "&course_%u", GPOINTER_TO_UINT (g_hash_table_lookup (courses, course)));
}

static void
put_law_copy (Writer *writer, const IfbamLawCode *code, gsize number)
{
  PUT ("  %s law;\n\n  memcpy (&law, number + " SIZE ", sizeof law);\n", code->type, number);
}

static void
put_given (Writer *writer, GHashTable *courses)
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
      if (span->info->code.n_numbers == 0)
        PUT ("  (void) number, (void) time;\n  *x = *v = *a = 0.0;\n");
      else
        {
          put_law_copy (writer, &span->info->code, writer->layout->given[i - model->n_free]);
          PUT ("  %s_motion (&law, %s, time, x, v, a);\n", span->info->code.prefix, course);
        }
      PUT ("}\n");
    }
  /* What nodes that move say at a stage of a step. */
  PUT ("\nIFBAM_INLINE void\nsay_given (const double *number, double step, double *x, double "
       "*v)\n{\n"
       "  double unwanted, acceleration;\n\n"
       "  (void) number, (void) step, (void) x, (void) v, (void) unwanted, (void) acceleration;\n");
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      if (!is_moving (writer, i))
        continue;
      PUT ("  given_" SIZE " (number, step * number[0], &x[" SIZE "], &v[" SIZE
           "], &acceleration);\n",
           i, i, i);
      if (scheme->velocity_lag > 0)
        /* Before a cold start nothing lags: all stood there. */
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
           i, NUMBER (scheme->stage_time[0]), scheme->said_position, i, scheme->said_rate, i);
  PUT ("}\n");
}

/* What it says at a time. */
static void
put_source_call (Writer *writer, GHashTable *courses, gsize s, const char *time)
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
put_source_block (Writer *writer, GHashTable *courses, gsize s, const char *time)
{
  const IfbamSource *source = ifbam_model_source_of (writer->model, s);

  PUT ("  {\n    %s law;\n\n    memcpy (&law, self->number + " SIZE
       ", sizeof law);\n    answer[" SIZE "] = ",
       source->info->code.type, writer->layout->source[s], writer->layout->first_source + s);
  put_source_call (writer, courses, s, time);
  PUT (";\n  }\n");
}

/* How many sources from one on are a field on nodes that follow each other. */
static gsize
count_alike (const Writer *writer, gsize s)
{
  const IfbamModel *model = writer->model;
  gsize n = 1;

  while (ifbam_model_is_field (model, s) && s + n < model->n_sources
         && model->sources->pdata[s + n] == model->sources->pdata[s]
         && model->source_node[s + n] == model->source_node[s] + n)
    n++;
  return n;
}

static void
put_sources (Writer *writer, GHashTable *courses)
{
  const IfbamModel *model = writer->model;

  PUT ("\nstatic void\nall_sources (const IfbamNetwork *self, double time, double *answer)\n{\n"
       "  (void) self, (void) time, (void) answer;\n");
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
             "      answer[" SIZE " + i] = %s_force (&law, self->inertia[%u + i]);\n    }\n",
             n, source->info->code.type, writer->layout->source[s],
             writer->layout->first_source + s, source->info->code.prefix, model->source_node[s]);
    }
  PUT ("}\n\nIFBAM_INLINE void\nvarying_sources (const IfbamNetwork *self, double time, double "
       "*answer)\n{\n"
       "  (void) self, (void) time, (void) answer;\n");
  for (gsize v = 0; v < model->n_varying; v++)
    put_source_block (writer, courses, model->varying[v], "time");
  PUT ("}\n");
}

/* Signals */

static void
put_node_values (Writer *writer, GHashTable *known, gsize node)
{
  if (!g_hash_table_add (known, GSIZE_TO_POINTER (node + 1)))
    return;
  if (node >= writer->model->n_free)
    PUT ("  double x_" SIZE ", v_" SIZE ", a_" SIZE ";\n\n  given_" SIZE
         " (self->number, step * self->number[0], &x_" SIZE ", &v_" SIZE ", &a_" SIZE
         ");\n  (void) x_" SIZE ", (void) v_" SIZE ", (void) a_" SIZE ";\n",
         node, node, node, node, node, node, node, node, node, node);
  else
    PUT ("  double x_" SIZE ", v_" SIZE ";\n\n  %s (" SIZE ", column, &x_" SIZE ", &v_" SIZE
         ");\n  (void) x_" SIZE ", (void) v_" SIZE ";\n",
         node, node, writer->scheme->code.observe, node, node, node, node, node);
}

static void
need_link (Writer *writer, GHashTable *known, gsize slot)
{
  gsize i;
  const IfbamBatch *batch = ifbam_model_batch (writer->model, slot, &i);

  put_node_values (writer, known, batch->left[i]);
  put_node_values (writer, known, batch->right[i]);
  for (guint k = 0; k < batch->law->n_states; k++)
    put_node_values (writer, known, batch->state[k][i]);
}

static void
need_neighbours (Writer *writer, GHashTable *known, gsize node)
{
  const IfbamModel *model = writer->model;

  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    if (model->port[p] >> 1 < model->n_slots)
      need_link (writer, known, model->port[p] >> 1);
}

/* What a link says to who hears the slot, as statements that set `said`. */
static void
put_said (Writer *writer, gsize slot)
{
  gsize i, first[IFBAM_MAX_SLOTS];
  const IfbamBatch *batch = ifbam_model_batch (writer->model, slot, &i);
  const guint b = (guint) (batch - batch_of (writer, 0));
  const guint n_states = batch->law->n_states, n = ifbam_batch_slots (batch, first);
  guint which = 0;

  while (which < n && slot >= first[which])
    which++;
  if (n_states > 0)
    {
      PUT ("    double flow[%u];\n    const double state[%u] = {", n_states, n_states);
      for (guint k = 0; k < n_states; k++)
        PUT (" v_%u,", batch->state[k][i]);
      PUT (" };\n");
    }
  PUT ("    said = says_%u (self->laws, " SIZE ", x_%u, x_%u, v_%u, v_%u%s);\n", b, i,
       batch->left[i], batch->right[i], batch->left[i], batch->right[i],
       n_states > 0 ? ", state, flow" : "");
  if (which > 0 && batch->far_slot != batch->first_slot && which == 1)
    PUT ("    said = self->laws[" SIZE "] * said;\n", writer->layout->batch[b] + i);
  else if (which > 0)
    PUT ("    said = flow[" SIZE "];\n",
         (gsize) which - (batch->far_slot != batch->first_slot ? 2 : 1));
}

/* The sum of all that a node hears at a row. */
static void
put_force_now (Writer *writer, GHashTable *courses, gsize node)
{
  const IfbamModel *model = writer->model;

  PUT ("    force = -0.0;\n");
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    {
      const gsize slot = model->port[p] >> 1;

      PUT ("    {\n    double said;\n\n");
      if (slot < model->n_slots)
        put_said (writer, slot);
      else
        {
          const gsize s = slot - model->n_slots;
          const IfbamSource *source = ifbam_model_source_of (model, s);

          PUT ("    %s law;\n\n    memcpy (&law, self->number + " SIZE
               ", sizeof law);\n    said = ",
               source->info->code.type, writer->layout->source[s]);
          put_source_call (writer, courses, s, "step * self->number[0]");
          PUT (";\n");
        }
      PUT ("    force %s said;\n    }\n", model->port[p] & 1 ? "-=" : "+=");
    }
}

static void
put_delta_of (Writer *writer, gsize slot, const char *quantity)
{
  gsize i;
  const IfbamBatch *batch = ifbam_model_batch (writer->model, slot, &i);
  const guint b = (guint) (batch - batch_of (writer, 0));

  PUT ("%s_%u - ", quantity, batch->left[i]);
  if (batch->law->geometry->scaled)
    PUT ("self->laws[" SIZE "] * ", writer->layout->batch[b] + i);
  PUT ("%s_%u;\n", quantity, batch->right[i]);
}

static void
put_signal (Writer *writer, GHashTable *courses, const IfbamSignal *signal, gsize place)
{
  const IfbamModel *model = writer->model;
  const gsize node = signal->number;

  switch (signal->kind)
    {
    case IFBAM_SIGNAL_POSITION:
      PUT ("  row[" SIZE "] = x_" SIZE ";\n", place, node);
      break;
    case IFBAM_SIGNAL_RATE:
      PUT ("  row[" SIZE "] = v_" SIZE ";\n", place, node);
      break;
    case IFBAM_SIGNAL_ACCELERATION:
    case IFBAM_SIGNAL_NODE_FORCE:
      if (signal->kind == IFBAM_SIGNAL_ACCELERATION && node >= model->n_free)
        {
          PUT ("  row[" SIZE "] = a_" SIZE ";\n", place, node);
          break;
        }
      PUT ("  {\n    double force;\n\n");
      put_force_now (writer, courses, node);
      if (signal->kind == IFBAM_SIGNAL_ACCELERATION)
        PUT ("    row[" SIZE "] = force * self->inverse[" SIZE "];\n  }\n", place, node);
      else
        PUT ("    row[" SIZE "] = 0 - force;\n  }\n", place);
      break;
    case IFBAM_SIGNAL_FORCE:
      PUT ("  {\n    double said;\n\n");
      put_said (writer, model->link_slot[signal->number]);
      PUT ("    row[" SIZE "] = said;\n  }\n", place);
      break;
    case IFBAM_SIGNAL_COMPRESSION:
    case IFBAM_SIGNAL_LINK_RATE:
      PUT ("  row[" SIZE "] = ", place);
      put_delta_of (writer, model->link_slot[signal->number],
                    signal->kind == IFBAM_SIGNAL_COMPRESSION ? "x" : "v");
      break;
    case IFBAM_SIGNAL_SOURCE_FORCE:
      PUT ("  row[" SIZE "] = 0.0;\n", place);
      for (gsize s = node;
           s < model->n_sources && model->sources->pdata[s] == model->sources->pdata[node]; s++)
        {
          PUT ("  {\n    %s law;\n\n    memcpy (&law, self->number + " SIZE
               ", sizeof law);\n    row[" SIZE "] %s ",
               ifbam_model_source_of (model, s)->info->code.type, writer->layout->source[s], place,
               s == node ? "=" : "+=");
          put_source_call (writer, courses, s, "step * self->number[0]");
          PUT (";\n  }\n");
        }
      break;
    default:
      PUT ("  row[" SIZE "] = 0.0;\n", place); /* the only mode */
      break;
    }
}

static void
put_tell (Writer *writer, GHashTable *courses, const GArray *signals)
{
  const IfbamModel *model = writer->model;
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  PUT ("\n/* The signals where the columns stand so, after so many steps. */\n"
       "IFBAM_INLINE void\ntell (const IfbamNetwork *self, double *c0, double *c1, double *c2, "
       "double *c3, "
       "double step, double *restrict row)\n{\n"
       "  double *const column[4] = { c0, c1, c2, c3 };\n\n"
       "  (void) self, (void) step, (void) column, (void) row;\n");
  for (guint i = 0; i < signals->len; i++)
    {
      const IfbamSignal *signal = &g_array_index (signals, IfbamSignal, i);

      if (signal->kind <= IFBAM_SIGNAL_NODE_FORCE)
        put_node_values (writer, known, signal->number);
      if (signal->kind == IFBAM_SIGNAL_ACCELERATION || signal->kind == IFBAM_SIGNAL_NODE_FORCE)
        need_neighbours (writer, known, signal->number);
      if (signal->kind >= IFBAM_SIGNAL_FORCE && signal->kind <= IFBAM_SIGNAL_LINK_RATE)
        need_link (writer, known, model->link_slot[signal->number]);
    }
  for (guint i = 0; i < signals->len; i++)
    put_signal (writer, courses, &g_array_index (signals, IfbamSignal, i), i);
  PUT ("}\n");
}

/* The steps */

/* One step, from the columns in this order to the row. */
static void
put_cycle (Writer *writer, const char *indent, gboolean odd)
{
  const IfbamScheme *scheme = writer->scheme;
  static const char *const order[2][6] = { { "c0", "c1", "c2", "c3", "c4", "c5" },
                                           { "c2", "c3", "c0", "c1", "c4", "c5" } };
  const char *const *c = order[odd];
  const char *said = scheme->latency && !odd ? "a1" : "a0", *heard = odd ? "a1" : "a0";
  const guint x = scheme->said_position, v = scheme->said_rate;

  for (guint s = 0; s < scheme->n_stages; s++)
    {
      const char *time = NUMBER (scheme->stage_time[s]);

      PUT ("%ssay_given (self->number, GIVEN_STEP ((double) cycle + %s), %s, %s);\n", indent, time,
           c[x], c[v]);
      if (scheme->mean)
        PUT ("%slinks_mean (%s, %s, %s, %s, %s, laws);\n", indent, c[x], c[v], c[2], c[3], said);
      else
        PUT ("%slinks_now (%s, %s, %s, laws);\n", indent, c[x], c[v], said);
      PUT ("%svarying_sources (self, SOURCE_TIME ((double) cycle, %s) * self->number[0], %s);\n",
           indent, time, said);
      PUT ("%snodes_%u (%s, %s, %s, %s, %s, %s, %s, inverse, step);\n", indent, s, c[0], c[1], c[2],
           c[3], c[4], c[5], heard);
    }
  PUT ("%scycle++;\n%sif (--wait == 0)\n%s  {\n"
       "%s    tell (self, %s, %s, %s, %s, (double) (cycle - LATENCY), rows);\n"
       "%s    rows += N_SIGNALS;\n%s    wait = stride;\n%s  }\n",
       indent, indent, indent, indent, c[scheme->latency ? 2 : 0], c[scheme->latency ? 3 : 1],
       c[scheme->latency ? 0 : 2], c[scheme->latency ? 1 : 3], indent, indent, indent);
}

/* So many steps; a row at every stride-th, the first one after `wait`. */
static void
put_advance (Writer *writer)
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
           "a0[N_ANSWERS], "
           "a1[N_ANSWERS];\n  double laws[N_LAWS], inverse[N_FREE + 1];\n\n"
           "  (void) c2, (void) c3, (void) c4, (void) c5, (void) a1;\n"
           "  memcpy (laws, self->laws, sizeof laws);\n"
           "  memcpy (inverse, self->inverse, sizeof inverse);\n"
           "  memcpy (a0, self->answer[0], sizeof a0);\n  memcpy (a1, self->answer[LATENCY], "
           "sizeof a1);\n");
      for (guint c = 0; c < 6; c++)
        PUT ("  memcpy (c%u, self->column[%u], sizeof c%u);\n", c, MIN (c, n_columns - 1), c);
    }
  else
    {
      for (guint c = 0; c < 6; c++)
        PUT ("  double *const c%u = self->column[%u] + SHIFT;\n", c, MIN (c, n_columns - 1));
      PUT ("  double *const a0 = self->answer[0], *const a1 = self->answer[LATENCY];\n"
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
             "      memcpy (self->column[3], c1, sizeof c1);\n      memcpy (self->answer[0], a1, "
             "sizeof a1);\n"
             "      memcpy (self->answer[1], a0, sizeof a0);\n      return;\n    }\n");
      for (guint c = 0; c < n_columns; c++)
        PUT ("  memcpy (self->column[%u], c%u, sizeof c%u);\n", c, c, c);
      PUT ("  memcpy (self->answer[0], a0, sizeof a0);\n");
      if (scheme->latency)
        PUT ("  memcpy (self->answer[1], a1, sizeof a1);\n");
    }
  else if (scheme->latency)
    PUT ("  if (steps > 0)\n    {\n      exchange (c0, c2, N_NODES - SHIFT);\n"
         "      exchange (c1, c3, N_NODES - SHIFT);\n      exchange (a0, a1, N_ANSWERS);\n    }\n");
  PUT ("}\n");
}

/* The whole */

static gboolean
paste_all (Writer *writer, GError **error)
{
  const IfbamModel *model = writer->model;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  IfbamCPaste paste = { writer->text, seen };
  g_autoptr (GPtrArray) laws = g_ptr_array_new ();

  for (guint b = 0; b < model->batches->len; b++)
    g_ptr_array_add (laws, (gpointer) batch_of (writer, b)->law->code.prefix);
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (model, i, &member);

      if (span->info->code.n_numbers > 0)
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
  return ifbam_c_paste (&paste, "element/path.h", error)
         && ifbam_c_paste (&paste, writer->scheme->code.header, error);
}

static void
put_size (Writer *writer)
{
  const IfbamModel *model = writer->model;
  const IfbamScheme *scheme = writer->scheme;
  const IfbamCLayout *layout = writer->layout;

  PUT ("\nenum\n{\n  N_FREE = " SIZE ",\n  N_NODES = " SIZE
       ", /* with those that are given, and room for whole vectors */\n"
       "  SHIFT = " SIZE ",   /* so many stand before the first one */\n  N_ANSWERS = " SIZE
       ",\n  N_COLUMNS = %u,\n"
       "  N_LAWS = " SIZE ",\n  N_NUMBERS = %u,\n  N_SIGNALS = " SIZE ",\n  LATENCY = %d,\n};\n",
       model->n_free, layout->n_nodes, layout->shift, layout->n_answers, scheme->n_columns,
       layout->n_laws + IFBAM_LINE, layout->numbers->len, writer->n_signals,
       scheme->latency ? 1 : 0);
  PUT ("#define SOURCE_TIME(step, stage) ((step) + (stage) + %s)\n", NUMBER (scheme->source_lead));
  PUT ("#define GIVEN_STEP(step) (%s)\n",
       writer->spec->cold ? "(step) <= 0 ? 0.0 : (step)" : "step");
}

static void
put_network (Writer *writer)
{
  PUT ("\n/* A network: no pointers, so that it can be copied. */\n"
       "typedef struct\n{\n  double column[N_COLUMNS < 4 ? 4 : N_COLUMNS][N_NODES], answer[1 + "
       "LATENCY][N_ANSWERS];\n"
       "  double laws[N_LAWS], inverse[(N_FREE + 8) / 8 * 8], inertia[N_FREE + 1], position[N_FREE "
       "+ 1], "
       "rate[N_FREE + 1], acceleration[N_FREE + 1];\n"
       "  double number[N_NUMBERS];\n  unsigned long long steps;\n"
       "} __attribute__ ((aligned (64))) IfbamNetwork;\n");
}

static void
put_places (Writer *writer)
{
  const GArray *places = writer->layout->places;

  PUT ("\nstatic const struct\n{\n  unsigned array;\n  size_t to, count, from, stride, length, "
       "phase;\n} places[] = {\n");
  for (guint p = 0; p < places->len; p++)
    {
      const IfbamCPlace *place = &g_array_index (places, IfbamCPlace, p);

      /* Lists repeat; what is one element's after the other's does not. */
      PUT ("  { %u, " SIZE ", " SIZE ", " SIZE ", " SIZE ", " SIZE ", " SIZE " },\n", place->array,
           place->to, place->count, place->from, place->length > 1 ? 1 : place->stride,
           place->length > 1 ? place->length : place->count, place->phase);
    }
  if (places->len == 0)
    PUT ("  { 0, 0, 0, 0, 0, 1, 0 },\n");
  PUT ("};\n");
}

/* Whether it is of one kind or another by its numbers. */
static gboolean
has_kinds (const IfbamBatch *batch)
{
  return batch->law->has_modes != NULL || ifbam_c_law_has (batch->law->code.prefix, "points");
}

/* Laws whose kind depends on numbers have to stay of their kind. */
static void
put_kinds (Writer *writer)
{
  const IfbamModel *model = writer->model;

  PUT ("\n/* Whether no number has made a law one of another kind. */\nstatic int\nis_same_kind "
       "(const IfbamNetwork *self)\n{\n"
       "  const double *const laws = self->laws;\n\n  (void) laws;\n");
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = batch_of (writer, b);
      const IfbamLawCode *code = &batch->law->code;

      if (!has_kinds (batch))
        continue;
      PUT ("  for (size_t i = 0; i < " SIZE
           "; i++)\n    {\n    union\n    {\n      %s law;\n      double number[%u];\n"
           "    } p = { .number = { ",
           batch->count, code->type, code->n_numbers);
      for (guint k = 0; k < code->n_numbers; k++)
        PUT ("%slaws[" SIZE " + i]", k > 0 ? ", " : "",
             writer->layout->batch[b] + k * writer->layout->apart[b]);
      PUT (" } };\n\n    if (is_gap_%u (i))\n      continue;\n", b);
      if (ifbam_c_law_has (code->prefix, "points"))
        PUT ("    if (%s_points (&p.law) != %u)\n      return 0;\n", code->prefix, batch->points);
      if (batch->law->has_modes != NULL)
        PUT ("    if (%s_has_modes (&p.law))\n      return 0;\n", code->prefix);
      PUT ("    }\n");
    }
  PUT ("  return 1;\n}\n");
}

/* Places between runs, of no link. */
static void
put_gaps (Writer *writer)
{
  for (guint b = 0; b < writer->model->batches->len; b++)
    {
      const IfbamBatch *batch = batch_of (writer, b);
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
put_numbers (Writer *writer)
{
  const GArray *numbers = writer->layout->numbers, *names = writer->layout->names;

  PUT ("\n/* The step, then what the network's elements are. */\nstatic const double "
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
add_courses (Writer *writer, GHashTable *courses)
{
  const IfbamModel *model = writer->model;

  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (model, i, &member);

      if (span->info->code.n_numbers > 0 && span->course != NULL)
        put_course (writer, courses, span->course);
    }
  for (gsize s = 0; s < model->n_sources; s++)
    if (ifbam_model_source_of (model, s)->course != NULL)
      put_course (writer, courses, ifbam_model_source_of (model, s)->course);
}

static void
writer_begin (Writer *writer)
{
  const IfbamModel *model = writer->model;

  writer->layout = ifbam_c_layout_new (model, writer->spec);
  writer->text = g_string_new (NULL);
  writer->by_one = model->n_free <= MOST_BY_ONE && model->n_links <= MOST_BY_ONE;
  if (writer->by_one)
    {
      writer->layout->n_nodes = model->n_nodes;
      writer->layout->shift = 0;
    }
}

static gboolean
put_engine (Writer *writer, const GArray *signals, GError **error)
{
  g_autoptr (GHashTable) courses = g_hash_table_new (NULL, NULL);

  if (!paste_all (writer, error))
    return FALSE;
  put_size (writer);
  put_network (writer);
  put_places (writer);
  add_courses (writer, courses);
  for (guint b = 0; b < writer->model->batches->len; b++)
    {
      put_ends (writer, b);
      put_link (writer, b, FALSE);
      if (writer->scheme->mean)
        put_link (writer, b, TRUE);
    }
  put_ports (writer);
  put_links (writer, FALSE);
  if (writer->scheme->mean)
    put_links (writer, TRUE);
  put_stages (writer);
  put_given (writer, courses);
  put_sources (writer, courses);
  put_tell (writer, courses, signals);
  if (writer->scheme->latency && !writer->by_one)
    PUT ("\nstatic void\nexchange (double *one, double *other, size_t n)\n{\n  for (size_t i = 0; "
         "i < n; i++)\n    {\n"
         "      const double swap = one[i];\n\n      one[i] = other[i];\n      other[i] = swap;\n  "
         "  }\n}\n");
  put_advance (writer);
  PUT ("%s", ifbam_c_text ("network.c.in", NULL));
  return TRUE;
}

static void
put_title (Writer *writer, const char *title)
{
  PUT ("/* %s\n", title);
}

/* As one field of CSV. */
static void
append_field (GString *line, const char *name)
{
  if (strpbrk (name, ",\"\r\n") == NULL)
    {
      g_string_append (line, name);
      return;
    }
  g_string_append_c (line, '"');
  for (; *name != '\0'; name++)
    g_string_append_printf (line, "%s%c", *name == '"' ? "\"" : "", *name);
  g_string_append_c (line, '"');
}

char *
ifbam_c_source (const IfbamModel *model, const IfbamRunSpec *spec, const IfbamSignals *signals,
                const char *title, GError **error)
{
  Writer own = { .model = model,
                 .spec = spec,
                 .scheme = spec->scheme,
                 .n_signals = signals->signals->len },
         *writer = &own;
  g_autoptr (GString) line = g_string_new ("time");
  g_autofree char *header = NULL;
  gboolean fine;

  writer_begin (writer);
  for (guint i = 0; i < signals->names->len && signals->names->pdata[i] != NULL; i++)
    {
      g_string_append_c (line, ',');
      append_field (line, signals->names->pdata[i]);
    }
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
  Writer own = { .model = model,
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
