/* figure.h: pictures: charts, network diagrams, movies
 *
 * Other directories include this header, not those that it includes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/axis-units.h"
#include "figure/campbell-figure.h"
#include "figure/chart-drawing.h"
#include "figure/chart.h"
#include "figure/diagram-layout.h"
#include "figure/diagram.h"
#include "figure/element-labels.h"
#include "figure/modes-figure.h"
#include "figure/movie.h"
#include "figure/orbit-figure.h"
#include "figure/path-figure.h"
#include "figure/plane-places.h"
#include "figure/plane-scene.h"
#include "figure/response-figure.h"
#include "figure/root-loci.h"
#include "figure/scheme-figures.h"
#include "figure/stability-region.h"
#include "figure/sweep-figure.h"
