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
package org.orcagrid.server.gate;

/**
 * What the reply to the request that a connection has in execution needs. One thread at a time
 * executes requests of a connection, and it sends the reply from within.
 */
public final class ReplyNeeds {

  private boolean present;
  private int xid;
  private long durable;
  private long applied;
  private long durableOnError;
  private long appliedOnError;
  private long leaseEnd;

  /**
   * The reply to request {@code xid} needs these indexes if it succeeds, and those if it fails; and
   * no lease.
   */
  public void set(
      int requestXid,
      long needsDurable,
      long needsApplied,
      long needsDurableOnError,
      long needsAppliedOnError) {
    present = true;
    xid = requestXid;
    durable = needsDurable;
    applied = needsApplied;
    durableOnError = needsDurableOnError;
    appliedOnError = needsAppliedOnError;
    leaseEnd = 0;
  }

  /** The reply also needs the leader's lease to end at {@code needsLeaseEnd} or later. */
  public void setLeaseEnd(long needsLeaseEnd) {
    leaseEnd = needsLeaseEnd;
  }

  /** No request is in execution. */
  public void clear() {
    present = false;
  }

  /** The index that must be durable before the reply to {@code replyXid} leaves. */
  public long durableFor(int replyXid, int error) {
    return present && replyXid == xid ? (error == 0 ? durable : durableOnError) : 0;
  }

  /**
   * When the leader's lease must end, at the earliest, before the reply to {@code replyXid} leaves.
   */
  public long leaseEndFor(int replyXid) {
    return present && replyXid == xid ? leaseEnd : 0;
  }

  /** The index that the readers must have applied before the reply to {@code replyXid} leaves. */
  public long appliedFor(int replyXid, int error) {
    return present && replyXid == xid ? (error == 0 ? applied : appliedOnError) : 0;
  }
}
