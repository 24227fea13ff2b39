/* printed.h: texts that a class or scheme has for who reads about it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* A literal. The core of a page is sent about, and tells nobody: there only the first letter is kept. */
#ifdef __wasm__
typedef char IfbamPrinted[1];
#else
typedef const char *IfbamPrinted;
#endif
#define IFBAM_IS_PRINTED (sizeof (IfbamPrinted) > 1)
/* A function that only prints, or a name that nobody asks for there. */
#define IFBAM_PRINTED(what) (IFBAM_IS_PRINTED ? (what) : NULL)
