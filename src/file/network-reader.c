/* network-reader.c: reads a network from a text, with line numbers of all errors
 *
 * GKeyFile has no line numbers, merges groups and keys of the same name, and treats comments behind
 * values as text. The bytes are stored once; groups and entries point into them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/fail.h"
#include "elements/registry.h"
#include "file/network.h"
#include "file/parameters.h"
#include "engine/engine.h"
#include "file/element-formula.h"
#include "file/element-text.h"
#include "file/named-law.h"
#include "file/printable-text.h"

/* Limit of reported faults. */
#define MAX_FAULTS 1000
/* Largest length of a fault [bytes]. */
#define MAX_TEXT 2000
/* Memory of a network per byte of its file. */
#define BYTE_MEMORY 40

typedef struct
{
  char *key, *value;
  guint line;
} Entry;

typedef struct
{
  char *class_name, *name; /* name is "" for [network] and [parameters] */
  guint line;
  guint first, n; /* index of its first entry, number of entries */
  guint32 faulty; /* bit p: an error of parameter p was reported */
  IfbamElement *element;
  const IfbamNamedLaw *law; /* of a link of a class by [law NAME]; else NULL */
} Group;

typedef struct
{
  guint line;
  guint order;
  char *text;
} Fault;

/* ELEMENT.KEY=VALUE or PARAMETER=VALUE of the command line */
typedef struct
{
  char *text;
  char *element, *key, *value; /* element: NULL for a parameter */
  gboolean used;
} Setting;

typedef struct
{
  const char *path; /* in messages */
  IfbamNetwork *network;
  GArray *entries;  /* Entry */
  GArray *groups;   /* Group */
  GArray *faults;   /* Fault */
  guint n_faults;   /* including those beyond MAX_FAULTS */
  GArray *settings; /* Setting */
  GHashTable *laws; /* name -> IfbamNamedLaw */
  GString *usage;   /* errors of settings */
  const IfbamCompiling *compiling;

  /* Results of the compilation: */
  IfbamModel *model;
  IfbamRunSpec spec;
  IfbamSignals *signals;
} Reader;

/* Makes a message printable and short: a file may contain anything. */
static void
shorten (GString *text)
{
  if (text->len > MAX_TEXT)
    g_string_append (g_string_truncate (text, MAX_TEXT), "...");
  g_strdelimit (text->str, "\n", '?');
  ifbam_make_printable (text->str);
}

static Entry *
entry_at (Reader *reader, guint index)
{
  return &g_array_index (reader->entries, Entry, index);
}

/* Returns the mark of a foreign comment in TEXT, at its start or after a blank; NULL: none. */
static const char *
other_comment (const char *text)
{
  static const char *const signs[] = { "//", "/*", ";", "%", "!" };

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    for (const char *p = strstr (text, signs[i]); p != NULL; p = strstr (p + 1, signs[i]))
      if ((p == text || g_ascii_isspace (p[-1])) && p[strlen (signs[i])] != '\0')
        return signs[i];
  return NULL;
}

static gboolean
begins_other_comment (const char *line)
{
  const char *sign = other_comment (line);

  return sign != NULL && g_str_has_prefix (line, sign);
}

/* Returns the mark of a foreign comment in the value at LINE; NULL: none. */
static const char *
other_comment_at (Reader *reader, guint line)
{
  guint first = 0, last = reader->entries->len;

  while (first < last)
    {
      const guint middle = first + (last - first) / 2;

      if (entry_at (reader, middle)->line < line)
        first = middle + 1;
      else
        last = middle;
    }
  return first < reader->entries->len && entry_at (reader, first)->line == line
             ? other_comment (entry_at (reader, first)->value)
             : NULL;
}

G_GNUC_PRINTF (5, 6)
static void
add_fault (Reader *reader, guint line, const Group *group, const char *key, const char *format, ...)
{
  GString *text;
  Fault fault = { .line = line, .order = reader->faults->len };
  const char *sign = key == NULL ? NULL : other_comment_at (reader, line);
  va_list arguments;

  if (++reader->n_faults > MAX_FAULTS)
    return;
  text = g_string_new (NULL);
  if (group != NULL)
    g_string_append_printf (text, "[%s%s%s] ", group->class_name, group->name[0] ? " " : "",
                            group->name);
  if (key != NULL)
    g_string_append_printf (text, "%s: ", key);
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
  if (sign != NULL)
    g_string_append_printf (text, "; a comment begins with #, not with %s", sign);
  shorten (text);
  fault.text = g_string_free (text, FALSE);
  g_array_append_val (reader->faults, fault);
}

G_GNUC_PRINTF (3, 4)
static void
setting_error (Reader *reader, const Setting *setting, const char *format, ...)
{
  static const char *const options[] = { "scheme", "step",   "duration",  "start",
                                         "record", "sample", "tolerance", NULL };
  va_list arguments;

  if (reader->usage->len > 0)
    g_string_append_c (reader->usage, '\n');
  if (setting->element != NULL && g_str_equal (setting->element, "network")
      && g_strv_contains (options, setting->key))
    g_string_append_printf (reader->usage, "--%s %s: ", setting->key, setting->value);
  else
    g_string_append_printf (reader->usage, "--set %s: ", setting->text);
  va_start (arguments, format);
  g_string_append_vprintf (reader->usage, format, arguments);
  va_end (arguments);
}

