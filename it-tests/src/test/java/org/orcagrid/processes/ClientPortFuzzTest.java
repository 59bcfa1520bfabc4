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
package org.orcagrid.processes;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A few seconds of {@link ClientPortFuzzer}: {@code -Dseconds=N} and {@code build/fuzz.sh} go on
 * for longer.
 */
@Timeout(3600)
class ClientPortFuzzTest {
  private static final long SEED = Long.getLong("seed", 21);
  private static final Duration TIME = Duration.ofSeconds(Long.getLong("seconds", 2));
  private static final int CONNECTIONS_A_SECOND_MAX = 400;

  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"cad", "mixed"})
  void serversAgreeWhateverTheirClientsSend(String servers) throws Exception {
    long most = CONNECTIONS_A_SECOND_MAX * TIME.toSeconds();
    ClientPortFuzzer.run(dir, servers, SEED, new FuzzRun.Limits(TIME, most));
  }
}
