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

/*
 * What Java holds instead of pointers: numbers that are looked up in a table, so that one that is made
 * up, closed or of another kind is an error and not a crash.
 *
 * An object is used between handle_acquire and handle_release, and destroyed between
 * handle_begin_close and handle_end_close. It cannot be closed while it is used, or while something
 * that was made from it is open.
 */
#ifndef ORCA_HANDLES_H
#define ORCA_HANDLES_H

#include <jni.h>
#include <stdatomic.h>
#include <stdint.h>

enum handle_kind {
  HANDLE_CONTEXT = 1,
  HANDLE_PD,
  HANDLE_COMP_CHANNEL,
  HANDLE_CQ,
  HANDLE_QP,
  HANDLE_MR,
  HANDLE_AH,
  HANDLE_EVENT_CHANNEL,
  HANDLE_CM_ID,
  HANDLE_WAKE,
  HANDLE_MEMORY
};

#define HANDLE_PARENTS_MAX 4

struct handle {
  /* Generation in the upper half; open or not, and the number of uses in the lower half. */
  _Atomic uint64_t state;
  _Atomic int children;
  enum handle_kind kind;
  void *object;
  struct handle *parents[HANDLE_PARENTS_MAX];
  /* A connection id's context and queue pair, as handles; 0 if there is none. */
  jlong context;
  jlong qp;
  /* Events of a completion queue that were got and not acknowledged. */
  _Atomic int unacknowledged;
  int owned;
};

/* The open object of a handle; null if it is none of this kind. */
struct handle *handle_acquire(jlong number, enum handle_kind kind);

void handle_release(struct handle *held);

/*
 * Adds an object. The parents must be held by the caller.
 * Returns 0 if there is no room.
 */
jlong handle_add(enum handle_kind kind, void *object, int parents, struct handle *const *parent);

/*
 * Keeps an object from being used, for destroying it. Returns 0, or an errno: EBADF if it is no open
 * object of this kind, EBUSY if it is in use or something that was made from it is open.
 */
int handle_begin_close(jlong number, enum handle_kind kind, struct handle **closing);

/* Whether it was destroyed; else it is open again. */
void handle_end_close(struct handle *closing, int destroyed);

/* The number of a held object. */
jlong handle_number(const struct handle *held);

/* Open objects. */
int handle_count(void);

#endif
