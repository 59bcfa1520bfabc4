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
import org.orcagrid.bench.compare.process.OrcaLoad;
import org.orcagrid.bench.compare.process.RedisLoad;

/** What is compared: each has three load processes of its own. */
public enum Product {
  /** Orca Grid. */
  ORCA(OrcaLoad.class.getName(), false, ""),
  /** Hazelcast, with the flags that it asks for on Java 17. */
  HAZELCAST(
      "org.orcagrid.bench.rival.hazelcast.HazelcastLoad",
      true,
      "--add-modules=java.se"
          + " --add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"
          + " --add-opens=java.base/java.lang=ALL-UNNAMED"
          + " --add-opens=java.base/sun.nio.ch=ALL-UNNAMED"
          + " --add-opens=java.management/sun.management=ALL-UNNAMED"
          + " --add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED"),
  /** Infinispan. */
  INFINISPAN("org.orcagrid.bench.rival.infinispan.InfinispanLoad", true, ""),
  /** Redis: a master and two replicas, which are not Java. */
  REDIS(RedisLoad.class.getName(), false, "");

  private final String target;
  private final boolean ownModule;

  /** With spaces between them. */
  private final String jvmFlags;

  Product(String target, boolean ownModule, String jvmFlags) {
    this.target = target;
    this.ownModule = ownModule;
    this.jvmFlags = jvmFlags;
  }

  /** Its name in files. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The class that its load processes run. */
  String target() {
    return target;
  }

  /** Whether its library is not on our class path, but on that of a module of its own. */
  public boolean hasOwnModule() {
    return ownModule;
  }

  /** What its JVMs get beside what all get. */
  List<String> jvmFlags() {
    return jvmFlags.isEmpty() ? List.of() : List.of(jvmFlags.split(" "));
  }
}
