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
package org.orcagrid.server.tree;

import java.util.List;
import java.util.function.LongSupplier;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.txn.TxnHeader;
import org.orcagrid.cad.UndurableChanges;

/**
 * The tree, with a note of each change that is not durable yet.
 *
 * <p>Nothing is noted until {@link #noteChanges}: what is loaded from disk or taken over from a
 * leader is covered by the index that the notes start from.
 */
public final class OrcaDataTree extends DataTree {

  private final UndurableChanges changes = new UndurableChanges();

  /** Null while no changes are noted. */
  private volatile LongSupplier settled;

  /** Written and read by the one thread that applies transactions. */
  private long applying;

  /** Whose transaction that is; the same. */
  private long applyingFor;

  /** The changes that are not known to be durable. */
  public UndurableChanges changes() {
    return changes;
  }

  /**
   * Notes every change from now on.
   *
   * @param settledIndex the index up to which changes can be forgotten: durable, and applied by the
   *     leader
   */
  public void noteChanges(LongSupplier settledIndex) {
    changes.startFrom(lastProcessedZxid);
    settled = settledIndex;
  }

  /** Notes nothing any more. */
  public void forgetChanges() {
    settled = null;
    changes.startFrom(0);
  }

  @Override
  public ProcessTxnResult processTxn(TxnHeader header, Record txn, boolean isSubTxn) {
    applying = header.getZxid();
    applyingFor = header.getClientId();
    ProcessTxnResult result = super.processTxn(header, txn, isSubTxn);
    LongSupplier settledIndex = settled;
    if (settledIndex != null && !isSubTxn) {
      changes.onDurable(settledIndex.getAsLong());
    }
    return result;
  }

  @Override
  public void createNode(
      String path,
      byte[] data,
      List<ACL> acl,
      long ephemeralOwner,
      int parentCVersion,
      long zxid,
      long time,
      Stat outputStat)
      throws NoNodeException, NodeExistsException {
    // Noted before it can be seen: a watch fires inside the call.
    noteExistence(path, zxid);
    super.createNode(path, data, acl, ephemeralOwner, parentCVersion, zxid, time, outputStat);
  }

  @Override
  public void deleteNode(String path, long zxid) throws NoNodeException {
    noteExistence(path, zxid);
    super.deleteNode(path, zxid);
  }

  @Override
  public Stat setData(String path, byte[] data, int version, long zxid, long time)
      throws NoNodeException {
    noteNode(path, zxid);
    return super.setData(path, data, version, zxid, time);
  }

  @Override
  public Stat setACL(String path, List<ACL> acl, int version) throws NoNodeException {
    noteNode(path, applying);
    return super.setACL(path, acl, version);
  }

  private void noteExistence(String path, long zxid) {
    if (settled == null) {
      return;
    }
    changes.onNodeChanged(path, zxid, applyingFor);
    changes.onChildrenChanged(path, zxid, applyingFor);
    int slash = path.lastIndexOf('/');
    if (slash >= 0 && path.length() > 1) {
      changes.onChildrenChanged(slash == 0 ? "/" : path.substring(0, slash), zxid, applyingFor);
    }
  }

  private void noteNode(String path, long zxid) {
    if (settled != null) {
      changes.onNodeChanged(path, zxid, applyingFor);
    }
  }
}
