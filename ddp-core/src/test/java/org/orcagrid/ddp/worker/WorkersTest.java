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
package org.orcagrid.ddp.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.PacketHandler;
import org.orcagrid.ddp.transport.Transport;

/** Workers of a transport that has no endpoint for the last of them. */
class WorkersTest {
  private static final int WORKERS = 3;

  private final List<String> closed = new ArrayList<>();

  private final class Counted implements Endpoint {
    private final int worker;

    Counted(int worker) {
      this.worker = worker;
    }

    @Override
    public int packetBytesMax() {
      return 1000;
    }

    @Override
    public ByteBuffer claim(int peer) {
      return null;
    }

    @Override
    public void send(int peer, int length) {
      throw new IllegalStateException("nothing was claimed");
    }

    @Override
    public int poll(PacketHandler handler, int packetsMax) {
      return 0;
    }

    @Override
    public void await(long nanosMax) {
      // Nothing ever comes.
    }

    @Override
    public void wakeUp() {
      // Nobody waits.
    }

    @Override
    public void close() {
      closed.add("endpoint " + worker);
    }
  }

  private static Throwable failure(String kind) {
    return switch (kind) {
      case "IOException" -> new IOException(kind);
      case "RuntimeException" -> new IllegalStateException(kind);
      default -> new OutOfMemoryError(kind);
    };
  }

  @Test
  void aWorkerSpinsOnlyWhereThereAreProcessorsForOthers() {
    assertTrue(Worker.spins(8, 1) > Worker.spins(2, 1));
    assertEquals(Worker.spins(2, 1), Worker.spins(4, 3));
    assertEquals(Worker.spins(8, 1), Worker.spins(4, 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"IOException", "RuntimeException", "Error"})
  void whatWasOpenedIsClosedIfTheRestCannotBe(String kind) {
    Throwable failure = failure(kind);
    Transport transport =
        new Transport() {
          @Override
          public Endpoint open(int worker) throws IOException {
            if (worker < WORKERS - 1) {
              return new Counted(worker);
            }
            if (failure instanceof IOException e) {
              throw e;
            }
            if (failure instanceof RuntimeException e) {
              throw e;
            }
            throw (Error) failure;
          }

          @Override
          public void close() {
            closed.add("transport");
          }
        };
    Workers.Environment environment =
        new Workers.Environment(transport, System::nanoTime, Thread::new, reason -> {});
    assertSame(failure, assertThrows(Throwable.class, () -> Workers.open(2, WORKERS, environment)));
    assertEquals(List.of("endpoint 0", "endpoint 1", "transport"), closed);
  }
}
