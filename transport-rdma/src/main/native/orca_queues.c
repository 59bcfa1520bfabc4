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
 * Queue pairs for datagrams, address handles, batches of requests and completions, atomics: what
 * org.orcagrid.transport.rdma.Verbs declares.
 *
 * Requests name memory as a place in a registered region, so that it can be checked.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <string.h>

#include "errors.h"
#include "handles.h"
#include "queues.h"

#define ORCA(type, name) JNIEXPORT type JNICALL Java_org_orcagrid_transport_rdma_Verbs_##name

#define BATCH_MAX 64
#define GID_BYTES 16
#define HOPS_MAX 64
#define SEND_SIGNALED 1
#define SEND_INLINE 2

/* Verbs' layout of a request to send. target: an address handle, or the queue pair of a connection. */
struct datagram {
  int64_t target;
  int64_t id;
  int32_t remote_qp;
  int32_t remote_qkey;
  int32_t header_at;
  int32_t header_bytes;
  int32_t content_at;
  int32_t content_bytes;
  int32_t flags;
  int32_t error;
};

struct receive {
  int64_t id;
  int32_t at;
  int32_t bytes;
};

struct completion {
  int64_t id;
  int32_t status;
  int32_t opcode;
  int32_t bytes;
  int32_t source_qp;
  int32_t flags;
  int32_t vendor_error;
};

_Static_assert(sizeof(struct datagram) == 48, "Verbs.DATAGRAM_BYTES");
_Static_assert(sizeof(struct receive) == 16, "Verbs.RECEIVE_BYTES");
_Static_assert(sizeof(struct completion) == 32, "Verbs.COMPLETION_BYTES");

static int modify_to_send(struct ibv_qp *qp, int port, uint32_t qkey) {
  struct ibv_qp_attr attr;
  memset(&attr, 0, sizeof(attr));
  attr.qp_state = IBV_QPS_INIT;
  attr.pkey_index = 0;
  attr.port_num = (uint8_t)port;
  attr.qkey = qkey;
  int error =
      ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);
  if (error == 0) {
    memset(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_RTR;
    error = ibv_modify_qp(qp, &attr, IBV_QP_STATE);
  }
  if (error == 0) {
    memset(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_RTS;
    error = ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN);
  }
  return error;
}

jlong open_queue(JNIEnv *env, jlong pd, jlong cq, jint port, struct ibv_qp_init_attr *attr,
                 int (*prepare)(struct ibv_qp *, int, uint32_t), uint32_t key) {
  static const char *verb = "ibv_create_qp";
  struct handle *of[2] = {NULL, NULL};
  jlong number = -1;
  if ((of[0] = acquire_or_throw(env, verb, pd, HANDLE_PD)) != NULL &&
      (of[1] = acquire_or_throw(env, verb, cq, HANDLE_CQ)) != NULL) {
    struct ibv_pd *domain = of[0]->object;
    struct ibv_cq *completions = of[1]->object;
    struct ibv_qp *qp = NULL;
    int error = EINVAL;
    if (port >= 1 && port <= UINT8_MAX && domain->context == completions->context &&
        attr->cap.max_send_wr > 0) {
      attr->send_cq = completions;
      attr->recv_cq = completions;
      qp = ibv_create_qp(domain, attr);
      error = qp == NULL ? errno : 0;
    }
    int prepared = qp == NULL ? 0 : prepare(qp, port, key);
    if (error != 0) {
      throw_errno(env, verb, error);
    } else if (prepared != 0) {
      throw_errno(env, "ibv_modify_qp", prepared);
      ibv_destroy_qp(qp);
    } else if ((number = add_or_throw(env, verb, HANDLE_QP, qp, 2, of)) == 0) {
      ibv_destroy_qp(qp);
      number = -1;
    }
  }
  handle_release(of[0]);
  handle_release(of[1]);
  return number;
}

