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
package org.orcagrid.jcache;

/** What an operation does to an entry once it has seen it. */
final class EntryEdit {
  enum Kind {
    /** Nothing. */
    NONE,
    /** It was read: its deadline may change. */
    TOUCH,
    /** It has a value now. */
    PUT,
    /** It is gone. */
    REMOVE
  }

  static final EntryEdit NONE = new EntryEdit(Kind.NONE, null);
  static final EntryEdit TOUCH = new EntryEdit(Kind.TOUCH, null);
  static final EntryEdit REMOVE = new EntryEdit(Kind.REMOVE, null);

  private final Kind kind;
  private final byte[] value;

  private EntryEdit(Kind kind, byte[] value) {
    this.kind = kind;
    this.value = value;
  }

  static EntryEdit put(byte[] value) {
    return new EntryEdit(Kind.PUT, value);
  }

  Kind kind() {
    return kind;
  }

  /** Of {@link Kind#PUT}. */
  byte[] value() {
    return value;
  }
}
