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
package org.orcagrid.geo.node;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.partition.ReadAnswer;
import org.orcagrid.geo.partition.ReadRequest;
import org.orcagrid.geo.partition.WriteAnswer;
import org.orcagrid.geo.partition.WriteRequest;
import org.orcagrid.geo.protocol.ClientAnswer;
import org.orcagrid.geo.protocol.ClientRequest;
import org.orcagrid.geo.protocol.Messages;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;
import org.orcagrid.transport.tcp.ConnectionOwner;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;

/**
 * Takes the connections of a node's clients from its port, each to a worker, whose thread reads
 * requests and writes answers: a request for one of its own partitions changes no thread.
 */
final class ClientGate implements AutoCloseable {
  private static final int CLIENTS_MAX = 1_024;
  private static final long WAIT_MICROS_MAX = 60_000_000;

  /** Requests of a client under way; more are refused. */
  private static final int UNDER_WAY_MAX = 4_096;

  private final GeoPlan plan;
  private final NodePort port;
  private final GeoPart part;
  private final GeoStatus status;
  private final LongSupplier wall;
  private final LinkListener listener;
  private final List<Owner> owners;
  private final AtomicInteger connections = new AtomicInteger();
  private final LongAdder refused = new LongAdder();

  /** How many connections have come; of the port's thread. */
  private long admitted;

  /** Who answers requests, and the time of day that clients are told. */
  record Answering(GeoPart part, GeoStatus status, LongSupplier wall) {}

  /**
   * A gate.
   *
   * @param loops of the workers
   */
  ClientGate(
      GeoPlan plan,
      NodePort port,
      Answering answering,
      List<EventLoop> loops,
      LinkListener listener) {
    this.plan = plan;
    this.port = port;
    this.part = answering.part();
    this.status = answering.status();
    this.wall = answering.wall();
    this.listener = listener;
    this.owners = loops.stream().map(Owner::new).toList();
  }

  void admit() {
    port.admitClients(plan.name(), owners.get(0));
  }

  int connections() {
    return connections.get();
  }

  GeoStatus.Clients clients() {
    return new GeoStatus.Clients(connections.get(), refused.sum());
  }

  /** Has connections run by a worker. */
  private final class Owner implements ConnectionOwner {
    private final EventLoop loop;

    Owner(EventLoop loop) {
      this.loop = loop;
    }

    /** They take turns. */
    @Override
    public ConnectionOwner next() {
      return owners.get((int) (admitted++ % owners.size()));
    }

    @Override
    public EventLoop loop() {
      return loop;
    }

    @Override
    public String objection() {
      return connections.get() < CLIENTS_MAX
          ? null
          : "there are " + CLIENTS_MAX + " clients already";
    }

    @Override
    public void own(ChannelHandlerContext context) {
      connections.incrementAndGet();
      Object unused =
          context.channel().closeFuture().addListener(done -> connections.decrementAndGet());
      context.pipeline().addLast(new Connection());
    }
  }

  /** A client's connection. */
  private final class Connection extends Messages {
    private final AtomicInteger underWay = new AtomicInteger();
    private ChannelHandlerContext context;

    Connection() {
      super(ClientRequest.BYTES_MAX);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) throws Exception {
      context = added;
      super.handlerAdded(added);
    }

    @Override
    protected void onMessage(long number, Decoder content) {
      ClientRequest request = ClientRequest.read(content);
      int waiting = underWay.incrementAndGet();
      if (request instanceof ClientRequest.Describe) {
        answer(number, describe());
      } else if (request instanceof ClientRequest.Status asked) {
        status
            .text(clients(), asked.digests())
            .thenAccept(text -> answer(number, new ClientAnswer.Text(text)));
      } else if (request instanceof ClientRequest.Remove remove) {
        answer(number, remove(remove));
      } else if (request instanceof ClientRequest.Read read) {
        requirePartition(read.partition());
        if (waiting > UNDER_WAY_MAX) {
          refused.increment();
          answer(number, new ClientAnswer.OfRead(new ReadAnswer.Overloaded()));
        } else {
          read(number, read);
        }
      } else if (request instanceof ClientRequest.Write write) {
        requirePartition(write.partition());
        if (waiting > UNDER_WAY_MAX) {
          refused.increment();
          answer(number, new ClientAnswer.OfWrite(new WriteAnswer.Overloaded()));
        } else {
          write(number, write);
        }
      }
    }

    private long waitNanos(long micros) {
      if (micros < 0 || micros > WAIT_MICROS_MAX) {
        throw new MalformedPacketException("It waits for " + micros + " us, which is too long");
      }
      return TimeUnit.MICROSECONDS.toNanos(micros);
    }

    private void requirePartition(int partition) {
      if (partition >= plan.partitions()) {
        throw new MalformedPacketException(
            "It asks for partition " + partition + " of " + plan.partitions());
      }
    }

    private void read(long number, ClientRequest.Read read) {
      ReadRequest asked =
          new ReadRequest(
              read.key(),
              read.requirement(),
              waitNanos(read.waitMicros()),
              read.orOlder(),
              answer -> answer(number, new ClientAnswer.OfRead(answer)));
      part.execute(
          read.partition(),
          at -> {
            if (at == null) {
              asked.answer(new ReadAnswer.NotServing());
            } else {
              at.begin().read(asked);
            }
          });
    }

    private void write(long number, ClientRequest.Write write) {
      WriteRequest asked =
          new WriteRequest(
              write.write(),
              write.dependency(),
              write.requirement(),
              waitNanos(write.waitMicros()),
              answer -> answer(number, new ClientAnswer.OfWrite(answer)));
      part.execute(
          write.partition(),
          at -> {
            if (at == null) {
              asked.answer(new WriteAnswer.NotLeading(-1));
            } else {
              at.begin().write(asked);
            }
          });
    }

    /** Any thread. */
    private void answer(long number, ClientAnswer answer) {
      Encoder out = new Encoder();
      ClientAnswer.write(out, answer);
      Messages.write(context, number, out, underWay::decrementAndGet);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) throws Exception {
      // Who does not read answers is not asked for more.
      changed.channel().config().setAutoRead(changed.channel().isWritable());
      super.channelWritabilityChanged(changed);
    }

    @Override
    protected void onEnd(String reason) {
      listener.onDown(-1, 0, "client " + context.channel().remoteAddress() + ": " + reason);
    }
  }

  private ClientAnswer remove(ClientRequest.Remove asked) {
    int count = plan.datacenters().size();
    if (asked.store() != plan.id() || asked.datacenter() >= count || count == 1) {
      return new ClientAnswer.Refused("The store has no such datacenter, or no other one");
    }
    part.forEach(at -> at.begin().remove(1 << asked.datacenter()));
    return new ClientAnswer.Text("");
  }

  private ClientAnswer describe() {
    return new ClientAnswer.Description(
        plan.id(),
        plan.partitions(),
        plan.replicas(),
        plan.datacenters().stream()
            .map(
                each ->
                    new ClientAnswer.Datacenter(
                        each.name(), each.nodes().stream().map(Object::toString).toList()))
            .toList(),
        plan.self(),
        wall.getAsLong());
  }

  /** Takes no more connections; the workers close those that are there. */
  @Override
  public void close() {
    port.withdrawClients(plan.name());
  }
}
