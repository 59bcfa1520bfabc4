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
package org.orcagrid.transport.rdma;

import java.io.IOException;
import org.orcagrid.needs.Need;

/** What the tests of this module need and most machines do not have. */
final class RdmaNeeds {
  private RdmaNeeds() {}

  /** The native library: whether it loads is for the tests to say. */
  static final class Library implements Need {
    @Override
    public String what() {
      return "the native library of transport-rdma"
          + " (apt-get install gcc libc6-dev libibverbs-dev librdmacm-dev)";
    }

    @Override
    public String missing() {
      return Library.class.getResource("/native") == null ? "the build has not made it" : null;
    }
  }

  /** Any device with verbs. */
  static final class Device implements Need {
    @Override
    public String what() {
      return "an RDMA device (build/lab.sh has one)";
    }

    @Override
    public String missing() {
      return RdmaTransport.problem(RdmaSettings.DEFAULT);
    }
  }

  /** A device without datagrams. */
  static final class Iwarp implements Need {
    @Override
    public String what() {
      return "an iWARP device (build/lab.sh iwarp has one)";
    }

    @Override
    public String missing() throws IOException {
      try (RdmaDevice device = RdmaDevice.open(RdmaSettings.DEFAULT)) {
        return device.info().isIwarp() ? null : device + " is none";
      }
    }
  }

  /** Two devices with a wire between them. */
  static final class Wire implements Need {
    @Override
    public String what() {
      return "two RDMA devices on a wire that can be cut (build/lab.sh long has them)";
    }

    @Override
    public String missing() {
      return unsaid("orca.lab.devices");
    }
  }

  /** An address of the device's. */
  static final class Address implements Need {
    @Override
    public String what() {
      return "the address of an RDMA device (build/lab.sh has one)";
    }

    @Override
    public String missing() {
      return unsaid("orca.lab.address");
    }
  }

  /** Persistent memory that is no file. */
  static final class WorkerZones implements Need {
    @Override
    public String what() {
      return "a device of persistent memory (build/lab.sh dax has one)";
    }

    @Override
    public String missing() {
      return unsaid("orca.lab.zone");
    }
  }

  private static String unsaid(String property) {
    return System.getProperty(property) == null ? "-D" + property + " names none" : null;
  }
}