int read_caps(const int32_t *cap, enum ibv_qp_type type, struct ibv_qp_init_attr *attr) {
  memset(attr, 0, sizeof(*attr));
  attr->qp_type = type;
  attr->cap.max_send_wr = (uint32_t)cap[0];
  attr->cap.max_recv_wr = (uint32_t)cap[1];
  attr->cap.max_send_sge = (uint32_t)cap[2];
  attr->cap.max_recv_sge = 1;
  attr->cap.max_inline_data = (uint32_t)cap[3];
  return cap[0] > 0 && cap[1] > 0 && cap[2] > 0 && cap[3] >= 0;
}

void write_caps(int32_t *cap, const struct ibv_qp_init_attr *attr) {
  cap[0] = (int32_t)attr->cap.max_send_wr;
  cap[1] = (int32_t)attr->cap.max_recv_wr;
  cap[2] = (int32_t)attr->cap.max_send_sge;
  cap[3] = (int32_t)attr->cap.max_inline_data;
}

/*
 * A queue pair for datagrams that is ready to send. caps: sends, receives, pieces of a request, bytes
 * inline; as wanted, and then as they are.
 */
ORCA(jlong, createDatagramQueue)
(JNIEnv *env, jclass type, jlong pd, jlong cq, jint port, jint qkey, jobject caps) {
  (void)type;
  static const char *verb = "ibv_create_qp";
  int32_t *cap = buffer_or_throw(env, verb, caps, CAPS * sizeof(int32_t));
  if (cap == NULL) {
    return -1;
  }
  struct ibv_qp_init_attr attr;
  if (!read_caps(cap, IBV_QPT_UD, &attr)) {
    throw_errno(env, verb, EINVAL);
    return -1;
  }
  jlong number = open_queue(env, pd, cq, port, &attr, modify_to_send, (uint32_t)qkey);
  if (number > 0) {
    write_caps(cap, &attr);
  }
  return number;
}

ORCA(jint, queueNumber)(JNIEnv *env, jclass type, jlong qp) {
  (void)type;
  struct handle *held = acquire_or_throw(env, "ibv_qp.qp_num", qp, HANDLE_QP);
  if (held == NULL) {
    return -1;
  }
  jint number = (jint)((struct ibv_qp *)held->object)->qp_num;
  handle_release(held);
  return number;
}

/* Nothing is sent or received any more; what is under way completes with an error. */
ORCA(void, stopQueue)(JNIEnv *env, jclass type, jlong qp) {
  (void)type;
  struct handle *held = acquire_or_throw(env, "ibv_modify_qp", qp, HANDLE_QP);
  if (held == NULL) {
    return;
  }
  struct ibv_qp_attr attr;
  memset(&attr, 0, sizeof(attr));
  attr.qp_state = IBV_QPS_ERR;
  int error = ibv_modify_qp(held->object, &attr, IBV_QP_STATE);
  handle_release(held);
  if (error != 0) {
    throw_errno(env, "ibv_modify_qp", error);
  }
}

ORCA(void, destroyQueue)(JNIEnv *env, jclass type, jlong qp) {
  (void)type;
  struct handle *closing = close_or_throw(env, "ibv_destroy_qp", qp, HANDLE_QP);
  if (closing == NULL) {
    return;
  }
  if (closing->parents[2] != NULL) {
    handle_end_close(closing, 0);
    throw_reason(env, "ibv_destroy_qp", "the queue pair belongs to a connection id (errno 1)");
    return;
  }
  int error = ibv_destroy_qp(closing->object);
  handle_end_close(closing, error == 0);
  if (error != 0) {
    throw_errno(env, "ibv_destroy_qp", error);
  }
}

