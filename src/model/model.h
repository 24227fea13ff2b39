/* model.h: a network compiled to arrays: nodes, links, signal names, degrees of freedom
 *
 * Other directories include this header, not the headers that it includes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compiled-model.h"
#include "model/courses.h"
#include "model/degrees-of-freedom.h"
#include "model/dof-groups.h"
#include "model/initial-configuration.h"
#include "model/partition-sums.h"
#include "model/signal-names.h"
#include "model/signal-quantities.h"
#include "model/subnetwork.h"
#include "model/links.h"
