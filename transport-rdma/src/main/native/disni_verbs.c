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

/* The verbs of DiSNI's dispatcher: libibverbs. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>

#include "disni_layout.h"
#include "errors.h"
#include "handles.h"

/* The version that DiSNI 2.1 asks for. */
#define DISNI_VERSION 32

#define COMPLETIONS_AT_ONCE 64

/* SockAddrIn.CSIZE of the Java side: room for any address; a sockaddr_in is what is used of it. */
#define DISNI_SOCKADDR_BYTES 28

DISNI(jint, _1getSockAddrInSize)(JNIEnv *env, jobject self) {
  (void)env, (void)self;
  return DISNI_SOCKADDR_BYTES;
}

DISNI(jint, _1getIbvRecvWRSize)(JNIEnv *env, jobject self) {
  (void)env, (void)self;
  return sizeof(struct disni_recv_wr);
}

DISNI(jint, _1getIbvSendWRSize)(JNIEnv *env, jobject self) {
  (void)env, (void)self;
  return sizeof(struct disni_send_wr);
}

DISNI(jint, _1getIbvSgeSize)(JNIEnv *env, jobject self) {
  (void)env, (void)self;
  return sizeof(struct ibv_sge);
}

DISNI(jint, _1getIbvWCSize)(JNIEnv *env, jobject self) {
  (void)env, (void)self;
  return sizeof(struct disni_wc);
}

DISNI(jint, _1getRemoteAddressOffset)(JNIEnv *env, jobject self) {
  (void)env, (void)self;
  return offsetof(struct disni_send_wr, remote_addr);
}

DISNI(jint, _1getRKeyOffset)(JNIEnv *env, jobject self) {
  (void)env, (void)self;
  return offsetof(struct disni_send_wr, rkey);
}

DISNI(jint, _1getVersion)(JNIEnv *env, jobject self) {
  (void)env, (void)self;
  return DISNI_VERSION;
}

DISNI(jlong, _1allocPd)(JNIEnv *env, jobject self, jlong context) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "ibv_alloc_pd", context, HANDLE_CONTEXT);
  if (held == NULL) {
    return -1;
  }
  jlong number = -1;
  struct ibv_pd *pd = ibv_alloc_pd(held->object);
  if (pd == NULL) {
    throw_errno(env, "ibv_alloc_pd", errno);
  } else if ((number = add_or_throw(env, "ibv_alloc_pd", HANDLE_PD, pd, 1, &held)) == 0) {
    ibv_dealloc_pd(pd);
    number = -1;
  }
  handle_release(held);
  return number;
}

DISNI(jint, _1deallocPd)(JNIEnv *env, jobject self, jlong pd) {
  (void)self;
  struct handle *closing = close_or_throw(env, "ibv_dealloc_pd", pd, HANDLE_PD);
  if (closing == NULL) {
    return -1;
  }
  int error = ibv_dealloc_pd(closing->object);
  handle_end_close(closing, error == 0);
  if (error != 0) {
    throw_errno(env, "ibv_dealloc_pd", error);
  }
  return error == 0 ? 0 : -1;
}

DISNI(jlong, _1createCompChannel)(JNIEnv *env, jobject self, jlong context) {
  (void)self;
  static const char *verb = "ibv_create_comp_channel";
  struct handle *held = acquire_or_throw(env, verb, context, HANDLE_CONTEXT);
  if (held == NULL) {
    return -1;
  }
  jlong number = -1;
  struct ibv_comp_channel *channel = ibv_create_comp_channel(held->object);
  if (channel == NULL) {
    throw_errno(env, verb, errno);
  } else if ((number = add_or_throw(env, verb, HANDLE_COMP_CHANNEL, channel, 1, &held)) == 0) {
    ibv_destroy_comp_channel(channel);
    number = -1;
  }
  handle_release(held);
  return number;
}

