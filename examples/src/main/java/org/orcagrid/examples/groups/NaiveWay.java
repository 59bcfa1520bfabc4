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
package org.orcagrid.examples.groups;

import static org.orcagrid.mixed.Mixed.value;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.run.Committed;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.run.OutcomeUnknownException;
import org.orcagrid.mixed.run.TransactionAbortedException;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.causal.CausalInstance;

/**
 * First the one store, then the other, as one writes it: each is right by itself, and knows nothing
 * of the other. Every second time that the application dies, its user tries again.
 */
final class NaiveWay implements Way {
  private static final StoreName<Linearizable> ORCA = new StoreName<>("orca", Linearizable.class);
  private static final StoreName<Causal> INBOXES = new StoreName<>("plain", Causal.class);
  private static final Handle<Linearizable, Long> POSTS = ORCA.object("posts");
  private static final Handle<Causal, List<String>> INBOX = INBOXES.object("inbox");

  private final Map<String, CausalInstance> instances;
  private final Map<String, MixedClient> numbers = new LinkedHashMap<>();
  private final Map<String, MixedClient> inboxes = new LinkedHashMap<>();
  private int deaths;

  NaiveWay(Regions regions) throws StoreException {
    this.instances = regions.inboxes("plain");
    for (String each : Regions.NAMES) {
      numbers.put(each, new MixedClient(List.of(regions.orca("/plain"))));
      inboxes.put(each, new MixedClient(List.of(instances.get(each))));
    }
  }

  @Override
  public String id() {
    return "naive";
  }

  @Override
  public String post(String region, String text, boolean dies) {
    try {
      Out<Linearizable, Long> number = new Out<>(Linearizable.class);
      Committed counted =
          numbers
              .get(region)
              .transaction(POSTS.change(Counting.ONE_MORE, value(1L)), number.set(POSTS.get()));
      String post = number.of(counted.results()) + ": " + text;
      if (dies) {
        deaths++;
        if (deaths % 2 == 1) {
          return "no answer; its user goes away";
        }
        insert(region, post);
        insert(region, post);
        return "no answer; its user tries again";
      }
      insert(region, post);
      return "done";
    } catch (TransactionAbortedException | OutcomeUnknownException e) {
      return e.getMessage();
    }
  }

  private void insert(String region, String post) {
    Committed done = inboxes.get(region).transaction(INBOX.change(Regions.INSERT, value(post)));
    if (!done.pending().isEmpty()) {
      throw new IllegalStateException("One store has left something to others");
    }
  }

  @Override
  public Sight read(String region) {
    Out<Linearizable, Long> count = new Out<>(Linearizable.class);
    Out<Causal, List<String>> inbox = new Out<>(Causal.class);
    try {
      Long posts = count.of(numbers.get(region).transaction(count.set(POSTS.get())).results());
      List<String> all =
          inbox.of(inboxes.get(region).transaction(inbox.set(INBOX.get())).results());
      return new Sight(
          true, posts == null ? 0 : posts, all == null ? List.of() : List.copyOf(all), "");
    } catch (TransactionAbortedException e) {
      return Sight.notYet(e.getMessage());
    }
  }

  @Override
  public void close() {
    numbers.values().forEach(MixedClient::close);
    inboxes.values().forEach(MixedClient::close);
  }
}
