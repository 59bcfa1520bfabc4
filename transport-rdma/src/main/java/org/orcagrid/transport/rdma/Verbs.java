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
import java.nio.ByteBuffer;

/**
 * What DiSNI has no words for: devices by name, datagrams and where they go, many requests and many
 * completions in one call, atomics.
 *
 * <p>A {@code long} that stands for an object is a number that the native library looks up: one
 * that is made up or was closed gives an {@link IOException}, as does every other argument that
 * makes no sense, with the verb's name and the errno. Objects of DiSNI have such numbers too
 * ({@code getObjId}). Buffers are direct and in native order.
 *
 * <p>{@link NativeLibrary#require} must have returned before any of these is called.
 */
final class Verbs {
  /** What {@link #abi} must answer. */
  static final int ABI = 3;

  /**
   * Bytes of a request to send: address handle, or queue pair of a connection (long), id (long),
   * remote queue pair, remote key, place and bytes of the header, place and bytes of the content,
   * flags, errno if it was not posted (int each).
   */
  static final int DATAGRAM_BYTES = 48;

  static final int DATAGRAM_ID = 8;
  static final int DATAGRAM_REMOTE_QUEUE = 16;
  static final int DATAGRAM_REMOTE_KEY = 20;
  static final int DATAGRAM_HEADER_AT = 24;
  static final int DATAGRAM_HEADER_BYTES = 28;
  static final int DATAGRAM_CONTENT_AT = 32;
  static final int DATAGRAM_CONTENT_BYTES = 36;
  static final int DATAGRAM_FLAGS = 40;
  static final int DATAGRAM_ERROR = 44;

  /** There is to be a completion when it was sent. */
  static final int SIGNALLED = 1;

  /** The bytes are taken when the request is posted. */
  static final int INLINE = 2;

  /** Bytes of a request to receive: id (long), place and bytes (int each). */
  static final int RECEIVE_BYTES = 16;

  static final int RECEIVE_AT = 8;
  static final int RECEIVE_LENGTH = 12;

  /**
   * Bytes of a completion: id (long), status, opcode, bytes, source queue pair, flags, the vendor's
   * error (int each).
   */
  static final int COMPLETION_BYTES = 32;

  static final int COMPLETION_STATUS = 8;
  static final int COMPLETION_LENGTH = 16;
  static final int COMPLETION_SOURCE = 20;

  /** Completed without an error. */
  static final int STATUS_SUCCESS = 0;

  /** Not done, since the queue pair has stopped. */
  static final int STATUS_FLUSHED = 5;

  /** Bytes that a queue pair puts before every datagram that it receives. */
  static final int ROUTING_HEADER_BYTES = 40;

  static final int GID_BYTES = 16;

  /** Ints that {@link #queryPort} gives. */
  static final int PORT_FIELDS = 13;

  private Verbs() {}

  /** Which declarations the native library was made for. */
  static native int abi();

  /** Objects that are open, DiSNI's included. */
  static native int openHandles();

  /** Bytes of memory that this process may register; -1 without a limit. */
  static native long memoryLockLimit() throws IOException;

  /** The devices of this machine; none if there is no driver. */
  static native String[] devices() throws IOException;

  static native long openDevice(String name) throws IOException;

  static native void closeDevice(long device) throws IOException;

  /**
   * Puts what a port can do: state (4 is active), bytes of an active MTU, link layer (1 InfiniBand,
   * 2 Ethernet), local id, entries of its address table; and its device: requests of a queue pair,
   * entries of a completion queue, pieces of a request, queue pairs, kind of atomics, ports,
   * address handles, transport (1 is iWARP).
   */
  static native void queryPort(long device, int port, ByteBuffer into) throws IOException;

  /**
   * Puts an address of a port.
   *
   * @return 0 for InfiniBand, 1 for RoCE, 2 for RoCE v2; -1 if there is none at this index
   */
  static native int queryGid(long device, int port, int index, ByteBuffer into) throws IOException;

