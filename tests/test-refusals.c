/* test-refusals.c: a failed allocation, library call or interrupt gives an error message or equal numbers
 *
 * The linker wraps these calls: of each, the nth call fails, for each n. An analysis then either fails with a message
 * and without a result, or has computed its usual numbers by another method.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpack.h>
#include <cholmod.h>
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>
#include <umfpack.h>

#include "base/ifbam-error.h"
#include "base/memory.h"
#include "fixture.h"
#include "embed/ifbam.h"
#include "linear/linear.h"
#include "linear/sparse-matrix.h"
#include "run/run.h"
#include "engine/engine.h"

/* Calls that may fail */

typedef enum
{
  NOTHING,
  ALLOCATION, /* of large data */
  JUDGEMENT,  /* whether there is memory */
  LAPACK,
  ARPACK,
  ARPACK_END,
  ANALYSIS, /* symbolic factors */
  FACTORS,
  SOLUTION,
  SINGULAR, /* factors that are said to be none */
  PROGRESS, /* an interrupt */
  N_REFUSALS,
} Refusal;

static const char *const refusal_names[N_REFUSALS] = { "nothing",  "allocation", "judgement",
                                                       "lapack",   "arpack",     "arpack's end",
                                                       "symbols",  "factors",    "solution",
                                                       "singular", "progress" };
static Refusal refusing;
static guint calls, nth;

static gboolean
refuses (Refusal kind)
{
  return refusing == kind && ++calls == nth;
}

/* The linker wraps calls between libraries, too. */
#pragma GCC visibility push(default)

/* Wraps NAME: its nth call returns VALUE; AFTER: statements before. */
#define WRAP(kind, type, name, list, arguments, value, after)                                      \
  type __real_##name list;                                                                         \
  type __wrap_##name list;                                                                         \
  type __wrap_##name list                                                                          \
  {                                                                                                \
    if (refuses (kind))                                                                            \
      {                                                                                            \
        after;                                                                                     \
        return value;                                                                              \
      }                                                                                            \
    return __real_##name arguments;                                                                \
  }

WRAP (ALLOCATION, gpointer, g_try_malloc, (gsize n), (n), NULL, )
WRAP (ALLOCATION, gpointer, g_try_malloc0, (gsize n), (n), NULL, )
/* A machine with memory for any request. */
static gboolean endless;

char *__real_ifbam_memory_lack (double bytes);
char *__wrap_ifbam_memory_lack (double bytes);
char *
__wrap_ifbam_memory_lack (double bytes)
{
  if (refuses (JUDGEMENT))
    return g_strdup_printf ("%g B of memory, and 0 B are free", bytes);
  return endless ? NULL : __real_ifbam_memory_lack (bytes);
}

WRAP (LAPACK, lapack_int, LAPACKE_dsyevd,
      (int layout, char job, char triangle, lapack_int n, double *a, lapack_int lda, double *w),
      (layout, job, triangle, n, a, lda, w), 1, )
WRAP (LAPACK, lapack_int, LAPACKE_dsyev,
      (int layout, char job, char triangle, lapack_int n, double *a, lapack_int lda, double *w),
      (layout, job, triangle, n, a, lda, w), 1, )
WRAP (LAPACK, lapack_int, LAPACKE_dgesvj,
      (int layout, char a, char u, char v, lapack_int m, lapack_int n, double *x, lapack_int ldx,
       double *s, lapack_int mv, double *y, lapack_int ldy, double *statistics),
      (layout, a, u, v, m, n, x, ldx, s, mv, y, ldy, statistics), 1, )
WRAP (LAPACK, lapack_int, LAPACKE_dgeev,
      (int layout, char left, char right, lapack_int n, double *a, lapack_int lda, double *wr,
       double *wi, double *vl, lapack_int ldl, double *vr, lapack_int ldr),
      (layout, left, right, n, a, lda, wr, wi, vl, ldl, vr, ldr), LAPACK_WORK_MEMORY_ERROR, )
WRAP (LAPACK, lapack_int, LAPACKE_dstev,
      (int layout, char job, lapack_int n, double *d, double *e, double *z, lapack_int ldz),
      (layout, job, n, d, e, z, ldz), 1, )
WRAP (LAPACK, lapack_int, LAPACKE_dgelsy,
      (int layout, lapack_int m, lapack_int n, lapack_int nr, double *a, lapack_int lda, double *b,
       lapack_int ldb, lapack_int *pivot, double rcond, lapack_int *rank),
      (layout, m, n, nr, a, lda, b, ldb, pivot, rcond, rank), 1, )
WRAP (LAPACK, lapack_int, LAPACKE_dgeqp3,
      (int layout, lapack_int m, lapack_int n, double *a, lapack_int lda, lapack_int *pivot,
       double *scale),
      (layout, m, n, a, lda, pivot, scale), LAPACK_WORK_MEMORY_ERROR, )
WRAP (LAPACK, lapack_int, LAPACKE_dormqr,
      (int layout, char side, char turned, lapack_int m, lapack_int n, lapack_int k,
       const double *a, lapack_int lda, const double *scale, double *c, lapack_int ldc),
      (layout, side, turned, m, n, k, a, lda, scale, c, ldc), LAPACK_WORK_MEMORY_ERROR, )