/* Lines */

static gboolean
is_key (const char *text)
{
  if (text[0] == '\0')
    return FALSE;
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '-')
      return FALSE;
  return TRUE;
}

/* TRUE for KEY, or MEMBER.KEY of a composite. */
static gboolean
is_key_of_element (const char *text)
{
  const char *dot = strchr (text, '.');
  g_autofree char *member = dot == NULL ? NULL : g_strndup (text, (gsize) (dot - text));

  return dot == NULL ? is_key (text) : is_key (member) && is_key (dot + 1);
}

/* Cuts a comment at the start or behind a blank. */
static void
cut_comment (char *text)
{
  for (char *c = text; *c != '\0'; c++)
    if (*c == '#' && (c == text || g_ascii_isspace (c[-1])))
      {
        *c = '\0';
        return;
      }
}

static void
read_group_line (Reader *reader, char *line, guint number)
{
  char *end = strchr (line, ']');
  Group group = { .line = number, .first = reader->entries->len };
  char *blank;

  /* The following lines belong to this group in spite of the error. */
  if (end == NULL)
    {
      add_fault (reader, number, NULL, NULL, "\"%.60s\" lacks its ] (want [class name])", line);
      end = line + strlen (line);
    }
  else if (end[1] != '\0')
    add_fault (reader, number, NULL, NULL,
               "\"%.60s\" goes on after its ] (want [class name]; a comment begins with #)", line);
  *end = '\0';
  group.class_name = g_strstrip (line + 1);
  blank = strpbrk (group.class_name, " \t");
  if (blank == NULL)
    group.name = group.class_name + strlen (group.class_name);
  else
    {
      *blank = '\0';
      group.name = g_strchug (blank + 1);
    }
  g_array_append_val (reader->groups, group);
}

static void
read_entry_line (Reader *reader, char *line, guint number)
{
  char *equals = strchr (line, '=');
  Entry entry = { .line = number };
  Group *group;

  if (equals == NULL)
    {
      add_fault (reader, number, NULL, NULL, "\"%.60s\" is neither a [class name] nor KEY = VALUE",
                 line);
      return;
    }
  *equals = '\0';
  entry.key = g_strchomp (line);
  entry.value = g_strchug (equals + 1);
  if (!is_key_of_element (entry.key))
    {
      add_fault (reader, number, NULL, NULL, "\"%.60s\" is no key (want letters, digits, _ and -)",
                 entry.key);
      return;
    }
  if (reader->groups->len == 0)
    {
      add_fault (reader, number, NULL, NULL, "\"%s\" is before the first [class name]", entry.key);
      return;
    }
  group = &g_array_index (reader->groups, Group, reader->groups->len - 1);
  group->n++;
  g_array_append_val (reader->entries, entry);
}

/* FALSE: this is no network file. */
static gboolean
read_lines (Reader *reader, char *text, gsize length)
{
  const char *bad;
  guint number = 0;
  gboolean binary = FALSE;

  if (!g_utf8_validate (text, (gssize) length, &bad))
    {
      guint line = 1;

      for (const char *c = text; c < bad; c++)
        line += *c == '\n';
      for (gsize i = 0; i < length; i++)
        binary |= (guchar) text[i] < 0x20 && !g_ascii_isspace (text[i]);
      add_fault (reader, line, NULL, NULL,
                 length >= 2
                         && (memcmp (text, "\xff\xfe", 2) == 0 || memcmp (text, "\xfe\xff", 2) == 0)
                     ? "is text in UTF-16 (save the file in UTF-8)"
                 : binary ? "is not text: this is not a network file"
                          : "is not UTF-8 text (save the file in this encoding)");
      return FALSE;
    }
  if (g_str_has_prefix (text, "\xef\xbb\xbf"))
    text += 3;
  for (char *line = text, *next; line != NULL; line = next)
    {
      char *end = strchr (line, '\n');

      next = end == NULL ? NULL : end + 1;
      if (end != NULL)
        *end = '\0';
      number++;
      cut_comment (line);
      line = g_strstrip (line);
      if (line[0] == '\0' || line[0] == ';')
        continue;
      if (begins_other_comment (line))
        add_fault (reader, number, NULL, NULL, "a comment begins with #, not with %s",
                   other_comment (line));
      else if (line[0] == '[')
        read_group_line (reader, line, number);
      else if (reader->groups->len == 0 && strchr (line, '=') == NULL)
        {
          /* The file may be any, and its text secret: the message does not show it. */
          add_fault (reader, number, NULL, NULL,
                     "this is not a network file: the line before any [group] is not KEY = VALUE%s",
                     g_str_has_prefix (line, "time,")
                         ? " (a course: \"ifbam plot course\" and \"ifbam spectrum\" read it)"
                         : "");
          return FALSE;
        }
      else
        read_entry_line (reader, line, number);
    }
  return TRUE;
}

/* Parameters */

/* Returns an earlier entry with the same key in its group, or NULL. */
static const Entry *
entry_before (Reader *reader, const Group *group, guint index)
{
  const char *key = entry_at (reader, index)->key;

  for (guint i = group->first; i < index; i++)
    if (g_str_equal (entry_at (reader, i)->key, key))
      return entry_at (reader, i);
  return NULL;
}

