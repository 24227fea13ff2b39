/* test-units.c: quantities with units, and messages about invalid ones
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "file/file.h"

static void
assert_reads (const char *text, const char *unit, double expected)
{
  g_autofree char *reason = NULL;
  double value = -1234.5;

  if (!ifbam_units_parse (text, unit, "value", ifbam_units_example (unit), &value, &reason))
    fail_msg ("\"%s\" in \"%s\": %s", text, unit, reason);
  assert_null (reason);
  if (memcmp (&value, &expected, sizeof value) != 0)
    fail_msg ("\"%s\" in \"%s\" is %.17g, not %.17g", text, unit, value, expected);
}

static void
assert_refuses (const char *text, const char *unit, const char *meaning, const char *expected)
{
  g_autofree char *reason = NULL;
  double value = -1234.5;

  if (ifbam_units_parse (text, unit, meaning, ifbam_units_example (unit), &value, &reason))
    fail_msg ("\"%s\" in \"%s\" was read as %.17g", text, unit, value);
  assert_true (value == -1234.5); /* untouched */
  assert_non_null (reason);
  assert_true (g_utf8_validate (reason, -1, NULL));
  assert_true (strlen (reason) < 400);
  if (expected != NULL)
    assert_message (reason, expected);
}

static void
test_plain_numbers (void **state)
{
  (void) state;
  assert_reads ("5", "N/m", 5);
  assert_reads ("  5e-5\t", "s", 5e-5);
  assert_reads ("+.5e+1", "m", 5);
  assert_reads ("-3.", "m", -3);
  assert_reads ("-0", "m", -0.0);
  assert_reads ("0.1", "", 0.1);
  assert_reads ("1e-400", "m", 0);
  assert_reads ("1.7976931348623157e308", "m", 1.7976931348623157e308);
}

static void
test_units (void **state)
{
  (void) state;
  assert_reads ("10 kN/m", "N/m", 10000);
  assert_reads ("10kN/m", "N/m", 10000);
  assert_reads ("10 N/mm", "N/m", 10000);
  assert_reads ("1 kg", "kg", 1);
  assert_reads ("1e3 g", "kg", 1);
  assert_reads ("5 N·m", "N m", 5);
  assert_reads ("2*(3 N·m + 4 N m)", "N m", 14);
  assert_reads ("5 J", "N m", 5);
  assert_reads ("5\tmm", "m", 5e-3);
  assert_reads ("90 km/h", "m/s", 25);
  assert_reads ("20 N s/m", "N s/m", 20);
  assert_reads ("2 min", "s", 120);
  assert_reads ("25 %", "", 0.25);
  assert_reads ("3 kg/kg", "", 3);
}

/* A prefix moves the point and nothing else. */
static void
test_prefixes_keep_every_bit (void **state)
{
  (void) state;
  assert_reads ("50 us", "s", 50e-6);
  assert_reads ("50 µs", "s", 50e-6);
  for (int i = 1; i < 5000; i++)
    {
      g_autofree char *micro = g_strdup_printf ("%d.%d us", i, i % 7);
      g_autofree char *plain = g_strdup_printf ("%d.%de-6", i, i % 7);

      assert_reads (micro, "s", g_ascii_strtod (plain, NULL));
    }
  {
    g_autofree char *digits = g_strnfill (500, '3');
    g_autofree char *kilo = g_strdup_printf ("0.%se2 kN", digits);
    g_autofree char *plain = g_strdup_printf ("0.%se5", digits);

    assert_reads (kilo, "N", g_ascii_strtod (plain, NULL));
  }
}

static void
test_angles (void **state)
{
  (void) state;
  assert_reads ("180 deg", "rad", G_PI);
  assert_reads ("180 °", "rad", G_PI);
  assert_reads ("180 degrees", "rad", G_PI);
  assert_reads ("1 rev", "rad", 2 * G_PI);
  assert_reads ("0.5", "rad", 0.5);
  assert_reads ("100 N m/rad", "N m/rad", 100);
  assert_reads ("100 N m", "N m/rad", 100);
  assert_reads ("2 kN m/rad3", "N m/rad3", 2000);
  assert_reads ("1 N m s/rad", "N m s/rad", 1);
  assert_refuses ("50 %", "rad", "angle", "\"50 %\"*no angle*%*rad");
  assert_refuses ("1 deg", "", "restitution", "\"1 deg\" is no restitution: deg is no pure number");
  assert_refuses ("1 N m/rad", "N m", "torque", "\"1 N m/rad\"*no torque*N m/rad*N m");
}

