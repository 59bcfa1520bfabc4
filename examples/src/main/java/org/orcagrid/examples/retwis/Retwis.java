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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.orcagrid.examples.ensemble.ServerSessions;
import org.orcagrid.examples.ensemble.ServerSessions.Shown;

/**
 * Short messages: users post, follow others, and read what those have posted last. A user has two
 * nodes: whom the user follows, and the last posts, the newest first. A timeline is made when it is
 * read, from the posts of each one followed.
 *
 * <p>For one thread.
 */
public final class Retwis {
  private static final String ROOT = "/retwis";
  private static final String FOLLOWING = "/following";
  private static final String POSTS = "/posts";
  private static final int POSTS_KEPT = 10;
  private static final int TEXT_MAX = 280;

  private final ServerSessions sessions;

  /** A user's view, through these sessions. */
  public Retwis(ServerSessions sessions) {
    this.sessions = sessions;
  }

  /**
   * A message.
   *
   * @param number grows with time, over all users
   * @param author who wrote it
   * @param text of one line
   */
  public record Post(long number, String author, String text) {}

  /**
   * What a user sees.
   *
   * @param posts the newest first
   * @param indexes for each author followed, the index of the change of the posts that was seen
   */
  public record Timeline(List<Post> posts, Map<String, Long> indexes) {

    /** Keeps copies. */
    public Timeline {
      posts = List.copyOf(posts);
      indexes = Map.copyOf(indexes);
    }
  }

  /** Makes a user unless there is one; returns whether that could be done in time. */
  public boolean register(int server, String user, Duration patience) throws InterruptedException {
    String home = ROOT + "/" + user;
    return sessions.create(server, ROOT, "", patience)
        && sessions.create(server, home, "", patience)
        && sessions.create(server, home + FOLLOWING, "", patience)
        && sessions.create(server, home + POSTS, "", patience);
  }

  /** Says whom a user follows, all of them; returns whether that could be done in time. */
  public boolean follow(int server, String user, List<String> others, Duration patience)
      throws InterruptedException {
    return sessions
        .write(server, ROOT + "/" + user + FOLLOWING, String.join(",", others), patience)
        .isPresent();
  }

  /**
   * Posts a message; returns the index of the change, or empty if nobody knows in time.
   *
   * @throws IllegalArgumentException if the text is empty, longer than 280 characters, or of more
   *     than one line
   */
  public Optional<Long> post(int server, Post post, Duration patience) throws InterruptedException {
    if (post.text().isBlank() || post.text().length() > TEXT_MAX || post.text().contains("\n")) {
      throw new IllegalArgumentException("A post is one line of 1 to " + TEXT_MAX + " characters");
    }
    String path = ROOT + "/" + post.author() + POSTS;
    Optional<Shown> before = sessions.read(server, path, patience);
    if (before.isEmpty()) {
      return Optional.empty();
    }
    List<Post> posts = new ArrayList<>(parse(post.author(), before.get().text()));
    posts.add(0, post);
    String text =
        posts.stream()
            .limit(POSTS_KEPT)
            .map(each -> each.number() + " " + each.text())
            .collect(Collectors.joining("\n"));
    return sessions.write(server, path, text, patience);
  }

  /** Reads what those whom a user follows have posted; empty if it cannot be had in time. */
  public Optional<Timeline> timeline(int server, String user, Duration patience)
      throws InterruptedException {
    Optional<Shown> following = sessions.read(server, ROOT + "/" + user + FOLLOWING, patience);
    if (following.isEmpty()) {
      return Optional.empty();
    }
    List<Post> posts = new ArrayList<>();
    Map<String, Long> indexes = new LinkedHashMap<>();
    for (String author : following.get().text().split(",", -1)) {
      if (!author.isEmpty()) {
        Optional<Shown> shown = sessions.read(server, ROOT + "/" + author + POSTS, patience);
        if (shown.isEmpty()) {
          return Optional.empty();
        }
        indexes.put(author, shown.get().index());
        posts.addAll(parse(author, shown.get().text()));
      }
    }
    posts.sort(Comparator.comparingLong(Post::number).reversed());
    return Optional.of(new Timeline(posts, indexes));
  }

  private static List<Post> parse(String author, String text) {
    return text.lines()
        .map(
            line -> {
              int space = line.indexOf(' ');
              return new Post(
                  Long.parseLong(line.substring(0, space)), author, line.substring(space + 1));
            })
        .toList();
  }
}
