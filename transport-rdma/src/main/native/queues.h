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

/* Queue pairs of all kinds. */
#ifndef ORCA_QUEUES_H
#define ORCA_QUEUES_H

#include <infiniband/verbs.h>
#include <jni.h>
#include <stdint.h>

/*
 * Creates a queue pair with one completion queue for both directions, and prepares it; what prepares it
 * is told the port and the key, and returns an errno. Without requests to send it is refused. Returns its
 * number; if it fails, throws and returns -1. attr has what it can do then.
 */
jlong open_queue(JNIEnv *env, jlong pd, jlong cq, jint port, struct ibv_qp_init_attr *attr,
                 int (*prepare)(struct ibv_qp *, int, uint32_t), uint32_t key);

/* What a queue pair can do: sends, receives, pieces of a request, bytes inline. */
#define CAPS 4

/* Lays out what is wanted of a queue pair. Returns whether that makes sense. */
int read_caps(const int32_t *cap, enum ibv_qp_type type, struct ibv_qp_init_attr *attr);

/* Puts what there is. */
void write_caps(int32_t *cap, const struct ibv_qp_init_attr *attr);

/*
 * Posts a request of a reliable connection with one piece, a place in a region; that of an atomic
 * operation is aligned. If it fails, throws.
 */
void post_reliable(JNIEnv *env, jlong qp, jlong region, jint at, jint bytes, struct ibv_send_wr *wr);

#endif