WRAP (LAPACK, lapack_int, LAPACKE_dtrtrs,
      (int layout, char triangle, char turned, char unit, lapack_int n, lapack_int k,
       const double *a, lapack_int lda, double *b, lapack_int ldb),
      (layout, triangle, turned, unit, n, k, a, lda, b, ldb), 1, )
WRAP (LAPACK, lapack_int, LAPACKE_dgesvd,
      (int layout, char left, char right, lapack_int m, lapack_int n, double *a, lapack_int lda,
       double *s, double *u, lapack_int ldu, double *vt, lapack_int ldvt, double *rest),
      (layout, left, right, m, n, a, lda, s, u, ldu, vt, ldvt, rest), 1, )
WRAP (LAPACK, lapack_int, LAPACKE_dgesv,
      (int layout, lapack_int n, lapack_int nrhs, double *a, lapack_int lda, lapack_int *pivot,
       double *b, lapack_int ldb),
      (layout, n, nrhs, a, lda, pivot, b, ldb), 1, )

void __real_dsaupd_c (int *ido, const char *matrix, int n, const char *which, int wanted,
                      double tolerance, double *residual, int ncv, double *v, int ldv, int *iparam,
                      int *ipntr, double *workd, double *workl, int lworkl, int *info);
void __wrap_dsaupd_c (int *ido, const char *matrix, int n, const char *which, int wanted,
                      double tolerance, double *residual, int ncv, double *v, int ldv, int *iparam,
                      int *ipntr, double *workd, double *workl, int lworkl, int *info);
void
__wrap_dsaupd_c (int *ido, const char *matrix, int n, const char *which, int wanted,
                 double tolerance, double *residual, int ncv, double *v, int ldv, int *iparam,
                 int *ipntr, double *workd, double *workl, int lworkl, int *info)
{
  if (refuses (ARPACK))
    {
      *ido = 99;
      *info = -9999;
    }
  else
    __real_dsaupd_c (ido, matrix, n, which, wanted, tolerance, residual, ncv, v, ldv, iparam, ipntr,
                     workd, workl, lworkl, info);
}

void __real_dnaupd_c (int *ido, const char *matrix, int n, const char *which, int wanted,
                      double tolerance, double *residual, int ncv, double *v, int ldv, int *iparam,
                      int *ipntr, double *workd, double *workl, int lworkl, int *info);
void __wrap_dnaupd_c (int *ido, const char *matrix, int n, const char *which, int wanted,
                      double tolerance, double *residual, int ncv, double *v, int ldv, int *iparam,
                      int *ipntr, double *workd, double *workl, int lworkl, int *info);
void
__wrap_dnaupd_c (int *ido, const char *matrix, int n, const char *which, int wanted,
                 double tolerance, double *residual, int ncv, double *v, int ldv, int *iparam,
                 int *ipntr, double *workd, double *workl, int lworkl, int *info)
{
  if (refuses (ARPACK))
    {
      *ido = 99;
      *info = -9999;
    }
  else
    __real_dnaupd_c (ido, matrix, n, which, wanted, tolerance, residual, ncv, v, ldv, iparam, ipntr,
                     workd, workl, lworkl, info);
}

void __real_dneupd_c (int vectors, const char *howmany, const int *select, double *dr, double *di,
                      double *z, int ldz, double sigmar, double sigmai, double *workev,
                      const char *matrix, int n, const char *which, int wanted, double tolerance,
                      double *residual, int ncv, double *v, int ldv, int *iparam, int *ipntr,
                      double *workd, double *workl, int lworkl, int *info);
void __wrap_dneupd_c (int vectors, const char *howmany, const int *select, double *dr, double *di,
                      double *z, int ldz, double sigmar, double sigmai, double *workev,
                      const char *matrix, int n, const char *which, int wanted, double tolerance,
                      double *residual, int ncv, double *v, int ldv, int *iparam, int *ipntr,
                      double *workd, double *workl, int lworkl, int *info);
void
__wrap_dneupd_c (int vectors, const char *howmany, const int *select, double *dr, double *di,
                 double *z, int ldz, double sigmar, double sigmai, double *workev,
                 const char *matrix, int n, const char *which, int wanted, double tolerance,
                 double *residual, int ncv, double *v, int ldv, int *iparam, int *ipntr,
                 double *workd, double *workl, int lworkl, int *info)
{
  if (refuses (ARPACK_END))
    *info = -14;
  else
    __real_dneupd_c (vectors, howmany, select, dr, di, z, ldz, sigmar, sigmai, workev, matrix, n,
                     which, wanted, tolerance, residual, ncv, v, ldv, iparam, ipntr, workd, workl,
                     lworkl, info);
}

WRAP (ANALYSIS, cholmod_factor *, cholmod_analyze, (cholmod_sparse * a, cholmod_common *common),
      (a, common), NULL, common->status = CHOLMOD_OUT_OF_MEMORY)
