/* network-lines.h: lines of a network file, and faults at lines
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/network.h"
#include "file/named-law.h"

typedef struct
{
  char *key, *value;
  guint line;
} IfbamReaderEntry;

typedef struct
{
  char *class_name, *name; /* name is "" for [network] and [parameters] */
  guint line;
  guint first, n; /* index of its first entry, number of entries */
  guint32 faulty; /* bit p: an error of parameter p was reported */
  IfbamElement *element;
  const IfbamNamedLaw *law; /* of a link of a class by [law NAME]; else NULL */
} IfbamReaderGroup;

typedef struct
{
  guint line;
  guint order;
  char *text;
} IfbamReaderFault;

/* ELEMENT.KEY=VALUE or PARAMETER=VALUE of the command line */
typedef struct
{
  char *text;
  char *element, *key, *value; /* element: NULL for a parameter */
  gboolean used;
} IfbamReaderSetting;

typedef struct
{
  const char *path; /* in messages */
  IfbamNetwork *network;
  GArray *entries;  /* IfbamReaderEntry */
  GArray *groups;   /* IfbamReaderGroup */
  GArray *faults;   /* IfbamReaderFault */
  guint n_faults;   /* including those beyond IFBAM_MAX_FAULTS */
  GArray *settings; /* IfbamReaderSetting */
  GHashTable *laws; /* name -> IfbamNamedLaw */
  GString *usage;   /* errors of settings */
  const IfbamCompiling *compiling;

  /* Results of the compilation: */
  IfbamModel *model;
  IfbamRunSpec spec;
  IfbamSignals *signals;
} IfbamNetworkReader;

/* Limit of reported faults. */
#define IFBAM_MAX_FAULTS 1000

IfbamReaderEntry *ifbam_reader_entry (IfbamNetworkReader *reader, guint index);
/* Adds a fault at a line, of a key of a group (NULL: none). */
void ifbam_reader_add_fault (IfbamNetworkReader *reader, guint line, const IfbamReaderGroup *group,
                             const char *key, const char *format, ...) G_GNUC_PRINTF (5, 6);
/* TRUE for letters, digits, _ and -. */
gboolean ifbam_reader_is_key (const char *text);
/* Reads groups and entries, which point into the text; FALSE: this is no network file. */
gboolean ifbam_reader_read_lines (IfbamNetworkReader *reader, char *text, gsize length);
void ifbam_reader_fault_clear (IfbamReaderFault *fault);
/* Sets an error with all faults, by their lines. */
void ifbam_reader_set_faults (IfbamNetworkReader *reader, GError **error);
gboolean ifbam_reader_is_group (const IfbamReaderGroup *group, const char *class_name);
/* Returns an earlier entry with the same key in its group, or NULL. */
const IfbamReaderEntry *ifbam_reader_entry_before (IfbamNetworkReader *reader,
                                                   const IfbamReaderGroup *group, guint index);
