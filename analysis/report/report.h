/* report.h: the report: its sections, its page, its step-size study
 *
 * Other directories include this header, not those that it includes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "report/html-page.h"
#include "report/report-sections.h"
#include "report/step-size-study.h"
