/* command-elements.c: ifbam elements: all classes, or one with its keys, law and source
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
add_key (IfbamAnswer *answer, const IfbamElementInfo *info, const IfbamParam *param,
         const int widths[3])
{
  const gboolean number = param->kind <= IFBAM_PARAM_NUMBERS;
  g_autofree char *unit = ifbam_element_unit_text (info, param);
  g_autofree char *range = range_text (param);
  g_autofree char *standard = default_text (param);

  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add (answer, "key,unit,-,-,meaning", "  %-*s %-*s %-*s %-9s %s\n", widths[0],
                    param->key, widths[1], unit, widths[2], range, standard, param->meaning);
  ifbam_answer_add_data (answer, "required,minimum,maximum,default", "%i%g%g%g",
                         ifbam_param_is_required (param), number ? param->minimum : NAN,
                         number ? param->maximum : NAN,
                         param->kind == IFBAM_PARAM_NUMBER ? param->standard : NAN);
  if (param->kind == IFBAM_PARAM_CHOICE)
    {
      ifbam_answer_add_data (answer, "choice", "%s", param->words[(int) param->standard]);
      ifbam_answer_add_texts (answer, "choices", param->words);
    }
  if (param->kind == IFBAM_PARAM_ELEMENTS)
    ifbam_answer_add_data (answer, "fewest names,most names", "%g%g", param->minimum,
                           param->maximum < G_MAXINT ? param->maximum : NAN);
  ifbam_answer_end (answer);
}

static void
add_keys (IfbamAnswer *answer, const IfbamElementInfo *info)
{
  int widths[] = { 10, 15, 10 }; /* of keys, units and ranges */

  for (guint i = 0; i < info->n_params; i++)
    {
      g_autofree char *unit = ifbam_element_unit_text (info, &info->params[i]);
      g_autofree char *range = range_text (&info->params[i]);

      widths[0] = MAX (widths[0], (int) strlen (info->params[i].key));
      widths[1] = MAX (widths[1], (int) g_utf8_strlen (unit, -1));
      widths[2] = MAX (widths[2], (int) strlen (range));
    }
  ifbam_answer_add_note (answer, "\n  %-*s %-*s %-*s %-9s %s\n", widths[0], "key", widths[1],
                         "unit", widths[2], "range", "default", "meaning");
  ifbam_answer_begin_list (answer, "keys");
  for (guint i = 0; i < info->n_params; i++)
    add_key (answer, info, &info->params[i], widths);
  ifbam_answer_end (answer);
}

static void
add_modes (IfbamAnswer *answer, const IfbamLaw *link)
{
  ifbam_answer_add_note (answer, "  modes      %s", link->modes == NULL ? "0, 1, 2, ..." : "");
  for (int i = 0; link->modes != NULL && link->modes[i] != NULL; i++)
    ifbam_answer_add_note (answer, "%s%d %s", i == 0 ? "" : "; ", i, link->modes[i]);
  ifbam_answer_add_note (answer, "\n");
}

static void
add_class (IfbamAnswer *answer, const IfbamElementInfo *info)
{
  const gboolean smooth = info->link == NULL || info->link->guards == NULL;
  g_auto (GStrv) example = g_strsplit (info->example, "\n", -1);

  ifbam_answer_add (answer, "class,summary,kind,law,source,quantities",
                    "%s: %s\n\n  kind       %s\n  law        %s\n  source     %s\n"
                    "  quantities %s\n",
                    info->name, info->summary, ifbam_kind_words (info->kind), info->law,
                    info->source, ifbam_signal_quantities (info));
  if (ifbam_element_in_batches (info) && smooth)
    ifbam_answer_add_note (answer, "  modes      0 (always)\n");
  else if (info->link != NULL)
    add_modes (answer, info->link);
  for (const IfbamLaw *law = info->link == NULL ? NULL : info->link->next; law != NULL;
       law = law->next)
    {
      ifbam_answer_add_note (answer, "  relation   %s\n", law->name);
      add_modes (answer, law);
    }
  for (guint k = 0; info->link != NULL && k < info->link->n_states; k++)
    {
      g_autofree char *unit = ifbam_domain_unit (info->domain, info->link->states[k].unit);

      ifbam_answer_add_note (answer, "%s%s [%s]%s", k == 0 ? "  states     " : ", ",
                             info->link->states[k].name, unit,
                             k + 1 == info->link->n_states ? "\n" : "");
    }
  add_keys (answer, info);
  ifbam_answer_add_note (answer, "\nExample:\n\n");
  for (guint i = 0; example[i] != NULL && example[i + 1] != NULL; i++)
    ifbam_answer_add_note (answer, "  %s\n", example[i]);
}

/* Appends a text to a manual page: ASCII, with groff's requests and escapes quoted. */
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

/* Appends a class to the manual page's list. */
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
print_man (void)
{
  guint n;
  const GType *types = ifbam_element_types (&n);
  g_autoptr (GString) text = g_string_new (".nh\n"); /* no hyphenation of names */

  for (guint i = 0; i < n; i++)
    append_man (text, ifbam_element_type_info (types[i]));
  g_string_append (text, ".hy\n");
  return ifbam_command_print (text->str);
}

static int
print_all (gboolean json)
{
  guint n;
  const GType *types = ifbam_element_types (&n);
  IfbamAnswer *answer = ifbam_answer_new (json, NULL);
  int width = 0; /* of the names */

  for (guint i = 0; i < n; i++)
    width = MAX (width, (int) strlen (ifbam_element_type_info (types[i])->name));
  ifbam_answer_begin_list (answer, "elements");
  for (guint i = 0; i < n; i++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[i]);

      ifbam_answer_begin_record (answer, NULL);
      if (json)
        add_class (answer, info);
      ifbam_answer_add_note (answer, "%-*s %-10s %s\n", width, info->name,
                             ifbam_kind_words (info->kind), info->summary);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
  ifbam_answer_add_note (answer, "\n`ifbam elements CLASS` shows its keys, units and law; `ifbam "
                                 "elements network` those of the [network] group.\n");
  return ifbam_answer_finish (answer);
}

static int
print_one (const char *name, gboolean json)
{
  const IfbamElementInfo *info = g_str_equal (name, "network")
                                     ? ifbam_settings_info ()
                                     : ifbam_element_info_by_name (name, NULL);
  IfbamAnswer *answer;

  if (info == NULL)
    {
      const char *nearest = ifbam_element_nearest_class (name);

      if (nearest != NULL)
        return ifbam_command_usage (&ifbam_command_elements,
                                    "there is no class \"%s\" (did you mean \"%s\"?)", name,
                                    nearest);
      return ifbam_command_usage (&ifbam_command_elements, "there is no class \"%s\"", name);
    }
  answer = ifbam_answer_new (json, NULL);
  add_class (answer, info);
  return ifbam_answer_finish (answer);
}

static int
command_elements (const IfbamCommand *command, int argc, char **argv)
{
  gboolean json = FALSE, man = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL },
    { "man", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &man, "print the manual's list", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  int exit_code;

  if (!ifbam_command_parse (command, context, NULL, &argc, &argv, &exit_code))
    return exit_code;
  return argc > 1 ? print_one (argv[1], json) : man ? print_man () : print_all (json);
}

const IfbamCommand ifbam_command_elements = {
  "elements",
  "[CLASS]",
  "list the classes, or show keys, units, law and source of one",
  "  ifbam elements\n"
  "  ifbam elements spring\n"
  "  ifbam elements chain --json\n",
  command_elements,
  NULL,
};
