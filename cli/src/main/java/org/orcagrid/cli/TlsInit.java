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
package org.orcagrid.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code orca tls init}: certificates, and what to write into zoo.cfg and give to clients. */
@Command(
    name = "init",
    description = {
      "Make certificate authorities, and certificates of servers and clients that they have"
          + " signed.",
      "Prints the lines for zoo.cfg and the flags of clients in Java, Python and Go, and of 'orca"
          + " cli'. The files are readable by their owner only."
    })
final class TlsInit implements Callable<Integer> {
  private static final int PORT = 2281;
  private static final int DAYS_MAX = 36_500;
  private static final String HOST = "[A-Za-z0-9*_.:-]+";

  @Spec private CommandSpec spec;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      defaultValue = "tls",
      description = "Where the files are made (default: ./${DEFAULT-VALUE}).")
  private Path dir;

  @Option(
      names = "--hosts",
      paramLabel = "NAME",
      split = ",",
      description =
          "Names and addresses of all servers, separated by commas, as clients write them"
              + " (default: this machine's names, localhost and 127.0.0.1).")
  private List<String> hosts;

  @Option(
      names = "--days",
      paramLabel = "DAYS",
      defaultValue = "365",
      description = "How long the certificates are valid (default: ${DEFAULT-VALUE}).")
  private int days;

  @Option(
      names = "--renew",
      description =
          "Make new certificates under the authority that is there, for the same names unless"
              + " --hosts says others.")
  private boolean renew;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    requireUsable();
    CertificateFolder folder = CertificateFolder.at(dir);
    try {
      if (renew) {
        boolean asBefore = hosts == null && Files.exists(folder.file("server.p12"));
        folder.renew(asBefore ? folder.hosts() : names(), days);
      } else {
        folder.make(names(), days);
      }
      print(folder);
    } catch (GeneralSecurityException e) {
      throw new CommandFailure(
          "The certificates in "
              + folder.path()
              + " cannot be made or read ("
              + e.getMessage()
              + "); choose another --dir.",
          e);
    }
    return 0;
  }

  private void requireUsable() throws CommandFailure {
    if (days < 1 || days > DAYS_MAX) {
      throw CommandFailure.usage("--days must be from 1 to " + DAYS_MAX + ", not " + days + ".");
    }
    for (String host : hosts == null ? List.<String>of() : hosts) {
      if (!host.matches(HOST)) {
        throw CommandFailure.usage(
            "'"
                + host
                + "' in --hosts is no name or address; write them as a.example.org,10.0.0.1.");
      }
    }
  }

  private List<String> names() {
    if (hosts != null) {
      return hosts;
    }
    Set<String> names = new LinkedHashSet<>();
    try {
      InetAddress here = InetAddress.getLocalHost();
      names.add(here.getHostName());
      names.add(here.getCanonicalHostName());
    } catch (UnknownHostException e) {
      // A machine without a name of its own is reached by those below.
      names.clear();
    }
    names.removeIf(name -> !name.matches(HOST));
    names.add("localhost");
    names.add("127.0.0.1");
    return List.copyOf(names);
  }

  private void print(CertificateFolder folder) throws IOException, GeneralSecurityException {
    PrintWriter out = spec.commandLine().getOut();
    String host = folder.hosts().get(0);
    out.println("Certificates in " + folder.path() + ", valid until " + folder.validUntil());
    out.println("for servers called " + String.join(", ", folder.hosts()) + ".");
    section(out, "Lines for the zoo.cfg of every server:", serverLines(folder));
    Path client = writeClientProperties(folder);
    section(
        out,
        "A client in Java (new ZKClientConfig(Path.of(\"" + client + "\")), or flags of the JVM):",
        lines("-D", clientProperties(folder)));
    section(
        out,
        "orca cli:",
        List.of("orca cli -server " + host + ":" + PORT + " -client-configuration " + client));
    section(
        out,
        "Python, kazoo:",
        List.of(
            "KazooClient(hosts=\"" + host + ":" + PORT + "\", use_ssl=True,",
            "    ca=\"" + folder.file("ca.pem") + "\",",
            "    certfile=\"" + folder.file("client.pem") + "\",",
            "    keyfile=\"" + folder.file("client-key.pem") + "\")"));
    section(out, "Go, go-zookeeper/zk:", goLines(folder, host));
    section(
        out,
        "Copy to other machines, readable by the program's user only:",
        List.of(
            "to servers: server.p12 server.password truststore.p12 truststore.password,",
            "            quorum.p12 quorum.password quorum-truststore.p12"
                + " quorum-truststore.password",
            "to clients: client.p12 client.password truststore.p12 truststore.password, or",
            "            ca.pem client.pem client-key.pem",
            "nowhere:    ca.p12 ca.password quorum-ca.p12 quorum-ca.password, with which others are"
                + " made"));
  }

  private static List<String> serverLines(CertificateFolder folder) {
    Map<String, Object> keys = new LinkedHashMap<>();
    keys.put("secureClientPort", PORT);
    keys.put("serverCnxnFactory", "org.apache.zookeeper.server.NettyServerCnxnFactory");
    putStores(keys, "ssl.", folder, CertificateFolder.SERVER, CertificateFolder.TRUST);
    keys.put("sslQuorum", true);
    putStores(
        keys, "ssl.quorum.", folder, CertificateFolder.QUORUM, CertificateFolder.QUORUM_TRUST);
    // Only servers have such a certificate, and one that calls comes from any address.
    keys.put("ssl.quorum.hostnameVerification", false);
    return lines("", keys);
  }

  private static Map<String, Object> clientProperties(CertificateFolder folder) {
    Map<String, Object> keys = new LinkedHashMap<>();
    keys.put("zookeeper.client.secure", true);
    keys.put("zookeeper.clientCnxnSocket", "org.apache.zookeeper.ClientCnxnSocketNetty");
    putStores(keys, "zookeeper.ssl.", folder, CertificateFolder.CLIENT, CertificateFolder.TRUST);
    return keys;
  }

  private static void putStores(
      Map<String, Object> keys, String prefix, CertificateFolder folder, String own, String trust) {
    keys.put(prefix + "keyStore.location", folder.file(own + ".p12"));
    keys.put(prefix + "keyStore.passwordPath", folder.file(own + ".password"));
    keys.put(prefix + "trustStore.location", folder.file(trust + ".p12"));
    keys.put(prefix + "trustStore.passwordPath", folder.file(trust + ".password"));
  }

  private static Path writeClientProperties(CertificateFolder folder) throws IOException {
    Path file = folder.file("client.properties");
    Files.write(file, lines("", clientProperties(folder)));
    return file;
  }

  private static List<String> goLines(CertificateFolder folder, String host) {
    return List.of(
        "pair, err := tls.LoadX509KeyPair(\""
            + folder.file("client.pem")
            + "\", \""
            + folder.file("client-key.pem")
            + "\")",
        "ca, err := os.ReadFile(\"" + folder.file("ca.pem") + "\")",
        "pool := x509.NewCertPool()",
        "pool.AppendCertsFromPEM(ca)",
        "config := &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: pool}",
        "dial := func(network, address string, timeout time.Duration) (net.Conn, error) {",
        "    return tls.DialWithDialer(&net.Dialer{Timeout: timeout}, network, address, config)",
        "}",
        "conn, events, err := zk.Connect([]string{\""
            + host
            + ":"
            + PORT
            + "\"}, 10*time.Second, zk.WithDialer(dial))");
  }

  private static List<String> lines(String before, Map<String, Object> keys) {
    return keys.entrySet().stream()
        .map(each -> before + each.getKey() + "=" + each.getValue())
        .collect(Collectors.toList());
  }

  private static void section(PrintWriter out, String title, List<String> lines) {
    out.println();
    out.println(title);
    lines.forEach(line -> out.println("    " + line));
  }
}