static void
read_parameters (Reader *reader, Group *group)
{
  for (guint i = group->first; i < group->first + group->n; i++)
    {
      Entry *entry = entry_at (reader, i);

      if (!is_key (entry->key))
        {
          add_fault (reader, entry->line, group, NULL,
                     "\"%s\" is no name of a parameter (want letters, digits, _ and -)",
                     entry->key);
          continue;
        }
      if (g_hash_table_contains (reader->network->parameters, entry->key))
        {
          if (reader->n_faults < MAX_FAULTS)
            add_fault (reader, entry->line, group, entry->key, "is there already, at line %u",
                       entry_before (reader, group, i)->line);
          continue;
        }
      /* An empty parameter is kept, so that its uses are not reported as well. */
      if (entry->value[0] == '\0')
        add_fault (reader, entry->line, group, entry->key, "no value is given");
      g_hash_table_insert (reader->network->parameters, g_strdup (entry->key),
                           g_strdup (entry->value));
    }
  for (guint s = 0; s < reader->settings->len; s++)
    {
      Setting *setting = &g_array_index (reader->settings, Setting, s);

      if (setting->value == NULL || setting->element != NULL
          || !g_hash_table_contains (reader->network->parameters, setting->key))
        continue;
      if (setting->value[0] == '\0')
        setting_error (reader, setting, "no value is given");
      g_hash_table_insert (reader->network->parameters, g_strdup (setting->key),
                           g_strdup (setting->value));
      setting->used = TRUE;
    }
}

static gboolean
is_formula (const IfbamElementInfo *info, int param)
{
  return param >= 0 && info->program_parameter != 0 && !ifbam_param_in_law (&info->params[param])
         && info->params[param].offset == IFBAM_SLOT_FORMULA;
}

/* TRUE if a parameter's value is numeric: then [parameters] are quantities in it, else text. */
static gboolean
is_numeric (const IfbamElementInfo *info, int param)
{
  return param >= 0
         && (info->params[param].kind == IFBAM_PARAM_NUMBER
             || info->params[param].kind == IFBAM_PARAM_NUMBERS || is_formula (info, param));
}

static char *
substitute (Reader *reader, const char *value, gboolean arithmetic, char **reason)
{
  return ifbam_parameters_substitute (reader->network->parameters, value, arithmetic, NULL, reason);
}

/* Records a value that names parameters. */
static void
add_use (Reader *reader, IfbamElement *element, const char *member, const char *key,
         const char *value)
{
  const IfbamParameterUse use = { .element = element,
                                  .member = member != NULL ? g_intern_string (member) : NULL,
                                  .key = g_intern_string (key),
                                  .text = g_intern_string (value),
                                  .number = ifbam_network_number (element, member, key) };

  if (strchr (value, '$') != NULL)
    g_array_append_val (reader->network->uses, use);
}

/* Records the parameters of a value, in place of those of an earlier value. */
static void
note_uses (Reader *reader, IfbamElement *element, const char *member, const char *key,
           const char *value)
{
  GArray *uses = reader->network->uses;
  const char *interned = member != NULL ? g_intern_string (member) : NULL;

  for (guint i = uses->len; i-- > 0;)
    {
      const IfbamParameterUse *use = &g_array_index (uses, IfbamParameterUse, i);

      if (use->element == element && use->member == interned && g_str_equal (use->key, key))
        g_array_remove_index (uses, i);
    }
  add_use (reader, element, member, key, value);
}

/* Elements */

static gboolean
parse_value (Reader *reader, IfbamElement *element, guint param, const char *value, char **reason)
{
  g_autofree char *text = NULL;

  if (strchr (value, '$') == NULL)
    return ifbam_element_parse (element, param, value, reason);
  text = substitute (reader, value, is_numeric (element->info, (int) param), reason);
  if (text == NULL || !ifbam_element_parse (element, param, text, reason))
    return FALSE;
  add_use (reader, element, NULL, element->info->params[param].key, value);
  return TRUE;
}

/* Returns advice for an unknown key: "did you mean "stiffness"?", or the list of keys (transfer
 * full). *nearest: the suggested key, or NULL. */
static char *
advise_key (const IfbamElementInfo *info, const char *key, const char **nearest)
{
  g_autofree char *list = NULL;
  const char *keys[33];

  for (guint i = 0; i < info->n_params; i++)
    keys[i] = info->params[i].key;
  keys[info->n_params] = NULL;
  *nearest = ifbam_nearest_word (key, keys, info->n_params);
  if (*nearest != NULL)
    return g_strdup_printf ("did you mean \"%s\"?", *nearest);
  list = g_strjoinv (", ", (char **) keys);
  return g_strdup_printf ("it has %s", list);
}

static void
unknown_key (Reader *reader, Group *group, const Entry *entry)
{
  const IfbamElementInfo *info = group->element->info;
  const char *nearest;
  g_autofree char *advice = advise_key (info, entry->key, &nearest);

  add_fault (reader, entry->line, group, entry->key, "%s %s has no such key (%s)",
             ifbam_element_article (info), info->name, advice);
  if (nearest == NULL)
    return;
  /* Then it is not reported as missing. */
  group->element->set |= 1u << ifbam_element_param_index (info, nearest);
  group->faulty |= 1u << ifbam_element_param_index (info, nearest);
}

