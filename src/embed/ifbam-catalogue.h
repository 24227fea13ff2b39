/* ifbam-catalogue.h: the element classes with their parameters, and the schemes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/**
 * IfbamClassInfo:
 * @name: as network files write it, such as "spring"
 * @kind: "free node", "given node", "link", "source", "impulse" or "composite"
 * @summary: what it is, in a line
 * @law: its formula
 * @source: where the formula comes from
 * @quantities: what can be recorded of an element, "force, compression, rate, ..."
 * @example: a group of a network file
 *
 * A class of elements. The texts are the library's own.
 */
typedef struct
{
  const char *name;
  const char *kind;
  const char *summary;
  const char *law;
  const char *source;
  const char *quantities;
  const char *example;
} IfbamClassInfo;

/**
 * IfbamParameterKind:
 * @IFBAM_PARAMETER_NUMBER: a number
 * @IFBAM_PARAMETER_NUMBERS: a list of numbers
 * @IFBAM_PARAMETER_ELEMENTS: names of elements
 * @IFBAM_PARAMETER_TEXT: a text
 * @IFBAM_PARAMETER_CHOICE: one of some words
 *
 * What a parameter is: the GObject property of its name is a double, a GVariant "ad", a strv or a string.
 */
typedef enum
{
  IFBAM_PARAMETER_NUMBER,
  IFBAM_PARAMETER_NUMBERS,
  IFBAM_PARAMETER_ELEMENTS,
  IFBAM_PARAMETER_TEXT,
  IFBAM_PARAMETER_CHOICE,
} IfbamParameterKind;

/**
 * IfbamParameterInfo:
 * @key: in network files, and the name of the element's GObject property
 * @kind: what it is
 * @unit: SI, "" for a pure number; several, "N/m or N m/rad", of a class for several domains
 * @required: whether an element is incomplete without it
 * @minimum: of a number, that itself included; of names, how many there are at least
 * @maximum: the same at most
 * @standard: the value of a number that is not given; NaN where there is none
 * @words: of a choice: its words, comma-separated; "" of others
 * @meaning: what it is, in a line
 *
 * A parameter of a class. The texts are the library's own.
 */
typedef struct
{
  const char *key;
  IfbamParameterKind kind;
  const char *unit;
  gboolean required;
  double minimum;
  double maximum;
  double standard;
  const char *words;
  const char *meaning;
} IfbamParameterInfo;

/**
 * IfbamSchemeInfo:
 * @name: as network files write it, such as "verlet"
 * @summary: what it is, in a line
 * @stability: what it does to a mode
 * @source: where it comes from
 * @order: of convergence
 * @flip_flop: whether messages take one cycle
 *
 * A scheme. The texts are the library's own.
 */
typedef struct
{
  const char *name;
  const char *summary;
  const char *stability;
  const char *source;
  int order;
  gboolean flip_flop;
} IfbamSchemeInfo;

IfbamClassInfo *ifbam_list_classes (gsize *n_classes);
IfbamParameterInfo *ifbam_list_parameters (const char *class_name, gsize *n_parameters,
                                           GError **error);
IfbamSchemeInfo *ifbam_list_schemes (gsize *n_schemes);

#pragma GCC visibility pop
G_END_DECLS
