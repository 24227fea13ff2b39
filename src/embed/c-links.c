/* c-links.c: links in the generated C: a force function per batch, and its calls for all endpoints
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/c-headers.h"
#include "embed/c-writer.h"

void
ifbam_c_put_programs (IfbamCWriter *writer)
{
  const GPtrArray *programs = writer->layout->programs;

  for (guint k = 0; k < programs->len; k++)
    {
      const IfbamProgram *program = programs->pdata[k];

      PUT ("\nstatic const IfbamInstruction program_%u[] = {\n", k);
      for (guint i = 0; i < program->n; i++)
        PUT ("  { %u, %u, %u, %s },\n", program->instruction[i].operation,
             program->instruction[i].target, program->instruction[i].input,
             NUMBER (program->instruction[i].number));
      PUT ("};\n");
    }
  for (guint k = 0; k < programs->len; k++)
    {
      const IfbamProgram *program = programs->pdata[k];

      PUT ("%s  { %u, %u, %u, program_%u },\n%s",
           k == 0 ? "\nstatic const IfbamProgram programs[] = {\n" : "", program->n, program->degree,
           program->inputs, k, k + 1 == programs->len ? "};\n" : "");
    }
}

void
ifbam_c_put_law (IfbamCWriter *writer, guint b)
{
  const IfbamBatch *batch = ifbam_c_batch (writer, b);
  const IfbamLawCode *code = &batch->law->code;
  const guint program = batch->info->program_parameter;

  PUT ("  union\n  {\n    %s law;\n    double number[%u];\n  } p = { .number = { ", code->type,
       code->n_parameters);
  for (guint k = 0; k < code->n_parameters; k++)
    PUT ("%slaws[" SIZE " + i]", k > 0 ? ", " : "",
         writer->layout->batch[b] + k * writer->layout->apart[b]);
  PUT (" } };\n\n");
  if (program != 0)
    PUT ("  memcpy (&p.number[%u], &(const IfbamProgram *){ &programs[(size_t) p.number[%u]] },\n"
         "          sizeof (const IfbamProgram *));\n",
         program - 1, program - 1);
}

static void
put_copied_law (IfbamCWriter *writer, guint b)
{
  const IfbamBatch *batch = ifbam_c_batch (writer, b);
  const IfbamLawCode *code = &batch->law->code;

  ifbam_c_put_law (writer, b);
  if (batch->points == 1 && ifbam_c_law_has (code->prefix, "linear"))
    PUT ("  %s_linear (&p.law);\n", code->prefix);
}

static void
put_delta (IfbamCWriter *writer, const IfbamBatch *batch, const char *form, const char *quantity,
           const char *place)
{
  PUT (form, quantity, "l", quantity, "l", place);
  PUT (batch->law->geometry->scaled ? " - p.law.ratio * " : " - ");
  PUT (form, quantity, "r", quantity, "r", place);
}

/* Writes the force at a point of the path. */
static void
put_path_force (IfbamCWriter *writer, const IfbamBatch *batch, const char *place)
{
  PUT ("%s_force (&p.law, 0, ", batch->law->code.prefix);
  put_delta (writer, batch, "ifbam_path_position (%s%s, %s%s1, %s)", "x", place);
  PUT (", ");
  put_delta (writer, batch, "ifbam_path_rate (%s%s, %s%s1, %s)", "v", place);
  PUT (")");
}

static void
put_states_path (IfbamCWriter *writer, const IfbamBatch *batch)
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

