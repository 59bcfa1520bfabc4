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
package org.orcagrid.needs;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/** Looks for each need once in a JVM, and gives the reason to skip in one line. */
final class NeedsCondition implements ExecutionCondition {
  /** What is missing; empty if all is there. */
  private static final Map<Class<? extends Need>, Optional<String>> FOUND =
      new ConcurrentHashMap<>();

  private final boolean bare;

  NeedsCondition() {
    this(Boolean.getBoolean("orca.bare"));
  }

  NeedsCondition(boolean bare) {
    this.bare = bare;
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<Needs> needs =
        context.getElement().flatMap(each -> AnnotationSupport.findAnnotation(each, Needs.class));
    if (needs.isEmpty()) {
      return ConditionEvaluationResult.enabled("needs nothing");
    }
    for (Class<? extends Need> type : needs.get().value()) {
      Need need = ReflectionSupport.newInstance(type);
      Optional<String> missing =
          bare
              ? Optional.of("hidden by -Dorca.bare=true")
              : FOUND.computeIfAbsent(type, any -> look(need));
      if (missing.isPresent()) {
        return ConditionEvaluationResult.disabled("needs " + need.what() + ": " + missing.get());
      }
    }
    return ConditionEvaluationResult.enabled("has what it needs");
  }

  private static Optional<String> look(Need need) {
    try {
      return Optional.ofNullable(need.missing()).map(why -> why.strip().replaceAll("\\s+", " "));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while looking for " + need.what(), e);
    } catch (Exception e) {
      // No reason to skip: the look itself is at fault.
      throw new IllegalStateException("Cannot look for " + need.what(), e);
    }
  }
}
