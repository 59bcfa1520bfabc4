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
package org.orcagrid.jcache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.CacheException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What caches without codecs write, and what they refuse to read. */
class ObjectFormTest {
  /** Runs when it is read. */
  private static final class Gadget implements Serializable {
    private static final long serialVersionUID = 1;
    private static final AtomicInteger RUNS = new AtomicInteger();

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      RUNS.incrementAndGet();
    }
  }

  private enum Colour {
    RED,
    GREEN
  }

  private record Order(
      String who, List<Long> items, Map<String, Colour> colours, Set<Colour> all, LocalDate day)
      implements Serializable {}

  private static ObjectForm<Object> form(String classes) {
    return ObjectForm.ofValues(
        ObjectFormTest.class.getClassLoader(), AllowedClasses.parse(classes));
  }

  @SuppressWarnings("JavaUtilDate")
  static List<Object> plain() {
    return List.of(
        "",
        "t\u00e4xt",
        "\uD83D\uDC0B",
        "\uD800 alone",
        1,
        -1L,
        (short) 7,
        (byte) -7,
        'c',
        true,
        false,
        Double.NaN,
        -0.0,
        1.5f,
        BigInteger.TEN.pow(50).negate(),
        new BigDecimal("1.50"),
        new UUID(1, 2),
        Instant.MAX,
        Instant.ofEpochSecond(1, 999),
        Duration.ofNanos(-1),
        LocalDate.MIN,
        LocalTime.MAX,
        LocalDateTime.of(2026, 11, 24, 15, 0),
        new Date(77));
  }

  @ParameterizedTest
  @MethodSource("plain")
  void plainObjectsNeedNoSerialization(Object object) {
    byte[] bytes = form("").encode(object);
    assertEquals(object, form("").decode(bytes));
    assertTrue(bytes[0] != 0, "no serialization");
  }

  @Test
  void equalKeysAreTheSameBytesAndOthersAreNot() {
    ObjectForm<Object> keys = ObjectForm.ofKeys(null, AllowedClasses.NONE);
    List<Object> all = plain();
    for (Object one : all) {
      for (Object other : all) {
        assertEquals(
            one.equals(other), java.util.Arrays.equals(keys.encode(one), keys.encode(other)));
      }
    }
    assertArrayEquals(keys.encode("a"), keys.encode(String.valueOf(new char[] {'a'})));
    assertArrayEquals(new byte[] {1, 2}, (byte[]) keys.decode(keys.encode(new byte[] {1, 2})));
  }

  private static void assertRefused(Object object, String classes, String named) {
    CacheException refused = assertThrows(CacheException.class, () -> form(classes).encode(object));
    assertTrue(refused.getMessage().contains(named), refused.getMessage());
    assertTrue(refused.getMessage().contains("orca.jcache.classes"), refused.getMessage());
  }

  @Test
  void classesThatNobodyHasNamedAreNotWritten() {
    assertRefused(new ArrayList<>(), "", "java.util.ArrayList");
    assertRefused(new Gadget(), "", Gadget.class.getName());
    assertRefused(new Gadget[1], "com.shop.*", Gadget.class.getName());
    assertRefused(
        new ArrayList<>(List.of(new Gadget())), "java.util.ArrayList", Gadget.class.getName());
  }

  private static byte[] serialized(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(0);
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  @Test
  void nothingOfAClassThatNobodyHasNamedRuns() throws Exception {
    byte[] evil = serialized(new ArrayList<>(List.of(new Gadget())));
    assertThrows(CacheException.class, () -> form("").decode(evil));
    assertThrows(CacheException.class, () -> form("com.shop.**").decode(evil));
    assertEquals(0, Gadget.RUNS.get());
    form(Gadget.class.getName()).decode(evil);
    assertEquals(1, Gadget.RUNS.get());
    Object proxy =
        Proxy.newProxyInstance(
            ObjectFormTest.class.getClassLoader(),
            new Class<?>[] {Runnable.class},
            (java.lang.reflect.InvocationHandler & Serializable) (self, method, all) -> null);
    byte[] ofProxy = serialized(proxy);
    assertThrows(CacheException.class, () -> form("org.orcagrid.**").decode(ofProxy));
  }

  @Test
  void anArrayThatIsLongerThanWhatIsThereIsRefused() throws Exception {
    byte[] bytes = serialized(new long[8]);
    int at = bytes.length - 8 * Long.BYTES - Integer.BYTES;
    assertEquals(8, ByteBuffer.wrap(bytes).getInt(at));
    assertArrayEquals(new long[8], (long[]) form("com.shop.*").decode(bytes));
    ByteBuffer.wrap(bytes).putInt(at, Integer.MAX_VALUE - 8);
    assertThrows(CacheException.class, () -> form("com.shop.*").decode(bytes));
  }

  @Test
  void whatNamedClassesConsistOfGoesWithThem() {
    Order order =
        new Order(
            "ann",
            List.of(1L, 2L),
            Map.of("a", Colour.RED),
            EnumSet.of(Colour.GREEN),
            LocalDate.of(2026, 11, 24));
    String own = ObjectFormTest.class.getName();
    String names = own + "$Order, " + own + "$Colour";
    assertEquals(order, form(names).decode(form(names).encode(order)));
    assertEquals(order, form("org.orcagrid.jcache.*").decode(form("org.**").encode(order)));
  }

  @Test
  void namesAreOfAClassAPackageOrWhatIsBelowIt() {
    AllowedClasses of = AllowedClasses.parse("a.B, c.*,, d.e.**");
    for (String name : List.of("a.B", "[La.B;", "[[La.B;", "c.X", "c.X$Y", "d.e.X", "d.e.f.X")) {
      assertTrue(of.has(name), name);
    }
    for (String name : List.of("a.C", "a.B$C", "a.b.B", "c.d.X", "d.X", "d.eX", "cc.X")) {
      assertFalse(of.has(name), name);
    }
    assertTrue(of.has("[I"));
    assertFalse(AllowedClasses.NONE.has("[I"));
  }

  @Test
  void otherBytesAreSaidToBeOthers() {
    for (byte[] wrong : List.of(new byte[0], new byte[] {99}, new byte[] {4, 1}, new byte[] {12})) {
      assertThrows(CacheException.class, () -> form("").decode(wrong));
    }
  }
}
