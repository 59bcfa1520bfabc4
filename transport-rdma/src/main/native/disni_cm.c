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

/* The connection management of DiSNI's dispatcher: librdmacm. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <string.h>

#include "connections.h"
#include "disni_layout.h"
#include "errors.h"
#include "handles.h"

/* What DiSNI's Java side leaves open: as many reads at once as every device has. */
#define READS_AT_ONCE 1
#define SGES 4

DISNI(jlong, _1createEventChannel)(JNIEnv *env, jobject self) {
  (void)self;
  struct rdma_event_channel *channel = rdma_create_event_channel();
  if (channel == NULL) {
    throw_errno(env, "rdma_create_event_channel", errno);
    return -1;
  }
  /* librdmacm drops some events after it has read them, and would wait for the next. */
  int flags = fcntl(channel->fd, F_GETFL);
  if (flags < 0 || fcntl(channel->fd, F_SETFL, flags | O_NONBLOCK) < 0) {
    throw_errno(env, "rdma_create_event_channel", errno);
    rdma_destroy_event_channel(channel);
    return -1;
  }
  jlong number =
      add_or_throw(env, "rdma_create_event_channel", HANDLE_EVENT_CHANNEL, channel, 0, NULL);
  if (number == 0) {
    rdma_destroy_event_channel(channel);
    return -1;
  }
  return number;
}

DISNI(jint, _1destroyEventChannel)(JNIEnv *env, jobject self, jlong channel) {
  (void)self;
  struct handle *closing =
      close_or_throw(env, "rdma_destroy_event_channel", channel, HANDLE_EVENT_CHANNEL);
  if (closing == NULL) {
    return -1;
  }
  rdma_destroy_event_channel(closing->object);
  handle_end_close(closing, 1);
  return 0;
}

jlong new_connection_id(JNIEnv *env, jlong channel, int space) {
  struct handle *events = acquire_or_throw(env, "rdma_create_id", channel, HANDLE_EVENT_CHANNEL);
  if (events == NULL) {
    return -1;
  }
  struct rdma_cm_id *id;
  jlong number = -1;
  if (rdma_create_id(events->object, &id, NULL, (enum rdma_port_space)space) != 0) {
    throw_errno(env, "rdma_create_id", errno);
  } else {
    number = add_or_throw(env, "rdma_create_id", HANDLE_CM_ID, id, 1, &events);
    if (number == 0) {
      rdma_destroy_id(id);
      number = -1;
    } else {
      id->context = (void *)(intptr_t)number;
    }
  }
  handle_release(events);
  return number;
}

DISNI(jlong, _1createId)(JNIEnv *env, jobject self, jlong channel, jshort space) {
  (void)self;
  return new_connection_id(env, channel, (uint16_t)space);
}

/* Closes the queue pair of an id, which must be held or closing. Returns 0, or -1 and throws. */
static int close_qp(JNIEnv *env, const char *verb, struct handle *id) {
  if (id->qp == 0) {
    return 0;
  }
  struct handle *qp = close_or_throw(env, verb, id->qp, HANDLE_QP);
  if (qp == NULL) {
    return -1;
  }
  rdma_destroy_qp(id->object);
  handle_end_close(qp, 1);
  id->qp = 0;
  return 0;
}

jint destroy_connection_id(JNIEnv *env, const char *verb, jlong number, int with_qp) {
  struct handle *id = acquire_or_throw(env, verb, number, HANDLE_CM_ID);
  if (id == NULL) {
    return -1;
  }
  int failed = with_qp && close_qp(env, verb, id) != 0;
  jlong context = id->context;
  if (!failed && context != 0) {
    /* The context goes with its id: whatever was made from it must be closed. */
    struct handle *closing = close_or_throw(env, verb, context, HANDLE_CONTEXT);
    failed = closing == NULL;
    if (closing != NULL) {
      id->context = 0;
      handle_end_close(closing, 1);
    }
  }
  handle_release(id);
  if (failed) {
    return -1;
  }
  struct handle *closing = close_or_throw(env, verb, number, HANDLE_CM_ID);
  if (closing == NULL) {
    return -1;
  }
  int destroyed = rdma_destroy_id(closing->object) == 0;
  int error = errno;
  handle_end_close(closing, destroyed);
  if (!destroyed) {
    throw_errno(env, verb, error);
    return -1;
  }
  return 0;
}

DISNI(jint, _1destroyCmId)(JNIEnv *env, jobject self, jlong id) {
  (void)self;
  return destroy_connection_id(env, "rdma_destroy_id", id, 0);
}

