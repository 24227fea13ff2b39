/* glib.h: the part of GLib that the core uses, for systems with only a C library
 *
 * Names and meanings are GLib's; the core must not use other parts. Defined in port/glib-runtime.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <float.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef int gboolean;
typedef int gint;
typedef unsigned int guint;
typedef size_t gsize;
typedef ssize_t gssize;
typedef double gdouble;
typedef uint8_t guint8;
typedef unsigned char guchar;
typedef uint16_t guint16;
typedef int32_t gint32;
typedef uint32_t guint32;
typedef int64_t gint64;
typedef uint64_t guint64;
typedef unsigned long gulong;
typedef uintptr_t guintptr;
typedef void *gpointer;
typedef const void *gconstpointer;
typedef guint32 GQuark;
typedef struct _GBytes GBytes;

#define TRUE  1
#define FALSE 0

#define G_BEGIN_DECLS
#define G_END_DECLS
#define G_MAXINT       INT_MAX
#define G_MAXUINT      UINT_MAX
#define G_MAXUINT32    UINT32_MAX
#define G_MAXUINT64    UINT64_MAX
#define G_MAXSIZE      SIZE_MAX
#define G_MINDOUBLE    DBL_MIN
#define G_MAXDOUBLE    DBL_MAX
#define G_PI           3.1415926535897932384626433832795028841971693993751
#define G_GSIZE_FORMAT "zu"
#if LONG_MAX > INT_MAX
#define G_GUINT64_FORMAT "lu"
#else
#define G_GUINT64_FORMAT "llu"
#endif
#define G_GUINT64_CONSTANT(number) UINT64_C (number)
#define G_N_ELEMENTS(array)        (sizeof (array) / sizeof ((array)[0]))
#define G_STATIC_ASSERT(condition) _Static_assert(condition, #condition)
#define G_UNLIKELY(condition)      __builtin_expect (!!(condition), 0)
#define G_GNUC_PRINTF(text, first) __attribute__ ((format (printf, text, first)))

#undef MIN
#undef MAX
#define MIN(a, b)           ((a) < (b) ? (a) : (b))
#define MAX(a, b)           ((a) > (b) ? (a) : (b))
#define CLAMP(x, low, high) ((x) > (high) ? (high) : (x) < (low) ? (low) : (x))
#define ABS(a)              ((a) < 0 ? -(a) : (a))

#define GSIZE_TO_POINTER(number)  ((gpointer) (gsize) (number))
#define GPOINTER_TO_SIZE(pointer) ((gsize) (pointer))
#define GUINT_TO_POINTER(number)  ((gpointer) (gsize) (number))

/* There is no recovery and no output of messages. */
#define g_error(...)                           abort ()
#define g_assert(condition)                    ((condition) ? (void) 0 : abort ())
#define g_return_val_if_fail(condition, value) g_assert (condition)
#define g_return_val_if_reached(value)         abort ()

/* Memory: functions succeed or end the program. */

gpointer g_malloc (gsize size);
gpointer g_malloc0 (gsize size);
gpointer g_try_malloc0 (gsize size); /* NULL: not enough memory */
gpointer g_malloc_n (gsize n, gsize size);
gpointer g_malloc0_n (gsize n, gsize size);
gpointer g_realloc_n (gpointer memory, gsize n, gsize size);
gpointer g_aligned_alloc (gsize n, gsize size, gsize alignment);
gpointer g_aligned_alloc0 (gsize n, gsize size, gsize alignment);
gpointer g_memdup2 (gconstpointer memory, gsize size);
void g_free (gpointer memory);
void g_aligned_free (gpointer memory);
#define g_new(Type, n)           ((Type *) g_malloc_n (n, sizeof (Type)))
#define g_new0(Type, n)          ((Type *) g_malloc0_n (n, sizeof (Type)))
#define g_renew(Type, memory, n) ((Type *) g_realloc_n (memory, n, sizeof (Type)))

/* On the stack. */
#define g_newa(Type, n) ((Type *) __builtin_alloca ((gsize) (n) * sizeof (Type)))

#define g_steal_pointer(place)                                                                     \
  __extension__({                                                                                  \
    __auto_type stolen_ = *(place);                                                                \
    *(place) = NULL;                                                                               \
    stolen_;                                                                                       \
  })
#define g_clear_pointer(place, destroy)                                                            \
  do                                                                                               \
    {                                                                                              \
      __auto_type cleared_ = *(place);                                                             \
      *(place) = NULL;                                                                             \
      if (cleared_ != NULL)                                                                        \
        (destroy) (cleared_);                                                                      \
    }                                                                                              \
  while (0)

static inline void
g_autofree_cleanup (void *place)
{
  g_free (*(gpointer *) place);
}

