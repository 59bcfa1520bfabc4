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

import com.ibm.disni.verbs.RdmaVerbs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Loads the native library out of the jar, once, and tells what is in the way if it cannot. */
public final class NativeLibrary {
  private static final String FILE = "liborcardma.so";
  private static final String[] OPENED = {"sun.nio.ch", "java.nio"};

  private NativeLibrary() {}

  /** The first look loads it; nothing changes after that. */
  private static final class Loaded {
    private static final String PROBLEM = load();

    private static String load() {
      String flags = missingFlags();
      if (flags != null) {
        return flags;
      }
      if (!System.getProperty("os.name").equals("Linux")) {
        return "RDMA needs Linux, and this is " + System.getProperty("os.name");
      }
      try {
        return loadFromJar();
      } catch (IOException e) {
        return "The native library of transport-rdma cannot be loaded: " + e.getMessage();
      }
    }
  }

  private static String missingFlags() {
    Module base = ByteBuffer.class.getModule();
    Module own = RdmaVerbs.class.getModule();
    for (String each : OPENED) {
      if (!base.isOpen(each, own)) {
        return "RDMA needs these flags of the JVM, for DiSNI:"
            + " --add-opens=java.base/sun.nio.ch=ALL-UNNAMED"
            + " --add-opens=java.base/java.nio=ALL-UNNAMED";
      }
    }
    return null;
  }

  private static String architecture() {
    String name = System.getProperty("os.arch");
    return name.equals("amd64") ? "x86_64" : name;
  }

  private static String loadFromJar() throws IOException {
    String resource = "/native/linux-" + architecture() + "/" + FILE;
    Path folder = Files.createTempDirectory("orca-rdma");
    Path file = folder.resolve(FILE);
    try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
      if (in == null) {
        return "transport-rdma was built without "
            + resource
            + ": build it where there are a C compiler, libibverbs-dev and librdmacm-dev";
      }
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      System.load(file.toString());
    } catch (UnsatisfiedLinkError e) {
      return "The native library of transport-rdma does not load; are libibverbs1 and librdmacm1"
          + " installed, and may programs run in "
          + folder.getParent()
          + "? ("
          + e.getMessage()
          + ")";
    } finally {
      // A library that is loaded stays, its file need not.
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
    return checkVersions();
  }

  private static String checkVersions() throws IOException {
    if (Verbs.abi() != Verbs.ABI) {
      return "The native library of transport-rdma is of version "
          + Verbs.abi()
          + " and its classes want "
          + Verbs.ABI
          + ": the jar is a mixture of two builds";
    }
    // Throws if DiSNI and the library do not agree on DiSNI's version.
    RdmaVerbs.open();
    return null;
  }

  /** Why there are no verbs in this process, in one sentence; null if there are. */
  public static String problem() {
    return Loaded.PROBLEM;
  }

  /**
   * Loads the library if it is not loaded yet.
   *
   * @throws IOException if it cannot be, saying what to do
   */
  public static void require() throws IOException {
    if (problem() != null) {
      throw new IOException(problem());
    }
  }
}