DISNI(jint, _1destroyCompChannel)(JNIEnv *env, jobject self, jlong channel) {
  (void)self;
  struct handle *closing =
      close_or_throw(env, "ibv_destroy_comp_channel", channel, HANDLE_COMP_CHANNEL);
  if (closing == NULL) {
    return -1;
  }
  int error = ibv_destroy_comp_channel(closing->object);
  handle_end_close(closing, error == 0);
  if (error != 0) {
    throw_errno(env, "ibv_destroy_comp_channel", error);
  }
  return error == 0 ? 0 : -1;
}

DISNI(jlong, _1createCQ)
(JNIEnv *env, jobject self, jlong context, jlong channel, jint entries, jint vector) {
  (void)self;
  static const char *verb = "ibv_create_cq";
  struct handle *of[2] = {NULL, NULL};
  jlong number = -1;
  if ((of[0] = acquire_or_throw(env, verb, context, HANDLE_CONTEXT)) != NULL &&
      (of[1] = acquire_or_throw(env, verb, channel, HANDLE_COMP_CHANNEL)) != NULL) {
    struct ibv_context *device = of[0]->object;
    struct ibv_comp_channel *events = of[1]->object;
    if (entries < 1 || vector < 0 || events->context != device) {
      throw_errno(env, verb, EINVAL);
    } else {
      struct ibv_cq *cq = ibv_create_cq(device, entries, NULL, events, vector);
      if (cq == NULL) {
        throw_errno(env, verb, errno);
      } else if ((number = add_or_throw(env, verb, HANDLE_CQ, cq, 2, of)) == 0) {
        ibv_destroy_cq(cq);
        number = -1;
      } else {
        cq->cq_context = (void *)(intptr_t)number;
      }
    }
  }
  handle_release(of[0]);
  handle_release(of[1]);
  return number;
}

DISNI(jint, _1destroyCQ)(JNIEnv *env, jobject self, jlong cq) {
  (void)self;
  struct handle *closing = close_or_throw(env, "ibv_destroy_cq", cq, HANDLE_CQ);
  if (closing == NULL) {
    return -1;
  }
  /* ibv_destroy_cq waits for ever for events that were not acknowledged. */
  int unacknowledged = atomic_exchange(&closing->unacknowledged, 0);
  if (unacknowledged > 0) {
    ibv_ack_cq_events(closing->object, (unsigned)unacknowledged);
  }
  int error = ibv_destroy_cq(closing->object);
  handle_end_close(closing, error == 0);
  if (error != 0) {
    throw_errno(env, "ibv_destroy_cq", error);
  }
  return error == 0 ? 0 : -1;
}

/* DiSNI's Java side hands over no attributes. */
DISNI(jint, _1modifyQP)(JNIEnv *env, jobject self, jlong qp, jlong attributes) {
  (void)self;
  (void)attributes;
  struct handle *held = acquire_or_throw(env, "ibv_modify_qp", qp, HANDLE_QP);
  if (held != NULL) {
    handle_release(held);
    throw_reason(env, "ibv_modify_qp", "DiSNI hands over no attributes (errno 95)");
  }
  return -1;
}

DISNI(jlong, _1regMr)
(JNIEnv *env, jobject self, jlong pd, jlong address, jint bytes, jint access, jlong lkey,
 jlong rkey, jlong handle) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "ibv_reg_mr", pd, HANDLE_PD);
  if (held == NULL) {
    return -1;
  }
  jlong number = -1;
  if (address == 0 || bytes < 1 || lkey == 0 || rkey == 0 || handle == 0) {
    throw_errno(env, "ibv_reg_mr", EINVAL);
  } else {
    struct ibv_mr *mr = ibv_reg_mr(held->object, (void *)(intptr_t)address, (size_t)bytes, access);
    if (mr == NULL) {
      throw_errno(env, "ibv_reg_mr", errno);
    } else if ((number = add_or_throw(env, "ibv_reg_mr", HANDLE_MR, mr, 1, &held)) == 0) {
      ibv_dereg_mr(mr);
      number = -1;
    } else {
      memcpy((void *)(intptr_t)lkey, &mr->lkey, sizeof(uint32_t));
      memcpy((void *)(intptr_t)rkey, &mr->rkey, sizeof(uint32_t));
      memcpy((void *)(intptr_t)handle, &mr->handle, sizeof(uint32_t));
    }
  }
  handle_release(held);
  return number;
}