/* One turn a second is 1 Hz; by dimensions alone 1 rad/s would be, and 1 rpm would be 0.105 Hz. */
static void
test_hertz_of_an_angular_speed (void **state)
{
  (void) state;
  assert_reads ("5 Hz", "Hz", 5);
  assert_reads ("5 kHz", "Hz", 5000);
  assert_reads ("5 1/s", "Hz", 5);
  assert_reads ("5/s", "Hz", 5);
  assert_reads ("5 s-1", "Hz", 5);
  assert_reads ("5 s^-1", "Hz", 5);
  assert_reads ("30 1/min", "Hz", 0.5);
  assert_reads ("3000 rpm", "Hz", 50);
  assert_reads ("10 rad/s", "Hz", 10 / (2 * G_PI));
  assert_reads ("10 turn/s", "Hz", 10);
  assert_reads ("720 deg/s", "Hz", 2);
  assert_reads ("60 rev/min", "Hz", 1);
  assert_refuses ("1 deg", "Hz", "frequency", "\"1 deg\"*no frequency*deg*Hz");
  assert_refuses ("10 s", "Hz", "frequency", "\"10 s\"*no frequency*s*Hz");

  assert_reads ("60 rpm", "rad/s", 2 * G_PI);
  assert_reads ("180 deg/s", "rad/s", G_PI);
  assert_refuses ("10 Hz", "rad/s", "speed", "\"10 Hz\"*frequency*speed*\"62.8319 rad/s\"");
  assert_refuses ("10 1/s", "rad/s", "speed", NULL);
}

static void
test_no_numbers (void **state)
{
  static const char *const texts[] = {
    "nan",  "NaN 1", "inf",        "-inf", "infinity", "1e400", "-1e400", "1e400 mm", "1e308 km",
    "0x10", "1 2",   "1.2.3",      "1..2", ".",        "-",     "+",      "- 5",      "e5",
    "1;",   "\"1\"", "1 Ym60/m59", "--1",  "1e+",      "1 1/",  "1 /",    "1 (((("
  };

  (void) state;
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_refuses (texts[i], "m", "position", NULL);
  assert_refuses ("ten", "N/m", "stiffness", "\"ten\"*number*stiffness in N/m*\"10 kN/m\"");
  assert_refuses ("", "kg m2", "inertia",
                  "no value is given (want an inertia in kg m2, such as \"0.1 kg m2\")");
  assert_refuses (" \t", "m", "position", NULL);
  assert_refuses ("1e400", "m", "position",
                  "\"1e400\" is too large for a number (the largest is about 1.8e308)");
  assert_refuses ("1,5 mm", "m", "position",
                  "\"1,5 mm\" is not a number: decimals follow a point "
                  "(did you mean \"1.5 mm\"?)");
}

/* A comma may mark thousands or decimals: a suggestion is never wrong by a thousand without a note. */
static void
test_marks_in_numbers (void **state)
{
  static const struct
  {
    const char *text, *suggestion;
  } cases[] = {
    { "1,000 mm", "\"1000 mm\" or \"1.000 mm\"" },
    { "-12,345 mm", "\"-12345 mm\" or \"-12.345 mm\"" },
    { "0,500 mm", "\"0.500 mm\"" },
    { "1,50", "\"1.50\"" },
    { "1,234,567", "\"1234567\"" },
    { "1,000.5 mm", "\"1000.5 mm\"" },
    { "1.000,5 mm", "\"1000.5 mm\"" },
    { "1 000 mm", "\"1000 mm\"" },
    { "1'000 mm", "\"1000 mm\"" },
    { "1,000 kg", NULL },
    { "1,0,0", NULL },
    { "12 34", NULL },
  };

  (void) state;
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *reason = NULL, *advice = NULL;
      double value;

      assert_false (ifbam_units_parse (cases[i].text, "m", "position", "1 mm", &value, &reason));
      advice = g_strdup_printf ("(did you mean %s?)", cases[i].suggestion);
      if ((strstr (reason, "did you mean") == NULL) != (cases[i].suggestion == NULL)
          || (cases[i].suggestion != NULL && strstr (reason, advice) == NULL))
        fail_msg ("%s: %s", cases[i].text, reason);
    }
}

