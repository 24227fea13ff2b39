/* glib-runtime.c: the functions of port/glib.h, with only the C library
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE /* for static initializers of recursive mutexes */

#include <port/glib-object.h> /* also if the compiler has the path of another one */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* Memory */

static gpointer
there_is (gpointer memory)
{
  if (memory == NULL)
    abort ();
  return memory;
}

/* Returns n times size; ends the program on overflow. */
static gsize
bytes_of (gsize n, gsize size)
{
  gsize bytes;

  if (__builtin_mul_overflow (n, size, &bytes))
    abort ();
  return bytes;
}

gpointer
g_malloc (gsize size)
{
  return size == 0 ? NULL : there_is (malloc (size));
}

gpointer
g_malloc0 (gsize size)
{
  return size == 0 ? NULL : there_is (calloc (1, size));
}

gpointer
g_try_malloc0 (gsize size)
{
  return size == 0 ? NULL : calloc (1, size);
}

gpointer
g_malloc_n (gsize n, gsize size)
{
  return g_malloc (bytes_of (n, size));
}

gpointer
g_malloc0_n (gsize n, gsize size)
{
  return g_malloc0 (bytes_of (n, size));
}

gpointer
g_realloc_n (gpointer memory, gsize n, gsize size)
{
  const gsize bytes = bytes_of (n, size);

  if (bytes > 0)
    return there_is (realloc (memory, bytes));
  free (memory);
  return NULL;
}

gpointer
g_aligned_alloc (gsize n, gsize size, gsize alignment)
{
  const gsize bytes = bytes_of (n, size);

  /* C requires a multiple of the alignment. */
  return bytes == 0 ? NULL
                    : there_is (
                        aligned_alloc (alignment, (bytes + alignment - 1) / alignment * alignment));
}

gpointer
g_aligned_alloc0 (gsize n, gsize size, gsize alignment)
{
  gpointer memory = g_aligned_alloc (n, size, alignment);

  return memory == NULL ? NULL : memset (memory, 0, n * size);
}

gpointer
g_memdup2 (gconstpointer memory, gsize size)
{
  return memory == NULL || size == 0 ? NULL : memcpy (g_malloc (size), memory, size);
}

void
g_free (gpointer memory)
{
  free (memory);
}

void
g_aligned_free (gpointer memory)
{
  free (memory);
}

/* Once */

static pthread_mutex_t once = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* All mutexes are one: they are held for moments only. */
void
g_mutex_lock (GMutex *mutex)
{
  (void) mutex;
  pthread_mutex_lock (&once);
}

void
g_mutex_unlock (GMutex *mutex)
{
  (void) mutex;
  pthread_mutex_unlock (&once);
}

gboolean
g_once_init_enter (gsize *place)
{
  if (__atomic_load_n (place, __ATOMIC_ACQUIRE) != 0)
    return FALSE;
  pthread_mutex_lock (&once);
  if (__atomic_load_n (place, __ATOMIC_ACQUIRE) == 0)
    return TRUE;
  pthread_mutex_unlock (&once);
  return FALSE;
}

void
g_once_init_leave (gsize *place, gsize result)
{
  __atomic_store_n (place, result, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&once);
}

/* Sorting: halves are sorted, then merged; the sort is stable. */

static void
sort (char *base, gsize n, gsize size, GCompareDataFunc compare, gpointer data, char *scratch)
{
  const gsize half = n / 2;
  gsize i = 0, j = half;

  if (n < 2)
    return;
  sort (base, half, size, compare, data, scratch);
  sort (base + half * size, n - half, size, compare, data, scratch);
  for (gsize k = 0; k < n; k++)
    {
      const gboolean first =
          j == n || (i < half && compare (base + i * size, base + j * size, data) <= 0);

      memcpy (scratch + k * size, base + (first ? i++ : j++) * size, size);
    }
  memcpy (base, scratch, n * size);
}

void
g_qsort_with_data (gconstpointer base, gint n, gsize size, GCompareDataFunc compare, gpointer data)
{
  g_autofree char *scratch = g_malloc_n ((gsize) n + 1, size);

  sort ((char *) base, (gsize) n, size, compare, data, scratch);
}