DISNI(jint, _1destroyEp)(JNIEnv *env, jobject self, jlong id) {
  (void)self;
  return destroy_connection_id(env, "rdma_destroy_ep", id, 1);
}

jlong new_queue_of_id(JNIEnv *env, jlong id, jlong pd, jlong send_cq, jlong recv_cq,
                      struct ibv_qp_init_attr *attr) {
  static const char *verb = "rdma_create_qp";
  enum { ID, PD, SEND, RECV };
  struct handle *of[4] = {NULL, NULL, NULL, NULL};
  jlong number = -1;
  if ((of[ID] = acquire_or_throw(env, verb, id, HANDLE_CM_ID)) != NULL &&
      (of[PD] = acquire_or_throw(env, verb, pd, HANDLE_PD)) != NULL &&
      (of[SEND] = acquire_or_throw(env, verb, send_cq, HANDLE_CQ)) != NULL &&
      (of[RECV] = acquire_or_throw(env, verb, recv_cq, HANDLE_CQ)) != NULL) {
    struct rdma_cm_id *cm_id = of[ID]->object;
    attr->qp_context = cm_id;
    attr->send_cq = of[SEND]->object;
    attr->recv_cq = of[RECV]->object;
    if (of[ID]->qp != 0 || rdma_create_qp(cm_id, of[PD]->object, attr) != 0) {
      throw_errno(env, verb, of[ID]->qp != 0 ? EINVAL : errno);
    } else {
      number = add_or_throw(env, verb, HANDLE_QP, cm_id->qp, 4, of);
      if (number == 0) {
        rdma_destroy_qp(cm_id);
        number = -1;
      } else {
        of[ID]->qp = number;
      }
    }
  }
  for (int i = 0; i < 4; i++) {
    handle_release(of[i]);
  }
  return number;
}

DISNI(jlong, _1createQP)
(JNIEnv *env, jobject self, jlong id, jlong pd, jlong send_cq, jlong recv_cq, jint type,
 jint sends_max, jint receives_max, jint inline_max) {
  (void)self;
  if (sends_max < 0 || receives_max < 0 || inline_max < 0) {
    throw_errno(env, "rdma_create_qp", EINVAL);
    return -1;
  }
  struct ibv_qp_init_attr attr;
  memset(&attr, 0, sizeof(attr));
  attr.qp_type = (enum ibv_qp_type)type;
  attr.cap.max_send_wr = (uint32_t)sends_max;
  attr.cap.max_recv_wr = (uint32_t)receives_max;
  attr.cap.max_send_sge = SGES;
  attr.cap.max_recv_sge = SGES;
  attr.cap.max_inline_data = (uint32_t)inline_max;
  return new_queue_of_id(env, id, pd, send_cq, recv_cq, &attr);
}

DISNI(jint, _1destroyQP)(JNIEnv *env, jobject self, jlong number) {
  (void)self;
  struct handle *id = acquire_or_throw(env, "rdma_destroy_qp", number, HANDLE_CM_ID);
  if (id == NULL) {
    return -1;
  }
  int failed = 1;
  if (id->qp == 0) {
    throw_reason(env, "rdma_destroy_qp", "the connection id has no queue pair (errno 22)");
  } else {
    failed = close_qp(env, "rdma_destroy_qp", id);
  }
  handle_release(id);
  return failed ? -1 : 0;
}

DISNI(void, _1bindAddr)(JNIEnv *env, jobject self, jlong id, jlong address) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "rdma_bind_addr", id, HANDLE_CM_ID);
  if (held == NULL) {
    return;
  }
  if (address == 0) {
    throw_errno(env, "rdma_bind_addr", EINVAL);
  } else {
    struct sockaddr_in socket;
    memcpy(&socket, (void *)(intptr_t)address, sizeof(socket));
    memset(socket.sin_zero, 0, sizeof(socket.sin_zero));
    if (rdma_bind_addr(held->object, (struct sockaddr *)&socket) != 0) {
      throw_errno(env, "rdma_bind_addr", errno);
    }
  }
  handle_release(held);
}

DISNI(void, _1listen)(JNIEnv *env, jobject self, jlong id, jint backlog) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "rdma_listen", id, HANDLE_CM_ID);
  if (held != NULL) {
    if (rdma_listen(held->object, backlog) != 0) {
      throw_errno(env, "rdma_listen", errno);
    }
    handle_release(held);
  }
}

