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

/* Requests and completions as DiSNI's Java side lays them out. */
#ifndef ORCA_DISNI_LAYOUT_H
#define ORCA_DISNI_LAYOUT_H

#include <infiniband/verbs.h>
#include <stdint.h>

#define DISNI(type, name) JNIEXPORT type JNICALL Java_com_ibm_disni_verbs_impl_NativeDispatcher_##name

struct disni_send_wr {
  uint64_t wr_id;
  uint64_t next;
  uint64_t sg_list;
  int32_t num_sge;
  int32_t opcode;
  int32_t send_flags;
  uint32_t imm_data;
  uint64_t remote_addr;
  uint32_t rkey;
  uint32_t reserved;
  uint8_t unused[16];
};

struct disni_recv_wr {
  uint64_t wr_id;
  uint64_t next;
  uint64_t sg_list;
  int32_t num_sge;
  int32_t padding;
};

struct disni_wc {
  uint64_t wr_id;
  int32_t status;
  int32_t opcode;
  uint32_t vendor_err;
  uint32_t byte_len;
  uint32_t imm_data;
  uint32_t qp_num;
  uint32_t src_qp;
  uint32_t wc_flags;
  uint16_t pkey_index;
  uint16_t slid;
  uint8_t sl;
  uint8_t dlid_path_bits;
  uint8_t padding[2];
};

_Static_assert(sizeof(struct disni_send_wr) == 72, "NatIbvSendWR.CSIZE");
_Static_assert(sizeof(struct disni_recv_wr) == 32, "NatIbvRecvWR.CSIZE");
_Static_assert(sizeof(struct disni_wc) == 48, "IbvWC.CSIZE");
_Static_assert(sizeof(struct ibv_sge) == 16, "NatIbvSge.CSIZE");

#endif
