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
package org.orcagrid.transport.tcp.remote;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.MapWatcher;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.map.SessionEndedException;
import org.orcagrid.ddp.map.Withdrawable;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/**
 * The maps of a grid in other processes, as one of its nodes has them. If that node cannot be
 * reached any more, its sessions end, and the next ones are of another node.
 */
public final class RemoteMaps implements Maps {
  private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Nodes nodes;
  private final Cleaner cleaner;

  /** The nodes that tell watchers. */
  private final Map<MapWatcher, RemoteNode> watching = new ConcurrentHashMap<>();

  /** The nodes of a grid. */
  public interface Nodes {
    /**
     * The node of new sessions: the same one as long as it can be reached.
     *
     * @throws IllegalStateException if none can be reached, or the grid was left
     */
    RemoteNode node();

    /**
     * The same, and does not wait: has another one looked for where that takes time.
     *
     * @return null if there is none at the moment
     * @throws IllegalStateException if the grid was left
     */
    RemoteNode nodeNow();

    /** Whether this is a thread of the client's connections. */
    boolean isClientThread();

    /** Why the grid was left; null while it was not. */
    Throwable failure();
  }

  /** The maps of a grid. */
  public RemoteMaps(Nodes nodes) {
    this(nodes, Cleaner.create());
  }

  /**
   * The same with another's cleaner.
   *
   * @param cleaner closes sessions that nobody has any more
   */
  RemoteMaps(Nodes nodes, Cleaner cleaner) {
    this.nodes = nodes;
    this.cleaner = cleaner;
  }

  @Override
  public int self() {
    return ELSEWHERE;
  }

  @Override
  public Throwable failure() {
    return nodes.failure();
  }

  @Override
  public boolean isWorker() {
    return nodes.isClientThread();
  }

  // --- calls -------------------------------------------------------------------------------------

  /** A request with one answer. */
  abstract static class OneAnswer<T> extends CompletableFuture<T> implements MapCalls.Call {
    abstract T read(ClientRecord type, ByteBuf in) throws ClientRecord.MalformedException;

    @Override
    public final boolean onAnswer(ClientRecord type, ByteBuf in)
        throws ClientRecord.MalformedException {
      complete(read(type, in));
      return true;
    }

    @Override
    public final void fail(Exception reason) {
      completeExceptionally(reason);
    }
  }

  static void requireType(ClientRecord type, ClientRecord wanted)
      throws ClientRecord.MalformedException {
    if (type != wanted) {
      throw new ClientRecord.MalformedException(type + " where " + wanted + " is due");
    }
  }

