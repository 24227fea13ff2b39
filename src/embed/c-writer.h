/* c-writer.h: a network as C while it is written; what each of its parts puts there
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/c-layout.h"

/* So many at least are worth a loop. */
#define LEAST_OF_LOOP 4
/* So many that stand in no order are worth a table. */
#define LEAST_OF_TABLE 16

typedef struct
{
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  const IfbamScheme *scheme;
  IfbamCLayout *layout;
  GString *text;
  gboolean by_one; /* so few nodes and links that each is written by itself */
  gboolean for_engine;
  gsize n_signals;
} IfbamCWriter;

#define PUT(...)  g_string_append_printf (writer->text, __VA_ARGS__)
#define SIZE      "%" G_GSIZE_FORMAT
#define NUMBER(x) ifbam_c_literal ((char[40]){ 0 }, x)

/* A number that reads back to the same double; returns text. */
const char *ifbam_c_literal (char text[40], double number);

const IfbamBatch *ifbam_c_batch (const IfbamCWriter *writer, guint b);

/* Whether it moves: what it says is asked for in every cycle. */
gboolean ifbam_c_moves (const IfbamCWriter *writer, gsize node);

/* Where the answer stands that is heard at a slot of the model. */
gsize ifbam_c_answer (const IfbamCWriter *writer, gsize slot);

/* The head of a loop over n that stand one behind the other. */
void ifbam_c_put_loop (IfbamCWriter *writer, gsize n);

/* c-links.c: the function of a batch's law, by what its ends do now or by the mean over their paths; tables of ends that stand in no
 * order; and the function that asks all links. */
void ifbam_c_put_link (IfbamCWriter *writer, guint b, gboolean mean);
void ifbam_c_put_ends (IfbamCWriter *writer, guint b);
void ifbam_c_put_links (IfbamCWriter *writer, gboolean mean);

/* c-nodes.c: tables of whom nodes hear where they stand in no order; and the functions of the scheme's stages. */
void ifbam_c_put_ports (IfbamCWriter *writer);
void ifbam_c_put_stages (IfbamCWriter *writer);

/* c-prescribed.c: a course as a table, once (courses: those that are there, with their numbers); the functions of all given nodes and all
 * sources; and an expression for what a source says at a time. */
void ifbam_c_put_course (IfbamCWriter *writer, GHashTable *courses, const IfbamInterpolant *course);
void ifbam_c_put_given (IfbamCWriter *writer, GHashTable *courses);
void ifbam_c_put_sources (IfbamCWriter *writer, GHashTable *courses);
void ifbam_c_put_source_call (IfbamCWriter *writer, GHashTable *courses, gsize s, const char *time);

/* c-signals.c: the function that tells a row of signals (IfbamSignal). */
void ifbam_c_put_tell (IfbamCWriter *writer, GHashTable *courses, const GArray *signals);
