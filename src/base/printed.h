/* printed.h: texts of a class or scheme for readers
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* A literal. The core in a page prints no texts: it has only the first letter. */
#ifdef __wasm__
typedef char IfbamPrinted[1];
#else
typedef const char *IfbamPrinted;
#endif
#define IFBAM_IS_PRINTED (sizeof (IfbamPrinted) > 1)
/* A function or a name for output only. */
#define IFBAM_PRINTED(what) (IFBAM_IS_PRINTED ? (what) : NULL)