/* Reads MEMBER.KEY = VALUE in the group of a composite. */
static void
read_member (Reader *reader, const Group *group, const Entry *entry)
{
  const char *dot = strchr (entry->key, '.');
  g_autofree char *member = g_strndup (entry->key, (gsize) (dot - entry->key));
  g_autofree char *reason = NULL;
  g_autofree char *value = substitute (reader, entry->value, TRUE, &reason);

  if (value != NULL
      && group->element->info->set_member (group->element, member, dot + 1, value,
                                           ifbam_element_parse_number, &reason))
    add_use (reader, group->element, member, dot + 1, entry->value);
  else if (reason != NULL)
    add_fault (reader, entry->line, group, entry->key, "%s", reason);
}

static void
read_entries (Reader *reader, Group *group)
{
  g_autoptr (GHashTable) members =
      NULL; /* keys that name a member; NULL: none, as in most groups */
  guint32 seen = 0;

  for (guint i = group->first; i < group->first + group->n; i++)
    {
      Entry *entry = entry_at (reader, i);
      int param = ifbam_element_param_index (group->element->info, entry->key);
      g_autofree char *reason = NULL;

      if (strchr (entry->key, '.') != NULL && group->element->info->set_member != NULL)
        {
          if (members == NULL)
            members = g_hash_table_new (g_str_hash, g_str_equal);
        }
      else if (param < 0 && group->law != NULL
               && g_hash_table_contains (group->law->values, entry->key))
        continue;
      else if (param < 0)
        unknown_key (reader, group, entry);
      else if (group->law != NULL && is_formula (group->element->info, param))
        add_fault (reader, entry->line, group, entry->key, "the formula is that of [law %s]",
                   group->law->name);
      else if (seen >> param & 1)
        add_fault (reader, entry->line, group, entry->key, "is there already, at line %u",
                   entry_before (reader, group, i)->line);
      else if (!parse_value (reader, group->element, (guint) param, entry->value, &reason))
        {
          group->faulty |= 1u << param;
          if (reason != NULL)
            add_fault (reader, entry->line, group, entry->key, "%s", reason);
        }
      if (param >= 0)
        {
          seen |= 1u << param;
          group->element->set |= 1u << param;
        }
    }
  /* Members exist when all other keys are read. */
  for (guint i = group->first; members != NULL && i < group->first + group->n; i++)
    {
      const Entry *entry = entry_at (reader, i);

      if (strchr (entry->key, '.') == NULL)
        continue;
      if (g_hash_table_add (members, entry->key))
        read_member (reader, group, entry);
      else if (reader->n_faults < MAX_FAULTS)
        add_fault (reader, entry->line, group, entry->key, "is there already, at line %u",
                   entry_before (reader, group, i)->line);
    }
}

/* Laws */

static gboolean
is_group (const Group *group, const char *class_name)
{
  return g_str_equal (group->class_name, class_name);
}

/* Reads the formula and the parameters of [law NAME]. FALSE after a fault. */
static gboolean
read_law_entries (Reader *reader, const Group *group, IfbamNamedLaw *law)
{
  const guint before = reader->n_faults;
  guint line = 0;

  for (guint i = group->first; i < group->first + group->n; i++)
    {
      const Entry *entry = entry_at (reader, i), *earlier = entry_before (reader, group, i);
      GType type;
      const IfbamElementInfo *info = ifbam_named_law_class (entry->key, &type);

      if (earlier != NULL)
        add_fault (reader, entry->line, group, entry->key, "is there already, at line %u",
                   earlier->line);
      else if (info != NULL && law->info != NULL)
        add_fault (reader, entry->line, group, entry->key,
                   "a law has one formula, and there is its %s, at line %u", law->key, line);
      else if (!is_key (entry->key))
        add_fault (reader, entry->line, group, NULL,
                   "\"%s\" is no name of a parameter (want letters, digits, _ and -)", entry->key);
      else if (info == NULL)
        g_hash_table_insert (law->values, entry->key, entry->value);
      else
        {
          law->info = info;
          law->type = type;
          law->key = entry->key;
          law->formula = entry->value;
          line = entry->line;
        }
    }
  if (law->info == NULL)
    {
      g_autofree char *keys = ifbam_named_law_keys ();

      add_fault (reader, group->line, group, NULL, "has no formula (want one of %s)", keys);
    }
  return reader->n_faults == before;
}

/* Checks the formula with the default values of its parameters. */
static void
check_law (Reader *reader, const Group *group, IfbamNamedLaw *law)
{
  guint line = group->line;
  g_autofree char *reason = NULL, *formula = NULL, *text = NULL;
  IfbamProgram *program = NULL;

  for (guint i = group->first; i < group->first + group->n; i++)
    if (g_str_equal (entry_at (reader, i)->key, law->key))
      line = entry_at (reader, i)->line;
  formula = ifbam_named_law_formula (law, NULL, reader->network->parameters, &reason);
  text = formula == NULL ? NULL : substitute (reader, formula, TRUE, &reason);
  if (text != NULL)
    program = ifbam_element_read_formula (law->info, text, &reason);
  if (program == NULL && reason != NULL)
    add_fault (reader, line, group, law->key, "%s", reason);
  if (program == NULL)
    law->info = NULL;
  ifbam_program_free (program);
}