static int
compare_plainly (gconstpointer a, gconstpointer b, gpointer compare)
{
  return (*(GCompareFunc *) compare) (a, b);
}

/* Arrays */

/* The private part of an array behind its public one. */
typedef struct
{
  GArray seen;
  guint ref_count, capacity, size;
  gboolean clear; /* new elements are zero */
  GDestroyNotify clear_func;
} Array;

static void
array_reserve (Array *array, guint n)
{
  const guint capacity = MAX (n, MAX (16, 2 * array->capacity));

  if (n <= array->capacity)
    return;
  array->seen.data = g_realloc_n (array->seen.data, capacity, array->size);
  array->capacity = capacity;
}

GArray *
g_array_new (gboolean zero_terminated, gboolean clear, guint size)
{
  Array *array = g_new0 (Array, 1);

  g_assert (!zero_terminated);
  array->ref_count = 1;
  array->size = size;
  array->clear = clear;
  return &array->seen;
}

GArray *
g_array_append_vals (GArray *seen, gconstpointer values, guint n)
{
  Array *array = (Array *) seen;

  if (n == 0)
    return seen;
  array_reserve (array, seen->len + n);
  memcpy (seen->data + (gsize) seen->len * array->size, values, (gsize) n * array->size);
  seen->len += n;
  return seen;
}

GArray *
g_array_set_size (GArray *seen, guint n)
{
  Array *array = (Array *) seen;

  if (n < seen->len)
    return g_array_remove_range (seen, n, seen->len - n);
  array_reserve (array, n);
  if (array->clear && n > seen->len)
    memset (seen->data + (gsize) seen->len * array->size, 0, (gsize) (n - seen->len) * array->size);
  seen->len = n;
  return seen;
}

GArray *
g_array_remove_range (GArray *seen, guint first, guint n)
{
  const Array *array = (Array *) seen;
  char *gap;

  if (n == 0)
    return seen;
  gap = seen->data + (gsize) first * array->size;
  for (guint i = 0; array->clear_func != NULL && i < n; i++)
    array->clear_func (gap + (gsize) i * array->size);
  if (first + n < seen->len)
    memmove (gap, gap + (gsize) n * array->size, (gsize) (seen->len - first - n) * array->size);
  seen->len -= n;
  return seen;
}

void
g_array_set_clear_func (GArray *seen, GDestroyNotify clear)
{
  ((Array *) seen)->clear_func = clear;
}

void
g_array_sort (GArray *seen, GCompareFunc compare)
{
  g_qsort_with_data (seen->data, (gint) seen->len, ((Array *) seen)->size, compare_plainly,
                     &compare);
}

char *
g_array_free (GArray *seen, gboolean free_data)
{
  char *data = seen->data;

  if (free_data)
    {
      g_array_remove_range (seen, 0, seen->len);
      g_free (data);
      data = NULL;
    }
  g_free (seen);
  return data;
}

GArray *
g_array_ref (GArray *seen)
{
  ((Array *) seen)->ref_count++;
  return seen;
}

void
g_array_unref (GArray *seen)
{
  if (--((Array *) seen)->ref_count == 0)
    g_array_free (seen, TRUE);
}

typedef struct
{
  GPtrArray seen;
  guint capacity;
  GDestroyNotify destroy;
} PtrArray;

GPtrArray *
g_ptr_array_new (void)
{
  return g_ptr_array_new_with_free_func (NULL);
}

GPtrArray *
g_ptr_array_new_with_free_func (GDestroyNotify destroy)
{
  PtrArray *array = g_new0 (PtrArray, 1);

  array->destroy = destroy;
  return &array->seen;
}

void
g_ptr_array_add (GPtrArray *seen, gpointer pointer)
{
  PtrArray *array = (PtrArray *) seen;

  if (seen->len == array->capacity)
    {
      array->capacity = MAX (16, 2 * array->capacity);
      seen->pdata = g_renew (gpointer, seen->pdata, array->capacity);
    }
  seen->pdata[seen->len++] = pointer;
}

