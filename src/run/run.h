/* run.h: from a network file to samples: one run, variants in lanes, several processes
 *
 * Other directories include this header, not the headers that it includes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "run/communicator.h"
#include "run/distributed-engine.h"
#include "run/divergence.h"
#include "run/distributed-input.h"
#include "run/event-list.h"
#include "run/network-graph.h"
#include "run/prepare-network.h"
#include "run/rank-limits.h"
#include "run/run-loop.h"
#include "run/subdomain.h"
#include "run/variant-lanes.h"