WRAP (FACTORS, int, cholmod_factorize,
      (cholmod_sparse * a, cholmod_factor *factor, cholmod_common *common), (a, factor, common),
      FALSE, common->status = CHOLMOD_OUT_OF_MEMORY)
WRAP (SOLUTION, int, cholmod_solve2,
      (int system, cholmod_factor *factor, cholmod_dense *b, cholmod_sparse *set, cholmod_dense **x,
       cholmod_sparse **x_set, cholmod_dense **y, cholmod_dense **e, cholmod_common *common),
      (system, factor, b, set, x, x_set, y, e, common), FALSE, )
WRAP (ANALYSIS, int, umfpack_di_symbolic,
      (int m, int n, const int *start, const int *row, const double *value, void **symbolic,
       const double *control, double *info),
      (m, n, start, row, value, symbolic, control, info), UMFPACK_ERROR_out_of_memory, )
WRAP (ANALYSIS, int, umfpack_zi_symbolic,
      (int m, int n, const int *start, const int *row, const double *value, const double *imaginary,
       void **symbolic, const double *control, double *info),
      (m, n, start, row, value, imaginary, symbolic, control, info), UMFPACK_ERROR_out_of_memory, )
WRAP (SINGULAR, int, umfpack_di_numeric,
      (const int *start, const int *row, const double *value, void *symbolic, void **numeric,
       const double *control, double *info),
      (start, row, value, symbolic, numeric, control, info), UMFPACK_WARNING_singular_matrix, )
WRAP (SINGULAR, int, umfpack_zi_numeric,
      (const int *start, const int *row, const double *value, const double *imaginary,
       void *symbolic, void **numeric, const double *control, double *info),
      (start, row, value, imaginary, symbolic, numeric, control, info),
      UMFPACK_WARNING_singular_matrix, )
WRAP (SOLUTION, int, umfpack_di_wsolve,
      (int system, const int *start, const int *row, const double *value, double *x,
       const double *b, void *numeric, const double *control, double *info, int *wi, double *w),
      (system, start, row, value, x, b, numeric, control, info, wi, w),
      UMFPACK_ERROR_invalid_system, )
WRAP (SOLUTION, int, umfpack_zi_wsolve,
      (int system, const int *start, const int *row, const double *value, const double *imaginary,
       double *x, double *xz, const double *b, const double *bz, void *numeric,
       const double *control, double *info, int *wi, double *w),
      (system, start, row, value, imaginary, x, xz, b, bz, numeric, control, info, wi, w),
      UMFPACK_ERROR_invalid_system, )

/* LAPACK's own, which answer a question about their memory first. */
void __real_dsyev_ (const char *job, const char *triangle, const int *n, double *a, const int *lda,
                    double *w, double *work, const int *length, int *info, size_t, size_t);
void __wrap_dsyev_ (const char *job, const char *triangle, const int *n, double *a, const int *lda,
                    double *w, double *work, const int *length, int *info, size_t one,
                    size_t other);
void
__wrap_dsyev_ (const char *job, const char *triangle, const int *n, double *a, const int *lda,
               double *w, double *work, const int *length, int *info, size_t one, size_t other)
{
  __real_dsyev_ (job, triangle, n, a, lda, w, work, length, info, one, other);
  if (*length > 0 && refuses (LAPACK))
    *info = 1;
}

void __real_dgeev_ (const char *left, const char *right, const int *n, double *a, const int *lda,
                    double *wr, double *wi, double *vl, const int *ldl, double *vr, const int *ldr,
                    double *work, const int *length, int *info, size_t, size_t);
void __wrap_dgeev_ (const char *left, const char *right, const int *n, double *a, const int *lda,
                    double *wr, double *wi, double *vl, const int *ldl, double *vr, const int *ldr,
                    double *work, const int *length, int *info, size_t one, size_t other);
void
__wrap_dgeev_ (const char *left, const char *right, const int *n, double *a, const int *lda,
               double *wr, double *wi, double *vl, const int *ldl, double *vr, const int *ldr,
               double *work, const int *length, int *info, size_t one, size_t other)
{
  __real_dgeev_ (left, right, n, a, lda, wr, wi, vl, ldl, vr, ldr, work, length, info, one, other);
  if (*length > 0 && refuses (LAPACK))
    *info = 1;
}

#pragma GCC visibility pop

/* Analyses */

static gboolean
go_on (gpointer data, double part)
{
  (void) data;
  (void) part;
  return !refuses (PROGRESS);
}

static gboolean
go_on_saying (gpointer data, const char *what)
{
  (void) data;
  assert_true (what[0] != '\0');
  return !refuses (PROGRESS);
}

#define HEAD "[network]\nstep = 1 ms\nduration = 0.1 s\n"
#define CHAIN                                                                                      \
  HEAD "[ground a]\n[chain c]\ncount = 60\nmass = 1 kg\nstiffness = 1000 N/m\nfrom = a\n"
#define FREE_CHAIN HEAD "[chain c]\ncount = 60\nmass = 1 kg\nstiffness = 1000 N/m\n"
#define DAMPED     CHAIN "damping = 0.3 N s/m\n"
#define OTHERWISE                                                                                  \
  "[characteristic s]\ncompression = -1, 0, 1\nforce = 1, 0, -1\nbetween = a, c.m30\n" /* it drives away */
