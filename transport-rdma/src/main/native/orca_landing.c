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
 * Reliable queue pairs, and what a peer writes with them into memory that outlives a loss of power: what
 * org.orcagrid.transport.rdma.Verbs declares.
 */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include "errors.h"
#include "handles.h"
#include "queues.h"

#define ORCA(type, name) JNIEXPORT type JNICALL Java_org_orcagrid_transport_rdma_Verbs_##name

#define GID_BYTES 16
#define HOPS_MAX 64
#define LINE_BYTES 64
#define NUMBER_MASK 0xffffff

/*
 * 4.096 us * 2^17 = 0.5 s, tried again 7 times: a peer that is slow is not taken for lost. Leases say
 * who is gone, and nobody waits for a zone whose owner's log says that it has everything.
 */
#define TIMEOUT_EXPONENT 17
#define RETRIES 7
#define READS_MAX 4

static int modify_to_init(struct ibv_qp *qp, int port, uint32_t unused) {
  (void)unused;
  struct ibv_qp_attr attr;
  memset(&attr, 0, sizeof(attr));
  attr.qp_state = IBV_QPS_INIT;
  attr.port_num = (uint8_t)port;
  attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
  return ibv_modify_qp(qp, &attr,
                       IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
}

/* A queue pair that is not connected yet. It receives nothing but what goes past its processor. */
ORCA(jlong, createReliableQueue)
(JNIEnv *env, jclass type, jlong pd, jlong cq, jint port, jint sends) {
  (void)type;
  struct ibv_qp_init_attr attr;
  memset(&attr, 0, sizeof(attr));
  attr.qp_type = IBV_QPT_RC;
  attr.cap.max_send_wr = sends < 0 ? 0 : (uint32_t)sends;
  attr.cap.max_recv_wr = 1;
  attr.cap.max_send_sge = 1;
  attr.cap.max_recv_sge = 1;
  return open_queue(env, pd, cq, port, &attr, modify_to_init, 0);
}

/* Both ends count packets from their own number on. mtu: bytes of a packet. */
static int connect_queue(struct ibv_qp *qp, int port, int gid_index, const void *gid, int lid,
                         uint32_t remote, int mtu) {
  struct ibv_qp_attr attr;
  memset(&attr, 0, sizeof(attr));
  attr.qp_state = IBV_QPS_RTR;
  attr.path_mtu = mtu >= 4096   ? IBV_MTU_4096
                  : mtu >= 2048 ? IBV_MTU_2048
                                : IBV_MTU_1024;
  attr.dest_qp_num = remote;
  attr.rq_psn = remote & NUMBER_MASK;
  attr.max_dest_rd_atomic = READS_MAX;
  attr.min_rnr_timer = TIMEOUT_EXPONENT;
  attr.ah_attr.is_global = 1;
  memcpy(attr.ah_attr.grh.dgid.raw, gid, GID_BYTES);
  attr.ah_attr.grh.sgid_index = (uint8_t)gid_index;
  attr.ah_attr.grh.hop_limit = HOPS_MAX;
  attr.ah_attr.dlid = (uint16_t)lid;
  attr.ah_attr.port_num = (uint8_t)port;
  int error = ibv_modify_qp(qp, &attr,
                            IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                                IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
  if (error != 0) {
    return error;
  }
  memset(&attr, 0, sizeof(attr));
  attr.qp_state = IBV_QPS_RTS;
  attr.sq_psn = qp->qp_num & NUMBER_MASK;
  attr.timeout = TIMEOUT_EXPONENT;
  attr.retry_cnt = RETRIES;
  attr.rnr_retry = RETRIES;
  attr.max_rd_atomic = READS_MAX;
  return ibv_modify_qp(qp, &attr,
                       IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                           IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC);
}

ORCA(void, connectQueue)
(JNIEnv *env, jclass type, jlong qp, jint port, jint gid_index, jobject gid, jint lid, jint remote,
 jint mtu) {
  (void)type;
  static const char *verb = "ibv_modify_qp";
  const void *address = buffer_or_throw(env, verb, gid, GID_BYTES);
  if (address == NULL) {
    return;
  }
  struct handle *held = acquire_or_throw(env, verb, qp, HANDLE_QP);
  if (held == NULL) {
    return;
  }
  struct ibv_qp *queue = held->object;
  int error = EINVAL;
  if (queue->qp_type == IBV_QPT_RC && port >= 1 && port <= UINT8_MAX && gid_index >= 0 &&
      gid_index <= UINT8_MAX && lid >= 0 && lid <= UINT16_MAX && remote > 0 &&
      remote <= NUMBER_MASK) {
    error = connect_queue(queue, port, gid_index, address, lid, (uint32_t)remote, mtu);
  }
  handle_release(held);
  if (error != 0) {
    throw_errno(env, verb, error);
  }
}

/*
 * Writes part of a region to a peer's memory, or reads it from there. Without a signal there is a
 * completion only if it fails.
 */
ORCA(void, postOneSided)
(JNIEnv *env, jclass type, jlong qp, jlong region, jboolean reads, jint at, jint bytes,
 jlong remote_address, jint remote_key, jboolean signals, jlong id) {
  (void)type;
  struct ibv_send_wr wr;
  memset(&wr, 0, sizeof(wr));
  wr.wr_id = (uint64_t)id;
  wr.opcode = reads ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE;
  wr.send_flags = signals ? IBV_SEND_SIGNALED : 0;
  wr.wr.rdma.remote_addr = (uint64_t)remote_address;
  wr.wr.rdma.rkey = (uint32_t)remote_key;
  post_reliable(env, qp, region, at, bytes, &wr);
}

/* --- memory that outlives a loss of power ---------------------------------------------------- */

/* The file stays open: it is locked for as long as it is mapped. */
struct mapping {
  char *at;
  jlong bytes;
  int fd;
};

/* Without DAX MAP_SYNC is refused. */
static int map_file(const char *name, int is_file, jlong bytes, struct mapping *into) {
  int fd = open(name, O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    return errno;
  }
  int error = 0;
  void *at = MAP_FAILED;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
    at = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
              is_file ? MAP_SHARED_VALIDATE | MAP_SYNC : MAP_SHARED, fd, 0);
  }
  if (at == MAP_FAILED) {
    error = errno;
    close(fd);
  }
  into->at = at;
  into->bytes = bytes;
  into->fd = fd;
  return error;
}

