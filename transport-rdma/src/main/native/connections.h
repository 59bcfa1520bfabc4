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

/* Ids of librdmacm, for DiSNI and for what it leaves open. */
#ifndef ORCA_CONNECTIONS_H
#define ORCA_CONNECTIONS_H

#include <infiniband/verbs.h>
#include <jni.h>
#include <stdint.h>

/* What a request for a connection may say; networks add zeros behind it. */
#define REQUEST_BYTES 56

/* An event that was acknowledged; ids as handles, 0 for none. */
struct taken_event {
  jlong listening;
  jlong id;
  int32_t status;
  int32_t data_bytes;
  uint8_t data[REQUEST_BYTES];
};

/* Returns the number of a new id; if it fails, throws and returns -1. */
jlong new_connection_id(JNIEnv *env, jlong channel, int space);

/* Destroys an id, with its queue pair or only without one. Returns 0, or -1 and throws. */
jint destroy_connection_id(JNIEnv *env, const char *verb, jlong number, int with_qp);

/* Takes the next event. Returns its type; -1 if there is none in time, or if it throws. */
jint take_connection_event(JNIEnv *env, jlong channel, int timeout_ms, struct taken_event *into);

/*
 * Creates the queue pair of an id. Returns its number, and attr has what it can do; or throws, -1.
 */
jlong new_queue_of_id(JNIEnv *env, jlong id, jlong pd, jlong send_cq, jlong recv_cq,
                      struct ibv_qp_init_attr *attr);

/* Returns the number of the context that an id was bound to, which goes with it; or throws, -1. */
jlong context_of_id(JNIEnv *env, jlong id);

#endif
