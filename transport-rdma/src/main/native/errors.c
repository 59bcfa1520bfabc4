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

#include "errors.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MESSAGE_BYTES 256

static const char *kind_name(enum handle_kind kind) {
  switch (kind) {
    case HANDLE_CONTEXT: return "device context";
    case HANDLE_PD: return "protection domain";
    case HANDLE_COMP_CHANNEL: return "completion channel";
    case HANDLE_CQ: return "completion queue";
    case HANDLE_QP: return "queue pair";
    case HANDLE_MR: return "memory region";
    case HANDLE_AH: return "address handle";
    case HANDLE_EVENT_CHANNEL: return "event channel";
    case HANDLE_CM_ID: return "connection id";
    case HANDLE_WAKE: return "wake-up";
    case HANDLE_MEMORY: return "mapped memory";
  }
  return "object";
}

static void throw_message(JNIEnv *env, const char *message) {
  if ((*env)->ExceptionCheck(env)) {
    return;
  }
  jclass type = (*env)->FindClass(env, "java/io/IOException");
  if (type != NULL) {
    (*env)->ThrowNew(env, type, message);
    (*env)->DeleteLocalRef(env, type);
  }
}

void throw_errno(JNIEnv *env, const char *verb, int error) {
  char text[MESSAGE_BYTES / 2];
  char message[MESSAGE_BYTES];
  /* GNU's strerror_r: the text may be its own. */
  const char *meaning = strerror_r(error, text, sizeof(text));
  snprintf(message, sizeof(message), "%s: %s (errno %d)", verb, meaning, error);
  throw_message(env, message);
}

void throw_reason(JNIEnv *env, const char *verb, const char *reason) {
  char message[MESSAGE_BYTES];
  snprintf(message, sizeof(message), "%s: %s", verb, reason);
  throw_message(env, message);
}

static void throw_not_open(JNIEnv *env, const char *verb, jlong number, enum handle_kind kind) {
  char reason[MESSAGE_BYTES / 2];
  snprintf(reason, sizeof(reason), "%lld is no open %s (errno %d)", (long long)number,
           kind_name(kind), EBADF);
  throw_reason(env, verb, reason);
}

struct handle *acquire_or_throw(JNIEnv *env, const char *verb, jlong number,
                                enum handle_kind kind) {
  struct handle *held = handle_acquire(number, kind);
  if (held == NULL) {
    throw_not_open(env, verb, number, kind);
  }
  return held;
}

struct handle *close_or_throw(JNIEnv *env, const char *verb, jlong number, enum handle_kind kind) {
  struct handle *closing;
  int error = handle_begin_close(number, kind, &closing);
  if (error == EBADF) {
    throw_not_open(env, verb, number, kind);
  } else if (error != 0) {
    throw_reason(env, verb, "it is in use, or something that was made from it is open (errno 16)");
  }
  return closing;
}

jlong add_or_throw(JNIEnv *env, const char *verb, enum handle_kind kind, void *object, int parents,
                   struct handle *const *parent) {
  jlong number = handle_add(kind, object, parents, parent);
  if (number == 0) {
    throw_errno(env, verb, ENFILE);
  }
  return number;
}

void *buffer_or_throw(JNIEnv *env, const char *verb, jobject buffer, jlong bytes) {
  void *address = buffer == NULL ? NULL : (*env)->GetDirectBufferAddress(env, buffer);
  if (address == NULL) {
    throw_reason(env, verb, "the buffer is no direct one (errno 22)");
    return NULL;
  }
  if (bytes < 0 || (*env)->GetDirectBufferCapacity(env, buffer) < bytes) {
    throw_reason(env, verb, "the buffer is too small (errno 22)");
    return NULL;
  }
  return address;
}
