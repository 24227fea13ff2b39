/* element-info.c: data of an element: parameters, lists, names and texts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element-info.h"

#include <stdlib.h>
#include <string.h>

guint32
ifbam_element_class_domains (const IfbamElementInfo *info)
{
  if (info->domain != IFBAM_DOMAIN_ANY)
    return 1u << info->domain;
  return info->domains != 0 ? info->domains : (1u << IFBAM_N_DOMAINS) - 1;
}

gsize
ifbam_element_size (const IfbamElementInfo *info)
{
  guint n_slots = info->n_slots;

  g_assert (info->n_params <= IFBAM_MAX_PARAMS
            && info->law_size <= IFBAM_MAX_LAW * sizeof (double));
  for (guint i = 0; i < info->n_params; i++)
    if (!ifbam_param_in_law (&info->params[i]))
      n_slots = MAX (n_slots, (guint) info->params[i].offset + 1);
  return sizeof (IfbamElement) + info->law_size + n_slots * sizeof (gpointer);
}

void
ifbam_element_begin (IfbamElement *self, const IfbamElementInfo *info)
{
  self->info = info;
  self->domains = ifbam_element_class_domains (info);
  for (guint i = 0; i < info->n_params; i++)
    {
      const IfbamParam *param = &info->params[i];

      if (ifbam_param_in_law (param))
        *ifbam_element_value (self, param) =
            ifbam_param_is_required (param) ? param->minimum : param->standard;
    }
}

void
ifbam_element_clear (IfbamElement *self)
{
  const IfbamElementInfo *info = self->info;
  gpointer *slots = ifbam_element_slots (self);

  for (guint i = 0; i < info->n_params; i++)
    {
      gpointer value = ifbam_param_in_law (&info->params[i]) ? NULL : slots[info->params[i].offset];

      if (value == NULL)
        continue;
      if (info->params[i].kind == IFBAM_PARAM_NUMBERS)
        g_variant_unref (value);
      else if (info->params[i].kind == IFBAM_PARAM_ELEMENTS)
        g_strfreev (value);
      else
        g_free (value);
    }
  if (self->extra != NULL)
    info->free_extra (self->extra);
  g_free (self->name);
}

gboolean
ifbam_element_split_terms (IfbamElement *self, const IfbamParam *param, char **terms,
                           IfbamNumberReader read, char **reason)
{
  const IfbamParam factor = { .kind = IFBAM_PARAM_NUMBER,
                              .key = "factor",
                              .unit = param->unit,
                              .minimum = -G_MAXDOUBLE,
                              .maximum = G_MAXDOUBLE };
  double factors[IFBAM_MAX_PORTS] = { 0 };

  for (guint i = 0; terms[i] != NULL && i < IFBAM_MAX_PORTS; i++)
    {
      g_auto (GStrv) parts = g_strsplit (terms[i], "*", -1);
      const gboolean minus = parts[1] == NULL && terms[i][0] == '-';
      const char *name = g_strstrip (parts[1] != NULL ? parts[1] : parts[0] + minus);

      factors[i] = minus ? -1 : 1;
      if (parts[1] != NULL
          && !read (&factor, &self->domains, g_strstrip (parts[0]), &factors[i], reason))
        return FALSE;
      if (name[0] == '\0' || name[0] == '-' || strpbrk (name, " \t") != NULL
          || (parts[1] != NULL && parts[2] != NULL))
        {
          *reason =
              g_strdup_printf ("\"%s\" is no term (want FACTOR * NODE, such as -2 * m1)", terms[i]);
          return FALSE;
        }
      g_free (terms[i]);
      terms[i] = g_strdup (name);
    }
  memcpy (ifbam_element_law (self), factors, sizeof factors);
  return TRUE;
}

/* Returns the count of edits (insert, delete, replace, swap neighbours) from a to b; above `most`:
 * most + 1 (Damerau 1964). */
static guint
edit_distance (const char *a, const char *b, guint most)
{
  gsize n = strlen (a), m = strlen (b);
  guint rows[3][48];

  if (n >= 48 || m >= 48 || (n > m ? n - m : m - n) > most)
    return most + 1;
  for (gsize j = 0; j <= m; j++)
    rows[0][j] = (guint) j;
  for (gsize i = 1; i <= n; i++)
    {
      guint *now = rows[i % 3], *before = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];

      now[0] = (guint) i;
      for (gsize j = 1; j <= m; j++)
        {
          guint best = before[j - 1] + (a[i - 1] != b[j - 1]);

          best = MIN (best, before[j] + 1);
          best = MIN (best, now[j - 1] + 1);
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            best = MIN (best, twice[j - 2] + 1);
          now[j] = best;
        }
    }
  return rows[n % 3][m];
}

