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
package org.orcagrid.server.settings;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.orcagrid.cad.LeaseTimes;

/**
 * The {@code orca.*} settings of one server, validated.
 *
 * @param durability when a write is made durable
 * @param replication when a write is acknowledged
 * @param readers which servers answer reads from their own state
 * @param flushIntervalNanos longest time that a logged write waits for the background flush to
 *     start
 * @param leases who may answer reads, and for how long
 * @param unreplicatedCountMax bound of the unreplicated window in writes
 * @param unreplicatedBytesMax bound of the unreplicated window in bytes
 * @param unreplicatedAgeMaxNanos bound of the unreplicated window in time
 * @param undurableBytesMax bound of what is acknowledged and not durable, in bytes
 * @param undurableAgeMaxNanos bound of what is acknowledged and not durable, in time
 * @param immediatePaths writes to these paths and below them are answered once they are durable
 * @param visibility when a leader shows a write
 * @param gatedWrites which successful writes are answered once they are durable
 * @param heldRepliesMax replies that one connection may have waiting before it is not read from
 * @param fsyncDelayNanos added to every fsync of the log; for measurements only
 * @param console where the web console is served; null for none
 * @param grid the node of the grid that this server hosts; null for none
 * @param losesUnforced whether killing the process loses what was not forced; for experiments only
 */
