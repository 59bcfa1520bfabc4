#!/bin/sh
# What a user tries with the unpacked tarball, in a root with nothing but a JDK: build/dist-test.sh runs it there, as a user who
# cannot write the installation, without a network but loopback.
set -eu
home=$1
cd "$HOME"
PATH=$home/bin:$PATH

step() {
  echo "== $*"
  "$@"
}
expect() {
  wanted=$1
  shift
  echo "== $*"
  said=$("$@" 2>&1) || { echo "$said"; echo "dist-test: '$*' failed" >&2; exit 1; }
  echo "$said"
  case $said in
    *$wanted*) ;;
    *) echo "dist-test: '$*' did not say '$wanted'" >&2; exit 1 ;;
  esac
}

step orca --version
step orca ensemble start 3
expect "leader" orca ensemble status
servers=$(orca ensemble status | sed -n 's/.*\(127\.0\.0\.1:[0-9]*\).*/\1/p' | head -n 1)
expect "Created /trial" zkCli.sh -server "$servers" create /trial value
expect "value" zkCli.sh -server "$servers" get /trial
step orca ensemble stop

cat > zoo.cfg <<CFG
dataDir=$HOME/data
clientPort=2181
admin.enableServer=false
metricsProvider.className=org.apache.zookeeper.metrics.prometheus.PrometheusMetricsProvider
metricsProvider.httpHost=127.0.0.1
metricsProvider.httpPort=7000
CFG
cat > Fetch.java <<'JAVA'
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

class Fetch {
  public static void main(String[] uri) throws Exception {
    System.out.println(HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(uri[0])).build(), BodyHandlers.ofString()).body());
  }
}
JAVA
# As operators have it: a variable that nobody has set, and one that must reach the server.
mkdir conf
cp zoo.cfg conf/
echo 'export SERVER_JVMFLAGS="-Dtrial.flag=yes $SERVER_JVMFLAGS"' > conf/java.env
ZOOCFGDIR=$HOME/conf
export ZOOCFGDIR
case $(zkServer.sh print-cmd) in
  *-Dtrial.flag=yes*) ;;
  *) echo "dist-test: java.env does not reach the server" >&2; exit 1 ;;
esac
echo "== zkServer.sh start, with a disk that is not mounted"
if ZOO_DATADIR_AUTOCREATE_DISABLE=1 zkServer.sh start; then
  echo "dist-test: a server starts without its data folder" >&2
  exit 1
fi
unset ZOOCFGDIR
expect "STARTED" zkServer.sh start "$HOME/zoo.cfg"
echo "== zkServer.sh start, a second time"
if zkServer.sh start "$HOME/zoo.cfg"; then
  echo "dist-test: a server starts twice" >&2
  exit 1
fi
expect "Mode: standalone" zkServer.sh status "$HOME/zoo.cfg"
echo "== the metrics of stock's provider, whose jars are in lib/ext"
java Fetch.java http://127.0.0.1:7000/metrics > metrics
grep -E '^(orca_durable_index|jvm_threads_current)' metrics
kill -0 "$(cat data/zookeeper_server.pid)"
expect "STOPPED" zkServer.sh stop "$HOME/zoo.cfg"
echo "== zkServer.sh status $HOME/zoo.cfg, now that it is stopped"
if zkServer.sh status "$HOME/zoo.cfg"; then
  echo "dist-test: zkServer.sh status says that a stopped server runs" >&2
  exit 1
fi

step orca grid start 3
cat > Jobs.java <<'JAVA'
import org.orcagrid.client.*;
import org.orcagrid.ddp.model.Ddp;

class Jobs {
  public static void main(String[] nodes) {
    try (var grid = Grid.connect(nodes[0])) {
      var queue = grid.queue("jobs", Codec.STRING, Ddp.parse("linearizable/synchronous"));
      queue.offer("a job");
      System.out.println("taken: " + queue.poll());
    }
  }
}
JAVA
expect "taken: a job" orca java Jobs.java localhost:7100,localhost:7101,localhost:7102
step orca grid status
step orca grid stop
