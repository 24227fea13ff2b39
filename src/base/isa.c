/* isa.c: detection of this processor's instruction set
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/isa.h"

#include <glib.h>

static IfbamIsa
best_level (void)
{
#if defined __x86_64__
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512bw")
      && __builtin_cpu_supports ("avx512cd") && __builtin_cpu_supports ("avx512dq")
      && __builtin_cpu_supports ("avx512vl"))
    return IFBAM_ISA_AVX512;
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi")
      && __builtin_cpu_supports ("bmi2") && __builtin_cpu_supports ("fma"))
    return IFBAM_ISA_AVX2;
#endif
  return IFBAM_ISA_BASELINE;
}

IfbamIsa
ifbam_isa_choose (void)
{
  static const char *const names[] = { "baseline", "avx2", "avx512" };
  const char *wanted = g_getenv ("IFBAM_ISA");
  IfbamIsa best = best_level ();

  for (guint i = 0; wanted != NULL && i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (wanted, names[i]) && (IfbamIsa) i <= best)
      return (IfbamIsa) i;
  return best;
}
