/* unit-system.c: units of measurement: names, prefixes, products and powers
 *
 * The table below has the names and definitions of the database of UDUNITS-2 (Unidata), and texts are
 * read in its spelling. Factors have its bits: a factor near 1 is 1, and each product is rounded once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/unit-system.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "file/digits.h"

/* Largest power of a unit, and largest half exponent. */
#define MAX_POWER  255
#define MAX_HALVES 100000

/* NAMES:SYMBOLS=DEFINITION; names are compared without case, and one with "+" has a plural by "s".
 * "#0" is a basic unit, "@" a logarithm. */
static const char table[] =
    "meter+ metre+:m=#1;kilogram+:kg=#0;second+:s=#2;ampere+:A=#3;kelvin+:K=#4;mole+:mol=#5;"
    "candela+:cd=#6;radian+:rad=#7;steradian+:sr=rad^2;hertz hertzes:Hz=1/s;gram+:g=1e-3 kg;"
    "newton+:N=m.kg/s^2;pascal+:Pa=N/m^2;joule+:J=N.m;watt+:W=J/s;coulomb+:C=s.A;volt+:V=W/A;"
    "farad+:F=C/V;ohm+:Ω Ω=V/A;siemens siemenses:S=A/V;weber+:Wb=V.s;tesla+:T=Wb/m^2;"
    "henry henries:H=Wb/A;degree_Celsius degrees_Celsius:°C=K @ 273.15;lumen+:lm=cd.sr;"
    "lux luxes:lx=lm/m^2;katal+:kat=mol/s;becquerel+:Bq=1/s;gray+:Gy=J/kg;sievert+:Sv=J/kg;"
    "minute+:min=60 s;hour+:h hr=60 min;day+:d=24 h;pi:π=3.141592653589793238462643383279;"
    "arc_degree+ angular_degree+ degree+ arcdeg+ deg:°=(pi/180) rad;"
    "arc_minute+ angular_minute+ arcminute+ arcmin+:' ′=°/60;"
    "arc_second+ angular_second+ arcsecond+ arcsec+:\" ″='/60;liter+ litre+:L l=dm^3;"
    "metric_ton+ tonne+:t=1000 kg;electronvolt+ electron_volt+:eV=1.60217733e-19 J;"
    "unified_atomic_mass_unit+ atomic_mass_unit+ atomicmassunit+ amu:u=1.6605402e-27 kg;"
    "astronomical_unit+:au=1.49597870700e11 m;astronomical_unit_BIPM_2006+:ua=1.495979e11 m;"
    "nautical_mile+:=1852 m;international_knot+ knot_international+ knot+:=nautical_mile/hour;"
    "angstrom+ ångström+:Å Å=1e-10 m;are+:a=dam^2;hectare+:=100 are;barn+:b=100 fm^2;"
    "bar+:=1000 hPa;gal+:=cm/s^2;curie+:Ci=3.7e10 Bq;roentgen+:R=2.58e-4 C/kg;rem+:=cSv;sec+:=s;"
    "amp+:=A;"
    "degree_kelvin degrees_kelvin degree_K degrees_K degreeK degreesK deg_K degs_K "
    "degK degsK:°K=K;candle+:=cd;einstein+:=mole;baud+:Bd bps=Hz;"
    "celsius celsiuses degree_C degrees_C degreeC degreesC deg_C degs_C degC "
    "degsC:℃=degree_Celsius;:kt kts=knot;avogadro_constant+:=6.02214179e23/mol;percent+:%=0.01;"
    ":ppv=1;:ppm ppmv=1e-6;:ppb ppbv=1e-9;:ppt pptv=1e-12;:ppq ppqv=1e-15;grade+:=0.9 arc_degree;"
    "circle+ cycle+ turn+ revolution+ rotation+ rev:=2 pi rad;"
    "degree_north degrees_north degree_N degrees_N degreeN degreesN degree_east "
    "degrees_east degree_E degrees_E degreeE degreesE degree_true degrees_true "
    "degree_T degrees_T degreeT degreesT:=arc_degree;"
    "degree_west degrees_west degree_W degrees_W degreeW degreesW:=-1 degree_east;"
    "assay_ton+:=2.916667e-2 kg;avoirdupois_ounce+:=2.834952e-2 kg;"
    "avoirdupois_pound+ pound+:lb=4.5359237e-1 kg;carat+:=2e-4 kg;grain+:gr=6.479891e-5 kg;"
    "long_hundredweight+:=5.080235e1 kg;pennyweight+:=1.555174e-3 kg;"
    "short_hundredweight+:=4.535924e1 kg;slug+:=14.59390 kg;"
    "troy_ounce+ apothecary_ounce+:=3.110348e-2 kg;troy_pound+ apothecary_pound+:=3.732417e-1 kg;"
    "scruple+:=20 grain;apdram+:=60 grain;dram+:dr=avoirdupois_ounce/16;apounce+:=480 grain;"
    "appound+:=5760 grain;bag+:=94 pound;short_ton+ ton+:=2000 pound;long_ton+:=2240 pound;"
    "fermi+:=1e-15 m;light_year+:=9.46073e15 m;micron+:=1e-6 m;mil+:=2.54e-5 m;"
    "parsec+:=3.085678e16 m;printers_point+:=3.514598e-4 m;chain+:=2.011684e1 m;"
    "printers_pica+ pica+:=12 printers_point;nmile+:=nautical_mile;"
    "US_survey_foot US_survey_feet:=(1200/3937) m;US_survey_yard+:=3 US_survey_feet;"
    "US_survey_mile+ US_statute_mile+:=5280 US_survey_feet;"
    "rod+ pole+ perch perches:=16.5 US_survey_feet;furlong+:=660 US_survey_feet;"
    "fathom+:=6 US_survey_feet;international_inch international_inches inch inches:in=2.54 cm;"
    "international_foot international_feet foot feet:ft=12 international_inches;"
    "international_yard+ yard+:yd=3 international_feet;"
    "international_mile+ mile+:mi=5280 international_feet;big_point+:=inch/72;"
    "barleycorn+:=inch/3;arpentlin+:=191.835 foot;"
    "rotation_per_second rotations_per_second:rps cps=rotation/second;:rpm=rotation/minute;"
    "denier+:=1.111111e-7 kg/m;tex texes:=1e-6 kg/m;perm_0C perms_0C:=5.72135e-11 kg/(Pa.s.m^2);"
    "perm_23C perms_23C:=5.74525e-11 kg/(Pa.s.m^2);circular_mil+:=5.067075e-10 m^2;"
    "darcy darcies:=9.869233e-13 m^2;acre+:=160 rod^2;acre_foot acre_feet:=1.233489e3 m^3;"
    "board_foot board_feet:=2.359737e-3 m^3;bushel+:bu=3.523907e-2 m^3;peck+:pk=bushel/4;"
    "Canadian_liquid_gallon+:=4.546090e-3 m^3;US_dry_gallon+:=4.404884e-3 m^3;:cc=cm^3;"
    "stere+:=1 m^3;register_ton+:=2.831685 m^3;US_dry_quart+ dry_quart+:=US_dry_gallon/4;"
    "US_dry_pint+ dry_pint+:=US_dry_gallon/8;"
    "US_liquid_gallon+ liquid_gallon+ gallon+:=3.785412e-3 m^3;barrel+:bbl=42 US_liquid_gallon;"
    "firkin+:=barrel/4;US_liquid_quart+ liquid_quart+ quart+:=US_liquid_gallon/4;"
    "US_liquid_pint+ liquid_pint+ pint+:pt=US_liquid_gallon/8;"
    "US_liquid_cup+ liquid_cup+ cup+:=US_liquid_gallon/16;"
    "US_liquid_gill+ liquid_gill+ gill+:=US_liquid_gallon/32;"
    "US_fluid_ounce+ US_liquid_ounce+ fluid_ounce+ liquid_ounce+:oz floz=US_liquid_gallon/128;"
    "tablespoon+:Tbl Tbsp tbsp Tblsp tblsp=US_fluid_ounce/2;fluid_dram+:fldr=US_fluid_ounce/8;"
    "teaspoon+:tsp=tablespoon/3;UK_liquid_gallon+:=4.546090e-3 m^3;"
    "UK_liquid_quart+:=UK_liquid_gallon/4;UK_liquid_pint+:=UK_liquid_gallon/8;"
    "UK_liquid_cup+:=UK_liquid_gallon/16;UK_liquid_gill+:=UK_liquid_gallon/32;"
    "UK_fluid_ounce+ UK_liquid_ounce+:=UK_liquid_gallon/160;:BZ=@;shake+:=1e-8 s;"
    "sidereal_day+:=8.616409e4 s;sidereal_hour+:=3.590170e3 s;sidereal_minute+:=5.983617e1 s;"
    "sidereal_second+:=0.9972696 s;sidereal_year+:=3.155815e7 s;"
    "tropical_year+ year+:yr=3.15569259747e7 s;lunar_month+:=29.530589 day;common_year+:=365 day;"
    "leap_year+:=366 day;Julian_year+:=365.25 day;Gregorian_year+:=365.2425 day;"
    "sidereal_month+:=27.321661 day;tropical_month+:=27.321582 day;fortnight+:=14 day;"
    "week+:=7 day;jiffy jiffies:=0.01 s;eon+:=1e9 year;month+:=year/12;sverdrup+:=1e6 m^3/s;"
    "standard_free_fall+:=9.806650 m/s^2;gravity gravities:=standard_free_fall;"
    "conventional_water+ water+:H2O h2o=gravity 1000 kg/m^3;"
    "water_4C waters_4C water_39F waters_39F:=gravity 999.972 kg/m^3;"
    "water_60F waters_60F:=gravity 999.001 kg/m^3;"
    "mercury_0C mercuries_0C mercury_32F mercuries_32F conventional_mercury "
    "conventional_mercuries:Hg=gravity 13595.10 kg/m^3;"
    "mercury_60F mercuries_60F:=gravity 13556.8 kg/m^3;force+:=standard_free_fall;dyne+:=1e-5 N;"
    "pond+:=9.806650e-3 N;force_kilogram+ kilogram_force kilograms_force:kgf=9.806650 N;"
    "force_ounce+ ounce_force ounces_force:ozf=2.780139e-1 N;"
    "force_pound+ pound_force pounds_force:lbf=4.4482216152605 N;poundal+:=1.382550e-1 N;"
    "gram_force grams_force force_gram+:gf=gram force;"
    "force_ton+ ton_force tons_force:=2000 force_pound;kip+:=1000 lbf;"
    "standard_atmosphere+ atmosphere+:atm=1.01325e5 Pa;technical_atmosphere+:at=1 kg gravity/cm2;"
    ":cm_H2O cmH2O=cm H2O;inch_H2O_39F inches_H2O_39F:=inch water_39F;"
    "inch_H2O_60F inches_H2O_60F:=inch water_60F;"
    "foot_water feet_water foot_H2O feet_H2O footH2O feetH2O:ftH2O fth2o=foot water;"
    ":cm_Hg cmHg=cm Hg;millimeter_Hg_0C millimeters_Hg_0C:=mm mercury_0C;"
    "inch_Hg_32F inches_Hg_32F:=inch mercury_32F;inch_Hg_60F inches_Hg_60F:=inch mercury_60F;"
    "millimeter_Hg millimeters_Hg torr+:mm_Hg mm_hg mmHg mmhg=mm Hg;"
    "inch_Hg inches_Hg:in_Hg inHg=inch Hg;:psi=1 pound gravity/in^2;:ksi=kip/in^2;"
    "barie+ barye+:=0.1 N/m^2;:B_SPL=@;poise+:=1e-1 Pa.s;stokes stokeses:St=1e-4 m^2/s;"
    "rhe+:=10/(Pa.s);erg+:=1e-7 J;IT_Btu+ Btu+:=1.05505585262e3 J;EC_therm+:=1.05506e8 J;"
    "thermochemical_calorie+:=4.184000 J;IT_calorie+ calorie+:cal=4.1868 J;TNT:=4.184 MJ/kg;"
    "ton_TNT tons_TNT:=4.184e9 J;US_therm+ therm+:thm=1.054804e8 J;watthour+:=watt.hour;"
    ":bev=1e9 eV;voltampere+:VA=V.A;boiler_horsepower+:=9.80950e3 W;"
    "shaft_horsepower+ horsepower+:hp=7.456999e2 W;metric_horsepower+:=7.35499e2 W;"
    "electric_horsepower+:=7.460000e2 W;water_horsepower+:=7.46043e2 W;"
    "UK_horsepower+:=7.4570e2 W;"
    "refrigeration_ton+ ton_of_refrigeration tons_of_refrigeration:=12000 Btu/hr;:BW=@;:Bm=@;"
    "clo+:=1.55e-1 K.m^2/W;abampere+:=10 A;gilbert+:=7.957747e-1 A;statampere+:=3.335640e-10 A;"
    "biot+:=10 A;abfarad+:=1e9 F;abhenry abhenries:=1e-9 H;abmho+:=1e9 S;abohm+:=1e-9 ohm;"
    "abvolt+:=1e-8 V;:e=1.602176487e-19 C;chemical_faraday+:=9.64957e4 C;"
    "physical_faraday+:=9.65219e4 C;C12_faraday+ faraday+:=9.648531e4 C;gamma+:=1e-9 T;"
    "gauss gausses:=1e-4 T;maxwell+:=1e-8 Wb;oersted+:Oe=7.957747e1 A/m;"
    "statcoulomb+:=3.335640e-10 C;statfarad+:=1.112650e-12 F;"
    "stathenry stathenries:=8.987554e11 H;statmho+:=1.112650e-12 S;statohm+:=8.987554e11 ohm;"
    "statvolt+:=2.997925e2 V;unit_pole+:=1.256637e-7 Wb;:BV=@;:Bv=@;:BµV=@;"
    "degree_rankine degrees_rankine degreeR degreesR degree_R degrees_R degR degsR "
    "deg_R degs_R:°R=K/1.8;"
    "fahrenheit+ degree_fahrenheit degrees_fahrenheit degreeF degreesF degree_F "
    "degrees_F degF degsF deg_F degs_F:°F ℉=°R @ 459.67;footcandle+:=1.076391e-1 lx;"
    "footlambert+:=3.426259 cd/m^2;lambert+:=(1e4/pi) cd/m^2;stilb+:sb=1e4 cd/m^2;"
    "phot+:ph=1e4 lm/m^2;nit+:nt=1 cd/m^2;langley+:=4.184000e4 J/m^2;"
    "blondel+ apostilb+:=cd/(pi m^2);kayser+:=100/m;geopotential+ dynamic+:gp=gravity;"
    "work_year+:=2056 hours;work_month+:=work_year/12;"
    "potential_vorticity_unit+:PVU=1e-6 m^2 s^-1 K kg^-1;count+:=1;bit+:=1;octet+ byte+:=8;"
    "dobson+:DU=446.2 micromoles/meter^2;molecule+ molec+ nucleon+ nuc+:=1/avogadro_constant;";

