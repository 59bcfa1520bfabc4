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
package org.orcagrid.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Whoever adds a rule of a protocol adds a test that takes it away and has to find it broken.
 *
 * <p>Such a test names the rule where it makes the others ({@code Rule.without(Rule.X)}, {@code
 * allBut}, {@code remove}), or it has a parameter of the enum and says with {@code CsvSource} or
 * {@code EnumSource} which values it takes.
 */
class MutantsTest {
  private static final Pattern ENUM = Pattern.compile("enum (\\w+(?:Rule|Mutation)|Rule) \\{");
  private static final Pattern CONSTANT = Pattern.compile("(?m)^  ([A-Z][A-Z0-9_]*)[,;]?$");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

  /** The protocol as it ships. */
  private static final String NOTHING_IS_BROKEN = "NONE";

  private final Sources sources = new Sources();

  /** An enum of rules, or of ways to break them. */
  private record Rules(String inPackage, String name, Set<String> all) {
    /** Whether a test's text speaks of it. */
    boolean isIn(String text) {
      return text.contains("import " + inPackage + "." + name + ";")
          || text.contains("\npackage " + inPackage + ";");
    }

    /** Those that a test takes away. */
    Set<String> takenAwayBy(String text) {
      Set<String> taken = new HashSet<>();
      Matcher named =
          Pattern.compile("(?:without|allBut|remove)\\(\\s*" + name + "\\.(\\w+)\\)").matcher(text);
      while (named.find()) {
        taken.add(named.group(1));
      }
      Matcher tests =
          Pattern.compile(
                  "@(Csv|Enum)Source([^;{]*(?:\\{[^}]*\\})?[^;{]*)void \\w+\\(" + name + " ")
              .matcher(text);
      while (tests.find()) {
        taken.addAll(
            tests.group(1).equals("Csv") ? firstOfEach(tests.group(2)) : chosen(tests.group(2)));
      }
      return taken;
    }

    private static Set<String> firstOfEach(String rows) {
      return allOf(Pattern.compile("\"([A-Z0-9_]+)"), rows);
    }

    private Set<String> chosen(String source) {
      Set<String> names = firstOfEach(source);
      if (names.isEmpty()) {
        return all;
      }
      if (!source.contains("EXCLUDE")) {
        return names;
      }
      Set<String> others = new HashSet<>(all);
      others.removeAll(names);
      return others;
    }
  }

  private static Set<String> allOf(Pattern pattern, String text) {
    Set<String> found = new TreeSet<>();
    for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static Rules rules(String text, String name) {
    Matcher inPackage = PACKAGE.matcher(text);
    assertTrue(inPackage.find(), name);
    Set<String> all = allOf(CONSTANT, text);
    all.remove(NOTHING_IS_BROKEN);
    return new Rules(inPackage.group(1), name, all);
  }

  @Test
  void eachRuleIsTakenAwayByATest() throws IOException {
    List<Rules> enums = new ArrayList<>();
    List<String> tests = new ArrayList<>();
    for (Path file : sources.files()) {
      String text = Files.readString(file);
      Matcher found = ENUM.matcher(text);
      if (found.find()) {
        enums.add(rules(text, found.group(1)));
      }
      if (file.getFileName().toString().endsWith("Test.java")) {
        tests.add(text);
      }
    }
    assertTrue(enums.size() >= 9, enums::toString);
    List<String> missing = new ArrayList<>();
    for (Rules each : enums) {
      Set<String> untaken = new TreeSet<>(each.all());
      tests.stream().filter(each::isIn).forEach(test -> untaken.removeAll(each.takenAwayBy(test)));
      untaken.forEach(rule -> missing.add(each.inPackage() + "." + each.name() + "." + rule));
    }
    assertEquals(List.of(), missing, "Rules that no test takes away");
  }

  @Test
  void aRuleThatNoTestTakesAwayIsMissed() {
    Rules some =
        rules(
            """
            package a.b;
            enum SomeRule {
              ONE,
              TWO,
              THREE,
              FOUR
            }
            """,
            "SomeRule");
    String test =
        """

        package a.b;
        @ParameterizedTest
        @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ONE", "TWO"})
        void found(SomeRule broken) {}
        @Test
        void other() { of(SomeRule.without(SomeRule.ONE)); }
        """;
    assertTrue(some.isIn(test));
    assertEquals(Set.of("ONE", "THREE", "FOUR"), some.takenAwayBy(test));
    String rows = "@CsvSource({\"TWO, a/b\", \"FOUR, a/b\"})void found(SomeRule broken, String m)";
    assertEquals(Set.of("TWO", "FOUR"), some.takenAwayBy(rows));
    assertEquals(some.all(), some.takenAwayBy("@EnumSource\nvoid found(SomeRule broken) {}"));
  }
}