  private static <T> T await(CompletableFuture<T> answer, long nanosMax)
      throws IOException, InterruptedException {
    try {
      return answer.get(nanosMax + ANSWER_NANOS, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException agreed) {
        throw agreed;
      } else if (e.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("the node has not answered in time", e);
    }
  }

  @Override
  public MapDefinition define(
      String name, Ddp model, Conflicts conflicts, int copies, long nanosMax)
      throws IOException, InterruptedException {
    // Nodes give it another number.
    String wanted = new MapDefinition(1, name, model, conflicts, copies).toText();
    return await(
        submit(
            nodes.node(),
            new OneAnswer<MapDefinition>() {
              @Override
              public void write(ByteBuf out, int number) {
                MapWire.writeText(out, ClientRecord.DEFINE_MAP, number, wanted);
              }

              @Override
              MapDefinition read(ClientRecord type, ByteBuf in)
                  throws ClientRecord.MalformedException {
                requireType(type, ClientRecord.DEFINED);
                return MapWire.readDefinition(in);
              }
            }),
        nanosMax);
  }

  @Override
  public List<MapDefinition> definitions() throws IOException, InterruptedException {
    return await(submit(nodes.node(), new ListCall()), 0);
  }

  /** Asks for all maps, each of which is a record of the answer. */
  private static final class ListCall extends CompletableFuture<List<MapDefinition>>
      implements MapCalls.Call {
    private final List<MapDefinition> found = new ArrayList<>();

    @Override
    public void write(ByteBuf out, int number) {
      ClientRecord.LIST_MAPS.write(out, number);
    }

    @Override
    public boolean onAnswer(ClientRecord type, ByteBuf in) throws ClientRecord.MalformedException {
      if (type == ClientRecord.DEFINED) {
        found.add(MapWire.readDefinition(in));
        return false;
      }
      requireType(type, ClientRecord.DONE);
      complete(List.copyOf(found));
      return true;
    }

    @Override
    public void fail(Exception reason) {
      completeExceptionally(reason);
    }
  }

  @Override
  public void remove(String name, long nanosMax) throws IOException, InterruptedException {
    MapDefinition.requireName(name);
    await(
        submit(
            nodes.node(),
            new OneAnswer<Void>() {
              @Override
              public void write(ByteBuf out, int number) {
                MapWire.writeText(out, ClientRecord.REMOVE_MAP, number, name);
              }

              @Override
              Void read(ClientRecord type, ByteBuf in) throws ClientRecord.MalformedException {
                requireType(type, ClientRecord.DONE);
                return null;
              }
            }),
        nanosMax);
  }

  @Override
  public CompletableFuture<MapState> state(MapDefinition map) {
    return submit(
        nodes.node(),
        new OneAnswer<MapState>() {
          @Override
          public void write(ByteBuf out, int number) {
            MapWire.writeMap(out, ClientRecord.ASK_MAP, number, map.id());
          }

          @Override
          MapState read(ClientRecord type, ByteBuf in) throws ClientRecord.MalformedException {
            requireType(type, ClientRecord.MAP_STATE);
            return MapWire.readState(in);
          }
        });
  }

  private static <T extends MapCalls.Call> T submit(RemoteNode to, T call) {
    to.calls().submit(call);
    to.signal();
    return call;
  }

  // --- sessions ----------------------------------------------------------------------------------

  @Override
  public MapSession openSession(MapDefinition map) {
    return new Session(map, nodes.node(), null);
  }

  @Override
  public MapSession openSessionNow(MapDefinition map) {
    RemoteNode node = nodes.nodeNow();
    if (node == null) {
      throw new NotBegunException("No node is connected, and another one is looked for");
    }
    return new Session(map, node, null);
  }

  /** A session of the node, which opens it with its first operation. */
  private final class Session implements MapSession {
    private final MapDefinition map;
    private final RemoteNode node;

    /** Another session of the same client, null for none. */
    private final Session first;

    private final int number;
    private final Cleaner.Cleanable end;
    private volatile boolean isEnded;

    Session(MapDefinition map, RemoteNode node, Session first) {
      this.map = map;
      this.node = node;
      this.first = first;
      this.number = node.calls().nextSession();
      // Sessions of threads that have ended would stay at the node as long as the connection.
      this.end = cleaner.register(this, new End(node, number));
    }

    @Override
    public CompletableFuture<Operation> submit(Operation operation) {
      OperationCall call = new OperationCall(this, operation);
      operation.listener(call);
      try {
        requireUsable();
        MapWire.requireSendable(operation);
      } catch (IllegalArgumentException | IllegalStateException e) {
        operation.fail(e);
        return call;
      }
      return RemoteMaps.submit(node, call);
    }

    private void requireUsable() {
      Throwable left = nodes.failure();
      if (left != null) {
        throw new IllegalStateException(left.getMessage(), left);
      }
    }

    @Override
    public MapSession openBeside() {
      return new Session(map, node, this);
    }

    @Override
    public boolean isEnded() {
      return isEnded || node.lost() != null;
    }

    @Override
    public void close() {
      end.clean();
    }
  }

  /** Closes a session at its node; once. */
  private record End(RemoteNode node, int session) implements Runnable {
    @Override
    public void run() {
      node.calls().say(ClientRecord.CLOSE_MAP_SESSION, session);
      node.signal();
    }
  }

  /** An operation on its way, and what its caller waits for. */
  private static final class OperationCall extends CompletableFuture<Operation>
      implements MapCalls.Call, Consumer<Operation>, Withdrawable {
    private final Session session;
    private final Operation operation;

    /** Of whoever sends it, or takes it back. */
    private final AtomicBoolean taken = new AtomicBoolean();

    OperationCall(Session session, Operation operation) {
      this.session = session;
      this.operation = operation;
    }

    @Override
    public boolean begin() {
      return taken.compareAndSet(false, true);
    }

    @Override
    public boolean withdraw() {
      if (isDone() || !begin()) {
        return false;
      }
      operation.fail(new NotBegunException("It was taken back"));
      return true;
    }

    @Override
    public void write(ByteBuf out, int number) {
      int beside = session.first == null ? 0 : session.first.number;
      MapWire.writeOperation(
          out, number, new MapWire.Place(session.map.id(), session.number, beside), operation);
    }

    @Override
    public boolean onAnswer(ClientRecord type, ByteBuf in) throws ClientRecord.MalformedException {
      boolean readsSeveral =
          operation.kind() == Operation.Kind.SCAN || operation.kind() == Operation.Kind.BATCH;
      if (type == ClientRecord.FOUND && readsSeveral) {
        operation.show(MapWire.readFound(in));
        return false;
      }
      requireType(type, ClientRecord.OPERATED);
      MapWire.readEnd(in, operation);
      return true;
    }

    @Override
    public void fail(Exception reason) {
      session.isEnded |= reason instanceof SessionEndedException;
      operation.fail(
          reason instanceof RuntimeException known ? known : new IllegalStateException(reason));
    }

    @Override
    public void accept(Operation ended) {
      if (ended.failure() == null) {
        complete(ended);
      } else {
        completeExceptionally(ended.failure());
      }
    }
  }

  // --- watching ----------------------------------------------------------------------------------

  @Override
  public CompletableFuture<Void> watch(MapDefinition map, MapWatcher watcher) {
    RemoteNode node = nodes.node();
    watching.put(watcher, node);
    return submit(node, new WatchCall(node, map, watcher))
        .whenComplete(
            (done, reason) -> {
              if (reason != null) {
                unwatch(map, watcher);
              }
            });
  }

  private static final class WatchCall extends OneAnswer<Void> {
    private final RemoteNode node;
    private final MapDefinition map;
    private final MapWatcher watcher;

    WatchCall(RemoteNode node, MapDefinition map, MapWatcher watcher) {
      this.node = node;
      this.map = map;
      this.watcher = watcher;
    }

    @Override
    public void write(ByteBuf out, int number) {
      node.calls().watch(number, watcher);
      MapWire.writeMap(out, ClientRecord.WATCH, number, map.id());
    }

    @Override
    Void read(ClientRecord type, ByteBuf in) throws ClientRecord.MalformedException {
      requireType(type, ClientRecord.DONE);
      return null;
    }
  }

  @Override
  public void unwatch(MapDefinition map, MapWatcher watcher) {
    RemoteNode node = watching.remove(watcher);
    if (node != null) {
      node.unwatch(watcher);
    }
  }
}
