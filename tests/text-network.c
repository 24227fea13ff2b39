/* text-network.c: networks from texts, for tests
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "text-network.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glib/gstdio.h>

IfbamNetwork *
text_network_try (const char *text, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("ifbam-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "network.ini", NULL);
  IfbamNetwork *network;

  assert_true (g_file_set_contents (path, text, -1, NULL));
  network = ifbam_network_new_from_file (path, NULL, error);
  g_remove (path);
  g_rmdir (folder);
  return network;
}

IfbamNetwork *
text_network (const char *text)
{
  g_autoptr (GError) error = NULL;
  IfbamNetwork *network = text_network_try (text, &error);

  if (network == NULL)
    fail_msg ("%s\n%s", error->message, text);
  return network;
}
