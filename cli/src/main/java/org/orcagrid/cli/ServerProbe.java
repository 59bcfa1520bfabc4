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
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server answers to {@code srvr}.
 *
 * @param answer whether it serves clients
 * @param role leader, follower, observer, standalone, read-only; or "-" when it does not say
 * @param zxid the last transaction it knows, in hexadecimal with 0x; or "-"
 * @param connections how many client connections it has, this one included; -1 when it does not say
 */
public record ServerProbe(Answer answer, String role, String zxid, int connections) {
  private static final String READ_ONLY = "read-only";
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Pattern MODE = Pattern.compile("(?m)^Mode: (\\S+)");
  private static final Pattern ZXID = Pattern.compile("(?m)^Zxid: (\\S+)");
  private static final Pattern CONNECTIONS = Pattern.compile("(?m)^Connections: (\\d+)");

  /** Whether a server serves clients, as far as it can be told from outside. */
  public enum Answer {
    /** Nobody listens, or nobody answers in time. */
    NONE,
    /**
     * The server is up but serves no client, for want of a quorum; at most those that asked for
     * reads only.
     */
    NOT_SERVING,
    /** The server is up; its 4lw.commands.whitelist forbids to ask for more. */
    SILENT,
    /** The server serves clients. */
    SERVING
  }

  /** Asks the server at {@code client}; takes up to four seconds when it hangs. */
  public static ServerProbe of(InetSocketAddress client) {
    try {
      return parse(FourLetterWord.ask(client, "srvr", TIMEOUT));
    } catch (IOException e) {
      // Not an error but the finding: a server that is down, paused or starting gives no answer.
      return silent(Answer.NONE);
    }
  }

  static ServerProbe parse(String text) {
    Matcher mode = MODE.matcher(text);
    if (mode.find()) {
      Matcher zxid = ZXID.matcher(text);
      Matcher connections = CONNECTIONS.matcher(text);
      return new ServerProbe(
          mode.group(1).equals(READ_ONLY) ? Answer.NOT_SERVING : Answer.SERVING,
          mode.group(1),
          zxid.find() ? zxid.group(1) : "-",
          connections.find() ? Integer.parseInt(connections.group(1)) : -1);
    }
    if (text.contains("not currently serving requests")) {
      return silent(Answer.NOT_SERVING);
    }
    return silent(text.contains("not in the whitelist") ? Answer.SILENT : Answer.NONE);
  }

  /** Returns whether clients are served, as far as the server says. */
  public boolean serving() {
    return answer == Answer.SERVING;
  }

  /** Returns whether the server has no quorum, and shows what its own log has. */
  boolean readOnly() {
    return role.equals(READ_ONLY);
  }

  /** Returns whether the server orders the writes, be it of an ensemble or on its own. */
  public boolean leads() {
    return role.equals("leader") || role.equals("standalone");
  }

  private static ServerProbe silent(Answer answer) {
    return new ServerProbe(answer, "-", "-", -1);
  }
}
