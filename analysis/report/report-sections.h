/* report-sections.h: sections of a report of a network, as data for its page
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-course.h"
#include "file/file.h"
#include "report/step-size-study.h"

/* Data of a report: JSON, and numbers to which it refers by index. Every function adds one member
 * to the open object. */
typedef struct
{
  IfbamJsonWriter *json;
  GArray *numbers; /* float */
} IfbamReport;

IfbamReport *ifbam_report_new (void);
void ifbam_report_free (IfbamReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamReport, ifbam_report_free)

/* Appends every stride-th of n numbers. */
void ifbam_report_add_numbers (IfbamReport *report, const double *values, gsize n, gsize stride);

/* Adds "summary": size of the network and settings of its run. */
void ifbam_report_summary (IfbamReport *report, IfbamNetwork *network, const IfbamModel *model,
                           const IfbamRunSpec *spec, double frequency);
/* Adds "elements": each with its class, endpoints and values; of a large network the first ones. */
void ifbam_report_elements (IfbamReport *report, const IfbamModel *model);
/* Adds "ladder": courses under every scheme. */
void ifbam_report_step_sizes (IfbamReport *report, const IfbamStepSizeStudy *study,
                              const IfbamSignals *signals);
/* Adds "spectra" of the first n signals of a course of the network; units: of each. */
void ifbam_report_spectra (IfbamReport *report, const IfbamRunSpec *spec, IfbamCourse *course,
                           const char *const *units, guint n);
/* Adds "modes" of the network linearised about its start; of a large network the lowest. progress()
 * as for a ladder. FALSE: interrupted. */
gboolean ifbam_report_modes (IfbamReport *report, const IfbamModel *model, const IfbamRunSpec *spec,
                             gboolean (*progress) (gpointer data, double part), gpointer data,
                             GError **error);
/* Adds "stability": growth over angular frequency times step, longest steps of every scheme. */
void ifbam_report_stability (IfbamReport *report, const IfbamStepSizeStudy *study);
/* Adds "one_mode": stability regions, roots, elongated periods, damping of every scheme. */
void ifbam_report_one_mode (IfbamReport *report);

/* Energies of a network in a run. */
typedef struct
{
  IfbamDecimatedSeries *whole,
      *head;      /* kinetic, potential, energy, dissipated, supplied, balance */
  double first;   /* energy at the start [J] */
  double last[5]; /* kinetic, potential, dissipated, supplied, balance at the end [J] */
  double worst;   /* largest deviation of the balance from the first energy [J] */
  double largest; /* largest energy [J] */
  double ended;   /* time of divergence [s]; NaN: none */
} IfbamEnergies;

/* Runs the network under the spec; head: length of the first periods (0: none) [s]. */
gboolean ifbam_energies_run (IfbamEnergies *energies, const IfbamModel *model, GHashTable *by_name,
                             const IfbamRunSpec *spec, double head,
                             gboolean (*progress) (gpointer data, double part), gpointer data,
                             GError **error);
void ifbam_energies_clear (IfbamEnergies *energies);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamEnergies, ifbam_energies_clear)
/* Adds "energy". */
void ifbam_report_energies (IfbamReport *report, const IfbamEnergies *energies, double duration);
