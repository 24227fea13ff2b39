/* sundials.c: a ball that bounces, by SUNDIALS' IDA and CVODE with root finding
 *
 * Settings for speed: the Jacobian is given, only falling zeros are searched, memory is allocated once,
 * there is no output, and no integration once the ball rests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sundials.h"

#include <math.h>
#include <stdlib.h>

#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#define MOST_STEPS 1000000

struct SundialsRun
{
  SundialsBall ball;
  SundialsSetting setting;
  SUNContext context;
  N_Vector y, rate; /* position and velocity; their derivatives */
  SUNMatrix jacobian;
  SUNLinearSolver linear;
  SUNNonlinearSolver fixed_point;
  void *solver;
};

static void
set_rate (const SundialsBall *ball, N_Vector y, N_Vector rate)
{
  const double v = NV_Ith_S (y, 1);

  NV_Ith_S (rate, 0) = v;
  NV_Ith_S (rate, 1) = -ball->gravity - ball->drag * fabs (v) * v;
}

static int
right_side (sunrealtype t, N_Vector y, N_Vector rate, void *data)
{
  (void) t;
  set_rate (&((const SundialsRun *) data)->ball, y, rate);
  return 0;
}

static int
right_jacobian (sunrealtype t, N_Vector y, N_Vector rate, SUNMatrix j, void *data, N_Vector a,
                N_Vector b, N_Vector c)
{
  const SundialsBall *ball = &((const SundialsRun *) data)->ball;

  (void) t, (void) rate, (void) a, (void) b, (void) c;
  SM_ELEMENT_D (j, 0, 0) = 0;
  SM_ELEMENT_D (j, 0, 1) = 1;
  SM_ELEMENT_D (j, 1, 0) = 0;
  SM_ELEMENT_D (j, 1, 1) = -2 * ball->drag * fabs (NV_Ith_S (y, 1));
  return 0;
}

static int
residue (sunrealtype t, N_Vector y, N_Vector rate, N_Vector r, void *data)
{
  const SundialsBall *ball = &((const SundialsRun *) data)->ball;
  const double v = NV_Ith_S (y, 1);

  (void) t;
  NV_Ith_S (r, 0) = NV_Ith_S (rate, 0) - v;
  NV_Ith_S (r, 1) = NV_Ith_S (rate, 1) + ball->gravity + ball->drag * fabs (v) * v;
  return 0;
}

static int
residue_jacobian (sunrealtype t, sunrealtype alpha, N_Vector y, N_Vector rate, N_Vector r,
                  SUNMatrix j, void *data, N_Vector a, N_Vector b, N_Vector c)
{
  const SundialsBall *ball = &((const SundialsRun *) data)->ball;

  (void) t, (void) rate, (void) r, (void) a, (void) b, (void) c;
  SM_ELEMENT_D (j, 0, 0) = alpha;
  SM_ELEMENT_D (j, 0, 1) = -1;
  SM_ELEMENT_D (j, 1, 0) = 0;
  SM_ELEMENT_D (j, 1, 1) = alpha + 2 * ball->drag * fabs (NV_Ith_S (y, 1));
  return 0;
}

static int
right_height (sunrealtype t, N_Vector y, sunrealtype *height, void *data)
{
  (void) t, (void) data;
  *height = NV_Ith_S (y, 0);
  return 0;
}

static int
residue_height (sunrealtype t, N_Vector y, N_Vector rate, sunrealtype *height, void *data)
{
  (void) rate;
  return right_height (t, y, height, data);
}

static int
make_ida (SundialsRun *run)
{
  int down = -1, bad = 0;

  run->solver = IDACreate (run->context);
  if (run->solver == NULL)
    return 1;
  bad |= IDAInit (run->solver, residue, 0, run->y, run->rate);
  bad |= IDASetUserData (run->solver, run);
  bad |= IDASStolerances (run->solver, run->setting.relative, run->setting.absolute);
  bad |= IDASetLinearSolver (run->solver, run->linear, run->jacobian);
  bad |= IDASetJacFn (run->solver, residue_jacobian);
  bad |= IDARootInit (run->solver, 1, residue_height);
  bad |= IDASetRootDirection (run->solver, &down);
  bad |= IDASetNoInactiveRootWarn (run->solver);
  bad |= IDASetMaxNumSteps (run->solver, MOST_STEPS);
  return bad;
}

