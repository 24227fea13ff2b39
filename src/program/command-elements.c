/* command-elements.c: ifbam elements: every class, or one with its keys, law and source
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "elements/registry.h"
#include "base/number-text.h"
#include "embed/embed.h"
#include "program/command.h"

static char *
range_text (const IfbamParam *param)
{
  if (param->kind == IFBAM_PARAM_ELEMENTS || param->kind == IFBAM_PARAM_TEXT)
    return g_strdup ("");
  if (param->kind == IFBAM_PARAM_CHOICE)
    return g_strjoinv (", ", (char **) param->words);
  if (param->words != NULL)
    {
      g_autofree char *words = ifbam_param_words_text (param);

      return g_strdup_printf ("or %s", words);
    }
  if (param->minimum == G_MINDOUBLE)
    return g_strdup ("above 0");
  if (param->minimum == -G_MAXDOUBLE)
    return g_strdup ("any");
  if (param->maximum == G_MAXDOUBLE)
    return g_strdup_printf ("%s or more", IFBAM_NUMBER (param->minimum));
  return g_strdup_printf ("%s to %s", IFBAM_NUMBER (param->minimum), IFBAM_NUMBER (param->maximum));
}

static char *
default_text (const IfbamParam *param)
{
  if (ifbam_param_is_required (param))
    return g_strdup ("required");
  if (param->kind == IFBAM_PARAM_CHOICE)
    return g_strdup (param->words[(int) param->standard]);
  if (param->kind != IFBAM_PARAM_NUMBER)
    return g_strdup ("");
  if (fabs (param->standard) == G_MAXDOUBLE)
    return g_strdup (g_str_equal (param->unit, "s") ? "always" : "none");
  if (param->standard < param->minimum)
    return g_strdup ("none");
  return g_strdup_printf ("%s", IFBAM_NUMBER (param->standard));
}

static void
append_keys (GString *text, const IfbamElementInfo *info)
{
  int key_width = 10;   /* of the keys */
  int width = 15;       /* of the units */
  int range_width = 10; /* of the ranges */

  for (guint i = 0; i < info->n_params; i++)
    {
      g_autofree char *unit = ifbam_element_unit_text (info, &info->params[i]);

      g_autofree char *range = range_text (&info->params[i]);

      width = MAX (width, (int) g_utf8_strlen (unit, -1));
      range_width = MAX (range_width, (int) strlen (range));
      key_width = MAX (key_width, (int) strlen (info->params[i].key));
    }
  g_string_append_printf (text, "\n  %-*s %-*s %-*s %-9s %s\n", key_width, "key", width, "unit",
                          range_width, "range", "default", "meaning");
  for (guint i = 0; i < info->n_params; i++)
    {
      const IfbamParam *param = &info->params[i];
      g_autofree char *unit = ifbam_element_unit_text (info, param);
      g_autofree char *range = range_text (param);
      g_autofree char *standard = default_text (param);

      g_string_append_printf (text, "  %-*s %-*s %-*s %-9s %s\n", key_width, param->key, width,
                              unit, range_width, range, standard, param->meaning);
    }
}

static void
append_modes (GString *text, const IfbamLaw *link)
{
  g_string_append (text, "  modes      ");
  if (link->modes == NULL)
    g_string_append (text, "0, 1, 2, ...");
  for (int i = 0; link->modes != NULL && link->modes[i] != NULL; i++)
    g_string_append_printf (text, "%s%d %s", i == 0 ? "" : "; ", i, link->modes[i]);
  g_string_append_c (text, '\n');
}