static void
read_law (Reader *reader, const Group *group)
{
  const Group *other = NULL;
  IfbamNamedLaw *law;

  for (const Group *before = (const Group *) (gconstpointer) reader->groups->data; before < group;
       before++)
    if (is_group (before, "law") && g_str_equal (before->name, group->name))
      other = before;
  if (group->name[0] == '\0')
    add_fault (reader, group->line, group, NULL, "has no name (want [law NAME])");
  else if (other != NULL)
    add_fault (reader, group->line, group, NULL, "there is a law \"%s\" already, at line %u",
               group->name, other->line);
  else if (!ifbam_network_name_is_valid (group->name) || g_str_equal (group->name, "law"))
    add_fault (reader, group->line, group, NULL,
               "\"%s\" is no name (want letters, digits, _ and -, a letter or _ first)",
               group->name);
  else if (ifbam_element_info_by_name (group->name, NULL) != NULL)
    add_fault (reader, group->line, group, NULL,
               "there is a class \"%s\" already (want another name)", group->name);
  if (other != NULL || group->name[0] == '\0'
      || ifbam_element_info_by_name (group->name, NULL) != NULL)
    return;
  law = ifbam_named_law_new (group->name);
  g_hash_table_insert (reader->laws, (gpointer) law->name, law);
  if (read_law_entries (reader, group, law))
    check_law (reader, group, law);
  else
    law->info = NULL;
}

/* Gives a link the formula of its law, with the link's values of the law's parameters. */
static void
take_law (Reader *reader, Group *group)
{
  const IfbamNamedLaw *law = group->law;
  const int param = ifbam_element_param_index (law->info, law->key);
  g_autoptr (GHashTable) own = NULL;
  g_autofree char *reason = NULL, *formula = NULL;

  for (guint i = group->first; i < group->first + group->n; i++)
    {
      const Entry *entry = entry_at (reader, i);

      if (!g_hash_table_contains (law->values, entry->key))
        continue;
      if (own == NULL)
        own = g_hash_table_new (g_str_hash, g_str_equal);
      if (g_hash_table_contains (own, entry->key))
        add_fault (reader, entry->line, group, entry->key, "is there already, at line %u",
                   entry_before (reader, group, i)->line);
      g_hash_table_insert (own, entry->key, entry->value);
    }
  formula = ifbam_named_law_formula (law, own, reader->network->parameters, &reason);
  if (formula == NULL || !parse_value (reader, group->element, (guint) param, formula, &reason))
    {
      group->faulty |= 1u << param;
      if (reason != NULL)
        add_fault (reader, group->line, group, law->key, "%s", reason);
    }
  group->element->set |= 1u << param;
}

static void
unknown_class (Reader *reader, const Group *group)
{
  const char *nearest = ifbam_element_nearest_class (group->class_name);
  /* [torsion spring k1]: a class of two words */
  const gsize n = strcspn (group->name, " \t");
  g_autofree char *two = g_strdup_printf ("%s-%.*s", group->class_name, (int) n, group->name);
  const char *rest = group->name + n + strspn (group->name + n, " \t");

  if (group->class_name[0] == '\0')
    add_fault (reader, group->line, NULL, NULL, "[] names no class (want [class name])");
  else if (ifbam_element_info_by_name (two, NULL) != NULL)
    add_fault (reader, group->line, group, NULL, "there is no class \"%s\" (did you mean [%s %s]?)",
               group->class_name, two, *rest == '\0' ? "NAME" : rest);
  else if (nearest != NULL)
    add_fault (reader, group->line, group, NULL, "there is no class \"%s\" (did you mean \"%s\"?)",
               group->class_name, nearest);
  else
    add_fault (reader, group->line, group, NULL,
               "there is no class \"%s\" (`ifbam elements` lists them)", group->class_name);
  g_hash_table_add (reader->network->unknown, g_strdup (group->name));
}

static void
build_element (Reader *reader, Group *group)
{
  const IfbamNamedLaw *law = g_hash_table_lookup (reader->laws, group->class_name);
  GType type = law != NULL ? law->type : 0;
  IfbamElement *element;

  if (law != NULL && law->info == NULL)
    {
      /* The law's fault was reported. */
      g_hash_table_add (reader->network->unknown, g_strdup (group->name));
      return;
    }
  if (law == NULL && ifbam_element_info_by_name (group->class_name, &type) == NULL)
    {
      unknown_class (reader, group);
      return;
    }
  if (!ifbam_network_name_is_valid (group->name))
    {
      g_hash_table_add (reader->network->unknown, g_strdup (group->name));
      if (group->name[0] == '\0')
        add_fault (reader, group->line, group, NULL, "has no name (want [%s NAME])",
                   group->class_name);
      else if (g_str_equal (group->name, "network") || g_str_equal (group->name, "parameters"))
        add_fault (reader, group->line, group, NULL, "the name \"%s\" is taken", group->name);
      else
        add_fault (reader, group->line, group, NULL,
                   "\"%s\" is no name (want letters, digits, _ and -, a letter or _ first)",
                   group->name);
      return;
    }
  element = ifbam_element_new (type, group->name);
  group->element = element;
  group->law = law;
  if (ifbam_network_take (reader->network, element))
    {
      read_entries (reader, group);
      if (law != NULL)
        take_law (reader, group);
      return;
    }
  /* A duplicate name is reported, along with other errors of the group. */
  for (guint g = 0; g < reader->groups->len && reader->n_faults < MAX_FAULTS; g++)
    {
      const Group *other = &g_array_index (reader->groups, Group, g);

      if (other != group && other->element != NULL && g_str_equal (other->name, group->name))
        {
          add_fault (reader, group->line, group, NULL, "there is a \"%s\" already, at line %u",
                     group->name, other->line);
          break;
        }
    }
  read_entries (reader, group);
  g_clear_object (&group->element);
}