DISNI(void, _1resolveAddr)
(JNIEnv *env, jobject self, jlong id, jlong from, jlong to, jint timeout_ms) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "rdma_resolve_addr", id, HANDLE_CM_ID);
  if (held == NULL) {
    return;
  }
  if (to == 0) {
    throw_errno(env, "rdma_resolve_addr", EINVAL);
  } else {
    struct sockaddr_in source;
    struct sockaddr_in target;
    memcpy(&target, (void *)(intptr_t)to, sizeof(target));
    memset(target.sin_zero, 0, sizeof(target.sin_zero));
    if (from != 0) {
      memcpy(&source, (void *)(intptr_t)from, sizeof(source));
      memset(source.sin_zero, 0, sizeof(source.sin_zero));
    }
    if (rdma_resolve_addr(held->object, from == 0 ? NULL : (struct sockaddr *)&source,
                          (struct sockaddr *)&target, timeout_ms) != 0) {
      throw_errno(env, "rdma_resolve_addr", errno);
    }
  }
  handle_release(held);
}

DISNI(void, _1resolveRoute)(JNIEnv *env, jobject self, jlong id, jint timeout_ms) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "rdma_resolve_route", id, HANDLE_CM_ID);
  if (held != NULL) {
    if (rdma_resolve_route(held->object, timeout_ms) != 0) {
      throw_errno(env, "rdma_resolve_route", errno);
    }
    handle_release(held);
  }
}

static jlong number_of(JNIEnv *env, struct handle *channel, struct rdma_cm_id *id) {
  if (id == NULL) {
    return 0;
  }
  if (id->context == NULL) {
    jlong number = add_or_throw(env, "rdma_get_cm_event", HANDLE_CM_ID, id, 1, &channel);
    id->context = (void *)(intptr_t)number;
  }
  return (jlong)(intptr_t)id->context;
}

jint take_connection_event(JNIEnv *env, jlong channel, int timeout_ms, struct taken_event *into) {
  static const char *verb = "rdma_get_cm_event";
  struct handle *held = acquire_or_throw(env, verb, channel, HANDLE_EVENT_CHANNEL);
  if (held == NULL) {
    return -1;
  }
  struct rdma_event_channel *events = held->object;
  struct rdma_cm_event *event;
  struct pollfd readable = {.fd = events->fd, .events = POLLIN, .revents = 0};
  jint type = -1;
  int count = poll(&readable, 1, timeout_ms);
  if (count < 0 && errno != EINTR) {
    throw_errno(env, verb, errno);
  } else if (count > 0) {
    if (rdma_get_cm_event(events, &event) != 0) {
      if (errno != EAGAIN) {
        throw_errno(env, verb, errno);
      }
    } else {
      struct rdma_cm_id *id = event->id;
      memset(into, 0, sizeof(*into));
      if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST) {
        /* The new id has the context of who listens until it gets its own. */
        id->context = NULL;
        uint8_t given = event->param.conn.private_data_len;
        into->data_bytes = given < REQUEST_BYTES ? given : REQUEST_BYTES;
        if (into->data_bytes > 0) {
          memcpy(into->data, event->param.conn.private_data, (size_t)into->data_bytes);
        }
      }
      into->listening = number_of(env, held, event->listen_id);
      into->id = number_of(env, held, id);
      into->status = event->status;
      type = (jint)event->event;
      /* Nothing of the event is read any more; an id cannot be destroyed before. */
      rdma_ack_cm_event(event);
      if (into->id == 0 && id != NULL) {
        rdma_destroy_id(id);
        type = -1;
      }
    }
  }
  handle_release(held);
  return type;
}

DISNI(jint, _1getCmEvent)
(JNIEnv *env, jobject self, jlong channel, jlong listening, jlong client, jint timeout_ms) {
  (void)self;
  if (listening == 0 || client == 0) {
    throw_errno(env, "rdma_get_cm_event", EINVAL);
    return -1;
  }
  struct taken_event taken;
  jint type = take_connection_event(env, channel, timeout_ms, &taken);
  if (type >= 0) {
    memcpy((void *)(intptr_t)listening, &taken.listening, sizeof(jlong));
    memcpy((void *)(intptr_t)client, &taken.id, sizeof(jlong));
  }
  return type;
}

/* Events are acknowledged as they are got. */
DISNI(jint, _1ackCmEvent)(JNIEnv *env, jobject self, jint event) {
  (void)env;
  (void)self;
  (void)event;
  return 0;
}

