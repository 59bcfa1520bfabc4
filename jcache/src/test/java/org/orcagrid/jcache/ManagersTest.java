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
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.ddp.model.Ddp;

/** Managers with embedded grids of their own, by URI and properties. */
@Timeout(60)
class ManagersTest {
  @TempDir Path folder;
  private final OrcaCachingProvider provider = new OrcaCachingProvider();

  @AfterEach
  void close() {
    provider.close();
  }

  private static Properties properties(String... namesAndValues) {
    Properties properties = new Properties();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
    }
    return properties;
  }

  private static Cache<String, Long> cache(OrcaCacheManager manager) {
    return manager.createCache(
        "cache", new MutableConfiguration<String, Long>().setTypes(String.class, Long.class));
  }

  @Test
  void theStandardFindsTheProviderAndItNeedsNoConfiguration() {
    Path temporary;
    try (CachingProvider found = Caching.getCachingProvider()) {
      assertTrue(found instanceof OrcaCachingProvider);
      assertFalse(found.isSupported(OptionalFeature.STORE_BY_REFERENCE));
      OrcaCacheManager manager = found.getCacheManager().unwrap(OrcaCacheManager.class);
      cache(manager).put("a", 1L);
      assertEquals(1L, Caching.getCache("cache", String.class, Long.class).get("a"));
      assertEquals(
          "linearizable/synchronous",
          manager
              .grid()
              .map("jcache.cache", Codec.BYTES, Codec.BYTES, Ddp.parse("linearizable/synchronous"))
              .model()
              .id());
      temporary = manager.folder();
      assertTrue(Files.isDirectory(temporary));
    }
    assertFalse(Files.exists(temporary), "nothing is left behind");
  }

  @Test
  void whatIsInAFolderIsThereAgain() {
    URI uri = URI.create("orca:kept?nodes=3&folder=" + folder);
    OrcaCacheManager manager = provider.getCacheManager(uri, null);
    Cache<String, Long> cache = cache(manager);
    for (long i = 0; i < 300; i++) {
      cache.put("key" + i, i);
    }
    manager.close();
    assertTrue(cache.isClosed());
    OrcaCacheManager again =
        new OrcaCachingProvider()
            .getCacheManager(
                URI.create("orca:again"),
                null,
                properties(
                    "orca.jcache.folder",
                    folder.toString(),
                    "orca.jcache.nodes",
                    "3",
                    "mine",
                    "1"));
    try {
      assertEquals("1", again.getProperties().getProperty("mine"));
      Cache<String, Long> there = cache(again);
      for (long i = 0; i < 300; i++) {
        assertEquals(i, there.get("key" + i));
      }
      again.destroyCache("cache");
      assertFalse(cache(again).iterator().hasNext());
    } finally {
      again.close();
    }
  }

  @Test
  void managersOfOneFolderShareItsGrid() {
    Properties where = properties("orca.jcache.folder", folder.toString());
    OrcaCacheManager one = provider.getCacheManager(URI.create("orca:one"), null, where);
    OrcaCacheManager two = provider.getCacheManager(URI.create("orca:two"), null, where);
    assertNotSame(one, two);
    cache(one).put("a", 1L);
    one.close();
    assertEquals(1L, cache(two).get("a"));
    assertRefused(
        "nodes",
        URI.create("orca:three"),
        properties("orca.jcache.folder", folder.toString(), "orca.jcache.nodes", "2"));
    two.close();
    OrcaCacheManager three = provider.getCacheManager(URI.create("orca:one"), null, where);
    assertNotSame(one, three);
    assertSame(three, provider.getCacheManager(URI.create("orca:one"), null, where));
    assertEquals(1L, cache(three).get("a"));
  }

  private void assertRefused(String word, URI uri, Properties properties) {
    CacheException refused =
        assertThrows(CacheException.class, () -> provider.getCacheManager(uri, null, properties));
    assertTrue(refused.getMessage().contains(word), refused.getMessage());
  }

  @Test
  void whatIsWrongIsNamed() throws Exception {
    URI uri = URI.create("orca:x");
    assertRefused("orca.jcache.nodes=zero", uri, properties("orca.jcache.nodes", "zero"));
    assertRefused("1 to 9", uri, properties("orca.jcache.nodes", "10"));
    assertRefused("linearizable", uri, properties("orca.jcache.model", "causal/synchronous"));
    assertRefused("no model 'fast'", uri, properties("orca.jcache.model", "fast"));
    assertRefused(
        "the settings are orca.jcache.connect, orca.jcache.config",
        uri,
        properties("orca.jcache.fodler", "/tmp"));
    assertRefused("orca.jcache.folder", uri, properties("orca.jcache.folder", " "));
    assertRefused("com.shop.Order", uri, properties("orca.jcache.classes", "com.shop.*Order"));
    assertRefused("com.shop.Order", uri, properties("orca.jcache.classes", "**"));
    assertRefused(
        "leave out one", URI.create("orca:x?nodes=3"), properties("orca.jcache.nodes", "1"));
    assertRefused("no setting", URI.create("orca:x?nodes"), properties());
    assertRefused("orca:NAME", URI.create("file:/etc/cache.xml"), properties());
    Path file = Files.writeString(folder.resolve("file"), "no folder");
    assertRefused("file", uri, properties("orca.jcache.folder", file.toString()));
    CacheException given =
        assertThrows(
            CacheException.class,
            () ->
                OrcaCachingProvider.managerOf(
                    null, uri, null, properties("orca.jcache.nodes", "3")));
    assertTrue(given.getMessage().contains("leave it out"), given.getMessage());
  }

  private record Name(String first, String last) implements Serializable {}

  @Test
  void keysWithEqualFieldsAreTheSame() {
    String text = "Anna";
    String same = String.valueOf(text.toCharArray());
    AllowedClasses allowed = AllowedClasses.parse(Name.class.getName());
    SerializedForm<Name> keys = SerializedForm.ofKeys(getClass().getClassLoader(), allowed);
    byte[] shared = keys.encode(new Name(text, text));
    assertArrayEquals(shared, keys.encode(new Name(text, same)));
    assertEquals(new Name(text, text), keys.decode(shared));
    SerializedForm<Object> any = SerializedForm.ofKeys(getClass().getClassLoader(), allowed);
    Long number = Long.valueOf(text.length() + 1_000_000);
    Long sameNumber = Long.valueOf(same.length() + 1_000_000);
    assertArrayEquals(
        any.encode(new Object[] {number, number}), any.encode(new Object[] {number, sameNumber}));
  }

  /** A class loader that writes down what it is asked for. */
  private static final class Asked extends ClassLoader {
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    Asked(ClassLoader parent) {
      super(parent);
    }

    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
      names.add(name);
      return super.loadClass(name);
    }
  }

  @Test
  void classesComeFromTheManagersClassLoader() {
    Asked loader = new Asked(getClass().getClassLoader());
    OrcaCacheManager manager =
        provider.getCacheManager(
            null, loader, properties("orca.jcache.classes", Name.class.getName()));
    assertSame(loader, manager.getClassLoader());
    assertNotSame(manager, provider.getCacheManager());
    Cache<Long, Name> cache = manager.createCache("names", new MutableConfiguration<>());
    cache.put(1L, new Name("Anna", "Karenina"));
    assertEquals(new Name("Anna", "Karenina"), cache.get(1L));
    assertTrue(loader.names.contains(Name.class.getName()), loader.names.toString());
    provider.close(loader);
    assertTrue(manager.isClosed());
    assertFalse(provider.getCacheManager().isClosed());
  }

  @Test
  void whatCannotBeSerializedIsNamed() {
    Cache<String, Object> cache =
        provider.getCacheManager().createCache("objects", new MutableConfiguration<>());
    CacheException refused = assertThrows(CacheException.class, () -> cache.put("a", new Object()));
    assertTrue(refused.getMessage().contains("setValueCodecFactory"), refused.getMessage());
  }
}
