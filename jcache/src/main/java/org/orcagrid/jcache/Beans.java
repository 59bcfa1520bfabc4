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

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.net.URI;
import javax.cache.CacheException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * The beans of a cache in the platform's MBean server, under the names that JSR-107 prescribes.
 * These have no place for a class loader: of two managers with one URI, the caches of one name have
 * one bean, that of the first; this is logged.
 */
final class Beans {
  private static final System.Logger LOG = System.getLogger("org.orcagrid.jcache");

  private final ObjectName configuration;
  private final ObjectName statistics;
  private boolean hasConfiguration;
  private boolean hasStatistics;

  Beans(URI manager, String cache) {
    this.configuration = name("CacheConfiguration", manager, cache);
    this.statistics = name("CacheStatistics", manager, cache);
  }

  private static ObjectName name(String type, URI manager, String cache) {
    try {
      return new ObjectName(
          "javax.cache:type="
              + type
              + ",CacheManager="
              + safe(manager.toString())
              + ",Cache="
              + safe(cache));
    } catch (MalformedObjectNameException e) {
      throw new CacheException("The cache '" + cache + "' cannot be a bean's name", e);
    }
  }

  /** Besides what the standard replaces, what would make the name a pattern. */
  private static String safe(String text) {
    return text.replaceAll("[:=\n,*?\"]", ".");
  }

  synchronized void showConfiguration(ConfigurationBean bean, boolean shown) {
    hasConfiguration = show(configuration, bean, shown, hasConfiguration);
  }

  synchronized void showStatistics(Statistics bean, boolean shown) {
    hasStatistics = show(statistics, bean, shown, hasStatistics);
  }

  private static boolean show(ObjectName name, Object bean, boolean shown, boolean was) {
    if (shown == was) {
      return was;
    }
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      if (shown) {
        server.registerMBean(bean, name);
      } else {
        server.unregisterMBean(name);
      }
      return shown;
    } catch (InstanceAlreadyExistsException e) {
      LOG.log(
          Level.WARNING,
          "There is a bean {0} already, of another cache manager with this URI; it is left as it"
              + " is, and this cache has none",
          name);
      return false;
    } catch (InstanceNotFoundException e) {
      LOG.log(Level.WARNING, "Somebody else has unregistered the bean {0}", name);
      return false;
    } catch (JMException e) {
      throw new CacheException("The bean " + name + " cannot be registered: " + e, e);
    }
  }
}
