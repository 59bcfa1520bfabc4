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
package org.apache.zookeeper.server.quorum;

import java.nio.file.Path;

/**
 * Bytes of a file that mean one thing.
 *
 * @param file below the data folder
 * @param name what they mean, the same for all of the kind
 * @param offset where they begin
 * @param length how many they are; 0 if there is only a place to cut
 */
record FileRegion(Path file, String name, long offset, int length) {}
