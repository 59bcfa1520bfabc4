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

import java.util.function.Function;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;

/**
 * Runs entry processors: on what an entry has, and again if another node has changed it before the
 * processor's net effect was done.
 */
record Processing<K, V>(
    OrcaCache.Parts<K, V> parts, Editor editor, KeyLocks locks, Statistics statistics) {

  static <K, V> Processing<K, V> of(
      OrcaCache.Parts<K, V> parts, Editor editor, KeyLocks locks, Statistics statistics) {
    return new Processing<>(parts, editor, locks, statistics);
  }

  /** One run over an entry: what the processor returned, and what it wants. */
  private final class Run<T> implements Function<Stored, EntryEdit> {
    private final K key;
    private final EntryProcessor<K, V, T> processor;
    private final Object[] arguments;
    private Invocation<K, V> invocation;
    private T result;

    Run(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
      this.key = key;
      this.processor = processor;
      this.arguments = arguments;
    }

    @Override
    public EntryEdit apply(Stored present) {
      invocation = new Invocation<>(key, present, parts.forms(), parts.loader());
      try {
        result = processor.process(invocation, arguments);
      } catch (EntryProcessorException e) {
        throw e;
      } catch (RuntimeException | Error e) {
        // The standard wants errors of processors as exceptions, too.
        throw new EntryProcessorException("The entry processor has failed: " + e, e);
      }
      return invocation.change(parts.writer());
    }
  }

  <T> T run(K key, EntryKey at, EntryProcessor<K, V, T> processor, Object... arguments) {
    long begun = statistics.begin();
    Run<T> run = new Run<>(key, processor, arguments);
    try (KeyLocks.Held held = locks.hold(at)) {
      Editor.Outcome outcome = editor.edit(at, run);
      statistics.got(begun, outcome.before() != null);
      if (outcome.isDone() && run.invocation.isPut()) {
        statistics.put(begun, 1);
      } else if (outcome.isDone() && !run.invocation.exists()) {
        statistics.removed(begun, 1);
      }
      return run.result;
    }
  }
}