static const struct
{
  const char *name, *symbol;
  double factor;
} prefixes[] = {
  { "yotta", "Y", 1e24 },  { "zetta", "Z", 1e21 },        { "exa", "E", 1e18 },
  { "peta", "P", 1e15 },   { "tera", "T", 1e12 },         { "giga", "G", 1e9 },
  { "mega", "M", 1e6 },    { "kilo", "k", 1e3 },          { "hecto", "h", 100 },
  { "deka", "da", 10 },    { "deci", "d", .1 },           { "centi", "c", .01 },
  { "milli", "m", 1e-3 },  { "micro", "\xc2\xb5", 1e-6 }, { NULL, "\xce\xbc", 1e-6 },
  { NULL, "u", 1e-6 },     { "nano", "n", 1e-9 },         { "pico", "p", 1e-12 },
  { "femto", "f", 1e-15 }, { "atto", "a", 1e-18 },        { "zepto", "z", 1e-21 },
  { "yocto", "y", 1e-24 },
};

typedef struct
{
  GHashTable *names, *symbols; /* name in small letters, symbol -> definition, in the table */
} Names;

static char *
in_small_letters (const char *text, gsize n)
{
  char *small = g_strndup (text, n);

  for (char *c = small; *c != '\0'; c++)
    *c = g_ascii_tolower (*c);
  return small;
}

