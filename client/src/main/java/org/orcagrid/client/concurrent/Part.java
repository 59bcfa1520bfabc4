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
package org.orcagrid.client.concurrent;

import org.orcagrid.client.Codec;

/**
 * A key of a structure.
 *
 * @param structure its name
 * @param field which of its variables
 * @param handle of a node that of whoever has made it; 0 for a variable of the structure itself
 * @param number of a node its number
 */
record Part(String structure, int field, long handle, long number) {
  static final int HEAD = 1;
  static final int TAIL = 2;
  static final int NODE = 3;

  static final Codec<Part> CODEC =
      Codec.of(
          (part, out) ->
              out.putLong(part.handle())
                  .putLong(part.number())
                  .putInt(part.field())
                  .putString(part.structure()),
          in -> {
            long handle = in.getLong();
            long number = in.getLong();
            int field = in.getInt();
            return new Part(in.getString(), field, handle, number);
          });

  /** A variable of a structure itself. */
  static Part of(String structure, int field) {
    return new Part(structure, field, 0, 0);
  }
}