  /**
   * A queue pair for datagrams, ready to send and receive.
   *
   * @param caps requests to send and to receive, pieces of a request, inline bytes: as wanted, then
   *     as they are
   */
  static native long createDatagramQueue(long pd, long cq, int port, int key, ByteBuffer caps)
      throws IOException;

  /** The number of a queue pair that peers send to. */
  static native int queueNumber(long queue) throws IOException;

  /** Ends all requests of a queue pair with an error. */
  static native void stopQueue(long queue) throws IOException;

  static native void destroyQueue(long queue) throws IOException;

  static native long createAddressHandle(
      long pd, int port, int gidIndex, ByteBuffer remoteGid, int remoteLid) throws IOException;

  static native void destroyAddressHandle(long handle) throws IOException;

  /**
   * Sends datagrams with one doorbell for each 64.
   *
   * @return how many; fewer than {@code count} if the queue is full
   */
  static native int postDatagrams(long queue, long region, ByteBuffer requests, int count)
      throws IOException;

  /**
   * Sends over connections with one doorbell for each; 64 requests at most.
   *
   * @return how many; those that could not be posted say why
   */
  static native int postMessages(long region, ByteBuffer requests, int count) throws IOException;

  /**
   * Gives memory for messages to come.
   *
   * @return how many; fewer than {@code count} if the queue is full
   */
  static native int postReceives(long queue, long region, ByteBuffer requests, int count)
      throws IOException;

  /** Takes completions; returns how many. */
  static native int pollCompletions(long cq, ByteBuffer into, int most) throws IOException;

  /** Asks for an event with the next completion. */
  static native void requestEvent(long cq) throws IOException;

  /** Something that another thread can end an {@link #await} with. */
  static native long createWake() throws IOException;

  /** Ends the present or the next {@link #await}; nothing happens if it was destroyed. */
  static native void wake(long wake) throws IOException;

  static native void destroyWake(long wake) throws IOException;

  /**
   * Waits.
   *
   * @return 1 if there was an event, 2 if somebody has woken, 3 for both, 0 if the time is over
   */
  static native int await(long channel, long wake, long nanosMax) throws IOException;

  /**
   * Adds to, or swaps, 8 bytes of a peer over a reliable connection; they come as they were before
   * to a place in a region. There is a completion.
   *
   * @param compareOrAdd what is added, or what must be there to be swapped
   */
  static native void postAtomic(
      long queue,
      long region,
      int at,
      boolean swaps,
      long remoteAddress,
      int remoteKey,
      long compareOrAdd,
      long swap,
      long id)
      throws IOException;

  // --- one-sided writes, and memory for them -----------------------------------------------------

  /**
   * A reliable queue pair that is not connected yet.
   *
   * @param sends requests that can be under way
   */
  static native long createReliableQueue(long pd, long cq, int port, int sends) throws IOException;

  /**
   * Connects it to a peer's.
   *
   * @param remote the number of the peer's queue pair
   * @param mtuBytes of a packet, as both have them
   */
  static native void connectQueue(
      long queue,
      int port,
      int gidIndex,
      ByteBuffer remoteGid,
      int remoteLid,
      int remote,
      int mtuBytes)
      throws IOException;

  /**
   * Writes part of a region to a peer's memory, or reads it from there; in the order of the calls.
   *
   * @param signals whether there is a completion; if it fails there is one in any case
   */
  static native void postOneSided(
      long queue,
      long region,
      boolean reads,
      int at,
      int bytes,
      long remoteAddress,
      int remoteKey,
      boolean signals,
      long id)
      throws IOException;

  /**
   * Maps a device of persistent memory, or a file on a file system with DAX, from its beginning.
   *
   * @return its number, to be given back with {@link #unmapMemory}
   */
  static native long mapMemory(String path, boolean isFile, int bytes) throws IOException;

  /** Its bytes, which nothing may use after it was unmapped. */
  static native ByteBuffer memoryBytes(long memory) throws IOException;

  static native void unmapMemory(long memory) throws IOException;

  /** Whether {@link #persist} can be called on this processor. */
  static native boolean canPersist();

  /** What was stored in a part of mapped memory has left the processor's caches after this. */
  static native void persist(long memory, int at, int bytes) throws IOException;
}
