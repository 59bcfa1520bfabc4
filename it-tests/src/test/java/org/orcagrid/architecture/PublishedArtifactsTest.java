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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * What the POMs say of the modules that are published. What is in their jars, build/consumer.sh
 * looks at.
 */
class PublishedArtifactsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void bomNamesExactlyWhatIsPublished() throws Exception {
    Set<String> published = new TreeSet<>();
    for (Element module : publishedModules()) {
      String name = text(module, "artifactId");
      published.add(name + ":jar");
      if (hasTestJar(name)) {
        published.add(name + ":test-jar");
      }
    }
    Set<String> named = new TreeSet<>();
    for (Element entry : children(child(child(bom(), "dependencyManagement"), "dependencies"))) {
      assertEquals("org.orcagrid", text(entry, "groupId"), "The BOM pins somebody else's module");
      assertEquals("${project.version}", text(entry, "version"));
      String type = text(entry, "type");
      named.add(text(entry, "artifactId") + ":" + (type == null ? "jar" : type));
    }
    assertEquals(
        published,
        named,
        "A module is either in bom/pom.xml or has maven.deploy.skip=true in its properties");
  }

  @Test
  void bomStandsAlone() throws Exception {
    Element bom = bom();
    assertNull(child(bom, "parent"), "What imports a BOM gets what its parent manages, too");
    Element root = pom("");
    assertEquals(text(root, "version"), text(bom, "version"));
    for (String same : List.of("url", "organization", "licenses", "developers", "scm")) {
      assertEquals(
          child(root, same).getTextContent(),
          child(bom, same).getTextContent(),
          same + " of bom/pom.xml");
    }
  }

  @Test
  void publishedPomsSayWhatPublicRepositoriesAskFor() throws Exception {
    List<Element> poms = new ArrayList<>(publishedModules());
    poms.add(bom());
    poms.add(pom(""));
    for (Element pom : poms) {
      for (String name : List.of("name", "description")) {
        assertFalse(
            text(pom, name) == null || text(pom, name).isBlank(),
            text(pom, "artifactId") + " has no " + name);
      }
      // A module would hand its users what it got from there.
      assertNull(child(pom, "repositories"), text(pom, "artifactId"));
    }
    for (String name : List.of("url", "licenses", "developers", "scm")) {
      assertFalse(child(pom(""), name).getTextContent().isBlank(), name);
    }
  }

  @Test
  void moduleNamesAreTheirOwn() throws Exception {
    Set<String> names = new HashSet<>();
    for (Element module : publishedModules()) {
      String name = text(child(module, "properties"), "orca.module");
      assertFalse(
          name == null || !name.matches("org\\.orcagrid(\\.[a-z]+)+") || !names.add(name),
          "orca.module of " + text(module, "artifactId") + " is " + name);
    }
  }

  /** The POMs of the modules with jars that are not kept from being published. */
  private static List<Element> publishedModules() throws Exception {
    List<Element> published = new ArrayList<>();
    for (Element module : children(child(pom(""), "modules"))) {
      Element pom = pom(module.getTextContent());
      Element properties = child(pom, "properties");
      boolean skipped = properties != null && "true".equals(text(properties, "maven.deploy.skip"));
      if (!skipped && !"pom".equals(text(pom, "packaging"))) {
        published.add(pom);
      }
    }
    return published;
  }

  private static boolean hasTestJar(String module) throws Exception {
    return Files.readString(ROOT.resolve(module).resolve("pom.xml"))
        .contains("<goal>test-jar</goal>");
  }

  private static Element bom() throws Exception {
    return pom("bom");
  }

  private static Element pom(String folder) throws Exception {
    Path file = ROOT.resolve(folder).resolve("pom.xml");
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(file.toFile())
        .getDocumentElement();
  }

  private static List<Element> children(Element parent) {
    List<Element> elements = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        elements.add(element);
      }
    }
    return elements;
  }

  /** The first child of that name, or null. */
  private static Element child(Element parent, String name) {
    return children(parent).stream()
        .filter(element -> element.getTagName().equals(name))
        .findFirst()
        .orElse(null);
  }

  /** The text of the first child of that name, or null. */
  private static String text(Element parent, String name) {
    Element child = child(parent, name);
    return child == null ? null : child.getTextContent().trim();
  }
}