ORCA(jlong, createAddressHandle)
(JNIEnv *env, jclass type, jlong pd, jint port, jint gid_index, jobject gid, jint lid) {
  (void)type;
  static const char *verb = "ibv_create_ah";
  void *address = buffer_or_throw(env, verb, gid, GID_BYTES);
  if (address == NULL) {
    return -1;
  }
  struct handle *held = acquire_or_throw(env, verb, pd, HANDLE_PD);
  if (held == NULL) {
    return -1;
  }
  jlong number = -1;
  if (port < 1 || port > UINT8_MAX || gid_index < 0 || gid_index > UINT8_MAX || lid < 0 ||
      lid > UINT16_MAX) {
    throw_errno(env, verb, EINVAL);
  } else {
    struct ibv_ah_attr attr;
    memset(&attr, 0, sizeof(attr));
    memcpy(attr.grh.dgid.raw, address, GID_BYTES);
    attr.grh.sgid_index = (uint8_t)gid_index;
    attr.grh.hop_limit = HOPS_MAX;
    attr.is_global = 1;
    attr.dlid = (uint16_t)lid;
    attr.port_num = (uint8_t)port;
    struct ibv_ah *ah = ibv_create_ah(held->object, &attr);
    if (ah == NULL) {
      throw_errno(env, verb, errno);
    } else if ((number = add_or_throw(env, verb, HANDLE_AH, ah, 1, &held)) == 0) {
      ibv_destroy_ah(ah);
      number = -1;
    }
  }
  handle_release(held);
  return number;
}

ORCA(void, destroyAddressHandle)(JNIEnv *env, jclass type, jlong ah) {
  (void)type;
  struct handle *closing = close_or_throw(env, "ibv_destroy_ah", ah, HANDLE_AH);
  if (closing != NULL) {
    int error = ibv_destroy_ah(closing->object);
    handle_end_close(closing, error == 0);
    if (error != 0) {
      throw_errno(env, "ibv_destroy_ah", error);
    }
  }
}

static int is_within(const struct ibv_mr *region, int32_t at, int32_t bytes) {
  return at >= 0 && bytes >= 0 && (uint64_t)at + (uint64_t)bytes <= region->length;
}

/* Lays out one request but for where it goes. Returns 0 or an errno. */
static int lay_out_memory(const struct datagram *from, const struct ibv_mr *region,
                          struct ibv_send_wr *to, struct ibv_sge *sges) {
  if (!is_within(region, from->header_at, from->header_bytes) ||
      !is_within(region, from->content_at, from->content_bytes) || from->header_bytes < 1) {
    return EINVAL;
  }
  char *memory = region->addr;
  sges[0] = (struct ibv_sge){.addr = (uint64_t)(uintptr_t)(memory + from->header_at),
                             .length = (uint32_t)from->header_bytes,
                             .lkey = region->lkey};
  sges[1] = (struct ibv_sge){.addr = (uint64_t)(uintptr_t)(memory + from->content_at),
                             .length = (uint32_t)from->content_bytes,
                             .lkey = region->lkey};
  memset(to, 0, sizeof(*to));
  to->wr_id = (uint64_t)from->id;
  to->sg_list = sges;
  to->num_sge = from->content_bytes == 0 ? 1 : 2;
  to->opcode = IBV_WR_SEND;
  to->send_flags = ((from->flags & SEND_SIGNALED) ? IBV_SEND_SIGNALED : 0) |
                   ((from->flags & SEND_INLINE) ? IBV_SEND_INLINE : 0);
  return 0;
}

/* Lays out one datagram. Returns 0 or an errno; the address handle is held until the batch is posted. */
static int lay_out(const struct datagram *from, const struct ibv_mr *region,
                   struct ibv_send_wr *to, struct ibv_sge *sges, struct handle **address) {
  int error = lay_out_memory(from, region, to, sges);
  if (error != 0) {
    return error;
  }
  *address = handle_acquire(from->target, HANDLE_AH);
  if (*address == NULL) {
    return EBADF;
  }
  to->wr.ud.ah = (*address)->object;
  to->wr.ud.remote_qpn = (uint32_t)from->remote_qp;
  to->wr.ud.remote_qkey = (uint32_t)from->remote_qkey;
  return 0;
}