void
g_ptr_array_sort (GPtrArray *seen, GCompareFunc compare)
{
  g_qsort_with_data (seen->pdata, (gint) seen->len, sizeof (gpointer), compare_plainly, &compare);
}

void
g_ptr_array_unref (GPtrArray *seen)
{
  const PtrArray *array = (PtrArray *) seen;

  for (guint i = 0; array->destroy != NULL && i < seen->len; i++)
    array->destroy (seen->pdata[i]);
  g_free (seen->pdata);
  g_free (seen);
}

/* Tables: entries in the order of insertion, and their indices plus 1, by hash with linear probing
 * (Knuth 1973, 6.4, algorithm L). Entries are never removed. */

typedef struct
{
  gpointer key, value;
} Entry;

struct _GHashTable
{
  GHashFunc hash;
  GEqualFunc equal;
  GDestroyNotify destroy_key, destroy_value;
  Entry *entries;
  guint n, capacity; /* a power of two, at least twice n */
  guint *places;     /* (capacity) */
};

GHashTable *
g_hash_table_new (GHashFunc hash, GEqualFunc equal)
{
  return g_hash_table_new_full (hash, equal, NULL, NULL);
}

GHashTable *
g_hash_table_new_full (GHashFunc hash, GEqualFunc equal, GDestroyNotify destroy_key,
                       GDestroyNotify destroy_value)
{
  GHashTable *table = g_new0 (GHashTable, 1);

  *table = (GHashTable){ .hash = hash,
                         .equal = equal,
                         .destroy_key = destroy_key,
                         .destroy_value = destroy_value,
                         .capacity = 16 };
  table->places = g_new0 (guint, table->capacity);
  table->entries = g_new (Entry, table->capacity / 2);
  return table;
}

