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

/* Errors as java.io.IOException, with the verb's name and what the errno means. */
#ifndef ORCA_ERRORS_H
#define ORCA_ERRORS_H

#include <jni.h>

#include "handles.h"

/* Throws "verb: text (errno n)". */
void throw_errno(JNIEnv *env, const char *verb, int error);

/* Throws "verb: reason". */
void throw_reason(JNIEnv *env, const char *verb, const char *reason);

/* The object of a handle; if there is none, throws and returns null. */
struct handle *acquire_or_throw(JNIEnv *env, const char *verb, jlong number, enum handle_kind kind);

/* As handle_begin_close; if it cannot be closed, throws and returns null. */
struct handle *close_or_throw(JNIEnv *env, const char *verb, jlong number, enum handle_kind kind);

/* Adds an object; if there is no room, throws and returns 0: the caller destroys it then. */
jlong add_or_throw(JNIEnv *env, const char *verb, enum handle_kind kind, void *object, int parents,
                   struct handle *const *parent);

/* The bytes of a direct buffer, which must be at least so many; else throws and returns null. */
void *buffer_or_throw(JNIEnv *env, const char *verb, jobject buffer, jlong bytes);

#endif
