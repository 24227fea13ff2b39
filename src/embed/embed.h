/* embed.h: headers of this directory for commands; programs of users include ifbam.h or core.h
 *
 * Other directories include this header, not those that it includes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/api-catalogue.h"
#include "embed/api-equilibrium.h"
#include "embed/api-stability.h"
#include "embed/c-source.h"
#include "embed/fmu-export.h"
#include "embed/generated-engine.h"