#define g_autofree      __attribute__ ((cleanup (g_autofree_cleanup)))
#define g_autoptr(Type) __attribute__ ((cleanup (Type##_cleanup))) Type##_autoptr
#define g_auto(Type)    __attribute__ ((cleanup (Type##_clear_cleanup))) Type
#define G_DEFINE_AUTOPTR_CLEANUP_FUNC(Type, destroy)                                               \
  typedef Type *Type##_autoptr;                                                                    \
  static inline __attribute__ ((unused)) void Type##_cleanup (Type **place)                        \
  {                                                                                                \
    if (*place != NULL)                                                                            \
      (destroy) (*place);                                                                          \
  }
#define G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Type, clear)                                              \
  static inline __attribute__ ((unused)) void Type##_clear_cleanup (Type *place)                   \
  {                                                                                                \
    (clear) (place);                                                                               \
  }

/* Once: the first thread runs it, the others wait. */

gboolean g_once_init_enter (gsize *place);
void g_once_init_leave (gsize *place, gsize result);
typedef gsize GMutex;
void g_mutex_lock (GMutex *mutex);
void g_mutex_unlock (GMutex *mutex);
#define g_atomic_int_inc(place)          ((void) __atomic_fetch_add (place, 1, __ATOMIC_SEQ_CST))
#define g_atomic_int_dec_and_test(place) (__atomic_sub_fetch (place, 1, __ATOMIC_SEQ_CST) == 0)

/* Sorting: stable. */

typedef void (*GDestroyNotify) (gpointer data);
typedef int (*GCompareFunc) (gconstpointer a, gconstpointer b);
typedef int (*GCompareDataFunc) (gconstpointer a, gconstpointer b, gpointer data);

void g_qsort_with_data (gconstpointer base, gint n, gsize size, GCompareDataFunc compare,
                        gpointer data);

/* Arrays */

typedef struct
{
  char *data;
  guint len;
} GArray;

GArray *g_array_new (gboolean zero_terminated, gboolean clear, guint size);
GArray *g_array_append_vals (GArray *array, gconstpointer values, guint n);
GArray *g_array_set_size (GArray *array, guint n);
GArray *g_array_remove_range (GArray *array, guint first, guint n);
void g_array_set_clear_func (GArray *array, GDestroyNotify clear);
void g_array_sort (GArray *array, GCompareFunc compare);
char *g_array_free (GArray *array, gboolean free_data);
GArray *g_array_ref (GArray *array);
void g_array_unref (GArray *array);
#define g_array_append_val(array, value) g_array_append_vals (array, &(value), 1)
#define g_array_remove_index(array, i)   g_array_remove_range (array, i, 1)
#define g_array_index(array, Type, i)    (((Type *) (void *) (array)->data)[i])
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GArray, g_array_unref)

typedef struct
{
  gpointer *pdata;
  guint len;
} GPtrArray;

GPtrArray *g_ptr_array_new (void);
GPtrArray *g_ptr_array_new_with_free_func (GDestroyNotify destroy);
void g_ptr_array_add (GPtrArray *array, gpointer pointer);
void g_ptr_array_sort (GPtrArray *array, GCompareFunc compare);
void g_ptr_array_unref (GPtrArray *array);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GPtrArray, g_ptr_array_unref)

/* Tables; iteration is in the order of insertion. */

typedef guint (*GHashFunc) (gconstpointer key);
typedef gboolean (*GEqualFunc) (gconstpointer a, gconstpointer b);
typedef struct _GHashTable GHashTable;

typedef struct
{
  GHashTable *table;
  guint next;
} GHashTableIter;

GHashTable *g_hash_table_new (GHashFunc hash, GEqualFunc equal);
GHashTable *g_hash_table_new_full (GHashFunc hash, GEqualFunc equal, GDestroyNotify destroy_key,
                                   GDestroyNotify destroy_value);
gboolean g_hash_table_insert (GHashTable *table, gpointer key, gpointer value);
gboolean g_hash_table_add (GHashTable *table, gpointer key);
gpointer g_hash_table_lookup (GHashTable *table, gconstpointer key);
gboolean g_hash_table_contains (GHashTable *table, gconstpointer key);
guint g_hash_table_size (GHashTable *table);
gpointer *g_hash_table_get_keys_as_array (GHashTable *table, guint *n);
void g_hash_table_iter_init (GHashTableIter *iter, GHashTable *table);
gboolean g_hash_table_iter_next (GHashTableIter *iter, gpointer *key, gpointer *value);
void g_hash_table_unref (GHashTable *table);
guint g_str_hash (gconstpointer text);
guint g_int64_hash (gconstpointer number);
gboolean g_int64_equal (gconstpointer a, gconstpointer b);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GHashTable, g_hash_table_unref)

/* Texts */

typedef char **GStrv;

