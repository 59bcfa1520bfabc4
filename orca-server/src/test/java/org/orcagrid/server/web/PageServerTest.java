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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PageServerTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final HttpClient http = HttpClient.newHttpClient();
  private PageServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        PageServer.on(ANY_PORT)
            .library("lit-html", "lit-html.js")
            .json("/echo", query -> Map.of("you", query.getOrDefault("who", "nobody")))
            .json(
                "/wrong",
                query -> {
                  throw new IllegalArgumentException("say who");
                })
            .action("/act", query -> Map.of("done", query))
            .start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> send(HttpRequest.Builder request, String path) throws Exception {
    URI address = URI.create("http://127.0.0.1:" + server.port() + path);
    return http.send(request.uri(address).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(), path);
  }

  private static HttpRequest.Builder post() {
    return HttpRequest.newBuilder().POST(BodyPublishers.noBody());
  }

  @Test
  void answersWithWhatItWasGiven() throws Exception {
    HttpResponse<String> answer = get("/echo?who=a%20whale&x=1");
    assertEquals("{\"you\":\"a whale\"}", answer.body());
    assertEquals("application/json", answer.headers().firstValue("Content-Type").orElseThrow());
    assertTrue(get("/lib/lit-html.js").body().contains("lit"), "a library from its WebJar");
  }

  @Test
  void tellsABrowserToAskNobodyElse() throws Exception {
    String policy = get("/echo").headers().firstValue("Content-Security-Policy").orElseThrow();
    assertTrue(policy.startsWith("default-src 'none'; script-src 'self';"), policy);
  }

  @Test
  void saysWhatIsWrong() throws Exception {
    assertEquals(404, get("/echo/below").statusCode());
    assertEquals(404, get("/nothing").statusCode());
    assertEquals(405, get("/act").statusCode());
    HttpResponse<String> wrong = get("/wrong");
    assertEquals(400, wrong.statusCode());
    assertEquals("{\"error\":\"say who\"}", wrong.body());
  }

  @Test
  void anotherPageCannotMakeItDoSomething() throws Exception {
    assertEquals(403, send(post(), "/act?a=b").statusCode());
    HttpResponse<String> done = send(post().header(PageServer.ACTION_HEADER, "1"), "/act?a=b");
    assertEquals("{\"done\":{\"a\":\"b\"}}", done.body());
  }

  @Test
  void whatIsNotThereIsNamedAtTheStart() {
    IOException library =
        assertThrows(IOException.class, () -> server.library("jquery", "jquery.js"));
    assertTrue(library.getMessage().contains("org.webjars.npm:jquery"), library.getMessage());
    IOException file =
        assertThrows(IOException.class, () -> server.file("/x", PageServerTest.class, "no.html"));
    assertTrue(file.getMessage().contains("no.html"), file.getMessage());
    IOException taken =
        assertThrows(
            IOException.class,
            () ->
                PageServer.on(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port())));
    assertTrue(taken.getMessage().contains("take another port"), taken.getMessage());
  }
}
