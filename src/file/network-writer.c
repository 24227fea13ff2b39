/* network-writer.c: writes a network as a key file that reads back to the same model
 *
 * Numbers are in SI with enough digits to read back exactly; parameters and comments of the
 * original file are resolved.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/ifbam-error.h"
#include "base/number-text.h"
#include "engine/engine.h"
#include "file/network.h"
#include "file/network-walk.h"
#include "file/output-file.h"

typedef struct
{
  IfbamElement *element;
  const char *folder; /* precedes relative file names; NULL: they are unchanged */
  GString *text;
  char *fault; /* first value that a network file can't contain, and the reason; NULL: none */
  int width;   /* of the keys in a group */
  const IfbamRewriting *rewriting; /* NULL: no changes */
} Writer;

/* Returns the unit that determines an element's domain (transfer full); NULL: not needed. */
static char *
unit_of (const IfbamElement *element, const IfbamParam *param)
{
  const IfbamElementInfo *info = element->info;

  if (param->unit == NULL || param->unit[0] == '\0')
    return NULL;
  if (strchr (param->unit, '%') == NULL || info->domain != IFBAM_DOMAIN_ANY)
    return ifbam_domain_unit (info->domain, param->unit);
  if (element->domains == ifbam_element_class_domains (info))
    return NULL;
  for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
    if (element->domains >> d & 1)
      return ifbam_domain_unit (d, param->unit);
  return NULL;
}

static void
append_number (gpointer data, GString *text, const IfbamParam *param, double number,
               gboolean of_member)
{
  const Writer *writer = data;
  const char *word = of_member ? NULL : ifbam_param_number_word (param, number);
  g_autofree char *unit = of_member || word != NULL ? NULL : unit_of (writer->element, param);

  g_string_append (text, word != NULL ? word : IFBAM_NUMBER (number));
  if (unit != NULL)
    g_string_append_printf (text, " %s", unit);
}

/* TRUE if a parameter's text names signals. */
static gboolean
is_of_signals (const IfbamElement *element, const IfbamParam *param)
{
  return element->info->kind == IFBAM_KIND_SETTINGS
             ? param->offset == IFBAM_SETTING_RECORD
             : element->info->signal_slot != 0 && param->offset == element->info->signal_slot;
}

/* Relative FILE.csv:COLUMN is in the network's folder. */
static void
append_text (gpointer data, GString *text, const IfbamParam *param, const char *value)
{
  const Writer *writer = data;
  const IfbamRewriting *rewriting = writer->rewriting;
  g_autofree char *other = NULL;

  if (rewriting != NULL && is_of_signals (writer->element, param))
    other = rewriting->signals (rewriting->data, value);
  else if (g_str_equal (param->key, "course") && writer->folder != NULL
           && !g_path_is_absolute (value))
    other = g_build_filename (writer->folder, value, NULL);
  g_string_append (text, other != NULL ? other : value);
}

static char **
rewrite_names (gpointer data, char *const *names)
{
  Writer *writer = data;
  const IfbamRewriting *rewriting = writer->rewriting;

  return rewriting == NULL
             ? NULL
             : rewriting->list (rewriting->data, writer->element, names, &writer->fault);
}

/* Returns the reason why a file can't contain a value, or NULL. Static. */
static const char *
value_fault (const char *value)
{
  const gsize n = strlen (value);

  if (n == 0)
    return "it is empty";
  if (g_ascii_isspace (value[0]) || g_ascii_isspace (value[n - 1]))
    return "a blank at its ends would be lost";
  if (strchr (value, '$') != NULL)
    return "$ begins the name of a parameter there";
  if (!g_utf8_validate (value, (gssize) n, NULL))
    return "it is not UTF-8";
  for (gsize i = 0; i < n; i++)
    {
      if (g_ascii_iscntrl (value[i]) && value[i] != '\t')
        return "it is more than a line";
      if (value[i] == '#' && (i == 0 || g_ascii_isspace (value[i - 1])))
        return "# begins a comment there";
    }
  return NULL;
}