#define THREE                                                                                      \
  HEAD "[ground w]\n[mass m1]\nmass = 1\n[mass m2]\nmass = 2\n[mass m3]\nmass = 3\n"               \
       "[spring k1]\nstiffness = 1000\nbetween = w, m1\n[spring k2]\nstiffness = 2000\n"           \
       "between = m1, m2\n[spring k3]\nstiffness = 1500\nbetween = m2, m3\n"
#define THREE_DAMPED THREE "[damper d]\ndamping = 3\nbetween = m1, m2\n"
#define LOOSE        THREE "[force f]\non = m3\nvalue = 5\n"
/* It leans, so that its second rod holds four coordinates together. */
#define PENDULUM                                                                                   \
  HEAD "[point p]\n[ball b]\nmass = 2\nx = 0.6\ny = -0.8\n[rod r]\nbetween = p, b\n"               \
       "[ball d]\nmass = 1\nx = 1.4\ny = -1.4\n[rod t]\nbetween = b, d\n[gravity g]\non = b, d\n"  \
       "[force push]\non = d.x\nvalue = 7\n"                                                       \
       "[ground w]\n[mass m]\nmass = 1\n[spring k]\nstiffness = 50\nbetween = m, w\n"              \
       "[spring c]\nstiffness = 10\nbetween = m, b.x\n[mass n]\nmass = 3\n[spring l]\n"            \
       "stiffness = 70\nbetween = n, w\n[cross-damper h]\ndamping = 0.1\nbetween = n, w\n"         \
       "input = m\n"
#define STAR                                                                                       \
  "[network]\nscheme = esdirk4\nstep = 1 ms\nduration = 1 s\n[junction j]\n"                       \
  "[mass m1]\nmass = 1\n[spring k1]\nstiffness = 10\nbetween = j, m1\n"                            \
  "[mass m2]\nmass = 2\n[spring k2]\nstiffness = 10\nbetween = j, m2\n"                            \
  "[mass m3]\nmass = 3\n[spring k3]\nstiffness = 10\nbetween = j, m3\n"                            \
  "[mass m4]\nmass = 4\n[spring k4]\nstiffness = 10\nbetween = j, m4\n"                            \
  "[mass m5]\nmass = 5\n[spring k5]\nstiffness = 10\nbetween = j, m5\n"                            \
  "[mass m6]\nmass = 6\n[spring k6]\nstiffness = 10\nbetween = j, m6\n"                            \
  "[mass m7]\nmass = 7\n[spring k7]\nstiffness = 10\nbetween = j, m7\n"                            \
  "[mass m8]\nmass = 8\n[spring k8]\nstiffness = 10\nbetween = j, m8\n"
#define LYING                                                                                      \
  HEAD "[ground w]\n[chain c]\ncount = 40\nmass = 1 kg\nstiffness = 1e4 N/m\nfrom = w\n"           \
       "[gravity g]\nacceleration = 9.81\non = c.m40\n[contact e]\nstiffness = 1e5\n"              \
       "between = c.m40, w\n"

typedef struct
{
  const char *name;
  const char *text;
  const char *input, *output; /* NULL: all */
  IfbamModesRequest modes;
  /* Appends the results to numbers; FALSE with an error. */
  gboolean (*ask) (gconstpointer question, const IfbamModel *model, const IfbamRunSpec *spec,
                   IfbamNetwork *network, GArray *numbers, GError **error);
  double
      tolerance; /* of results by another method, relative to the largest number; responses are computed near
                     * eigenfrequencies, as far as these are known */
} Question;

static void
add (GArray *numbers, double number)
{
  g_array_append_val (numbers, number);
}

static gboolean
ask_modes (gconstpointer data, const IfbamModel *model, const IfbamRunSpec *spec,
           IfbamNetwork *network, GArray *numbers, GError **error)
{
  const Question *question = data;
  IfbamModesRequest request = question->modes;
  g_autoptr (IfbamModes) modes = NULL;
  const IfbamMode *list;
  gsize n;

  (void) network;
  request.progress = go_on_saying;
  modes = ifbam_modes_new_for_model (model, spec, &request, error);
  if (modes == NULL)
    return FALSE;
  list = ifbam_modes_get_modes (modes, &n);
  for (gsize i = 0; i < n; i++)
    {
      add (numbers, list[i].frequency);
      add (numbers, list[i].decay_rate);
    }
  return TRUE;
}