static void
test_wrong_units (void **state)
{
  (void) state;
  assert_refuses ("10 kg", "N/m", "stiffness", "\"10 kg\"*no stiffness*kg*N/m");
  assert_refuses ("1 mm/N", "N/m", "stiffness", NULL); /* the inverse */
  assert_refuses ("2 kg", "", "restitution", "\"2 kg\" is no restitution: kg is no pure number");
  assert_refuses ("1 000 m", "m", "position", NULL);
  assert_refuses ("5 m 3", "m", "position", NULL);
  assert_refuses ("5 N·5 m", "N m", "torque", NULL);
  assert_refuses ("20 degC", "K", "temperature", NULL);
  assert_refuses ("1 m @ 5", "m", "position", NULL);
  assert_refuses ("1 lg(re m)", "m", "position", NULL);
  assert_refuses ("1 s since 2000-01-01", "s", "step", NULL);
  assert_refuses ("1 s since 20000101T000000", "s", "step", NULL);
}

static void
test_suggestions (void **state)
{
  static const struct
  {
    const char *unit, *text, *suggestion;
  } cases[] = {
    { "N m", "Nmeter", "N meter" }, { "N s/m", "Nsec/m", "N sec/m" }, { "ohm", "k", "kohm" },
    { "kg", "lbs", "lb" },          { "N/m", "kn/m", "kN/m" },        { "Hz", "KHZ", "kHz" },
    { "kg", "Kg", "kg" },           { "Hz", "Mhz", "MHz" },           { "N", "lbs", "lbf" },
    { "N/m", "lbs/in", "lbf/in" },
  };

  (void) state;
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat ("3 ", cases[i].text, NULL);
      g_autofree char *right = g_strconcat ("3 ", cases[i].suggestion, NULL);
      g_autofree char *reason =
          g_strdup_printf ("\"%s\"*\"%s\"", cases[i].text, cases[i].suggestion);
      g_autofree char *ignored = NULL;
      double value;

      assert_refuses (text, cases[i].unit, "value", reason);
      assert_true (ifbam_units_parse (right, cases[i].unit, "value", NULL, &value, &ignored));
    }
  assert_refuses ("3 mm", "m2", "area", "mm does not convert to m2 (did you mean \"mm2\"?)");
  assert_refuses ("3 mm", "m3", "volume", "mm does not convert to m3 (did you mean \"mm3\"?)");
  assert_refuses ("3u", "F", "capacitance", "u does not convert to F (did you mean \"uF\"?)");
  assert_refuses ("3 foo", "kg", "mass", "\"foo\"*mass in kg*\"1 kg\"");
  assert_refuses ("3 mph", "m/s", "velocity", "\"3 mph\"*no velocity*mph*m/s*\"mile/h\"");
  /* six, or nine powers of ten apart: both are said */
  assert_refuses ("3 mn", "N", "force", "\"mn\"*\"MN\"*\"mN\"");
  assert_refuses ("3 MM", "m", "position", "\"MM\"*\"mm\"*\"Mm\"");
  assert_refuses ("3 S", "s", "step", "\"3 S\"*no step*S*s*\"s\"");
}

