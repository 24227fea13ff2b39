/* param-spec.h: rows of parameter tables as properties of GObject
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib-object.h>

#include "base/param.h"

GParamSpec *ifbam_param_spec (const IfbamParam *param);
