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
package org.orcagrid.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** A client of one server that knows what the right answer to each of its operations is. */
final class SoundClient extends Thread {
  private final ZooKeeper client;
  private final String path;
  private volatile boolean stopped;
  private volatile Throwable wrong;
  private final AtomicLong operations = new AtomicLong();

  /** A client that has the nodes {@code path} and below it for itself. */
  SoundClient(ZooKeeper client, String path) {
    super("SoundClient-" + path);
    this.client = client;
    this.path = path;
  }

  @Override
  public void run() {
    try {
      for (long round = 0; !stopped; round++) {
        round(round);
      }
    } catch (KeeperException | InterruptedException | AssertionError e) {
      wrong = e;
    }
  }

  private void round(long round) throws KeeperException, InterruptedException {
    byte[] first = Long.toString(round).getBytes(UTF_8);
    byte[] second = ("again " + round).getBytes(UTF_8);
    client.create(path, first, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    Stat stat = new Stat();
    check(Arrays.equals(first, client.getData(path, false, stat)) && stat.getVersion() == 0);
    check(client.setData(path, second, 0).getVersion() == 1);
    check(Arrays.equals(second, client.getData(path, false, stat)) && stat.getVersion() == 1);
    client.multi(
        List.of(
            Op.check(path, 1),
            Op.create(path + "/child", first, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL)));
    check(client.getChildren(path, false).equals(List.of("child")));
    refused(KeeperException.NodeExistsException.class, "/child", CreateMode.PERSISTENT);
    client.delete(path + "/child", 0);
    client.delete(path, 1);
    check(client.exists(path, false) == null);
    refused(NoNodeException.class, "/child", CreateMode.PERSISTENT);
    operations.addAndGet(11);
  }

  private void refused(Class<? extends KeeperException> with, String name, CreateMode mode)
      throws KeeperException, InterruptedException {
    try {
      client.create(path + name, new byte[0], Ids.OPEN_ACL_UNSAFE, mode);
    } catch (KeeperException e) {
      if (with.isInstance(e)) {
        return;
      }
      throw e;
    }
    throw new AssertionError("created " + path + name);
  }

  private void check(boolean right) {
    if (!right) {
      throw new AssertionError("a wrong answer about " + path);
    }
  }

  /** How many of its operations had the right answer. */
  long operations() {
    return operations.get();
  }

  /** Returns once it has ended its round; fails if an answer was wrong. */
  void end() throws InterruptedException {
    stopped = true;
    join();
    client.close();
    if (wrong != null) {
      throw new AssertionError(getName() + " after " + operations + " operations", wrong);
    }
  }
}