static void
test_arithmetic (void **state)
{
  (void) state;
  assert_reads ("2 * 3", "N/m", 6);
  assert_reads ("1/4", "m", 0.25);
  assert_reads ("10 kN/m * 2", "N/m", 20e3);
  assert_reads ("10 kN / 2 mm", "N/m", 5e6);
  assert_reads ("(1 kN + 3 N) / (2 mm)", "N/m", 1003 / 2e-3);
  assert_reads ("3 N / mm", "N/m", 3e3); /* a unit, as ever */
  assert_reads ("2 * 0.05 * sqrt(10 kN/m * 2 kg)", "N s/m", 2 * 0.05 * sqrt (10e3 * 2));
  assert_reads ("(3 mm)^2 * 1 N/m3", "N/m", 3e-3 * 3e-3);
  assert_reads ("(4 m2)^0.5", "m", 2);
  assert_reads ("3 mm^2 * 1 N/m3", "N/m", 3e-6); /* three square millimetres */
  assert_reads ("-2^2", "", -4);
  assert_reads ("2 - 3 - 4", "", -5);
  assert_reads ("2 / 3 / 4", "", 2.0 / 3 / 4);
  assert_reads ("2 + 3 * 4", "", 14);
  assert_reads ("-(2 mm)", "m", -2e-3);
  assert_reads ("1 mm + 1 cm", "m", 1e-3 + 1e-2);
  assert_reads ("10 mm * sin(30 deg)", "m", 10e-3 * sin (30 * (G_PI / 180)));
  assert_reads ("2 * pi", "", 2 * G_PI);
  assert_reads ("atan(1)", "rad", atan (1));
  assert_reads ("30 deg + 1 rad", "rad", 30 * (G_PI / 180) + 1);
  assert_reads ("3 rad/s * 20 mm", "m/s", 3 * 20e-3);
  assert_reads ("sqrt(10 N/m / 2 kg) / (2 * pi)", "Hz", sqrt (10.0 / 2) / (2 * G_PI));
  assert_reads ("sqrt(10 N/m / 2 kg) * 1 rad", "rad/s", sqrt (10.0 / 2));
  assert_reads ("sqrt(10 N/m / 2 kg) * 1 rad", "Hz", sqrt (10.0 / 2) / (2 * G_PI));
  assert_reads ("2 * 3 rad/s", "Hz", 2 * 3.0 / (2 * G_PI));
  assert_reads ("(1 + 2) mm", "m", 3e-3);
  assert_reads ("abs(-3 kN) / mm", "N/m", 3e6);
  assert_reads ("exp(log(8))", "", exp (log (8)));
  assert_reads ("10 ** 2 * 1 m", "m", 100);
  assert_reads ("2**-1 * 1 m", "m", 0.5);
  assert_reads ("2**+1 * 1 m", "m", 2);
  assert_reads ("+(2 mm)", "m", 2e-3);
  assert_reads ("pi mm", "m", G_PI * 1e-3);
  assert_reads ("50 % m", "m", 0.5);
}

/* Powers and quotients in units, in all the ways that people write them. */
static void
test_written_units (void **state)
{
  static const char *const ways[] = { "4 N·s**2/m", "4 N·s^2/m", "4 N s^2/(m)",  "4 N s2 m-1",
                                      "4 (N s2)/m", "4 N s²/m",  "4 N/(m/s2)",   "4 N·s2·m^-1",
                                      "4 kg·m/m",   "4 kg**1",   "4 kg ** 1",    "4 kg^+1",
                                      "4 kg µm/µm", "4 kg.m/m",  "4 N.s2/m",     "4 kg Hz/Hz",
                                      "4 (kg)",     "4 kg/s*s",  "2 kg * 2 ** 1" };

  (void) state;
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    assert_reads (ways[i], "kg", 4);
  assert_reads ("4 N/(m/s)*(2 s)", "kg", 8);
  assert_reads ("4 N s/(2 m/s)", "kg", 2);
}

/* Usual spellings beyond the names of units; of words without a blank only those that have one meaning. */
static void
test_usual_spellings (void **state)
{
  static const struct
  {
    const char *text, *unit;
    double value;
  } cases[] = {
    { "5 Nm", "N m", 5 },
    { "5 kNm", "N m", 5e3 },
    { "5 mNm", "N m", 5e-3 },
    { "5 Nmm", "N m", 5e-3 },
    { "5 Ncm", "N m", 5e-2 },
    { "5 N * m", "N m", 5 },
    { "5 N * m / rad", "N m/rad", 5 },
    { "5 N\u22c5m", "N m", 5 },
    { "5 N \u00b7 m", "N m", 5 },
    { "5 Nm/rad", "N m/rad", 5 },
    { "5 Nms/rad", "N m s/rad", 5 },
    { "5 Ns/m", "N s/m", 5 },
    { "5 kNs/m", "N s/m", 5e3 },
    { "5 m\u00b7s\u207b\u00b9", "m/s", 5 },
    { "5 mm\u00b2", "m2", 5e-6 },
    { "5 mm^2", "m2", 5e-6 },
    { "5 kgm2", "kg m2", 5 },
    { "5 kgm\u00b2", "kg m2", 5 },
    { "5 gcm2", "kg m2", 5e-7 },
    { "5 Ns2/m", "kg", 5 },
    { "5 rad/Nm", "rad/(N m)", 5 },
    { "5 mVs", "V s", 5e-3 },
    { "5 Ah", "A s", 18e3 },
    { "5 kWh", "N m", 18e6 },
    { "2 * 5 Nm", "N m", 10 },
    { "8 Nms / 2 s", "N m", 4 },
  };
  static const char *const turns[] = { "1/min",   "/min",  "min-1", "min^-1",
                                       "1 / min", "U/min", "r/min", "min\u207b\u00b9",
                                       "rev/min", "Upm",   "RPM" };

  (void) state;
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_reads (cases[i].text, cases[i].unit, cases[i].value);
  for (gsize i = 0; i < G_N_ELEMENTS (turns); i++)
    {
      g_autofree char *text = g_strconcat ("60 ", turns[i], NULL);

      assert_reads (text, "rad/s", 2 * G_PI);
    }
  assert_reads ("60/min", "rad/s", 2 * G_PI);
  assert_reads ("60/min", "Hz", 1);
  assert_reads ("60 U/min", "Hz", 1);
  /* per second: radians or turns */
  assert_refuses ("60 1/s", "rad/s", "speed", "\"376.991 rad/s\"");
  assert_refuses ("5 N\u22c55 m", "N m", "torque", "second number");
  /* a newton millisecond would be written N ms */
  assert_refuses ("5 Nms", "N s", "impulse", "\"5 Nms\" is no impulse");
  assert_refuses ("5 r", "rad", "angle", "unit \"r\" is unknown");
}

