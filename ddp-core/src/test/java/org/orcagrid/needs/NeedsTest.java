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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Who is skipped, and with which words. */
class NeedsTest {
  /** Every machine has it. */
  static final class Air implements Need {
    @Override
    public String what() {
      return "air";
    }

    @Override
    public String missing() {
      return null;
    }
  }

  /** No machine has it. */
  static final class Unicorn implements Need {
    @Override
    public String what() {
      return "a unicorn (nowhere to be had)";
    }

    @Override
    public String missing() {
      return "there\n  is none\n";
    }
  }

  /** Nobody can tell. */
  static final class Broken implements Need {
    @Override
    public String what() {
      return "luck";
    }

    @Override
    public String missing() throws IOException {
      throw new IOException("no answer");
    }
  }

  private static class NeedsNothing {}

  @Needs(Air.class)
  private static class NeedsAir {}

  @Needs({Air.class, Unicorn.class})
  private static class NeedsBoth {}

  private static final class NeedsWhatItsParentNeeds extends NeedsBoth {}

  @Needs(Broken.class)
  private static final class NeedsLuck {}

  private static ConditionEvaluationResult evaluate(Class<?> tests, boolean bare) {
    ExtensionContext context =
        (ExtensionContext)
            Proxy.newProxyInstance(
                NeedsTest.class.getClassLoader(),
                new Class<?>[] {ExtensionContext.class},
                (proxy, method, arguments) -> {
                  assertEquals("getElement", method.getName());
                  return Optional.of(tests);
                });
    return new NeedsCondition(bare).evaluateExecutionCondition(context);
  }

  @Test
  void whoHasAllRuns() {
    assertFalse(evaluate(NeedsNothing.class, false).isDisabled());
    assertFalse(evaluate(NeedsAir.class, false).isDisabled());
  }

  @Test
  void whoLacksSomethingIsSkippedWithOneLine() {
    Optional<String> reason = Optional.of("needs a unicorn (nowhere to be had): there is none");
    for (Class<?> tests : new Class<?>[] {NeedsBoth.class, NeedsWhatItsParentNeeds.class}) {
      ConditionEvaluationResult result = evaluate(tests, false);
      assertTrue(result.isDisabled());
      assertEquals(reason, result.getReason());
    }
  }

  @Test
  void aBareBuildHidesWhatIsThere() {
    assertFalse(evaluate(NeedsNothing.class, true).isDisabled());
    ConditionEvaluationResult result = evaluate(NeedsAir.class, true);
    assertTrue(result.isDisabled());
    assertEquals(Optional.of("needs air: hidden by -Dorca.bare=true"), result.getReason());
  }

  @Test
  void aLookThatFailsSkipsNobody() {
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> evaluate(NeedsLuck.class, false));
    assertEquals("Cannot look for luck", thrown.getMessage());
  }

  @Test
  void programsAreLookedForOnThePath() {
    assertNull(Programs.missing("sh"));
    assertEquals("no-such-program is not on the PATH", Programs.missing("sh", "no-such-program"));
  }
}
