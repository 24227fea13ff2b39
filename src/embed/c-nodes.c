/* c-nodes.c: nodes in the generated C: sums of forces, and the stages of the scheme
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/c-writer.h"

/* Writes the sum of the forces on node i; `further` is added to their indices. */
static void
put_sum (IfbamCWriter *writer, gsize i, const char *further)
{
  const IfbamModel *model = writer->model;

  if (model->port_start[i] == model->port_start[i + 1])
    PUT ("-0.0");
  for (guint32 p = model->port_start[i]; p < model->port_start[i + 1]; p++)
    PUT ("%sinputs[" SIZE "%s]",
         p == model->port_start[i] ? (model->port[p] & 1 ? "-" : "")
                                   : (model->port[p] & 1 ? " - " : " + "),
         ifbam_c_force (writer, model->port[p] >> 1), further);
}

/* Returns the number of nodes from `first` on with equal ports, each one slot further. */
static gsize
consecutive_nodes (const IfbamCWriter *writer, gsize first)
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

/* Returns the number of nodes from `first` on that are not worth a loop. */
static gsize
count_irregular (const IfbamCWriter *writer, gsize first)
{
  gsize n = 0;

  while (first + n < writer->model->n_free
         && (writer->by_one || consecutive_nodes (writer, first + n) < LEAST_OF_LOOP))
    n++;
  return n;
}

/* Code before and behind a node's index; then its force follows as an argument. */
typedef struct
{
  const char *before, *behind;
  gboolean moves; /* the inverse inertia is an argument, too */
} Action;

static void
put_action (IfbamCWriter *writer, const Action *action, const char *indent, const char *node)
{
  PUT ("%s%s%s%s", indent, action->before, node, action->moves ? ", " : "] = ");
  if (action->moves)
    PUT ("inverse[%s], ", node);
}

static void
put_nodes (IfbamCWriter *writer, const Action *action)
{
  const IfbamModel *model = writer->model;

  for (gsize first = 0, n; first < model->n_free; first += n)
    {
      n = count_irregular (writer, first);
      if (n == 0)
        {
          g_autofree char *node = g_strdup_printf (SIZE " + i", first);

          n = consecutive_nodes (writer, first);
          ifbam_c_put_loop (writer, n);
          put_action (writer, action, "      ", node);
          put_sum (writer, first, " + i");
          PUT ("%s;\n    }\n", action->behind);
        }
      else if (!writer->by_one && n >= LEAST_OF_TABLE)
        {
          PUT ("  for (size_t i = " SIZE "; i < " SIZE
               "; i++)\n    {\n      double force = -0.0;\n\n"
               "      for (size_t p = port_start[i]; p < port_start[i + 1]; p++)\n"
               "        force += port[p] & 1 ? -inputs[port[p] >> 1] : inputs[port[p] >> 1];\n",
               first, first + n);
          put_action (writer, action, "      ", "i");
          PUT ("force%s;\n    }\n", action->behind);
        }
      else
        for (gsize i = first; i < first + n; i++)
          {
            g_autofree char *node = g_strdup_printf (SIZE, i);

            put_action (writer, action, "  ", node);
            put_sum (writer, i, "");
            PUT ("%s;\n", action->behind);
          }
    }
}

void
ifbam_c_put_ports (IfbamCWriter *writer)
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
  PUT ("\n/* Ports: first port of each node; twice the index of each port's force, plus 1 if negative. "
       "*/\nstatic const unsigned port_start[] = {\n ");
  for (gsize i = 0; i <= model->n_free; i++)
    PUT (" %u,%s", model->port_start[i], i % 16 == 15 ? "\n " : "");
  PUT ("\n};\nstatic const unsigned port[] = {\n ");
  for (guint32 p = 0; p < model->port_start[model->n_free]; p++)
    PUT (" " SIZE ",%s", ifbam_c_force (writer, model->port[p] >> 1) << 1 | (model->port[p] & 1),
         p % 16 == 15 ? "\n " : "");
  PUT ("\n};\n");
}

#define COLUMNS_OF_C "c0, c1, c2, c3, c4, c5"

void
ifbam_c_put_stages (IfbamCWriter *writer)
{
  for (guint s = 0; s < writer->scheme->n_stages; s++)
    {
      g_autofree char *before =
          g_strdup_printf ("%s (" COLUMNS_OF_C ", ", writer->scheme->code.stage[s]);

      PUT ("\n%s void\nnodes_%u (IFBAM_NODE_COLUMNS, const double *restrict inputs, const double "
           "*restrict "
           "inverse, double step)\n{\n  (void) inputs, (void) c4, (void) c5;\n",
           writer->by_one ? "IFBAM_INLINE" : "static", s);
      put_nodes (writer, &(Action){ before, ", step)", TRUE });
      PUT ("}\n");
    }
  PUT ("\nstatic void\nsum_forces (const double *restrict inputs, double *restrict sum)\n{\n  "
       "(void) inputs;\n");
  put_nodes (writer, &(Action){ "sum[", "", FALSE });
  PUT ("}\n");
}