/* Posts up to BATCH_MAX requests as one chain. Returns an errno, and how many were posted. */
static int post_chain(struct ibv_qp *qp, const struct ibv_mr *region, const struct datagram *from,
                      int count, int *posted) {
  struct ibv_send_wr wrs[BATCH_MAX];
  struct ibv_sge sges[2 * BATCH_MAX];
  struct handle *addresses[BATCH_MAX];
  int error = 0;
  int laid_out = 0;
  *posted = 0;
  for (; laid_out < count; laid_out++) {
    error = lay_out(&from[laid_out], region, &wrs[laid_out], &sges[2 * laid_out],
                    &addresses[laid_out]);
    if (error != 0) {
      break;
    }
    if (laid_out > 0) {
      wrs[laid_out - 1].next = &wrs[laid_out];
    }
  }
  if (error == 0) {
    struct ibv_send_wr *bad = NULL;
    error = ibv_post_send(qp, wrs, &bad);
    *posted = error == 0 ? count : bad == NULL ? 0 : (int)(bad - wrs);
  }
  for (int i = 0; i < laid_out; i++) {
    handle_release(addresses[i]);
  }
  return error;
}

/* Returns how many were posted: fewer than all if the send queue is full. */
ORCA(jint, postDatagrams)
(JNIEnv *env, jclass type, jlong qp, jlong region, jobject requests, jint count) {
  (void)type;
  static const char *verb = "ibv_post_send";
  const struct datagram *from =
      buffer_or_throw(env, verb, requests, (jlong)count * (jlong)sizeof(struct datagram));
  if (from == NULL) {
    return 0;
  }
  struct handle *pair = acquire_or_throw(env, verb, qp, HANDLE_QP);
  struct handle *mr = pair == NULL ? NULL : acquire_or_throw(env, verb, region, HANDLE_MR);
  int posted = 0;
  if (mr != NULL) {
    struct ibv_qp *queue = pair->object;
    int error = queue->qp_type == IBV_QPT_UD ? 0 : EINVAL;
    while (error == 0 && posted < count) {
      int chain = count - posted < BATCH_MAX ? count - posted : BATCH_MAX;
      int now = 0;
      error = post_chain(queue, mr->object, from + posted, chain, &now);
      posted += now;
    }
    if (error != 0 && error != ENOMEM) {
      throw_errno(env, verb, error);
    }
  }
  handle_release(mr);
  handle_release(pair);
  return posted;
}

/*
 * Posts those of the requests that go where the first of them goes, as one chain, and says of each what
 * came of it. Returns how many were posted.
 */
static int post_connection(struct datagram *requests, uint64_t waiting, int count,
                           const struct ibv_mr *region, uint64_t *taken) {
  struct ibv_send_wr wrs[BATCH_MAX];
  struct ibv_sge sges[2 * BATCH_MAX];
  int places[BATCH_MAX];
  int chain = 0;
  int error = 0;
  int first = __builtin_ctzll(waiting);
  *taken = 0;
  for (int i = first; i < count; i++) {
    if ((waiting >> i & 1) == 0 || requests[i].target != requests[first].target) {
      continue;
    }
    *taken |= 1ULL << i;
    int wrong = lay_out_memory(&requests[i], region, &wrs[chain], &sges[2 * chain]);
    error = error == 0 ? wrong : error;
    if (chain > 0) {
      wrs[chain - 1].next = &wrs[chain];
    }
    places[chain++] = i;
  }
  int posted = 0;
  struct handle *pair = handle_acquire(requests[first].target, HANDLE_QP);
  if (pair == NULL) {
    error = EBADF;
  } else if (((struct ibv_qp *)pair->object)->qp_type != IBV_QPT_RC) {
    error = EINVAL;
  }
  if (error == 0) {
    struct ibv_send_wr *bad = NULL;
    error = ibv_post_send(pair->object, wrs, &bad);
    posted = error == 0 ? chain : bad == NULL ? 0 : (int)(bad - wrs);
  }
  handle_release(pair);
  for (int i = 0; i < chain; i++) {
    requests[places[i]].error = i < posted ? 0 : error;
  }
  return posted;
}

