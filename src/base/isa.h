/* isa.h: variants of a kernel for instruction sets, chosen when a model is made
 *
 * The same C is compiled for each; without contraction and reassociation the bits agree.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef enum
{
  IFBAM_ISA_BASELINE,
#if defined __x86_64__
  IFBAM_ISA_AVX2,
  IFBAM_ISA_AVX512,
#endif
  IFBAM_N_ISA,
} IfbamIsa;

/* For small files, or counted branches, one body serves all variants. */
#if (defined __wasm__ && defined __OPTIMIZE_SIZE__) || defined IFBAM_COUNTED
#define IFBAM_INLINE static inline
#else
#define IFBAM_INLINE static inline __attribute__ ((always_inline))
#endif

/* Prevents vectorization of a loop: gathering a vector of looked up numbers takes longer than it
 * saves, and for few of them the preparations take longer than the loop. */
#define IFBAM_SCALAR_LOOP __asm__("")

/* For loops with separate columns: otherwise compilers test that at run time, every time. */
#if defined __wasm__ && defined __OPTIMIZE_SIZE__ /* two lanes gain little in rare code */
#define IFBAM_VECTOR_LOOP
#elif defined __clang__
#define IFBAM_VECTOR_LOOP _Pragma ("clang loop vectorize(assume_safety)")
#else
#define IFBAM_VECTOR_LOOP _Pragma ("GCC ivdep")
#endif

/* Law i of those with parameters in columns, as p.law. */
#define IFBAM_LAW_AT(Law, i)                                                                       \
  union                                                                                            \
  {                                                                                                \
    Law law;                                                                                       \
    double number[sizeof (Law) / sizeof (double)];                                                 \
  } p;                                                                                             \
  for (gsize k = 0; k < G_N_ELEMENTS (p.number); k++)                                              \
    p.number[k] = parameters[k][i];

#if defined __x86_64__ && defined __clang__
#define IFBAM_TARGET_AVX2   __attribute__ ((target ("arch=x86-64-v3")))
#define IFBAM_TARGET_AVX512 __attribute__ ((target ("arch=x86-64-v4"), min_vector_width (512)))
#elif defined __x86_64__
#define IFBAM_TARGET_AVX2   __attribute__ ((target ("arch=x86-64-v3")))
#define IFBAM_TARGET_AVX512 __attribute__ ((target ("arch=x86-64-v4,prefer-vector-width=512")))
#endif

/* VARIANT (name, level, target) for each instruction set; ROW (name, level) of each, with
 * commas. */
#if defined __x86_64__
#define IFBAM_EACH_ISA(VARIANT, name)                                                              \
  VARIANT (name, baseline, )                                                                       \
  VARIANT (name, avx2, IFBAM_TARGET_AVX2)                                                          \
  VARIANT (name, avx512, IFBAM_TARGET_AVX512)
#define IFBAM_ISA_LIST(ROW, name) ROW (name, baseline), ROW (name, avx2), ROW (name, avx512)
#else
#define IFBAM_EACH_ISA(VARIANT, name) VARIANT (name, baseline, )
#define IFBAM_ISA_LIST(ROW, name)     ROW (name, baseline)
#endif
#define IFBAM_ISA_KERNEL(name, level) name##_##level

/* Returns the best instruction set of this processor, or the one in the environment's IFBAM_ISA
 * (baseline, avx2, avx512) if the processor has it. */
IfbamIsa ifbam_isa_choose (void);
