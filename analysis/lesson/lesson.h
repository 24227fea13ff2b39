/* lesson.h: lessons: steps in Markdown with settings and expectations, checked by runs
 *
 * A lesson is a page whose blocks "```lesson" have a line for each setting and expectation; the
 * format is described in networks/lessons/README.md. Results are never stored: each expectation is
 * compared with a run of the network.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "lesson/expectation.h"

typedef struct
{
  char *title; /* heading */
  guint line;
  GPtrArray *settings;     /* char*, "ELEMENT.KEY=VALUE": the network of this step */
  GPtrArray *solution;     /* char*: settings that fulfil the step; none: it is fulfilled without */
  GPtrArray *wrong;        /* char*: settings that do not, each by itself */
  GPtrArray *expectations; /* IfbamExpectation */
  GPtrArray *questions;    /* char*: lines of Markdown for ask and hint */
  char *signals;           /* to be drawn, "m1.position, m2.position"; NULL: none */
} IfbamLessonStep;

typedef struct
{
  char *path, *title; /* title: first heading */
  char *network;      /* path of the network's file */
  GPtrArray *steps;   /* IfbamLessonStep, at least one */
  GString *page;      /* its text, with "\001STEP" in place of the blocks of each step */
} IfbamLesson;

/* Reads a lesson. NULL with IFBAM_ERROR_NETWORK (a line for each fault) or an error of the file. */
IfbamLesson *ifbam_lesson_new (const char *path, GError **error);
void ifbam_lesson_free (IfbamLesson *lesson);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamLesson, ifbam_lesson_free)

/* Returns settings of the page of a lesson: the first values of keys of [network] that a page cannot
 * change (NULL-terminated; transfer full). */
char **ifbam_lesson_page_settings (const IfbamLesson *lesson);
/* Returns the text beside the network of a laboratory's page, in Markdown: questions, hints and
 * expectations, and a link for each step that changes the network (transfer full). NULL with an error
 * of the network. */
char *ifbam_lesson_page_text (const IfbamLesson *lesson, GError **error);

/* A run of a step with certain settings. */
typedef struct
{
  const char *setting;  /* of the lesson's wrong answer; NULL: none */
  gboolean is_solution; /* FALSE and setting NULL: the network of the step itself */
  gboolean wanted;      /* all expectations are to be fulfilled; FALSE: one of them is not */
  gboolean fulfilled;   /* all are */
  char *detail;         /* values of the expectation that decided */
} IfbamLessonTrial;

/* Runs a step: itself, its solution and its wrong answers (IfbamLessonTrial; transfer full). NULL
 * with an error of the network, or IFBAM_ERROR_INTERRUPTED. */
GArray *ifbam_lesson_try (const IfbamLesson *lesson, const IfbamLessonStep *step,
                          const IfbamSweepRun *run, GError **error);
