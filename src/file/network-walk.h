/* network-walk.h: the values of an element as texts, one after the other, for the writers of networks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

/* A form of values. The functions get the data of the walk. */
typedef struct
{
  const char *separator; /* of the entries of a list */
  const char *times;     /* between a factor and a name */
  /* Appends a number in SI. of_member: it is a parameter of a composite's member. */
  void (*number) (gpointer data, GString *text, const IfbamParam *param, double number,
                  gboolean of_member);
  /* Appends the text of a parameter that is a text. */
  void (*text) (gpointer data, GString *text, const IfbamParam *param, const char *value);
  /* NULL, or returns other names of elements (transfer full); NULL: the names stay. */
  char **(*names) (gpointer data, char *const *names);
  /* Gets a value: its key, "stiffness" or "k3.stiffness", and its text. */
  void (*value) (gpointer data, const char *key, const char *text);
} IfbamValueForm;

/* Passes each value that was set to form->value, in the order of the class's table; values of members are the last. */
void ifbam_element_walk (IfbamElement *element, const IfbamValueForm *form, gpointer data);