/* Maps a device of persistent memory, or a file on a file system with DAX. */
ORCA(jlong, mapMemory)(JNIEnv *env, jclass type, jstring path, jboolean is_file, jint bytes) {
  (void)type;
  static const char *verb = "mmap";
  if (path == NULL || bytes < 1) {
    throw_errno(env, verb, EINVAL);
    return -1;
  }
  const char *name = (*env)->GetStringUTFChars(env, path, NULL);
  struct mapping *mapping = name == NULL ? NULL : calloc(1, sizeof(*mapping));
  int error = mapping == NULL ? ENOMEM : map_file(name, is_file, bytes, mapping);
  if (name != NULL) {
    (*env)->ReleaseStringUTFChars(env, path, name);
  }
  jlong number = 0;
  if (error != 0) {
    throw_errno(env, verb, error);
  } else if ((number = add_or_throw(env, verb, HANDLE_MEMORY, mapping, 0, NULL)) == 0) {
    munmap(mapping->at, (size_t)bytes);
    close(mapping->fd);
  }
  if (number == 0) {
    free(mapping);
    return -1;
  }
  return number;
}

ORCA(jobject, memoryBytes)(JNIEnv *env, jclass type, jlong memory) {
  (void)type;
  struct handle *held = acquire_or_throw(env, "mmap", memory, HANDLE_MEMORY);
  if (held == NULL) {
    return NULL;
  }
  struct mapping *mapping = held->object;
  jobject buffer = (*env)->NewDirectByteBuffer(env, mapping->at, mapping->bytes);
  handle_release(held);
  return buffer;
}

/* Nothing may use its bytes afterwards. */
ORCA(void, unmapMemory)(JNIEnv *env, jclass type, jlong memory) {
  (void)type;
  struct handle *closing = close_or_throw(env, "munmap", memory, HANDLE_MEMORY);
  if (closing == NULL) {
    return;
  }
  struct mapping *mapping = closing->object;
  int failed = munmap(mapping->at, (size_t)mapping->bytes) != 0;
  int error = errno;
  handle_end_close(closing, !failed);
  if (failed) {
    throw_errno(env, "munmap", error);
  } else {
    close(mapping->fd);
    free(mapping);
  }
}

#if defined(__x86_64__)
enum write_back { WITH_CLFLUSH, WITH_CLFLUSHOPT, WITH_CLWB };

/* Leaf 7: bit 24 of EBX for CLWB, bit 23 for CLFLUSHOPT. */
static enum write_back best_write_back(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
    return WITH_CLFLUSH;
  }
  return (b & (1u << 24)) ? WITH_CLWB : (b & (1u << 23)) ? WITH_CLFLUSHOPT : WITH_CLFLUSH;
}

__attribute__((target("clwb"))) static void write_back_clwb(char *from, char *to) {
  for (; from < to; from += LINE_BYTES) {
    _mm_clwb(from);
  }
}

__attribute__((target("clflushopt"))) static void write_back_clflushopt(char *from, char *to) {
  for (; from < to; from += LINE_BYTES) {
    _mm_clflushopt(from);
  }
}

static void write_back_clflush(char *from, char *to) {
  for (; from < to; from += LINE_BYTES) {
    _mm_clflush(from);
  }
}
#endif

/* Whether this library can make stores durable on this processor. */
ORCA(jboolean, canPersist)(JNIEnv *env, jclass type) {
  (void)env, (void)type;
#if defined(__x86_64__)
  return JNI_TRUE;
#else
  return JNI_FALSE;
#endif
}

/* What was stored in a part of mapped memory has left the caches when this returns. */
ORCA(void, persist)(JNIEnv *env, jclass type, jlong memory, jint at, jint bytes) {
  (void)type;
  static const char *verb = "persist";
  struct handle *held = acquire_or_throw(env, verb, memory, HANDLE_MEMORY);
  if (held == NULL) {
    return;
  }
  struct mapping *mapping = held->object;
  int error = 0;
  if (at < 0 || bytes < 0 || (jlong)at + bytes > mapping->bytes) {
    error = EINVAL;
  } else {
#if defined(__x86_64__)
    char *from = (char *)((uintptr_t)(mapping->at + at) & ~(uintptr_t)(LINE_BYTES - 1));
    char *to = mapping->at + at + bytes;
    switch (best_write_back()) {
    case WITH_CLWB:
      write_back_clwb(from, to);
      break;
    case WITH_CLFLUSHOPT:
      write_back_clflushopt(from, to);
      break;
    default:
      write_back_clflush(from, to);
    }
    _mm_sfence();
#else
    error = ENOTSUP;
#endif
  }
  handle_release(held);
  if (error != 0) {
    throw_errno(env, verb, error);
  }
}