static void
write_value (gpointer data, const char *key, const char *value)
{
  Writer *writer = data;
  const char *fault = value_fault (value);

  if (fault != NULL && writer->fault == NULL)
    writer->fault = g_strdup_printf (
        "[%s%s%s] %s: \"%s\" can't be written in a network file: %s", writer->element->info->name,
        writer->element->name[0] != '\0' ? " " : "", writer->element->name, key, value, fault);
  g_string_append_printf (writer->text, "%-*s = %s\n", writer->width, key, value);
}

static void
write_group (Writer *writer, IfbamElement *element)
{
  static const IfbamValueForm form = { ", ",        " * ",         append_number,
                                       append_text, rewrite_names, write_value };
  const IfbamElementInfo *info = element->info;

  writer->element = element;
  writer->width = 0;
  for (guint i = 0; i < info->n_params; i++)
    if (ifbam_element_is_set (element, i))
      writer->width = MAX (writer->width, (int) strlen (info->params[i].key));
  g_string_append_printf (writer->text, "%s[%s%s%s]\n", writer->text->len > 0 ? "\n" : "",
                          info->name, element->name[0] != '\0' ? " " : "", element->name);
  ifbam_element_walk (element, &form, writer);
}

/* folder: see Writer */
static char *
write_text (IfbamNetwork *self, const IfbamRewriting *rewriting, const char *folder, gsize *length,
            GError **error)
{
  Writer writer = { .folder = folder, .text = g_string_new (NULL), .rewriting = rewriting };

  write_group (&writer, self->settings);
  for (guint i = 0; i < self->elements->len; i++)
    if (rewriting == NULL || !rewriting->leaves_out (rewriting->data, self->elements->pdata[i]))
      write_group (&writer, self->elements->pdata[i]);
    else if (self->elements->pdata[i] == rewriting->place)
      g_string_append_printf (writer.text, "\n%s", rewriting->instead);
  if (writer.fault != NULL)
    {
      g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_WRITE, writer.fault);
      g_free (writer.fault);
      g_string_free (writer.text, TRUE);
      return NULL;
    }
  *length = writer.text->len;
  return g_string_free (writer.text, FALSE);
}

/**
 * ifbam_network_to_data:
 * @network: a network
 * @length: (out): bytes of the text, without the zero after them
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Writes @network as the text of a network file, from which ifbam_network_new_from_data() makes the
 * same network: runs give equal bits. Parameters of the original file are replaced by numbers in
 * SI, comments are omitted, and relative names of course files are unchanged.
 *
 * Returns: (transfer full) (array length=length) (element-type guint8): the text, or %NULL with
 *   %IFBAM_ERROR_WRITE if a file can't contain a value, such as a title of two lines
 */
char *
ifbam_network_to_data (IfbamNetwork *self, gsize *length, GError **error)
{
  g_return_val_if_fail (IFBAM_IS_NETWORK (self) && length != NULL, NULL);
  *length = 0;
  return write_text (self, NULL, NULL, length, error);
}

/**
 * ifbam_network_save:
 * @network: a network
 * @path: (type filename): a file; "-" is standard output
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Writes @network as a network file, as ifbam_network_to_data() does. Names of course files are
 * adapted to its folder. A file appears complete or not at all.
 *
 * Returns: whether it was written; if not, %IFBAM_ERROR_WRITE states the reason
 */
gboolean
ifbam_network_save (IfbamNetwork *self, const char *path, GError **error)
{
  g_return_val_if_fail (IFBAM_IS_NETWORK (self) && path != NULL, FALSE);
  return ifbam_network_save_rewritten (self, path, NULL, error);
}

gboolean
ifbam_network_save_rewritten (IfbamNetwork *self, const char *path, const IfbamRewriting *rewriting,
                              GError **error)
{
  g_autofree char *text = NULL, *from = NULL, *folder = NULL, *to = NULL;
  gsize length;

  from = g_canonicalize_filename (self->folder != NULL ? self->folder : ".", NULL);
  folder = g_path_get_dirname (path);
  to = g_canonicalize_filename (folder, NULL);
  text = write_text (self, rewriting, g_str_equal (from, to) ? NULL : from, &length, error);
  if (text == NULL)
    return FALSE;
  return ifbam_output_put (path, text, length, error);
}
