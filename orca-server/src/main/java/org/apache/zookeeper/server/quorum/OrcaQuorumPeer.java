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
package org.apache.zookeeper.server.quorum;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.zookeeper.server.OrcaFiles;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.flexible.QuorumVerifier;
import org.apache.zookeeper.server.util.ZxidUtils;
import org.orcagrid.server.console.RoleHistory;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.tree.OrcaZKDatabase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of an ensemble, with our log, our database and our roles.
 *
 * <p>It forces the whole log before it takes part in a new epoch: otherwise a server with a newer
 * epoch and a shorter log could outvote one that holds data which was read.
 */
public final class OrcaQuorumPeer extends QuorumPeer {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaQuorumPeer.class);

  private final OrcaSettings settings;
  private final LogStorage storage;
  private final PromiseFile promise = new PromiseFile();
  private final RoleHistory history = new RoleHistory();
  private final ReadOnlyMode readOnly = new ReadOnlyMode();
  private final PeerHealth health = new PeerHealth();

  /** A peer of which the rest is set later, as {@link QuorumPeerMain} does. */
  public OrcaQuorumPeer(OrcaSettings settings, LogStorage storage) throws IOException {
    this.settings = settings;
    this.storage = storage;
    announce();
  }

  // The constructors below are those of the stock peer, with settings from system properties.

  /** A peer of which everything is set later. */
  public OrcaQuorumPeer() throws IOException {
    this.settings = OrcaSettings.defaults();
    this.storage = OrcaFiles.storage(settings);
    announce();
  }

  /** As the stock constructor. */
  public OrcaQuorumPeer(
      Map<Long, QuorumServer> quorumPeers,
      File dataDir,
      File dataLogDir,
      int electionType,
      long myid,
      int tickTime,
      int initLimit,
      int syncLimit,
      int connectToLearnerMasterLimit,
      ServerCnxnFactory cnxnFactory)
      throws IOException {
    super(
        quorumPeers,
        dataDir,
        dataLogDir,
        electionType,
        myid,
        tickTime,
        initLimit,
        syncLimit,
        connectToLearnerMasterLimit,
        cnxnFactory);
    this.settings = OrcaSettings.defaults();
    this.storage = OrcaFiles.storage(settings);
    replaceFiles();
  }

  /** As the stock constructor. */
  public OrcaQuorumPeer(
      Map<Long, QuorumServer> quorumPeers,
      File dataDir,
      File dataLogDir,
      int electionType,
      long myid,
      int tickTime,
      int initLimit,
      int syncLimit,
      int connectToLearnerMasterLimit,
      boolean quorumListenOnAllIPs,
      ServerCnxnFactory cnxnFactory,
      QuorumVerifier quorumConfig)
      throws IOException {
    super(
        quorumPeers,
        dataDir,
        dataLogDir,
        electionType,
        myid,
        tickTime,
        initLimit,
        syncLimit,
        connectToLearnerMasterLimit,
        quorumListenOnAllIPs,
        cnxnFactory,
        quorumConfig);
    this.settings = OrcaSettings.defaults();
    this.storage = OrcaFiles.storage(settings);
    replaceFiles();
  }

  /** As the stock constructor. */
  public OrcaQuorumPeer(
      Map<Long, QuorumServer> quorumPeers,
      File snapDir,
      File logDir,
      int clientPort,
      int electionAlg,
      long myid,
      int tickTime,
      int initLimit,
      int syncLimit,
      int connectToLearnerMasterLimit)
      throws IOException {
    super(
        quorumPeers,
        snapDir,
        logDir,
        clientPort,
        electionAlg,
        myid,
        tickTime,
        initLimit,
        syncLimit,
        connectToLearnerMasterLimit);
    this.settings = OrcaSettings.defaults();
    this.storage = OrcaFiles.storage(settings);
    replaceFiles();
  }

  /** As the stock constructor. */
  public OrcaQuorumPeer(
      Map<Long, QuorumServer> quorumPeers,
      File snapDir,
      File logDir,
      int clientPort,
      int electionAlg,
      long myid,
      int tickTime,
      int initLimit,
      int syncLimit,
      int connectToLearnerMasterLimit,
      String oraclePath)
      throws IOException {
    super(
        quorumPeers,
        snapDir,
        logDir,
        clientPort,
        electionAlg,
        myid,
        tickTime,
        initLimit,
        syncLimit,
        connectToLearnerMasterLimit,
        oraclePath);
    this.settings = OrcaSettings.defaults();
    this.storage = OrcaFiles.storage(settings);
    replaceFiles();
  }

  /** As the stock constructor. */
  public OrcaQuorumPeer(
      Map<Long, QuorumServer> quorumPeers,
      File snapDir,
      File logDir,
      int clientPort,
      int electionAlg,
      long myid,
      int tickTime,
      int initLimit,
      int syncLimit,
      int connectToLearnerMasterLimit,
      QuorumVerifier quorumConfig)
      throws IOException {
    super(
        quorumPeers,
        snapDir,
        logDir,
        clientPort,
        electionAlg,
        myid,
        tickTime,
        initLimit,
        syncLimit,
        connectToLearnerMasterLimit,
        quorumConfig);
    this.settings = OrcaSettings.defaults();
    this.storage = OrcaFiles.storage(settings);
    replaceFiles();
  }

  private void replaceFiles() {
    setTxnFactory(getTxnFactory());
    setZKDatabase(getZkDb());
    announce();
  }

  private void announce() {
    LOG.info("ORCA server in use, member of an ensemble: {}", settings.describe());
  }

  /** The settings of this server. */
  public OrcaSettings settings() {
    return settings;
  }

  /** The last roles of this server. */
  public RoleHistory history() {
    return history;
  }

  OrcaTxnSnapLog log() {
    return (OrcaTxnSnapLog) getTxnFactory();
  }

  OrcaZKDatabase database() {
    return (OrcaZKDatabase) getZkDb();
  }

  /** A role that begins now, in the epoch that this server has accepted. */
  OrcaRole newRole(
      ZooKeeperServer server, OrcaRole.Ensemble ensemble, OrcaRole.Part part, long start) {
    return new OrcaRole(settings, database(), log(), ensemble, part, start, stopperOf(server));
  }

  /** What a vital thread of {@code server} tells why it ends. */
  Consumer<Throwable> stopperOf(ZooKeeperServer server) {
    return health.stopperOf(server);
  }

  /** Why a thread ended without which this server cannot go on; null while all is well. */
  Throwable vitalFailure() {
    return health.vitalFailure();
  }

  @Override
  public void setTxnFactory(FileTxnSnapLog factory) {
    super.setTxnFactory(OrcaFiles.adopt(factory, storage));
  }

  @Override
  public void setZKDatabase(ZKDatabase database) {
    super.setZKDatabase(database instanceof OrcaZKDatabase ? database : new OrcaZKDatabase(log()));
  }

  /** Refuses to start from files that are not as they were written, and keeps what they promise. */
  void checkFiles() throws IOException {
    epochs().check(log().lastOnDisk());
    promise.onStart(log().getSnapDir().toPath());
  }

  private EpochFiles epochs() {
    return new EpochFiles(log().getSnapDir().toPath());
  }

  @Override
  void writeLongToFile(String name, long value) throws IOException {
    epochs().write(name, value);
  }

  @Override
  public void setCurrentEpoch(long epoch) throws IOException {
    log().commit();
    super.setCurrentEpoch(epoch);
    LogStorage.files().forceDirectory(log().getSnapDir().toPath());
  }

  @Override
  public void setAcceptedEpoch(long epoch) throws IOException {
    super.setAcceptedEpoch(epoch);
    LogStorage.files().forceDirectory(log().getSnapDir().toPath());
  }

  /**
   * As the stock peer, and the next configuration's file is in its directory for good: a follower
   * acknowledges a reconfiguration after this.
   */
  @Override
  public void setLastSeenQuorumVerifier(QuorumVerifier verifier, boolean writeToDisk) {
    super.setLastSeenQuorumVerifier(verifier, writeToDisk);
    if (writeToDisk && isReconfigEnabled()) {
      forceConfigurationDirectory();
    }
  }

  @Override
  public QuorumVerifier setQuorumVerifier(QuorumVerifier verifier, boolean writeToDisk) {
    QuorumVerifier previous = super.setQuorumVerifier(verifier, writeToDisk);
    if (writeToDisk) {
      forceConfigurationDirectory();
    }
    return previous;
  }

  private void forceConfigurationDirectory() {
    String next = getNextDynamicConfigFilename();
    if (next == null) {
      return;
    }
    Path directory = Path.of(next).toAbsolutePath().getParent();
    try {
      storage.forceDirectory(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The configuration in "
              + directory
              + " cannot be forced to disk; the reconfiguration is not acknowledged",
          e);
    }
  }

  /** What an election begins with. A server that cannot go on takes part in none, and stops. */
  @Override
  public long getLastLoggedZxid() {
    health.require(log(), this::shutdown);
    return super.getLastLoggedZxid();
  }

  /**
   * This server, as a follower that answers a heartbeat or as a leader that sends one, acknowledges
   * no leader of another epoch until every lease that this heartbeat can extend has ended.
   *
   * @param epoch that of the leader; this server may have accepted a later one by now
   * @param nanos how long that is, as the leader says
   * @throws IOException if the promise cannot be put on disk: then it is not made
   */
  void promiseToLeader(long epoch, long nanos) throws IOException {
    promise.promise(log().getSnapDir().toPath(), epoch, nanos);
  }

  /**
   * Waits until this server may acknowledge the leader of an epoch, in whatever part it takes.
   *
   * @param zxid one of that epoch
   * @throws InterruptedException if it is shut down before that
   */
  void keepPromise(long zxid) throws InterruptedException {
    promise.keep(ZxidUtils.getEpochFromZxid(zxid), this::isRunning);
  }

  /** How long this server may acknowledge no leader of another epoch. */
  long promisedMillis() {
    return promise.remainingMillis();
  }

  /** An election begins. */
  void onElection() {
    if (ReadOnlyMode.enabled()) {
      readOnly.onElection(database(), log());
    }
  }

  /** Connects clients with {@code server}; with a read-only one once the log is forced. */
  @Override
  public void setZooKeeperServer(ZooKeeperServer server) {
    if (server instanceof ReadOnlyZooKeeperServer) {
      readOnly.awaitForced();
    }
    super.setZooKeeperServer(server);
  }

  @Override
  public synchronized void setPeerState(ServerState state) {
    super.setPeerState(state);
    history.onRole(state.name().toLowerCase(java.util.Locale.ROOT));
  }

  @Override
  protected Election makeLEStrategy() {
    return new OrcaElection(this, super.makeLEStrategy());
  }

  @Override
  public synchronized void start() {
    StockFeatures.require(this, settings);
    try {
      checkFiles();
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    if (ReadOnlyMode.enabled()) {
      ReadOnlyMode.warn(areLocalSessionsEnabled());
    }
    history.onRole(getPeerState().name().toLowerCase(java.util.Locale.ROOT));
    super.start();
  }

  private void beginLearning() {
    readOnly.onRole();
    log().detach(false);
    // A mode that is left from the last part would have the tree read again if this one ends early.
    setSyncMode(SyncMode.NONE);
  }

  @Override
  protected Follower makeFollower(FileTxnSnapLog logFactory) throws IOException {
    beginLearning();
    return new OrcaFollower(
        this, new OrcaFollowerZooKeeperServer((OrcaTxnSnapLog) logFactory, this, database()));
  }

  @Override
  protected Leader makeLeader(FileTxnSnapLog logFactory) throws IOException {
    readOnly.onRole();
    log().detach(true);
    return new OrcaLeader(
        this, new OrcaLeaderZooKeeperServer((OrcaTxnSnapLog) logFactory, this, database()));
  }

  @Override
  protected Observer makeObserver(FileTxnSnapLog logFactory) throws IOException {
    beginLearning();
    return new OrcaObserver(
        this, new OrcaObserverZooKeeperServer((OrcaTxnSnapLog) logFactory, this, database()));
  }
}
