/* network.h: what a network keeps, for the reader of its file and for the commands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/dialogue.h"
#include "file/ifbam-network.h"
#include "file/course.h"

/* Where the file of a network uses parameters, "stiffness = $k". */
typedef struct
{
  IfbamElement *element;           /* not owned; the settings for [network] */
  const char *member, *key, *text; /* interned; member of a composite, "k3", or NULL; "2 * $k" */
  double number;                   /* what it came to, where it is a number; else NaN */
} IfbamParameterUse;

/* The result of a check, for the next compilation of the network. */
typedef struct
{
  IfbamModel *model;
  IfbamRunSpec spec;
  double duration; /* of the settings [s] */
  guint32 changes; /* of the home, then */
  double
      names; /* memory that was judged beside it for the names of signals, for each node [bytes] */
} IfbamChecked;

void ifbam_checked_free (IfbamChecked *checked);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamChecked, ifbam_checked_free)

struct _IfbamNetwork
{
  GObject parent_instance;
  IfbamElement *settings;
  GPtrArray *elements;    /* IfbamElement, in file order */
  IfbamHome home;         /* of its elements; the dialogue by hand, between a reset and the next */
  GHashTable *by_name;    /* name -> element (not owned) */
  GHashTable *unknown;    /* names that the file's reader refused; NULL after it */
  char *folder;           /* of the file, for courses; NULL: the current one */
  char *sha256;           /* of the file's bytes; NULL without a file */
  char *text;             /* of the file; NULL without one, or where nobody asked for it */
  GHashTable *parameters; /* of the file and its settings: name -> text */
  GArray *uses;           /* IfbamParameterUse, of the file and its settings */

  IfbamChecked *checked; /* of the last check, until a compilation takes it; NULL: there is none */

  /* of the dialogue by hand */
  IfbamModel *model;
  IfbamRunSpec spec;
};

/* Takes the element over; FALSE (and nothing taken) if the name is there already. */
gboolean ifbam_network_take (IfbamNetwork *network, IfbamElement *element);

/* The bytes of a network file, from which several networks can be read. */
typedef struct
{
  char *path;   /* as messages name it */
  char *folder; /* NULL: standard input */
  char *text;
  gsize length;
  const IfbamNetwork *origin; /* what was written as these bytes (not owned); NULL: it was a file */
} IfbamNetworkBytes;

IfbamNetworkBytes *ifbam_network_bytes_new (const char *path, GError **error);
void ifbam_network_bytes_free (IfbamNetworkBytes *bytes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamNetworkBytes, ifbam_network_bytes_free)

/* Parameters stand for what they stood for in the network that it was written from, but for values that were set
 * since. */
void ifbam_network_take_uses (IfbamNetwork *network, const IfbamNetwork *origin);

/* What a use says where parameters but the one of that name are replaced by what they stand for (transfer full); NULL: it
 * does not come from that one. */
char *ifbam_network_trace_use (const IfbamNetwork *network, const IfbamParameterUse *use,
                               const char *name);
/* The parameters from which a value of the file comes, by name; NULL-terminated, of what the network has (transfer
 * container). */
const char **ifbam_network_used_parameters (const IfbamNetwork *network);

/* Compiles a network that is read: faults go to issues, and NULL is returned then. */
typedef struct
{
  IfbamModel *(*compile) (gpointer data, IfbamNetwork *network, IfbamRunSpec *spec,
                          IfbamSignals **signals, GArray *issues);
  gpointer data;
} IfbamCompiling;

/* Reads a text, which is cut into lines, and compiles the network (transfer full). model, spec, signals: of that (transfer
 * full), or NULL: the network keeps the model for its next compilation. Faults are told with the lines of the file. */
IfbamNetwork *ifbam_network_read (const IfbamNetworkBytes *bytes, char *text,
                                  const char *const *settings, const IfbamCompiling *compiling,
                                  IfbamModel **model, IfbamRunSpec *spec, IfbamSignals **signals,
                                  GError **error);

/* The same of the bytes, for a part of the network (network-graph.h) where no process could hold all. */
IfbamNetwork *ifbam_network_new_compiled_by (const IfbamNetworkBytes *bytes,
                                             const char *const *settings,
                                             const IfbamCompiling *compiling, IfbamModel **model,
                                             IfbamRunSpec *spec, IfbamSignals **signals,
                                             GError **error);

/* What memory is judged for the names of signals beside a model, for each node [bytes]. */
double ifbam_network_names_memory (const IfbamRunSpec *spec, gboolean with_signals);

/* A name that an element may have. */
gboolean ifbam_network_name_is_valid (const char *name);

/* Keeps what a check has compiled, of as it is now, and how it is run by the network's own settings: it goes to the
 * first who compiles it before anything changes. (Transfer full; of the spec its start.) */
void ifbam_network_keep_checked (IfbamNetwork *network, IfbamModel *model, IfbamRunSpec *spec);

/* Ends the dialogue by hand, if there is one. */
void ifbam_network_end_dialogue (IfbamNetwork *network);

/* "[spring k1] stiffness: text" (transfer full) */
char *ifbam_issue_to_string (const IfbamIssue *issue);

/* A network as a file in which some of its elements are left out, and something else stands in the place of one of them. */
typedef struct
{
  gboolean (*leaves_out) (gpointer data, const IfbamElement *element);
  const IfbamElement
      *place; /* in whose place the group `instead` stands, of those that are left out */
  const char *instead;
  /* The names that an element's key has there (transfer full); where there are none, *fault (transfer full) says why. */
  char **(*list) (gpointer data, const IfbamElement *element, char *const *names, char **fault);
  /* Likewise a text of signals. */
  char *(*signals) (gpointer data, const char *text);
  gpointer data;
} IfbamRewriting;

/* As ifbam_network_save(). */
gboolean ifbam_network_save_rewritten (IfbamNetwork *network, const char *path,
                                       const IfbamRewriting *rewriting, GError **error);
