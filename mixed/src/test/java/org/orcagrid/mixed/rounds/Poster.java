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
package org.orcagrid.mixed.rounds;

import static org.orcagrid.mixed.Mixed.both;
import static org.orcagrid.mixed.Mixed.value;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.orcagrid.mixed.Change;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.run.Committed;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.run.MixedWorker;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.postgres.PostgresCausalStore;
import org.orcagrid.mixed.store.postgres.PostgresStore;
import org.postgresql.ds.PGSimpleDataSource;

/** A process that posts or works until it is killed, and says what it was told. */
public final class Poster {
  static final Handle<Linearizable, Long> POSTS =
      new StoreName<>("sql", Linearizable.class).object("posts");
  static final Handle<Causal, List<String>> INBOX =
      new StoreName<>("inboxes", Causal.class).object("inbox");
  static final Set<String> GROUPS = Set.of("east", "west");

  private static final Change<Long, Long> ADD =
      Change.of("add", (present, more) -> (present == null ? 0 : present) + more);
  private static final Change<List<String>, String> INSERT = Change.of("insert", Poster::inserted);

  private Poster() {}

  private static List<String> inserted(List<String> present, String post) {
    List<String> all = new java.util.ArrayList<>(present == null ? List.of() : present);
    all.add(post);
    return all;
  }

  /** Posts, or works; the arguments are what, and the addresses of both databases. */
  public static void main(String[] arguments) throws StoreException {
    if (arguments[0].equals("work")) {
      work(arguments[1], arguments[2]);
    } else {
      post(arguments[1], arguments[2]);
    }
  }

  private static void post(String strong, String east) throws StoreException {
    try (MixedClient client = new MixedClient(List.of(strong(strong), causal("east", east)))) {
      for (long i = 0; ; i++) {
        String text = ProcessHandle.current().pid() + "-" + i;
        Committed done =
            client.transaction(
                POSTS.change(ADD, value(1L)),
                INBOX.change(INSERT, both(POSTS.get(), value(text)).map((n, t) -> n + ":" + t)));
        System.out.println((done.pending().isEmpty() ? "done " : "pending ") + text);
      }
    }
  }

  /** Finishes whatever is there, also what its client is about to finish. */
  private static void work(String strong, String east) throws StoreException {
    try (MixedWorker worker =
        new MixedWorker(List.of(strong(strong), causal("east", east)), Duration.ZERO)) {
      long finished = 0;
      while (true) {
        finished += worker.round().finished();
        System.out.println("done " + finished);
      }
    }
  }

  static Store strong(String address) throws StoreException {
    return new PostgresStore("sql", source(address), new Operations(List.of(ADD, INSERT)));
  }

  static PostgresCausalStore causal(String group, String address) throws StoreException {
    return new PostgresCausalStore(
        "inboxes",
        group,
        GROUPS,
        source(address),
        new Operations(List.of(ADD, INSERT)),
        Merge.standard());
  }

  private static PGSimpleDataSource source(String address) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(address);
    return source;
  }
}