static struct rdma_conn_param connection(jint retries, jint not_ready_retries) {
  struct rdma_conn_param param;
  memset(&param, 0, sizeof(param));
  param.initiator_depth = READS_AT_ONCE;
  param.responder_resources = READS_AT_ONCE;
  param.retry_count = (uint8_t)(retries & 7);
  param.rnr_retry_count = (uint8_t)(not_ready_retries & 7);
  return param;
}

DISNI(void, _1connect)
(JNIEnv *env, jobject self, jlong id, jint retries, jint not_ready_retries, jlong data,
 jbyte data_bytes) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "rdma_connect", id, HANDLE_CM_ID);
  if (held == NULL) {
    return;
  }
  struct rdma_cm_id *cm_id = held->object;
  if (cm_id->verbs == NULL || data_bytes < 0 || (data == 0 && data_bytes > 0)) {
    throw_errno(env, "rdma_connect", EINVAL);
  } else {
    struct rdma_conn_param param = connection(retries, not_ready_retries);
    param.private_data = (void *)(intptr_t)data;
    param.private_data_len = data == 0 ? 0 : (uint8_t)data_bytes;
    if (rdma_connect(cm_id, &param) != 0) {
      throw_errno(env, "rdma_connect", errno);
    }
  }
  handle_release(held);
}

DISNI(void, _1accept)(JNIEnv *env, jobject self, jlong id, jint retries, jint not_ready_retries) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "rdma_accept", id, HANDLE_CM_ID);
  if (held == NULL) {
    return;
  }
  struct rdma_cm_id *cm_id = held->object;
  struct rdma_conn_param param = connection(retries, not_ready_retries);
  if (cm_id->verbs == NULL) {
    throw_errno(env, "rdma_accept", EINVAL);
  } else if (rdma_accept(cm_id, &param) != 0) {
    throw_errno(env, "rdma_accept", errno);
  }
  handle_release(held);
}

DISNI(jint, _1disconnect)(JNIEnv *env, jobject self, jlong id) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "rdma_disconnect", id, HANDLE_CM_ID);
  if (held == NULL) {
    return -1;
  }
  int failed = rdma_disconnect(held->object) != 0;
  if (failed) {
    throw_errno(env, "rdma_disconnect", errno);
  }
  handle_release(held);
  return failed ? -1 : 0;
}

static jint copy_address(JNIEnv *env, const char *verb, jlong id, jlong into, int of_peer) {
  struct handle *held = acquire_or_throw(env, verb, id, HANDLE_CM_ID);
  if (held == NULL) {
    return -1;
  }
  jint result = -1;
  struct sockaddr *address =
      of_peer ? rdma_get_peer_addr(held->object) : rdma_get_local_addr(held->object);
  if (into == 0 || address == NULL) {
    throw_errno(env, verb, EINVAL);
  } else if (address->sa_family != AF_INET) {
    throw_errno(env, verb, EAFNOSUPPORT);
  } else {
    memcpy((void *)(intptr_t)into, address, sizeof(struct sockaddr_in));
    result = 0;
  }
  handle_release(held);
  return result;
}

DISNI(jint, _1getSrcAddr)(JNIEnv *env, jobject self, jlong id, jlong into) {
  (void)self;
  return copy_address(env, "rdma_get_local_addr", id, into, 0);
}

DISNI(jint, _1getDstAddr)(JNIEnv *env, jobject self, jlong id, jlong into) {
  (void)self;
  return copy_address(env, "rdma_get_peer_addr", id, into, 1);
}

jlong context_of_id(JNIEnv *env, jlong id) {
  static const char *verb = "rdma_cm_id.verbs";
  struct handle *held = acquire_or_throw(env, verb, id, HANDLE_CM_ID);
  if (held == NULL) {
    return -1;
  }
  struct rdma_cm_id *cm_id = held->object;
  if (cm_id->verbs == NULL) {
    throw_reason(env, verb, "the connection id is not bound to a device yet (errno 22)");
  } else if (held->context == 0) {
    held->context = add_or_throw(env, verb, HANDLE_CONTEXT, cm_id->verbs, 1, &held);
    struct handle *context = handle_acquire(held->context, HANDLE_CONTEXT);
    if (context != NULL) {
      /* librdmacm's, which closes it itself. */
      context->owned = 0;
      handle_release(context);
    }
  }
  jlong number = held->context == 0 ? -1 : held->context;
  handle_release(held);
  return number;
}

DISNI(jlong, _1getContext)(JNIEnv *env, jobject self, jlong id) {
  (void)self;
  return context_of_id(env, id);
}