public record OrcaSettings(
    Durability durability,
    Replication replication,
    Readers readers,
    long flushIntervalNanos,
    LeaseSettings leases,
    int unreplicatedCountMax,
    long unreplicatedBytesMax,
    long unreplicatedAgeMaxNanos,
    long undurableBytesMax,
    long undurableAgeMaxNanos,
    List<String> immediatePaths,
    GatedWrites gatedWrites,
    Visibility visibility,
    int heldRepliesMax,
    InetSocketAddress console,
    HostedGrid grid,
    long fsyncDelayNanos,
    boolean losesUnforced) {

  /** What every setting's name starts with, in {@code zoo.cfg}. */
  public static final String PREFIX = "orca.";

  private static final String SYSTEM_PREFIX = "zookeeper." + PREFIX;
  private static final String DURABILITY = "durability";
  private static final String REPLICATION = "replication";
  private static final String READERS = "readers";
  private static final String FLUSH_INTERVAL_MS = "flushIntervalMs";
  private static final String HEARTBEAT_MS = "heartbeatMs";
  private static final String MARK_OUT_MS = "markOutMs";
  private static final String REMOVAL_MS = "removalMs";
  private static final String PROMISE_MS = "promiseMs";
  private static final String ACTIVE_SET_SIZE = "activeSetSize";
  private static final String SLOW_MS = "slowMs";
  private static final String READ_HOLD_MS = "readHoldMs";
  private static final String READ_CONSISTENCY = "readConsistency";
  private static final String UNREPLICATED_COUNT = "maxUnreplicatedCount";
  private static final String UNREPLICATED_BYTES = "maxUnreplicatedBytes";
  private static final String UNREPLICATED_MS = "maxUnreplicatedMs";
  private static final String UNDURABLE_BYTES = "maxUndurableBytes";
  private static final String UNDURABLE_MS = "maxUndurableMs";
  private static final String IMMEDIATE_PATHS = "immediatePaths";
  private static final String GATED_WRITES = "gatedWrites";
  private static final String VISIBILITY = "visibility";
  private static final String HELD_REPLIES = "maxHeldReplies";
  private static final String CONSOLE_PORT = "consolePort";
  private static final String CONSOLE_ADDRESS = "consoleAddress";
  private static final String GRID = "grid";
  private static final String FSYNC_DELAY_MS = "test.fsyncDelayMs";
  private static final String LOSE_UNFORCED = "test.loseUnforced";

  /**
   * Often enough that most writes are durable before they are read; a fraction of a disk's time.
   */
  private static final double CAD_FLUSH_MS = 10;

  /** "100 ms in our implementation" (section 4.6). */
  private static final double HEARTBEAT_DEFAULT_MS = 100;

  /** What a power cut of all servers may take when their disks hang. */
  private static final double UNDURABLE_DEFAULT_MS = 1_000;

  private static final String MONOTONIC = "monotonic";
  private static final String LINEARIZABLE = "linearizable";

  /** Nothing waits for it; it bounds what a power cut of all servers takes. */
  private static final double ASYNC_FLUSH_MS = 1_000;

  private static final Set<String> KEYS =
      withNames(
          HostedGrid.NAMES,
          DURABILITY,
          REPLICATION,
          READERS,
          FLUSH_INTERVAL_MS,
          HEARTBEAT_MS,
          MARK_OUT_MS,
          REMOVAL_MS,
          PROMISE_MS,
          ACTIVE_SET_SIZE,
          SLOW_MS,
          READ_HOLD_MS,
          READ_CONSISTENCY,
          UNREPLICATED_COUNT,
          UNREPLICATED_BYTES,
          UNREPLICATED_MS,
          UNDURABLE_BYTES,
          UNDURABLE_MS,
          IMMEDIATE_PATHS,
          GATED_WRITES,
          VISIBILITY,
          HELD_REPLIES,
          CONSOLE_PORT,
          CONSOLE_ADDRESS,
          GRID,
          FSYNC_DELAY_MS,
          LOSE_UNFORCED);

  private static Set<String> withNames(Set<String> some, String... others) {
    Set<String> all = new TreeSet<>(some);
    all.addAll(List.of(others));
    return all;
  }

  /** Copies the list, so that the settings stay as they are. */
  public OrcaSettings {
    immediatePaths = List.copyOf(immediatePaths);
  }

  /**
   * Reads the settings out of {@code zoo.cfg}'s keys, and for what is not there out of system
   * properties named {@code zookeeper.orca.*}, as ZooKeeper does for its own.
   *
   * @throws OrcaConfigException if a key is unknown or a value cannot be used
   */
  public static OrcaSettings from(Properties zooCfg) throws OrcaConfigException {
    Properties all = new Properties();
    copy(System.getProperties(), SYSTEM_PREFIX, all);
    copy(zooCfg, PREFIX, all);
    for (String key : new TreeSet<>(all.stringPropertyNames())) {
      if (!KEYS.contains(key)) {
        throw new OrcaConfigException(
            "Unknown setting "
                + PREFIX
                + key
                + "; remove it or use one of: "
                + String.join(", ", new TreeSet<>(KEYS.stream().map(k -> PREFIX + k).toList()))
                + ".");
      }
    }
    Durability durability = choice(all, DURABILITY, Durability.class, Durability.CAD);
    Replication replication =
        choice(
            all,
            REPLICATION,
            Replication.class,
            durability == Durability.SYNC ? Replication.SYNC : Replication.ASYNC);
    if (durability == Durability.SYNC && replication == Replication.ASYNC) {
      throw new OrcaConfigException(
          "orca.durability=sync needs orca.replication=sync, since a write that is durable on a"
              + " quorum has been replicated; remove orca.replication or choose another"
              + " durability.");
    }
    Readers readers = choice(all, READERS, Readers.class, Readers.ACTIVE_SET);
    if (replication == Replication.ACTIVE_SET && readers != Readers.ACTIVE_SET) {
      throw new OrcaConfigException(
          "orca.replication=active-set needs orca.readers=active-set, and this server has"
              + " orca.readers="
              + lower(readers)
              + "; remove orca.readers or choose another replication.");
    }
    long flushInterval =
        millis(
            all,
            FLUSH_INTERVAL_MS,
            durability == Durability.ASYNC ? ASYNC_FLUSH_MS : CAD_FLUSH_MS,
            0.1,
            60_000);
    LeaseSettings leases = leases(all);
    return new OrcaSettings(
        durability,
        replication,
        readers,
        flushInterval,
        leases,
        (int) number(all, UNREPLICATED_COUNT, 10_000, 1, 10_000_000),
        number(all, UNREPLICATED_BYTES, 64L << 20, 1, 16L << 30),
        millis(all, UNREPLICATED_MS, 1_000, 1, 3_600_000),
        number(all, UNDURABLE_BYTES, 64L << 20, 1, 16L << 30),
        undurableAgeMax(all, durability, flushInterval + leases.times().heartbeatNanos()),
        paths(all),
        choice(all, GATED_WRITES, GatedWrites.class, GatedWrites.CONDITIONAL),
        visibility(all, durability),
        (int) number(all, HELD_REPLIES, 1_000, 1, 1_000_000),
        console(all),
        grid(all),
        millis(all, FSYNC_DELAY_MS, 0, 0, 10_000),
        flag(all, LOSE_UNFORCED));
  }

  /** The defaults: CAD with asynchronous replication and reads by the active set. */
  public static OrcaSettings defaults() {
    try {
      return from(new Properties());
    } catch (OrcaConfigException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** Whether replies are held until what they show is durable. */
  public boolean gatesReads() {
    return durability == Durability.CAD;
  }

  /** Whether reads depend on leases: the leader's own at least. */
  public boolean needsLeases() {
    return readers != Readers.ALL;
  }

  /** Whether the log is flushed apart from the acknowledgement of writes. */
  public boolean flushesInBackground() {
    return durability != Durability.SYNC;
  }

  /** One line for the log, with the names and values as an operator would write them. */
  public String describe() {
    StringJoiner text = new StringJoiner(" ");
    add(text, DURABILITY, lower(durability));
    add(text, REPLICATION, lower(replication));
    add(text, READERS, lower(readers));
    add(text, FLUSH_INTERVAL_MS, toMillis(flushIntervalNanos));
    add(text, HEARTBEAT_MS, toMillis(leases.times().heartbeatNanos()));
    add(text, MARK_OUT_MS, toMillis(leases.times().markOutNanos()));
    add(text, REMOVAL_MS, toMillis(leases.times().removalNanos()));
    add(text, PROMISE_MS, toMillis(leases.times().promiseNanos()));
    add(text, ACTIVE_SET_SIZE, leases.size());
    add(text, SLOW_MS, toMillis(leases.slowNanos()));
    add(text, READ_HOLD_MS, toMillis(leases.holdNanos()));
    add(text, READ_CONSISTENCY, leases.linearizable() ? LINEARIZABLE : MONOTONIC);
    add(text, UNREPLICATED_COUNT, unreplicatedCountMax);
    add(text, UNREPLICATED_BYTES, unreplicatedBytesMax);
    add(text, UNREPLICATED_MS, toMillis(unreplicatedAgeMaxNanos));
    add(text, UNDURABLE_BYTES, undurableBytesMax);
    add(text, UNDURABLE_MS, toMillis(undurableAgeMaxNanos));
    add(text, IMMEDIATE_PATHS, String.join(",", immediatePaths));
    add(text, GATED_WRITES, lower(gatedWrites));
    if (durability == Durability.CAD) {
      add(text, VISIBILITY, lower(visibility));
    }
    add(text, HELD_REPLIES, heldRepliesMax);
    if (console != null) {
      add(text, CONSOLE_ADDRESS, console.getHostString());
      add(text, CONSOLE_PORT, console.getPort());
    }
    if (grid != null) {
      add(text, GRID, grid.address());
      Map<String, String> lines = grid.shown();
      HostedGrid.NAMES.stream()
          .sorted()
          .filter(lines::containsKey)
          .forEach(name -> add(text, name, lines.get(name)));
    }
    if (fsyncDelayNanos != 0) {
      add(text, FSYNC_DELAY_MS, toMillis(fsyncDelayNanos));
    }
    if (losesUnforced) {
      add(text, LOSE_UNFORCED, true);
    }
    return text.toString();
  }

  private static void add(StringJoiner text, String key, Object value) {
    text.add(PREFIX + key + "=" + value);
  }

  private static Visibility visibility(Properties all, Durability durability)
      throws OrcaConfigException {
    if (durability != Durability.CAD && all.containsKey(VISIBILITY)) {
      throw new OrcaConfigException(
          "orca.visibility is for orca.durability=cad, and this server has orca.durability="
              + lower(durability)
              + "; remove orca.visibility.");
    }
    return choice(all, VISIBILITY, Visibility.class, Visibility.ADAPTIVE);
  }

  private static LeaseSettings leases(Properties all) throws OrcaConfigException {
    long heartbeat = millis(all, HEARTBEAT_MS, HEARTBEAT_DEFAULT_MS, 1, 10_000);
    long markOut = millis(all, MARK_OUT_MS, 2 * toMs(heartbeat), 2, 60_000);
    long removal = millis(all, REMOVAL_MS, 5 * toMs(markOut), 10, 600_000);
    long promise = millis(all, PROMISE_MS, 3 * toMs(markOut), 6, 600_000);
    LeaseTimes times = new LeaseTimes(heartbeat, markOut, removal, promise);
    if (!times.isOrdered()) {
      throw new OrcaConfigException(
          "orca.heartbeatMs="
              + toMillis(heartbeat)
              + ", orca.markOutMs="
              + toMillis(markOut)
              + ", orca.removalMs="
              + toMillis(removal)
              + " and orca.promiseMs="
              + toMillis(promise)
              + " do not fit: mark-out must be at least twice the heartbeat, removal at least five"
              + " times mark-out, or a server could answer reads after it was removed, and promise"
              + " at least three times mark-out, or after there is a new leader.");
    }
    return new LeaseSettings(
        times,
        activeSetSize(all),
        millis(all, SLOW_MS, 2 * toMs(heartbeat), 1, 600_000),
        millis(all, READ_HOLD_MS, toMs(removal), 1, 600_000),
        linearizable(all));
  }

  /**
   * The bound in time. A write waits for the background flush, and a server without readers learns
   * with a heartbeat what is durable: a shorter bound would have writes wait on a healthy disk.
   */
  private static long undurableAgeMax(Properties all, Durability durability, long healthyNanos)
      throws OrcaConfigException {
    double defaultMs = Math.max(UNDURABLE_DEFAULT_MS, 2 * toMs(healthyNanos));
    long nanos = millis(all, UNDURABLE_MS, defaultMs, 1, 3_600_000);
    if (durability == Durability.CAD && nanos <= healthyNanos) {
      throw new OrcaConfigException(
          "orca.maxUndurableMs="
              + toMillis(nanos)
              + " must be longer than orca.flushIntervalMs and orca.heartbeatMs together, "
              + toMillis(healthyNanos)
              + ", or writes would wait while the disks are well; raise it or lower those.");
    }
    return nanos;
  }

  private static HostedGrid grid(Properties all) throws OrcaConfigException {
    String address = all.getProperty(GRID);
    if (address == null) {
      for (String name : new TreeSet<>(HostedGrid.NAMES)) {
        if (all.getProperty(name) != null) {
          throw new OrcaConfigException(
              PREFIX
                  + name
                  + " is a setting of the node of the grid, but there is no orca.grid; add it or"
                  + " remove this.");
        }
      }
      return null;
    }
    try {
      HostedGrid hosted = HostedGrid.of(address, all);
      if (!hosted.mayListen()) {
        throw new OrcaConfigException(
            "orca.grid="
                + address
                + ": nodes of other hosts have to prove who they are; set orca.grid.tls.keystore or"
                + " orca.grid.secret.file on all servers, or a loopback address, such as"
                + " 127.0.0.1:7200.");
      }
      return hosted;
    } catch (IllegalArgumentException e) {
      throw new OrcaConfigException("orca.grid=" + address + ": " + e.getMessage() + ".", e);
    }
  }

  private static InetSocketAddress console(Properties all) throws OrcaConfigException {
    int port = (int) number(all, CONSOLE_PORT, 0, 0, 65_535);
    if (port == 0) {
      return null;
    }
    String host = all.getProperty(CONSOLE_ADDRESS, "127.0.0.1");
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new OrcaConfigException(
          "orca.consoleAddress=" + host + " is no address of this machine that can be found.");
    }
    return address;
  }

  private static boolean flag(Properties all, String key) throws OrcaConfigException {
    String text = all.getProperty(key, "false");
    if (!text.equals("true") && !text.equals("false")) {
      throw new OrcaConfigException(PREFIX + key + "=" + text + " must be true or false.");
    }
    return text.equals("true");
  }

  private static LeaseSettings.Size activeSetSize(Properties all) throws OrcaConfigException {
    String text = all.getProperty(ACTIVE_SET_SIZE, "all");
    return switch (text) {
      case "all" -> new LeaseSettings.Size.All();
      case "majority" -> new LeaseSettings.Size.Majority();
      default -> new LeaseSettings.Size.Fixed((int) number(all, ACTIVE_SET_SIZE, 1, 1, 1_000));
    };
  }

  private static boolean linearizable(Properties all) throws OrcaConfigException {
    String text = all.getProperty(READ_CONSISTENCY, MONOTONIC);
    return switch (text) {
      case MONOTONIC -> false;
      case LINEARIZABLE -> true;
      default ->
          throw new OrcaConfigException(
              "orca.readConsistency="
                  + text
                  + " is not known; use one of: "
                  + MONOTONIC
                  + ", "
                  + LINEARIZABLE
                  + ".");
    };
  }

  private static double toMs(long nanos) {
    return nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
  }

  private static void copy(Properties from, String prefix, Properties to) {
    for (String name : from.stringPropertyNames()) {
      if (name.startsWith(prefix)) {
        to.setProperty(name.substring(prefix.length()), from.getProperty(name).trim());
      }
    }
  }

  private static <E extends Enum<E>> E choice(
      Properties all, String key, Class<E> type, E defaultValue) throws OrcaConfigException {
    String text = all.getProperty(key);
    if (text == null) {
      return defaultValue;
    }
    List<String> names = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      if (lower(constant).equals(text)) {
        return constant;
      }
      names.add(lower(constant));
    }
    throw new OrcaConfigException(
        PREFIX + key + "=" + text + " is not known; use one of: " + String.join(", ", names) + ".");
  }

  private static long millis(Properties all, String key, double defaultMs, double min, double max)
      throws OrcaConfigException {
    String text = all.getProperty(key);
    double ms = defaultMs;
    if (text != null) {
      try {
        ms = Double.parseDouble(text);
      } catch (NumberFormatException e) {
        throw outOfRange(key, text, "milliseconds", plain(min), plain(max), e);
      }
    }
    if (!(ms >= min && ms <= max)) {
      throw outOfRange(key, text, "milliseconds", plain(min), plain(max), null);
    }
    return Math.round(ms * TimeUnit.MILLISECONDS.toNanos(1));
  }

  private static long number(Properties all, String key, long defaultValue, long min, long max)
      throws OrcaConfigException {
    String text = all.getProperty(key);
    long value = defaultValue;
    if (text != null) {
      try {
        value = Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw outOfRange(key, text, "a whole number", Long.toString(min), Long.toString(max), e);
      }
    }
    if (value < min || value > max) {
      throw outOfRange(key, text, "a whole number", Long.toString(min), Long.toString(max), null);
    }
    return value;
  }

  private static OrcaConfigException outOfRange(
      String key, String text, String unit, String min, String max, Exception cause) {
    return new OrcaConfigException(
        PREFIX + key + "=" + text + " must be " + unit + " from " + min + " to " + max + ".",
        cause);
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  private static List<String> paths(Properties all) throws OrcaConfigException {
    List<String> paths = new ArrayList<>();
    for (String each : all.getProperty(IMMEDIATE_PATHS, "").split(",")) {
      String path = each.trim();
      if (path.isEmpty()) {
        continue;
      }
      if (!path.startsWith("/") || (path.length() > 1 && path.endsWith("/"))) {
        throw new OrcaConfigException(
            PREFIX
                + IMMEDIATE_PATHS
                + " contains "
                + path
                + ", which is no znode path; write paths such as /locks, with a leading and without"
                + " a trailing slash, separated by commas.");
      }
      paths.add(path);
    }
    return paths;
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String toMillis(long nanos) {
    return plain(nanos / 1e6);
  }
}
