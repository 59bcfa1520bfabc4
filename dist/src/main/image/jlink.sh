#!/bin/sh
# Makes the Java runtime of the image: jlink.sh JAVA_HOME FOLDER. The modules are those that servers and the orca command use.
set -eu
modules=java.base,java.logging,java.management,java.naming,java.security.jgss,java.security.sasl,java.sql,java.xml
# Metrics, the console's HTTP server, curves for TLS, jcmd's answers, jline's and Netty's Unsafe, time zones' names.
modules=$modules,java.instrument,jdk.attach,jdk.crypto.ec,jdk.httpserver,jdk.jcmd,jdk.management,jdk.management.agent,jdk.net,jdk.nio.mapmode
modules=$modules,jdk.security.auth,jdk.security.jgss,jdk.unsupported,jdk.zipfs
exec "$1/bin/jlink" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages --compress=2 --output "$2"
