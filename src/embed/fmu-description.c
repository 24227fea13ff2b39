/* fmu-description.c: modelDescription.xml of an FMU
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/fmu-description.h"

#include <math.h>

#include "base/number-text.h"
#include "embed/fmu-list.h"
#include "file/file.h"

/* Suggested to importers that control their step size. */
#define TOLERANCE 1e-11

typedef struct
{
  GString *text;
  const IfbamFmuContent *content;
  const IfbamRunSpec *spec;
  const IfbamFmuNames *names;
} Writer;

static const IfbamFmuVariable *
variable_at (const Writer *writer, guint i)
{
  return &g_array_index (writer->content->variables, IfbamFmuVariable, i);
}

static void
add_text (const Writer *writer, const char *attribute, const char *value)
{
  g_autofree char *escaped = g_markup_escape_text (value, -1);

  if (value[0] != '\0')
    g_string_append_printf (writer->text, " %s=\"%s\"", attribute, escaped);
}

static void
add_number (const Writer *writer, const char *attribute, double value)
{
  if (isfinite (value) && fabs (value) < G_MAXDOUBLE)
    g_string_append_printf (writer->text, " %s=\"%s\"", attribute, IFBAM_NUMBER (value));
}

/* Units */

static void
add_unit (const Writer *writer, const char *unit)
{
  static const char *const basic[IFBAM_N_BASIC_UNITS] = { "kg", "m",   "s",  "A",
                                                          "K",  "mol", "cd", "rad" };
  g_autofree char *quantity = g_strdup_printf ("1 %s", unit);
  IfbamDimension dimension;

  g_string_append (writer->text, "    <Unit");
  add_text (writer, "name", unit);
  g_string_append (writer->text, "><BaseUnit");
  if (ifbam_units_dimension (quantity, &dimension))
    for (guint i = 0; i < IFBAM_N_BASIC_UNITS; i++)
      if (dimension.halves[i] != 0)
        g_string_append_printf (writer->text, " %s=\"%d\"", basic[i], dimension.halves[i] / 2);
  g_string_append (writer->text, "/></Unit>\n");
}

/* Returns TRUE if the exponents of basic units are integers: XML has no others. */
static gboolean
is_whole (const char *unit)
{
  g_autofree char *quantity = g_strdup_printf ("1 %s", unit);
  IfbamDimension dimension;
  gboolean whole = unit[0] != '\0' && ifbam_units_dimension (quantity, &dimension);

  for (guint i = 0; i < IFBAM_N_BASIC_UNITS && whole; i++)
    whole = dimension.halves[i] % 2 == 0;
  return whole;
}

static void
add_units (const Writer *writer)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  g_string_append (writer->text, "  <UnitDefinitions>\n");
  g_hash_table_add (known, (gpointer) "s");
  add_unit (writer, "s");
  for (guint i = 0; i < writer->content->variables->len; i++)
    {
      const char *unit = variable_at (writer, i)->unit;

      if (is_whole (unit) && g_hash_table_add (known, (gpointer) unit))
        add_unit (writer, unit);
    }
  g_string_append (writer->text, "  </UnitDefinitions>\n");
}

/* Variables */

static void
add_causality (const Writer *writer, const IfbamFmuVariable *variable)
{
  static const char *const causality[] = {
    "parameter", "input", "output", "local", "local", "local"
  };

  add_text (writer, "name", variable->name);
  add_text (writer, "description", variable->meaning);
  add_text (writer, "causality", causality[variable->kind]);
  add_text (writer, "variability", variable->kind == IFBAM_FMU_PARAMETER ? "fixed" : "continuous");
  if (variable->kind >= IFBAM_FMU_OUTPUT)
    add_text (writer, "initial", "calculated");
}

static void
add_values (const Writer *writer, const IfbamFmuVariable *variable)
{
  if (is_whole (variable->unit))
    add_text (writer, "unit", variable->unit);
  add_number (writer, "min", variable->minimum);
  add_number (writer, "max", variable->maximum);
  /* Version 2 counts variables from 1, and time is the first. */
  if (variable->of > 0)
    g_string_append_printf (writer->text, " derivative=\"%u\"",
                            variable->of + (writer->names->version == 2 ? 1 : 0));
  if (!isnan (variable->start))
    g_string_append_printf (writer->text, " start=\"%s\"", IFBAM_NUMBER (variable->start));
}

static void
add_variable (const Writer *writer, guint reference, const IfbamFmuVariable *variable)
{
  g_string_append_printf (writer->text, "    <%s valueReference=\"%u\"",
                          writer->names->version == 3 ? "Float64" : "ScalarVariable", reference);
  add_causality (writer, variable);
  if (writer->names->version == 2)
    g_string_append (writer->text, "><Real");
  add_values (writer, variable);
  g_string_append (writer->text, writer->names->version == 3 ? "/>\n" : "/></ScalarVariable>\n");
}

static void
add_variables (const Writer *writer)
{
  g_string_append (writer->text, "  <ModelVariables>\n");
  g_string_append (
      writer->text,
      writer->names->version == 3
          ? "    <Float64 valueReference=\"0\" name=\"time\" causality=\"independent\" "
            "variability=\"continuous\" unit=\"s\"/>\n"
          : "    <ScalarVariable valueReference=\"0\" name=\"time\" causality=\"independent\" "
            "variability=\"continuous\"><Real unit=\"s\"/></ScalarVariable>\n");
  for (guint i = 0; i < writer->content->variables->len; i++)
    add_variable (writer, i + 1, variable_at (writer, i));
  g_string_append (writer->text, "  </ModelVariables>\n");
}