DISNI(void, _1deregMr)(JNIEnv *env, jobject self, jlong mr) {
  (void)self;
  struct handle *closing = close_or_throw(env, "ibv_dereg_mr", mr, HANDLE_MR);
  if (closing != NULL) {
    int error = ibv_dereg_mr(closing->object);
    handle_end_close(closing, error == 0);
    if (error != 0) {
      throw_errno(env, "ibv_dereg_mr", error);
    }
  }
}

/* The bits of IbvContext.IBV_ODP_SUPPORT_*, for reliable connections. */
DISNI(jint, _1queryOdpSupport)(JNIEnv *env, jobject self, jlong context) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "ibv_query_device_ex", context, HANDLE_CONTEXT);
  if (held == NULL) {
    return -1;
  }
  struct ibv_device_attr_ex attr;
  memset(&attr, 0, sizeof(attr));
  int error = ibv_query_device_ex(held->object, NULL, &attr);
  handle_release(held);
  if (error != 0) {
    throw_errno(env, "ibv_query_device_ex", error);
    return -1;
  }
  int supported = (attr.odp_caps.general_caps & IBV_ODP_SUPPORT) != 0;
  return supported ? (jint)attr.odp_caps.per_transport_caps.rc_odp_caps : 0;
}

DISNI(jint, _1expPrefetchMr)(JNIEnv *env, jobject self, jlong mr, jlong address, jint bytes) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "ibv_advise_mr", mr, HANDLE_MR);
  if (held == NULL) {
    return -1;
  }
  struct ibv_mr *region = held->object;
  uint64_t begin = (uint64_t)(uintptr_t)region->addr;
  uint64_t from = (uint64_t)address;
  int error = EINVAL;
  if (bytes > 0 && from >= begin && from - begin <= region->length &&
      (uint64_t)bytes <= region->length - (from - begin)) {
    struct ibv_sge sge = {.addr = from, .length = (uint32_t)bytes, .lkey = region->lkey};
    error = ibv_advise_mr(region->pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, &sge, 1);
  }
  handle_release(held);
  if (error != 0) {
    throw_errno(env, "ibv_advise_mr", error);
    return -1;
  }
  return 0;
}

DISNI(jint, _1getCqEvent)(JNIEnv *env, jobject self, jlong channel, jint timeout_ms) {
  (void)self;
  static const char *verb = "ibv_get_cq_event";
  struct handle *held = acquire_or_throw(env, verb, channel, HANDLE_COMP_CHANNEL);
  if (held == NULL) {
    return -1;
  }
  struct ibv_comp_channel *events = held->object;
  struct pollfd readable = {.fd = events->fd, .events = POLLIN, .revents = 0};
  jint result = -1;
  int count = poll(&readable, 1, timeout_ms);
  if (count < 0 && errno != EINTR) {
    throw_errno(env, verb, errno);
  } else if (count > 0) {
    struct ibv_cq *cq;
    void *number;
    if (ibv_get_cq_event(events, &cq, &number) != 0) {
      throw_errno(env, verb, errno);
    } else {
      struct handle *of = handle_acquire((jlong)(intptr_t)number, HANDLE_CQ);
      if (of != NULL) {
        atomic_fetch_add(&of->unacknowledged, 1);
        handle_release(of);
      }
      result = 0;
    }
  }
  handle_release(held);
  return result;
}

