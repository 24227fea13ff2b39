/* command-modes-masses.c: tables of modal masses and of shares of energy
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command-modes-masses.h"

/* Modes side by side in a text. */
#define SIDE_BY_SIDE 6
/* Smaller shares are not printed as text. */
#define LEAST_SHARE 5e-4

static void
add_direction (IfbamAnswer *answer, const IfbamModalMasses *masses, IfbamModes *modes, guint index)
{
  const double total = g_array_index (masses->total, double, index);
  const char *name = masses->directions->pdata[index];
  gsize n_modes;
  const IfbamMode *mode = ifbam_modes_get_modes (modes, &n_modes);
  double sum = 0;

  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add (answer, "direction,total", "\n  direction %s: inertia %g\n", name, total);
  ifbam_answer_add_note (answer, "  %5s  %16s  %14s  %14s  %14s  %9s\n", "mode", "frequency [Hz]",
                         "modal mass", "participation", "effective", "sum");
  ifbam_answer_begin_list (answer, "modes");
  for (gsize k = 0; k < n_modes; k++)
    {
      const double effective = masses->effective[index * n_modes + k];

      sum += effective;
      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add (answer, "-,frequency,modal_mass,participation,effective_mass,-",
                        "  %5zu  %16.8g  %14.6g  %14.6g  %14.6g  %7.2f %%\n", k + 1,
                        mode[k].frequency + 0.0, masses->mass[k],
                        masses->factor[index * n_modes + k] + 0.0, effective,
                        total > 0 ? 100 * sum / total : 0);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
  ifbam_answer_end (answer);
}

void
ifbam_command_add_participation (IfbamAnswer *answer, const IfbamModalMasses *masses,
                                 IfbamModes *modes)
{
  ifbam_answer_begin_list (answer, "participation");
  for (guint k = 0; k < masses->directions->len; k++)
    add_direction (answer, masses, modes, k);
  ifbam_answer_end (answer);
}

/* Adds the shares of one element to the data, and to a text those of some modes. */
static void
add_shares (IfbamAnswer *answer, const char *name, const double *share, gsize first, gsize last)
{
  double most = 0;

  for (gsize k = first; k < last; k++)
    most = MAX (most, share[k]);
  if (most < LEAST_SHARE)
    return;
  ifbam_answer_add_note (answer, "  %-16s", name);
  for (gsize k = first; k < last; k++)
    ifbam_answer_add_note (answer, "  %8.2f", 100 * share[k] + 0.0);
  ifbam_answer_add_note (answer, "\n");
}

static void
add_share_data (IfbamAnswer *answer, const char *key, const char *const *names, gsize n,
                const double *share, gsize n_modes)
{
  ifbam_answer_begin_list (answer, key);
  for (gsize i = 0; i < n; i++)
    {
      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add_data (answer, "name", "%s", names[i]);
      ifbam_answer_add_column (answer, names[i], "share", share + i * n_modes, n_modes);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
}

void
ifbam_command_add_energy (IfbamAnswer *answer, const IfbamModalMasses *masses, IfbamModes *modes)
{
  const char *const *nodes = ifbam_modes_get_nodes (modes);
  const char *const *links = (const char *const *) masses->links->pdata;
  const gsize n = masses->n_modes;

  for (gsize first = 0; first < n; first += SIDE_BY_SIDE)
    {
      const gsize last = MIN (first + SIDE_BY_SIDE, n);

      ifbam_answer_add_note (answer, "\n  %-16s", "energy [%]");
      for (gsize k = first; k < last; k++)
        ifbam_answer_add_note (answer, "  %8zu", k + 1);
      ifbam_answer_add_note (answer, "\n  kinetic\n");
      for (gsize i = 0; i < masses->n_nodes; i++)
        add_shares (answer, nodes[i], masses->kinetic + i * n, first, last);
      ifbam_answer_add_note (answer, "  potential\n");
      for (gsize i = 0; i < masses->n_links; i++)
        add_shares (answer, links[i], masses->strain + i * n, first, last);
    }
  add_share_data (answer, "kinetic_energy", nodes, masses->n_nodes, masses->kinetic, n);
  add_share_data (answer, "potential_energy", links, masses->n_links, masses->strain, n);
}

static gsize
best_of (const double *criteria, gsize n)
{
  gsize best = 0;

  for (gsize l = 1; l < n; l++)
    if (criteria[l] > criteria[best])
      best = l;
  return best;
}

void
ifbam_command_add_assurance (IfbamAnswer *answer, const IfbamShapeTable *own,
                             const IfbamShapeTable *other, const double *criteria)
{
  const gsize n = other->n_modes;

  ifbam_answer_add_note (answer, "\n  %5s  %16s  %9s  %16s  %10s  %9s\n", "mode", "frequency [Hz]",
                         "other", "frequency [Hz]", "difference", "MAC");
  ifbam_answer_begin_list (answer, "mac");
  for (gsize k = 0; k < own->n_modes; k++)
    {
      const gsize best = best_of (criteria + k * n, n);
      const double mine = own->frequency[k], its = other->frequency[best];

      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add (answer, "-,frequency,-,other_frequency,-,-",
                        "  %5zu  %16.8g  %9zu  %16.8g  %8.2f %%  %9.4f\n", k + 1, mine + 0.0,
                        best + 1, its + 0.0, its > 0 ? 100 * (mine / its - 1) : 0,
                        criteria[k * n + best]);
      ifbam_answer_add_data (answer, "other", "%zu", best + 1);
      ifbam_answer_add_column (answer, NULL, "criteria", criteria + k * n, n);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
}
