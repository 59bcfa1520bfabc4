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
package org.orcagrid.mixed.store.orca;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Encoding;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Role;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.Traits;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.VectorClock;

/**
 * A linearizable store in an ensemble of ORCA or of ZooKeeper. Each object is a znode with its
 * context, and a commit is one {@code multi} that checks the versions of all that was read. It asks
 * ORCA to be durable at once (ORCA.md, {@code check("/zookeeper", -1)}), whatever the server's
 * setting is. It decides, and prepares nothing.
 */
public final class OrcaStore implements Store {
  private static final long BUCKET_MILLIS = TimeUnit.SECONDS.toMillis(10);
  private static final int BYTES_MAX = 1_000_000;
  private static final int TIMES_MAX = 20;

  /** ORCA's sign for what is to be durable at once. */
  private static final Op DURABLE = Op.check("/zookeeper", -1);

  private final Traits traits;
  private final String root;
  private final Encoding encoding;
  private final Session session;

  /** As read last; the version is checked at each commit. Null before. */
  private volatile Floors known;

  /** How reads are made linearizable. */
  public enum Reads {
    /** With {@code addAuth("orca", "read=linearizable")}, which ORCA's servers know. */
    LINEARIZABLE,
    /** With a {@code sync} before them, at any server. */
    SYNC
  }

  /**
   * Connects to an ensemble.
   *
   * @param address as for ZooKeeper's client
   * @param root below which all its nodes are, as {@code /mixed}
   * @throws StoreException if the ensemble does not answer
   */
  public OrcaStore(String name, String address, String root, Reads reads, Operations operations)
      throws StoreException {
    if (address.contains("/")) {
      throw new StoreException(
          "The address " + address + " has a path; give the store's own root instead", null);
    }
    this.traits = new Traits(name, Linearizable.class, name, Role.DECIDES, Merge.standard());
    this.root = root;
    this.encoding = new Encoding(operations);
    this.session = new Session(name, address, reads);
    for (String each : List.of("/objects", "/open", "/decided", "/floors")) {
      session.make(root + each);
    }
  }

  @Override
  public Traits traits() {
    return traits;
  }

  private String path(StoredObject object) {
    return root
        + "/objects/"
        + URLEncoder.encode(Encoding.key(object), StandardCharsets.UTF_8).replace(".", "%2E");
  }

  private String bucket(TransactionId id) {
    return root + "/decided/" + id.millis() / BUCKET_MILLIS;
  }

  private String decision(TransactionId id) {
    return bucket(id) + "/" + id;
  }

  private String open(TransactionId id) {
    return root + "/open/" + id;
  }

