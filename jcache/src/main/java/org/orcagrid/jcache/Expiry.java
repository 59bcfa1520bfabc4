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
package org.orcagrid.jcache;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.cache.CacheException;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;

/**
 * Deadlines, as a policy wants them. A policy that throws fails the operation that has asked it,
 * with a {@link CacheException}, before anything is changed.
 */
final class Expiry {
  private final ExpiryPolicy policy;
  private final LongSupplier clockMillis;

  Expiry(ExpiryPolicy policy, LongSupplier clockMillis) {
    this.policy = policy;
    this.clockMillis = clockMillis;
  }

  ExpiryPolicy policy() {
    return policy;
  }

  long nowMillis() {
    return clockMillis.getAsLong();
  }

  /** Whether the policy is known to let nothing expire, and need not be asked. */
  boolean isEternal() {
    return policy.getClass() == EternalExpiryPolicy.class;
  }

  /** The deadline of a new entry. */
  long ofCreation(long nowMillis) {
    Duration duration = ask(policy::getExpiryForCreation);
    return duration == null ? Stored.ETERNAL : deadline(duration, nowMillis);
  }

  /** The deadline of an entry that gets another value. */
  long ofUpdate(Stored present, long nowMillis) {
    return changed(ask(policy::getExpiryForUpdate), present, nowMillis);
  }

  /** The deadline of an entry that is read. */
  long ofAccess(Stored present, long nowMillis) {
    return changed(ask(policy::getExpiryForAccess), present, nowMillis);
  }

  private static long changed(Duration duration, Stored present, long nowMillis) {
    return duration == null ? present.deadlineMillis() : deadline(duration, nowMillis);
  }

  private static long deadline(Duration duration, long nowMillis) {
    if (duration.isEternal()) {
      return Stored.ETERNAL;
    }
    long lasts = duration.getTimeUnit().toMillis(duration.getDurationAmount());
    return lasts >= Stored.ETERNAL - nowMillis ? Stored.ETERNAL : nowMillis + lasts;
  }

  private static Duration ask(Supplier<Duration> question) {
    try {
      return question.get();
    } catch (RuntimeException e) {
      throw new CacheException("The expiry policy of the cache has failed: " + e, e);
    }
  }
}
