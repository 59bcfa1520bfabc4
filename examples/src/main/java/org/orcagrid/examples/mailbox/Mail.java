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
package org.orcagrid.examples.mailbox;

/**
 * A mail.
 *
 * @param datacenter in which it was delivered
 * @param number counts that datacenter's mails of the user, from 1
 * @param millis when it was delivered
 * @param from who wrote it
 * @param text of one line
 */
record Mail(String datacenter, int number, long millis, String from, String text) {
  /** The most characters of a text. */
  static final int TEXT_MAX = 200;

  /** Refuses what cannot be written as a line. */
  Mail {
    if (text.isBlank() || text.length() > TEXT_MAX || text.contains("\n")) {
      throw new IllegalArgumentException("A mail is one line of 1 to " + TEXT_MAX + " characters");
    }
  }

  /** As it is stored, in the folder of its datacenter. */
  String line() {
    return number + " " + millis + " " + from + " " + text;
  }

  /** Reads one. */
  static Mail parse(String datacenter, String line) {
    String[] words = line.split(" ", 4);
    return new Mail(
        datacenter, Integer.parseInt(words[0]), Long.parseLong(words[1]), words[2], words[3]);
  }
}
