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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Looks at what RDMA needs on this machine, and says what is missing and how to mend it. */
public final class RdmaDoctor {
  private static final Path MAPS = Path.of("/proc/self/maps");
  private static final Path MEMORY = Path.of("/proc/meminfo");
  private static final int LARGE_MTU_BYTES = 4096;

  /** What a worker with two peers locks, with the defaults and packets of 16 KB, and some more. */
  private static final long LOCKED_BYTES_MIN = 2L << 20;

  /** With less, some workers and peers more are too many. */
  private static final long LOCKED_BYTES_FEW = 64L << 20;

  private final List<Finding> findings = new ArrayList<>();

  private RdmaDoctor() {}

  /** How bad it is. */
  public enum Grade {
    /** As it should be. */
    GOOD,
    /** It works, and could be better. */
    FAIR,
    /** It does not work. */
    BAD
  }

  /**
   * Something that was looked at.
   *
   * @param what was found, in one sentence
   * @param remedy what to do about it; empty if there is nothing to do
   */
  public record Finding(Grade grade, String what, String remedy) {}

  /** Looks at everything that the settings need; in the order in which to mend it. */
  public static List<Finding> examine(RdmaSettings settings) {
    RdmaDoctor doctor = new RdmaDoctor();
    try {
      doctor.libraries();
      doctor.devices(settings);
      doctor.memory();
    } catch (IOException e) {
      doctor.bad("The machine cannot be looked at: " + e.getMessage(), "");
    }
    return List.copyOf(doctor.findings);
  }

  private void good(String what) {
    findings.add(new Finding(Grade.GOOD, what, ""));
  }

  private void fair(String what, String remedy) {
    findings.add(new Finding(Grade.FAIR, what, remedy));
  }

  private void bad(String what, String remedy) {
    findings.add(new Finding(Grade.BAD, what, remedy));
  }

  private void libraries() throws IOException {
    String problem = NativeLibrary.problem();
    if (problem != null) {
      bad(problem, "see docs/rdma.md, \"What a host needs\"");
      return;
    }
    TreeSet<String> loaded = new TreeSet<>();
    for (String line : Files.readAllLines(MAPS)) {
      String file = line.substring(line.lastIndexOf('/') + 1);
      if (file.startsWith("libibverbs.so") || file.startsWith("librdmacm.so")) {
        loaded.add(file);
      }
    }
    good("The native library is loaded, with " + String.join(" and ", loaded));
  }

  private void devices(RdmaSettings settings) throws IOException {
    if (NativeLibrary.problem() != null) {
      return;
    }
    String[] names = Verbs.devices();
    if (names.length == 0) {
      bad(
          "There is no RDMA device",
          "install the card's driver and rdma-core; to try things out: modprobe rdma_rxe &&"
              + " rdma link add rxe0 type rxe netdev eth0");
      return;
    }
    for (String each : names) {
      device(each, settings.port());
    }
    try (RdmaDevice chosen = RdmaDevice.open(settings)) {
      good("Taken would be " + chosen);
    } catch (IOException e) {
      bad("None can be taken: " + e.getMessage(), "");
    }
  }

  private void device(String name, int port) throws IOException {
    long device;
    try {
      device = Verbs.openDevice(name);
    } catch (IOException e) {
      bad(name + " cannot be opened: " + e.getMessage(), "ls -l /dev/infiniband: who may use it?");
      return;
    }
    try {
      PortInfo info = PortInfo.of(device, port);
      String of = name + ", port " + port;
      if (!info.isActive()) {
        fair(of + " has no active link", "plug it in, or: ip link set ... up");
        return;
      }
      int best = Gid.best(device, port, info);
      if (best < 0) {
        fair(of + " has no address", "give its network interface an IP address");
        return;
      }
      if (info.isIwarp()) {
        good(
            of + " is active; it is iWARP, which has no datagrams, but a connection for each peer");
        return;
      }
      String text = of + " is active; address " + best + " is " + Gid.of(device, port, best);
      if (info.mtuBytes() < LARGE_MTU_BYTES) {
        fair(
            text + "; datagrams of " + info.mtuBytes() + " bytes",
            "with an MTU of 4200 or more they have 4096, and fewer packets are cut up");
      } else {
        good(text + "; datagrams of " + info.mtuBytes() + " bytes");
      }
    } catch (IOException e) {
      fair(name + ": " + e.getMessage(), "");
    } finally {
      Verbs.closeDevice(device);
    }
  }

  private void memory() throws IOException {
    if (NativeLibrary.problem() == null) {
      long limit = Verbs.memoryLockLimit();
      if (limit < 0) {
        good("A process may lock any amount of memory");
      } else if (limit < LOCKED_BYTES_FEW) {
        String remedy =
            "ulimit -l unlimited, or memlock in /etc/security/limits.conf, or LimitMEMLOCK of the"
                + " service";
        String found = "A process may lock " + limit + " bytes of memory";
        if (limit < LOCKED_BYTES_MIN) {
          bad(found, remedy);
        } else {
          fair(found + ", which is enough for few workers and peers", remedy);
        }
      } else {
        good("A process may lock " + limit + " bytes of memory");
      }
    }
    for (String line : Files.readAllLines(MEMORY)) {
      if (line.startsWith("HugePages_Total:")) {
        String count = line.substring(line.indexOf(':') + 1).trim();
        good("There are " + count + " huge pages; none are used, nor needed, by this version");
      }
    }
  }
}
