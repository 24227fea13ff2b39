/* draft-text.h: the text of a random network while it grows
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef enum
{
  TRANSLATION,
  ROTATION,
  ELECTRICITY
} Domain;

typedef struct
{
  GRand *random;
  GString *text;
  const char *prefix; /* of names in this part */
  Domain domain;
  gboolean eventful;       /* some links have kinks, some sources begin and end within the run */
  gboolean self_contained; /* no courses of a file */
  gboolean rich;        /* links of any class, else springs, dampers, gears and Bouc-Wen elements */
  double damped, cubic; /* fraction of the links that are dampers; of the springs that are cubic */
  double geared;        /* fraction of the torsional links that are gears */
  double swapped;       /* fraction of the links that are given right to left */
  guint yielding;       /* along a line one of so many links yields; 0: none */
  GRand *order;         /* scrambles the nodes; NULL: they are in order */
  guint n_links, n_given, n_sources; /* so far */
} DraftText;

/* Indices of nodes of a part; those of given nodes begin here. */
#define DRAFT_GIVEN 0x1000000u

double draft_between (DraftText *draft, double low, double high);
gboolean draft_chance (DraftText *draft, double part);
guint draft_pick (DraftText *draft, guint n);
void draft_add (DraftText *draft, const char *format, ...) G_GNUC_PRINTF (2, 3);

void draft_masses (DraftText *draft, guint n);
guint draft_ground (DraftText *draft);
guint draft_drive (DraftText *draft);
guint draft_any_given (DraftText *draft);
void draft_link (DraftText *draft, guint left, guint right);
void draft_sources (DraftText *draft, guint n_nodes, guint n);
void draft_drags (DraftText *draft, guint n_nodes, guint n);
void draft_gravity (DraftText *draft, guint n_nodes);
/* A composite with sources on its members; from and to: indices of nodes. */
void draft_chain (DraftText *draft, guint count, gboolean damped, guint from, guint to);
