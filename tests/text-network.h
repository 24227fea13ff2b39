/* text-network.h: networks from texts, for tests
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "network/ifbam-network.h"

/* A network of a text, by way of a file that is gone again (transfer full). */
IfbamNetwork *text_network_try (const char *text, GError **error);
/* Fails the test where it is refused (transfer full). */
IfbamNetwork *text_network (const char *text);