gboolean g_str_equal (gconstpointer a, gconstpointer b);
char *g_strdup (const char *text);
char *g_strndup (const char *text, gsize n);
char *g_strdup_printf (const char *format, ...) G_GNUC_PRINTF (1, 2);
char *g_strdup_vprintf (const char *format, va_list arguments) G_GNUC_PRINTF (1, 0);
char **g_strsplit (const char *text, const char *delimiter, gint most);
char *g_strjoinv (const char *separator, char **texts);
char *g_strconcat (const char *first, ...) __attribute__ ((sentinel));
gboolean g_str_has_suffix (const char *text, const char *suffix);
#define g_str_has_prefix(text, prefix) (strncmp (text, prefix, strlen (prefix)) == 0)
char *g_strchug (char *text);
char *g_strchomp (char *text);
#define g_strstrip(text) g_strchomp (g_strchug (text))
char *g_strdelimit (char *text, const char *letters, char by);
gint g_ascii_strncasecmp (const char *a, const char *b, gsize n);
gboolean g_strv_contains (const char *const *texts, const char *text);
gboolean g_utf8_validate (const char *text, gssize n, const char **end);
const char *g_intern_string (const char *text);
guint g_strv_length (char **texts);
void g_strfreev (char **texts);
guint64 g_ascii_strtoull (const char *text, char **end, guint base);
double g_ascii_strtod (const char *text, char **end);
char *g_ascii_formatd (char *text, gint size, const char *format, double number);
#define G_ASCII_DTOSTR_BUF_SIZE 39
#define g_snprintf              snprintf
const char *g_getenv (const char *name);

static inline void
GStrv_clear_cleanup (GStrv *place)
{
  g_strfreev (*place);
}

typedef struct
{
  char *str;
  gsize len, allocated_len;
} GString;

GString *g_string_new (const char *text);
GString *g_string_new_len (const char *text, gssize n);
GString *g_string_append (GString *string, const char *text);
GString *g_string_append_len (GString *string, const char *text, gssize n);
GString *g_string_append_c (GString *string, char c);
GString *g_string_truncate (GString *string, gsize n);
void g_string_append_vprintf (GString *string, const char *format, va_list arguments)
    G_GNUC_PRINTF (2, 0);
void g_string_append_printf (GString *string, const char *format, ...) G_GNUC_PRINTF (2, 3);
guint g_string_replace (GString *string, const char *find, const char *replace, guint most);
char *g_string_free (GString *string, gboolean free_text);

static inline void
GString_cleanup (GString **place)
{
  if (*place != NULL)
    g_string_free (*place, TRUE);
}

typedef GString *GString_autoptr;

#define g_ascii_isdigit(c) ((c) >= '0' && (c) <= '9')

static inline char
g_ascii_tolower (char c)
{
  return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
}

static inline gboolean
g_ascii_isalpha (char c)
{
  return g_ascii_tolower (c) >= 'a' && g_ascii_tolower (c) <= 'z';
}

static inline gboolean
g_ascii_isalnum (char c)
{
  return g_ascii_isalpha (c) || g_ascii_isdigit (c);
}

static inline gboolean
g_ascii_isxdigit (char c)
{
  return g_ascii_isdigit (c) || (g_ascii_tolower (c) >= 'a' && g_ascii_tolower (c) <= 'f');
}

static inline gboolean
g_ascii_isspace (char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static inline gboolean
g_ascii_iscntrl (char c)
{
  return (guchar) c < 0x20 || c == 0x7f;
}

/* Patterns of names: "*" stands for any text, "?" for one letter. */

typedef struct _GPatternSpec GPatternSpec;

GPatternSpec *g_pattern_spec_new (const char *pattern);
gboolean g_pattern_spec_match_string (GPatternSpec *pattern, const char *text);
void g_pattern_spec_free (GPatternSpec *pattern);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GPatternSpec, g_pattern_spec_free)

/* Other functions */

guint g_get_num_processors (void);
gint g_bit_nth_lsf (gulong mask, gint nth);

GQuark g_quark_from_static_string (const char *text);

typedef struct
{
  GQuark domain;
  gint code;
  char *message;
} GError;

void g_error_free (GError *error);
static inline void
GError_cleanup (GError **place)
{
  if (*place != NULL)
    g_error_free (*place);
}
typedef GError *GError_autoptr;
void g_set_error (GError **place, GQuark domain, gint code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
#define g_set_error_literal(place, domain, code, text) g_set_error (place, domain, code, "%s", text)

/* A list of doubles, the only kind of variant. */
typedef struct _GVariant GVariant;
typedef struct _GVariantType GVariantType;
#define G_VARIANT_TYPE_DOUBLE ((const GVariantType *) "d")
GVariant *g_variant_new_fixed_array (const GVariantType *type, gconstpointer elements, gsize n,
                                     gsize size);
gconstpointer g_variant_get_fixed_array (GVariant *variant, gsize *n, gsize size);
GVariant *g_variant_ref (GVariant *variant);
GVariant *g_variant_ref_sink (GVariant *variant);
void g_variant_unref (GVariant *variant);
