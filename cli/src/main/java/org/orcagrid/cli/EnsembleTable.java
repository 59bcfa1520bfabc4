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

import java.util.ArrayList;
import java.util.List;

/** What {@code orca ensemble} prints of its servers: aligned columns and the connect string. */
final class EnsembleTable {
  private final TextTable table =
      new TextTable(List.of("server", "role", "client", "admin", "data folder"));
  private final List<EnsembleMember> members = new ArrayList<>();

  private final StringBuilder consoles = new StringBuilder();

  void add(EnsembleMember member, String role) throws CommandFailure {
    EnsembleFiles.console(member)
        .ifPresent(
            url ->
                consoles
                    .append("Console of server ")
                    .append(member.id())
                    .append(": ")
                    .append(url)
                    .append('\n'));
    members.add(member);
    table.add(
        List.of(
            Integer.toString(member.id()),
            role,
            Integer.toString(member.clientPort()),
            member.adminPort() == 0 ? "off" : Integer.toString(member.adminPort()),
            member.dataDir().toString()));
  }

  @Override
  public String toString() {
    return table + "\nConnect string: " + EnsembleMember.connectString(members) + "\n" + consoles;
  }
}
