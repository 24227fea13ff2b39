/* compile-storage.c: data of elements that a model owns: laws, courses, series
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compile-storage.h"

#include <string.h>

#include "base/formula.h"

void
ifbam_compiler_make_element_indices (IfbamModel *model, const GPtrArray *elements)
{
  for (guint i = 0; i < elements->len; i++)
    model->n_places = MAX (model->n_places, ((const IfbamElement *) elements->pdata[i])->id + 1);
  model->n_places++;
  model->places = g_new (IfbamElementIndex, model->n_places);
  for (guint32 i = 0; i < model->n_places; i++)
    model->places[i] = (IfbamElementIndex){ IFBAM_NO_NODE, FALSE, 0 };
}

/* Returns the program of a class's formula, one for all elements with the same text; 0 after an
 * issue. */
static const IfbamProgram *
find_program (IfbamCompiler *compiler, IfbamElement *element)
{
  static const IfbamInstruction zero;
  static const IfbamProgram none = { .n = 1, .instruction = &zero };
  const char *text = ifbam_element_slots (element)[IFBAM_SLOT_FORMULA];
  g_autofree char *key = text == NULL ? NULL : g_strconcat (element->info->name, " ", text, NULL);
  IfbamProgram *program;
  char *reason = NULL;

  if (text == NULL)
    return &none; /* reported already */
  program = g_hash_table_lookup (compiler->programs, key);
  if (program != NULL)
    return program;
  program = compiler->reader->formula (element->info, text, &reason);
  if (program == NULL)
    {
      ifbam_compiler_add_issue (compiler, element,
                                ifbam_element_slot_key (element->info, IFBAM_SLOT_FORMULA), reason);
      return &none;
    }
  ifbam_compiler_own (compiler, program, ifbam_program_free);
  g_hash_table_insert (compiler->programs, g_steal_pointer (&key), program);
  return program;
}

void *
ifbam_compiler_copy_law (IfbamCompiler *compiler, IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  void *law = ifbam_compiler_own (compiler, g_malloc (info->law_size + 1), g_free);
  gpointer prepared;

  memcpy (law, ifbam_element_law (element), info->law_size);
  prepared = info->prepare == NULL ? NULL : info->prepare (element, law);
  if (prepared != NULL)
    ifbam_compiler_own (compiler, prepared, info->free_prepared);
  if (info->program_parameter != 0)
    {
      const IfbamProgram *program = find_program (compiler, element);

      memcpy ((double *) law + info->program_parameter - 1, &program, sizeof program);
    }
  return law;
}

static void
free_course (gpointer data)
{
  IfbamInterpolant *course = data;

  g_free ((gpointer) course->time);
  g_free ((gpointer) course->value);
  g_free ((gpointer) course->integral);
  g_free ((gpointer) course->twice);
  g_free (course);
}

/* Shifts a course and fills its integrals. FALSE: shifted times coincide. */
static gboolean
shape_course (IfbamInterpolant *course, const IfbamCourseForm *form)
{
  double *time = (double *) course->time;

  course->interpolation = (int) form->interpolation;
  course->outside = (int) form->outside;
  for (gsize i = 0; i < course->n; i++)
    {
      time[i] += form->shift;
      if (i > 0 && !(time[i] > time[i - 1]))
        return FALSE;
    }
  ifbam_interpolant_integrate (course, g_new (double, course->n), g_new (double, course->n));
  return TRUE;
}

const IfbamInterpolant *
ifbam_compiler_read_course (IfbamCompiler *compiler, IfbamElement *element, guint32 *domains)
{
  const int param = ifbam_element_param_index (element->info, "course");
  const char *text = param < 0 ? NULL : ifbam_element_slots (element)[IFBAM_SLOT_COURSE];
  IfbamInterpolant *course;
  IfbamParam own;
  char *reason = NULL;

  if (text == NULL)
    return NULL;
  own = ifbam_element_course_param (element, (guint) param);
  course = compiler->reader->course (compiler->reader->data, &own, domains, text, &reason);
  if (course == NULL)
    {
      ifbam_compiler_add_issue (compiler, element, "course", reason);
      return NULL;
    }
  ifbam_compiler_own (compiler, course, free_course);
  if (!shape_course (course,
                     ifbam_element_course_form (element->info, ifbam_element_law (element))))
    ifbam_compiler_add_issue (compiler, element, "shift",
                              g_strdup ("is so large that times of the course coincide"));
  return course;
}

const IfbamSeries *
ifbam_compiler_own_series (IfbamCompiler *compiler, const IfbamMember *member)
{
  IfbamSeries *series = ifbam_compiler_own (
      compiler, g_memdup2 (member->series, member->info->n_params * sizeof *series), g_free);

  for (guint k = 0; k < member->info->n_params; k++)
    if (series[k].list != NULL)
      ifbam_compiler_own (compiler, g_variant_ref (series[k].list),
                          (GDestroyNotify) g_variant_unref);
    else if (series[k].length > 0)
      series[k].values = ifbam_compiler_own (
          compiler, g_memdup2 (series[k].values, series[k].length * sizeof (double)), g_free);
  return series;
}

const GArray *
ifbam_compiler_own_rows (IfbamCompiler *compiler, GArray *rows)
{
  return rows == NULL
             ? NULL
             : ifbam_compiler_own (compiler, g_array_ref (rows), (GDestroyNotify) g_array_unref);
}

GHashTable *
ifbam_compiler_own_overrides (IfbamCompiler *compiler, GHashTable *overrides)
{
  GHashTable *own;
  GHashTableIter iter;
  gpointer place, number;

  if (overrides == NULL)
    return NULL;
  own = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_hash_table_iter_init (&iter, overrides);
  while (g_hash_table_iter_next (&iter, &place, &number))
    g_hash_table_insert (own, place, g_memdup2 (number, sizeof (double)));
  return ifbam_compiler_own (compiler, own, (GDestroyNotify) g_hash_table_unref);
}

guint
ifbam_compiler_count_followed (const IfbamElement *point)
{
  const gpointer *slots = ifbam_element_slots (point);

  return (slots[IFBAM_SLOT_FOLLOW_X] != NULL) + (slots[IFBAM_SLOT_FOLLOW_Y] != NULL);
}

void
ifbam_compiler_add_time_events (IfbamCompiler *compiler, IfbamElement *element,
                                IfbamTimeEventKind kind, guint32 number)
{
  g_autoptr (GArray) own = g_array_new (FALSE, TRUE, sizeof (IfbamTimeEvent));

  if (element->info->time_events == NULL)
    return;
  element->info->time_events (element, own);
  for (guint i = 0; i < own->len; i++)
    {
      IfbamTimeEvent *instant = &g_array_index (own, IfbamTimeEvent, i);

      instant->kind = kind;
      instant->index = number;
      g_array_append_vals (instant->period != 0 ? compiler->model->recurrent
                                                : compiler->model->time_events,
                           instant, 1);
    }
}