DISNI(jint, _1ackCqEvent)(JNIEnv *env, jobject self, jlong cq, jint events) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "ibv_ack_cq_events", cq, HANDLE_CQ);
  if (held == NULL) {
    return -1;
  }
  int known = atomic_load(&held->unacknowledged);
  int acknowledged = 0;
  while (events > 0 && events <= known && !acknowledged) {
    acknowledged = atomic_compare_exchange_weak(&held->unacknowledged, &known, known - events);
  }
  if (acknowledged) {
    ibv_ack_cq_events(held->object, (unsigned)events);
  }
  handle_release(held);
  if (!acknowledged) {
    throw_reason(env, "ibv_ack_cq_events", "so many events were not got (errno 22)");
    return -1;
  }
  return 0;
}

DISNI(jint, _1pollCQ)(JNIEnv *env, jobject self, jlong cq, jint most, jlong into) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "ibv_poll_cq", cq, HANDLE_CQ);
  if (held == NULL) {
    return -1;
  }
  int got = -1;
  if (into == 0 || most < 1) {
    throw_errno(env, "ibv_poll_cq", EINVAL);
  } else {
    struct ibv_wc completions[COMPLETIONS_AT_ONCE];
    struct disni_wc *out = (struct disni_wc *)(intptr_t)into;
    got = ibv_poll_cq(held->object, most < COMPLETIONS_AT_ONCE ? most : COMPLETIONS_AT_ONCE,
                      completions);
    if (got < 0) {
      throw_errno(env, "ibv_poll_cq", EIO);
    }
    for (int i = 0; i < got; i++) {
      const struct ibv_wc *wc = &completions[i];
      out[i] = (struct disni_wc){.wr_id = wc->wr_id,
                                 .status = (int32_t)wc->status,
                                 .opcode = (int32_t)wc->opcode,
                                 .vendor_err = wc->vendor_err,
                                 .byte_len = wc->byte_len,
                                 .imm_data = wc->imm_data,
                                 .qp_num = wc->qp_num,
                                 .src_qp = wc->src_qp,
                                 .wc_flags = wc->wc_flags,
                                 .pkey_index = wc->pkey_index,
                                 .slid = wc->slid,
                                 .sl = wc->sl,
                                 .dlid_path_bits = wc->dlid_path_bits};
    }
  }
  handle_release(held);
  return got;
}

DISNI(jint, _1reqNotifyCQ)(JNIEnv *env, jobject self, jlong cq, jint solicited_only) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "ibv_req_notify_cq", cq, HANDLE_CQ);
  if (held == NULL) {
    return -1;
  }
  int error = ibv_req_notify_cq(held->object, solicited_only);
  handle_release(held);
  if (error != 0) {
    throw_errno(env, "ibv_req_notify_cq", error);
    return -1;
  }
  return 0;
}

DISNI(jint, _1getQpNum)(JNIEnv *env, jobject self, jlong qp) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "ibv_qp.qp_num", qp, HANDLE_QP);
  if (held == NULL) {
    return -1;
  }
  jint number = (jint)((struct ibv_qp *)held->object)->qp_num;
  handle_release(held);
  return number;
}

DISNI(jint, _1getContextFd)(JNIEnv *env, jobject self, jlong context) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "ibv_context.cmd_fd", context, HANDLE_CONTEXT);
  if (held == NULL) {
    return -1;
  }
  jint fd = ((struct ibv_context *)held->object)->cmd_fd;
  handle_release(held);
  return fd;
}

DISNI(jint, _1getContextNumCompVectors)(JNIEnv *env, jobject self, jlong context) {
  (void)self;
  struct handle *held =
      acquire_or_throw(env, "ibv_context.num_comp_vectors", context, HANDLE_CONTEXT);
  if (held == NULL) {
    return -1;
  }
  jint vectors = ((struct ibv_context *)held->object)->num_comp_vectors;
  handle_release(held);
  return vectors;
}

DISNI(jint, _1getPdHandle)(JNIEnv *env, jobject self, jlong pd) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "ibv_pd.handle", pd, HANDLE_PD);
  if (held == NULL) {
    return -1;
  }
  jint number = (jint)((struct ibv_pd *)held->object)->handle;
  handle_release(held);
  return number;
}
