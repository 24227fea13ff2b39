/* ifbam-catalogue.h: the element classes with their parameters, and the schemes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/**
 * IfbamClassInfo:
 * @name: its name in network files, such as "spring"
 * @kind: "free node", "given node", "link", "source", "impulse" or "composite"
 * @summary: a description of one line
 * @law: its formula
 * @source: the source of the formula
 * @quantities: the signals of an element, "force, compression, rate, ..."
 * @example: a group of a network file
 *
 * A class of elements. The texts are owned by the library.
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
 * The type of a parameter; its GObject property is a double, a GVariant "ad", a strv or a string.
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
 * @kind: its type
 * @unit: SI, "" for a dimensionless number; "N/m or N m/rad" for two domains
 * @required: whether it must be given
 * @minimum: of a number, included; of names, their least count
 * @maximum: of a number, included; of names, their largest count
 * @standard: the value of a number that is not given; NaN if there is none
 * @words: of a choice: its words, comma-separated; else ""
 * @meaning: a description of one line
 *
 * A parameter of a class. The texts are owned by the library.
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
 * @name: its name in network files, such as "verlet"
 * @summary: a description of one line
 * @stability: its stability limit
 * @source: its source
 * @order: of convergence
 * @flip_flop: whether messages arrive one cycle later
 *
 * A scheme. The texts are owned by the library.
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
