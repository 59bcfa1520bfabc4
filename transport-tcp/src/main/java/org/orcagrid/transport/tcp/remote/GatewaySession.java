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
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.LocalSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.RequestListener;
import org.orcagrid.ddp.node.RequestQueue;

/**
 * A client's session at its node. Used by the connection's thread; the worker only counts what has
 * ended.
 */
final class GatewaySession implements RequestListener {
  /**
   * How many operations of a client's session may be under way. The other half of the node's queue
   * is for relaxed writes that were answered and not announced yet, so that there is always room
   * for what a client may send.
   */
  static final int DEPTH = RequestQueue.DEPTH / 2;

  private static final VarHandle ENDED;

  static {
    try {
      ENDED = MethodHandles.lookup().findVarHandle(GatewaySession.class, "ended", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int id;
  private final LocalSession session;
  private final Runnable signal;
  private final Request[] underWay = new Request[DEPTH];
  private long submitted;
  private long answered;

  // Written by the worker, read by the connection's thread.
  @SuppressWarnings("UnusedVariable")
  private long ended;

  /**
   * A session.
   *
   * @param signal tells the connection that something has ended; from the worker's thread
   */
  GatewaySession(int id, LocalSession session, Runnable signal) {
    this.id = id;
    this.session = session;
    this.signal = signal;
  }

  /** Reads a request and answers it or submits it. */
  void onRequest(ByteBuf in, ByteBuf out, int keyBytesMax, int valueBytesMax)
      throws ClientRecord.MalformedException {
    answer(out);
    Request request = submitted - answered == DEPTH ? null : session.next();
    // It may be one that has ended since, whose answer is still in it.
    answer(out);
    if (request == null) {
      throw new ClientRecord.MalformedException("more than " + DEPTH + " operations of a session");
    }
    ClientRecord.readRequest(in, request, keyBytesMax, valueBytesMax);
    Outcome outcome = atOnce(request);
    if (outcome != null) {
      // What was under way has ended, or this could not be done at once; it is answered first.
      answer(out);
      ClientRecord.writeResponse(out, id, outcome, request.result());
      return;
    }
    request.listener(this);
    underWay[(int) submitted & (DEPTH - 1)] = request;
    submitted++;
    session.submit(request);
  }

  private Outcome atOnce(Request request) {
    if (request.kind() == OperationKind.READ) {
      return session.read(request.key(), request.result()) ? Outcome.DONE : null;
    }
    if (request.kind() == OperationKind.WRITE && session.room() > DEPTH) {
      request.result().length(-1);
      return session.write(request.key(), request.value());
    }
    return null;
  }

  @Override
  public void onCompleted(Request request) {
    ENDED.setRelease(this, ended + 1);
    signal.run();
  }

  /** Answers what has ended; whether there was any. */
  boolean answer(ByteBuf out) {
    long until = (long) ENDED.getAcquire(this);
    boolean any = answered < until;
    while (answered < until) {
      Request request = underWay[(int) answered & (DEPTH - 1)];
      ClientRecord.writeResponse(out, id, request.outcome(), request.result());
      answered++;
    }
    return any;
  }

  void close() {
    session.close();
  }
}
