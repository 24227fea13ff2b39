/* formula.c: force by a formula, between two nodes
 *
 * Kernels evaluate the formula for a block of links at once. Links with formulas of one text
 * share a program, so that blocks are long.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/formula.h"
#include "element/element.h"
#include "elements/formula-law.h"

#define BLOCK IFBAM_PROGRAM_BLOCK

/* Ends of links: looked up by index, or consecutive nodes (left: NULL). */
typedef struct
{
  const guint32 *left, *right;
  gsize first_left, first_right;
} Ends;

/* Computes delta or rate of n links, at a point of the path. */
typedef void (*Difference) (const IfbamLinkBatch *batch, const Ends *ends, double place, guint n,
                            double *difference);

#define DIFFERENCE(name, left_value, right_value)                                                  \
  static void name (const IfbamLinkBatch *batch, const Ends *ends, double place, guint n,          \
                    double *difference)                                                            \
  {                                                                                                \
    const double *x = batch->position, *x1 = batch->earlier_position;                              \
    const double *v = batch->rate, *v1 = batch->earlier_rate;                                      \
    (void) x, (void) x1, (void) v, (void) v1, (void) place;                                        \
    if (ends->left != NULL)                                                                        \
      for (guint i = 0; i < n; i++)                                                                \
        {                                                                                          \
          const guint32 l = ends->left[i], r = ends->right[i];                                     \
          difference[i] = (left_value) - (right_value);                                            \
        }                                                                                          \
    else                                                                                           \
      for (gsize i = 0; i < n; i++)                                                                \
        {                                                                                          \
          const gsize l = ends->first_left + i, r = ends->first_right + i;                         \
          difference[i] = (left_value) - (right_value);                                            \
        }                                                                                          \
  }

DIFFERENCE (delta_now, x[l], x[r])
DIFFERENCE (rate_now, v[l], v[r])
DIFFERENCE (delta_on_path, ifbam_path_position (x[l], x1[l], place),
            ifbam_path_position (x[r], x1[r], place))
DIFFERENCE (rate_on_path, ifbam_path_rate (v[l], v1[l], place),
            ifbam_path_rate (v[r], v1[r], place))

static const IfbamProgram *
program_at (const IfbamLinkBatch *batch, gsize link)
{
  const FormulaLaw law = { .program_place = batch->parameters[0][link] };

  return law.program;
}

/* Computes the forces of n links of one program; at: points of the path, or NULL. */
static void
compute_forces (const IfbamLinkBatch *batch, const IfbamProgram *program, const Ends *ends,
                const double *at, guint n, double *force)
{
  double delta[BLOCK], rate[BLOCK];
  const double *const inputs[IFBAM_PROGRAM_INPUTS] = { delta, rate };

  if ((program->inputs & 1) != 0)
    (at == NULL ? delta_now : delta_on_path) (batch, ends, at == NULL ? 0 : *at, n, delta);
  if ((program->inputs & 2) != 0)
    (at == NULL ? rate_now : rate_on_path) (batch, ends, at == NULL ? 0 : *at, n, rate);
  ifbam_program_evaluate (program, inputs, n, force);
}

/* Work of a kernel on n links of one program. */
typedef void (*Work) (const IfbamLinkBatch *batch, const IfbamProgram *program, const Ends *ends,
                      guint n, double *output);

static void
work_force (const IfbamLinkBatch *batch, const IfbamProgram *program, const Ends *ends, guint n,
            double *output)
{
  compute_forces (batch, program, ends, NULL, n, output);
}

static void
work_mean_1 (const IfbamLinkBatch *batch, const IfbamProgram *program, const Ends *ends, guint n,
             double *output)
{
  const double middle = 0.5;

  compute_forces (batch, program, ends, &middle, n, output);
}

static void
work_mean_2 (const IfbamLinkBatch *batch, const IfbamProgram *program, const Ends *ends, guint n,
             double *output)
{
  static const double place[2] = { 0.5 - IFBAM_GAUSS_2, 0.5 + IFBAM_GAUSS_2 };
  double force[2][BLOCK];

  for (guint g = 0; g < 2; g++)
    compute_forces (batch, program, ends, &place[g], n, force[g]);
  for (guint i = 0; i < n; i++)
    output[i] = ifbam_path_mean_2 (force[0][i], force[1][i]);
}

