/* pthread.h: the part of the C library that the core uses, for a single thread
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef int pthread_t, pthread_mutex_t, pthread_barrier_t;

#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP 0
#define PTHREAD_BARRIER_SERIAL_THREAD          -1

#define pthread_mutex_init(mutex, attributes)        ((void) (mutex))
#define pthread_mutex_lock(mutex)                    ((void) (mutex))
#define pthread_mutex_unlock(mutex)                  ((void) (mutex))
#define pthread_mutex_destroy(mutex)                 ((void) (mutex))
#define pthread_barrier_init(barrier, attributes, n) ((void) (barrier))
#define pthread_barrier_wait(barrier)                ((void) (barrier), PTHREAD_BARRIER_SERIAL_THREAD)
#define pthread_barrier_destroy(barrier)             ((void) (barrier))
/* Other threads can't be created. */
#define pthread_create(thread, attributes, work, data)                                             \
  ((void) (thread), (void) (work), (void) (data), 1)
#define pthread_join(thread, result) ((void) (thread))
