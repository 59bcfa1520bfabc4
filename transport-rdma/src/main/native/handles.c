/*
 * Copyright 2026 The Orca Grid authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

#include "handles.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#define HANDLES_MAX 65536
#define GENERATION_SHIFT 32
#define GENERATION_MASK 0x7fffffffu
#define OPEN 0x80000000u
#define USES_MASK 0x7fffffffu

static struct handle handles[HANDLES_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Closed entries, the one to be used next on top. */
static int free_entries[HANDLES_MAX];
static int free_count;
static int used_count;

static uint32_t generation(uint64_t state) { return (uint32_t)(state >> GENERATION_SHIFT); }

static struct handle *entry_of(jlong number, uint32_t *expected) {
  uint32_t index = (uint32_t)(number & 0xffffffff);
  if (number <= 0 || index == 0 || index > HANDLES_MAX) {
    return NULL;
  }
  *expected = (uint32_t)(number >> GENERATION_SHIFT);
  return &handles[index - 1];
}

jlong handle_number(const struct handle *held) {
  uint64_t state = atomic_load_explicit(&held->state, memory_order_relaxed);
  return (jlong)((uint64_t)generation(state) << GENERATION_SHIFT | (uint64_t)(held - handles + 1));
}

struct handle *handle_acquire(jlong number, enum handle_kind kind) {
  uint32_t expected;
  struct handle *entry = entry_of(number, &expected);
  if (entry == NULL) {
    return NULL;
  }
  uint64_t state = atomic_load(&entry->state);
  do {
    if (generation(state) != expected || !(state & OPEN)) {
      return NULL;
    }
  } while (!atomic_compare_exchange_weak(&entry->state, &state, state + 1));
  if (entry->kind != kind) {
    handle_release(entry);
    return NULL;
  }
  return entry;
}

void handle_release(struct handle *held) {
  if (held != NULL) {
    atomic_fetch_sub(&held->state, 1);
  }
}

jlong handle_add(enum handle_kind kind, void *object, int parents, struct handle *const *parent) {
  pthread_mutex_lock(&lock);
  int index = -1;
  if (free_count > 0) {
    index = free_entries[--free_count];
  } else if (used_count < HANDLES_MAX) {
    index = used_count++;
  }
  pthread_mutex_unlock(&lock);
  if (index < 0) {
    return 0;
  }
  struct handle *entry = &handles[index];
  entry->kind = kind;
  entry->object = object;
  entry->context = 0;
  entry->qp = 0;
  entry->owned = 1;
  atomic_store(&entry->unacknowledged, 0);
  atomic_store(&entry->children, 0);
  memset(entry->parents, 0, sizeof(entry->parents));
  for (int i = 0; i < parents; i++) {
    entry->parents[i] = parent[i];
    atomic_fetch_add(&parent[i]->children, 1);
  }
  uint32_t next = (generation(atomic_load(&entry->state)) + 1) & GENERATION_MASK;
  atomic_store(&entry->state, (uint64_t)next << GENERATION_SHIFT | OPEN);
  return handle_number(entry);
}

int handle_begin_close(jlong number, enum handle_kind kind, struct handle **closing) {
  struct handle *held = handle_acquire(number, kind);
  *closing = NULL;
  if (held == NULL) {
    return EBADF;
  }
  uint64_t expected = generation(atomic_load(&held->state));
  /* Ours is the only use, or it stays open. Children are made by those who hold it. */
  uint64_t alone = expected << GENERATION_SHIFT | OPEN | 1;
  uint64_t closed = expected << GENERATION_SHIFT;
  if (!atomic_compare_exchange_strong(&held->state, &alone, closed)) {
    handle_release(held);
    return EBUSY;
  }
  if (atomic_load(&held->children) > 0) {
    atomic_store(&held->state, closed | OPEN);
    return EBUSY;
  }
  *closing = held;
  return 0;
}

void handle_end_close(struct handle *closing, int destroyed) {
  if (!destroyed) {
    atomic_fetch_or(&closing->state, OPEN);
    return;
  }
  for (int i = 0; i < HANDLE_PARENTS_MAX; i++) {
    if (closing->parents[i] != NULL) {
      atomic_fetch_sub(&closing->parents[i]->children, 1);
      closing->parents[i] = NULL;
    }
  }
  closing->object = NULL;
  pthread_mutex_lock(&lock);
  free_entries[free_count++] = (int)(closing - handles);
  pthread_mutex_unlock(&lock);
}

int handle_count(void) {
  pthread_mutex_lock(&lock);
  int open = used_count - free_count;
  pthread_mutex_unlock(&lock);
  return open;
}