/*
 * Sends over connections, with one doorbell for each. Returns how many were posted; those that were not
 * have an errno in their request, and the others go on.
 */
ORCA(jint, postMessages)
(JNIEnv *env, jclass type, jlong region, jobject requests, jint count) {
  (void)type;
  static const char *verb = "ibv_post_send";
  if (count < 1 || count > BATCH_MAX) {
    throw_errno(env, verb, EINVAL);
    return 0;
  }
  struct datagram *all =
      buffer_or_throw(env, verb, requests, (jlong)count * (jlong)sizeof(struct datagram));
  if (all == NULL) {
    return 0;
  }
  struct handle *mr = acquire_or_throw(env, verb, region, HANDLE_MR);
  if (mr == NULL) {
    return 0;
  }
  int posted = 0;
  uint64_t waiting = count == BATCH_MAX ? ~0ULL : (1ULL << count) - 1;
  while (waiting != 0) {
    uint64_t taken;
    posted += post_connection(all, waiting, count, mr->object, &taken);
    waiting &= ~taken;
  }
  handle_release(mr);
  return posted;
}

/* Returns how many were posted: fewer than all if the receive queue is full. */
ORCA(jint, postReceives)
(JNIEnv *env, jclass type, jlong qp, jlong region, jobject requests, jint count) {
  (void)type;
  static const char *verb = "ibv_post_recv";
  const struct receive *from =
      buffer_or_throw(env, verb, requests, (jlong)count * (jlong)sizeof(struct receive));
  if (from == NULL) {
    return 0;
  }
  struct handle *pair = acquire_or_throw(env, verb, qp, HANDLE_QP);
  struct handle *mr = pair == NULL ? NULL : acquire_or_throw(env, verb, region, HANDLE_MR);
  int posted = 0;
  int error = 0;
  while (mr != NULL && error == 0 && posted < count) {
    struct ibv_recv_wr wrs[BATCH_MAX];
    struct ibv_sge sges[BATCH_MAX];
    const struct ibv_mr *memory = mr->object;
    int chain = count - posted < BATCH_MAX ? count - posted : BATCH_MAX;
    for (int i = 0; i < chain && error == 0; i++) {
      const struct receive *next = &from[posted + i];
      if (next->bytes < 1 || !is_within(memory, next->at, next->bytes)) {
        error = EINVAL;
      } else {
        sges[i] =
            (struct ibv_sge){.addr = (uint64_t)(uintptr_t)((char *)memory->addr + next->at),
                             .length = (uint32_t)next->bytes,
                             .lkey = memory->lkey};
        wrs[i] = (struct ibv_recv_wr){.wr_id = (uint64_t)next->id,
                                      .next = i + 1 < chain ? &wrs[i + 1] : NULL,
                                      .sg_list = &sges[i],
                                      .num_sge = 1};
      }
    }
    if (error == 0) {
      struct ibv_recv_wr *bad = NULL;
      error = ibv_post_recv(pair->object, wrs, &bad);
      posted += error == 0 ? chain : bad == NULL ? 0 : (int)(bad - wrs);
    }
  }
  if (error != 0 && error != ENOMEM) {
    throw_errno(env, verb, error);
  }
  handle_release(mr);
  handle_release(pair);
  return posted;
}

