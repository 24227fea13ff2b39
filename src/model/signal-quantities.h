/* signal-quantities.h: quantities of nodes, links, sources and bodies, with their units
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/signal-types.h"

/* Kinds of owners of quantities. */
typedef enum
{
  IFBAM_QUANTITY_OF_NODE = 1 << 0,
  IFBAM_QUANTITY_OF_LINK = 1 << 1,
  IFBAM_QUANTITY_OF_SOURCE = 1 << 2,
  IFBAM_QUANTITY_OF_BODY = 1 << 3, /* in the plane */
  IFBAM_QUANTITY_OF_NETWORK = 1 << 4,
  IFBAM_QUANTITY_ON_TABLE = 1 << 5, /* seen from above */
  IFBAM_QUANTITY_OF_MOVER = 1 << 6, /* a given node or a branch */
} IfbamQuantityOwner;

/* A quantity of some owners, in some domains. */
typedef struct
{
  guint owner;
  guint32 domains;
  const char *name;
  IfbamSignalKind kind;
  const char *title; /* for axes; NULL: name */
  const char *rate;  /* quantity of its rate, for a coordinate */
} IfbamQuantityInfo;

/* Returns a quantity of an owner in a domain (IFBAM_DOMAIN_ANY: a link that
 * reads a signal; one more: a controller); NULL: none of this name. name: NULL: the
 * first one. */
const IfbamQuantityInfo *ifbam_quantity_find (IfbamQuantityOwner owner, guint domain,
                                              const char *name);

/* Returns a row of the table; NULL: at its end. */
const IfbamQuantityInfo *ifbam_quantity_at (guint index);

/* Returns a quantity of a node; forces do not determine a massless node's acceleration. */
const IfbamQuantityInfo *ifbam_quantity_of_node (const IfbamModel *model, gsize node,
                                                 const char *name);

/* Returns the unit in a domain. Static. */
const char *ifbam_quantity_unit (const IfbamQuantityInfo *quantity, IfbamDomain domain);

/* Returns TRUE for elements with coordinates of their own. */
gboolean ifbam_element_is_in_plane (const IfbamElementInfo *info);

/* Returns the domain for a link's quantities. */
guint ifbam_quantity_domain_of_link (const IfbamElementInfo *info);

/* Returns the quantities of a class ("position, velocity, acceleration"). Static. */
const char *ifbam_signal_quantities (const IfbamElementInfo *info);
/* Returns the signal of a coordinate's rate: "m1.velocity" for "m1.position" (transfer full); NULL
 * for signals without a coordinate's name. */
char *ifbam_signal_rate (const char *signal);
/* Finds a signal's quantity and unit (static) by name: "force" may be a torque. FALSE: unknown. */
gboolean ifbam_signal_unit (const char *signal, const char **quantity, const char **unit);
