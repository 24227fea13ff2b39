/* sundials.h: a ball that bounces, by SUNDIALS' IDA and CVODE with root finding
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* A vertical drop from rest: y'' = -gravity - drag |y'| y', per unit of mass. */
typedef struct
{
  double height;      /* [m] */
  double gravity;     /* [m/s2] */
  double drag;        /* [1/m] */
  double restitution; /* of the ground at y = 0 */
  double rest_rise;   /* an approach that would rise less than this without loss ends at rest [m] */
  double duration;    /* [s] */
} SundialsBall;

typedef enum
{
  BALL_BY_IDA,
  BALL_BY_ADAMS, /* CVODE's */
  BALL_BY_BDF,
  BALL_BY_ADAMS_FIXED_POINT,
  BALL_BY_BDF_FIXED_POINT,
} SundialsMethod;

typedef struct
{
  SundialsMethod method;
  double relative, absolute; /* tolerances */
  double first_step; /* after a bounce, parts of the flight to come; 0: the solver's choice */
  double longest_first_step; /* [s] */
} SundialsSetting;

/* Instants of the first bounces that are listed. */
#define BALL_LISTED 10

typedef struct
{
  double instant[BALL_LISTED]; /* [s] */
  unsigned bounces;            /* the last, which ends at rest, too */
  double rest;                 /* when it came to rest [s]; negative: it did not */
} SundialsCourse;

typedef struct SundialsRun SundialsRun;

/* All that can be made once; NULL: it failed. */
SundialsRun *sundials_run_new (const SundialsBall *ball, const SundialsSetting *setting);
void sundials_run_free (SundialsRun *run);
/* From the start to the end; not 0: it failed. */
int sundials_run (SundialsRun *run, SundialsCourse *course);