/* Returns the slot of a key, or the free one for it. */
static guint *
find_place (const GHashTable *table, gconstpointer key)
{
  const guint64 hash = table->hash != NULL ? table->hash (key) : (guint64) (gsize) key;
  /* Golden ratio: neighbours are spread (Knuth 1973, 6.4). */
  guint64 i = (hash * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 20;

  for (;; i++)
    {
      guint *place = &table->places[i & (table->capacity - 1)];
      gconstpointer other = *place == 0 ? NULL : table->entries[*place - 1].key;

      if (*place == 0 || other == key || (table->equal != NULL && table->equal (other, key)))
        return place;
    }
}

static void
grow (GHashTable *table)
{
  table->capacity *= 2;
  g_free (table->places);
  table->places = g_new0 (guint, table->capacity);
  table->entries = g_renew (Entry, table->entries, table->capacity / 2);
  for (guint i = 0; i < table->n; i++)
    *find_place (table, table->entries[i].key) = i + 1;
}

gboolean
g_hash_table_insert (GHashTable *table, gpointer key, gpointer value)
{
  guint *place = find_place (table, key);
  Entry *entry;

  if (*place == 0)
    {
      if (2 * (table->n + 1) > table->capacity)
        {
          grow (table);
          place = find_place (table, key);
        }
      table->entries[table->n++] = (Entry){ key, value };
      *place = table->n;
      return TRUE;
    }
  /* The old key is kept, as in GLib. */
  entry = &table->entries[*place - 1];
  if (table->destroy_key != NULL)
    table->destroy_key (key);
  if (table->destroy_value != NULL)
    table->destroy_value (entry->value);
  entry->value = value;
  return FALSE;
}

gboolean
g_hash_table_add (GHashTable *table, gpointer key)
{
  return g_hash_table_insert (table, key, key);
}

gpointer
g_hash_table_lookup (GHashTable *table, gconstpointer key)
{
  const guint place = *find_place (table, key);

  return place == 0 ? NULL : table->entries[place - 1].value;
}

gboolean
g_hash_table_contains (GHashTable *table, gconstpointer key)
{
  return *find_place (table, key) != 0;
}

guint
g_hash_table_size (GHashTable *table)
{
  return table->n;
}

gpointer *
g_hash_table_get_keys_as_array (GHashTable *table, guint *n)
{
  gpointer *keys = g_new0 (gpointer, table->n + 1);

  for (guint i = 0; i < table->n; i++)
    keys[i] = table->entries[i].key;
  *n = table->n;
  return keys;
}

void
g_hash_table_iter_init (GHashTableIter *iter, GHashTable *table)
{
  *iter = (GHashTableIter){ table, 0 };
}

gboolean
g_hash_table_iter_next (GHashTableIter *iter, gpointer *key, gpointer *value)
{
  const Entry *entry = &iter->table->entries[iter->next];

  if (iter->next == iter->table->n)
    return FALSE;
  iter->next++;
  if (key != NULL)
    *key = entry->key;
  if (value != NULL)
    *value = entry->value;
  return TRUE;
}

void
g_hash_table_unref (GHashTable *table)
{
  for (guint i = 0; i < table->n; i++)
    {
      if (table->destroy_key != NULL)
        table->destroy_key (table->entries[i].key);
      if (table->destroy_value != NULL)
        table->destroy_value (table->entries[i].value);
    }
  g_free (table->entries);
  g_free (table->places);
  g_free (table);
}

/* Bernstein's hash, with the multiplier 33. */
guint
g_str_hash (gconstpointer text)
{
  guint hash = 5381;

  for (const unsigned char *c = text; *c != '\0'; c++)
    hash = 33 * hash + *c;
  return hash;
}

guint
g_int64_hash (gconstpointer number)
{
  const guint64 bits = *(const guint64 *) number;

  return (guint) (bits ^ bits >> 32);
}

gboolean
g_int64_equal (gconstpointer a, gconstpointer b)
{
  return *(const gint64 *) a == *(const gint64 *) b;
}

/* Other functions */

const char *
g_intern_string (const char *text)
{
  static GHashTable *interned;
  const char *known;

  pthread_mutex_lock (&once);
  if (interned == NULL)
    interned = g_hash_table_new (g_str_hash, g_str_equal);
  known = g_hash_table_lookup (interned, text);
  if (known == NULL)
    {
      char *copy = g_strdup (text);

      g_hash_table_add (interned, copy);
      known = copy;
    }
  pthread_mutex_unlock (&once);
  return known;
}

guint
g_get_num_processors (void)
{
  return (guint) MAX (1, sysconf (_SC_NPROCESSORS_ONLN));
}

gint
g_bit_nth_lsf (gulong mask, gint nth)
{
  for (nth++; nth < (gint) (8 * sizeof mask); nth++)
    if ((mask >> nth & 1) != 0)
      return nth;
  return -1;
}

/* There is one domain of errors: a number that is unlikely for other texts is sufficient. */
GQuark
g_quark_from_static_string (const char *text)
{
  return g_str_hash (text);
}

void
g_error_free (GError *error)
{
  g_free (error->message);
  g_free (error);
}

void
g_set_error (GError **place, GQuark domain, gint code, const char *format, ...)
{
  va_list arguments;

  if (place == NULL)
    return;
  *place = g_new (GError, 1);
  va_start (arguments, format);
  **place = (GError){ domain, code, g_strdup_vprintf (format, arguments) };
  va_end (arguments);
}

struct _GVariant
{
  guint ref_count;
  gsize n;
  double values[];
};

GVariant *
g_variant_new_fixed_array (const GVariantType *type, gconstpointer elements, gsize n, gsize size)
{
  GVariant *variant = g_malloc (sizeof *variant + bytes_of (n, size));

  (void) type;
  g_assert (size == sizeof (double));
  variant->ref_count = 1;
  variant->n = n;
  if (n > 0)
    memcpy (variant->values, elements, n * size);
  return variant;
}

gconstpointer
g_variant_get_fixed_array (GVariant *variant, gsize *n, gsize size)
{
  g_assert (size == sizeof (double));
  *n = variant->n;
  return variant->values;
}

GVariant *
g_variant_ref (GVariant *variant)
{
  variant->ref_count++;
  return variant;
}

GVariant *
g_variant_ref_sink (GVariant *variant)
{
  return variant;
}

void
g_variant_unref (GVariant *variant)
{
  if (--variant->ref_count == 0)
    g_free (variant);
}
