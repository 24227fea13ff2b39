/* divergence.h: whether the energy of a run is still plausible
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An energy of more than 10^6 times the energy that was there and was supplied is due to the scheme,
 * unless active links supplied it. In networks with events so is any energy that no work explains.
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

/* Adds the energy of fields in a sample; is_first: the run's first one. Fields have no least energy:
 * the largest change is the energy that motions may have got from them. */
void ifbam_energy_scale_add_field (IfbamEnergyScale *scale, gboolean is_first, double energy);

/* Returns whether an energy of motions and links is plausible after a turnover of external work [J].
 * allow_divergence: any finite energy is. */
gboolean ifbam_energy_is_plausible (const IfbamEnergyScale *scale, double energy, double turnover,
                                    gboolean allow_divergence);

/* Decisions of the caller of a run. */
typedef struct
{
  gboolean allow_divergence; /* any finite energy is plausible */
  gboolean keeps_rows;       /* the error says so */
  /* Returns whether growth was to be expected; called once, if energy comes from nothing. NULL: it is. */
  gboolean (*expects_growth) (const IfbamModel *model, const IfbamRunSpec *spec, double duration);
  /* Returns a remedy for a run of some duration [s], for the error (owned); or NULL. May be NULL. */
  char *(*advise) (const IfbamModel *model, const IfbamRunSpec *spec, double duration);
} IfbamDivergenceOptions;

/* Checks of one run, made every IFBAM_CHECK_INTERVAL steps. */
typedef struct
{
  IfbamDivergenceOptions options;
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  IfbamLedger *ledger;
  gboolean books_all; /* the balance has all work, that of active links included */
  IfbamEnergyScale scale;
  double first_booked;        /* work supplied less dissipated before the first sample [J] */
  double first_excess;        /* unexplained energy when it first was too large [J]; 0: never */
  double explained_energy[2]; /* energy, and unexplained part, when work last explained it [J] */
  gboolean asked, expects_growth; /* whether the caller expects growth, once it was asked */
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
  double excess; /* energy from nothing, if that is the reason; else 0 [J] */
  gsize node;    /* first node that is not finite, else that with the most energy */
  char *name;    /* its name, if other processes have it (owned); NULL: the model has it */
  gboolean finite;
  gboolean known; /* `step` is the first such step; FALSE: the last one that passed */
} IfbamDivergence;

/* Returns whether the balance has to contain all work: beside active links and contacts that rotate,
 * and if a step passes over changes of a given course. */
gboolean ifbam_divergence_needs_all_work (const IfbamModel *model, const IfbamRunSpec *spec);

/* Returns whether a step is checked in a run that is not interrupted. */
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
 * energy [J]; NaN: there were too few checks. */
double ifbam_divergence_growth (const IfbamDivergenceCheck *self, guint64 step, double energy);

/* Adds the columns of a saved state (IfbamStateColumn). */
void ifbam_divergence_list_state (IfbamDivergenceCheck *self, GArray *columns);

/* Sets the error of a run that diverged; growth: of amplitudes [1/s], or NaN. */
void ifbam_divergence_set_error (const IfbamDivergenceCheck *self,
                                 const IfbamDivergence *divergence, double growth, GError **error);