static void
append_class (GString *text, const IfbamElementInfo *info)
{
  const gboolean smooth = info->link == NULL || info->link->guards == NULL;

  g_string_append_printf (text, "%s: %s\n\n  kind       %s\n  law        %s\n  source     %s\n",
                          info->name, info->summary, ifbam_kind_words (info->kind), info->law,
                          info->source);
  g_string_append_printf (text, "  quantities %s\n", ifbam_signal_quantities (info));
  if (ifbam_element_in_batches (info) && smooth)
    g_string_append (text, "  modes      0 (always)\n");
  else if (info->link != NULL)
    append_modes (text, info->link);
  for (const IfbamLaw *law = info->link == NULL ? NULL : info->link->next; law != NULL;
       law = law->next)
    {
      g_string_append_printf (text, "  relation   %s\n", law->name);
      append_modes (text, law);
    }
  for (guint k = 0; info->link != NULL && k < info->link->n_states; k++)
    {
      g_autofree char *unit = ifbam_domain_unit (info->domain, info->link->states[k].unit);

      g_string_append_printf (text, "%s%s [%s]", k == 0 ? "  states     " : ", ",
                              info->link->states[k].name, unit);
    }
  if (info->link != NULL && info->link->n_states > 0)
    g_string_append_c (text, '\n');
  append_keys (text, info);
  g_string_append (text, "\nExample:\n\n");
  for (const char *line = info->example; *line != '\0';)
    {
      const char *end = strchr (line, '\n');

      g_string_append_printf (text, "  %.*s\n", (int) (end - line), line);
      line = end + 1;
    }
}

