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
package org.orcagrid.bench.rival.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.orcagrid.bench.compare.process.Accesses;
import org.orcagrid.bench.compare.process.ClientLoad;
import org.orcagrid.bench.compare.process.LoadSettings;

/** Clients of etcd: of the server that is nearest to their process. It has one variant. */
public final class EtcdLoad extends ClientLoad {
  private final Client client;
  private final String version;

  /** Connects. */
  public EtcdLoad(LoadSettings settings) {
    super(settings);
    String server =
        "http://" + LoadSettings.HOST + ":" + settings.ports().get(settings.self());
    this.client = Client.builder().endpoints(server).build();
    this.version = client.getMaintenanceClient().statusMember(server).join().getVersion();
  }

  @Override
  public String product() {
    return "etcd " + version;
  }

  @Override
  protected Accesses open(String variant) {
    return new EtcdAccesses(client.getKVClient());
  }

  private record EtcdAccesses(KV store) implements Accesses {
    private static ByteSequence bytes(long key) {
      return ByteSequence.from(ByteBuffer.allocate(Long.BYTES).putLong(0, key).array());
    }

    @Override
    public CompletableFuture<?> read(long key) {
      return store
          .get(bytes(key))
          .thenApply(found -> found.getCount() == 0 ? null : found.getKvs().get(0).getValue());
    }

    @Override
    public CompletableFuture<?> write(long key, byte[] value) {
      return store.put(bytes(key), ByteSequence.from(value));
    }

    @Override
    public Object get(long key) {
      return read(key).join();
    }

    @Override
    public void set(long key, byte[] value) {
      write(key, value).join();
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