static gboolean
ask_response (gconstpointer data, const IfbamModel *model, const IfbamRunSpec *spec,
              IfbamNetwork *network, GArray *numbers, GError **error)
{
  const Question *question = data;
  const char *const outputs[] = { question->output, NULL };
  IfbamResponseRange range = { NAN, NAN, 10, FALSE, FALSE };
  g_autoptr (IfbamResponseSystem) system =
      ifbam_response_system_new (model, spec, network->by_name, question->input,
                                 question->output != NULL ? outputs : NULL, error);
  g_autoptr (IfbamResponse) response = NULL;
  g_autofree double *frequencies = NULL;
  gsize n, n_values;

  if (system == NULL || !ifbam_response_find_modes (system, &range, go_on, NULL, error))
    return FALSE;
  frequencies = ifbam_response_grid (system, &range, &n);
  response = ifbam_response_new_for_system (system, frequencies, n, go_on, NULL, error);
  if (response == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    add (numbers, ifbam_response_get_amplitudes (response, 0, &n_values)[i]);
  return TRUE;
}

static gboolean
ask_driven (gconstpointer data, const IfbamModel *model, const IfbamRunSpec *spec,
            IfbamNetwork *network, GArray *numbers, GError **error)
{
  const Question *question = data;
  g_autofree char *text = g_strdup (question->text);
  const IfbamNetworkBytes bytes = { "file", folder, text, strlen (text), NULL };
  const char *const outputs[] = { question->output, NULL };
  IfbamResponseRange range = { 1, 20, 2, FALSE, FALSE };
  IfbamResponseCheck check = { .bytes = &bytes, .n_points = 2, .range = range, .progress = go_on };
  g_autoptr (IfbamResponseSystem) system =
      ifbam_response_system_new (model, spec, network->by_name, question->input,
                                 question->output != NULL ? outputs : NULL, error);
  g_autoptr (GArray) findings = NULL;
  const char *scheme;
  double step;

  if (system == NULL || !ifbam_response_find_modes (system, &range, go_on, NULL, error))
    return FALSE;
  findings = ifbam_response_check (system, &check, &step, &scheme, error);
  for (guint i = 0; findings != NULL && i < findings->len; i++)
    add (numbers, g_array_index (findings, IfbamResponseFinding, i).agrees);
  return findings != NULL;
}

static gboolean
ask_equilibrium (gconstpointer data, const IfbamModel *model, const IfbamRunSpec *spec,
                 IfbamNetwork *network, GArray *numbers, GError **error)
{
  g_autoptr (IfbamEquilibrium) rest = ifbam_equilibrium_new (model, spec, error);

  (void) data;
  (void) network;
  for (gsize i = 0; rest != NULL && i < model->n_nodes; i++)
    add (numbers, rest->position[i]);
  return rest != NULL;
}

/* A run, and its state on the way. */
static gboolean
ask_run (gconstpointer data, const IfbamModel *model, const IfbamRunSpec *spec,
         IfbamNetwork *network, GArray *numbers, GError **error)
{
  g_autoptr (IfbamRun) run = ifbam_run_new (network);
  g_autoptr (GBytes) state = NULL;
  double value;

  (void) data;
  (void) model;
  (void) spec;
  if (!ifbam_run_step (run, 50, NULL, error))
    return FALSE;
  state = ifbam_run_get_state (run, error);
  if (state == NULL || !ifbam_run_run (run, NULL, error)
      || !ifbam_run_get_value (run, "m3.position", &value, error))
    return FALSE;
  add (numbers, value);
  return TRUE;
}

static gboolean
ask_sweep (gconstpointer data, const IfbamModel *model, const IfbamRunSpec *spec,
           IfbamNetwork *network, GArray *numbers, GError **error)
{
  static const char *const varied[] = { "m1.mass=1,2,3 kg", NULL };
  static const char *const measured[] = { "max:m1.position", NULL };
  g_autoptr (IfbamSweepTable) table =
      ifbam_network_sweep (network, varied, measured, 10, 1, NULL, NULL, NULL, error);
  const double *values;
  gsize n;

  (void) data;
  (void) model;
  (void) spec;
  if (table == NULL)
    return FALSE;
  values = ifbam_sweep_table_get_values (table, measured[0], &n, error);
  assert_non_null (values);
  g_array_append_vals (numbers, values, (guint) n);
  return TRUE;
}

/* Of a beat: its first amplitudes. */
static gboolean
ask_spectrum (gconstpointer data, const IfbamModel *model, const IfbamRunSpec *spec,
              IfbamNetwork *network, GArray *numbers, GError **error)
{
  double times[200], values[200];
  g_autoptr (IfbamSpectrum) spectrum = NULL;
  gsize n;

  (void) data;
  (void) model;
  (void) spec;
  (void) network;
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      times[i] = 0.01 * i;
      values[i] = cos (9 * times[i]) + cos (40 * times[i]);
    }
  spectrum = ifbam_spectrum_new (times, values, G_N_ELEMENTS (times), IFBAM_WINDOW_HANN, error);
  if (spectrum == NULL)
    return FALSE;
  g_array_append_vals (numbers, ifbam_spectrum_get_amplitudes (spectrum, &n), 20);
  return TRUE;
}

