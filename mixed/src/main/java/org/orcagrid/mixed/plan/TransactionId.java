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
package org.orcagrid.mixed.plan;

/**
 * Tells a transaction from all others: the nonce that its parts carry.
 *
 * @param decider the store that decides it, and is asked whether it has
 * @param millis about when it began; what is remembered of transactions is forgotten by it
 * @param random which no other one has
 */
public record TransactionId(String decider, long millis, long random) {
  /** The id with this text. */
  public static TransactionId parse(String text) {
    int last = text.lastIndexOf('-');
    int middle = text.lastIndexOf('-', last - 1);
    if (middle <= 0) {
      throw new IllegalArgumentException(
          text + " is no transaction's id, which is as orca-1700000000000-9f");
    }
    return new TransactionId(
        text.substring(0, middle),
        Long.parseLong(text.substring(middle + 1, last)),
        Long.parseUnsignedLong(text.substring(last + 1), 16));
  }

  @Override
  public String toString() {
    return decider + "-" + millis + "-" + Long.toHexString(random);
  }
}
