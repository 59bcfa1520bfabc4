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
import java.io.InputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import javax.cache.CacheException;

/** Java's serialization, with classes of one class loader. */
final class SerializedForm<T> implements Form<T> {
  private final ClassLoader loader;
  private final boolean forKeys;

  private SerializedForm(ClassLoader loader, boolean forKeys) {
    this.loader = loader;
    this.forKeys = forKeys;
  }

  /**
   * For keys: of equal texts, numbers, characters and truth values the first is written, and the
   * others refer to it. So keys whose fields are equal have the same bytes, whether or not two of
   * their fields are one object.
   */
  static <T> SerializedForm<T> ofKeys(ClassLoader loader) {
    return new SerializedForm<>(loader, true);
  }

  static <T> SerializedForm<T> ofValues(ClassLoader loader) {
    return new SerializedForm<>(loader, false);
  }

  @Override
  public byte[] encode(T object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = forKeys ? new KeyOutput(bytes) : new ObjectOutputStream(bytes)) {
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
    try (ObjectInputStream in = new LoadingInput(new ByteArrayInputStream(bytes), loader)) {
      return (T) in.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw new CacheException(
          "What the cache has cannot be read with Java's serialization and the class loader of"
              + " its manager: "
              + e,
          e);
    }
  }

  /** Writes the first of all equal plain values wherever one of them is met. */
  private static final class KeyOutput extends ObjectOutputStream {
    private final Map<Object, Object> firsts = new HashMap<>();

    KeyOutput(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
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

  private static final class LoadingInput extends ObjectInputStream {
    private final ClassLoader loader;

    LoadingInput(InputStream in, ClassLoader loader) throws IOException {
      super(in);
      this.loader = loader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass described)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(described.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        // Primitive types have no name that a class loader knows.
        return super.resolveClass(described);
      }
    }
  }
}
