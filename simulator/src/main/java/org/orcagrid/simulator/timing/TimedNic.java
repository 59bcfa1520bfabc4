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
package org.orcagrid.simulator.timing;

/** A server's NIC: sends one packet after the other, and receives one after the other. */
final class TimedNic {
  private final int bytesPerNano;
  private long sentNanos;
  private long receivedNanos;

  TimedNic(int bytesPerNano) {
    this.bytesPerNano = bytesPerNano;
  }

  /** Sends a packet; returns when its last byte has left. */
  long send(int bytes, long nowNanos) {
    sentNanos = Math.max(sentNanos, nowNanos) + nanos(bytes);
    return sentNanos;
  }

  /** A packet's last byte arrives at a moment at the earliest; returns when all of it is in. */
  long receive(int bytes, long arrivalNanos) {
    receivedNanos = Math.max(receivedNanos + nanos(bytes), arrivalNanos);
    return receivedNanos;
  }

  private long nanos(int bytes) {
    return ((long) bytes + bytesPerNano - 1) / bytesPerNano;
  }
}
