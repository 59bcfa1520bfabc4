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
package org.orcagrid.ddp.contract;

import java.io.IOException;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.node.Node;
import org.orcagrid.ddp.node.NodeSession;

/** A client of a node; closed before that is. */
public interface ContractClient extends AutoCloseable {
  /** How clients get to a node. */
  @FunctionalInterface
  interface Ways {
    /** A client of a node that serves. */
    ContractClient to(Node node) throws IOException, InterruptedException;
  }

  /** The node's maps. */
  Maps maps();

  /** A session of the node's keys. */
  NodeSession openSession();

  @Override
  void close();

  /** A client in the process of its node. */
  static ContractClient beside(Node node) {
    return new ContractClient() {
      @Override
      public Maps maps() {
        return node.maps();
      }

      @Override
      public NodeSession openSession() {
        return node.openSession();
      }

      @Override
      public void close() {
        // Its node is closed by others.
      }
    };
  }
}