static void
add_name (const Names *names, const char *name, gsize n, gboolean is_symbol, const char *definition)
{
  const gboolean has_plural = !is_symbol && name[n - 1] == '+';
  char *singular = is_symbol ? g_strndup (name, n) : in_small_letters (name, n - has_plural);

  if (has_plural)
    g_hash_table_insert (names->names, g_strdup_printf ("%ss", singular), (gpointer) definition);
  g_hash_table_insert (is_symbol ? names->symbols : names->names, singular, (gpointer) definition);
}

/* Returns the names of the table, which live as long as the program. */
static const Names *
get_names (void)
{
  static Names names;
  static gsize is_read;

  if (!g_once_init_enter (&is_read))
    return &names;
  names.names = g_hash_table_new (g_str_hash, g_str_equal);
  names.symbols = g_hash_table_new (g_str_hash, g_str_equal);
  for (const char *unit = table; *unit != '\0';)
    {
      const char *symbols = strchr (unit, ':');
      const char *definition = strchr (symbols, '=') + 1;

      while (unit[0] != '=')
        {
          const gsize n = strcspn (unit, " :=");

          if (n > 0)
            add_name (&names, unit, n, unit > symbols, definition);
          unit += n + (unit[n] != '=');
        }
      unit = strchr (definition, ';') + 1;
    }
  g_once_init_leave (&is_read, 1);
  return &names;
}

