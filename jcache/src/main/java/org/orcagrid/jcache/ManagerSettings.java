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

import java.io.IOException;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import javax.cache.CacheException;
import org.orcagrid.client.ClientConfig;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/**
 * What a cache manager was told, by the properties that begin with {@value #PREFIX} and by its URI.
 *
 * @param client how a grid in other processes is connected to; null for an embedded one
 * @param nodes nodes of an embedded grid
 * @param folder where it is durable; null for a temporary folder
 * @param model the model of caches that name none
 * @param classes what caches without codecs may write and read with Java's serialization
 */
record ManagerSettings(
    RemoteGrid.Settings client, int nodes, Path folder, Ddp model, AllowedClasses classes) {
  static final String PREFIX = "orca.jcache.";

  private static final String CONNECT = "connect";
  private static final String CONFIG = "config";
  private static final String NODES = "nodes";
  private static final String FOLDER = "folder";
  private static final String MODEL = "model";
  private static final String CLASSES = "classes";
  private static final List<String> ALL = List.of(CONNECT, CONFIG, NODES, FOLDER, MODEL, CLASSES);
  private static final int NODES_MAX = 9;
  private static final Ddp DEFAULT_MODEL =
      Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);

  /**
   * Of a grid that the manager starts or connects to.
   *
   * @throws CacheException if something is wrong, naming it and saying what would be right
   */
  static ManagerSettings of(URI uri, Properties properties) {
    TreeMap<String, String> given = given(uri, properties);
    return new ManagerSettings(
        client(given),
        nodes(given.get(NODES)),
        folder(given.get(FOLDER)),
        model(given.get(MODEL)),
        classes(given.get(CLASSES)));
  }

  /**
   * Of a grid that is there already.
   *
   * @throws CacheException if something is wrong, naming it and saying what would be right
   */
  static ManagerSettings ofGrid(URI uri, Properties properties) {
    TreeMap<String, String> given = given(uri, properties);
    refuse(
        given,
        List.of(CONNECT, CONFIG, NODES, FOLDER),
        "is for a grid that the manager starts or connects to, and this manager was given a grid");
    return new ManagerSettings(null, 1, null, model(given.get(MODEL)), classes(given.get(CLASSES)));
  }

  private static void refuse(TreeMap<String, String> given, List<String> names, String reason) {
    for (String name : names) {
      if (given.containsKey(name)) {
        throw new CacheException(PREFIX + name + " " + reason + "; leave it out");
      }
    }
  }

  private static RemoteGrid.Settings client(TreeMap<String, String> given) {
    String connect = given.get(CONNECT);
    String config = given.get(CONFIG);
    if (connect == null && config == null) {
      return null;
    }
    refuse(
        given,
        List.of(NODES, FOLDER),
        "is for an embedded grid, and "
            + PREFIX
            + (connect == null ? CONFIG : CONNECT)
            + " says that the grid is in other processes");
    try {
      return config == null
          ? RemoteGrid.Settings.of(connect)
          : ClientConfig.read(Path.of(config), connect);
    } catch (IllegalArgumentException e) {
      throw new CacheException(
          (config == null ? PREFIX + CONNECT + "=" + connect : PREFIX + CONFIG)
              + ": "
              + e.getMessage(),
          e);
    } catch (IOException e) {
      throw new CacheException(PREFIX + CONFIG + "=" + config + " cannot be read: " + e, e);
    }
  }

  private static TreeMap<String, String> given(URI uri, Properties properties) {
    TreeMap<String, String> given = new TreeMap<>();
    for (String each : properties.stringPropertyNames()) {
      if (each.startsWith(PREFIX)) {
        put(given, each.substring(PREFIX.length()), properties.getProperty(each), each);
      }
    }
    String query = query(uri);
    if (!query.isEmpty()) {
      for (String each : query.split("&", -1)) {
        int equals = each.indexOf('=');
        if (equals < 1) {
          throw new CacheException(
              "'" + each + "' in the URI " + uri + " is no setting, as nodes=3 is one");
        }
        put(given, each.substring(0, equals), each.substring(equals + 1), "the URI " + uri);
      }
    }
    return given;
  }

  private static String query(URI uri) {
    if (!"orca".equals(uri.getScheme())) {
      throw new CacheException(
          "The URI of a cache manager is orca:NAME, or"
              + " orca:NAME?connect=HOST:PORT,HOST:PORT&model=MODEL, or"
              + " orca:NAME?folder=PATH&nodes=3&model=MODEL, not "
              + uri);
    }
    // Such a URI is opaque: Java takes no query out of it.
    String rest = uri.getSchemeSpecificPart();
    int at = rest.indexOf('?');
    return at < 0 ? "" : rest.substring(at + 1);
  }

  private static void put(TreeMap<String, String> given, String name, String value, String where) {
    if (!ALL.contains(name)) {
      throw new CacheException(
          "There is no setting '"
              + name
              + "' as in "
              + where
              + "; the settings are "
              + PREFIX
              + String.join(", " + PREFIX, ALL)
              + ", and without that prefix in a URI");
    }
    String before = given.put(name, value);
    if (before != null && !before.equals(value)) {
      throw new CacheException(
          PREFIX
              + name
              + " is "
              + before
              + ", but "
              + where
              + " says "
              + value
              + "; leave out one of them");
    }
  }

  private static int nodes(String text) {
    if (text == null) {
      return 1;
    }
    try {
      int nodes = Integer.parseInt(text);
      if (nodes >= 1 && nodes <= NODES_MAX) {
        return nodes;
      }
    } catch (NumberFormatException e) {
      throw new CacheException(badNodes(text), e);
    }
    throw new CacheException(badNodes(text));
  }

  private static String badNodes(String text) {
    return PREFIX + "nodes=" + text + " is not a number of nodes: 1 to " + NODES_MAX;
  }

  private static Path folder(String text) {
    if (text == null) {
      return null;
    } else if (text.isBlank()) {
      throw new CacheException(
          PREFIX + "folder is empty; name a folder, or leave it out for a temporary one");
    }
    try {
      return Path.of(text).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new CacheException(PREFIX + "folder=" + text + " is no path: " + e.getReason(), e);
    }
  }

  private static Ddp model(String text) {
    if (text == null) {
      return DEFAULT_MODEL;
    }
    try {
      Ddp model = Ddp.parse(text);
      requireAtomic(model, PREFIX + "model=" + text);
      return model;
    } catch (IllegalArgumentException e) {
      throw new CacheException(PREFIX + "model=" + text + ": " + e.getMessage(), e);
    }
  }

  private static AllowedClasses classes(String text) {
    try {
      return text == null ? AllowedClasses.NONE : AllowedClasses.parse(text);
    } catch (IllegalArgumentException e) {
      throw new CacheException(PREFIX + "classes=" + text + ": " + e.getMessage(), e);
    }
  }

  /** Refuses a model that no cache can have, which was asked for there. */
  static void requireAtomic(Ddp model, String where) {
    if (!model.consistency().isAtomic()) {
      throw new CacheException(
          where
              + " is no model for a cache: putIfAbsent, replace and entry processors need nodes"
              + " that agree, as with "
              + Consistency.atomic()
              + " consistency");
    }
  }
}
