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
package org.orcagrid.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.apache.zookeeper.Version;
import picocli.CommandLine.IVersionProvider;

/** What {@code orca --version} prints. */
final class ProductVersion implements IVersionProvider {
  /** Maven's jar plugin writes it; it is absent when running from class folders. */
  private static final String POM_PROPERTIES =
      "/META-INF/maven/org.orcagrid/orca-server/pom.properties";

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {
      "Orca Grid "
          + ownVersion()
          + " (ZooKeeper "
          + Version.getVersion()
          + ", Java "
          + System.getProperty("java.version")
          + ")"
    };
  }

  private static String ownVersion() throws IOException {
    try (InputStream in = ProductVersion.class.getResourceAsStream(POM_PROPERTIES)) {
      if (in == null) {
        return "(not packaged)";
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    }
  }
}