static void
work_mean_3 (const IfbamLinkBatch *batch, const IfbamProgram *program, const Ends *ends, guint n,
             double *output)
{
  static const double place[3] = { 0.5 - IFBAM_GAUSS_3, 0.5, 0.5 + IFBAM_GAUSS_3 };
  double force[3][BLOCK];

  for (guint g = 0; g < 3; g++)
    compute_forces (batch, program, ends, &place[g], n, force[g]);
  for (guint i = 0; i < n; i++)
    output[i] = ifbam_path_mean_3 (force[0][i], force[1][i], force[2][i]);
}

static void
work_energy (const IfbamLinkBatch *batch, const IfbamProgram *program, const Ends *ends, guint n,
             double *output)
{
  const FormulaLaw law = { .program = program };
  double delta[BLOCK];

  delta_now (batch, ends, 0, n, delta);
  for (guint i = 0; i < n; i++)
    output[i] = formula_energy (&law, 0, delta[i]);
}

static void
work_loss (const IfbamLinkBatch *batch, const IfbamProgram *program, const Ends *ends, guint n,
           double *output)
{
  double delta[BLOCK], rate[BLOCK], moving[BLOCK], at_rest[BLOCK];
  static const double rest[BLOCK];

  if ((program->inputs & 2) == 0)
    {
      for (guint i = 0; i < n; i++)
        output[i] = 0.0;
      return;
    }
  delta_now (batch, ends, 0, n, delta);
  rate_now (batch, ends, 0, n, rate);
  ifbam_program_evaluate (program, (const double *const[]){ delta, rate }, n, moving);
  ifbam_program_evaluate (program, (const double *const[]){ delta, rest }, n, at_rest);
  for (guint i = 0; i < n; i++)
    output[i] = (moving[i] - at_rest[i]) * rate[i];
}

/* Cuts n links from `first` on into blocks of one program. */
static void
work_in_blocks (Work work, const IfbamLinkBatch *batch, gsize first, Ends ends, gsize n)
{
  for (gsize done = 0; done < n;)
    {
      const IfbamProgram *program = program_at (batch, first + done);
      const guint most = (guint) MIN (n - done, BLOCK);
      guint size = 1;

      while (size < most && program_at (batch, first + done + size) == program)
        size++;
      work (batch, program, &ends, size, batch->output + first + done);
      done += size;
      if (ends.left != NULL)
        {
          ends.left += size;
          ends.right += size;
        }
      ends.first_left += size;
      ends.first_right += size;
    }
}

