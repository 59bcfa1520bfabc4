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
package org.orcagrid.bench.compare.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The program of a load process. It reads its orders from standard input, a line each, and answers
 * each with a line on standard output; whatever a library prints goes to standard error. It ends
 * with its standard input, that is with whoever has started it, however that ends.
 */
public final class LoadProcess {
  /** The first word of what it says when its system is there; the product follows. */
  public static final String READY = "ready";

  /** The order to fill its share of the keys, and the answer. */
  public static final String FILL = "fill";

  /** The first word of what it says when something went wrong; a sentence follows. */
  public static final String FAILED = "failed";

  private static final long STOP_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  private final LoadTarget target;

  private LoadProcess(LoadTarget target) {
    this.target = target;
  }

  /** Runs one: the class of its {@link LoadTarget}, then {@link LoadSettings#arguments}. */
  public static void main(String[] arguments) throws InterruptedException {
    PrintStream answers = System.out;
    System.setOut(System.err);
    BlockingQueue<String> orders = new LinkedBlockingQueue<>();
    Thread reader = new Thread(() -> read(orders), "orders");
    reader.setDaemon(true);
    reader.start();
    try (LoadTarget target =
        start(
            arguments[0], LoadSettings.of(Arrays.asList(arguments).subList(1, arguments.length)))) {
      answers.println(READY + " " + target.product());
      LoadProcess process = new LoadProcess(target);
      while (true) {
        answers.println(process.answer(orders.take()));
      }
    } catch (Exception | LinkageError e) {
      e.printStackTrace(System.err);
      answers.println(FAILED + " " + String.valueOf(e).replaceAll("\\s+", " "));
      answers.flush();
      Runtime.getRuntime().halt(1);
    }
  }

  private static LoadTarget start(String target, LoadSettings settings)
      throws ReflectiveOperationException {
    return Class.forName(target)
        .asSubclass(LoadTarget.class)
        .getConstructor(LoadSettings.class)
        .newInstance(settings);
  }

  private static void read(BlockingQueue<String> orders) {
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        orders.add(line);
      }
    } catch (IOException e) {
      System.err.println("No more orders: " + e);
    }
    // What the system holds is of no use to anybody any more, and its own end may take long.
    Runtime.getRuntime().halt(0);
  }

  private String answer(String order) throws Exception {
    if (order.equals(FILL)) {
      target.fill();
      return FILL;
    }
    return run(LoadOrder.of(order)).line();
  }

  private Turn run(LoadOrder order) throws InterruptedException {
    long disturbances = target.disturbances();
    long first = target.done();
    target.begin(order);
    TimeUnit.MILLISECONDS.sleep(order.rampMillis());
    long beginNanos = System.nanoTime();
    long begin = target.done();
    Latencies before = target.latencies();
    TimeUnit.MILLISECONDS.sleep(order.measuredMillis());
    long measured = target.done() - begin;
    long nanos = System.nanoTime() - beginNanos;
    Latencies latencies = target.latencies().minus(before);
    target.end();
    long deadline = System.nanoTime() + STOP_NANOS_MAX;
    while (!target.isIdle() && target.failure() == null) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("What was under way does not end");
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
    if (target.failure() != null) {
      throw new IllegalStateException(target.failure());
    }
    return new Turn(
        measured, nanos, target.done() - first, target.disturbances() - disturbances, latencies);
  }
}
