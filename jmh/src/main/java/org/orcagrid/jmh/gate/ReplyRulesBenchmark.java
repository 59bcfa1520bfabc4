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
package org.orcagrid.jmh.gate;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.server.Request;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.cad.UndurableChanges;
import org.orcagrid.jmh.OverlayRequests;
import org.orcagrid.server.gate.ReplyNeeds;
import org.orcagrid.server.gate.ReplyRules;
import org.orcagrid.server.settings.OrcaSettings;

/**
 * What a reply shows: the index that must be durable before it leaves. A request is made anew each
 * time, as a server gets it, since it is parsed only once; the baseline makes one and parses it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReplyRulesBenchmark {
  private static final int NODES = 1000;
  private static final byte[] DATA = new byte[100];

  /** The rules of a server with changes that are not durable. */
  @State(Scope.Thread)
  public static class Rules {
    /** How many of the 1,000 nodes have changed. */
    @Param({"0", "500"})
    public int changed;

    private final byte[][] reads = new byte[NODES][];
    private final byte[][] writes = new byte[NODES][];
    private final String[] paths = new String[NODES];
    private final UndurableChanges changes = new UndurableChanges();
    private final ReplyNeeds needs = new ReplyNeeds();
    private ReplyRules rules;
    private int next;

    /** Notes the changes. */
    @Setup
    public void note() {
      rules = new ReplyRules(OrcaSettings.defaults(), changes, () -> NODES);
      for (int i = 0; i < NODES; i++) {
        paths[i] = "/benchmark/node-" + i;
        reads[i] = OverlayRequests.getData(paths[i]);
        writes[i] = OverlayRequests.setData(paths[i], DATA);
        if (i < changed) {
          changes.onNodeChanged(paths[i], i + 1);
        }
      }
    }

    private int next() {
      // Prime to the number of nodes, so that changed nodes and others come in turn.
      next = (next + 501) % NODES;
      return next;
    }
  }

  /** What a {@code getData} shows. */
  @Benchmark
  public long shownByRead(Rules rules) throws IOException {
    return rules.rules.shownByRead(OverlayRequests.read(rules.reads[rules.next()]));
  }

  /** What the answer to a successful {@code setData} shows. */
  @Benchmark
  public long shownByWrite(Rules rules) throws IOException {
    int node = rules.next();
    return rules.rules.shownByWrite(
        OverlayRequests.committed(rules.writes[node], node, rules.paths[node], DATA));
  }

  /** The baseline: makes and parses the request. */
  @Benchmark
  public GetDataRequest parse(Rules rules) throws IOException {
    Request request = OverlayRequests.read(rules.reads[rules.next()]);
    return request.readRequestRecord(GetDataRequest::new);
  }

  /** Notes what the reply in execution needs, and asks for it. */
  @Benchmark
  public long needs(Rules rules) {
    int xid = rules.next();
    rules.needs.set(xid, xid + 1L, xid, 0, 0);
    long all =
        rules.needs.durableFor(xid, 0)
            + rules.needs.appliedFor(xid, 0)
            + rules.needs.leaseEndFor(xid);
    rules.needs.clear();
    return all;
  }
}
