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

import java.util.Objects;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import org.orcagrid.client.Codec;
import org.orcagrid.ddp.model.Ddp;

/**
 * What a cache of a grid can be told beyond the standard: the {@link Codec}s of its keys and
 * values, and its model.
 *
 * <pre>{@code
 * OrcaConfiguration<String, Long> stock = new OrcaConfiguration<>();
 * stock.setTypes(String.class, Long.class);
 * stock.setKeyCodecFactory(() -> Codec.STRING).setValueCodecFactory(() -> Codec.LONG);
 * stock.setModel(Ddp.parse("linearizable/eventual"));
 * }</pre>
 *
 * <p>All managers that use a cache must give it the same codecs and the same model. Like {@link
 * MutableConfiguration}, not safe for use by several threads; a cache takes a copy.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class OrcaConfiguration<K, V> extends MutableConfiguration<K, V> {
  private static final long serialVersionUID = 1;

  /** Null for none. */
  private Factory<Codec<K>> keyCodecFactory;

  /** Null for none. */
  private Factory<Codec<V>> valueCodecFactory;

  /** The name of the model, null for that of the manager. */
  private String model;

  /** No codecs, and the model of the manager. */
  public OrcaConfiguration() {}

  /** The same as another one; with the additions, if that has them. */
  public OrcaConfiguration(CompleteConfiguration<K, V> other) {
    super(other);
    if (other instanceof OrcaConfiguration<K, V> orca) {
      this.keyCodecFactory = orca.keyCodecFactory;
      this.valueCodecFactory = orca.valueCodecFactory;
      this.model = orca.model;
    }
  }

  /** How the codec of the keys is made; null for none. */
  public Factory<Codec<K>> getKeyCodecFactory() {
    return keyCodecFactory;
  }

  /**
   * Sets how keys become bytes, at most 1024 of them. Keys are the same if their bytes are.
   *
   * @param factory null for none: then texts, numbers, times and bytes are written as what they
   *     are, and objects of classes that the manager's setting {@code orca.jcache.classes} names by
   *     Java's serialization
   */
  public OrcaConfiguration<K, V> setKeyCodecFactory(Factory<Codec<K>> factory) {
    this.keyCodecFactory = factory;
    return this;
  }

  /** How the codec of the values is made; null for none. */
  public Factory<Codec<V>> getValueCodecFactory() {
    return valueCodecFactory;
  }

  /**
   * Sets how values become bytes, a little less than 512 KB of them.
   *
   * @param factory null for none: then texts, numbers, times and bytes are written as what they
   *     are, and objects of classes that the manager's setting {@code orca.jcache.classes} names by
   *     Java's serialization
   */
  public OrcaConfiguration<K, V> setValueCodecFactory(Factory<Codec<V>> factory) {
    this.valueCodecFactory = factory;
    return this;
  }

  /** When writes are visible and durable; null for as the manager has it. */
  public Ddp getModel() {
    return model == null ? null : Ddp.parse(model);
  }

  /**
   * Sets when writes are visible and durable. The cache refuses a model without atomic operations.
   *
   * @param model null for that of the manager
   */
  public OrcaConfiguration<K, V> setModel(Ddp model) {
    this.model = model == null ? null : model.id();
    return this;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OrcaConfiguration<?, ?> orca
        && super.equals(other)
        && Objects.equals(keyCodecFactory, orca.keyCodecFactory)
        && Objects.equals(valueCodecFactory, orca.valueCodecFactory)
        && Objects.equals(model, orca.model);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), keyCodecFactory, valueCodecFactory, model);
  }
}
