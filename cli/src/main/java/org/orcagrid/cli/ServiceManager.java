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
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd that this process is ready, where a unit with {@code Type=notify} and {@code
 * NotifyAccess=all} has started it. The JDK has no datagram sockets of the Unix domain, so that
 * systemd's own program {@code systemd-notify} sends the message.
 */
final class ServiceManager {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceManager.class);

  private static final int LIMIT_SECONDS = 5;

  private ServiceManager() {}

  /** Sends {@code READY=1}; does nothing where no service manager waits for it. */
  static void ready() throws InterruptedException {
    if (System.getenv("NOTIFY_SOCKET") == null) {
      return;
    }
    try {
      Process process =
          new ProcessBuilder("systemd-notify", "--ready", "--pid=" + ProcessHandle.current().pid())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        LOG.warn(
            "systemd-notify did not end, limitSeconds={}; the unit may time out", LIMIT_SECONDS);
      } else if (process.exitValue() != 0) {
        LOG.warn(
            "systemd-notify failed, exitStatus={}; set NotifyAccess=all in the unit",
            process.exitValue());
      }
    } catch (IOException e) {
      LOG.warn("Cannot run systemd-notify; install systemd, or set Type=exec in the unit", e);
    }
  }
}
