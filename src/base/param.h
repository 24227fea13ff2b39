/* param.h: the table that gives an element class its properties, file keys, units and help
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <math.h>
#include <stddef.h>

#include "base/printed.h"

typedef enum
{
  IFBAM_PARAM_NUMBER,  /* a double of the class's law, at `place` bytes from its start */
  IFBAM_PARAM_NUMBERS, /* a list of numbers (GVariant "ad"), in slot `place` */
  /* Names of elements (strv), `minimum` to `maximum` of them, in slot `place`. With a unit: each has a factor in that unit
   * before it ("2 * a"); the factors are the law's first numbers. */
  IFBAM_PARAM_ELEMENTS,
  IFBAM_PARAM_TEXT,   /* a text, in slot `place` */
  IFBAM_PARAM_CHOICE, /* one of some words; its number is a double of the law, at `place` */
} IfbamParamKind;

/* One row. A required parameter has the default NaN. */
typedef struct
{
  IfbamParamKind kind;
  const char *key; /* in files, and the name of the GObject property */
  const char *
      unit; /* SI; "%x", "%v", "%a", "%f": of coordinate, rate, its rate and effort in its domain */
  double minimum; /* the range, ends included; G_MINDOUBLE says: above zero */
  double maximum;
  double standard; /* the default; IFBAM_REQUIRED: there is none */
  gsize offset;
  IfbamPrinted meaning;
  /* Of a choice, NULL-terminated; `standard` is the number of one. Of a number: NULL, or words that may
   * stand for it: it is infinite for the first one, then -1, -2, … */
  const char *const *words;
  const char
      *advice; /* what to do instead where a number is below the range; NULL: that is plain */
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
        NULL, IFBAM_PRINTED (advice)                                                               \
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

/* Whether its value is a double of the law, not in a slot. */
static inline gboolean
ifbam_param_in_law (const IfbamParam *param)
{
  return param->kind == IFBAM_PARAM_NUMBER || param->kind == IFBAM_PARAM_CHOICE;
}

/* Returns TRUE if a factor stands before each of its names. */
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

/* NULL if number is inside the range, else what is wrong (transfer full): "must be above 0". */
char *ifbam_param_range_fault (const IfbamParam *param, double number);

/* The number of a choice's word; -1: it is none. */
int ifbam_param_word (const IfbamParam *param, const char *word);
/* The number that the word at a place stands for. */
static inline double
ifbam_param_word_number (int place)
{
  return place == 0 ? INFINITY : -(double) place;
}

/* The word that a number stands for; NULL: it is a number, or has no words. */
const char *ifbam_param_number_word (const IfbamParam *param, double number);
/* "low or high" (transfer full). */
char *ifbam_param_words_text (const IfbamParam *param);
