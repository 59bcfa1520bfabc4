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
package org.apache.zookeeper.server;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.metrics.MetricsProvider;
import org.apache.zookeeper.metrics.MetricsProviderLifeCycleException;
import org.apache.zookeeper.metrics.impl.MetricsProviderBootstrap;
import org.apache.zookeeper.metrics.impl.NullMetricsProvider;
import org.apache.zookeeper.server.admin.AdminServer;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.admin.AdminServerFactory;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.util.JvmPauseMonitor;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.settings.OrcaSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a standalone server until it is closed or fails. */
public class OrcaZooKeeperServerMain extends ZooKeeperServerMain {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaZooKeeperServerMain.class);

  private final OrcaSettings settings;
  private final LogStorage storage;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile ZooKeeperServer running;
  private volatile ServerCnxnFactory plain;
  private volatile ServerCnxnFactory secure;
  private volatile InetSocketAddress address;

  /** With these settings, and with this disk beneath the log. */
  public OrcaZooKeeperServerMain(OrcaSettings settings, LogStorage storage) {
    this.settings = settings;
    this.storage = storage;
  }

  /** With settings from system properties. */
  public OrcaZooKeeperServerMain() {
    this.settings = OrcaSettings.defaults();
    this.storage = OrcaFiles.storage(settings);
  }

  /** The server that runs, or null before there is one. */
  public ZooKeeperServer server() {
    return running;
  }

  /** Where clients connect, or null before they can. */
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public int getClientPort() {
    ServerCnxnFactory factory = plain;
    return factory == null ? 0 : factory.getLocalPort();
  }

  @Override
  public int getSecureClientPort() {
    ServerCnxnFactory factory = secure;
    return factory == null ? 0 : factory.getLocalPort();
  }

  /** Makes the run end. */
  @Override
  public void close() {
    stopped.countDown();
  }

  @Override
  public void runFromConfig(ServerConfig config) throws IOException, AdminServerException {
    run(config, AdminServerFactory.createAdminServer());
  }

  /** Runs a server for this JVM, without AdminServer and with the default times. */
  public void runEmbedded(File dataDir, InetSocketAddress clientAddress)
      throws IOException, AdminServerException {
    ServerConfig config = new ServerConfig();
    config.dataDir = dataDir;
    config.dataLogDir = dataDir;
    config.clientPortAddress = clientAddress;
    config.metricsProviderClassName = NullMetricsProvider.class.getName();
    run(config, null);
  }

  private void run(ServerConfig config, AdminServer adminServer)
      throws IOException, AdminServerException {
    MetricsProvider metrics;
    try {
      metrics =
          MetricsProviderBootstrap.startMetricsProvider(
              config.getMetricsProviderClassName(), config.getMetricsProviderConfiguration());
    } catch (MetricsProviderLifeCycleException e) {
      throw new IOException(
          "The metrics provider "
              + config.getMetricsProviderClassName()
              + " cannot start; correct metricsProvider.className or put its jar on the class"
              + " path.",
          e);
    }
    try {
      ServerMetrics.metricsProviderInitialized(metrics);
      ProviderRegistry.initialize();
      serve(config, adminServer);
    } finally {
      metrics.stop();
    }
  }

  private void serve(ServerConfig config, AdminServer adminServer)
      throws IOException, AdminServerException {
    OrcaTxnSnapLog log = new OrcaTxnSnapLog(config.getDataLogDir(), config.getDataDir(), storage);
    OrcaZooKeeperServer server =
        new OrcaZooKeeperServer(
            settings,
            config.jvmPauseMonitorToRun ? new JvmPauseMonitor(config) : null,
            log,
            config.getTickTime(),
            config.getMinSessionTimeout(),
            config.getMaxSessionTimeout(),
            config.getClientPortListenBacklog(),
            config.initialConfig);
    running = server;
    server.registerServerShutdownHandler(new ZooKeeperServerShutdownHandler(stopped));
    ContainerManager containers = null;
    try {
      if (adminServer != null) {
        adminServer.setZooKeeperServer(server);
        adminServer.start();
      }
      plain = listen(config, config.getClientPortAddress(), false, server, true);
      secure = listen(config, config.getSecureClientPortAddress(), true, server, plain == null);
      containers =
          new ContainerManager(
              server.getZKDatabase(),
              server.firstProcessor,
              Integer.getInteger(
                  "znode.container.checkIntervalMs", (int) TimeUnit.MINUTES.toMillis(1)),
              Integer.getInteger("znode.container.maxPerMinute", 10000),
              Long.getLong("znode.container.maxNeverUsedIntervalMs", 0));
      containers.start();
      address = (plain != null ? plain : secure).getLocalAddress();
      serverStarted();
      stopped.await();
    } catch (InterruptedException e) {
      LOG.warn("Interrupted; the server stops", e);
      Thread.currentThread().interrupt();
    } finally {
      if (containers != null) {
        containers.stop();
      }
      stop(plain);
      stop(secure);
      if (adminServer != null) {
        adminServer.shutdown();
      }
      server.shutdown(true);
      log.close();
    }
  }

  private ServerCnxnFactory listen(
      ServerConfig config,
      InetSocketAddress at,
      boolean withTls,
      OrcaZooKeeperServer server,
      boolean startServer)
      throws IOException, InterruptedException {
    if (at == null) {
      return null;
    }
    ServerCnxnFactory factory = ServerCnxnFactory.createFactory();
    factory.configure(at, config.getMaxClientCnxns(), config.getClientPortListenBacklog(), withTls);
    factory.startup(server, startServer);
    return factory;
  }

  private static void stop(ServerCnxnFactory factory) {
    if (factory != null) {
      factory.shutdown();
    }
  }
}