/* Returns the group of a class that is allowed once, or NULL. */
static Group *
single_group (Reader *reader, const char *class_name)
{
  Group *first = NULL;

  for (guint g = 0; g < reader->groups->len; g++)
    {
      Group *group = &g_array_index (reader->groups, Group, g);

      if (!is_group (group, class_name))
        continue;
      if (group->name[0] != '\0')
        add_fault (reader, group->line, group, NULL, "takes no name (want [%s])", class_name);
      if (first == NULL)
        first = group;
      else
        add_fault (reader, group->line, group, NULL, "there is one already, at line %u",
                   first->line);
    }
  return first;
}

static void
build (Reader *reader)
{
  Group *parameters = single_group (reader, "parameters");
  Group *network = single_group (reader, "network");

  if (parameters != NULL)
    read_parameters (reader, parameters);
  if (network != NULL)
    {
      network->element = reader->network->settings;
      read_entries (reader, network);
    }
  for (guint g = 0; g < reader->groups->len; g++)
    if (is_group (&g_array_index (reader->groups, Group, g), "law"))
      read_law (reader, &g_array_index (reader->groups, Group, g));
  for (guint g = 0; g < reader->groups->len; g++)
    {
      Group *group = &g_array_index (reader->groups, Group, g);

      if (!is_group (group, "parameters") && !is_group (group, "network")
          && !is_group (group, "law"))
        build_element (reader, group);
    }
}

/* Settings of the command line */

static void
setting_clear (Setting *setting)
{
  g_free (setting->text);
  g_free (setting->element);
  g_free (setting->key);
  g_free (setting->value);
}

static void
read_settings (Reader *reader, const char *const *texts)
{
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      Setting setting = { .text = g_strdup (texts[i]) };
      const char *equals = strchr (texts[i], '=');

      if (equals == NULL || equals == texts[i])
        setting_error (reader, &setting, "want ELEMENT.KEY=VALUE or PARAMETER=VALUE");
      else
        {
          g_autofree char *target = g_strstrip (g_strndup (texts[i], (gsize) (equals - texts[i])));
          char *dot = strrchr (target, '.');

          setting.value = g_strstrip (g_strdup (equals + 1));
          setting.key = g_strdup (dot == NULL ? target : dot + 1);
          setting.element = dot == NULL ? NULL : g_strndup (target, (gsize) (dot - target));
        }
      g_array_append_val (reader->settings, setting);
    }
}

static void
apply_setting (Reader *reader, Setting *setting)
{
  IfbamNetwork *network = reader->network;
  const char *dot = strchr (setting->element, '.');
  g_autofree char *owner =
      dot == NULL ? NULL : g_strndup (setting->element, (gsize) (dot - setting->element));
  IfbamElement *element =
      g_str_equal (setting->element, "network")
          ? network->settings
          : g_hash_table_lookup (network->by_name, dot == NULL ? setting->element : owner);
  g_autofree char *reason = NULL, *value = NULL;
  int param;

  if (element == NULL || (dot != NULL && element->info->set_member == NULL))
    {
      const char *nearest =
          dot != NULL ? NULL : ifbam_nearest_key (network->by_name, setting->element);

      setting_error (reader, setting, "there is no element \"%s\"%s%s%s", setting->element,
                     nearest != NULL ? " (did you mean \"" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "\"?)" : "");
      return;
    }
  param = ifbam_element_param_index (element->info, setting->key);
  value = substitute (reader, setting->value, dot != NULL || is_numeric (element->info, param),
                      &reason);
  if (value == NULL && reason == NULL)
    return; /* an empty parameter, reported before */
  if (value == NULL)
    setting_error (reader, setting, "%s", reason);
  else if (dot != NULL)
    {
      if (!element->info->set_member (element, dot + 1, setting->key, value,
                                      ifbam_element_parse_number, &reason))
        setting_error (reader, setting, "%s", reason);
      else
        note_uses (reader, element, dot + 1, setting->key, setting->value);
    }
  else if (param < 0)
    {
      const char *nearest;
      g_autofree char *advice = advise_key (element->info, setting->key, &nearest);

      setting_error (reader, setting, "%s %s has no key \"%s\" (%s)",
                     ifbam_element_article (element->info), element->info->name, setting->key,
                     advice);
    }
  else if (!ifbam_element_parse (element, (guint) param, value, &reason))
    setting_error (reader, setting, "%s", reason);
  else
    note_uses (reader, element, NULL, setting->key, setting->value);
}

