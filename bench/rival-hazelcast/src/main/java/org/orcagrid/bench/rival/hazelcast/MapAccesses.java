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
package org.orcagrid.bench.rival.hazelcast;

import com.hazelcast.map.IMap;
import java.util.concurrent.CompletionStage;
import org.orcagrid.bench.compare.process.Accesses;

/** What clients do with a map of Hazelcast. */
record MapAccesses(IMap<Long, byte[]> map) implements Accesses {
  @Override
  public CompletionStage<?> read(long key) {
    return map.getAsync(key);
  }

  @Override
  public CompletionStage<?> write(long key, byte[] value) {
    return map.setAsync(key, value);
  }

  @Override
  public Object get(long key) {
    return map.get(key);
  }

  @Override
  public void set(long key, byte[] value) {
    map.set(key, value);
  }
}
