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

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The classes whose objects a cache may write and read with Java's serialization. They are those
 * that were named and, once any is named, the JDK's values and collections that those have as
 * fields. Reading a serialized object runs code of its class. So every writer of a grid could
 * choose what its readers run.
 *
 * <p>Names are as in the JDK's {@link java.io.ObjectInputFilter}, which is not used for them: it is
 * for reading alone, and does not say which class it has refused.
 *
 * @param names of classes; {@code com.shop.*} for those of a package and {@code com.shop.**} for
 *     those below it, too
 */
record AllowedClasses(List<String> names) {
  static final AllowedClasses NONE = new AllowedClasses(List.of());

  private static final Pattern NAME =
      Pattern.compile(
          "([\\p{javaJavaIdentifierPart}]+\\.)*([\\p{javaJavaIdentifierPart}]+|\\*\\*?)");

  /** What objects consist of: none of these does more than put itself together. */
  private static final Set<String> OF_VALUES =
      Set.of(
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Character",
          "java.lang.Double",
          "java.lang.Enum",
          "java.lang.Float",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Number",
          "java.lang.Object",
          "java.lang.Short",
          "java.lang.String",
          "java.math.BigDecimal",
          "java.math.BigInteger",
          "java.net.URI",
          "java.util.AbstractList",
          "java.util.ArrayDeque",
          "java.util.ArrayList",
          "java.util.Arrays$ArrayList",
          "java.util.BitSet",
          "java.util.CollSer",
          "java.util.Currency",
          "java.util.Date",
          "java.util.EnumMap",
          "java.util.EnumSet$SerializationProxy",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.LinkedHashMap",
          "java.util.LinkedHashSet",
          "java.util.LinkedList",
          "java.util.Locale",
          "java.util.TreeMap",
          "java.util.TreeSet",
          "java.util.UUID");

  AllowedClasses {
    names = List.copyOf(names);
  }

  /**
   * Those of a setting.
   *
   * @param text names with commas between them
   * @throws IllegalArgumentException if one is no name; the message says what one is
   */
  static AllowedClasses parse(String text) {
    List<String> names =
        Stream.of(text.split(",", -1)).map(String::strip).filter(name -> !name.isEmpty()).toList();
    for (String name : names) {
      // A star alone would be everything, which is what nobody should ask for.
      if (!NAME.matcher(name).matches() || name.startsWith("*")) {
        throw new IllegalArgumentException(
            "'"
                + name
                + "' names no classes, as com.shop.Order, com.shop.* (of a package) and"
                + " com.shop.** (and below it) do");
      }
    }
    return new AllowedClasses(names);
  }

  boolean isEmpty() {
    return names.isEmpty();
  }

  /**
   * Whether objects of a class, or of arrays of it, are written and read.
   *
   * @param name as {@link Class#getName} has it
   */
  boolean has(String name) {
    String element = name.replaceFirst("^\\[+", "");
    if (element.length() < name.length()) {
      if (element.length() == 1) {
        return !isEmpty();
      }
      element = element.substring(1, element.length() - 1);
    }
    String of = element;
    return !isEmpty()
        && (OF_VALUES.contains(of)
            || of.startsWith("java.time.")
            || names.stream().anyMatch(each -> matches(each, of)));
  }

  private static boolean matches(String pattern, String name) {
    if (pattern.endsWith(".**")) {
      return name.startsWith(pattern.substring(0, pattern.length() - 2));
    }
    if (pattern.endsWith(".*")) {
      String ofPackage = pattern.substring(0, pattern.length() - 1);
      return name.startsWith(ofPackage) && name.indexOf('.', ofPackage.length()) < 0;
    }
    return name.equals(pattern);
  }
}