/* Messages about notations of other programs and of tables state the accepted form. */
static void
test_other_forms (void **state)
{
  static const struct
  {
    const char *text, *unit, *expected;
  } cases[] = {
    { "5 N-m", "N m", "(did you mean \"5 N m\"?)" },
    { "5 ft-lbf", "N m", "(did you mean \"5 ft lbf\"?)" },
    { "5 N-s/m", "N s/m", "(did you mean \"5 N s/m\"?)" },
    { "\"10 kN/m\"", "N/m", "(did you mean \"10 kN/m\"?)" },
    { "10 [kN/m]", "N/m", "(did you mean \"10 kN/m\"?)" },
    { "10 kN/m,", "N/m", "(did you mean \"10 kN/m\"?)" },
    { "10 kN/m;", "N/m", "(did you mean \"10 kN/m\"?)" },
    { "10 kN/m.", "N/m", "(did you mean \"10 kN/m\"?)" },
    { "5 x 10^3 N/m", "N/m", "(did you mean \"5 *10^3 N/m\"?)" },
    { "1000..2000", "N/m", "a range, not one value*1000:2000:11" },
    { "1000:2000", "N/m", "a range, not one value*1000:2000:11" },
    { "1 kN/m to 2 kN/m", "N/m", "a range, not one value*1kN/m:2kN/m:11" },
    { "1000\u20132000", "N/m", "a range, not one value*1000:2000:11" },
    { "1..2 mm", "m", "a range, not one value*1mm:2mm:11" },
    { "1 - 2 mm mm", "m", NULL },
    { "1e-3...2e-3", "m", "a range, not one value*1e-3:2e-3:11" },
  };

  (void) state;
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_refuses (cases[i].text, cases[i].unit, "value", cases[i].expected);
  /* Per minute there may be turns or radians. */
  assert_refuses ("5 N m/(1/min)", "N m s/rad", "damping", "rpm*rad/min");
  assert_refuses ("5 N m min", "N m s/rad", "damping", "rpm*rad/min");
  assert_reads ("60 N m/(rad/min)", "N m s/rad", 3600);
  assert_reads ("5 kN min/m", "N s/m", 3e5);
}

