/* manifest.c: manifest of a result as attributes: network, options, version
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/manifest.h"

#include <string.h>

#include "base/ifbam-error.h"

static const struct
{
  const char *name;
  gsize offset;
} texts[] = {
  { "version", G_STRUCT_OFFSET (IfbamManifest, version) },
  { "network", G_STRUCT_OFFSET (IfbamManifest, network) },
  { "file", G_STRUCT_OFFSET (IfbamManifest, file) },
  { "folder", G_STRUCT_OFFSET (IfbamManifest, folder) },
  { "sha256", G_STRUCT_OFFSET (IfbamManifest, sha256) },
  { "columns", G_STRUCT_OFFSET (IfbamManifest, columns) },
  { "scheme", G_STRUCT_OFFSET (IfbamManifest, scheme) },
  { "start", G_STRUCT_OFFSET (IfbamManifest, start) },
}, numbers[] = {
  { "step", G_STRUCT_OFFSET (IfbamManifest, step) },
  { "duration", G_STRUCT_OFFSET (IfbamManifest, duration) },
  { "sample", G_STRUCT_OFFSET (IfbamManifest, sample) },
};

IfbamManifest *
ifbam_manifest_new (const char *file, const char *folder, const char *text, const char *sha256,
                    const char *const *options)
{
  IfbamManifest *manifest = g_new0 (IfbamManifest, 1);

  manifest->version = g_strdup (IFBAM_VERSION);
  manifest->network = g_strdup (text);
  manifest->file = g_strdup (file);
  manifest->folder = g_canonicalize_filename (folder != NULL ? folder : ".", NULL);
  manifest->sha256 = g_strdup (sha256);
  manifest->options = g_strdupv ((char **) options);
  return manifest;
}

void
ifbam_manifest_free (IfbamManifest *manifest)
{
  if (manifest == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (G_STRUCT_MEMBER (char *, manifest, texts[i].offset));
  g_strfreev (manifest->options);
  g_free (manifest);
}

gboolean
ifbam_manifest_put (hid_t file, const IfbamManifest *manifest)
{
  static const char *const none[] = { NULL };
  const char *const *options =
      manifest->options != NULL ? (const char *const *) manifest->options : none;
  /* The text of a network may exceed 64 kB. */
  AutoHid group = ifbam_hdf5_make_group (file, "manifest", TRUE);
  gboolean fine;

  fine = group > 0
         && ifbam_hdf5_put_texts (group, "options", options, g_strv_length ((char **) options));
  for (guint i = 0; fine && i < G_N_ELEMENTS (texts); i++)
    {
      const char *text = G_STRUCT_MEMBER (char *, manifest, texts[i].offset);

      fine = text == NULL || ifbam_hdf5_put_text (group, texts[i].name, text);
    }
  /* Variants of a sweep may have their own schemes and steps. */
  for (guint i = 0; fine && i < G_N_ELEMENTS (numbers) && manifest->scheme != NULL; i++)
    fine = ifbam_hdf5_put_number (group, numbers[i].name,
                                  G_STRUCT_MEMBER (double, manifest, numbers[i].offset));
  return fine;
}

/* Returns FALSE if an existing value can't be read. */
static gboolean
get_values (hid_t group, IfbamManifest *manifest)
{
  gboolean fine = group > 0;
  htri_t exists;

  for (guint i = 0; i < G_N_ELEMENTS (texts) && fine; i++)
    {
      char **text = &G_STRUCT_MEMBER (char *, manifest, texts[i].offset);

      exists = H5Aexists (group, texts[i].name);
      *text = exists > 0 ? ifbam_hdf5_get_text (group, texts[i].name) : NULL;
      fine = *text != NULL || exists == 0;
    }
  for (guint i = 0; i < G_N_ELEMENTS (numbers) && fine; i++)
    {
      exists = H5Aexists (group, numbers[i].name);
      fine = exists == 0
             || (exists > 0
                 && ifbam_hdf5_get_number (group, numbers[i].name,
                                           &G_STRUCT_MEMBER (double, manifest, numbers[i].offset)));
    }
  manifest->options = fine ? ifbam_hdf5_get_texts (group, "options", NULL) : NULL;
  return fine && (manifest->options != NULL || H5Aexists (group, "options") == 0);
}

IfbamManifest *
ifbam_manifest_get (hid_t file, const char *path, GError **error)
{
  AutoHid group = H5Gopen2 (file, "manifest", H5P_DEFAULT);
  g_autoptr (IfbamManifest) manifest = g_new0 (IfbamManifest, 1);

  if (get_values (group, manifest))
    return g_steal_pointer (&manifest);
  ifbam_hdf5_fail (path, "lacks the network and options that produced it", IFBAM_ERROR_COURSE,
                   error);
  return NULL;
}

char *
ifbam_manifest_difference (const IfbamManifest *then, const IfbamManifest *now)
{
  g_autofree char *asked = then->options != NULL ? g_strjoinv (" ", then->options) : g_strdup ("");
  g_autofree char *asks = g_strjoinv (" ", now->options);

  if (g_strcmp0 (then->sha256, now->sha256) != 0)
    return g_strdup ("is of another network: the file's text has changed since");
  if (g_strcmp0 (then->columns, now->columns) != 0)
    return g_strdup ("is of another network: a file of columns that it names has changed since");
  if (g_strcmp0 (then->version, now->version) != 0)
    return g_strdup ("is of another version of ifbam");
  return strcmp (asked, asks) == 0 ? NULL
                                   : g_strdup_printf ("was made with other options: \"%s\"", asked);
}
