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
package org.orcagrid.ddp.store;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/**
 * Memory by its address, as {@code sun.misc.Unsafe} reads and writes it: without the checks of a
 * {@link ByteBuffer}, which take half of a look-up's time. From JDK 24 on that class warns when it
 * is used, and {@link #IS_THERE} is false; so it is where processors do not order bytes as we do,
 * or the JDK is without it. Nothing is checked here: {@link Chunk} does.
 *
 * <p>It uses method handles: javac warns of each source that names the class. The handles are
 * constants, which are compiled to the access itself.
 */
final class RawAccess {
  /** The first release that warns. */
  private static final int WARNING_RELEASE = 24;

  /** Processors that read 8 bytes at any address. */
  private static final Set<String> UNALIGNED = Set.of("amd64", "x86_64", "aarch64");

  private static final MethodHandle GET_LONG;
  private static final MethodHandle GET_INT;
  private static final MethodHandle PUT_LONG;
  private static final MethodHandle PUT_INT;
  private static final MethodHandle ADDRESS;
  private static final long ARRAY_BASE;

  /** Whether there is such an access. */
  static final boolean IS_THERE;

  static {
    Object unsafe = mayBeThere() ? unsafe() : null;
    IS_THERE = unsafe != null;
    GET_LONG =
        handle(unsafe, "getLong", MethodType.methodType(long.class, Object.class, long.class));
    GET_INT = handle(unsafe, "getInt", MethodType.methodType(int.class, Object.class, long.class));
    PUT_LONG =
        handle(
            unsafe,
            "putLong",
            MethodType.methodType(void.class, Object.class, long.class, long.class));
    PUT_INT =
        handle(
            unsafe,
            "putInt",
            MethodType.methodType(void.class, Object.class, long.class, int.class));
    ADDRESS = unsafe == null ? null : address(unsafe);
    ARRAY_BASE = unsafe == null ? 0 : arrayBase(unsafe);
  }

  private RawAccess() {}

  private static boolean mayBeThere() {
    return Runtime.version().feature() < WARNING_RELEASE
        && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
        && UNALIGNED.contains(System.getProperty("os.arch", ""));
  }

  private static Object unsafe() {
    try {
      Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return field.get(null);
    } catch (ReflectiveOperationException | RuntimeException e) {
      // A JDK without the module jdk.unsupported: buffers do it.
      return null;
    }
  }

  private static MethodHandle handle(Object unsafe, String name, MethodType type) {
    try {
      return unsafe == null
          ? null
          : MethodHandles.lookup().findVirtual(unsafe.getClass(), name, type).bindTo(unsafe);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Reads where a direct buffer begins. */
  private static MethodHandle address(Object unsafe) {
    try {
      Field field = Buffer.class.getDeclaredField("address");
      long at =
          (long)
              handle(unsafe, "objectFieldOffset", MethodType.methodType(long.class, Field.class))
                  .invoke(field);
      return MethodHandles.insertArguments(GET_LONG, 1, at);
    } catch (Throwable e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static long arrayBase(Object unsafe) {
    try {
      return (int)
          handle(unsafe, "arrayBaseOffset", MethodType.methodType(int.class, Class.class))
              .invoke(byte[].class);
    } catch (Throwable e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The array that a buffer is in; null if it is outside the heap. */
  // Where in the array is in the address.
  @SuppressWarnings("ByteBufferBackingArray")
  static Object base(ByteBuffer buffer) {
    return buffer.isDirect() ? null : buffer.array();
  }

  /** Where a buffer begins: an address, or a place in {@link #base}. */
  static long address(ByteBuffer buffer) {
    try {
      return buffer.isDirect()
          ? (long) ADDRESS.invokeExact((Object) buffer)
          : ARRAY_BASE + buffer.arrayOffset();
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  static long getLong(Object base, long address) {
    try {
      return (long) GET_LONG.invokeExact(base, address);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  static int getInt(Object base, long address) {
    try {
      return (int) GET_INT.invokeExact(base, address);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  static void putLong(Object base, long address, long value) {
    try {
      PUT_LONG.invokeExact(base, address, value);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  static void putInt(Object base, long address, int value) {
    try {
      PUT_INT.invokeExact(base, address, value);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  private static RuntimeException failed(Throwable reason) {
    if (reason instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("Memory could not be accessed", reason);
  }
}