/* Of a file that is read in three pieces: its last value. */
static gboolean
ask_course (gconstpointer data, const IfbamModel *model, const IfbamRunSpec *spec,
            IfbamNetwork *network, GArray *numbers, GError **error)
{
  g_autoptr (GString) text = g_string_new ("time [s],a\n");
  g_autofree char *path = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  gsize n;

  (void) data;
  (void) model;
  (void) spec;
  (void) network;
  for (guint i = 0; text->len < 300 * 1024; i++)
    g_string_append_printf (text, "%u,%0400u\n", i, i + 1);
  path = folder_write ("long.csv", text->str);
  course = ifbam_course_new_from_csv (path, error);
  if (course == NULL)
    return FALSE;
  g_array_append_vals (numbers, ifbam_course_get_values (course, "a", &n, NULL), 2);
  assert_true (n > 100);
  return TRUE;
}

static const Question questions[] = {
  { "modes of a few", THREE, .ask = ask_modes, .tolerance = 1e-9 },
  { "modes of a few, one loose",
    HEAD "[mass a]\nmass = 1\n[mass b]\nmass = 2\n[spring k]\nstiffness = 9\nbetween = a, b\n",
    .ask = ask_modes, .tolerance = 1e-9 },
  { "modes of a few that are damped", THREE_DAMPED, .ask = ask_modes, .tolerance = 1e-9 },
  { "modes of a few that are damped, two loose",
    THREE_DAMPED
    "[mass a]\nmass = 1\n[mass b]\nmass = 2\n[mass c]\nmass = 3\n[damper e]\ndamping = 1\n"
    "between = a, b\n",
    .ask = ask_modes, .tolerance = 1e-9 },
  { "modes of many", CHAIN, .modes = { .count = 3, .some = TRUE }, .ask = ask_modes,
    .tolerance = 1e-9 },
  { "modes of many that are loose", FREE_CHAIN, .modes = { .count = 3, .some = TRUE },
    .ask = ask_modes, .tolerance = 1e-9 },
  { "modes of many beside", CHAIN, .modes = { .count = 3, .some = TRUE, .near = 5 },
    .ask = ask_modes, .tolerance = 1e-9 },
  { "modes of many, indefinite", CHAIN OTHERWISE, .modes = { .count = 3, .some = TRUE },
    .ask = ask_modes, .tolerance = 1e-9 },
  { "modes of many, indefinite, beside", CHAIN OTHERWISE,
    .modes = { .count = 3, .some = TRUE, .near = 5 }, .ask = ask_modes, .tolerance = 1e-9 },
  { "modes of many that are damped", DAMPED, .modes = { .count = 3, .some = TRUE },
    .ask = ask_modes, .tolerance = 1e-9 },
  { "modes of many that are damped, beside", DAMPED,
    .modes = { .count = 3, .some = TRUE, .near = 5 }, .ask = ask_modes, .tolerance = 1e-9 },
  { "modes of many that are damped and loose", FREE_CHAIN "damping = 0.3 N s/m\n",
    .modes = { .count = 3, .some = TRUE }, .ask = ask_modes, .tolerance = 1e-9 },
  { "response", THREE_DAMPED, "force@m1", .ask = ask_response, .tolerance = 1e-7 },
  { "response to a motion", THREE, "acceleration@w", .ask = ask_response, .tolerance = 1e-7 },
  { "response of many", DAMPED, "force@c.m1", "c.m60.position", .ask = ask_response,
    .tolerance = 1e-7 },
  { "response of many, under a motion", DAMPED, "position@a", "c.m60.position", .ask = ask_response,
    .tolerance = 1e-7 },
  { "response of a ring", DAMPED "[spring l]\nstiffness = 500\nbetween = c.m1, c.m60\n",
    "force@c.m1", "c.m60.position", .ask = ask_response, .tolerance = 1e-7 },
  { "response of a ring without dampers",
    CHAIN "[spring l]\nstiffness = 500\nbetween = c.m1, c.m60\n", "force@c.m1", "c.m60.position",
    .ask = ask_response, .tolerance = 1e-7 },
  { "response beside a driven run of many", DAMPED, "force@c.m1", "c.m60.position",
    .ask = ask_driven, .tolerance = 1e-6 },
  { "driven ground", THREE_DAMPED, "position@w", .ask = ask_driven, .tolerance = 1e-6 },
  { "response beside a driven run", THREE_DAMPED, "force@m1", .ask = ask_driven,
    .tolerance = 1e-6 },
  { "modes of a mechanism that hears others", PENDULUM, .ask = ask_modes, .tolerance = 1e-9 },
  { "modes of a star about a junction", STAR, .ask = ask_modes, .tolerance = 1e-9 },
  { "equilibrium", LYING, .ask = ask_equilibrium, .tolerance = 1e-9 },
  { "equilibrium under a force", LOOSE, .ask = ask_equilibrium, .tolerance = 1e-9 },
  { "run", LOOSE, .ask = ask_run, .tolerance = 0 },
  { "sweep", THREE, .ask = ask_sweep, .tolerance = 0 },
  { "spectrum", THREE, .ask = ask_spectrum, .tolerance = 0 },
  { "course", THREE, .ask = ask_course, .tolerance = 0 },
};

