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
package example;

import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;

/** A cache on a grid in this JVM, by the standard's interfaces only. */
public final class CacheProgram {
  public static void main(String[] arguments) {
    try (var provider = Caching.getCachingProvider();
        var manager = provider.getCacheManager()) {
      var configuration =
          new MutableConfiguration<String, Long>().setTypes(String.class, Long.class);
      var stock = manager.createCache("stock", configuration);
      stock.put("apples", 12L);
      System.out.println(
          "apples=" + stock.get("apples") + " provider=" + provider.getClass().getName());
    }
  }
}
