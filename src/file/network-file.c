/* network-file.c: the bytes of network files
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "file/network.h"

/* Array lengths are guint. */
#define MAX_BYTES (G_MAXUINT - (1u << 20))

/* A zero byte ends the file at once, and thereby an endless device. */
static char *
read_stream (const char *path, FILE *stream, gsize *length, GError **error)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 buffer[65536];
  g_autofree char *lack = NULL;
  gboolean ended = FALSE;
  double asked = 0;
  gsize n;

  while (!ended && (n = fread (buffer, 1, sizeof buffer, stream)) > 0)
    {
      lack = ifbam_memory_lack_of_growing (2 * (double) bytes->len, &asked);
      ended = memchr (buffer, 0, n) != NULL || bytes->len > MAX_BYTES || lack != NULL;
      g_byte_array_append (bytes, buffer, (guint) n);
    }
  *length = bytes->len;
  if (!ferror (stream) && bytes->len <= MAX_BYTES && lack == NULL)
    {
      g_byte_array_append (bytes, (const guint8 *) "", 1);
      return (char *) g_byte_array_free (bytes, FALSE);
    }
  if (ferror (stream))
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                 errno == EISDIR ? "%s: is a folder, not a network file" : "%s: can't be read: %s",
                 path, g_strerror (errno));
  else
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                 "%s: a text of more than %u bytes needs %s", path, bytes->len,
                 lack != NULL ? lack : "numbers of more than 32 bits");
  g_byte_array_unref (bytes);
  return NULL;
}

static char *
read_bytes (const char *path, gsize *length, GError **error)
{
  FILE *stream;
  char *text;

  if (g_str_equal (path, "-"))
    return read_stream ("standard input", stdin, length, error);
  stream = fopen (path, "rbe");
  if (stream == NULL)
    {
      const int number = errno;
      g_autofree char *longer = g_strconcat (path, ".ini", NULL);
      const gboolean meant = number == ENOENT && g_file_test (longer, G_FILE_TEST_IS_REGULAR);

      return ifbam_fail_null (error, IFBAM_ERROR_NETWORK, "%s: can't be read: %s%s%s%s", path,
                              number == ENOENT ? "no such file" : g_strerror (number),
                              meant ? " (did you mean \"" : "", meant ? longer : "",
                              meant ? "\"?)" : "");
    }
  text = read_stream (path, stream, length, error);
  fclose (stream);
  return text;
}

IfbamNetworkBytes *
ifbam_network_bytes_new (const char *path, GError **error)
{
  const gboolean standard = g_str_equal (path, "-");
  IfbamNetworkBytes *bytes = g_new0 (IfbamNetworkBytes, 1);

  bytes->path = g_strdup (standard ? "standard input" : path);
  bytes->folder = standard ? NULL : g_path_get_dirname (path);
  bytes->text = read_bytes (path, &bytes->length, error);
  if (bytes->text == NULL)
    g_clear_pointer (&bytes, ifbam_network_bytes_free);
  return bytes;
}

void
ifbam_network_bytes_free (IfbamNetworkBytes *bytes)
{
  if (bytes == NULL)
    return;
  g_free (bytes->path);
  g_free (bytes->folder);
  g_free (bytes->text);
  g_free (bytes);
}

char *
ifbam_network_checksum (const char *text, gsize length)
{
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text, length);
}

IfbamNetwork *
ifbam_network_new_compiled_by (const IfbamNetworkBytes *bytes, const char *const *settings,
                               const IfbamCompiling *compiling, IfbamModel **model,
                               IfbamRunSpec *spec, IfbamSignals **signals, GError **error)
{
  g_autofree char *text = g_memdup2 (bytes->text, bytes->length + 1);

  return ifbam_network_read (bytes, text, settings, compiling, model, spec, signals, error);
}