/* Asks with the nth call of a kind refused; how many calls there were. */
static guint
ask (const Question *question, Refusal kind, guint number, GArray *wanted)
{
  g_autoptr (IfbamNetwork) network = text_network (question->text);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GError) error = NULL;
  IfbamRunSpec spec = { 0 };
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, TRUE, &spec, NULL, &error);
  double largest = 0;
  gboolean fine;

  if (model == NULL)
    fail_msg ("%s: %s", question->name, error->message);
  refusing = kind;
  calls = 0;
  nth = number;
  fine = question->ask (question, model, &spec, network, numbers, &error);
  refusing = NOTHING;
  if (fine != (error == NULL))
    fail_msg ("%s: %s %u refused: %s", question->name, refusal_names[kind], number,
              fine ? error->message : "not a word");
  if (fine && wanted->len == 0)
    g_array_append_vals (wanted, numbers->data, numbers->len);
  else if (fine)
    {
      assert_int_equal (numbers->len, wanted->len);
      for (guint i = 0; i < wanted->len; i++)
        largest = fmax (largest, fabs (g_array_index (wanted, double, i)));
      /* A matrix that is singular at a frequency is that of a resonance. */
      for (guint i = 0; i < wanted->len; i++)
        if (!(kind == SINGULAR && isinf (g_array_index (numbers, double, i)))
            && !(fabs (g_array_index (numbers, double, i) - g_array_index (wanted, double, i))
                 <= question->tolerance * largest))
          fail_msg ("%s: %s %u refused: number %u is %.17g, not %.17g", question->name,
                    refusal_names[kind], number, i, g_array_index (numbers, double, i),
                    g_array_index (wanted, double, i));
    }
  else
    {
      if (number == 0 || error->message[0] == '\0')
        fail_msg ("%s: %s", question->name, error->message);
      if (g_getenv ("V") != NULL)
        print_message ("# %s: %s %u of: %s\n", question->name, refusal_names[kind], number,
                       error->message);
      if (kind == PROGRESS)
        assert_int_equal (error->code, IFBAM_ERROR_INTERRUPTED);
      if (kind == JUDGEMENT)
        if (strstr (error->message, "memory") == NULL
            && strstr (error->message, "are not known: want") == NULL)
          fail_msg ("%s: %s", question->name, error->message);
    }
  ifbam_run_spec_clear (&spec);
  return calls;
}

/* All of the first ones, then fewer: iterations call often. */
static void
test_refusals (void **state)
{
  const guint first = by_effort (2, 12, 40);

  (void) state;
  for (guint q = 0; q < G_N_ELEMENTS (questions); q++)
    {
      g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (double));

      ask (&questions[q], NOTHING, 0, wanted);
      assert_int_not_equal (wanted->len, 0);
      for (Refusal kind = ALLOCATION; kind < N_REFUSALS; kind++)
        {
          const guint n = ask (&questions[q], kind, 0, wanted);

          for (guint i = 1; i <= n; i += i < first ? 1 : MAX (1, n / 5))
            ask (&questions[q], kind, i, wanted);
        }
    }
}

/* The names of many signals are judged before they are made. */
static void
test_refused_names (void **state)
{
  (void) state;
  for (guint refused = 0; refused < 2; refused++)
    {
      g_autoptr (IfbamNetwork) network =
          text_network (HEAD "[chain c]\ncount = 100001\nmass = 1 kg\nstiffness = 1000 N/m\n");
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamSignals) signals = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamModel) model = NULL;

      refusing = refused ? JUDGEMENT : NOTHING;
      calls = 0;
      nth = 1;
      model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
      refusing = NOTHING;
      assert_true ((model == NULL) == refused);
      if (refused)
        assert_message (error->message,
                        "the names of 100001 signals need*0 B are free*name the signals");
      else
        assert_int_equal (signals->signals->len, 100001);
    }
}

/* Room that has been judged is not judged again: ranges behind a hundred thousand names find theirs. */
static void
test_names_with_room (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (
      HEAD
      "record = c.m[1:100001].position, *.velocity, c.m[1:5].acceleration, c.m[6:9].acceleration\n"
      "[chain c]\ncount = 100001\nmass = 1 kg\nstiffness = 1000 N/m\n");
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, TRUE, &spec, &signals, NULL);

  (void) state;
  assert_non_null (model);
  assert_int_equal (signals->signals->len, 2 * 100001 + 9);
  assert_string_equal (signals->names->pdata[2 * 100001 + 8], "c.m9.acceleration");
}

/* Rows of each step of more signals than can be numbered together, whatever memory there is. */
static void
test_refused_rows (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (THREE);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamSignals) few = NULL;
  g_autoptr (IfbamModel) model = ifbam_network_compile_or_error (network, TRUE, &spec, &few, NULL);
  const IfbamRunTask task = { 0 };
  GArray many = { NULL, 1u << 27 };
  const IfbamSignals signals = { .signals = &many };
  g_autoptr (GError) error = NULL;

  (void) state;
  assert_non_null (model);
  spec.stride = 1;
  endless = TRUE;
  assert_true (ifbam_run_fits (&task, model, few, &spec, 1000, TRUE, NULL));
  assert_false (ifbam_run_fits (&task, model, &signals, &spec, 1000, TRUE, &error));
  endless = FALSE;
  assert_message (error->message, "134217728 signals are too many for rows of each step*64 steps");
}

