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
package org.orcagrid.ddp.durable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;

/**
 * A kind of durable medium, with its sizes: what opens one for each worker, in a folder of its own.
 * Safe for use by many threads.
 */
public interface MediumKind {

  /** Its name, by which a folder says of which kind it is; never another one for the same kind. */
  String name();

  /**
   * Opens a medium that nobody else has open.
   *
   * @param folder of its own; made if there is none
   * @param threads makes the threads that the medium needs
   * @throws IOException if it cannot be opened; the message says what to do
   */
  DurableMedium open(Path folder, ThreadFactory threads) throws IOException;

  /** Opens media. */
  @FunctionalInterface
  interface Opener {
    /** As {@link MediumKind#open} says. */
    DurableMedium open(Path folder, ThreadFactory threads) throws IOException;
  }

  /** A kind that opens its media so. */
  static MediumKind of(String name, Opener opener) {
    return new MediumKind() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public DurableMedium open(Path folder, ThreadFactory threads) throws IOException {
        return opener.open(folder, threads);
      }

      @Override
      public String toString() {
        return name;
      }
    };
  }
}
