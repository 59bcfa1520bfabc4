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
package org.orcagrid.bench.zab;

import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/** What a message of ZAB is. The numbers are the wire format. */
enum ZabMessage {
  /**
   * A follower's session asks the leader to propose a write. Its id is its number among the
   * follower's writes.
   */
  WRITE(1),
  /**
   * A write in its place in the order of all writes. Its id is the zxid, its session the node that
   * has asked for it and its clock the number among that node's writes.
   */
  PROPOSAL(2),
  /** The follower has all proposals up to the id, and knows those up to the clock committed. */
  ACK(3),
  /** All proposals up to the id are committed. */
  COMMIT(4);

  /**
   * A proposal's flag: what it proposes found no room. It has its place in the order, and changes
   * nothing.
   */
  static final int REFUSED = 1;

  private static final ZabMessage[] BY_CODE = byCode();

  private final int code;

  ZabMessage(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** What a message is; null if it is none of ZAB's. */
  static ZabMessage of(Message message) {
    int code = message.type() == MessageType.OTHER ? message.count() : 0;
    return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }

  private static ZabMessage[] byCode() {
    ZabMessage[] all = new ZabMessage[values().length + 1];
    for (ZabMessage each : values()) {
      if (all[each.code] != null) {
        throw new IllegalStateException("Two messages have the number " + each.code);
      }
      all[each.code] = each;
    }
    return all;
  }
}
