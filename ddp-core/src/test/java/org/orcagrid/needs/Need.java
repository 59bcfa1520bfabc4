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
package org.orcagrid.needs;

/**
 * Something that tests use and a machine may not have. Made by its constructor without arguments.
 */
public interface Need {
  /** What it is, and in brackets how to get it: {@code "Chromium (apt-get install chromium)"}. */
  String what();

  /** Returns what exactly is not there, or null if all of it is. */
  String missing() throws Exception;
}
