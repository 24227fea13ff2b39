/* single-thread-blas.c: limits BLAS to one thread
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/single-thread-blas.h"

#include <dlfcn.h>

/* Finds a function of OpenBLAS, if it replaces the reference library. */
static gpointer
find_function (const char *name)
{
  void *program = dlopen (NULL, RTLD_LAZY);
  gpointer function = program != NULL ? dlsym (program, name) : NULL;

  if (program != NULL)
    dlclose (program);
  return function;
}

IfbamBlas
ifbam_blas_begin (void)
{
  int (*get) (void) = (int (*) (void)) find_function ("openblas_get_num_threads");
  void (*set) (int) = (void (*) (int)) find_function ("openblas_set_num_threads");
  IfbamBlas blas = { 0 };

  if (get == NULL || set == NULL)
    return blas;
  blas.threads = get ();
  set (1);
  return blas;
}

void
ifbam_blas_end (IfbamBlas *blas)
{
  void (*set) (int) = (void (*) (int)) find_function ("openblas_set_num_threads");

  if (set != NULL && blas->threads > 1)
    set (blas->threads);
}