/* Reports --set KEY=VALUE without such a parameter. */
static void
unknown_parameter (Reader *reader, Setting *setting)
{
  const char *nearest = ifbam_nearest_key (reader->network->parameters, setting->key);

  if (nearest != NULL)
    {
      setting_error (reader, setting,
                     "there is no parameter \"%s\" in [parameters] (did you mean \"%s\"?)",
                     setting->key, nearest);
      return;
    }
  if (ifbam_element_param_index (reader->network->settings->info, setting->key) >= 0)
    {
      setting_error (reader, setting,
                     "there is no parameter \"%s\" in [parameters] (did you mean \"network.%s\"?)",
                     setting->key, setting->key);
      return;
    }
  for (guint i = 0; i < reader->network->elements->len; i++)
    {
      const IfbamElement *element = reader->network->elements->pdata[i];

      if (ifbam_element_param_index (element->info, setting->key) < 0)
        continue;
      setting_error (reader, setting,
                     "there is no parameter \"%s\" in [parameters] (want ELEMENT.KEY, such as "
                     "\"%s.%s\")",
                     setting->key, element->name, setting->key);
      return;
    }
  setting_error (reader, setting, "there is no parameter \"%s\" in [parameters]", setting->key);
}

static void
apply_settings (Reader *reader)
{
  for (guint s = 0; s < reader->settings->len; s++)
    {
      Setting *setting = &g_array_index (reader->settings, Setting, s);

      if (setting->value == NULL)
        continue;
      if (setting->element != NULL)
        apply_setting (reader, setting);
      else if (!setting->used)
        unknown_parameter (reader, setting);
    }
}

/* Errors of the whole network */

#define MISSING "is missing"

/* TRUE for a missing value that could not be read, which was reported before. */
static gboolean
is_followup (const Group *group, const IfbamIssue *issue)
{
  int param =
      issue->key == NULL ? -1 : ifbam_element_param_index (issue->element->info, issue->key);

  return group != NULL && param >= 0 && (group->faulty >> param & 1);
}

/* Returns the option that set a parameter of an element; NULL: the file did. */
static const Setting *
setting_of (Reader *reader, const IfbamIssue *issue)
{
  const char *name = issue->element == reader->network->settings ? "network" : issue->element->name;
  const Setting *found = NULL;

  for (guint s = 0; s < reader->settings->len && issue->key != NULL; s++)
    {
      const Setting *setting = &g_array_index (reader->settings, Setting, s);

      if (setting->element != NULL && g_str_equal (setting->element, name)
          && g_str_equal (setting->key, issue->key))
        found = setting;
    }
  return found;
}

static void
add_issues (Reader *reader, GArray *issues)
{
  g_autoptr (GHashTable) groups = g_hash_table_new (NULL, NULL);
  gboolean told = FALSE;

  if (issues->len == 0)
    return;
  for (guint g = 0; g < reader->groups->len; g++)
    {
      Group *group = &g_array_index (reader->groups, Group, g);

      if (group->element != NULL)
        g_hash_table_insert (groups, group->element, group);
    }
  for (guint i = 0; i < issues->len; i++)
    {
      const IfbamIssue *issue = &g_array_index (issues, IfbamIssue, i);
      static const Group no_group = { .class_name = (char *) "network",
                                      .name = (char *) "",
                                      .line = 1 };
      const Group *group = g_hash_table_lookup (groups, issue->element);
      guint line;

      if (issue->element == NULL)
        {
          add_fault (reader, 0, NULL, NULL, "%s", issue->text);
          continue;
        }
      if (is_followup (group, issue))
        continue;
      if (setting_of (reader, issue) != NULL)
        {
          setting_error (reader, setting_of (reader, issue), "%s", issue->text);
          continue;
        }
      if (group == NULL) /* only [network] may be missing */
        {
          group = &no_group;
          if (g_str_has_prefix (issue->text, MISSING))
            {
              if (!told)
                add_fault (reader, 1, NULL, NULL,
                           "there is no group [network] (want it with step and duration, such as "
                           "\"step = 50 us\")");
              told = TRUE;
              continue;
            }
        }
      line = group->line;
      for (guint e = group->first; e < group->first + group->n; e++)
        if (issue->key != NULL && g_str_equal (entry_at (reader, e)->key, issue->key))
          line = entry_at (reader, e)->line;
      add_fault (reader, line, group, issue->key, "%s", issue->text);
    }
}

static int
compare_faults (gconstpointer a, gconstpointer b)
{
  const Fault *one = a, *other = b;

  if (one->line != other->line)
    return one->line < other->line ? -1 : 1;
  return one->order < other->order ? -1 : one->order > other->order;
}

static void
fault_clear (Fault *fault)
{
  g_free (fault->text);
}

static void
set_faults (Reader *reader, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_array_sort (reader->faults, compare_faults);
  for (guint i = 0; i < reader->faults->len; i++)
    {
      const Fault *fault = &g_array_index (reader->faults, Fault, i);

      g_string_append_printf (text, "%s%s:", text->len == 0 ? "" : "\n", reader->path);
      if (fault->line > 0)
        g_string_append_printf (text, "%u:", fault->line);
      g_string_append_printf (text, " %s", fault->text);
    }
  if (reader->n_faults > reader->faults->len)
    g_string_append_printf (text, "\n%s: and %u more", reader->path,
                            reader->n_faults - reader->faults->len);
  g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK, text->str);
}

