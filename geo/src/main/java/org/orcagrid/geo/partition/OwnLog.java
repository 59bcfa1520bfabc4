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
package org.orcagrid.geo.partition;

import java.util.Set;
import java.util.function.Supplier;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.forward.Source;
import org.orcagrid.geo.replica.Command;
import org.orcagrid.geo.replica.CommandCodec;
import org.orcagrid.geo.replica.LocalWrite;
import org.orcagrid.geo.replica.RemoteWrite;
import org.orcagrid.geo.replica.Replica;
import org.orcagrid.geo.replica.StoredVersion;

/** What a partition's forwarder tells others of. */
final class OwnLog implements Source {
  private final PartitionLog log;
  private final Replica replica;
  private final Set<GeoRule> rules;

  OwnLog(PartitionLog log, Replica replica, Set<GeoRule> rules) {
    this.log = log;
    this.replica = replica;
    this.rules = rules;
  }

  @Override
  public long applied() {
    return replica.applied();
  }

  @Override
  public long first() {
    return log.first();
  }

  @Override
  public long compactedWrite() {
    return replica.compactedWrite();
  }

  @Override
  public boolean isWrite(long index) {
    byte[] command = log.command(index);
    boolean isWrite = command != null && CommandCodec.isLocal(command);
    return isWrite && (rules.contains(GeoRule.ALL_ARE_FORWARDED) || wins(index, command));
  }

  /** What a careless forwarder looks at. */
  private boolean wins(long index, byte[] command) {
    LocalWrite write = ((Command.Local) CommandCodec.decode(command)).write();
    return replica.get(write.key()).version().position() == position(index);
  }

  @Override
  public RemoteWrite write(long index, long previous) {
    LocalWrite write = ((Command.Local) CommandCodec.decode(log.command(index))).write();
    byte[] key = replica.hadEffect(index) ? write.key() : null;
    return new RemoteWrite(previous, position(index), write.time(), key, write.value());
  }

  @Override
  public int bytes(long index) {
    return log.command(index).length;
  }

  @Override
  public long position(long index) {
    return replica.position(index);
  }

  @Override
  public PositionVector stable() {
    return replica.stable();
  }

  @Override
  public int fenced() {
    return replica.fenced();
  }

  @Override
  public Supplier<StoredVersion> versions() {
    return replica.state();
  }
}
