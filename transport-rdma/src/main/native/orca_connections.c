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
 * Connections that are made while a thread does other things, as org.orcagrid.transport.rdma.CmVerbs
 * declares them. DiSNI's Java side keeps every id for ever, and does not say what a request brings.
 */
#include <errno.h>
#include <rdma/rdma_cma.h>
#include <string.h>

#include "connections.h"
#include "errors.h"
#include "handles.h"
#include "queues.h"

#define ORCA(type, name) JNIEXPORT type JNICALL Java_org_orcagrid_transport_rdma_CmVerbs_##name

/* CmVerbs' layout of an event. */
_Static_assert(sizeof(struct taken_event) == 80, "CmVerbs.EVENT_BYTES");

ORCA(jlong, createId)(JNIEnv *env, jclass type, jlong channel) {
  (void)type;
  return new_connection_id(env, channel, RDMA_PS_TCP);
}

/* With its queue pair; the peer hears of it if it was connected. */
ORCA(void, destroyId)(JNIEnv *env, jclass type, jlong id) {
  (void)type;
  destroy_connection_id(env, "rdma_destroy_id", id, 1);
}

/* Returns the type of the next event, without waiting for it; -1 if there is none. */
ORCA(jint, nextEvent)(JNIEnv *env, jclass type, jlong channel, jobject into) {
  (void)type;
  struct taken_event *event =
      buffer_or_throw(env, "rdma_get_cm_event", into, (jlong)sizeof(struct taken_event));
  return event == NULL ? -1 : take_connection_event(env, channel, 0, event);
}

ORCA(jlong, context)(JNIEnv *env, jclass type, jlong id) {
  (void)type;
  return context_of_id(env, id);
}

ORCA(jint, port)(JNIEnv *env, jclass type, jlong id) {
  (void)type;
  struct handle *held = acquire_or_throw(env, "rdma_cm_id.port_num", id, HANDLE_CM_ID);
  if (held == NULL) {
    return -1;
  }
  jint port = ((struct rdma_cm_id *)held->object)->port_num;
  handle_release(held);
  return port;
}

/* caps as in Verbs.createDatagramQueue. */
ORCA(jlong, createQueue)
(JNIEnv *env, jclass type, jlong id, jlong pd, jlong cq, jobject caps) {
  (void)type;
  static const char *verb = "rdma_create_qp";
  int32_t *cap = buffer_or_throw(env, verb, caps, CAPS * sizeof(int32_t));
  if (cap == NULL) {
    return -1;
  }
  struct ibv_qp_init_attr attr;
  if (!read_caps(cap, IBV_QPT_RC, &attr)) {
    throw_errno(env, verb, EINVAL);
    return -1;
  }
  jlong number = new_queue_of_id(env, id, pd, cq, cq, &attr);
  if (number > 0) {
    write_caps(cap, &attr);
  }
  return number;
}

ORCA(jstring, deviceName)(JNIEnv *env, jclass type, jlong context) {
  (void)type;
  struct handle *held =
      acquire_or_throw(env, "ibv_get_device_name", context, HANDLE_CONTEXT);
  if (held == NULL) {
    return NULL;
  }
  jstring name = (*env)->NewStringUTF(
      env, ibv_get_device_name(((struct ibv_context *)held->object)->device));
  handle_release(held);
  return name;
}

/* How long a request may wait for an acknowledgement: 4.096 us times a power of two. */
ORCA(void, setTimeout)(JNIEnv *env, jclass type, jlong id, jint exponent) {
  (void)type;
  static const char *verb = "rdma_set_option";
  struct handle *held = acquire_or_throw(env, verb, id, HANDLE_CM_ID);
  if (held == NULL) {
    return;
  }
  uint8_t timeout = (uint8_t)exponent;
  int error = exponent < 1 || exponent > 31 ? EINVAL
              : rdma_set_option(held->object, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT,
                                &timeout, sizeof(timeout)) != 0
                  ? errno
                  : 0;
  handle_release(held);
  if (error != 0) {
    throw_errno(env, verb, error);
  }
}