static char
small_letter (char c)
{
  return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

/* Returns TRUE if two words differ at most in capitals. */
static gboolean
is_same_in_small_letters (const char *a, const char *b)
{
  for (; *a != '\0' && small_letter (*a) == small_letter (*b); a++, b++)
    ;
  return *a == *b;
}

const char *
ifbam_nearest_word (const char *word, const char *const *candidates, gsize n)
{
  const gsize length = strlen (word);
  guint best = (guint) MAX (1, length / 3) + 1, as_near = 0, beginnings = 0;
  const char *nearest = NULL, *beginning = NULL, *same = NULL;
  guint as_same = 0;

  for (gsize i = 0; i < n; i++)
    {
      const guint distance = edit_distance (word, candidates[i], best + 1);

      /* A difference in capitals only is the nearest. */
      if (is_same_in_small_letters (candidates[i], word))
        {
          as_same++;
          same = candidates[i];
        }
      if (length >= 2 && strncmp (candidates[i], word, length) == 0)
        {
          beginnings++;
          beginning = candidates[i];
        }
      as_near = distance < best ? 1 : as_near + (distance == best);
      if (distance < best)
        {
          best = distance;
          nearest = candidates[i];
        }
    }
  if (as_same == 1)
    return same;
  return as_near == 1 && nearest != NULL ? nearest : beginnings == 1 ? beginning : NULL;
}

int
ifbam_element_param_index (const IfbamElementInfo *info, const char *key)
{
  for (guint i = 0; i < info->n_params; i++)
    if (g_str_equal (info->params[i].key, key))
      return (int) i;
  return -1;
}

double
ifbam_element_value_of (const IfbamElement *element, const char *key)
{
  const int param = ifbam_element_param_index (element->info, key);

  return param < 0 || !ifbam_param_in_law (&element->info->params[param])
             ? 0
             : *ifbam_element_value (element, &element->info->params[param]);
}

const char *
ifbam_element_slot_key (const IfbamElementInfo *info, guint slot)
{
  for (guint i = 0; i < info->n_params; i++)
    if (!ifbam_param_in_law (&info->params[i]) && info->params[i].offset == slot)
      return info->params[i].key;
  return NULL;
}

char *
ifbam_element_unit_text (const IfbamElementInfo *info, const IfbamParam *param)
{
  if (param->unit == NULL)
    return g_strdup ("");
  if (info->domain == IFBAM_DOMAIN_ANY && strchr (param->unit, '%') != NULL)
    {
      GString *text = g_string_new (NULL);

      for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
        {
          g_autofree char *unit = ifbam_domain_unit (d, param->unit);

          if (info->domains == 0 || info->domains >> d & 1)
            g_string_append_printf (text, "%s%s", text->len == 0 ? "" : " or ", unit);
        }
      return g_string_free (text, FALSE);
    }
  return ifbam_domain_unit (info->domain, param->unit);
}

const char *const ifbam_course_interpolations[] = { "linear", "cubic", "held", NULL };
const char *const ifbam_course_outsides[] = { "refuse", "hold", "zero", "repeat", NULL };

const IfbamCourseForm *
ifbam_element_course_form (const IfbamElementInfo *info, const void *law)
{
  const int index = ifbam_element_param_index (info, "interpolation");

  return index < 0 ? NULL
                   : (const IfbamCourseForm *) ((const char *) law + info->params[index].offset);
}

char *
ifbam_element_course_fault (IfbamElement *self, const char *formula, const char **key)
{
  const IfbamCourseForm *form = ifbam_element_course_form (self->info, ifbam_element_law (self));
  const char *set = form->interpolation != IFBAM_COURSE_LINEAR ? "interpolation"
                    : form->shift != 0                         ? "shift"
                    : form->outside != IFBAM_COURSE_REFUSE     ? "outside"
                                                               : NULL;
  g_auto (GStrv) keys = g_strsplit (formula, ", ", -1);
  char *fault = ifbam_element_no_course_fault (self, set, set != NULL, key);

  if (fault != NULL)
    return fault;
  if (ifbam_element_slots (self)[IFBAM_SLOT_COURSE] == NULL)
    return NULL;
  for (guint i = 0; keys[i] != NULL; i++)
    if (ifbam_element_is_set (self, (guint) ifbam_element_param_index (self->info, keys[i])))
      {
        *key = "course";
        return g_strdup_printf ("can't be combined with \"%s\": the course replaces it", keys[i]);
      }
  return NULL;
}

char *
ifbam_element_no_course_fault (const IfbamElement *self, const char *course_key, gboolean is_set,
                               const char **key)
{
  if (!is_set || ifbam_element_slots (self)[IFBAM_SLOT_COURSE] != NULL)
    return NULL;
  *key = course_key;
  return g_strdup ("applies to a course only (want course = FILE.csv:COLUMN)");
}

char *
ifbam_element_scaled_motion_fault (const IfbamElement *self, const char **key)
{
  const gpointer *slots = ifbam_element_slots (self);

  if (slots[self->info->scale_slot] == NULL || slots[self->info->when_slot] == NULL)
    return NULL;
  *key = "follow";
  return g_strdup ("can't be combined with \"when\" (give one of them)");
}

int
ifbam_element_missing (const IfbamElement *self)
{
  for (guint i = 0; i < self->info->n_params; i++)
    if (ifbam_param_is_required (&self->info->params[i]) && !ifbam_element_is_set (self, i))
      return (int) i;
  return -1;
}
