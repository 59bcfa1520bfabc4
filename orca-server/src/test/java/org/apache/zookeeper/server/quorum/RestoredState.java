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
package org.apache.zookeeper.server.quorum;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.ZKDatabase;

/** All that a member of an ensemble knows when it has read its disk, as text. */
final class RestoredState {

  private static final int TICK_MILLIS = 500;

  private RestoredState() {}

  /** As a stock server reads it. */
  static Map<String, String> byStock(Path dir) throws IOException {
    File files = dir.toFile();
    QuorumPeer peer = new QuorumPeer(Map.of(), files, files, 3, 1, TICK_MILLIS, 20, 10, 10, null);
    return load(peer, peer.getZkDb());
  }

  /** As our server reads it. */
  static Map<String, String> byOurs(Path dir) throws IOException {
    File files = dir.toFile();
    OrcaQuorumPeer peer =
        new OrcaQuorumPeer(Map.of(), files, files, 3, 1, TICK_MILLIS, 20, 10, 10, null);
    try {
      peer.checkFiles();
      Map<String, String> state = load(peer, peer.getZkDb());
      state.put("promise", Boolean.toString(peer.promisedMillis() > 0));
      return state;
    } finally {
      peer.log().close();
    }
  }

  private static Map<String, String> load(QuorumPeer peer, ZKDatabase database) throws IOException {
    try {
      Method load = QuorumPeer.class.getDeclaredMethod("loadDataBase");
      load.setAccessible(true);
      load.invoke(peer);
      return describe(peer, database);
    } catch (InvocationTargetException e) {
      throw new IOException(e.getCause());
    } catch (ReflectiveOperationException | KeeperException e) {
      throw new IllegalStateException(e);
    } finally {
      database.getDataTree().shutdownWatcher();
    }
  }

  private static Map<String, String> describe(QuorumPeer peer, ZKDatabase database)
      throws IOException, KeeperException {
    DataTree tree = database.getDataTree();
    // A server that begins to serve ends the sessions that it does not know, and their nodes.
    for (long session : new ArrayList<>(database.getSessions())) {
      if (!database.getSessionWithTimeOuts().containsKey(session)) {
        database.killSession(session, tree.lastProcessedZxid);
      }
    }
    Map<String, String> state = new TreeMap<>();
    state.put("currentEpoch", Long.toString(peer.getCurrentEpoch()));
    state.put("acceptedEpoch", Long.toString(peer.getAcceptedEpoch()));
    state.put("zxid", Long.toHexString(tree.lastProcessedZxid));
    state.put("sessions", new TreeMap<>(database.getSessionWithTimeOuts()).toString());
    for (long session : database.getSessions()) {
      state.put("owned by " + session, new TreeSet<>(tree.getEphemerals(session)).toString());
    }
    describe(tree, "/", state);
    return state;
  }

  private static void describe(DataTree tree, String path, Map<String, String> state)
      throws KeeperException {
    Stat stat = new Stat();
    byte[] data = tree.getData(path, stat, null);
    List<String> children = tree.getChildren(path, new Stat(), null);
    state.put(
        "node " + path,
        (data == null ? "nothing" : HexFormat.of().formatHex(data))
            + tree.getACL(path, new Stat())
            + stat.toString());
    for (String child : children) {
      if (child.equals("config") && path.equals("/zookeeper")) {
        // Each leader writes it anew, and logs nothing.
        continue;
      }
      describe(tree, path.equals("/") ? path + child : path + '/' + child, state);
    }
  }
}