static int
make_cvode (SundialsRun *run)
{
  const SundialsMethod method = run->setting.method;
  const int fixed = method == BALL_BY_ADAMS_FIXED_POINT || method == BALL_BY_BDF_FIXED_POINT;
  const int adams = method == BALL_BY_ADAMS || method == BALL_BY_ADAMS_FIXED_POINT;
  int down = -1, bad = 0;

  run->solver = CVodeCreate (adams ? CV_ADAMS : CV_BDF, run->context);
  if (run->solver == NULL)
    return 1;
  bad |= CVodeInit (run->solver, right_side, 0, run->y);
  bad |= CVodeSetUserData (run->solver, run);
  bad |= CVodeSStolerances (run->solver, run->setting.relative, run->setting.absolute);
  if (fixed)
    {
      run->fixed_point = SUNNonlinSol_FixedPoint (run->y, 0, run->context);
      bad |= CVodeSetNonlinearSolver (run->solver, run->fixed_point);
    }
  else
    {
      bad |= CVodeSetLinearSolver (run->solver, run->linear, run->jacobian);
      bad |= CVodeSetJacFn (run->solver, right_jacobian);
    }
  bad |= CVodeRootInit (run->solver, 1, right_height);
  bad |= CVodeSetRootDirection (run->solver, &down);
  bad |= CVodeSetNoInactiveRootWarn (run->solver);
  bad |= CVodeSetMaxNumSteps (run->solver, MOST_STEPS);
  return bad;
}

static void
put (SundialsRun *run, double height, double velocity)
{
  NV_Ith_S (run->y, 0) = height;
  NV_Ith_S (run->y, 1) = velocity;
  set_rate (&run->ball, run->y, run->rate);
}

SundialsRun *
sundials_run_new (const SundialsBall *ball, const SundialsSetting *setting)
{
  SundialsRun *run = calloc (1, sizeof *run);

  if (run == NULL)
    return NULL;
  run->ball = *ball;
  run->setting = *setting;
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_Create (SUN_COMM_NULL, &run->context);
#else
  SUNContext_Create (NULL, &run->context);
#endif
  run->y = N_VNew_Serial (2, run->context);
  run->rate = N_VNew_Serial (2, run->context);
  run->jacobian = SUNDenseMatrix (2, 2, run->context);
  run->linear = SUNLinSol_Dense (run->y, run->jacobian, run->context);
  put (run, ball->height, 0);
  if ((setting->method == BALL_BY_IDA ? make_ida (run) : make_cvode (run)) != 0)
    {
      sundials_run_free (run);
      return NULL;
    }
  return run;
}

void
sundials_run_free (SundialsRun *run)
{
  if (run->setting.method == BALL_BY_IDA)
    IDAFree (&run->solver);
  else
    CVodeFree (&run->solver);
  if (run->fixed_point != NULL)
    SUNNonlinSolFree (run->fixed_point);
  SUNLinSolFree (run->linear);
  SUNMatDestroy (run->jacobian);
  N_VDestroy (run->rate);
  N_VDestroy (run->y);
  SUNContext_Free (&run->context);
  free (run);
}

/* Restarts from the given state, with a flight of about the given time before it. */
static int
start (SundialsRun *run, double time, double flight)
{
  const SundialsSetting *setting = &run->setting;
  const double step = fmin (setting->first_step * flight, setting->longest_first_step);
  int bad;

  if (setting->method == BALL_BY_IDA)
    {
      bad = IDAReInit (run->solver, time, run->y, run->rate);
      bad |= IDASetStopTime (run->solver, run->ball.duration);
      if (step > 0)
        bad |= IDASetInitStep (run->solver, step);
    }
  else
    {
      bad = CVodeReInit (run->solver, time, run->y);
      bad |= CVodeSetStopTime (run->solver, run->ball.duration);
      if (step > 0)
        bad |= CVodeSetInitStep (run->solver, step);
    }
  return bad;
}

int
sundials_run (SundialsRun *run, SundialsCourse *course)
{
  const SundialsBall *ball = &run->ball;
  const int ida = run->setting.method == BALL_BY_IDA;
  double time = 0;

  course->bounces = 0;
  course->rest = -1;
  put (run, ball->height, 0);
  if (start (run, 0, sqrt (2 * ball->height / ball->gravity)) != 0)
    return 1;
  for (;;)
    {
      const int said =
          ida ? IDASolve (run->solver, ball->duration, &time, run->y, run->rate, IDA_NORMAL)
              : CVode (run->solver, ball->duration, run->y, &time, CV_NORMAL);
      double velocity;

      if (said < 0)
        return 1;
      if (said != (ida ? IDA_ROOT_RETURN : CV_ROOT_RETURN))
        return 0;
      if (course->bounces < BALL_LISTED)
        course->instant[course->bounces] = time;
      course->bounces++;
      velocity = -NV_Ith_S (run->y, 1);
      if (velocity * velocity / (2 * ball->gravity) < ball->rest_rise)
        {
          course->rest = time;
          return 0;
        }
      velocity *= ball->restitution;
      put (run, 0, velocity);
      if (start (run, time, 2 * velocity / ball->gravity) != 0)
        return 1;
    }
}
