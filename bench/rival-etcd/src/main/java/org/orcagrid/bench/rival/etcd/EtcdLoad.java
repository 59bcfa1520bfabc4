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
import io.etcd.jetcd.kv.PutResponse;
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
    String server = "http://" + LoadSettings.HOST + ":" + settings.ports().get(settings.self());
    this.client = Client.builder().endpoints(server).build();
    this.version = client.getMaintenanceClient().statusMember(server).join().getVersion();
  }

  @Override
  public String product() {
    return "etcd " + version;
  }

  @Override
  protected Accesses open(String variant) {
    KV store = client.getKVClient();
    return new Accesses(
        key -> read(store, key),
        (key, value) -> write(store, key, value),
        key -> read(store, key).join(),
        (key, value) -> write(store, key, value).join());
  }

  private static CompletableFuture<ByteSequence> read(KV store, long key) {
    return store
        .get(bytes(key))
        .thenApply(found -> found.getCount() == 0 ? null : found.getKvs().get(0).getValue());
  }

  private static CompletableFuture<PutResponse> write(KV store, long key, byte[] value) {
    return store.put(bytes(key), ByteSequence.from(value));
  }

  private static ByteSequence bytes(long key) {
    return ByteSequence.from(ByteBuffer.allocate(Long.BYTES).putLong(0, key).array());
  }

  @Override
  public void close() {
    client.close();
  }
}
