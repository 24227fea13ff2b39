/* openblas.c: prevents OpenBLAS from waiting for memory for ever
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "program/command.h"
#include "file/file.h"

/* OpenBLAS starts a thread for each processor before main. If memory is limited, these retry their
 * allocation for ever, and the program's end waits for them. The program doesn't use these threads:
 * only one processor is visible while libraries are initialised. */
static cpu_set_t processors, one;
static gboolean processors_known;

/* Sanitizers are not initialised at this point. */
__attribute__ ((no_sanitize ("address", "thread", "undefined"))) static void
hide_processors (void)
{
  processors_known = sched_getaffinity (0, sizeof processors, &processors) == 0;
  if (!processors_known)
    return;
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT (&one) == 0; i++)
    if (CPU_ISSET (i, &processors))
      CPU_SET (i, &one);
  sched_setaffinity (0, sizeof one, &one);
}

__attribute__ ((section (".preinit_array"),
                used)) static void (*const before_libraries) (void) = hide_processors;

__attribute__ ((constructor)) static void
show_processors (void)
{
  if (processors_known)
    sched_setaffinity (0, sizeof processors, &processors);
}

/* Size of a buffer that OpenBLAS allocates per computing thread [bytes]. */
#define BUFFER (128 << 20)

static void *(*own_alloc) (int place);
static GOnce found = G_ONCE_INIT;

static gpointer
find_own (gpointer data)
{
  void *function = dlsym (RTLD_NEXT, "blas_memory_alloc");

  (void) data;
  memcpy (&own_alloc, &function, sizeof own_alloc);
  return NULL;
}

G_NORETURN static void
give_up (void)
{
  static const char message[] =
      "ifbam: memory is too short for linear algebra (OpenBLAS needs 128 MiB of address space for "
      "each thread; see ulimit -v)\n";

  ifbam_output_abandon ();
  if (write (STDERR_FILENO, message, sizeof message - 1) < 0)
    _exit (IFBAM_EXIT_FAILED);
  _exit (IFBAM_EXIT_FAILED);
}

#pragma GCC visibility push(default)
void *blas_memory_alloc (int place);

/* Replaces OpenBLAS's function of this name, which retries for ever if memory is refused (0.3.21):
 * the buffer is allocated only if that is possible. LAPACK can't return an error. */
void *
blas_memory_alloc (int place)
{
  static __thread gboolean had;

  if (!had)
    {
      void *trial = mmap (NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

      if (trial == MAP_FAILED)
        give_up ();
      munmap (trial, BUFFER);
      had = TRUE;
    }
  g_once (&found, find_own, NULL);
  return own_alloc (place);
}
#pragma GCC visibility pop