/* Arithmetic of units */

static double
near_one (double factor)
{
  return fabs (1 - factor) < 10 * DBL_EPSILON ? 1 : factor;
}

/* self *= other^power; FALSE: that is no unit. */
static gboolean
multiply (IfbamUnit *self, const IfbamUnit *other, int power)
{
  const double factor =
      power == 1 ? other->factor : near_one (ifbam_exact_power (other->factor, power));

  if (self->scale == IFBAM_SCALE_LOGARITHM || other->scale == IFBAM_SCALE_LOGARITHM)
    return FALSE;
  self->factor = near_one (self->factor * factor);
  self->scale = IFBAM_SCALE_RATIO;
  for (guint i = 0; i < IFBAM_N_BASIC_UNITS; i++)
    {
      self->dimension.halves[i] += power * other->dimension.halves[i];
      if (ABS (self->dimension.halves[i]) > MAX_HALVES)
        return FALSE;
    }
  return self->factor != 0;
}

gboolean
ifbam_unit_divide (const IfbamUnit *a, const IfbamUnit *b, IfbamUnit *quotient)
{
  *quotient = *a;
  return multiply (quotient, b, -1);
}

/* Reader */

static gboolean read_product (const char **p, IfbamUnit *unit);

static const char *
skip (const char *p)
{
  return p + strspn (p, " \t\r\f\v");
}

