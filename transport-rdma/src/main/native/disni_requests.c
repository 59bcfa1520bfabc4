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

/* Lists of requests of DiSNI's dispatcher, which are not laid out as libibverbs' are. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdlib.h>
#include <string.h>

#include "disni_layout.h"
#include "errors.h"
#include "handles.h"

#define REQUESTS_MAX 16384
#define SGES_MAX 32

/* Checks a list that Java has laid out, and counts it. Returns 0 or an errno. */
static int count_sends(jlong first, int *requests, int *sges) {
  *requests = 0;
  *sges = 0;
  for (uint64_t at = (uint64_t)first; at != 0;) {
    const struct disni_send_wr *wr = (const void *)(uintptr_t)at;
    if (++*requests > REQUESTS_MAX || wr->num_sge < 0 || wr->num_sge > SGES_MAX ||
        (wr->num_sge > 0 && wr->sg_list == 0)) {
      return EINVAL;
    }
    switch (wr->opcode) {
      case IBV_WR_RDMA_WRITE:
      case IBV_WR_RDMA_WRITE_WITH_IMM:
      case IBV_WR_SEND:
      case IBV_WR_SEND_WITH_IMM:
      case IBV_WR_RDMA_READ:
        break;
      default:
        /* What else there is needs operands that DiSNI's Java side does not lay out. */
        return EOPNOTSUPP;
    }
    *sges += wr->num_sge;
    at = wr->next;
  }
  return 0;
}

static int post_sends(struct ibv_qp *qp, jlong first, int requests, int sges) {
  struct ibv_send_wr *wrs = calloc((size_t)requests, sizeof(*wrs));
  struct ibv_sge *list = calloc(sges == 0 ? 1 : (size_t)sges, sizeof(*list));
  int error = ENOMEM;
  if (wrs != NULL && list != NULL) {
    uint64_t at = (uint64_t)first;
    struct ibv_sge *next = list;
    for (int i = 0; i < requests; i++) {
      const struct disni_send_wr *from = (const void *)(uintptr_t)at;
      struct ibv_send_wr *to = &wrs[i];
      to->wr_id = from->wr_id;
      to->next = i + 1 < requests ? &wrs[i + 1] : NULL;
      to->sg_list = next;
      to->num_sge = from->num_sge;
      to->opcode = (enum ibv_wr_opcode)from->opcode;
      to->send_flags = (unsigned)from->send_flags;
      to->imm_data = from->imm_data;
      to->wr.rdma.remote_addr = from->remote_addr;
      to->wr.rdma.rkey = from->rkey;
      memcpy(next, (void *)(uintptr_t)from->sg_list, (size_t)from->num_sge * sizeof(*next));
      next += from->num_sge;
      at = from->next;
    }
    struct ibv_send_wr *bad = NULL;
    error = ibv_post_send(qp, wrs, &bad);
  }
  free(wrs);
  free(list);
  return error;
}

DISNI(void, _1postSend)(JNIEnv *env, jobject self, jlong qp, jlong first) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "ibv_post_send", qp, HANDLE_QP);
  if (held == NULL) {
    return;
  }
  struct ibv_qp *pair = held->object;
  int requests;
  int sges;
  /* A datagram has an address handle, which DiSNI's requests have no place for. */
  int error = first == 0 || pair->qp_type == IBV_QPT_UD ? EINVAL
                                                        : count_sends(first, &requests, &sges);
  if (error == 0) {
    error = post_sends(pair, first, requests, sges);
  }
  handle_release(held);
  if (error != 0) {
    throw_errno(env, "ibv_post_send", error);
  }
}

static int post_receives(struct ibv_qp *qp, jlong first) {
  int requests = 0;
  int sges = 0;
  for (uint64_t at = (uint64_t)first; at != 0;) {
    const struct disni_recv_wr *wr = (const void *)(uintptr_t)at;
    if (++requests > REQUESTS_MAX || wr->num_sge < 0 || wr->num_sge > SGES_MAX ||
        (wr->num_sge > 0 && wr->sg_list == 0)) {
      return EINVAL;
    }
    sges += wr->num_sge;
    at = wr->next;
  }
  struct ibv_recv_wr *wrs = calloc((size_t)requests, sizeof(*wrs));
  struct ibv_sge *list = calloc(sges == 0 ? 1 : (size_t)sges, sizeof(*list));
  int error = ENOMEM;
  if (wrs != NULL && list != NULL) {
    uint64_t at = (uint64_t)first;
    struct ibv_sge *next = list;
    for (int i = 0; i < requests; i++) {
      const struct disni_recv_wr *from = (const void *)(uintptr_t)at;
      wrs[i].wr_id = from->wr_id;
      wrs[i].next = i + 1 < requests ? &wrs[i + 1] : NULL;
      wrs[i].sg_list = next;
      wrs[i].num_sge = from->num_sge;
      memcpy(next, (void *)(uintptr_t)from->sg_list, (size_t)from->num_sge * sizeof(*next));
      next += from->num_sge;
      at = from->next;
    }
    struct ibv_recv_wr *bad = NULL;
    error = ibv_post_recv(qp, wrs, &bad);
  }
  free(wrs);
  free(list);
  return error;
}

DISNI(void, _1postRecv)(JNIEnv *env, jobject self, jlong qp, jlong first) {
  (void)self;
  struct handle *held = acquire_or_throw(env, "ibv_post_recv", qp, HANDLE_QP);
  if (held == NULL) {
    return;
  }
  int error = first == 0 ? EINVAL : post_receives(held->object, first);
  handle_release(held);
  if (error != 0) {
    throw_errno(env, "ibv_post_recv", error);
  }
}
