/* memory.c: memory allocation in an array of bytes that can grow (WebAssembly)
 *
 * Before a block are its size and that of the previous block, in units of 16 bytes. Free blocks are
 * in lists by size, those of sizes between two powers of two in one of four (Masmano et al. 2004,
 * TLSF: a new dynamic memory allocator for real-time systems); free neighbours are merged. So freed
 * memory is available again in any order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define UNIT   16u
#define FREE   1u /* in the lowest bits of a size, which are 0 otherwise */
#define PAGE   65536u
#define SHIFT  2u /* four lists for each power of two */
#define N_LIST (28u << SHIFT)

typedef struct Block Block;

struct Block
{
  uint32_t size, before; /* of the whole block, FREE is set here; of the previous one, 0: none */
  uint64_t unused;       /* for alignment */
  Block *next, *last;    /* of a free block: in its list */
};

#define HEAD  offsetof (Block, next)
#define LEAST 32u

extern unsigned char __heap_base;

static Block *lists[N_LIST];
static uint32_t filled[(N_LIST + 31) / 32];
static unsigned char *end; /* of all blocks; NULL: there is none yet */
static uint32_t last_size; /* of the block before `end` */

_Noreturn void
abort (void)
{
  __builtin_trap ();
}

static uint32_t
size_of (const Block *block)
{
  return block->size & ~FREE;
}

static unsigned char *
behind (const Block *block)
{
  return (unsigned char *) block + size_of (block);
}

/* Returns the list of blocks of a size; all blocks of later lists are larger. */
static uint32_t
list_of (uint32_t size)
{
  const uint32_t units = size / UNIT;
  const uint32_t power = 31u - (uint32_t) __builtin_clz (units);

  if (power < SHIFT)
    return units;
  return (power - SHIFT + 1) << SHIFT | (units >> (power - SHIFT) & ((1u << SHIFT) - 1));
}

static void
take_out (Block *block)
{
  const uint32_t list = list_of (size_of (block));

  if (block->next != NULL)
    block->next->last = block->last;
  if (block->last != NULL)
    block->last->next = block->next;
  else
    {
      lists[list] = block->next;
      if (block->next == NULL)
        filled[list / 32] &= ~(1u << list % 32);
    }
  block->size &= ~FREE;
}

/* Sets a block's size, also in the next block. */
static void
set_size (Block *block, uint32_t size)
{
  block->size = size | (block->size & FREE);
  if (behind (block) == end)
    last_size = size;
  else
    ((Block *) behind (block))->before = size;
}

static void
put_in (Block *block)
{
  const uint32_t list = list_of (size_of (block));

  block->size |= FREE;
  block->last = NULL;
  block->next = lists[list];
  if (block->next != NULL)
    block->next->last = block;
  lists[list] = block;
  filled[list / 32] |= 1u << list % 32;
}

void
free (void *memory)
{
  Block *block = memory == NULL ? NULL : (Block *) ((unsigned char *) memory - HEAD);

  if (block == NULL)
    return;
  if (behind (block) != end && (((Block *) behind (block))->size & FREE) != 0)
    {
      Block *next = (Block *) behind (block);

      take_out (next);
      set_size (block, size_of (block) + size_of (next));
    }
  if (block->before != 0)
    {
      Block *before = (Block *) ((unsigned char *) block - block->before);

      if ((before->size & FREE) != 0)
        {
          take_out (before);
          set_size (before, size_of (before) + size_of (block));
          block = before;
        }
    }
  put_in (block);
}

/* Makes a free block from the part of a block beyond a size, if it is large enough. */
static void
split (Block *block, uint32_t size)
{
  const uint32_t rest = size_of (block) - size;
  Block *other = (Block *) ((unsigned char *) block + size);

  if (rest < LEAST)
    return;
  other->size = rest;
  other->before = size;
  set_size (other, rest);
  block->size = size;
  free ((unsigned char *) other + HEAD);
}

/* Returns the first block of a list that is long enough, or of a later one. */
static Block *
find (uint32_t size)
{
  uint32_t list = list_of (size);

  for (Block *block = lists[list]; block != NULL; block = block->next)
    if (size_of (block) >= size)
      return block;
  for (list++; list < N_LIST; list = (list / 32 + 1) * 32)
    {
      const uint32_t rest = filled[list / 32] & ~0u << list % 32;

      if (rest != 0)
        return lists[list / 32 * 32 + (uint32_t) __builtin_ctz (rest)];
    }
  return NULL;
}

/* Returns a new block after all others; NULL: the machine has no more memory. */
static Block *
append (uint32_t size)
{
  Block *block;
  size_t there = __builtin_wasm_memory_size (0);
  uint64_t wanted;

  if (end == NULL)
    end = (unsigned char *) (((uintptr_t) &__heap_base + UNIT - 1) / UNIT * UNIT);
  wanted = ((uint64_t) (uintptr_t) end + size + PAGE - 1) / PAGE;
  if (wanted > there
      && (wanted > PAGE
          || __builtin_wasm_memory_grow (0, (size_t) (wanted - there)) == (size_t) -1))
    return NULL;
  block = (Block *) end;
  block->size = size;
  block->before = last_size;
  end += size;
  last_size = size;
  return block;
}

void *
malloc (size_t size)
{
  const uint64_t whole = ((uint64_t) size + HEAD + UNIT - 1) / UNIT * UNIT;
  Block *block;

  if (whole > UINT32_MAX / 2)
    return NULL;
  block = find (whole < LEAST ? LEAST : (uint32_t) whole);
  if (block == NULL)
    block = append (whole < LEAST ? LEAST : (uint32_t) whole);
  else
    {
      take_out (block);
      split (block, whole < LEAST ? LEAST : (uint32_t) whole);
    }
  return block == NULL ? NULL : (unsigned char *) block + HEAD;
}

void *
calloc (size_t n, size_t size)
{
  size_t bytes;
  void *memory = __builtin_mul_overflow (n, size, &bytes) ? NULL : malloc (bytes);

  return memory == NULL ? NULL : memset (memory, 0, bytes);
}

void *
realloc (void *memory, size_t size)
{
  const Block *block = (Block *) ((unsigned char *) memory - HEAD);
  void *other;

  if (memory == NULL)
    return malloc (size);
  if (size <= size_of (block) - HEAD)
    return memory;
  other = malloc (size);
  if (other == NULL)
    return NULL;
  memcpy (other, memory, size_of (block) - HEAD);
  free (memory);
  return other;
}

/* The part before the aligned address becomes a separate free block. */
void *
aligned_alloc (size_t alignment, size_t size)
{
  unsigned char *memory, *place;
  Block *block, *other;
  uint32_t gap;

  if (alignment <= UNIT)
    return malloc (size);
  memory = malloc (size + alignment + LEAST);
  if (memory == NULL)
    return NULL;
  place = (unsigned char *) (((uintptr_t) memory + alignment - 1) / alignment * alignment);
  if (place == memory)
    return memory;
  if (place - memory < (ptrdiff_t) LEAST)
    place += alignment;
  gap = (uint32_t) (place - memory);
  block = (Block *) (memory - HEAD);
  other = (Block *) (place - HEAD);
  other->size = size_of (block) - gap;
  other->before = gap;
  set_size (other, size_of (block) - gap);
  block->size = gap;
  free (memory);
  return place;
}

int
posix_memalign (void **memory, size_t alignment, size_t size)
{
  *memory = aligned_alloc (alignment, size);
  return *memory == NULL ? 12 /* ENOMEM */ : 0;
}
