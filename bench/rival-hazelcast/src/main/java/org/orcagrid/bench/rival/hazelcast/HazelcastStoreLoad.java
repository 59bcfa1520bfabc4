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

import com.hazelcast.config.Config;
import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.bench.compare.process.Accesses;
import org.orcagrid.bench.compare.process.ClientLoad;
import org.orcagrid.bench.compare.process.LoadSettings;

/**
 * A member of Hazelcast whose maps write through to a file that is forced: the open-source product
 * has no persistence of its own. Its variants are those of {@link HazelcastLoad}.
 */
public final class HazelcastStoreLoad extends ClientLoad {
  private final HazelcastInstance member;
  private final Map<String, IMap<Long, byte[]>> maps = new HashMap<>();

  /**
   * Starts it; returns when all members are there.
   *
   * @throws IOException if its files cannot be made
   */
  public HazelcastStoreLoad(LoadSettings settings) throws IOException {
    super(settings);
    Files.createDirectories(settings.ownFolder());
    Config config = HazelcastLoad.config(settings);
    for (String variant : List.of(HazelcastLoad.OWNER, HazelcastLoad.BACKUP)) {
      config
          .getMapConfig(variant)
          .setMapStoreConfig(
              new MapStoreConfig()
                  .setEnabled(variants().contains(variant))
                  .setWriteDelaySeconds(0)
                  .setImplementation(new ForcedFile(settings.ownFolder().resolve(variant))));
    }
    this.member = Hazelcast.newHazelcastInstance(config);
    for (String variant : variants()) {
      maps.put(variant, member.getMap(variant));
    }
  }

  @Override
  public String product() {
    return "Hazelcast " + member.getCluster().getLocalMember().getVersion();
  }

  @Override
  protected Accesses open(String variant) {
    return HazelcastLoad.accesses(maps.get(variant));
  }

  @Override
  public void close() {
    member.getLifecycleService().terminate();
  }
}
