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
package org.orcagrid.bench.compare;

import java.util.List;
import java.util.Locale;
import org.orcagrid.bench.compare.process.MapLoad;
import org.orcagrid.bench.compare.process.ModelLoad;
import org.orcagrid.bench.compare.process.RedisLoad;
import org.orcagrid.bench.compare.process.SocketLoad;
import org.orcagrid.bench.compare.process.WorkerLoad;

/** What is compared: each has three load processes of its own. */
public enum Product {
  /** Orca Grid's keys in its workers' threads, without callers. */
  WORKER(WorkerLoad.class.getName(), "", ""),
  /** Orca Grid, by its client. */
  MAPS(MapLoad.class.getName(), "", ""),
  /** The same with the clients of the DDP paper. */
  MODELS(ModelLoad.class.getName(), "", ""),
  /** No product: the rounds of messages that a write needs, over bare sockets. */
  SOCKETS(SocketLoad.class.getName(), "", ""),
  /** Hazelcast, with the flags that it asks for on Java 17. */
  HAZELCAST("org.orcagrid.bench.rival.hazelcast.HazelcastLoad", "hazelcast", Flags.HAZELCAST),
  /** Hazelcast with a store of its user's behind its maps. */
  HAZELCAST_STORE(
      "org.orcagrid.bench.rival.hazelcast.HazelcastStoreLoad", "hazelcast", Flags.HAZELCAST),
  /** Infinispan. */
  INFINISPAN("org.orcagrid.bench.rival.infinispan.InfinispanLoad", "infinispan", ""),
  /** Infinispan with its file store. */
  INFINISPAN_STORE("org.orcagrid.bench.rival.infinispan.InfinispanStoreLoad", "infinispan", ""),
  /** Apache Ignite, with the flags that it asks for on Java 17. */
  IGNITE("org.orcagrid.bench.rival.ignite.IgniteLoad", "ignite", Flags.IGNITE),
  /** etcd: three servers, which are not Java. */
  ETCD("org.orcagrid.bench.rival.etcd.EtcdLoad", "etcd", ""),
  /** Redis: a master and two replicas, which are not Java. */
  REDIS(RedisLoad.class.getName(), "", "");

  private final String target;

  /** The end of the name of the module that it is in; empty for this one. */
  private final String module;

  /** With spaces between them. */
  private final String jvmFlags;

  Product(String target, String module, String jvmFlags) {
    this.target = target;
    this.module = module;
    this.jvmFlags = jvmFlags;
  }

  /** Its name in files. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The class that its load processes run. */
  String target() {
    return target;
  }

  /** Whether its library is not on our class path, but on that of a module of its own. */
  public boolean hasOwnModule() {
    return !module.isEmpty();
  }

  /** The end of the name of the module that its library is on the class path of. */
  String module() {
    return module;
  }

  /** What its JVMs get beside what all get. */
  List<String> jvmFlags() {
    return jvmFlags.isEmpty() ? List.of() : List.of(jvmFlags.split(" "));
  }

  private static final class Flags {
    private static final String IGNITE =
        "--add-opens=java.base/jdk.internal.access=ALL-UNNAMED"
            + " --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"
            + " --add-opens=java.base/sun.nio.ch=ALL-UNNAMED"
            + " --add-opens=java.base/sun.util.calendar=ALL-UNNAMED"
            + " --add-opens=java.management/com.sun.jmx.mbeanserver=ALL-UNNAMED"
            + " --add-opens=jdk.internal.jvmstat/sun.jvmstat.monitor=ALL-UNNAMED"
            + " --add-opens=java.base/sun.reflect.generics.reflectiveObjects=ALL-UNNAMED"
            + " --add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED"
            + " --add-opens=java.base/java.io=ALL-UNNAMED"
            + " --add-opens=java.base/java.nio=ALL-UNNAMED"
            + " --add-opens=java.base/java.net=ALL-UNNAMED"
            + " --add-opens=java.base/java.util=ALL-UNNAMED"
            + " --add-opens=java.base/java.util.concurrent=ALL-UNNAMED"
            + " --add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED"
            + " --add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED"
            + " --add-opens=java.base/java.lang=ALL-UNNAMED"
            + " --add-opens=java.base/java.lang.invoke=ALL-UNNAMED"
            + " --add-opens=java.base/java.math=ALL-UNNAMED"
            + " --add-opens=java.sql/java.sql=ALL-UNNAMED"
            + " --add-opens=java.base/java.time=ALL-UNNAMED"
            + " --add-opens=java.base/java.text=ALL-UNNAMED"
            + " --add-opens=java.management/sun.management=ALL-UNNAMED"
            + " --add-opens=java.desktop/java.awt.font=ALL-UNNAMED";
    private static final String HAZELCAST =
        "--add-modules=java.se"
            + " --add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"
            + " --add-opens=java.base/java.lang=ALL-UNNAMED"
            + " --add-opens=java.base/sun.nio.ch=ALL-UNNAMED"
            + " --add-opens=java.management/sun.management=ALL-UNNAMED"
            + " --add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED";
  }
}
