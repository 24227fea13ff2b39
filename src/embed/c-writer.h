/* c-writer.h: shared state of the functions that write a network as C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/c-layout.h"

/* Least number of consecutive items for which a loop is written. */
#define LEAST_OF_LOOP 4
/* Least number of irregular items for which an index table is written. */
#define LEAST_OF_TABLE 16

typedef struct
{
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  const IfbamScheme *scheme;
  IfbamCLayout *layout;
  GString *text;
  gboolean by_one; /* few nodes and links: each gets its own statements */
  gboolean for_engine;
  gsize n_signals;
} IfbamCWriter;

#define PUT(...)  g_string_append_printf (writer->text, __VA_ARGS__)
#define SIZE      "%" G_GSIZE_FORMAT
#define NUMBER(x) ifbam_c_literal ((char[40]){ 0 }, x)

/* Writes a literal that reads back to the same double; returns text. */
const char *ifbam_c_literal (char text[40], double number);

const IfbamBatch *ifbam_c_batch (const IfbamCWriter *writer, guint b);

/* Returns TRUE if the node's motion has to be evaluated in every cycle. */
gboolean ifbam_c_moves (const IfbamCWriter *writer, gsize node);

/* Returns the index of the output that is read through a slot of the model. */
gsize ifbam_c_force (const IfbamCWriter *writer, gsize slot);

/* Writes the head of a loop over n consecutive items. */
void ifbam_c_put_loop (IfbamCWriter *writer, gsize n);

/* c-links.c: programs of laws by formula; a union p with law i of a batch; the force function of a batch, for present endpoints or as the mean over their paths;
 * index tables of irregular endpoints; the function that evaluates all links. */
void ifbam_c_put_programs (IfbamCWriter *writer);
void ifbam_c_put_law (IfbamCWriter *writer, guint b);
void ifbam_c_put_link (IfbamCWriter *writer, guint b, gboolean mean);
void ifbam_c_put_ends (IfbamCWriter *writer, guint b);
void ifbam_c_put_links (IfbamCWriter *writer, gboolean mean);

/* c-nodes.c: index tables of the ports of irregular nodes; the functions of the scheme's stages. */
void ifbam_c_put_ports (IfbamCWriter *writer);
void ifbam_c_put_stages (IfbamCWriter *writer);

/* c-prescribed.c: a course as a table, written once (courses: those written, with their indices);
 * the functions of given nodes and sources; an expression for a source's value. */
void ifbam_c_put_course (IfbamCWriter *writer, GHashTable *courses, const IfbamInterpolant *course);
void ifbam_c_put_given (IfbamCWriter *writer, GHashTable *courses);
void ifbam_c_put_sources (IfbamCWriter *writer, GHashTable *courses);
void ifbam_c_put_source_call (IfbamCWriter *writer, GHashTable *courses, gsize s, const char *time);

/* c-signals.c: the function that computes a sample of signals (IfbamSignal). */
void ifbam_c_put_record (IfbamCWriter *writer, GHashTable *courses, const GArray *signals);
