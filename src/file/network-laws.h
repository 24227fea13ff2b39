/* network-laws.h: laws by formula in a network file: [law NAME]
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/network-lines.h"

/* Reads [law NAME]. */
void ifbam_reader_read_law (IfbamNetworkReader *reader, const IfbamReaderGroup *group);
/* Gives a link the formula of its law, with the link's values of the law's parameters. */
void ifbam_reader_take_law (IfbamNetworkReader *reader, IfbamReaderGroup *group);