static gboolean
is_letter (char c)
{
  return g_ascii_isalpha (c) || c == '_' || (guchar) c >= 0x80;
}

/* TRUE for a unit that is a sign: minutes and seconds of arc, per cent. */
static gboolean
is_sign (char c)
{
  return c != '\0' && strchr ("%'\"", c) != NULL;
}

/* Returns the length of the word at P: a sign, or letters, also with digits between them. */
static gsize
word_length (const char *p)
{
  gsize n = 0;

  if (is_sign (*p))
    return 1;
  while (is_letter (p[n]) || (n > 0 && g_ascii_isdigit (p[n])))
    n++;
  while (n > 0 && !is_letter (p[n - 1]))
    n--;
  return n;
}

/* Returns the length of the prefix of a name, or of a symbol, at the start of WORD; 0: none. */
static gsize
find_prefix (const char *word, gboolean is_symbol, double *factor)
{
  gsize length = 0;

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    {
      const char *prefix = is_symbol ? prefixes[i].symbol : prefixes[i].name;
      const gsize n = prefix == NULL ? 0 : strlen (prefix);

      if (n > length
          && (is_symbol ? strncmp (word, prefix, n) : g_ascii_strncasecmp (word, prefix, n)) == 0)
        {
          *factor = prefixes[i].factor;
          length = n;
        }
    }
  return length;
}

static gboolean
read_definition (const char *definition, IfbamUnit *unit)
{
  *unit = (IfbamUnit){ .factor = 1 };
  if (*definition == '#')
    unit->dimension.halves[definition[1] - '0'] = 2;
  else if (*definition == '@')
    unit->scale = IFBAM_SCALE_LOGARITHM;
  else
    return read_product (&definition, unit);
  return TRUE;
}

