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
package org.orcagrid.cli;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Tries a server's ports before it starts: ZooKeeper itself notices a taken election port late and
 * in another thread, and names neither the setting nor the owner.
 */
final class PortCheck {
  private static final String TAKEN = "already in use";

  private PortCheck() {}

  static void requireFree(ZooCfg cfg) throws CommandFailure {
    List<CommandFailure> failures = failures(cfg);
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
  }

  /** Returns why the server could not listen, for each port at which it cannot. */
  static List<CommandFailure> failures(ZooCfg cfg) {
    List<CommandFailure> failures = new ArrayList<>();
    if (cfg.client().isPresent()) {
      look(failures, () -> requireFree(cfg, "clientPort", cfg.client().get()));
    }
    if (cfg.secureClient().isPresent()) {
      look(failures, () -> requireFree(cfg, "secureClientPort", cfg.secureClient().get()));
    }
    if (cfg.self().isPresent()) {
      for (InetSocketAddress peer : cfg.self().get().peers()) {
        look(failures, () -> requireNotTaken(cfg, peer));
      }
    }
    if (cfg.admin().isPresent()) {
      look(failures, () -> requireAdminFree(cfg, cfg.admin().get()));
    }
    return failures;
  }

  /** One look at one port. */
  private interface Look {
    void at() throws CommandFailure;
  }

  private static void look(List<CommandFailure> failures, Look look) {
    try {
      look.at();
    } catch (CommandFailure e) {
      failures.add(e);
    }
  }

  /** AdminServer is on unless it is switched off, and its default port is many a program's. */
  private static void requireAdminFree(ZooCfg cfg, InetSocketAddress admin) throws CommandFailure {
    try {
      tryListen(cfg, "admin.serverPort", admin);
    } catch (CommandFailure e) {
      if (!(e.getCause() instanceof BindException)) {
        throw e;
      }
      throw new CommandFailure(
          "Port "
              + admin.getPort()
              + " (admin.serverPort, of AdminServer) is taken by "
              + PortOwner.describe(admin.getPort())
              + "; stop that process, or write another admin.serverPort or"
              + " admin.enableServer=false into "
              + cfg.file()
              + ".",
          e);
    } catch (BindException e) {
      throw new CommandFailure(
          "AdminServer cannot listen on "
              + Addresses.text(admin)
              + " (admin.serverAddress, admin.serverPort): "
              + e.getMessage()
              + "; use an address of this machine, or admin.enableServer=false, in "
              + cfg.file()
              + ".",
          e);
    }
  }

  /** Returns the sentence for a port that was taken. */
  static CommandFailure taken(ZooCfg cfg, String key, int port, Exception cause) {
    return new CommandFailure(
        "Port "
            + port
            + " ("
            + key
            + ") is taken by "
            + PortOwner.describe(port)
            + "; stop that process or change the port in "
            + cfg.file()
            + ".",
        cause);
  }

  static boolean isTaken(BindException e) {
    return e.getMessage() != null && e.getMessage().contains(TAKEN);
  }

  static void requireFree(ZooCfg cfg, String key, InetSocketAddress address) throws CommandFailure {
    try {
      tryListen(cfg, key, address);
    } catch (BindException e) {
      throw new CommandFailure(
          "Cannot listen on "
              + Addresses.text(address)
              + " ("
              + key
              + "): "
              + e.getMessage()
              + "; use an address of this machine and a port that its user may open in "
              + cfg.file()
              + ".",
          e);
    }
  }

  private static void requireNotTaken(ZooCfg cfg, InetSocketAddress peer) throws CommandFailure {
    try {
      tryListen(cfg, "this server's server.N line", peer);
    } catch (BindException e) {
      // Behind address translation, with quorumListenOnAllIPs, the address need not be local.
      return;
    }
  }

  private static void tryListen(ZooCfg cfg, String key, InetSocketAddress address)
      throws CommandFailure, BindException {
    if (address.isUnresolved()) {
      // A name that is not known yet may be normal in a container; the server retries and reports.
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address);
    } catch (BindException e) {
      if (isTaken(e)) {
        throw taken(cfg, key, address.getPort(), e);
      }
      throw e;
    } catch (IOException e) {
      throw new CommandFailure(
          "Cannot try the port "
              + address.getPort()
              + " ("
              + e.getMessage()
              + "); raise the limit of open files if it is reached.",
          e);
    }
  }
}