static gboolean
is_output (const IfbamFmuVariable *variable)
{
  return variable->kind == IFBAM_FMU_OUTPUT;
}

/* The derivative of a state. */
static gboolean
is_derivative (const IfbamFmuVariable *variable)
{
  return variable->of > 0;
}

/* A variable that is computed. */
static gboolean
is_unknown (const IfbamFmuVariable *variable)
{
  return variable->kind == IFBAM_FMU_OUTPUT || variable->kind == IFBAM_FMU_STATE
         || variable->kind == IFBAM_FMU_RATE;
}

static gboolean
is_indicator (const IfbamFmuVariable *variable)
{
  return variable->kind == IFBAM_FMU_INDICATOR;
}

/* Writes the variables of a kind; version 2 has lists of them, omitted if empty. */
static void
add_unknowns (const Writer *writer, gboolean (*is) (const IfbamFmuVariable *variable),
              const char *list, const char *unknown)
{
  const gboolean third = writer->names->version == 3;
  gboolean begun = FALSE;

  for (guint i = 0; i < writer->content->variables->len; i++)
    if (is (variable_at (writer, i)))
      {
        if (!third && !begun)
          g_string_append_printf (writer->text, "    <%s>\n", list);
        begun = TRUE;
        g_string_append_printf (writer->text,
                                third ? "    <%s valueReference=\"%u\"/>\n"
                                      : "      <%s index=\"%u\"/>\n",
                                third ? unknown : "Unknown", third ? i + 1 : i + 2);
      }
  if (!third && begun)
    g_string_append_printf (writer->text, "    </%s>\n", list);
}

static void
add_structure (const Writer *writer)
{
  g_string_append (writer->text, "  <ModelStructure>\n");
  add_unknowns (writer, is_output, "Outputs", "Output");
  add_unknowns (writer, is_derivative, "Derivatives", "ContinuousStateDerivative");
  add_unknowns (writer, is_unknown, "InitialUnknowns", "InitialUnknown");
  if (writer->names->version == 3)
    add_unknowns (writer, is_indicator, "", "EventIndicator");
  g_string_append (writer->text, "  </ModelStructure>\n");
}

static guint
count (const Writer *writer, gboolean (*is) (const IfbamFmuVariable *variable))
{
  guint n = 0;

  for (guint i = 0; i < writer->content->variables->len; i++)
    n += is (variable_at (writer, i)) ? 1 : 0;
  return n;
}

static void
add_head (const Writer *writer)
{
  const gboolean third = writer->names->version == 3;

  g_string_append_printf (writer->text,
                          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<fmiModelDescription fmiVersion=\"%s\"",
                          third ? "3.0" : "2.0");
  add_text (writer, "modelName", writer->names->title);
  add_text (writer, third ? "instantiationToken" : "guid", writer->names->token);
  add_text (writer, "generationTool", "ifbam " IFBAM_VERSION);
  add_text (writer, "variableNamingConvention", "flat");
  if (!third)
    g_string_append_printf (writer->text, " numberOfEventIndicators=\"%u\"",
                            count (writer, is_indicator));
  g_string_append (writer->text, ">\n");
  if (writer->content->hindrance == NULL)
    {
      g_string_append (writer->text, "  <ModelExchange");
      add_text (writer, "modelIdentifier", writer->names->identifier);
      if (third)
        add_text (writer, "needsCompletedIntegratorStep", "true");
      g_string_append (writer->text, "/>\n");
    }
  g_string_append (writer->text, "  <CoSimulation");
  add_text (writer, "modelIdentifier", writer->names->identifier);
  add_text (writer, "canHandleVariableCommunicationStepSize", "true");
  add_text (writer, third ? "canGetAndSetFMUState" : "canGetAndSetFMUstate", "true");
  add_text (writer, third ? "canSerializeFMUState" : "canSerializeFMUstate", "true");
  if (third)
    {
      add_number (writer, "fixedInternalStepSize", writer->spec->step);
      add_text (writer, "hasEventMode", "true");
      add_text (writer, "mightReturnEarlyFromDoStep", "true");
    }
  g_string_append (writer->text, "/>\n");
}

char *
ifbam_fmu_description (const IfbamFmuContent *content, const IfbamRunSpec *spec,
                       const IfbamFmuNames *names)
{
  const Writer writer = { g_string_new (NULL), content, spec, names };

  add_head (&writer);
  add_units (&writer);
  g_string_append (writer.text, "  <LogCategories>\n"
                                "    <Category name=\"" FMU_EVENTS
                                "\" description=\"events and their times\"/>\n"
                                "    <Category name=\"" FMU_ERRORS
                                "\" description=\"reasons of errors\"/>\n"
                                "  </LogCategories>\n  <DefaultExperiment startTime=\"0\"");
  add_number (&writer, "stopTime", (double) spec->last_step * spec->step);
  add_number (&writer, "tolerance", TOLERANCE);
  add_number (&writer, "stepSize", (double) spec->stride * spec->step);
  g_string_append (writer.text, "/>\n");
  add_variables (&writer);
  add_structure (&writer);
  g_string_append (writer.text, "</fmiModelDescription>\n");
  return g_string_free (writer.text, FALSE);
}
