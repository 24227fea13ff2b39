/* parameters.c: [parameters] of a file, and "$k" in values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/parameters.h"

#include <string.h>

#include "base/compare.h"
#include "base/fail.h"
#include "element/element.h"

/* Nesting of parameters: as deep as parentheses in an expression. */
#define MAX_DEPTH 64
/* Limit of names among which suggestions are searched. */
#define MAX_NAMES 1000
/* Largest length of a text after substitution. */
#define MAX_LENGTH 1000000

const char **
ifbam_sorted_keys (GHashTable *table, guint *n)
{
  const char **keys = (const char **) g_hash_table_get_keys_as_array (table, n);

  qsort (keys, *n, sizeof *keys, ifbam_compare_strings);
  return keys;
}

const char *
ifbam_nearest_key (GHashTable *table, const char *name)
{
  g_autofree const char **names = NULL;
  guint n;

  if (g_hash_table_size (table) > MAX_NAMES)
    return NULL;
  names = ifbam_sorted_keys (table, &n);
  return ifbam_nearest_word (name, names, n);
}

static gboolean
is_of_number (char c)
{
  return g_ascii_isdigit (c) || c == '.';
}

/* Returns the error for an unknown name, with advice (transfer full). */
static char *
explain_unknown (GHashTable *parameters, const char *name)
{
  const char *nearest;

  /* "$a-$b": a name may contain a minus. */
  for (const char *dash = strchr (name, '-'); dash != NULL; dash = strchr (dash + 1, '-'))
    {
      g_autofree char *head = g_strndup (name, (gsize) (dash - name));

      if (g_hash_table_contains (parameters, head))
        return g_strdup_printf ("no parameter \"%s\" in [parameters] (a minus behind \"$%s\" has a "
                                "blank before it)",
                                name, head);
    }
  nearest = ifbam_nearest_key (parameters, name);
  if (nearest == NULL)
    return g_strdup_printf ("no parameter \"%s\" in [parameters]", name);
  return g_strdup_printf ("no parameter \"%s\" in [parameters] (did you mean \"$%s\"?)", name,
                          nearest);
}

/* TRUE if there is an operator beside the parameter between TEXT and REST, and no unit behind it:
 * then its value needs parentheses. */
static gboolean
stands_in_arithmetic (const GString *text, const char *rest)
{
  gsize end = text->len;

  rest += strspn (rest, " \t");
  while (end > 0 && (text->str[end - 1] == ' ' || text->str[end - 1] == '\t'))
    end--;
  if (*rest != '\0' && strchr ("*/+-^", *rest) != NULL)
    return TRUE;
  return end > 0 && strchr ("*/+-^", text->str[end - 1]) != NULL && !g_ascii_isalpha (*rest)
         && *rest != '%' && (guchar) *rest < 0x80;
}

/* A parameter that is being substituted. */
typedef struct _Open
{
  const char *name;
  const struct _Open *outer; /* parameter with this one in its value; NULL: none */
  guint depth;
} Open;

/* FALSE with a reason. */
static gboolean
may_open (const Open *open, char **reason)
{
  for (const Open *outer = open->outer; outer != NULL; outer = outer->outer)
    if (strcmp (outer->name, open->name) == 0)
      return ifbam_reject (reason, "parameter \"%s\" is defined by itself", open->name);
  if (open->depth <= MAX_DEPTH)
    return TRUE;
  return ifbam_reject (reason, "parameter \"%s\" is more than %d parameters deep (%d at most)",
                       open->name, MAX_DEPTH, MAX_DEPTH);
}

static char *
substitute (GHashTable *parameters, const char *value, gboolean arithmetic, const char *const *kept,
            const Open *outer, char **reason)
{
  g_autoptr (GString) text = g_string_new (NULL);

  while (*value != '\0')
    {
      g_autofree char *name = NULL, *inner = NULL;
      Open open = { NULL, outer, outer == NULL ? 1 : outer->depth + 1 };
      const char *found;
      gboolean wrapped;
      gsize n = 0;

      if (*value != '$')
        {
          g_string_append_c (text, *value++);
          continue;
        }
      value++;
      while (g_ascii_isalnum (value[n]) || value[n] == '_' || value[n] == '-')
        n++;
      name = g_strndup (value, n);
      value += n;
      if (n == 0)
        return ifbam_reject_null (reason, "\"$\" has no parameter's name (want $NAME)");
      found = g_hash_table_lookup (parameters, name);
      if (found == NULL)
        {
          *reason = explain_unknown (parameters, name);
          return NULL;
        }
      if (kept != NULL && g_strv_contains (kept, name))
        {
          g_string_append_printf (text, "$%s", name);
          continue;
        }
      open.name = name;
      if (!may_open (&open, reason) || found[0] == '\0')
        return NULL;
      inner = substitute (parameters, found, arithmetic, kept, &open, reason);
      if (inner == NULL)
        return NULL;
      wrapped = arithmetic && stands_in_arithmetic (text, value);
      /* $a$b, or 1$a: two numbers would become one. */
      if (text->len > 0 && is_of_number (text->str[text->len - 1]) && is_of_number (*inner))
        return ifbam_reject_null (reason,
                                  "\"%s\" and \"$%s\", %s, would make one number (want a blank "
                                  "or a comma between them)",
                                  text->str, name, inner);
      g_string_append_printf (text, wrapped ? "(%s)" : "%s", inner);
      if (text->len > MAX_LENGTH)
        return ifbam_reject_null (reason, "grows without end by its parameters");
    }
  return g_strdup (text->str);
}

char *
ifbam_parameters_substitute (GHashTable *parameters, const char *value, gboolean arithmetic,
                             const char *const *kept, char **reason)
{
  return substitute (parameters, value, arithmetic, kept, NULL, reason);
}

gboolean
ifbam_names_parameter (const char *text, const char *name)
{
  const gsize n = strlen (name);

  for (const char *p = strchr (text, '$'); p != NULL; p = strchr (p + 1, '$'))
    if (strncmp (p + 1, name, n) == 0 && !g_ascii_isalnum (p[1 + n]) && p[1 + n] != '_'
        && p[1 + n] != '-')
      return TRUE;
  return FALSE;
}
