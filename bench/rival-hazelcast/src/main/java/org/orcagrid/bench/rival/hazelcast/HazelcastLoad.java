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
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.spi.properties.ClusterProperty;
import java.util.HashMap;
import java.util.Map;
import org.orcagrid.bench.compare.process.Accesses;
import org.orcagrid.bench.compare.process.ClientLoad;
import org.orcagrid.bench.compare.process.LoadSettings;

/**
 * A member of Hazelcast. Its variants are maps: reads at a key's owner, and reads at the member's
 * own copy.
 */
public final class HazelcastLoad extends ClientLoad {
  static final String OWNER = "owner";
  static final String BACKUP = "backup";

  private final HazelcastInstance member;
  private final Map<String, IMap<Long, byte[]>> maps = new HashMap<>();

  /** Starts it; returns when all members are there. */
  public HazelcastLoad(LoadSettings settings) {
    super(settings);
    this.member = Hazelcast.newHazelcastInstance(config(settings));
    for (String variant : variants()) {
      maps.put(variant, member.getMap(variant));
    }
  }

  /** The configuration of a member. */
  static Config config(LoadSettings settings) {
    Config config = new Config();
    config.setClusterName("orca-compare-" + settings.ports().get(0));
    config.setProperty(ClusterProperty.PHONE_HOME_ENABLED.getName(), "false");
    config.setProperty(
        ClusterProperty.INITIAL_MIN_CLUSTER_SIZE.getName(),
        Integer.toString(settings.ports().size()));
    config
        .getNetworkConfig()
        .setPort(settings.ports().get(settings.self()))
        .setPortAutoIncrement(false)
        .getInterfaces()
        .setEnabled(true)
        .addInterface(LoadSettings.HOST);
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    settings
        .ports()
        .forEach(port -> join.getTcpIpConfig().addMember(LoadSettings.HOST + ":" + port));
    config.addMapConfig(map(OWNER, settings).setReadBackupData(false));
    config.addMapConfig(map(BACKUP, settings).setReadBackupData(true));
    return config;
  }

  private static MapConfig map(String name, LoadSettings settings) {
    return new MapConfig(name)
        .setInMemoryFormat(InMemoryFormat.BINARY)
        .setBackupCount(settings.ports().size() - 1)
        .setAsyncBackupCount(0);
  }

  @Override
  public String product() {
    return "Hazelcast " + member.getCluster().getLocalMember().getVersion();
  }

  /** Those of a map. */
  static Accesses accesses(IMap<Long, byte[]> map) {
    return new Accesses(map::getAsync, map::setAsync, map::get, map::set);
  }

  @Override
  protected Accesses open(String variant) {
    return accesses(maps.get(variant));
  }

  @Override
  public void close() {
    member.getLifecycleService().terminate();
  }
}
