/* element.h: an element class: its parameters, nodes, links, sources and composites
 *
 * Other directories include this header, not the headers that it includes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/branch.h"
#include "element/builder.h"
#include "element/element-info.h"
#include "element/element-table.h"
#include "element/element-wave.h"
#include "element/event-times.h"
#include "element/extrapolation.h"
#include "element/geometry-endpoints.h"
#include "element/implied-ground.h"
#include "element/link-class.h"
#include "element/link.h"
#include "element/node.h"
#include "element/source.h"
#include "element/state-node.h"