static void
check_whole (Reader *reader)
{
  g_autoptr (GArray) issues = ifbam_issues_new ();
  IfbamNetwork *network = reader->network;

  network->faulty = reader->n_faults > 0 || reader->usage->len > 0;
  reader->model = reader->compiling->compile (reader->compiling->data, network, &reader->spec,
                                              &reader->signals, issues);
  add_issues (reader, issues);
  if (reader->network->elements->len == 0 && reader->n_faults == 0)
    add_fault (reader, 1, NULL, NULL,
               "no element is in this network (want a group [class name] "
               "for each)");
}

/* Sets the defaults of format 1: courses were cubic and held outside, accelerations linear and 0
 * outside. */
static void
apply_format (Reader *reader)
{
  const IfbamNetwork *network = reader->network;

  if (((const IfbamSettingsLaw *) ifbam_element_law (network->settings))->format >= 2)
    return;
  for (guint i = 0; i < network->elements->len; i++)
    {
      IfbamElement *element = network->elements->pdata[i];
      const int form = ifbam_element_param_index (element->info, "interpolation"),
                outside = ifbam_element_param_index (element->info, "outside");
      gboolean linear;
      char *reason = NULL;

      if (form < 0 || ifbam_element_slots (element)[IFBAM_SLOT_COURSE] == NULL)
        continue;
      linear = element->info->course_unit != NULL
               && g_str_equal (element->info->course_unit (element), "%a");
      if (!ifbam_element_is_set (element, (guint) form))
        ifbam_element_parse (element, (guint) form, linear ? "linear" : "cubic", &reason);
      if (!ifbam_element_is_set (element, (guint) outside))
        ifbam_element_parse (element, (guint) outside, linear ? "zero" : "hold", &reason);
    }
}

static gboolean
read_network (Reader *reader, char *text, gsize length, const char *const *settings, GError **error)
{
  g_autofree char *lack = ifbam_memory_lack (BYTE_MEMORY * (double) length);

  read_settings (reader, settings);
  if (lack != NULL)
    add_fault (reader, 1, NULL, NULL, "a network of %" G_GSIZE_FORMAT " bytes needs %s", length,
               lack);
  else if (length == 0)
    add_fault (reader, 1, NULL, NULL,
               "is empty (want a [network] group and a group for each element)");
  else if (read_lines (reader, text, length))
    {
      build (reader);
      apply_settings (reader);
      apply_format (reader);
      check_whole (reader);
    }
  if (reader->usage->len > 0)
    g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_USAGE, reader->usage->str);
  else if (reader->n_faults > 0)
    set_faults (reader, error);
  return reader->usage->len == 0 && reader->n_faults == 0;
}

IfbamNetwork *
ifbam_network_read (const IfbamNetworkBytes *bytes, char *text, const char *const *settings,
                    const IfbamCompiling *compiling, IfbamModel **model, IfbamRunSpec *spec,
                    IfbamSignals **signals, GError **error)
{
  g_autoptr (IfbamNetwork) network = ifbam_network_new ();
  gboolean fine;
  Reader reader;

  network->unknown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (compiling->checksum != NULL)
    network->sha256 = compiling->checksum (text, bytes->length);
  network->folder = g_strdup (bytes->folder);
  reader = (Reader){
    .path = bytes->path,
    .network = network,
    .entries = g_array_new (FALSE, FALSE, sizeof (Entry)),
    .groups = g_array_new (FALSE, FALSE, sizeof (Group)),
    .faults = g_array_new (FALSE, FALSE, sizeof (Fault)),
    .settings = g_array_new (FALSE, FALSE, sizeof (Setting)),
    .laws = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, ifbam_named_law_free),
    .usage = g_string_new (NULL),
    .compiling = compiling,
  };
  g_array_set_clear_func (reader.faults, (GDestroyNotify) fault_clear);
  g_array_set_clear_func (reader.settings, (GDestroyNotify) setting_clear);
  fine = read_network (&reader, text, bytes->length, settings, error);
  g_array_unref (reader.entries);
  g_array_unref (reader.groups);
  g_array_unref (reader.faults);
  g_array_unref (reader.settings);
  g_hash_table_unref (reader.laws);
  g_string_free (reader.usage, TRUE);
  g_clear_pointer (&network->unknown, g_hash_table_unref);
  if (fine && model != NULL)
    {
      *model = g_steal_pointer (&reader.model);
      *spec = reader.spec;
      if (signals != NULL)
        *signals = g_steal_pointer (&reader.signals);
    }
  else if (fine)
    ifbam_network_keep_checked (network, g_steal_pointer (&reader.model), &reader.spec);
  if (model == NULL || !fine)
    ifbam_run_spec_clear (&reader.spec);
  g_clear_pointer (&reader.model, ifbam_model_free);
  g_clear_pointer (&reader.signals, ifbam_signals_free);
  return fine ? g_steal_pointer (&network) : NULL;
}
