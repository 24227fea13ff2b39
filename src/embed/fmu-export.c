/* fmu-export.c: writes an FMU: description, network, list of variables, shared object
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/fmu-export.h"

#include <string.h>

#include "embed/zip-archive.h"
#include "fmu-resource.h"
#include "embed/fmu-list.h"

#if defined __x86_64__
#define ARCHITECTURE "x86_64"
#elif defined __aarch64__
#define ARCHITECTURE "aarch64"
#else
#define ARCHITECTURE "unknown"
#endif
#define FOLDER_3 "binaries/" ARCHITECTURE "-linux/"
#define FOLDER_2 "binaries/linux64/"

char *
ifbam_fmu_identifier (const char *path)
{
  char *name = g_path_get_basename (path), *dot = strrchr (name, '.');

  if (dot != NULL && dot != name)
    *dot = '\0';
  for (char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c))
      *c = '_';
  if (g_ascii_isdigit (name[0]))
    {
      char *longer = g_strconcat ("_", name, NULL);

      g_free (name);
      return longer;
    }
  return name;
}

/* Has the form of a UUID, as importers expect. */
static char *
make_token (const IfbamFmuContent *content)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  const char *sum;

  g_checksum_update (checksum, (const guchar *) content->text, -1);
  g_checksum_update (checksum, (const guchar *) content->list, -1);
  sum = g_checksum_get_string (checksum);
  return g_strdup_printf ("{%.8s-%.4s-%.4s-%.4s-%.12s}", sum, sum + 8, sum + 12, sum + 16,
                          sum + 20);
}

gboolean
ifbam_fmu_write (IfbamOutput *output, const IfbamFmuContent *content, const IfbamRunSpec *spec,
                 const IfbamFmuNames *names, GError **error)
{
  g_autofree char *token = make_token (content);
  const IfbamFmuNames complete = { names->version, names->identifier, names->title, token };
  g_autofree char *description = ifbam_fmu_description (content, spec, &complete);
  g_autofree char *list = g_strdup_printf ("%s %s\n%s", FMU_MAGIC, token, content->list);
  g_autofree char *binary =
      g_strdup_printf ("%s%s.so", names->version == 3 ? FOLDER_3 : FOLDER_2, names->identifier);
  g_autoptr (GBytes) object = g_resource_lookup_data (
      ifbam_fmu_get_resource (), "/ifbam/fmu/fmu.so", G_RESOURCE_LOOKUP_FLAGS_NONE, error);
  gsize size;

  if (object == NULL)
    return FALSE;
  {
    gconstpointer data = g_bytes_get_data (object, &size);
    const IfbamArchiveFile files[] = {
      { "modelDescription.xml", description, strlen (description) },
      { binary, data, size },
      { "resources/" FMU_NETWORK, content->text, strlen (content->text) },
      { "resources/" FMU_VARIABLES, list, strlen (list) },
    };

    return ifbam_zip_archive_write (output, files, G_N_ELEMENTS (files), error);
  }
}