  private static Op make(String path, byte[] data) {
    return Op.create(path, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }

  private Found found(Session.Node node) {
    if (!node.isThere()) {
      return Found.NOTHING;
    }
    Found found = encoding.object(node.data());
    return new Found(found.value(), node.version() + 1L, found.clock(), found.context());
  }

  // --- reading -----------------------------------------------------------------------------------

  @Override
  public Snapshot read(Set<StoredObject> objects, Set<TransactionId> markers)
      throws StoreException {
    List<StoredObject> wanted = List.copyOf(objects);
    List<TransactionId> looked = List.copyOf(markers);
    List<String> paths = new ArrayList<>();
    looked.forEach(each -> paths.add(decision(each)));
    wanted.forEach(each -> paths.add(path(each)));
    if (!looked.isEmpty()) {
      paths.add(root + "/floors");
    }
    List<Session.Node> nodes = session.read(paths);
    Map<TransactionId, VectorClock> there = new HashMap<>();
    Floors floors = looked.isEmpty() ? null : Floors.of(nodes.get(nodes.size() - 1));
    for (int i = 0; i < looked.size(); i++) {
      Session.Node node = nodes.get(i);
      boolean isDecided = node.isThere() && Encoding.decision(node.data()).answer() == Answer.DONE;
      if (isDecided || looked.get(i).millis() <= floors.parts()) {
        there.put(looked.get(i), VectorClock.NONE);
      }
    }
    Map<StoredObject, Found> found = new HashMap<>();
    for (int i = 0; i < wanted.size(); i++) {
      found.put(wanted.get(i), found(nodes.get(looked.size() + i)));
    }
    return new Snapshot(found, VectorClock.NONE, VectorClock.NONE, there);
  }

  /** Up to when nothing is decided, parts are forgotten, and decisions. */
  private record Floors(int version, long refused, long parts, long forgotten) {
    static Floors of(Session.Node node) {
      if (!node.isThere() || node.data().length == 0) {
        return new Floors(node.isThere() ? node.version() : 0, -1, -1, -1);
      }
      String[] all = new String(node.data(), StandardCharsets.UTF_8).split(" ");
      return new Floors(
          node.version(), Long.parseLong(all[0]), Long.parseLong(all[1]), Long.parseLong(all[2]));
    }

    byte[] data() {
      return (refused + " " + parts + " " + forgotten).getBytes(StandardCharsets.UTF_8);
    }
  }

  private Floors floors() throws StoreException {
    return Floors.of(session.read(List.of(root + "/floors")).get(0));
  }

  /** What was read is checked where it is; what was not there is made and removed again. */
  private void addChecks(Part part, Set<StoredObject> written, List<Op> ops) {
    part.reads()
        .forEach(
            (object, version) -> {
              if (version > 0 && !written.contains(object)) {
                ops.add(Op.check(path(object), (int) (version - 1)));
              } else if (version == 0 && !written.contains(object)) {
                ops.add(make(path(object), new byte[0]));
                ops.add(Op.delete(path(object), -1));
              }
            });
  }

  @Override
  public Reply check(Part part) throws StoreException {
    List<Op> ops = new ArrayList<>();
    addChecks(part, Set.of(), ops);
    return Reply.of(session.multi(ops) == null ? Answer.DONE : Answer.CONFLICT);
  }

  // --- committing --------------------------------------------------------------------------------

  @Override
  public Reply decide(TransactionId id, Part part, Intent intent) throws StoreException {
    for (int times = 0; times < TIMES_MAX; times++) {
      Reply reply = decideOnce(id, part, intent);
      if (reply != null) {
        return reply;
      }
    }
    throw new StoreException(
        traits + " has changed " + TIMES_MAX + " times while it was written", null);
  }

  /** Null if it is to be tried again. */
  private Reply decideOnce(TransactionId id, Part part, Intent intent) throws StoreException {
    Map<StoredObject, Part.Write> writes = new LinkedHashMap<>();
    part.writes().forEach(each -> writes.put(each.object(), each));
    Map<StoredObject, Long> versions = versions(part, writes.keySet());
    Floors floors = known == null ? floors() : known;
    if (id.millis() <= Math.max(floors.refused(), floors.forgotten())) {
      Session.Node before = session.read(List.of(decision(id))).get(0);
      if (before.isThere()) {
        return Encoding.decision(before.data());
      }
    }
    if (id.millis() <= floors.forgotten()) {
      return Reply.of(Answer.FORGOTTEN);
    } else if (id.millis() <= floors.refused()) {
      return Reply.of(Answer.NEVER);
    }
    Map<StoredObject, Context.Stamp> stamps = new HashMap<>();
    versions.forEach(
        (object, version) -> stamps.put(object, new Context.Stamp(version + 1, id.millis())));
    Reply decided = Reply.decided(stamps);
    List<Op> ops = new ArrayList<>();
    ops.add(make(decision(id), Encoding.decision(decided)));
    ops.add(Op.check(root + "/floors", floors.version()));
    ops.add(DURABLE);
    long bytes = 0;
    if (!intent.isEmpty()) {
      byte[] data = encoding.intent(intent.with(stamps));
      bytes += data.length;
      ops.add(make(open(id), data));
    }
    int firstOfReads = ops.size();
    addChecks(part, writes.keySet(), ops);
    for (Map.Entry<StoredObject, Part.Write> each : writes.entrySet()) {
      Part.Write write = each.getValue();
      byte[] data = encoding.object(0, write.value(), write.context());
      bytes += data.length + path(each.getKey()).length();
      long version = versions.get(each.getKey());
      ops.add(
          version == 0
              ? make(path(each.getKey()), data)
              : Op.setData(path(each.getKey()), data, (int) (version - 1)));
    }
    checkSize(id, bytes);
    Session.Refusal refusal = session.multi(ops);
    return refusal == null ? decided : refused(id, part, refusal, firstOfReads);
  }

  private static void checkSize(TransactionId id, long bytes) {
    if (bytes > BYTES_MAX) {
      throw new IllegalTransactionException(
          id + " writes " + bytes + " bytes at once; " + BYTES_MAX + " are the most, so split it");
    }
  }

  /** Versions that are written over: those that were read, and else the present ones. */
  private Map<StoredObject, Long> versions(Part part, Set<StoredObject> written)
      throws StoreException {
    Map<StoredObject, Long> versions = new HashMap<>();
    List<StoredObject> unread = new ArrayList<>();
    for (StoredObject each : written) {
      Long read = part.reads().get(each);
      if (read == null) {
        unread.add(each);
      } else {
        versions.put(each, read);
      }
    }
    if (!unread.isEmpty()) {
      List<Session.Node> nodes = session.read(unread.stream().map(this::path).toList());
      for (int i = 0; i < unread.size(); i++) {
        versions.put(unread.get(i), found(nodes.get(i)).version());
      }
    }
    return versions;
  }

  private Reply refused(TransactionId id, Part part, Session.Refusal refusal, int firstOfReads)
      throws StoreException {
    if (refusal.at() == 0 && refusal.code() == KeeperException.Code.NONODE) {
      session.make(bucket(id));
      return null;
    } else if (refusal.at() == 0) {
      Session.Node before = session.read(List.of(decision(id))).get(0);
      return before.isThere() ? Encoding.decision(before.data()) : null;
    } else if (refusal.at() < firstOfReads) {
      known = floors();
      return null;
    }
    // What was read may be there still, and what was only written has changed in between.
    boolean isUnchanged = part.reads().isEmpty() || check(part).answer() == Answer.DONE;
    return isUnchanged ? null : remember(id, Answer.CONFLICT);
  }

  /** Keeps an answer, unless there is one already; that is returned then. */
  private Reply remember(TransactionId id, Answer answer) throws StoreException {
    for (int times = 0; times < TIMES_MAX; times++) {
      Session.Refusal refusal =
          session.multi(List.of(make(decision(id), Encoding.decision(Reply.of(answer))), DURABLE));
      if (refusal == null) {
        return Reply.of(answer);
      }
      if (refusal.code() == KeeperException.Code.NONODE) {
        session.make(bucket(id));
      } else {
        Session.Node node = session.read(List.of(decision(id))).get(0);
        if (node.isThere()) {
          return Encoding.decision(node.data());
        }
      }
    }
    throw new StoreException(traits + " does not keep what was decided", null);
  }

  @Override
  public Reply fence(TransactionId id) throws StoreException {
    Session.Node before = session.read(List.of(decision(id))).get(0);
    if (!before.isThere() && id.millis() <= floors().forgotten()) {
      return Reply.of(Answer.FORGOTTEN);
    }
    Reply reply = before.isThere() ? Encoding.decision(before.data()) : remember(id, Answer.NEVER);
    return reply.answer() == Answer.DONE ? reply : Reply.of(Answer.NEVER);
  }

  @Override
  public void close(Set<TransactionId> ids) throws StoreException {
    for (TransactionId each : ids) {
      remove(open(each));
    }
  }

  // --- for workers -------------------------------------------------------------------------------

  @Override
  public List<Intent> intents(long millis) throws StoreException {
    List<String> paths = new ArrayList<>();
    for (String each : session.children(root + "/open")) {
      if (TransactionId.parse(each).millis() < millis) {
        paths.add(root + "/open/" + each);
      }
    }
    List<Intent> intents = new ArrayList<>();
    for (Session.Node each : session.read(paths)) {
      if (each.isThere()) {
        encoding.readableIntent(each.data(), traits).ifPresent(intents::add);
      }
    }
    return intents;
  }

  @Override
  public boolean isDone(long millis) throws StoreException {
    return session.children(root + "/open").stream()
        .noneMatch(each -> TransactionId.parse(each).millis() <= millis);
  }

  private interface Change {
    Floors of(Floors floors);
  }

  private void change(Change change) throws StoreException {
    for (int times = 0; times < TIMES_MAX; times++) {
      Floors floors = floors();
      byte[] data = change.of(floors).data();
      Session.Refusal refusal =
          session.multi(List.of(Op.setData(root + "/floors", data, floors.version()), DURABLE));
      if (refusal == null) {
        return;
      }
    }
    throw new StoreException(traits + " does not keep what is forgotten", null);
  }

  @Override
  public void refuse(long millis) throws StoreException {
    change(old -> new Floors(0, Math.max(old.refused(), millis), old.parts(), old.forgotten()));
  }

  @Override
  public void forgetParts(long millis) throws StoreException {
    change(old -> new Floors(0, old.refused(), Math.max(old.parts(), millis), old.forgotten()));
  }

  /** Forgets by ten seconds. */
  @Override
  public void forget(long millis) throws StoreException {
    long bucket = millis / BUCKET_MILLIS;
    long last = bucket * BUCKET_MILLIS - 1;
    change(old -> new Floors(0, old.refused(), old.parts(), Math.max(old.forgotten(), last)));
    for (String each : session.children(root + "/decided")) {
      if (Long.parseLong(each) < bucket) {
        for (String id : session.children(root + "/decided/" + each)) {
          remove(root + "/decided/" + each + "/" + id);
        }
        remove(root + "/decided/" + each);
      }
    }
  }

  private void remove(String path) throws StoreException {
    Session.Refusal refusal = session.multi(List.of(Op.delete(path, -1)));
    if (refusal != null && refusal.code() == KeeperException.Code.NOTEMPTY) {
      throw new StoreException(path + " is not empty; it is removed the next time", null);
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
