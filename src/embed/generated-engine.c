/* generated-engine.c: compiled engine that runs machine code, generated for the network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/generated-engine.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "embed/c-source.h"

/* GCC 12 may fuse products with alternating sums and differences (vfmaddsub) when it vectorises
 * straight-line code, in spite of -ffp-contract=off. */
#define FLAGS                                                                                      \
  "-std=gnu17 -O3 -march=native -ffp-contract=off -fno-tree-slp-vectorize -w -shared -fPIC"
#define FALLBACK_TEXT "the plan runs instead"
#define SOURCE    "network.c"
#define OBJECT    "network.so"
#define SEAL      86    /* length of the text of seal_of() */
#define CHUNK     65536 /* size of a block to be hashed [bytes] */

/* A loaded object and its functions. */
typedef struct
{
  void *library;
  int file; /* its open file; the loaded object is known by this name */
  gsize (*size) (void);
  void (*make) (void *network, const double *numbers);
  void (*carry) (void *network, double *const *column, double *const *output,
                 unsigned long long done, unsigned long steps, unsigned long stride,
                 unsigned long wait, double *rows);
} Object;

typedef struct
{
  Object object;
  gboolean tried;
  void *network; /* NULL: not available */
  gsize *nodes;  /* recorded nodes (n) */
  gsize n;
  GArray *rows; /* double */
} Machine;

/* Returns the command of a compiler ($CC, cc, gcc, clang) by path, or NULL (transfer full). */
static char **
find_compiler (void)
{
  static const char *const names[] = { "cc", "gcc", "clang" };
  const char *wanted = g_getenv ("CC");
  char **words = NULL;
  char *path = NULL;

  if (wanted != NULL && wanted[0] != '\0')
    {
      if (!g_shell_parse_argv (wanted, NULL, &words, NULL))
        return NULL;
      path = g_find_program_in_path (words[0]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (names) && words == NULL && path == NULL; i++)
    path = g_find_program_in_path (names[i]);
  if (path == NULL)
    {
      g_strfreev (words);
      return NULL;
    }
  if (words == NULL)
    words = g_new0 (char *, 2);
  g_free (words[0]);
  words[0] = g_canonicalize_filename (path, NULL);
  g_free (path);
  return words;
}

/* Returns a hash of text, compiler, flags and processor features (transfer full). */
static char *
hash_of (const char *text, char **compiler)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *words = g_strjoinv (" ", compiler), *state = NULL, *processor = NULL;
  const char *abilities;
  GStatBuf found = { 0 };

  g_stat (compiler[0], &found);
  state = g_strdup_printf ("%s\n%s\n%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", words, FLAGS,
                           (gint64) found.st_mtime, (gint64) found.st_size);
  g_checksum_update (checksum, (const guchar *) state, -1);
  if (g_file_get_contents ("/proc/cpuinfo", &processor, NULL, NULL)
      && (abilities = strstr (processor, "\nflags")) != NULL)
    g_checksum_update (checksum, (const guchar *) abilities,
                       (gssize) strcspn (abilities + 1, "\n") + 1);
  g_checksum_update (checksum, (const guchar *) text, -1);
  return g_strdup (g_checksum_get_string (checksum));
}

static void
set_system_error (GError **error, const char *path)
{
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_WRITE, "%s: %s", path, g_strerror (errno));
}

/* Returns TRUE if the user owns the file, and no other user can write it. */
static gboolean
is_own (int file, mode_t kind)
{
  struct stat state;

  return fstat (file, &state) == 0 && (state.st_mode & S_IFMT) == kind && state.st_uid == geteuid ()
         && (state.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Opens the cache directory, which must be writable by the user only; -1 with an error. */
static int
open_cache (char **path, GError **error)
{
  int folder;

  *path = g_build_filename (g_get_user_cache_dir (), "ifbam", NULL);
  g_mkdir_with_parents (*path, 0700);
  folder = open (*path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    set_system_error (error, *path);
  else if (!is_own (folder, S_IFDIR))
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_WRITE,
                   "%s: others may write there (want a folder of yours, mode 0700)", *path);
      close (folder);
      folder = -1;
    }
  return folder;
}

/* In the child process: changes to the open directory, even if its path was changed since. */
static void
enter_folder (gpointer folder)
{
  if (fchdir (GPOINTER_TO_INT (folder)) != 0)
    _exit (EXIT_FAILURE);
}

/* Compiles SOURCE to OBJECT in a directory. */
static gboolean
compile (char **compiler, int folder, GError **error)
{
  g_auto (GStrv) flags = g_strsplit (FLAGS " " SOURCE " -lm -o " OBJECT, " ", -1);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autofree char *said = NULL;
  int status;

  for (guint i = 0; compiler[i] != NULL; i++)
    g_ptr_array_add (words, compiler[i]);
  for (guint i = 0; flags[i] != NULL; i++)
    g_ptr_array_add (words, flags[i]);
  g_ptr_array_add (words, NULL);
  if (!g_spawn_sync (NULL, (char **) words->pdata, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, enter_folder,
                     GINT_TO_POINTER (folder), NULL, &said, &status, error))
    return FALSE;
  if (g_spawn_check_wait_status (status, NULL))
    return TRUE;
  said[strcspn (said, "\n")] = '\0';
  return ifbam_fail (error, IFBAM_ERROR_WRITE, "%s could not compile it%s%s", compiler[0],
                     said[0] != '\0' ? ": " : "", said);
}

static gboolean
write_all (int file, const char *text)
{
  const gsize length = strlen (text);

  for (gsize done = 0; done < length;)
    {
      const gssize n = write (file, text + done, length - done);

      if (n < 0 && errno != EINTR)
        return FALSE;
      done += (gsize) MAX (n, 0);
    }
  return TRUE;
}

/* Returns the length and SHA-256 of a file's first bytes (transfer full), or NULL. */
static char *
seal_of (int file, gsize size)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guchar *bytes = g_malloc (CHUNK);

  for (gsize done = 0; done < size;)
    {
      const gssize n = pread (file, bytes, MIN (CHUNK, size - done), (off_t) done);

      if (n <= 0)
        return NULL;
      g_checksum_update (checksum, bytes, n);
      done += (gsize) n;
    }
  return g_strdup_printf ("%020" G_GSIZE_FORMAT " %s\n", size, g_checksum_get_string (checksum));
}