/* Reads a name behind any prefixes of names, and one of a symbol. */
static gboolean
read_name (const char **p, IfbamUnit *unit)
{
  const Names *names = get_names ();
  const gsize length = word_length (*p);
  g_autofree char *word = g_strndup (*p, length), *small = in_small_letters (word, length);
  const char *definition = NULL;
  double prefix = 1, factor;
  gboolean has_symbol = FALSE;
  gsize at = 0;

  *p += length;
  if (word_length (*p) > 0) /* "m%" */
    return FALSE;
  while (at < length)
    {
      gsize n;

      definition = g_hash_table_lookup (names->names, small + at);
      if (definition == NULL)
        definition = g_hash_table_lookup (names->symbols, word + at);
      if (definition != NULL)
        break;
      n = find_prefix (word + at, FALSE, &factor);
      if (n == 0 && !has_symbol)
        {
          n = find_prefix (word + at, TRUE, &factor);
          has_symbol = TRUE;
        }
      if (n == 0)
        return FALSE;
      prefix *= factor;
      at += n;
    }
  if (definition == NULL || !read_definition (definition, unit))
    return FALSE;
  unit->factor = prefix == 1 ? unit->factor : near_one (prefix * unit->factor);
  return unit->factor != 0;
}

/* Reads a number that may have a sign and an exponent. */
static gboolean
read_factor (const char **p, double *factor)
{
  IfbamDigits digits;

  if (!ifbam_digits_scan (*p, &digits))
    return FALSE;
  *factor = ifbam_digits_scale (*p, &digits, 0);
  *p = digits.rest;
  return TRUE;
}

/* Reads the power at *p, 1 if there is none. */
static gboolean
read_power (const char **p, int *power)
{
  const char *sign = *p + (**p == '^' ? 1 : strncmp (*p, "**", 2) == 0 ? 2 : 0);
  const char *digits = sign + (*sign == '-' || *sign == '+');
  int size = 0;

  *power = 1;
  if (!g_ascii_isdigit (*digits))
    return sign == *p;
  *p = digits + strspn (digits, "0123456789");
  for (; digits < *p; digits++)
    size = MIN (10 * size + (*digits - '0'), MAX_POWER + 1);
  *power = *sign == '-' ? -size : size;
  return size <= MAX_POWER;
}

static gboolean
read_basic (const char **p, IfbamUnit *unit)
{
  IfbamUnit inner = { .factor = 1 };
  int power;

  if (**p == '(')
    {
      ++*p;
      if (!read_product (p, &inner) || **p != ')')
        return FALSE;
      ++*p;
    }
  else if (word_length (*p) > 0 ? !read_name (p, &inner)
                                : !read_factor (p, &inner.factor) || inner.factor == 0)
    return FALSE;
  if (!read_power (p, &power))
    return FALSE;
  if (power == 1)
    {
      *unit = inner;
      return TRUE;
    }
  *unit = (IfbamUnit){ .factor = 1 };
  return multiply (unit, &inner, power);
}

/* Returns the sign between two units, '*' or '/', and skips it; '\0': there is none. */
static char
take_sign (const char **p)
{
  const char *next = skip (*p);

  if (*next == '/' || (g_ascii_strncasecmp (next, "per", 3) == 0 && word_length (next) == 3))
    {
      *p = skip (next + (*next == '/' ? 1 : 3));
      return '/';
    }
  if (*next == '\0' || strchr (");@", *next) != NULL)
    return '\0';
  *p = next > *p ? next : next + (strchr ("*.-", *next) != NULL);
  return '*';
}

static gboolean
read_product (const char **p, IfbamUnit *unit)
{
  char sign;
  double offset;

  if (!read_basic (p, unit))
    return FALSE;
  while ((sign = take_sign (p)) != '\0')
    {
      IfbamUnit right;

      if (!read_basic (p, &right) || !multiply (unit, &right, sign == '/' ? -1 : 1))
        return FALSE;
    }
  if (*skip (*p) == '@')
    {
      *p = skip (skip (*p) + 1);
      unit->scale = IFBAM_SCALE_INTERVAL;
      return read_factor (p, &offset);
    }
  return TRUE;
}

gboolean
ifbam_unit_parse (const char *text, IfbamUnit *unit)
{
  *unit = (IfbamUnit){ .factor = 1 };
  return *text == '\0' || (read_product (&text, unit) && *text == '\0');
}
