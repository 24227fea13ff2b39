/* progress.c: progress of long work, and signals that interrupt it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/progress.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "file/file.h"
#include "run/run.h"

#define LONG_END 100000 /* time after which a slow end is announced [us] */

static volatile sig_atomic_t interrupted; /* the signal's number */
static volatile sig_atomic_t is_announced;

static void
say (const char *words)
{
  if (write (STDERR_FILENO, words, strlen (words)) < 0)
    return; /* standard error is closed */
}

/* Ends the work in order, which may take long for large steps or a slow reader of the output. The
 * same signal may arrive twice, from program and process group: it ends the program only after the
 * announcement. */
static void
interrupt (int number)
{
  if (is_announced)
    {
      say ("ifbam: interrupted again: unfinished files are left as they are\n");
      _exit (128 + number);
    }
  if (interrupted)
    return;
  interrupted = number;
  /* Ranks wait for each other; mpirun waits for none. */
  if (ifbam_ranks () != NULL)
    return;
  setitimer (ITIMER_REAL, &(struct itimerval){ .it_value = { .tv_usec = LONG_END } }, NULL);
}

static void
request_end (int number)
{
  (void) number;
  is_announced = TRUE;
  say ("ifbam: interrupted: ends with the results so far (interrupt again to end at once)\n");
}

static volatile sig_atomic_t interruptible_work;

/* Ends the program at once, if no results are kept. */
static void
leave (int number)
{
  static const char word[] = "ifbam: interrupted\n";
  static const char words[] = "ifbam: interrupted: nothing is written\n";

  ifbam_output_abandon ();
  if (ifbam_command_is_first_rank ())
    say (interruptible_work > 0 ? words : word);
  _exit (128 + number);
}

/* SIGHUP: the terminal closes. */
static const int signals_that_end[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };

/* SIGUSR1, the last one, is for ranks: batch systems send it before the time limit. */
static guint
count_signals (void)
{
  return G_N_ELEMENTS (signals_that_end) - (ifbam_ranks () == NULL ? 1 : 0);
}

static void
set_signal_handlers (void (*handler) (int number))
{
  const struct sigaction action = { .sa_handler = handler };

  for (guint i = 0; i < count_signals (); i++)
    {
      struct sigaction before;

      sigaction (signals_that_end[i], &action, &before);
      if (signals_that_end[i] == SIGHUP && before.sa_handler == SIG_IGN) /* nohup */
        sigaction (signals_that_end[i], &before, NULL);
    }
}

gboolean
ifbam_command_is_first_rank (void)
{
  return ifbam_ranks () == NULL || ifbam_ranks ()->rank == 0;
}

int
ifbam_progress_signal (void)
{
  return interrupted;
}

gboolean
ifbam_progress_is_to_end (void)
{
  return interrupted != 0 && interrupted != SIGUSR1;
}

void
ifbam_progress_end_by_signals (void)
{
  set_signal_handlers (leave);
}

void
ifbam_progress_begin (IfbamProgress *progress)
{
  *progress = (IfbamProgress){ .began = g_get_monotonic_time () };
  interruptible_work++;
}

void
ifbam_progress_begin_to_keep (IfbamProgress *progress)
{
  const struct sigaction told = { .sa_handler = request_end, .sa_flags = SA_RESTART };

  *progress = (IfbamProgress){ .began = g_get_monotonic_time (), .keeps = TRUE };
  sigaction (SIGALRM, &told, NULL);
  set_signal_handlers (interrupt);
}

gboolean
ifbam_progress_update (gpointer data, double part)
{
  IfbamProgress *progress = data;
  gint64 now = g_get_monotonic_time ();

  if (now - progress->began > 2 * G_USEC_PER_SEC && now - progress->shown > G_USEC_PER_SEC / 4
      && isatty (STDERR_FILENO))
    {
      double left = part > 0 ? (double) (now - progress->began) * 1e-6 * (1 - part) / part : 0;

      g_printerr ("\r%3.0f %% done, %.0f s left   ", 100 * part, left);
      progress->shown = now;
    }
  return !interrupted;
}

void
ifbam_progress_end (IfbamProgress *progress)
{
  if (!progress->keeps)
    interruptible_work--;
  if (progress->shown > 0)
    g_printerr ("\r%30s\r", "");
}
