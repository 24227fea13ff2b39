/* ifbam-network.h: elements and their connections; run settings
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-course.h"
#include "element/ifbam-element.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define IFBAM_TYPE_NETWORK (ifbam_network_get_type ())
G_DECLARE_FINAL_TYPE (IfbamNetwork, ifbam_network, IFBAM, NETWORK, GObject)

/**
 * IfbamEngineKind:
 * @IFBAM_ENGINE_PLAN: arrays: fast
 * @IFBAM_ENGINE_COMPILED: machine code by the C compiler, kept in the user's cache: faster for very
 *   many steps; as the plan if it is not available (no compiler, events, an implicit scheme)
 * @IFBAM_ENGINE_OBJECTS: the dialogue of the objects, one by one
 *
 * Engine of a run. All engines give bitwise equal results.
 */
typedef enum
{
  IFBAM_ENGINE_PLAN,
  IFBAM_ENGINE_COMPILED,
  IFBAM_ENGINE_OBJECTS,
} IfbamEngineKind;

#define IFBAM_TYPE_ENGINE_KIND (ifbam_engine_kind_get_type ())
GType ifbam_engine_kind_get_type (void);

IfbamNetwork *ifbam_network_new (void);
IfbamNetwork *ifbam_network_new_from_file (const char *path, const char *const *settings,
                                           GError **error);
IfbamNetwork *ifbam_network_new_from_data (const char *data, gsize length, const char *folder,
                                           const char *const *settings, GError **error);
char *ifbam_network_to_data (IfbamNetwork *network, gsize *length, GError **error);
gboolean ifbam_network_save (IfbamNetwork *network, const char *path, GError **error);

IfbamElement *ifbam_network_add (IfbamNetwork *network, const char *class_name, const char *name,
                                 GError **error);
void ifbam_network_join (IfbamNetwork *network, IfbamElement *link, IfbamElement *left,
                         IfbamElement *right);
void ifbam_network_remove (IfbamNetwork *network, IfbamElement *element);
IfbamElement **ifbam_network_list_elements (IfbamNetwork *network, gsize *n_elements);
IfbamElement *ifbam_network_get_element (IfbamNetwork *network, const char *name);
IfbamElement *ifbam_network_get_settings (IfbamNetwork *network);

gboolean ifbam_network_check (IfbamNetwork *network, GError **error);
IfbamCourse *ifbam_network_run (IfbamNetwork *network, IfbamEngineKind engine, GError **error);

gboolean ifbam_network_reset (IfbamNetwork *network, GError **error);
void ifbam_network_turn (IfbamNetwork *network);
gboolean ifbam_network_settle (IfbamNetwork *network, GError **error);

#pragma GCC visibility pop
G_END_DECLS
