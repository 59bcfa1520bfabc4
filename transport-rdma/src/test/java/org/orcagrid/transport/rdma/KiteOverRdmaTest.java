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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.LocalSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.needs.Needs;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TransportWish;
import org.orcagrid.transport.tcp.member.GridMember;
import org.orcagrid.transport.tcp.member.MemberSettings;

/**
 * Kite's protocols over RDMA: three members of a grid. Needs a device: {@code build/lab.sh} has
 * one.
 */
@Needs(RdmaNeeds.Device.class)
@Timeout(120)
class KiteOverRdmaTest {
  private static final long WAIT = TimeUnit.SECONDS.toNanos(60);

  private final List<GridMember> members = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void start() throws IOException {
    // The settings find this module by themselves.
    TransportWish auto = TransportWish.parse("auto");
    assertTrue(
        auto.open(LinkListener.NONE) instanceof RdmaTransports, "RDMA, since there is a device");
    List<HostPort> addresses = RdmaTransportTest.freeAddresses(3);
    for (int node = 0; node < 3; node++) {
      members.add(
          GridMember.start(
              new MemberSettings(
                      "kite", node, addresses, 1, 4, 1000, 1024, 16 << 20, PortSecurity.NONE)
                  .withTransport(auto),
              LinkListener.NONE,
              failures::add));
    }
  }

  @AfterEach
  void stop() {
    members.forEach(GridMember::close);
    assertTrue(failures.isEmpty(), failures::toString);
  }

  private static Request request(LocalSession session, OperationKind kind, String key) {
    Request request = session.next();
    assertNotNull(request, "there is room");
    request.kind(kind);
    request.key().set(key.getBytes(StandardCharsets.UTF_8));
    return request;
  }

  private static void run(LocalSession session, Request request) {
    session.submit(request);
    assertTrue(session.await(request, WAIT), "in time");
    assertEquals(Outcome.DONE, request.outcome());
  }

  @Test
  void whatIsReleasedAtOneNodeIsAcquiredAtTheOthers() {
    List<LocalSession> sessions = members.stream().map(GridMember::openSession).toList();
    for (int round = 1; round <= 30; round++) {
      LocalSession writer = sessions.get(round % 3);
      Request release = request(writer, OperationKind.RELEASE, "flag");
      release.value().set(new byte[round * 30]);
      run(writer, release);
      for (LocalSession reader : sessions) {
        Request acquire = request(reader, OperationKind.ACQUIRE, "flag");
        run(reader, acquire);
        assertEquals(round * 30, acquire.result().length());
      }
    }
    sessions.forEach(LocalSession::close);
  }
}
