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
package org.orcagrid.mixed.real;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Puts a database far away: what goes there and back takes as much longer. */
final class Far {
  private static final Set<String> WAYS =
      Set.of("execute", "executeQuery", "executeUpdate", "executeBatch", "commit", "rollback");

  private final long nanos;

  private Far(long millis) {
    this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** The same, so many milliseconds away. */
  static DataSource away(DataSource source, long millis) {
    return millis == 0 ? source : new Far(millis).proxy(DataSource.class, source);
  }

  private <T> T proxy(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            Far.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(real, method, arguments)));
  }

  private Object call(Object real, Method method, Object[] arguments) throws Throwable {
    boolean goesThere = WAYS.contains(method.getName());
    if (goesThere && method.getName().equals("rollback") && ((Connection) real).getAutoCommit()) {
      goesThere = false;
    }
    if (goesThere) {
      waitFor(System.nanoTime() + nanos);
    }
    Object result;
    try {
      result = method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (result instanceof Connection connection) {
      return proxy(Connection.class, connection);
    } else if (result instanceof PreparedStatement statement) {
      return proxy(PreparedStatement.class, statement);
    } else if (result instanceof Statement statement && method.getName().startsWith("create")) {
      return proxy(Statement.class, statement);
    }
    return result;
  }

  private static void waitFor(long until) {
    long left = until - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = until - System.nanoTime();
    }
  }
}
