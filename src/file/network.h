/* network.h: what a network keeps, for the reader of its file and for the commands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/dialogue.h"
#include "file/ifbam-network.h"
#include "run/run.h"

/* Where the file of a network uses parameters, "stiffness = $k". */
typedef struct
{
  IfbamElement *element;           /* not owned; the settings for [network] */
  const char *member, *key, *text; /* interned; member of a composite, "k3", or NULL; "2 * $k" */
  double number;                   /* what it came to, where it is a number; else NaN */
} IfbamParameterUse;

typedef struct _IfbamChecked IfbamChecked;

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

  IfbamChecked *
      checked; /* of the last check, for the first who compiles it; NULL: somebody has, or there was none */

  /* of the dialogue by hand */
  IfbamModel *model;
  IfbamRunSpec spec;
};

/* Takes the element over; FALSE (and nothing taken) if the name is there already. */
gboolean ifbam_network_take (IfbamNetwork *network, IfbamElement *element);

/* The bytes of a network file, of which several networks can be made. */
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

/* As ifbam_network_new_from_file. */
IfbamNetwork *ifbam_network_new_from_bytes (const IfbamNetworkBytes *bytes,
                                            const char *const *settings, GError **error);

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

/* As ifbam_network_new_from_file, with what its check has compiled. keeps_text: the file's text is asked for. */
IfbamNetwork *ifbam_network_new_compiled (const char *path, const char *const *settings,
                                          gboolean keeps_text, IfbamModel **model,
                                          IfbamRunSpec *spec, IfbamSignals **signals,
                                          GError **error);

/* Who compiles a network that is read: all that is wrong goes to issues, and NULL is returned then. */
typedef struct
{
  IfbamModel *(*compile) (gpointer data, IfbamNetwork *network, IfbamRunSpec *spec,
                          IfbamSignals **signals, GArray *issues);
  gpointer data;
} IfbamCompiling;

/* As ifbam_network_new_from_bytes, with a model of somebody else's making: of an excerpt (network-graph.h), where nobody could
 * hold all. Faults are told with the lines of the file. */
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

/* Checks everything; adds what is wrong to issues. Returns the compiled network, or NULL. Signals are
 * resolved if signals is not NULL. */
IfbamModel *ifbam_network_compile (IfbamNetwork *network, gboolean with_duration,
                                   IfbamRunSpec *spec, IfbamSignals **signals, GArray *issues);

/* The same of some of the elements, with the nodes of an excerpt, which the model takes over: see network-graph.h. */
IfbamModel *ifbam_network_compile_excerpt (IfbamNetwork *network, const GPtrArray *elements,
                                           IfbamExcerpt *excerpt, IfbamRunSpec *spec,
                                           IfbamSignals **signals, GArray *issues);

/* ifbam_network_compile() with an error that has a line for each issue. */
IfbamModel *ifbam_network_compile_or_error (IfbamNetwork *network, gboolean with_duration,
                                            IfbamRunSpec *spec, IfbamSignals **signals,
                                            GError **error);

/* The same under other settings, for a run with rows. */
IfbamModel *ifbam_network_compile_as (IfbamNetwork *network, IfbamElement *settings,
                                      IfbamRunSpec *spec, IfbamSignals **signals, GError **error);

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
