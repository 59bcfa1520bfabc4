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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import javax.cache.CacheException;

/**
 * Java's serialization, of classes that are {@linkplain AllowedClasses allowed}, which come from
 * one class loader. A filter of the JVM applies as well.
 */
final class SerializedForm<T> implements Form<T> {
  private final ClassLoader loader;
  private final AllowedClasses allowed;
  private final boolean forKeys;

  private SerializedForm(ClassLoader loader, AllowedClasses allowed, boolean forKeys) {
    this.loader = loader;
    this.allowed = allowed;
    this.forKeys = forKeys;
  }

  /**
   * For keys: of equal texts, numbers, characters and truth values the first is written, and the
   * others refer to it. So keys whose fields are equal have the same bytes, whether or not two of
   * their fields are one object.
   */
  static <T> SerializedForm<T> ofKeys(ClassLoader loader, AllowedClasses allowed) {
    return new SerializedForm<>(loader, allowed, true);
  }

  static <T> SerializedForm<T> ofValues(ClassLoader loader, AllowedClasses allowed) {
    return new SerializedForm<>(loader, allowed, false);
  }

  @Override
  public byte[] encode(T object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new AllowedOutput(bytes)) {
      out.writeObject(object);
    } catch (NotSerializableException e) {
      throw new CacheException(
          "A "
              + (forKeys ? "key" : "value")
              + " of class "
              + object.getClass().getName()
              + " cannot be serialized, as "
              + e.getMessage()
              + " is not Serializable; make it so, or give the cache a codec with"
              + " OrcaConfiguration."
              + (forKeys ? "setKeyCodecFactory" : "setValueCodecFactory"),
          e);
    } catch (IOException e) {
      throw new CacheException("An object cannot be serialized: " + e, e);
    }
    return bytes.toByteArray();
  }

  @Override
  @SuppressWarnings("unchecked")
  public T decode(byte[] bytes) {
    try (ObjectInputStream in = new AllowedInput(bytes)) {
      return (T) in.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw new CacheException(
          "What the cache has cannot be read with Java's serialization and the class loader of"
              + " its manager: "
              + e,
          e);
    }
  }

  /** Who may be read: the message says how a class is allowed. */
  private void requireAllowed(String name) {
    if (!allowed.has(name)) {
      throw new CacheException(
          "Class "
              + name
              + " is not one that this cache manager writes and reads with Java's serialization;"
              + " name it in "
              + ManagerSettings.PREFIX
              + "classes, or give the cache a codec with OrcaConfiguration."
              + (forKeys ? "setKeyCodecFactory" : "setValueCodecFactory"));
    }
  }

  /** For keys it writes the first of all equal plain values wherever one of them is met. */
  private final class AllowedOutput extends ObjectOutputStream {
    private final Map<Object, Object> firsts = new HashMap<>();

    AllowedOutput(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(forKeys);
    }

    @Override
    protected void annotateClass(Class<?> type) {
      requireAllowed(type.getName());
    }

    @Override
    protected void annotateProxyClass(Class<?> type) {
      requireAllowed(type.getName());
    }

    @Override
    protected Object replaceObject(Object object) {
      boolean plain =
          object instanceof String
              || object instanceof Character
              || object instanceof Boolean
              || (object instanceof Number
                  && object.getClass().getClassLoader() == String.class.getClassLoader());
      if (!plain) {
        return object;
      }
      Object first = firsts.putIfAbsent(object, object);
      return first == null ? object : first;
    }
  }

  private final class AllowedInput extends ObjectInputStream {

    AllowedInput(byte[] bytes) throws IOException {
      super(new ByteArrayInputStream(bytes));
      ObjectInputFilter ofJvm = ObjectInputFilter.Config.getSerialFilter();
      // An array has at least a byte for each element.
      ObjectInputFilter own =
          info ->
              info.arrayLength() > bytes.length
                  ? ObjectInputFilter.Status.REJECTED
                  : ObjectInputFilter.Status.UNDECIDED;
      setObjectInputFilter(ofJvm == null ? own : ObjectInputFilter.merge(own, ofJvm));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass described)
        throws IOException, ClassNotFoundException {
      requireAllowed(described.getName());
      try {
        return Class.forName(described.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        // Primitive types have no name that a class loader knows.
        return super.resolveClass(described);
      }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) {
      throw new CacheException(
          "A cache does not read proxies; give it a codec with OrcaConfiguration");
    }
  }
}
