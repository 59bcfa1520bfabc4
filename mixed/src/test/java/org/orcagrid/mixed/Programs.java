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
package org.orcagrid.mixed;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Programs that are compiled by the JDK's compiler, with nothing but the class path. */
final class Programs {
  private static final String FRAME =
      """
      import static org.orcagrid.mixed.Mixed.*;
      import java.util.List;
      import org.orcagrid.mixed.*;
      import org.orcagrid.mixed.level.*;

      class Program {
        static final StoreName<Linearizable> ORCA = new StoreName<>("orca", Linearizable.class);
        static final StoreName<Causal> INBOXES = new StoreName<>("inboxes", Causal.class);
        static final Change<Long, Long> ADD = Change.of("add", (Long a, Long b) -> a + b);
        final Handle<Linearizable, Long> posts = ORCA.object("posts");
        final Handle<Linearizable, String> winner = ORCA.object("winner");
        final Handle<Linearizable, List<String>> members = ORCA.object("members");
        final Handle<Causal, Long> a = INBOXES.object("a");
        final Handle<Causal, Long> b = INBOXES.object("b");
        final Handle<Causal, List<String>> names = INBOXES.object("names");
        final Handle<Causal, String> name = INBOXES.object("name");
        final Handle<Linearizable, Handle<Causal, Long>> strongRef = ORCA.object("ref");
        final Handle<Causal, Handle<Linearizable, Long>> weakRef = INBOXES.object("ref");
        final ReadAccess<Linearizable, Long> reader = posts;
        final WriteAccess<Causal, Long> writer = a;
        final Out<Linearizable, Long> strongOut = new Out<>(Linearizable.class);
        final Out<Causal, Long> out = new Out<>(Causal.class);
        final Stmt<?> any = posts.set(value(1L));

        Stmt<?> program() {
          return %s;
        }
      }
      """;

  private static final String ERROR = "error: ";

  /** Types are checked, and no class file is written. */
  private static final List<String> OPTIONS =
      List.of("-proc:none", "-Xlint:all,-classfile", "-Werror", "-XDshould-stop.ifNoError=FLOW");

  private Programs() {}

  /** A source in memory. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///Program.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** The compiler's errors for a statement, without their places; none if it is accepted. */
  static List<String> refusals(String statement) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      Source source = new Source(FRAME.formatted(statement));
      compiler.getTask(said, files, null, OPTIONS, null, List.of(source)).call();
    }
    return said.toString()
        .lines()
        .filter(each -> each.contains(ERROR))
        .map(each -> each.substring(each.indexOf(ERROR) + ERROR.length()))
        .toList();
  }
}
