/* ifbam-events.h: the events of a run, in order
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib-object.h>

#include "engine/ifbam-event.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define IFBAM_TYPE_EVENT (ifbam_event_get_type ())
GType ifbam_event_get_type (void);

#define IFBAM_TYPE_EVENTS (ifbam_events_get_type ())
G_DECLARE_FINAL_TYPE (IfbamEvents, ifbam_events, IFBAM, EVENTS, GObject)

gsize ifbam_events_get_n_events (IfbamEvents *events);
const IfbamEvent *ifbam_events_get_event (IfbamEvents *events, gsize number);
const IfbamEvent *ifbam_events_list (IfbamEvents *events, gsize *n_events);
gboolean ifbam_events_write_csv (IfbamEvents *events, const char *path, GError **error);

#pragma GCC visibility pop
G_END_DECLS
