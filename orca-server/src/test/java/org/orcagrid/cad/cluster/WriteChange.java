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
package org.orcagrid.cad.cluster;

/**
 * A write in the log of {@link WriteCluster}, with what its answer tells.
 *
 * @param index its place
 * @param kind what it is
 * @param path the node
 * @param session who writes
 * @param origin the server that answers
 * @param failed whether it was refused, since its version was wrong or the node was there or not
 * @param version the data's version after it
 * @param name the number that a sequential create has given, -1 for none
 * @param others the last change of the node by another session, 0 for none
 */
record WriteChange(
    long index,
    Kind kind,
    String path,
    int session,
    int origin,
    boolean failed,
    int version,
    long name,
    long others) {

  /** What sessions write. */
  enum Kind {
    SET,
    SET_VERSIONED,
    CREATE,
    DELETE,
    CREATE_SEQUENTIAL
  }
}
