/* core-library.c: the functions of build/core.so, which is loaded at run time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "core-library.h"

#include <dlfcn.h>
#include <glib.h>
#include <string.h>

static void
find (void *library, const char *name, void *place)
{
  void *symbol = dlsym (library, name);

  if (symbol == NULL)
    g_error ("%s", dlerror ());
  memcpy (place, &symbol, sizeof symbol);
}

static void
find_all (void *library, CoreLibrary *core)
{
  find (library, "ifbam_core_new", &core->make);
  find (library, "ifbam_core_free", &core->free);
  find (library, "ifbam_core_said", &core->said);
  find (library, "ifbam_core_read", &core->read);
  find (library, "ifbam_core_compile", &core->compile);
  find (library, "ifbam_core_stride", &core->stride);
  find (library, "ifbam_core_last_step", &core->last_step);
  find (library, "ifbam_core_n_nodes", &core->n_nodes);
  find (library, "ifbam_core_find_node", &core->find_node);
  find (library, "ifbam_core_advance", &core->advance);
  find (library, "ifbam_core_row", &core->row);
  find (library, "ifbam_core_rows", &core->rows);
  find (library, "ifbam_core_record", &core->record);
  find (library, "ifbam_core_n_signals", &core->n_signals);
  find (library, "ifbam_core_signals", &core->signals);
  find (library, "ifbam_core_set_start", &core->set_start);
  find (library, "ifbam_core_shape", &core->shape);
  find (library, "ifbam_core_cycle", &core->cycle);
  find (library, "ifbam_core_n_events", &core->n_events);
  find (library, "ifbam_core_event", &core->event);
  find (library, "ifbam_core_get_state", &core->get_state);
  find (library, "ifbam_core_set_state", &core->set_state);
}

const CoreLibrary *
core_library (void)
{
  static CoreLibrary core;
  static void *library = NULL;
  const char *build = g_getenv ("BUILD");
  g_autofree char *path = g_build_filename (build != NULL ? build : "build", "core.so", NULL);
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);

  if (library == NULL)
    {
      library = dlopen (absolute, RTLD_NOW | RTLD_LOCAL);
      if (library != NULL)
        find_all (library, &core);
    }
  return library == NULL ? NULL : &core;
}
