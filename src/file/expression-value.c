/* expression-value.c: evaluates an expression, and writes its operations as text
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/expression.h"
#include "file/expression-operations.h"

void
ifbam_expression_free (IfbamExpression *self)
{
  if (self == NULL)
    return;
  g_free (self->operations);
  g_free (self);
}

char *
ifbam_expression_text (const IfbamExpression *self, const IfbamUnknown *unknowns)
{
  static const char *const signs[] = {
    [OP_ADD] = "+",    [OP_SUBTRACT] = "-", [OP_MULTIPLY] = "*",
    [OP_DIVIDE] = "/", [OP_POWER] = "^",    [OP_NEGATE] = "negative"
  };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n; i++)
    {
      const Operation *operation = &self->operations[i];
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      if (i > 0)
        g_string_append_c (text, ' ');
      if (operation->code == OP_NUMBER)
        g_string_append (text, g_ascii_dtostr (number, sizeof number, operation->number));
      else if (operation->code == OP_UNKNOWN)
        g_string_append_printf (text, "$%s", unknowns[operation->index].name);
      else
        g_string_append (text, operation->code == OP_FUNCTION ? functions[operation->index].name
                                                              : signs[operation->code]);
    }
  return g_string_free (text, FALSE);
}

double
ifbam_expression_value (const IfbamExpression *self, const double *values)
{
  g_autofree double *waiting = g_new (double, self->n_values);
  double *top = waiting; /* behind the last value */

  for (guint i = 0; i < self->n; i++)
    {
      const Operation *operation = &self->operations[i];

      if (operation->code >= OP_ADD && operation->code <= OP_POWER)
        top--;
      switch (operation->code)
        {
        case OP_NUMBER:
          *top++ = operation->number;
          break;
        case OP_UNKNOWN:
          *top++ = values[operation->index];
          break;
        case OP_ADD:
          top[-1] += top[0];
          break;
        case OP_SUBTRACT:
          top[-1] -= top[0];
          break;
        case OP_MULTIPLY:
          top[-1] *= top[0];
          break;
        case OP_DIVIDE:
          top[-1] /= top[0];
          break;
        case OP_POWER:
          top[-1] = pow (top[-1], top[0]);
          break;
        case OP_NEGATE:
          top[-1] = -top[-1];
          break;
        case OP_FUNCTION:
        default:
          top[-1] = functions[operation->index].compute (top[-1]);
          break;
        }
    }
  return top[-1];
}