static void
json_class (JsonBuilder *builder, const IfbamElementInfo *info)
{
  json_builder_begin_object (builder);
  ifbam_json_string (builder, "class", info->name);
  ifbam_json_string (builder, "summary", info->summary);
  ifbam_json_string (builder, "kind", ifbam_kind_words (info->kind));
  ifbam_json_string (builder, "law", info->law);
  ifbam_json_string (builder, "source", info->source);
  ifbam_json_string (builder, "quantities", ifbam_signal_quantities (info));
  ifbam_json_array (builder, "keys");
  for (guint i = 0; i < info->n_params; i++)
    {
      const IfbamParam *param = &info->params[i];
      const gboolean number = param->kind <= IFBAM_PARAM_NUMBERS;
      g_autofree char *unit = ifbam_element_unit_text (info, param);

      json_builder_begin_object (builder);
      ifbam_json_string (builder, "key", param->key);
      ifbam_json_string (builder, "unit", unit);
      ifbam_json_boolean (builder, "required", ifbam_param_is_required (param));
      ifbam_json_number (builder, "minimum", number ? param->minimum : NAN);
      ifbam_json_number (builder, "maximum", number ? param->maximum : NAN);
      ifbam_json_number (builder, "default",
                         param->kind == IFBAM_PARAM_NUMBER ? param->standard : NAN);
      if (param->kind == IFBAM_PARAM_CHOICE)
        {
          ifbam_json_string (builder, "choice", param->words[(int) param->standard]);
          ifbam_json_strings (builder, "choices", param->words);
        }
      if (param->kind == IFBAM_PARAM_ELEMENTS)
        {
          ifbam_json_number (builder, "fewest names", param->minimum);
          ifbam_json_number (builder, "most names",
                             param->maximum < G_MAXINT ? param->maximum : NAN);
        }
      ifbam_json_string (builder, "meaning", param->meaning);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

/* A text in the manual page: plain ASCII, and nothing of it is a request or an escape. */
static void
append_groff (GString *text, const char *words)
{
  g_string_append (text, "\\&");
  for (const char *c = words; *c != '\0'; c = g_utf8_next_char (c))
    {
      const gunichar character = g_utf8_get_char (c);

      if (character == '\\')
        g_string_append (text, "\\e");
      else if (character == '-' || character == '\'' || character == '`' || character == '^'
               || character == '~')
        g_string_append (text, character == '-'    ? "\\-"
                               : character == '\'' ? "\\(aq"
                               : character == '`'  ? "\\(ga"
                               : character == '^'  ? "\\(ha"
                                                   : "\\(ti");
      else if (character == '"')
        g_string_append (text, "\\(dq");
      else if (character < 128)
        g_string_append_c (text, *c);
      else
        g_string_append_printf (text, "\\[u%04X]", character);
    }
}

/* The manual page's list of classes. */
static void
append_man (GString *text, const IfbamElementInfo *info)
{
  g_string_append_printf (text, ".TP\n.B ");
  append_groff (text, info->name);
  g_string_append_c (text, '\n');
  append_groff (text, info->summary);
  g_string_append (text, ". ");
  append_groff (text, info->law);
  g_string_append (text, ".\n");
  for (guint i = 0; i < info->n_params; i++)
    {
      const IfbamParam *param = &info->params[i];
      g_autofree char *unit = ifbam_element_unit_text (info, param);

      g_string_append (text, ".RS\n.IP \"\\fI");
      append_groff (text, param->key);
      g_string_append (text, "\\fR");
      if (unit[0] != '\0')
        {
          g_string_append (text, " [");
          append_groff (text, unit);
          g_string_append_c (text, ']');
        }
      g_string_append (text, "\" 4\n");
      append_groff (text, param->meaning);
      g_string_append (text, ifbam_param_is_required (param) ? " (required)\n.RE\n" : "\n.RE\n");
    }
}

static int
print_all (gboolean json, gboolean man)
{
  guint n;
  const GType *types = ifbam_element_types (&n);
  g_autoptr (GString) text = g_string_new (NULL);
  JsonBuilder *builder;
  int width = 0; /* of the names */

  for (guint i = 0; i < n; i++)
    width = MAX (width, (int) strlen (ifbam_element_type_info (types[i])->name));
  if (json)
    {
      builder = json_builder_new ();
      json_builder_begin_object (builder);
      ifbam_json_array (builder, "elements");
      for (guint i = 0; i < n; i++)
        json_class (builder, ifbam_element_type_info (types[i]));
      json_builder_end_array (builder);
      json_builder_end_object (builder);
      return ifbam_command_print_json (builder);
    }
  if (man)
    g_string_append (text, ".nh\n"); /* no hyphens in the names of classes and keys */
  for (guint i = 0; i < n; i++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[i]);

      if (man)
        append_man (text, info);
      else
        g_string_append_printf (text, "%-*s %-10s %s\n", width, info->name,
                                ifbam_kind_words (info->kind), info->summary);
    }
  if (man)
    g_string_append (text, ".hy\n");
  else
    g_string_append (text,
                     "\n`ifbam elements CLASS` shows its keys, units and law; `ifbam elements "
                     "network` those of the [network] group.\n");
  return ifbam_command_print (text->str);
}

static int
print_one (const char *name, gboolean json)
{
  const IfbamElementInfo *info = g_str_equal (name, "network")
                                     ? ifbam_settings_info ()
                                     : ifbam_element_info_by_name (name, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  if (info == NULL)
    {
      const char *nearest = ifbam_element_nearest_class (name);

      if (nearest != NULL)
        return ifbam_command_usage (&ifbam_command_elements,
                                    "there is no class \"%s\" (did you mean \"%s\"?)", name,
                                    nearest);
      return ifbam_command_usage (&ifbam_command_elements, "there is no class \"%s\"", name);
    }
  if (json)
    {
      JsonBuilder *builder = json_builder_new ();

      json_class (builder, info);
      return ifbam_command_print_json (builder);
    }
  append_class (text, info);
  return ifbam_command_print (text->str);
}

static int
command_elements (const char *program, int argc, char **argv)
{
  gboolean json = FALSE, man = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL },
    { "man", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &man, "print the manual's list", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_elements, entries);
  int exit_code;

  (void) program;
  if (!ifbam_command_parse (&ifbam_command_elements, context, &argc, &argv, 0, 1, &exit_code))
    return exit_code;
  return argc > 1 ? print_one (argv[1], json) : print_all (json, man);
}

const IfbamCommand ifbam_command_elements = {
  "elements",
  "[CLASS]",
  "list the classes, or show one's keys, units, law and source",
  "  ifbam elements\n"
  "  ifbam elements spring\n"
  "  ifbam elements chain --json\n",
  command_elements,
};
