/* network.h: data of a network, for its reader and for commands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "file/ifbam-network.h"

/* Use of parameters in a network's file, "stiffness = $k". */
typedef struct
{
  IfbamElement *element;           /* not owned; the settings for [network] */
  const char *member, *key, *text; /* interned; member of a composite, "k3", or NULL; "2 * $k" */
  double number;                   /* value, if it is a number; else NaN */
} IfbamParameterUse;

/* Result of a check, kept for the next compilation of the network. */
typedef struct
{
  IfbamModel *model;
  IfbamRunSpec spec;
  double duration; /* of the settings [s] */
  guint32 changes; /* number of changes at that time */
  double names;    /* memory per node for names of signals that was checked with it [bytes] */
} IfbamChecked;

void ifbam_checked_free (IfbamChecked *checked);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamChecked, ifbam_checked_free)

struct _IfbamNetwork
{
  GObject parent_instance;
  IfbamElement *settings;
  GPtrArray *elements;      /* IfbamElement, in the order of the file */
  IfbamElementContext home; /* of its elements; contains the dialogue by hand */
  GHashTable *by_name;      /* name -> element (not owned) */
  GHashTable *unknown;      /* names that the file's reader rejected; NULL afterwards */
  gboolean faulty; /* while read: the text has faults, so that no state of rest is searched for */
  char *folder;    /* folder of the file, for courses; NULL: the current one */
  char *sha256;    /* of the file's bytes; NULL: no file */
  char *text;      /* of the file; NULL: no file, or not requested */
  GHashTable *parameters; /* of file and settings: name -> text */
  GArray *uses;           /* IfbamParameterUse, of file and settings */

  IfbamChecked *checked; /* of the last check, until a compilation uses it; NULL: none */

  /* Of the dialogue by hand: */
  IfbamModel *model;
  IfbamRunSpec spec;
};

/* Allocate and free the data of a network without a dialogue. */
void ifbam_network_begin (IfbamNetwork *network);
void ifbam_network_clear (IfbamNetwork *network);

/* Takes ownership of the element; FALSE (without that) if the name exists. */
gboolean ifbam_network_take (IfbamNetwork *network, IfbamElement *element);

/* Bytes of a network file, from which several networks can be read. */
typedef struct
{
  char *path;   /* in messages */
  char *folder; /* NULL: standard input */
  char *text;
  gsize length;
  const IfbamNetwork
      *origin; /* network that was written as these bytes (not owned); NULL: from a file */
} IfbamNetworkBytes;

IfbamNetworkBytes *ifbam_network_bytes_new (const char *path, GError **error);
void ifbam_network_bytes_free (IfbamNetworkBytes *bytes);
/* Returns the SHA-256 of a text (transfer full). */
char *ifbam_network_checksum (const char *text, gsize length);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamNetworkBytes, ifbam_network_bytes_free)

/* Returns the value of an element's key; NaN if it is no number, or a member's. */
double ifbam_network_number (const IfbamElement *element, const char *member, const char *key);
/* Gives parameters the texts of `origin`, except for values set since. */
void ifbam_network_take_uses (IfbamNetwork *network, const IfbamNetwork *origin);

/* Returns the text of a use in which all parameters but `name` are replaced by their values
 * (transfer full); NULL: it does not depend on `name`. */
char *ifbam_network_trace_use (const IfbamNetwork *network, const IfbamParameterUse *use,
                               const char *name);
/* Returns the names of parameters that the network uses; NULL-terminated (transfer container). */
const char **ifbam_network_used_parameters (const IfbamNetwork *network);

/* Compiles a network; NULL after faults, which go to issues. */
typedef struct
{
  IfbamModel *(*compile) (gpointer data, IfbamNetwork *network, IfbamRunSpec *spec,
                          IfbamSignals **signals, GArray *issues);
  gpointer data;
  /* NULL, or returns the checksum of a text, for results (transfer full). */
  char *(*checksum) (const char *text, gsize length);
} IfbamCompiling;

/* Reads a text, which is split into lines, and compiles the network (transfer full). model, spec,
 * signals: of that (transfer full), or NULL: the network keeps the model. */
IfbamNetwork *ifbam_network_read (const IfbamNetworkBytes *bytes, char *text,
                                  const char *const *settings, const IfbamCompiling *compiling,
                                  IfbamModel **model, IfbamRunSpec *spec, IfbamSignals **signals,
                                  GError **error);

/* As above from bytes, for a part of a network (network-graph.h) that no process could hold. */
IfbamNetwork *ifbam_network_new_compiled_by (const IfbamNetworkBytes *bytes,
                                             const char *const *settings,
                                             const IfbamCompiling *compiling, IfbamModel **model,
                                             IfbamRunSpec *spec, IfbamSignals **signals,
                                             GError **error);

/* Returns the memory per node that is expected for names of signals [bytes]. */
double ifbam_network_names_memory (const IfbamRunSpec *spec, gboolean with_signals);

/* TRUE if an element may have this name. */
gboolean ifbam_network_name_is_valid (const char *name);

/* Keeps the result of a check for the next compilation (transfer full, with the spec's start). */
void ifbam_network_keep_checked (IfbamNetwork *network, IfbamModel *model, IfbamRunSpec *spec);

/* Settings of which faults are found, and the array (IfbamIssue) that gets them. */
typedef struct
{
  IfbamElement *settings;
  GArray *issues;
} IfbamSettingsCheck;

/* Adds a fault of a key; check: IfbamSettingsCheck; text: transfer full. */
void ifbam_settings_fault (gpointer check, const char *key, char *text);

/* Ends the dialogue by hand, if there is one. */
void ifbam_network_end_dialogue (IfbamNetwork *network);

/* Returns "[spring k1] stiffness: text" (transfer full). */
char *ifbam_issue_to_string (const IfbamIssue *issue);

/* Writing of a network with some elements omitted, and a group in place of one of them. */
typedef struct
{
  gboolean (*leaves_out) (gpointer data, const IfbamElement *element);
  const IfbamElement *place; /* omitted element that the group `instead` replaces */
  const char *instead;
  /* Returns new names for an element's key (transfer full), or an error in *fault. */
  char **(*list) (gpointer data, const IfbamElement *element, char *const *names, char **fault);
  /* Returns a text of signals with new names (transfer full). */
  char *(*signals) (gpointer data, const char *text);
  gpointer data;
} IfbamRewriting;

/* As ifbam_network_save(). */
gboolean ifbam_network_save_rewritten (IfbamNetwork *network, const char *path,
                                       const IfbamRewriting *rewriting, GError **error);
