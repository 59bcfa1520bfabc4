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
package org.orcagrid.examples.groups;

import java.util.List;

/** How posts are made and read, in one of the regions. */
interface Way extends AutoCloseable {
  /** How it is called. */
  String id();

  /**
   * Makes a post.
   *
   * @param dies whether the application dies after the number is counted, and before the post is in
   *     the inbox; another one is there afterwards
   * @return what the application was told, in words
   */
  String post(String region, String text, boolean dies);

  /** Reads the number of posts, and then the inbox. */
  Sight read(String region);

  /** What one reader has seen; posts are {@code "7: Hello"}. */
  record Sight(boolean isThere, long count, List<String> inbox, String message) {
    /** Nothing, and why. */
    static Sight notYet(String why) {
      return new Sight(false, 0, List.of(), why);
    }

    private static long number(String post) {
      return Long.parseLong(post.substring(0, post.indexOf(':')));
    }

    /** Posts that are counted, and not in the inbox. */
    long missing() {
      long there =
          inbox.stream().map(Sight::number).filter(each -> each <= count).distinct().count();
      return count - there;
    }

    /** Numbers that are there more than once. */
    long doubled() {
      return inbox.size() - inbox.stream().map(Sight::number).distinct().count();
    }
  }

  @Override
  void close();
}
