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
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.util.JvmPauseMonitor;
import org.apache.zookeeper.server.util.ZxidUtils;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.log.NumberFile;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.role.OrcaHost;
import org.orcagrid.server.role.OrcaMetricsGauges;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.tree.OrcaZKDatabase;

/**
 * A standalone server: a quorum of one, whose durable-index is its own persisted-index.
 *
 * <p>A stock standalone server has no epoch. With asynchronous durability it could lose the end of
 * its log, hand the lost numbers out again, and refuse the clients that had seen them. So this one
 * begins a new epoch at each start and keeps it in a file beside the log.
 */
public final class OrcaZooKeeperServer extends ZooKeeperServer
    implements OrcaHost, OrcaRole.Ensemble {

  private static final String EPOCH_FILE = "orcaEpoch";

  private final OrcaSettings settings;
  private volatile boolean isRestoring;
  private final HostedRole hosted = new HostedRole(this);

  /** A server over our files. */
  public OrcaZooKeeperServer(
      OrcaSettings settings,
      JvmPauseMonitor jvmPauseMonitor,
      OrcaTxnSnapLog log,
      int tickTime,
      int minSessionTimeout,
      int maxSessionTimeout,
      int listenBacklog,
      String initialConfig) {
    super(
        jvmPauseMonitor,
        log,
        tickTime,
        minSessionTimeout,
        maxSessionTimeout,
        listenBacklog,
        new OrcaZKDatabase(log),
        initialConfig);
    this.settings = settings;
    announce();
  }

  // The constructors below are those of the stock server, with settings from system properties.

  /** A server of which everything is set later. */
  public OrcaZooKeeperServer() {
    this.settings = OrcaSettings.defaults();
    announce();
  }

  /** As the stock constructor. */
  public OrcaZooKeeperServer(
      FileTxnSnapLog log,
      int tickTime,
      int minSessionTimeout,
      int maxSessionTimeout,
      int listenBacklog,
      ZKDatabase database,
      String initialConfig) {
    this(
        log,
        tickTime,
        minSessionTimeout,
        maxSessionTimeout,
        listenBacklog,
        database,
        initialConfig,
        QuorumPeerConfig.isReconfigEnabled());
  }

  /** As the stock constructor; the database is replaced by one of ours. */
  public OrcaZooKeeperServer(
      FileTxnSnapLog log,
      int tickTime,
      int minSessionTimeout,
      int maxSessionTimeout,
      int listenBacklog,
      ZKDatabase database,
      String initialConfig,
      boolean reconfigEnabled) {
    super(
        adopt(log),
        tickTime,
        minSessionTimeout,
        maxSessionTimeout,
        listenBacklog,
        database,
        initialConfig,
        reconfigEnabled);
    this.settings = OrcaSettings.defaults();
    super.setZKDatabase(new OrcaZKDatabase(log()));
    announce();
  }

  /** As the stock constructor. */
  public OrcaZooKeeperServer(
      JvmPauseMonitor jvmPauseMonitor,
      FileTxnSnapLog log,
      int tickTime,
      int minSessionTimeout,
      int maxSessionTimeout,
      int listenBacklog,
      ZKDatabase database,
      String initialConfig) {
    this(
        log,
        tickTime,
        minSessionTimeout,
        maxSessionTimeout,
        listenBacklog,
        database,
        initialConfig);
    this.jvmPauseMonitor = jvmPauseMonitor;
  }

  /** As the stock constructor. */
  public OrcaZooKeeperServer(FileTxnSnapLog log, int tickTime, String initialConfig) {
    this(log, tickTime, -1, -1, -1, null, initialConfig);
  }

  /** As the stock constructor. */
  public OrcaZooKeeperServer(File snapDir, File logDir, int tickTime) throws IOException {
    this(
        new OrcaTxnSnapLog(snapDir, logDir, OrcaFiles.storage(OrcaSettings.defaults())),
        tickTime,
        "");
  }

  /** As the stock constructor. */
  public OrcaZooKeeperServer(FileTxnSnapLog log) {
    this(log, DEFAULT_TICK_TIME, "");
  }

  private static FileTxnSnapLog adopt(FileTxnSnapLog log) {
    LogStorage storage = OrcaFiles.storage(OrcaSettings.defaults());
    return OrcaFiles.adopt(log, storage);
  }

  private void announce() {
    LOG.info("ORCA server in use, standalone: {}", settings.describe());
  }

  private OrcaTxnSnapLog log() {
    return (OrcaTxnSnapLog) getTxnLogFactory();
  }

  private OrcaZKDatabase database() {
    return (OrcaZKDatabase) getZKDatabase();
  }

  @Override
  public OrcaRole role() {
    return hosted.role();
  }

  @Override
  public void setTxnLogFactory(FileTxnSnapLog log) {
    super.setTxnLogFactory(OrcaFiles.adopt(log, OrcaFiles.storage(settings)));
  }

  @Override
  public void setZKDatabase(ZKDatabase database) {
    // One that an administrator restores has all its content, and no reply waits for anything then.
    super.setZKDatabase(
        database == null || database instanceof OrcaZKDatabase || isRestoring
            ? database
            : new OrcaZKDatabase(log()));
  }

  @Override
  public void startdata() throws IOException, InterruptedException {
    if (getZKDatabase() == null) {
      setZKDatabase(new OrcaZKDatabase(log()));
    }
    super.startdata();
  }

  @Override
  public void loadData() throws IOException, InterruptedException {
    hosted.load(super::loadData);
    if (settings.durability() != Durability.SYNC) {
      beginEpoch();
    }
  }

  private void beginEpoch() throws IOException {
    Path file = log().getSnapDir().toPath().resolve(EPOCH_FILE);
    long epoch = ZxidUtils.getEpochFromZxid(getZKDatabase().getDataTreeLastProcessedZxid());
    if (Files.exists(file)) {
      try {
        epoch = Math.max(epoch, NumberFile.require(file));
      } catch (IOException e) {
        throw new IOException(
            e.getMessage()
                + ". It holds the number of this server's last epoch. Restore it from a backup, or"
                + " write a larger number than any before: echo "
                + (epoch + 1000)
                + " > "
                + file,
            e);
      }
    }
    long next = epoch + 1;
    NumberFile.write(file, next, "");
    LogStorage.files().forceDirectory(file.getParent());
    setZxid(ZxidUtils.makeZxid(next, 0));
  }

  @Override
  public void submitRequest(Request request) {
    if (!hosted.takes(request)) {
      super.submitRequest(request);
    }
  }

  @Override
  protected void setupRequestProcessors() {
    long start = getZKDatabase().getDataTreeLastProcessedZxid();
    OrcaRole standalone =
        new OrcaRole(
            settings,
            database(),
            log(),
            this,
            OrcaRole.Part.STANDALONE,
            start,
            failure ->
                getZooKeeperServerListener()
                    .notifyStopping(
                        Thread.currentThread().getName(), ExitCode.UNEXPECTED_ERROR.getValue()));
    hosted.begin(standalone);
    OrcaFinalRequestProcessor last = new OrcaFinalRequestProcessor(this, standalone, applied -> {});
    OrcaSyncRequestProcessor sync =
        new OrcaSyncRequestProcessor(
            this, last, log(), standalone, standalone::forcesBeforeAcknowledging);
    sync.start();
    PrepRequestProcessor first = new OrcaPrepRequestProcessor(this, sync);
    first.start();
    firstProcessor = first;
    hosted.readDirectly(last, read -> true, true);
    standalone.start();
  }

  @Override
  public synchronized void startup() {
    super.startup();
    if (settings.durability() != Durability.SYNC) {
      // Takes a number of the new epoch, so that no client has seen more than this server has.
      ((PrepRequestProcessor) firstProcessor).processRequest(OrcaFiles.noOperation());
    }
  }

  @Override
  public void demand(long durable, long applied) {
    hosted.role().flush(durable);
  }

  @Override
  public void onPersisted(long index) {
    hosted.role().advance(index, Long.MAX_VALUE);
  }

  @Override
  public long lastCommitted() {
    return getZKDatabase().getDataTreeLastProcessedZxid();
  }

  @Override
  protected void registerMetrics() {
    super.registerMetrics();
    hosted.show(new OrcaMetricsGauges(hosted.role()));
  }

  @Override
  protected void unregisterMetrics() {
    super.unregisterMetrics();
    hosted.hideGauges();
  }

  @Override
  protected void shutdownComponents() {
    hosted.suspendReads();
    super.shutdownComponents();
    if (hosted.close()) {
      log().detach(false);
    }
  }

  @Override
  public File takeSnapshot(boolean syncSnap, boolean isSevere) throws IOException {
    return hosted.snapshot(log(), isSevere, () -> super.takeSnapshot(syncSnap, isSevere));
  }

  @Override
  protected void killSession(long sessionId, long zxid) {
    hosted.onSessionForgotten();
    super.killSession(sessionId, zxid);
  }

  @Override
  public long restoreFromSnapshot(InputStream inputStream) throws IOException {
    return hosted.restore(settings, () -> restoreNow(inputStream));
  }

  private long restoreNow(InputStream inputStream) throws IOException {
    isRestoring = true;
    try {
      return super.restoreFromSnapshot(inputStream);
    } finally {
      isRestoring = false;
    }
  }
}
