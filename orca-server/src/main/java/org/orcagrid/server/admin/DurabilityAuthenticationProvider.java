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
package org.orcagrid.server.admin;

import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.server.OrcaSessions;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.auth.AuthenticationProvider;
import org.apache.zookeeper.server.auth.ProviderRegistry;

/**
 * Lets a session ask for immediate durability in the words that every client library has: {@code
 * addAuth("orca", "durability=sync")}, and back with {@code durability=default}; and for
 * linearizable reads with {@code read=linearizable} and {@code read=default}.
 *
 * <p>It adds no identity, and is never "authenticated": such an identity would enter the access
 * lists that clients make with {@code CREATOR_ALL}.
 */
public final class DurabilityAuthenticationProvider implements AuthenticationProvider {

  private static final String SCHEME = "orca";
  private static final String PROPERTY = ProviderRegistry.AUTHPROVIDER_PROPERTY_PREFIX + SCHEME;

  /** Makes the scheme known to servers that start from now on. */
  public static void register() {
    System.setProperty(PROPERTY, DurabilityAuthenticationProvider.class.getName());
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public Code handleAuthentication(ServerCnxn connection, byte[] data) {
    String text = data == null ? "" : new String(data, StandardCharsets.UTF_8);
    return switch (text) {
      case "durability=sync" -> OrcaSessions.setWantsDurability(connection, true);
      case "durability=default" -> OrcaSessions.setWantsDurability(connection, false);
      case "read=linearizable" -> OrcaSessions.setWantsConfirmation(connection, true);
      case "read=default" -> OrcaSessions.setWantsConfirmation(connection, false);
      default -> Code.AUTHFAILED;
    };
  }

  @Override
  public boolean matches(String id, String aclExpr) {
    return false;
  }

  @Override
  public boolean isAuthenticated() {
    return false;
  }

  @Override
  public boolean isValid(String id) {
    return false;
  }
}
