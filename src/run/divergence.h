/* divergence.h: check that the energy of a run is plausible
 *
 * An energy above 10^6 times the initial and supplied energy is due to the scheme, unless active
 * links supplied it. In networks with events so is any energy that no work explains.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

/* Steps between two checks of the whole network. */
#define IFBAM_CHECK_INTERVAL 64

/* Energies with which the energy of a run is compared [J]. */
typedef struct
{
  double first;        /* of motions and links in the first sample */
  double first_field;  /* of fields in the first sample, */
  double field;        /* in the last one, */
  double field_change; /* and their largest difference so far, rounding included */
} IfbamEnergyScale;

/* Adds the energy of fields in a sample; is_first: the run's first one. Fields have no least
 * energy: the largest change is the energy that motions may have got from them. */
void ifbam_energy_scale_add_field (IfbamEnergyScale *scale, gboolean is_first, double energy);

/* Returns TRUE if an energy of motions and links is plausible after a turnover of external work
 * [J]. allow_divergence: any finite energy is. */
gboolean ifbam_energy_is_plausible (const IfbamEnergyScale *scale, double energy, double gross_work,
                                    gboolean allow_divergence);

/* Options of the caller of a run. */
typedef struct
{
  gboolean allow_divergence; /* any finite energy is plausible */
  gboolean keeps_rows;       /* rows are kept, as the error states */
  /* Returns TRUE if growth was expected; called once, for unexplained energy. NULL: it was. */
  gboolean (*expects_growth) (const IfbamModel *model, const IfbamRunSpec *spec, double duration);
  /* Returns a remedy for a run of a duration [s], for the error (owned), or NULL. May be NULL. */
  char *(*advise) (const IfbamModel *model, const IfbamRunSpec *spec, double duration);
} IfbamDivergenceOptions;

/* Checks of one run, made every IFBAM_CHECK_INTERVAL steps. */
typedef struct
{
  IfbamDivergenceOptions options;
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  IfbamEnergyBalance *balance;
  gboolean books_all; /* the balance has all work, that of active links included */
  IfbamEnergyScale scale;
  double first_booked;        /* work supplied less dissipated before the first sample [J] */
  double first_excess;        /* unexplained energy when first too large [J]; 0: never */
  double explained_energy[2]; /* energy, and unexplained part, when work last explained it [J] */
  gboolean asked, expects_growth; /* the caller's answer on growth, once called */
  guint64 half_step[2]; /* two checks; the later one is at or past the middle of the run so far */
  double half_energy[2];
  guint64 last_step;        /* of the last check that passed, */
  double last_energy;       /* and its energy [J] */
  guint64 dense_from;       /* from this step on every step is checked */
  double excess, excess_of; /* unexplained energy, and the largest energy or work [J] */
} IfbamDivergenceCheck;

typedef struct
{
  guint64 step;
  double energy;
  double excess; /* unexplained energy, if that is the reason; else 0 [J] */
  gsize node;    /* first node that is not finite, else that with the most energy */
  char *name;    /* its name, if on another process (owned); NULL: in the model */
  gboolean finite;
  gboolean known; /* `step` is the first implausible step; FALSE: the last plausible one */
} IfbamDivergence;

/* Returns TRUE if the balance has to contain all work: with active links, rotating contacts, or a
 * given course that changes within a step. */
gboolean ifbam_divergence_needs_all_work (const IfbamModel *model, const IfbamRunSpec *spec);

/* Returns TRUE if a step is checked in an uninterrupted run. */
static inline gboolean
ifbam_divergence_is_due (const IfbamDivergenceCheck *self, guint64 step)
{
  return step % IFBAM_CHECK_INTERVAL == 0 || step >= self->dense_from;
}

/* Adds the energy of fields at the engine's sample. */
void ifbam_divergence_add_fields (IfbamDivergenceCheck *self, guint64 step);

/* Checks the energy [J] of a step after some work. FALSE: implausible; the divergence is stored. */
gboolean ifbam_divergence_check (IfbamDivergenceCheck *self, guint64 step, double energy,
                                 const IfbamWorkTotals *work, IfbamDivergence *divergence);

/* Returns the growth of amplitudes [1/s] over the last half of a run or more, up to a step with an
 * energy [J]; NaN: too few checks. */
double ifbam_divergence_growth (const IfbamDivergenceCheck *self, guint64 step, double energy);

/* Adds the columns of a saved state (IfbamStateColumn). */
void ifbam_divergence_list_state (IfbamDivergenceCheck *self, GArray *columns);

/* Sets the error of a run that diverged; growth: of amplitudes [1/s], or NaN. */
void ifbam_divergence_set_error (const IfbamDivergenceCheck *self,
                                 const IfbamDivergence *divergence, double growth, GError **error);
