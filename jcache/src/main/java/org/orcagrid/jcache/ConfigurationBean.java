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

import java.util.function.Supplier;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.management.CacheMXBean;

/** A cache's configuration as a bean. */
final class ConfigurationBean implements CacheMXBean {
  private final Supplier<CompleteConfiguration<?, ?>> configuration;

  ConfigurationBean(Supplier<CompleteConfiguration<?, ?>> configuration) {
    this.configuration = configuration;
  }

  @Override
  public String getKeyType() {
    return configuration.get().getKeyType().getName();
  }

  @Override
  public String getValueType() {
    return configuration.get().getValueType().getName();
  }

  @Override
  public boolean isReadThrough() {
    return configuration.get().isReadThrough();
  }

  @Override
  public boolean isWriteThrough() {
    return configuration.get().isWriteThrough();
  }

  @Override
  public boolean isStoreByValue() {
    return configuration.get().isStoreByValue();
  }

  @Override
  public boolean isStatisticsEnabled() {
    return configuration.get().isStatisticsEnabled();
  }

  @Override
  public boolean isManagementEnabled() {
    return configuration.get().isManagementEnabled();
  }
}