static void
test_wrong_arithmetic (void **state)
{
  g_autofree char *deep = g_strnfill (500, '(');
  g_autofree char *sums = g_strnfill (5000, '1');

  (void) state;
  for (gsize i = 1; i < 5000; i += 2)
    sums[i] = '+';
  assert_refuses ("2 * 3 kg", "N/m", "stiffness",
                  "\"2 * 3 kg\" is no stiffness: kg does not convert to N/m");
  assert_refuses ("1 mm / 1 m", "N/m", "stiffness", "a pure number does not convert to N/m");
  assert_refuses ("1 mm + 2", "m", "position", "m and a pure number have no sum");
  assert_refuses ("1 N - 2 m", "m", "position", "kg m s-2 and m have no difference");
  assert_refuses ("30 deg + 0.1", "rad", "phase", "rad and a pure number have no sum");
  assert_refuses ("sqrt(2 m)", "m", "position", "m^(1/2) does not convert to m");
  assert_refuses ("sqrt(sqrt(2 m))", "m", "position", "sqrt of m^(1/2): that is no unit");
  assert_refuses ("(2 m)^0.3", "m", "position", "m to the power of 0.3 is no unit");
  assert_refuses ("sin(2 m) * 1 m", "m", "position", "sin of m: it takes an angle");
  assert_refuses ("exp(2 m) * 1 m", "m", "position", "exp of m: it takes a pure number");
  assert_refuses ("2 *", "m", "position", "ends where a number should follow");
  assert_refuses ("2 * * 3", "m", "position", "a number is missing before \"* 3\"");
  assert_refuses ("(2 m", "m", "position", "is not closed");
  assert_refuses ("(2 m))", "m", "position", "\")\" has no \"(\"");
  assert_refuses ("(2) (3)", "m", "position", "an operator is missing before \"(3)\"");
  assert_refuses ("2 * lenght", "m", "position", "\"lenght\" is no unit and no function");
  assert_refuses ("2 * 20 degC", "K", "temperature", "degC does not begin at zero");
  assert_refuses ("2 * 3 Hz", "rad/s", "speed", "multiply Hz by 2 pi");
  assert_refuses ("1/0", "m", "position", "\"1/0\" has no finite value");
  assert_refuses ("sqrt(-1)", "m", "position", "has no finite value");
  assert_refuses ("2 ^ m", "m", "position", "a power is a number, not \"m\"");
  assert_refuses (deep, "m", "position", "more than 64 parentheses");
  assert_refuses (sums, "m", "position", "is too long for a value");
  assert_refuses ("2 * \xff", "m", "position", NULL);
  assert_refuses ("(1 \xc3)", "m", "position", NULL);
  assert_refuses ("2 * m^400 * m^400", "m", "position", NULL);
  assert_refuses ("(2 m)^200 * (2 m)^200 * (1 m)^200", "m", "position", "a unit beyond all reason");
  assert_refuses ("(3 m)^401", "m", "position", "m to the power of 401 is no unit");
  assert_refuses ("3 m ^ 0.25", "m", "position", "m to the power of 0.25 is no unit");
  assert_refuses ("(2 m)^(1/3)", "m", "position", "a power is a number, not \"(1/3)\"");
  assert_refuses ("2 m^-", "m", "position", "a power is a number, not \"-\"");
  assert_refuses ("2 m**", "m", "position", "a power is a number, not \"\"");
  assert_refuses ("3 m/(s", "m", "position", "the parenthesis of \"(s\" is not closed");
  assert_refuses ("3 m/(2", "m", "position", "the parenthesis of \"(2\" is not closed");
  assert_refuses ("4 N/(2 m)", "m", "position", "kg s-2 does not convert to m");
  assert_refuses ("2 pi m", "m", "position", "an operator is missing before \"pi m\"");
  assert_refuses ("2 m pi", "m", "position", "an operator is missing before \"pi\"");
  assert_refuses ("2 sqrt(4) m", "m", "position", "an operator is missing before \"sqrt(4) m\"");
  assert_refuses ("5 - x", "m", "position", "\"x\" is no unit and no function");
  assert_refuses ("5-", "m", "position", "\"5-\" is not a number");
  assert_refuses ("lg(re 1 mW)", "m", "position", "\"lg(re 1 mW)\" is not a number");
}

static void
test_hostile_texts (void **state)
{
  g_autofree char *letters = g_strnfill (10000, 'm');
  g_autofree char *digits = g_strnfill (10000, '9');
  g_autofree char *brackets = g_strnfill (10000, '(');
  g_autofree char *long_unit = g_strconcat ("1 ", letters, NULL);
  g_autofree char *deep_unit = g_strconcat ("1 ", brackets, NULL);
  g_autofree char *decimals = g_strconcat ("1.", digits, " mm", NULL);

  (void) state;
  assert_refuses (letters, "m", "position", NULL);
  assert_refuses (long_unit, "m", "position", NULL);
  assert_refuses (deep_unit, "m", "position", NULL);
  assert_refuses (digits, "m", "position", NULL); /* 1e10000 */
  assert_reads (decimals, "m", 2e-3);
  assert_refuses ("1 \xff\xfe", "m", "position", NULL);
  assert_refuses ("\xff\xfe", "m", "position", NULL);
  assert_refuses ("1 m\x01", "m", "position", NULL);
  assert_refuses ("1 mm\nm", "m", "position", NULL);
  assert_refuses ("1 \xc3", "m", "position", NULL);
}

