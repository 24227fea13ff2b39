/* result-table.c: events as entries of an HDF5 table
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/result-table.h"

#include <string.h>

#define WORD 32 /* bytes of an event's word; names of modes are shorter */

static const char *const numbers[] = { "impulse", "rate_before", "rate_after", "energy_change" };

static hid_t
text_type (gsize size)
{
  const hid_t type = H5Tcopy (H5T_C_S1);

  if (type > 0
      && (H5Tset_size (type, size) < 0 || H5Tset_strpad (type, H5T_STR_NULLPAD) < 0
          || H5Tset_cset (type, H5T_CSET_UTF8) < 0))
    {
      H5Tclose (type);
      return H5I_INVALID_HID;
    }
  return type;
}

static hid_t
make_type (IfbamEventTable *table)
{
  AutoHid element = text_type (table->element), word = text_type (table->word);
  AutoHid type = H5I_INVALID_HID;
  gsize place = sizeof (double);

  table->size = (1 + G_N_ELEMENTS (numbers)) * sizeof (double) + table->element + table->word;
  type = H5Tcreate (H5T_COMPOUND, table->size);
  if (type <= 0 || H5Tinsert (type, "time", 0, H5T_NATIVE_DOUBLE) < 0
      || H5Tinsert (type, "element", place, element) < 0
      || H5Tinsert (type, "event", place += table->element, word) < 0)
    return H5I_INVALID_HID;
  place += table->word;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++, place += sizeof (double))
    if (H5Tinsert (type, numbers[i], place, H5T_NATIVE_DOUBLE) < 0)
      return H5I_INVALID_HID;
  return ifbam_hdf5_take (&type);
}

hid_t
ifbam_event_table_new (IfbamEventTable *table, gsize longest_name)
{
  table->element = (MAX (longest_name, 1) + 7) / 8 * 8;
  table->word = WORD;
  return make_type (table);
}

static gsize
member_size (hid_t type, const char *name)
{
  const int number = H5Tget_member_index (type, name);
  AutoHid member = number < 0 ? H5I_INVALID_HID : H5Tget_member_type (type, (unsigned) number);

  return member > 0 && H5Tget_class (member) == H5T_STRING && H5Tis_variable_str (member) == 0
             ? H5Tget_size (member)
             : 0;
}

hid_t
ifbam_event_table_open (IfbamEventTable *table, hid_t events)
{
  AutoHid type = events > 0 ? H5Dget_type (events) : H5I_INVALID_HID;

  if (type <= 0 || H5Tget_class (type) != H5T_COMPOUND)
    return H5I_INVALID_HID;
  table->element = member_size (type, "element");
  table->word = member_size (type, "event");
  return table->element > 0 && table->word > 0 ? make_type (table) : H5I_INVALID_HID;
}

gboolean
ifbam_event_table_take (const IfbamEventTable *table, const IfbamEvent *event, guint8 *entry)
{
  const double last[] = { event->impulse, event->rate_before, event->rate_after,
                          event->energy_change };
  const gsize element = strlen (event->element), word = strlen (event->word);

  if (element > table->element || word > table->word)
    return FALSE;
  memset (entry, 0, table->size);
  memcpy (entry, &event->time, sizeof event->time);
  entry += sizeof event->time;
  memcpy (entry, event->element, element);
  memcpy (entry + table->element, event->word, word);
  memcpy (entry + table->element + table->word, last, sizeof last);
  return TRUE;
}

static const char *
text_of (const guint8 *place, gsize size)
{
  g_autofree char *text = g_strndup ((const char *) place, size);

  return g_intern_string (text);
}

static IfbamEvent
event_of (const IfbamEventTable *table, const guint8 *entry)
{
  IfbamEvent event;
  double last[4];

  memcpy (&event.time, entry, sizeof event.time);
  entry += sizeof event.time;
  event.element = text_of (entry, table->element);
  event.word = text_of (entry + table->element, table->word);
  memcpy (last, entry + table->element + table->word, sizeof last);
  event.impulse = last[0];
  event.rate_before = last[1];
  event.rate_after = last[2];
  event.energy_change = last[3];
  return event;
}

GArray *
ifbam_event_table_read (hid_t dataset)
{
  IfbamEventTable table;
  AutoHid type = ifbam_event_table_open (&table, dataset), space = H5I_INVALID_HID;
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));
  g_autofree guint8 *entries = NULL;
  hssize_t n;

  space = type > 0 ? H5Dget_space (dataset) : H5I_INVALID_HID;
  n = space > 0 ? H5Sget_simple_extent_npoints (space) : -1;
  entries = n < 0 || !ifbam_hdf5_fits_memory ((double) n, table.size + 2 * sizeof (IfbamEvent))
                ? NULL
                : g_try_malloc ((gsize) n * table.size + 1);
  if (entries == NULL
      || (n > 0 && H5Dread (dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, entries) < 0))
    return NULL;
  for (hssize_t i = 0; i < n; i++)
    {
      const IfbamEvent event = event_of (&table, entries + (gsize) i * table.size);

      g_array_append_val (events, event);
    }
  return g_steal_pointer (&events);
}
