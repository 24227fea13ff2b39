/* c-writer.c: shared functions for writing C: literals, links by batch, indices of outputs
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/c-writer.h"

#include <math.h>
#include <string.h>

const char *
ifbam_c_literal (char text[40], double number)
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

const IfbamBatch *
ifbam_c_batch (const IfbamCWriter *writer, guint b)
{
  return &g_array_index (writer->model->batches, IfbamBatch, b);
}

gboolean
ifbam_c_moves (const IfbamCWriter *writer, gsize node)
{
  gsize member;

  return node >= writer->model->n_free
         && !ifbam_model_node_span (writer->model, node, &member)->info->fixed;
}

gsize
ifbam_c_force (const IfbamCWriter *writer, gsize slot)
{
  return slot < writer->model->n_slots
             ? slot
             : writer->layout->first_source + (slot - writer->model->n_slots);
}

void
ifbam_c_put_loop (IfbamCWriter *writer, gsize n)
{
  PUT ("  IFBAM_VECTOR_LOOP\n  for (size_t i = 0; i < " SIZE "; i++)\n    {\n", n);
}
