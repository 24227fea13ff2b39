/* file.h: network files, units, tables, time series, results and saved states
 *
 * Other directories include this header, not those that it includes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/columns-file.h"
#include "file/columns-input.h"
#include "file/columns-writer.h"
#include "file/core-writer.h"
#include "file/course.h"
#include "file/csv-dialect.h"
#include "file/csv-reader.h"
#include "file/csv-table.h"
#include "file/element-formula.h"
#include "file/element-text.h"
#include "file/expression.h"
#include "file/grid.h"
#include "file/hdf5.h"
#include "file/json-writer.h"
#include "file/network.h"
#include "file/object-bytes.h"
#include "file/output-file.h"
#include "file/parameters.h"
#include "file/printable-text.h"
#include "file/quantities.h"
#include "file/result.h"
#include "file/sealed-file.h"
#include "file/state-file.h"
