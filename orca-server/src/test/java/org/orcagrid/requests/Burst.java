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
package org.orcagrid.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.OpCode;

/** Requests that are sent at once, and what is expected back. */
final class Burst {
  private static final AtomicInteger lastName = new AtomicInteger();

  private Burst() {}

  /** The path of a node that is not there yet. */
  static String newName() {
    return "/n" + lastName.incrementAndGet();
  }

  /** The port of an address. */
  static int port(String address) {
    return Integer.parseInt(address.substring(address.indexOf(':') + 1));
  }

  /** The errors of as many answers, which come in order. */
  static List<Integer> answers(RawClient client, int count) throws IOException {
    List<Integer> errors = new ArrayList<>();
    for (int xid = 1; xid <= count; xid++) {
      RawClient.Answer answer = client.answer();
      assertEquals(xid, answer.xid());
      errors.add(answer.error());
    }
    return errors;
  }

  /** Sends so many pairs of a sound request and one of the malformed ones. */
  static void expectRefusals(int port, int pairs, int type, List<byte[]> malformed)
      throws IOException {
    try (RawClient client = new RawClient(port)) {
      List<Integer> expected = new ArrayList<>();
      for (int i = 0; i < pairs; i++) {
        client.send(OpCode.create, Bodies.create(newName(), 0));
        expected.add(Code.OK.intValue());
        client.send(type, malformed.get(i % malformed.size()));
        expected.add(Code.MARSHALLINGERROR.intValue());
      }
      client.flush();
      assertEquals(expected, answers(client, expected.size()));
    }
  }
}
