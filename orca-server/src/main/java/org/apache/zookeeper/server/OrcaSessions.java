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
package org.apache.zookeeper.server;

import org.apache.zookeeper.KeeperException.Code;

/** Options that a session has set for itself. They last as long as its connection. */
public final class OrcaSessions {

  private OrcaSessions() {}

  /**
   * Sets whether the writes of the session are answered once they are durable.
   *
   * @return {@code OK}, or {@code AUTHFAILED} if the connection cannot hold replies back
   */
  public static Code setWantsDurability(ServerCnxn connection, boolean wanted) {
    if (connection instanceof OrcaConnection ours) {
      ours.gate().setWantsDurability(wanted);
      return Code.OK;
    }
    return Code.AUTHFAILED;
  }

  /**
   * Sets whether each read of the session is confirmed by the leader before it is answered.
   *
   * @return {@code OK}, or {@code AUTHFAILED} if the connection is none of ours
   */
  public static Code setWantsConfirmation(ServerCnxn connection, boolean wanted) {
    if (connection instanceof OrcaConnection ours) {
      ours.gate().setWantsConfirmation(wanted);
      return Code.OK;
    }
    return Code.AUTHFAILED;
  }

  /** Whether each read of the session is confirmed by the leader before it is answered. */
  public static boolean wantsConfirmation(ServerCnxn connection) {
    return connection instanceof OrcaConnection ours && ours.gate().wantsConfirmation();
  }
}
