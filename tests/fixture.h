/* fixture.h: set-up of tests: a folder of their own, and networks from texts
 *
 * Errors here fail the test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-network.h"

/* The program's own folder, there from folder_make() on. */
extern char *folder;

/* For a group's set-up and tear-down; both return 0. The folder is removed with its contents. */
int folder_make (void **state);
int folder_remove (void **state);
/* The path of a file there (transfer full); with a text in it. */
char *folder_path (const char *name);
char *folder_write (const char *name, const char *text);
guint folder_count (void);

/* How many random networks are wanted: as many as usual, or as the environment says (TEST_SEEDS). */
guint wanted_seeds (guint usual);

/* One of these, by the environment (TEST_EFFORT): "brief" as under sanitizers, usual, "full" in a night. */
guint by_effort (guint brief, guint usual, guint full);

/* Paths of the networks of a folder, by name, which must have some (transfer full); where TEST_EFFORT is "brief", each fourth,
 * from another beginning for each caller, so that callers omit different ones. */
char **shipped_networks (const char *folder, const char *caller);

/* An interrupt check that allows so many calls (data: a Patience). */
typedef struct
{
  guint asked, most;
} Patience;

gboolean go_on_for_a_while (gpointer data);

/* The network of a file (transfer full). settings: as `--set` has them, or NULL. */
IfbamNetwork *open_network (const char *path, const char *const *settings);

/* The network of a text, as if it stood in the folder (transfer full); with an error where it is refused. */
IfbamNetwork *text_network_try (const char *text, const char *const *settings, GError **error);
IfbamNetwork *text_network (const char *text);
/* Asserts that it is refused, when it is read or run, and that the reason has these words. */
void text_refused (const char *text, const char *words);
IfbamNetwork *text_network_set (const char *text, const char *const *settings);
IfbamNetwork *text_network_printf (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* A hundred resistors and capacitors with time constants nine decades apart (transfer full); settings: lines of its
 * [network] beside step and record. */
char *rc_ladder (const char *settings);

/* The first and the last value of a signal, which must be there. */
double course_first (IfbamCourse *course, const char *signal);
double course_last (IfbamCourse *course, const char *signal);

/* Its course (transfer full). */
IfbamCourse *network_course (IfbamNetwork *network, IfbamEngineKind engine);
IfbamCourse *text_course (const char *text);

/* Warnings and criticals are counted from here on, and not printed, until none are expected any more: else each ends a test
 * (tests/run-tests has G_DEBUG=fatal-warnings). */
extern guint criticals;
void expect_criticals (gboolean expected);

/* A message must contain these parts, in their order: "FILE:3:*\"10 kg\"*N/m". Its other words are free. */
void assert_message (const char *message, const char *parts);

/* Fails the test, with a label, if a number is not within a tolerance of the expected one. */
void assert_near (double number, double wanted, double tolerance, const char *what);
#define assert_number(number, wanted, tolerance) assert_near (number, wanted, tolerance, #number)
