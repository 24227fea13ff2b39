/* network-reader.h: parts of the reader of networks: lines, faults, settings of the command line
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
  guint n_faults;   /* including those beyond MAX_FAULTS */
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

/* Lines and faults (network-lines.c) */

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

/* Settings of the command line (network-reader-settings.c) */

void ifbam_reader_setting_clear (IfbamReaderSetting *setting);
void ifbam_reader_add_setting_fault (IfbamNetworkReader *reader, const IfbamReaderSetting *setting,
                                     const char *format, ...) G_GNUC_PRINTF (3, 4);
void ifbam_reader_read_settings (IfbamNetworkReader *reader, const char *const *texts);
void ifbam_reader_apply_settings (IfbamNetworkReader *reader);
/* Returns the option that set a parameter of an element; NULL: the file did. */
const IfbamReaderSetting *ifbam_reader_setting_of (IfbamNetworkReader *reader,
                                                   const IfbamIssue *issue);

/* Laws by formula (network-laws.c) */

/* Reads [law NAME]. */
void ifbam_reader_read_law (IfbamNetworkReader *reader, const IfbamReaderGroup *group);
/* Gives a link the formula of its law, with the link's values of the law's parameters. */
void ifbam_reader_take_law (IfbamNetworkReader *reader, IfbamReaderGroup *group);

/* Values (network-reader.c) */

gboolean ifbam_reader_is_group (const IfbamReaderGroup *group, const char *class_name);
/* Returns an earlier entry with the same key in its group, or NULL. */
const IfbamReaderEntry *ifbam_reader_entry_before (IfbamNetworkReader *reader,
                                                   const IfbamReaderGroup *group, guint index);
/* Reads a parameter's value; FALSE with a reason (transfer full). */
gboolean ifbam_reader_parse_value (IfbamNetworkReader *reader, IfbamElement *element, guint param,
                                   const char *value, char **reason);

/* TRUE if a parameter's value is numeric: then [parameters] are quantities in it, else text. */
gboolean ifbam_reader_is_numeric (const IfbamElementInfo *info, int param);
/* Replaces parameters (transfer full); NULL with a reason (transfer full). */
char *ifbam_reader_substitute (IfbamNetworkReader *reader, const char *value, gboolean arithmetic,
                               char **reason);
/* Records the parameters of a value, in place of those of an earlier value. */
void ifbam_reader_note_uses (IfbamNetworkReader *reader, IfbamElement *element, const char *member,
                             const char *key, const char *value);
/* Returns advice for an unknown key: "did you mean "stiffness"?", or the list of keys (transfer
 * full). *nearest: the suggested key, or NULL. */
char *ifbam_reader_advise_key (const IfbamElementInfo *info, const char *key, const char **nearest);