/* Appends the seal, which the loader ignores, and flushes the file to the disk. */
static gboolean
seal (int file)
{
  const off_t size = lseek (file, 0, SEEK_END);
  g_autofree char *text = size < 0 ? NULL : seal_of (file, (gsize) size);

  return text != NULL && write_all (file, text) && fsync (file) == 0;
}

/* Returns TRUE if the object's seal is right: loading a truncated object may crash. */
static gboolean
is_whole (int file)
{
  struct stat state;
  char found[SEAL + 1] = "";
  g_autofree char *wanted = NULL;

  if (fstat (file, &state) != 0 || state.st_size < SEAL
      || pread (file, found, SEAL, state.st_size - SEAL) != SEAL)
    return FALSE;
  wanted = seal_of (file, (gsize) state.st_size - SEAL);
  return g_strcmp0 (wanted, found) == 0;
}

/* Compiles in a temporary directory, and renames OBJECT to `name` in the cache. */
static gboolean
compile_in (int cache, int folder, const char *name, const char *text, char **compiler,
            GError **error)
{
  int file = openat (folder, SOURCE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  gboolean fine = file >= 0 && write_all (file, text);

  if (file >= 0)
    fine = close (file) == 0 && fine;
  if (!fine)
    set_system_error (error, SOURCE);
  if (!fine || !compile (compiler, folder, error))
    return FALSE;
  file = openat (folder, OBJECT, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  fine = file >= 0 && fchmod (file, 0700) == 0 && seal (file);
  if (file >= 0)
    fine = close (file) == 0 && fine;
  if (!fine || renameat (folder, OBJECT, cache, name) != 0)
    {
      set_system_error (error, OBJECT);
      return FALSE;
    }
  fsync (cache);
  return TRUE;
}

/* Its directory has a unique name: other processes see a complete object or none. */
static gboolean
make_object (int cache, const char *name, const char *text, char **compiler, GError **error)
{
  g_autofree char *beside = g_strdup_printf ("new-%08x%08x", g_random_int (), g_random_int ());
  const int folder = mkdirat (cache, beside, 0700) != 0
                         ? -1
                         : openat (cache, beside, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  gboolean fine;

  if (folder < 0)
    {
      set_system_error (error, beside);
      return FALSE;
    }
  fine = compile_in (cache, folder, name, text, compiler, error);
  unlinkat (folder, SOURCE, 0);
  unlinkat (folder, OBJECT, 0);
  close (folder);
  unlinkat (cache, beside, AT_REMOVEDIR);
  return fine;
}

static gboolean
take (Object *object, const char *name, void *place)
{
  void *symbol = dlsym (object->library, name);

  memcpy (place, &symbol, sizeof symbol);
  return symbol != NULL;
}

static void
object_clear (Object *object)
{
  if (object->library != NULL)
    dlclose (object->library);
  if (object->library != NULL || object->file > 0)
    close (object->file);
  *object = (Object){ 0 };
}

/* Loads the object by its open file, which was checked, not by its name. */
static gboolean
load (Object *object, int folder, const char *name)
{
  g_autofree char *path = NULL;

  object->file = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (object->file < 0)
    {
      object->file = 0;
      return FALSE;
    }
  path = g_strdup_printf ("/proc/self/fd/%d", object->file);
  if (is_own (object->file, S_IFREG) && is_whole (object->file))
    object->library = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (object->library != NULL && take (object, "ifbam_engine_size", &object->size)
      && take (object, "ifbam_engine_make", &object->make)
      && take (object, "ifbam_engine_carry", &object->carry))
    return TRUE;
  object_clear (object);
  return FALSE;
}

/* Loads the object from the cache, or compiles it. */
static gboolean
object_init (Object *object, const char *text, GError **error)
{
  g_auto (GStrv) compiler = find_compiler ();
  g_autofree char *path = NULL, *hash = NULL, *name = NULL;
  gboolean fine;
  int folder;

  if (compiler == NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE, "no C compiler here (cc, gcc, clang)");
  folder = open_cache (&path, error);
  if (folder < 0)
    return FALSE;
  hash = hash_of (text, compiler);
  name = g_strconcat (hash, ".so", NULL);
  fine = load (object, folder, name);
  if (!fine && make_object (folder, name, text, compiler, error))
    {
      fine = load (object, folder, name);
      if (!fine)
        g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_WRITE, "%s/%s can't be loaded", path, name);
    }
  close (folder);
  return fine;
}

static void
machine_free (gpointer data)
{
  Machine *machine = data;

  if (machine->network != NULL)
    g_aligned_free (machine->network);
  object_clear (&machine->object);
  g_free (machine->nodes);
  g_array_unref (machine->rows);
  g_free (machine);
}

static void
compile_if_missing (Machine *machine, const IfbamEngine *engine, const IfbamProbes *probes)
{
  g_autoptr (GArray) numbers = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  machine->tried = TRUE;
  machine->n = probes == NULL ? 0 : probes->n;
  machine->nodes = g_memdup2 (probes == NULL ? NULL : probes->node, machine->n * sizeof (gsize));
  text = ifbam_c_engine_source (engine->model, engine->spec, machine->nodes, machine->n, &numbers,
                                &error);
  if (text == NULL || !object_init (&machine->object, text, &error))
    {
      g_printerr ("ifbam: note: %s: " FALLBACK_TEXT "\n", error->message);
      return;
    }
  machine->network = g_aligned_alloc0 (1, (machine->object.size () + 63) / 64 * 64, 64);
  machine->object.make (machine->network, (const double *) (gconstpointer) numbers->data);
}

/* Returns the number of steps from `began` to the next sample. */
static guint64
steps_to_row (const IfbamRunSpec *spec, guint64 began, guint64 stride)
{
  const guint64 lookahead = ifbam_engine_lookahead (spec);

  return began < lookahead ? lookahead - began : stride - (began - lookahead) % stride;
}

static gboolean
advance (IfbamEngine *engine, double *const *column, double *const *output, guint64 steps,
       const IfbamProbes *probes)
{
  Machine *machine = ((IfbamCompiledEngine *) engine)->generated.data;
  const guint64 began = engine->steps, stride = probes == NULL ? 1 : probes->stride;
  const guint64 wait = steps_to_row (engine->spec, began, stride);
  const gsize n = probes == NULL ? 0 : probes->n;
  const gsize n_rows = steps < wait ? 0 : (gsize) ((steps - wait) / stride + 1);
  const double *row;

  /* Steps before the first sample have no probes yet. */
  if (!machine->tried && began >= ifbam_engine_lookahead (engine->spec))
    compile_if_missing (machine, engine, probes);
  if (machine->network == NULL
      || (n > 0
          && (n != machine->n || memcmp (probes->node, machine->nodes, n * sizeof (gsize)) != 0)))
    return FALSE;
  if (machine->rows->len < 2 * machine->n * n_rows + 2)
    g_array_set_size (machine->rows, (guint) (2 * machine->n * n_rows + 2));
  row = (const double *) (gconstpointer) machine->rows->data;
  machine->object.carry (machine->network, column, output, began, steps, stride,
                         n > 0 ? wait : G_MAXULONG, (double *) (gpointer) machine->rows->data);
  for (gsize i = 0; i < n * n_rows; i++)
    {
      probes->position[i] = row[2 * i];
      probes->rate[i] = row[2 * i + 1];
    }
  return TRUE;
}

char *
ifbam_machine_fault (const IfbamModel *model, const IfbamRunSpec *spec)
{
  char *fault = ifbam_c_fault (model, spec);
  g_auto (GStrv) compiler = fault == NULL ? find_compiler () : NULL;

  return fault != NULL      ? fault
         : compiler != NULL ? NULL
                            : g_strdup ("no C compiler here (cc, gcc, clang)");
}

IfbamEngine *
ifbam_machine_engine_new (const IfbamModel *model, const IfbamRunSpec *spec, guint threads)
{
  g_autofree char *fault = ifbam_machine_fault (model, spec);
  IfbamEngine *engine;
  Machine *machine;

  if (fault != NULL || ifbam_engine_by_events (model, spec))
    return NULL;
  engine = ifbam_compiled_engine_new (model, spec, threads);
  machine = g_new0 (Machine, 1);
  machine->rows = g_array_new (FALSE, FALSE, sizeof (double));
  ((IfbamCompiledEngine *) engine)->generated =
      (IfbamGeneratedCode){ .advance = advance, .data = machine, .free = machine_free };
  return engine;
}