#define KERNEL(kind)                                                                               \
  static void formula_##kind##_kernel (const IfbamLinkBatch *batch, gsize first, gsize last)       \
  {                                                                                                \
    const Ends ends = { batch->left + first, batch->right + first, 0, 0 };                         \
    work_in_blocks (work_##kind, batch, first, ends, last - first);                                \
  }
#define RUN_KERNEL(kind)                                                                           \
  static void formula_##kind##_run (const IfbamLinkBatch *batch, gsize first, gsize left,          \
                                    gsize right, gsize n)                                          \
  {                                                                                                \
    const Ends ends = { NULL, NULL, left, right };                                                 \
    work_in_blocks (work_##kind, batch, first, ends, n);                                           \
  }
KERNEL (force)
KERNEL (mean_1)
KERNEL (mean_2)
KERNEL (mean_3)
KERNEL (energy)
KERNEL (loss)
RUN_KERNEL (force)
RUN_KERNEL (mean_1)
RUN_KERNEL (mean_2)
RUN_KERNEL (mean_3)
RUN_KERNEL (energy)

static guint
formula_slot_points (const void *law)
{
  return formula_points (law);
}

static gboolean
formula_slot_supplies (const void *law)
{
  return formula_supplies (law);
}

/* Operations are loops of their own: all instruction sets have one kernel. */
#define SAME(kernel, level) kernel
#define KERNELS(mean)                                                                              \
  {                                                                                                \
    formula_force_kernel, formula_##mean##_kernel, formula_energy_kernel, formula_loss_kernel,     \
        { IFBAM_ISA_LIST (SAME, formula_force_run) },                                              \
        { IFBAM_ISA_LIST (SAME, formula_##mean##_run) },                                           \
    {                                                                                              \
      IFBAM_ISA_LIST (SAME, formula_energy_run)                                                    \
    }                                                                                              \
  }

IFBAM_DEFINE_LAW (FormulaLaw, formula, (SMOOTH, SLOPES, STEP_LIMIT),
                  .geometry = IFBAM_GEOMETRY_DIFFERENCE, .points = formula_slot_points,
                  .kernels = { KERNELS (mean_1), KERNELS (mean_2), KERNELS (mean_3) },
                  .lossy = TRUE, .active = TRUE, .supplies = formula_slot_supplies)

static char *
formula_link_law (const IfbamElement *element, void *law, double radius, double mass,
                  const char **key)
{
  (void) radius, (void) mass, (void) key;
  ((FormulaLaw *) law)->by_input = ifbam_element_slots (element)[IFBAM_SLOT_INPUT] != NULL;
  return NULL;
}

/* The classes, one for each domain: the formula's key and unit are those of its force. */

#define FORMULA_PARAMS(key, unit, meaning)                                                         \
  { IFBAM_PARAM_TEXT,      key,  unit, 0, 0, IFBAM_REQUIRED, IFBAM_SLOT_FORMULA,                   \
    "formula of " meaning, NULL, NULL },                                                           \
      IFBAM_PARAM_BETWEEN,                                                                         \
      IFBAM_PARAM_REFERENCE (IFBAM_SLOT_INPUT, "input", 1, 2, 0,                                   \
                             "the formula is one of the motion of these nodes, not of the ends: "  \
                             "PLUS, MINUS; one node: against rest")

static const IfbamParam force_law_params[] = {
  FORMULA_PARAMS ("force", "N", "delta (compression) and rate"),
};
static const IfbamParam torque_law_params[] = {
  FORMULA_PARAMS ("torque", "N m", "delta (twist) and rate"),
};
static const IfbamParam current_law_params[] = {
  FORMULA_PARAMS ("current", "A", "voltage and flux (delta: the integral of the voltage)"),
};
static const IfbamParam pressure_law_params[] = {
  FORMULA_PARAMS ("pressure", "Pa", "flow and volume (delta: the integral of the flow)"),
};

#define SYMBOL "M-20 0h6M-14-9h28v18h-28zM-8 5c6 0 10-10 16-10M14 0h6"

IFBAM_DEFINE_LINK (ForceLaw, force_law, FormulaLaw, formula, .name = "force-law",
                   .summary = "force by a formula of compression and rate",
                   .law = "F = force (delta, rate)", .source = "formula of the file",
                   .example = "[force-law k1]\nforce   = 3 kN/m * delta + 2 N s2/m2 * rate * "
                              "abs(rate)\nbetween = wall, m1\n",
                   .symbol = SYMBOL, .domain = IFBAM_DOMAIN_TRANSLATION, .program_parameter = 1,
                   .input_slot = IFBAM_SLOT_INPUT, .link_law = formula_link_law)

IFBAM_DEFINE_LINK (TorqueLaw, torque_law, FormulaLaw, formula, .name = "torque-law",
                   .summary = "torque by a formula of twist and rate",
                   .law = "T = torque (delta, rate)", .source = "formula of the file",
                   .example = "[torque-law shaft]\ntorque  = 2 kN m * sin(delta)\n"
                              "between = motor, load\n",
                   .symbol = SYMBOL, .domain = IFBAM_DOMAIN_ROTATION, .program_parameter = 1,
                   .input_slot = IFBAM_SLOT_INPUT, .link_law = formula_link_law)

IFBAM_DEFINE_LINK (CurrentLaw, current_law, FormulaLaw, formula, .name = "current-law",
                   .summary = "current by a formula of voltage and flux linkage",
                   .law = "I = current (voltage, flux)", .source = "formula of the file",
                   .example = "[current-law d1]\ncurrent = 1 nA * (exp(voltage / 45 mV) - 1)\n"
                              "between = c1, c2\n",
                   .symbol = SYMBOL, .domain = IFBAM_DOMAIN_ELECTRICITY, .program_parameter = 1,
                   .input_slot = IFBAM_SLOT_INPUT, .link_law = formula_link_law)

IFBAM_DEFINE_LINK (PressureLaw, pressure_law, FormulaLaw, formula, .name = "pressure-law",
                   .summary = "pressure by a formula of flow and volume",
                   .law = "p = pressure (flow, volume)", .source = "formula of the file",
                   .example =
                       "[pressure-law throttle]\n"
                       "pressure = 4 GPa s2/m6 * flow * abs(flow)\nbetween  = supply, sink\n",
                   .symbol = SYMBOL, .domain = IFBAM_DOMAIN_HYDRAULICS, .program_parameter = 1,
                   .input_slot = IFBAM_SLOT_INPUT, .link_law = formula_link_law)
