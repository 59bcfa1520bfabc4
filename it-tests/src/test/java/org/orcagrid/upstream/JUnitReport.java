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
package org.orcagrid.upstream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What the JUnit launcher reports about one test class.
 *
 * @param passed tests that passed
 * @param skipped tests that were skipped
 * @param failures the names of the methods that failed
 */
record JUnitReport(int passed, int skipped, List<String> failures) {
  JUnitReport {
    failures = List.copyOf(failures);
  }

  /** Adds up the XML files in a directory; a directory that is not there reports no test. */
  static JUnitReport read(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return new JUnitReport(0, 0, List.of());
    }
    int passed = 0;
    int skipped = 0;
    List<String> failures = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".xml")).sorted().toList()) {
        NodeList cases = parse(file).getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
          Element testCase = (Element) cases.item(i);
          if (has(testCase, "failure") || has(testCase, "error")) {
            failures.add(methodName(testCase));
          } else if (has(testCase, "skipped")) {
            skipped++;
          } else {
            passed++;
          }
        }
      }
    }
    return new JUnitReport(passed, skipped, failures);
  }

  /** Whether any test is in it. */
  boolean isEmpty() {
    return passed + skipped + failures.size() == 0;
  }

  private static boolean has(Element testCase, String child) {
    return testCase.getElementsByTagName(child).getLength() > 0;
  }

  /** {@code testMany(int, boolean)[2]} is {@code testMany}. */
  private static String methodName(Element testCase) {
    return testCase.getAttribute("name").replaceFirst("[(\\[{].*", "");
  }

  private static Document parse(Path file) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      return factory.newDocumentBuilder().parse(file.toFile());
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("not a JUnit report: " + file, e);
    }
  }
}
