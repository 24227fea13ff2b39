/* network-reader-settings.h: settings of the command line, ELEMENT.KEY=VALUE
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/network-lines.h"

void ifbam_reader_setting_clear (IfbamReaderSetting *setting);
void ifbam_reader_add_setting_fault (IfbamNetworkReader *reader, const IfbamReaderSetting *setting,
                                     const char *format, ...) G_GNUC_PRINTF (3, 4);
void ifbam_reader_read_settings (IfbamNetworkReader *reader, const char *const *texts);
void ifbam_reader_apply_settings (IfbamNetworkReader *reader);
/* Returns the option that set a parameter of an element; NULL: the file did. */
const IfbamReaderSetting *ifbam_reader_setting_of (IfbamNetworkReader *reader,
                                                   const IfbamIssue *issue);
