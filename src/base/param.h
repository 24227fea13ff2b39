/* param.h: the table that gives an element class its properties, file keys, units and help
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <math.h>
#include <stddef.h>

typedef enum
{
  IFBAM_PARAM_NUMBER,  /* a double of the class's law */
  IFBAM_PARAM_NUMBERS, /* list of numbers (GVariant "ad") in a slot */
  /* `minimum` to `maximum` names of elements (strv) in a slot. With a unit: each name can have a
   * factor ("2 * a"); the factors are the first doubles of the law. */
  IFBAM_PARAM_ELEMENTS,
  IFBAM_PARAM_TEXT,   /* text in a slot */
  IFBAM_PARAM_CHOICE, /* one of `words`; its index is a double of the law */
} IfbamParamKind;

/* A parameter of an element class. */
typedef struct
{
  IfbamParamKind kind;
  const char *key; /* key in files, name of the GObject property */
  const char
      *unit; /* SI; "%x", "%v", "%a", "%f": coordinate, rate, acceleration, effort of its domain */
  double minimum; /* least value; G_MINDOUBLE: above 0 */
  double maximum;
  double standard; /* default; IFBAM_REQUIRED (NaN): none */
  gsize offset;    /* in the law [bytes]; of a value in a slot: index of the slot */
  const char *meaning;
  /* Words (NULL-terminated) of a choice; `standard` is an index. Of a number: NULL, or words
   * instead of a number: the first is stored as infinity, the others as -1, -2, … */
  const char *const *words;
  const char *advice; /* added to the error below the range, or NULL */
} IfbamParam;

#define IFBAM_REQUIRED NAN

#define IFBAM_PARAM(Law, field, key, unit, minimum, maximum, standard, meaning)                    \
  {                                                                                                \
    IFBAM_PARAM_NUMBER, key, unit, minimum, maximum, standard, offsetof (Law, field), meaning,     \
        NULL, NULL                                                                                 \
  }
#define IFBAM_PARAM_ADVISED(Law, field, key, unit, minimum, maximum, standard, meaning, advice)    \
  {                                                                                                \
    IFBAM_PARAM_NUMBER, key, unit, minimum, maximum, standard, offsetof (Law, field), meaning,     \
        NULL, advice                                                                               \
  }
#define IFBAM_PARAM_OR_WORD(Law, field, key, unit, minimum, maximum, standard, meaning, words)     \
  {                                                                                                \
    IFBAM_PARAM_NUMBER, key, unit, minimum, maximum, standard, offsetof (Law, field), meaning,     \
        words, NULL                                                                                \
  }
#define IFBAM_PARAM_LIST(slot, key, unit, minimum, maximum, standard, meaning)                     \
  {                                                                                                \
    IFBAM_PARAM_NUMBERS, key, unit, minimum, maximum, standard, slot, meaning, NULL, NULL          \
  }
#define IFBAM_PARAM_REFERENCE(slot, key, least, most, standard, meaning)                           \
  {                                                                                                \
    IFBAM_PARAM_ELEMENTS, key, NULL, least, most, standard, slot, meaning, NULL, NULL              \
  }
#define IFBAM_PARAM_TERMS(slot, key, least, most, meaning)                                         \
  {                                                                                                \
    IFBAM_PARAM_ELEMENTS, key, "", least, most, IFBAM_REQUIRED, slot, meaning, NULL, NULL          \
  }
#define IFBAM_PARAM_STRING(slot, key, meaning)                                                     \
  {                                                                                                \
    IFBAM_PARAM_TEXT, key, NULL, 0, 0, 0, slot, meaning, NULL, NULL                                \
  }
#define IFBAM_PARAM_NEEDED_STRING(slot, key, meaning)                                              \
  {                                                                                                \
    IFBAM_PARAM_TEXT, key, NULL, 0, 0, IFBAM_REQUIRED, slot, meaning, NULL, NULL                   \
  }
#define IFBAM_PARAM_WORD(Law, field, key, words, standard, meaning)                                \
  {                                                                                                \
    IFBAM_PARAM_CHOICE, key, NULL, 0, 0, standard, offsetof (Law, field), meaning, words, NULL     \
  }

/* Returns TRUE for a value in the law, FALSE for one in a slot. */
static inline gboolean
ifbam_param_in_law (const IfbamParam *param)
{
  return param->kind == IFBAM_PARAM_NUMBER || param->kind == IFBAM_PARAM_CHOICE;
}

/* Returns TRUE if names can have factors. */
static inline gboolean
ifbam_param_has_factors (const IfbamParam *param)
{
  return param->kind == IFBAM_PARAM_ELEMENTS && param->unit != NULL;
}

static inline gboolean
ifbam_param_is_required (const IfbamParam *param)
{
  return isnan (param->standard);
}

/* Returns an error such as "must be above 0" (transfer full) out of the range, else NULL. */
char *ifbam_param_range_fault (const IfbamParam *param, double number);

/* Returns the index of a choice's word; -1: none. */
int ifbam_param_word (const IfbamParam *param, const char *word);
/* Returns the stored value of a word (index) used instead of a number. */
static inline double
ifbam_param_word_number (int index)
{
  return index == 0 ? INFINITY : -(double) index;
}

/* Returns the word of a stored value; NULL: a number. */
const char *ifbam_param_number_word (const IfbamParam *param, double number);
/* Returns a list such as "low or high" (transfer full). */
char *ifbam_param_words_text (const IfbamParam *param);