/* Takes at most so many completions; returns how many there were. */
ORCA(jint, pollCompletions)(JNIEnv *env, jclass type, jlong cq, jobject into, jint most) {
  (void)type;
  static const char *verb = "ibv_poll_cq";
  struct completion *out =
      buffer_or_throw(env, verb, into, (jlong)most * (jlong)sizeof(struct completion));
  if (out == NULL) {
    return 0;
  }
  struct handle *held = acquire_or_throw(env, verb, cq, HANDLE_CQ);
  if (held == NULL) {
    return 0;
  }
  int taken = 0;
  int got = BATCH_MAX;
  while (got == BATCH_MAX && taken < most) {
    struct ibv_wc wcs[BATCH_MAX];
    int now = most - taken < BATCH_MAX ? most - taken : BATCH_MAX;
    got = ibv_poll_cq(held->object, now, wcs);
    if (got < 0) {
      throw_errno(env, verb, EIO);
      break;
    }
    for (int i = 0; i < got; i++) {
      const struct ibv_wc *wc = &wcs[i];
      out[taken++] = (struct completion){.id = (int64_t)wc->wr_id,
                                         .status = (int32_t)wc->status,
                                         .opcode = (int32_t)wc->opcode,
                                         .bytes = (int32_t)wc->byte_len,
                                         .source_qp = (int32_t)wc->src_qp,
                                         .flags = (int32_t)wc->wc_flags,
                                         .vendor_error = (int32_t)wc->vendor_err};
    }
  }
  handle_release(held);
  return taken;
}

ORCA(void, requestEvent)(JNIEnv *env, jclass type, jlong cq) {
  (void)type;
  struct handle *held = acquire_or_throw(env, "ibv_req_notify_cq", cq, HANDLE_CQ);
  if (held == NULL) {
    return;
  }
  int error = ibv_req_notify_cq(held->object, 0);
  handle_release(held);
  if (error != 0) {
    throw_errno(env, "ibv_req_notify_cq", error);
  }
}

void post_reliable(JNIEnv *env, jlong qp, jlong region, jint at, jint bytes,
                   struct ibv_send_wr *wr) {
  static const char *verb = "ibv_post_send";
  struct handle *pair = acquire_or_throw(env, verb, qp, HANDLE_QP);
  struct handle *mr = pair == NULL ? NULL : acquire_or_throw(env, verb, region, HANDLE_MR);
  if (mr != NULL) {
    struct ibv_qp *queue = pair->object;
    const struct ibv_mr *memory = mr->object;
    uintptr_t local = (uintptr_t)memory->addr + (uintptr_t)at;
    int is_atomic =
        wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP || wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
    int error = EINVAL;
    if (queue->qp_type == IBV_QPT_RC && bytes > 0 && is_within(memory, at, bytes) &&
        (!is_atomic ||
         (local % sizeof(uint64_t) == 0 && wr->wr.atomic.remote_addr % sizeof(uint64_t) == 0))) {
      struct ibv_sge sge = {.addr = local, .length = (uint32_t)bytes, .lkey = memory->lkey};
      struct ibv_send_wr *bad = NULL;
      wr->sg_list = &sge;
      wr->num_sge = 1;
      error = ibv_post_send(queue, wr, &bad);
    }
    if (error != 0) {
      throw_errno(env, verb, error);
    }
  }
  handle_release(mr);
  handle_release(pair);
}

/*
 * An atomic operation on 8 bytes of a peer, over a reliable connection; what was there before comes to
 * a place in a region. compare_or_add: what is added, or expected if it is to be swapped.
 */
ORCA(void, postAtomic)
(JNIEnv *env, jclass type, jlong qp, jlong region, jint at, jboolean swaps, jlong remote_address,
 jint remote_key, jlong compare_or_add, jlong swap, jlong id) {
  (void)type;
  struct ibv_send_wr wr;
  memset(&wr, 0, sizeof(wr));
  wr.wr_id = (uint64_t)id;
  wr.opcode = swaps ? IBV_WR_ATOMIC_CMP_AND_SWP : IBV_WR_ATOMIC_FETCH_AND_ADD;
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.atomic.remote_addr = (uint64_t)remote_address;
  wr.wr.atomic.rkey = (uint32_t)remote_key;
  wr.wr.atomic.compare_add = (uint64_t)compare_or_add;
  wr.wr.atomic.swap = (uint64_t)swap;
  post_reliable(env, qp, region, at, sizeof(uint64_t), &wr);
}