static void
test_many_values (void **state)
{
  (void) state;
  for (int i = 0; i < 200000; i++)
    {
      char text[32];

      g_snprintf (text, sizeof text, "%d N/mm", i);
      assert_reads (text, "N/m", i * 1000.0);
    }
  for (int i = 0; i < 6000; i++) /* more units than are remembered */
    {
      char text[32];

      g_snprintf (text, sizeof text, "1 Nms%c%c%c%c", 'a' + i % 26, 'a' + i / 26 % 26,
                  'a' + i / 676 % 26, 'a' + i / 17576 % 26);
      assert_refuses (text, "N m s/rad", "damping", NULL);
    }
}

static void
test_locale_with_a_comma (void **state)
{
  (void) state;
  if (setlocale (LC_ALL, "de_DE.UTF-8") == NULL)
    skip ();
  assert_reads ("1.5 turn", "rad", 3 * G_PI);
  assert_reads ("1.5 mm", "m", 1.5e-3);
  assert_reads ("1.5 lbf", "N", 1.5 * 4.4482216152605);
  setlocale (LC_ALL, "C");
}

/* Suggestions of messages must be valid. */
static void
test_examples (void **state)
{
  static const char *const units[] = { "",          "m",        "m/s",  "m/s2",  "kg",  "kg m2",
                                       "N",         "N/m",      "N/m3", "N s/m", "N m", "N m/rad",
                                       "N m s/rad", "N m/rad3", "rad",  "s",     "Hz",  "rad/s",
                                       "V",         "A",        "V s",  "ohm",   "H",   "F",
                                       "Pa",        "W",        "N m2" };

  (void) state;
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autofree char *reason = NULL;
      double value;

      if (!ifbam_units_parse (ifbam_units_example (units[i]), units[i], "value", NULL, &value,
                              &reason))
        fail_msg ("%s", reason);
    }
  assert_ptr_equal (ifbam_units_example ("N m2"), ifbam_units_example ("N m2"));
}

/* Threads that read at once, known units, new ones and wrong ones. */
static gpointer
read_many (gpointer data)
{
  const guint first = GPOINTER_TO_UINT (data) * 50;
  guint wrong = 0;

  for (guint i = 0; i < 3000; i++)
    {
      /* A new unit each time: N m5/m6 is N/m. */
      const guint power = first + i % 100;
      g_autofree char *text = g_strdup_printf ("%u kN m%u/m%u", i + 1, power, power + 1);
      g_autofree char *reason = NULL;
      double value = 0;

      wrong += !ifbam_units_parse (text, "N/m", "stiffness", NULL, &value, &reason);
      wrong += value != 1e3 * (i + 1);
    }
  return GUINT_TO_POINTER (wrong);
}

static void
test_threads (void **state)
{
  GThread *threads[4];

  (void) state;
  for (guint t = 0; t < G_N_ELEMENTS (threads); t++)
    threads[t] = g_thread_new ("units", read_many, GUINT_TO_POINTER (t));
  for (guint t = 0; t < G_N_ELEMENTS (threads); t++)
    assert_int_equal (GPOINTER_TO_UINT (g_thread_join (threads[t])), 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_locale_with_a_comma),
    cmocka_unit_test (test_plain_numbers),
    cmocka_unit_test (test_units),
    cmocka_unit_test (test_prefixes_keep_every_bit),
    cmocka_unit_test (test_angles),
    cmocka_unit_test (test_hertz_of_an_angular_speed),
    cmocka_unit_test (test_no_numbers),
    cmocka_unit_test (test_wrong_units),
    cmocka_unit_test (test_marks_in_numbers),
    cmocka_unit_test (test_suggestions),
    cmocka_unit_test (test_arithmetic),
    cmocka_unit_test (test_written_units),
    cmocka_unit_test (test_usual_spellings),
    cmocka_unit_test (test_other_forms),
    cmocka_unit_test (test_wrong_arithmetic),
    cmocka_unit_test (test_hostile_texts),
    cmocka_unit_test (test_many_values),
    cmocka_unit_test (test_examples),
    cmocka_unit_test (test_threads),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
