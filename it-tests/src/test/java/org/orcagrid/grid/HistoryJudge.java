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
package org.orcagrid.grid;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Judges what processes of {@link HistoryLoad} have written down: the files are its arguments. */
final class HistoryJudge {
  private HistoryJudge() {}

  public static void main(String[] args) throws IOException {
    CounterHistory history = HistoryLoad.read(Arrays.stream(args).map(Path::of).toList());
    List<String> faults = history.judge();
    System.out.println(history.additions() + " additions, " + faults.size() + " faults");
    faults.forEach(System.out::println);
    System.exit(faults.isEmpty() ? 0 : 1);
  }
}