/* The steps that a scheme bears, with the nth call refused; how many calls there were. */
static guint
ask_steps (const char *text, gboolean quick, Refusal kind, guint number, GArray *steps)
{
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (GError) error = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, TRUE, &spec, NULL, &error);
  g_autoptr (IfbamStability) stability = NULL;

  refusing = kind;
  calls = 0;
  nth = number;
  stability = ifbam_stability_new (model, &spec, quick, &error);
  assert_non_null (stability);
  for (guint i = 0; i < 3; i++)
    {
      static const char *const schemes[] = { "original", "verlet", "rk4" };

      add (steps, ifbam_stability_longest_step (stability, ifbam_scheme_by_name (schemes[i]), 0));
    }
  refusing = NOTHING;
  return calls;
}

/* Entries of a matrix: as many as there are places, or many more, are the same sums; where there is no memory for them, it says so. */
static void
test_refused_matrix (void **state)
{
  const gsize n = 90, turns = 1200, sizes[] = { 0, n };

  /* More than can be numbered are refused before anybody looks at one. */
  const IfbamTriplets beyond = { .n_entries = G_MAXINT32 };
  g_autoptr (GError) told = NULL;

  (void) state;
  assert_null (ifbam_sparse_new (n, &beyond, &told));
  assert_message (told->message, "too large for its matrices: 2147483737 entries");
  for (guint refused = 0; refused < 2; refused++)
    for (guint s = 0; s < 2; s++)
      {
        g_auto (IfbamTriplets) triplets = { .n = sizes[s] };
        g_autoptr (IfbamSparse) matrix = NULL;
        g_autoptr (GError) error = NULL;

        refusing = refused ? JUDGEMENT : NOTHING;
        calls = 0;
        nth = 1;
        for (gsize turn = 0; turn < turns; turn++)
          for (gsize i = 0; i < n; i++)
            for (gsize j = i % 2; j < n; j += 2)
              ifbam_triplets_add (&triplets, i, j, (double) (turn * (i + 1) + j));
        refusing = NOTHING;
        matrix = ifbam_sparse_new (n, &triplets, &error);
        assert_true ((triplets.full != NULL) == (s == 1 && !refused));
        if (refused)
          {
            assert_null (matrix);
            assert_message (error->message, "the network's matrices would take*0 B are free");
            continue;
          }
        assert_non_null (matrix);
        for (gsize j = 0; j < n; j++)
          {
            assert_int_equal (matrix->start[j + 1] - matrix->start[j], n / 2);
            for (gint32 k = matrix->start[j]; k < matrix->start[j + 1]; k++)
              {
                const gsize i = (gsize) matrix->row[k];

                assert_int_equal (i % 2, j % 2);
                assert_true (matrix->value[k]
                             == (double) (turns * (turns - 1) / 2 * (i + 1) + turns * j));
              }
          }
      }
}

/* Where eigenvalues are refused no step is called safe that is not. */
static void
test_refused_stability (void **state)
{
  static const Refusal kinds[] = { LAPACK, ARPACK, ARPACK_END };
  static const char *const texts[] = {
    THREE,
    THREE_DAMPED,
    CHAIN,
    DAMPED,
    HEAD "[ground a]\n[chain c]\ncount = 130\nmass = 1 kg\nstiffness = 1000 N/m\nfrom = a\n",
    HEAD "[ground a]\n[chain c]\ncount = 130\nmass = 1 kg\nstiffness = 1000 N/m\nfrom = a\n"
         "damping = 0.3 N s/m\n",
    PENDULUM
  };

  (void) state;
  for (guint t = 0; t < G_N_ELEMENTS (texts); t += by_effort (2, 1, 1))
    for (guint quick = t < 4 ? 0 : 1; quick < 2; quick++)
      {
        g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (double));

        ask_steps (texts[t], quick, NOTHING, 0, steps);
        for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
          {
            g_autoptr (GArray) counting = g_array_new (FALSE, FALSE, sizeof (double));
            const guint n = ask_steps (texts[t], quick, kinds[k], 0, counting);

            for (guint i = 1; i <= n; i += i < 3 || t + 1 == G_N_ELEMENTS (texts) ? 1 : n)
              {
                g_autoptr (GArray) now = g_array_new (FALSE, FALSE, sizeof (double));

                ask_steps (texts[t], quick, kinds[k], i, now);
                for (guint s = 0; s < now->len; s++)
                  if (g_array_index (now, double, s)
                      > g_array_index (steps, double, s) * (1 + 1e-3))
                    fail_msg ("network %u%s: %s %u of %u refused: a step of %g s instead of %g s",
                              t, quick ? ", quickly" : "", refusal_names[kinds[k]], i, n,
                              g_array_index (now, double, s), g_array_index (steps, double, s));
              }
          }
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_refusals),       cmocka_unit_test (test_refused_stability),
    cmocka_unit_test (test_refused_matrix), cmocka_unit_test (test_refused_names),
    cmocka_unit_test (test_refused_rows),   cmocka_unit_test (test_names_with_room),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