/* Writes a batch's force function: at present endpoints, or the mean over their paths. */
void
ifbam_c_put_link (IfbamCWriter *writer, guint b, gboolean mean)
{
  const IfbamBatch *batch = ifbam_c_batch (writer, b);
  const guint n_states = batch->law->n_states;

  PUT ("\nIFBAM_INLINE double\n%s_%u (const double *restrict laws, size_t i, double xl, double xr, "
       "double vl, double vr%s%s%s)\n{\n",
       mean ? "mean" : "output", b, mean ? ", double xl1, double xr1, double vl1, double vr1" : "",
       n_states == 0 ? ""
       : mean        ? ", const double *state, const double *state1"
                     : ", const double *state",
       n_states == 0 ? "" : ", double *flow");
  put_copied_law (writer, b);
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

/* Writes the call for a link: its index in the batch, and its endpoints, as C expressions. */
static void
put_call (IfbamCWriter *writer, guint b, gboolean mean, const char *index, const char *left,
          const char *right)
{
  PUT ("%s_%u (laws, %s, x[%s], x[%s], v[%s], v[%s]", mean ? "mean" : "output", b, index, left, right,
       left, right);
  if (mean)
    PUT (", x1[%s], x1[%s], v1[%s], v1[%s]", left, right, left, right);
}

static void
put_link (IfbamCWriter *writer, guint b, gboolean mean, const char *indent, const char *index,
            const char *left, const char *right)
{
  const IfbamBatch *batch = ifbam_c_batch (writer, b);

  PUT ("%sa[" SIZE " + %s] = ", indent, batch->first_slot, index);
  put_call (writer, b, mean, index, left, right);
  PUT (");\n");
  if (batch->law->geometry->scaled)
    PUT ("%sa[" SIZE " + %s] = laws[" SIZE " + %s] * a[" SIZE " + %s];\n", indent, batch->far_slot,
         index, writer->layout->batch[b], index, batch->first_slot, index);
}

static void
put_state_link (IfbamCWriter *writer, guint b, gboolean mean, gsize i)
{
  const IfbamBatch *batch = ifbam_c_batch (writer, b);
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
put_single_link (IfbamCWriter *writer, guint b, gboolean mean, gsize i)
{
  const IfbamBatch *batch = ifbam_c_batch (writer, b);
  g_autofree char *index = g_strdup_printf (SIZE, i),
                  *left = g_strdup_printf ("%u", batch->left[i]),
                  *right = g_strdup_printf ("%u", batch->right[i]);

  if (ifbam_batch_is_gap (batch, i))
    return;
  if (batch->law->n_states > 0)
    put_state_link (writer, b, mean, i);
  else
    put_link (writer, b, mean, "  ", index, left, right);
}

/* Writes links [first, last) of a batch without a regular order. */
static void
put_looked_up (IfbamCWriter *writer, guint b, gboolean mean, gsize first, gsize last)
{
  const IfbamBatch *batch = ifbam_c_batch (writer, b);

  if (writer->by_one || last - first < LEAST_OF_TABLE || batch->law->n_states > 0)
    {
      for (gsize i = first; i < last; i++)
        put_single_link (writer, b, mean, i);
      return;
    }
  PUT ("  for (size_t i = " SIZE "; i < " SIZE "; i++)\n    {\n"
       "      const size_t l = ends_%u[i][0], r = ends_%u[i][1];\n\n",
       first, last, b, b);
  put_link (writer, b, mean, "      ", "i", "l", "r");
  PUT ("    }\n");
}

void
ifbam_c_put_ends (IfbamCWriter *writer, guint b)
{
  const IfbamBatch *batch = ifbam_c_batch (writer, b);
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

void
ifbam_c_put_links (IfbamCWriter *writer, gboolean mean)
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
      const IfbamBatch *batch = ifbam_c_batch (writer, b);

      put_looked_up (writer, b, mean, 0, batch->n_residue);
      for (guint g = 0; g < batch->n_groups; g++)
        for (gsize r = 0; r < batch->groups[g].n_runs; r++)
          {
            const IfbamLinkRun *run = &batch->groups[g].runs[r];
            g_autofree char *left = g_strdup_printf (SIZE " + i", run->left),
                            *right = g_strdup_printf (SIZE " + i", run->right),
                            *index = g_strdup_printf (SIZE " + i", run->first);

            if (writer->by_one) /* links with states are in no run */
              for (gsize i = 0; i < run->n; i++)
                put_single_link (writer, b, mean, run->first + i);
            else
              {
                ifbam_c_put_loop (writer, ifbam_c_run_length (writer->layout, batch, run));
                put_link (writer, b, mean, "      ", index, left, right);
                PUT ("    }\n");
              }
          }
      put_looked_up (writer, b, mean, batch->first_driven, batch->first_idle);
    }
  PUT ("}\n");
}
