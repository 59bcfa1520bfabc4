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
package org.orcagrid.server.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a few pages with their data. Everything that a browser asks for comes from here: the
 * header {@code Content-Security-Policy} forbids it to ask anybody else.
 *
 * <p>What changes something is asked for with POST and a header that only a page from here can
 * send, so that no other page that the user has open can do it.
 *
 * <p>Routes are added before {@link #start()}; what they call runs on the threads of this server.
 */
public final class PageServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PageServer.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The header with which a page asks for a change; its value says nothing. */
  public static final String ACTION_HEADER = "Orca-Page";

  private static final int THREADS = 4;
  private static final int WAITING_MAX = 64;
  private static final int STOP_SECONDS = 0;
  private static final int QUERY_MAX = 8 << 10;
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  private final HttpServer server;
  private final ThreadPoolExecutor threads;

  private PageServer(HttpServer server) {
    this.server = server;
    // Bounded: a request beyond is dropped with its connection, and the page asks again.
    this.threads =
        new ThreadPoolExecutor(
            1,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            task -> {
              Thread thread = new Thread(task, "orca-pages");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(threads);
  }

  /** What answers a request. */
  @FunctionalInterface
  public interface Source<T> {

    /**
     * Returns the answer.
     *
     * @throws IllegalArgumentException if the query is wrong; the message tells the user why
     */
    T get(Map<String, String> query) throws IOException, InterruptedException;
  }

  /**
   * Listens at {@code address}, port 0 for any that is free.
   *
   * @throws IOException if the port is taken or not allowed
   */
  public static PageServer on(InetSocketAddress address) throws IOException {
    try {
      return new PageServer(HttpServer.create(address, WAITING_MAX));
    } catch (IOException e) {
      throw new IOException(
          "Pages cannot be served at " + address + ": " + e.getMessage() + "; take another port.",
          e);
    }
  }

  /**
   * Serves a file from the class path.
   *
   * @param owner the class beside which the file lies
   * @throws IOException if there is no such file
   */
  public PageServer file(String path, Class<?> owner, String file) throws IOException {
    byte[] content = read(owner.getResourceAsStream(file), file);
    return fixed(path, file, content);
  }

  /**
   * Serves a file of a library that is packed as a WebJar, as {@code /lib/<file>}.
   *
   * @param library the WebJar's artifact
   * @param file below its version's folder
   * @throws IOException if the library is not on the class path
   */
  public PageServer library(String library, String file) throws IOException {
    ClassLoader loader = PageServer.class.getClassLoader();
    String about = "META-INF/maven/org.webjars.npm/" + library + "/pom.properties";
    Properties properties = new Properties();
    try (InputStream in = loader.getResourceAsStream(about)) {
      if (in == null) {
        throw new IOException(
            "The WebJar org.webjars.npm:" + library + " is not on the class path");
      }
      properties.load(in);
    }
    String resource =
        "META-INF/resources/webjars/"
            + library
            + "/"
            + properties.getProperty("version")
            + "/"
            + file;
    byte[] content = read(loader.getResourceAsStream(resource), resource);
    return fixed("/lib/" + file.substring(file.lastIndexOf('/') + 1), file, content);
  }

  private static byte[] read(InputStream resource, String name) throws IOException {
    try (InputStream in = resource) {
      if (in == null) {
        throw new IOException(name + " is not on the class path");
      }
      return in.readAllBytes();
    }
  }

  private PageServer fixed(String path, String file, byte[] content) {
    String type = TYPES.get(file.substring(file.lastIndexOf('.') + 1));
    if (type == null) {
      throw new IllegalArgumentException("What kind of file is " + file + "?");
    }
    return route(path, "GET", exchange -> send(exchange, 200, type, content));
  }

  /** Serves what {@code source} returns as JSON. */
  public PageServer json(String path, Source<?> source) {
    return route(path, "GET", exchange -> answer(exchange, source));
  }

  /** Serves what {@code source} returns as it is. */
  public PageServer text(String path, String type, Source<String> source) {
    return route(
        path,
        "GET",
        exchange ->
            send(
                exchange, 200, type, source.get(query(exchange)).getBytes(StandardCharsets.UTF_8)));
  }

  /** Does something when a page asks for it, and serves what it returns as JSON. */
  public PageServer action(String path, Source<?> action) {
    return route(
        path,
        "POST",
        exchange -> {
          if (exchange.getRequestHeaders().getFirst(ACTION_HEADER) == null) {
            fail(
                exchange,
                403,
                "Only a page of this server may ask for this: send " + ACTION_HEADER);
            return;
          }
          answer(exchange, action);
        });
  }

  /** Handles one request. */
  private interface Handler {
    void handle(HttpExchange exchange) throws IOException, InterruptedException;
  }

  private PageServer route(String path, String method, Handler handler) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            // A context also gets what is below its path.
            if (!exchange.getRequestURI().getPath().equals(path)) {
              fail(exchange, 404, "There is nothing at " + exchange.getRequestURI().getPath());
            } else if (!exchange.getRequestMethod().equals(method)) {
              exchange.getResponseHeaders().set("Allow", method);
              fail(exchange, 405, path + " is asked for with " + method);
            } else {
              handler.handle(exchange);
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (IOException e) {
            LOG.debug("A browser did not wait for {}", path, e);
          } catch (RuntimeException e) {
            LOG.warn("{} cannot be answered", path, e);
          }
        });
    return this;
  }

  private static void answer(HttpExchange exchange, Source<?> source)
      throws IOException, InterruptedException {
    byte[] body;
    try {
      body = JSON.writeValueAsBytes(source.get(query(exchange)));
    } catch (IllegalArgumentException e) {
      fail(exchange, 400, e.getMessage());
      return;
    } catch (IOException e) {
      fail(exchange, 503, e.getMessage());
      return;
    }
    send(exchange, 200, "application/json", body);
  }

  private static void fail(HttpExchange exchange, int status, String reason) throws IOException {
    send(
        exchange, status, "application/json", JSON.writeValueAsBytes(Map.of("error", "" + reason)));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange
        .getResponseHeaders()
        .set(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                + " img-src 'self' data:; frame-ancestors 'none'; base-uri 'none';"
                + " form-action 'none'");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private static Map<String, String> query(HttpExchange exchange) {
    Map<String, String> query = new TreeMap<>();
    String raw = exchange.getRequestURI().getRawQuery();
    if (raw == null) {
      return query;
    }
    if (raw.length() > QUERY_MAX) {
      throw new IllegalArgumentException("The query is longer than " + QUERY_MAX + " characters");
    }
    for (String part : raw.split("&", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        query.put(
            part.substring(0, equals),
            java.net.URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return query;
  }

  /** Begins to answer. */
  public PageServer start() {
    server.start();
    return this;
  }

  /** Returns the port at which it listens. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Ends it; requests under way are given up. */
  @Override
  public void close() {
    server.stop(STOP_SECONDS);
    threads.shutdownNow();
  }
}
