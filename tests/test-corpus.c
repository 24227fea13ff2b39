/* test-corpus.c: the corpus of make fuzz, and a few mutations, in every check
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "noise.h"

int LLVMFuzzerInitialize (int *n_arguments, char ***arguments);
int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t length);

#define MOST_BYTES 4000

/* Of the seeds (GBytes). */
static GPtrArray *seeds;

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
add_seeds (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  assert_non_null (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (strchr (name, '.') == NULL || g_str_has_suffix (name, ".ini"))
      g_ptr_array_add (names, g_build_filename (path, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      char *text;
      gsize length;

      if (!g_file_get_contents (names->pdata[i], &text, &length, NULL))
        continue; /* a folder */
      if (length <= MOST_BYTES)
        g_ptr_array_add (seeds, g_bytes_new_take (text, length));
      else
        g_free (text);
    }
}

static int
set_up (void **state)
{
  (void) state;
  LLVMFuzzerInitialize (NULL, NULL);
  seeds = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  add_seeds ("tests/fuzz/corpus");
  add_seeds ("networks");
  add_seeds ("networks/invalid");
  return noise_set_up (1994);
}

static int
tear_down (void **state)
{
  g_ptr_array_unref (seeds);
  return noise_tear_down (state);
}

/* Each checks its input, and aborts on an error. */
static void
test_seeds (void **state)
{
  (void) state;
  assert_true (seeds->len > 200);
  for (guint i = 0; i < seeds->len; i++)
    {
      gsize length;
      const guint8 *bytes = g_bytes_get_data (seeds->pdata[i], &length);

      assert_int_equal (LLVMFuzzerTestOneInput (bytes, length), 0);
    }
}

static guint
pick (guint n)
{
  return (guint) g_rand_int_range (noise, 0, (gint) n);
}

/* A seed, of which a stretch is lost, doubled, or comes from another one, and a byte is another one. */
static GString *
spoil (void)
{
  gsize length, other_length;
  const char *bytes = g_bytes_get_data (seeds->pdata[pick (seeds->len)], &length);
  const char *other = g_bytes_get_data (seeds->pdata[pick (seeds->len)], &other_length);
  GString *text = g_string_new_len (bytes, (gssize) length);
  const gsize at = pick ((guint) text->len + 1), from = pick ((guint) other_length + 1);
  const gsize most = pick (60), n = MIN (most, text->len - at), m = MIN (most, other_length - from);

  switch (pick (3))
    {
    case 0:
      g_string_erase (text, (gssize) at, (gssize) n);
      break;
    case 1:
      g_string_insert_len (text, (gssize) at, other + from, (gssize) m);
      break;
    default:
      g_string_insert_len (text, (gssize) at, bytes + at, (gssize) n);
    }
  if (text->len > 0 && pick (2) == 0)
    text->str[pick ((guint) text->len)] = (char) pick (256);
  return text;
}

static void
test_spoilt (void **state)
{
  const char *runs = g_getenv ("TEST_SEEDS");
  const guint n = runs == NULL ? 1500 : 30 * (guint) atoi (runs);

  (void) state;
  for (guint i = 0; i < n; i++)
    {
      GString *text = spoil ();

      assert_int_equal (LLVMFuzzerTestOneInput ((const guint8 *) text->str, text->len), 0);
      g_string_free (text, TRUE);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (test_seeds),
                                      cmocka_unit_test (test_spoilt) };

  return cmocka_run_group_tests (tests, set_up, tear_down);
}
