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
package org.orcagrid.examples.retwis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.orcagrid.examples.demo.Demo;
import org.orcagrid.examples.demo.Loop;
import org.orcagrid.examples.ensemble.FaultyEnsemble;
import org.orcagrid.examples.ensemble.ServerSessions;
import org.orcagrid.examples.retwis.Retwis.Post;
import org.orcagrid.examples.retwis.Retwis.Timeline;

/**
 * Users who post, and the timeline of one of them, read each time at another server. A post that
 * was shown and is not there any more is remembered.
 */
public final class RetwisDemo implements Demo {
  /** The user in front of the page. */
  private static final String YOU = "you";

  private static final List<String> OTHERS =
      List.of("ada", "alan", "barbara", "donald", "edsger", "grace", "leslie");

  private static final List<String> SAYINGS =
      List.of(
          "Shipped it.",
          "Who broke the build?",
          "Durable before it is read, not when it is written.",
          "Coffee.",
          "A timeline should not forget.",
          "Off by one again",
          "Reading the paper once more.");

  private static final long PACE_MILLIS = 200;
  private static final int SHOWN_MAX = 12;
  private static final int GONE_MAX = 8;
  private static final Duration PATIENCE = Duration.ofMillis(600);

  private final FaultyEnsemble ensemble;
  private final ServerSessions writers;
  private final ServerSessions readers;
  private final List<Loop> loops = new ArrayList<>();
  private final BlockingQueue<String> texts = new ArrayBlockingQueue<>(16);
  private final BlockingQueue<List<String>> follows = new ArrayBlockingQueue<>(16);
  private final SplittableRandom writerChoice = new SplittableRandom();
  private final SplittableRandom readerChoice = new SplittableRandom();
  private long number;

  /** Below here guarded by this object's monitor. */
  private final Set<String> following = new LinkedHashSet<>();

  private final Map<String, Post> newest = new TreeMap<>();
  private final List<Post> gone = new ArrayList<>();
  private List<Post> shown = List.of();
  private int disappearances;
  private int unanswered;

  /** Begins to post and to read. */
  public RetwisDemo(FaultyEnsemble ensemble) throws InterruptedException {
    this.ensemble = ensemble;
    this.writers = new ServerSessions(ensemble.members());
    this.readers = new ServerSessions(ensemble.members());
    following.addAll(OTHERS);
    following.add(YOU);
    Retwis writing = new Retwis(writers);
    int first = ensemble.up().get(0);
    for (String user : following) {
      if (!writing.register(first, user, Duration.ofSeconds(20))) {
        throw new IllegalStateException("No server takes user " + user);
      }
    }
    writing.follow(first, YOU, List.copyOf(following), Duration.ofSeconds(20));
    loops.add(Loop.start("demo-post", () -> write(writing)));
    Retwis reading = new Retwis(readers);
    for (int server : ensemble.up()) {
      // A session cannot be begun at a server that is cut off: there is one with each beforehand.
      reading.timeline(server, YOU, Duration.ofSeconds(20));
    }
    loops.add(Loop.start("demo-timeline", () -> read(reading)));
  }

  private void write(Retwis retwis) throws InterruptedException {
    List<Integer> servers = ensemble.prompt();
    if (!servers.isEmpty()) {
      int server = servers.get(writerChoice.nextInt(servers.size()));
      List<String> follow = follows.poll();
      if (follow != null) {
        retwis.follow(server, YOU, follow, Duration.ofSeconds(20));
      }
      String own = texts.poll();
      String author = own != null ? YOU : OTHERS.get(writerChoice.nextInt(OTHERS.size()));
      String text = own != null ? own : SAYINGS.get(writerChoice.nextInt(SAYINGS.size()));
      number++;
      if (retwis.post(server, new Post(number, author, text), PATIENCE).isEmpty() && own != null) {
        // What somebody has typed is not dropped: it waits for the next turn, if there is room.
        texts.offer(own);
      }
    }
    TimeUnit.MILLISECONDS.sleep(PACE_MILLIS);
  }

  private void read(Retwis retwis) throws InterruptedException {
    List<Integer> servers = ensemble.up();
    if (!servers.isEmpty()) {
      int server = servers.get(readerChoice.nextInt(servers.size()));
      Optional<Timeline> timeline = retwis.timeline(server, YOU, PATIENCE);
      synchronized (this) {
        if (timeline.isPresent()) {
          show(timeline.get());
        } else {
          unanswered++;
        }
      }
    }
    TimeUnit.MILLISECONDS.sleep(PACE_MILLIS);
  }

  private void show(Timeline timeline) {
    shown = timeline.posts().stream().limit(SHOWN_MAX).toList();
    Map<String, Post> now = new TreeMap<>();
    timeline.posts().forEach(post -> now.putIfAbsent(post.author(), post));
    for (String author : timeline.indexes().keySet()) {
      Post before = newest.get(author);
      Post after = now.get(author);
      if (before != null && (after == null || after.number() < before.number())) {
        disappearances++;
        gone.remove(before);
        gone.add(0, before);
        if (gone.size() > GONE_MAX) {
          gone.remove(GONE_MAX);
        }
      }
    }
    newest.keySet().retainAll(timeline.indexes().keySet());
    newest.putAll(now);
  }

  @Override
  public synchronized Map<String, Object> state() {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("users", OTHERS);
    state.put("following", List.copyOf(following));
    state.put("posts", shown);
    state.put("gone", gone.stream().filter(post -> !shown.contains(post)).toList());
    state.put("disappearances", disappearances);
    state.put("unanswered", unanswered);
    return state;
  }

  @Override
  public void act(Map<String, String> wish) {
    String text = wish.get("post");
    if (text != null) {
      if (text.isBlank() || text.length() > 280 || text.contains("\n")) {
        throw new IllegalArgumentException("A post is one line of 1 to 280 characters");
      }
      if (!texts.offer(text)) {
        throw new IllegalArgumentException("Too many posts are waiting; try again in a while");
      }
      return;
    }
    String user = wish.getOrDefault("follow", "");
    if (!OTHERS.contains(user)) {
      throw new IllegalArgumentException("There is no user '" + user + "'");
    }
    synchronized (this) {
      if (!following.remove(user)) {
        following.add(user);
      }
      if (!follows.offer(List.copyOf(following))) {
        throw new IllegalArgumentException("Too many changes are waiting; try again in a while");
      }
    }
  }

  @Override
  public void close() {
    loops.forEach(Loop::close);
    writers.close();
    readers.close();
  }
}
