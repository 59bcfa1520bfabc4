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
package org.orcagrid.mixed.store.postgres;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.mixed.Mixed.both;
import static org.orcagrid.mixed.Mixed.value;

import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.store.Encoding;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.RowKey;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreContract;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.track.Context;

/** Over tables that were there before. */
class MappedTest extends StoreContract {
  private static final StoreName<Linearizable> SQL = new StoreName<>("sql", Linearizable.class);
  private static final Mapped<Long> ACCOUNTS =
      Mapped.table("accounts").key("id").value("balance", Long.class);
  private static final Mapped<Map<String, Object>> ALL_TYPES =
      Mapped.table("the \"old\" ones", "All $$ 'types'; ?")
          .key("region", "number")
          .values("t", "v", "bytes", "i", "l", "n", "is \"it\"", "at", "u");
  private static final String ALL_TYPES_NAME = "\"the \"\"old\"\" ones\".\"All $$ 'types'; ?\"";

  private static Databases databases;
  private static Store store;
  private static long count;

  @BeforeAll
  static void start() throws IOException, StoreException, SQLException {
    databases = new Databases();
    sql(
        "CREATE TABLE accounts (id bigint PRIMARY KEY, balance bigint CHECK (balance >= 0),"
            + " owner text NOT NULL DEFAULT 'nobody')",
        "CREATE SCHEMA \"the \"\"old\"\" ones\"",
        "CREATE TABLE "
            + ALL_TYPES_NAME
            + " (region text, number integer, t text, v varchar(5), bytes bytea, i integer,"
            + " l bigint, n numeric(6,2), \"is \"\"it\"\"\" boolean, at timestamptz, u uuid,"
            + " PRIMARY KEY (region, number))");
    store = open(ACCOUNTS, ALL_TYPES);
  }

  private static Store open(Mapped<?>... mapped) throws StoreException {
    return new PostgresStore(
        "sql", databases.pool("postgres", "read committed"), new Operations(List.of(ADD)), mapped);
  }

  private static void sql(String... statements) throws SQLException {
    try (Connection connection = databases.server().getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  private static Object cell(String query) throws SQLException {
    try (Connection connection = databases.server().getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getObject(1) : "no row";
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (databases != null) {
      databases.close();
    }
  }

  @Override
  protected Store store() {
    return store;
  }

  @Override
  protected Object key(long number) {
    return RowKey.of("accounts", number);
  }

  @Override
  protected Object storable() {
    return 7L;
  }

  // --- rows --------------------------------------------------------------------------------------

  private static StoredObject account(long id) {
    return ACCOUNTS.row(SQL, id).object();
  }

  private static Answer decide(Map<StoredObject, Long> reads, Part.Write... writes)
      throws StoreException {
    TransactionId id = new TransactionId("sql", 50_000_000 + ++count, count);
    return store
        .decide(
            id, new Part("sql", List.of(writes), reads, null), new Intent(id, List.of(), List.of()))
        .answer();
  }

  private static Part.Write set(StoredObject object, Object value) {
    return new Part.Write(object, null, value, Context.NONE);
  }

  private static long version(StoredObject object) throws StoreException {
    return store.read(Set.of(object), Set.of()).found().get(object).version();
  }

  @Test
  void rowsOfOthersAreObjects() throws Exception {
    sql("INSERT INTO accounts VALUES (901, 70, 'ann'), (902, 30, 'bob')");
    Handle<Linearizable, Long> ann = ACCOUNTS.row(SQL, 901);
    Handle<Linearizable, Long> bob = ACCOUNTS.row(SQL, 902);
    Handle<Linearizable, Long> moved = SQL.object("moved");
    try (MixedClient client = new MixedClient(List.of(store))) {
      Out<Linearizable, Long> sum = new Out<>(Linearizable.class);
      client.transaction(
          ann.set(ann.get().map(n -> n - 20)),
          bob.set(bob.get().map(n -> n + 20)),
          moved.set(value(20L)));
      assertEquals(
          100L,
          sum.of(
              client
                  .transaction(sum.set(both(ann.get(), bob.get()).map((a, b) -> a + b)))
                  .results()));
    }
    assertEquals(50L, cell("SELECT balance FROM accounts WHERE id = 901 AND owner = 'ann'"));
    assertEquals(50L, cell("SELECT balance FROM accounts WHERE id = 902 AND owner = 'bob'"));
  }

  @Test
  void anUpdateOfAnotherProgramBetweenReadAndCommitIsFound() throws Exception {
    sql("INSERT INTO accounts VALUES (911, 10), (912, 10), (913, 10)");
    long read = version(account(911));
    sql("UPDATE accounts SET balance = 0 WHERE id = 911");
    assertEquals(Answer.CONFLICT, store.check(reads(911, read)).answer());
    assertEquals(Answer.CONFLICT, decide(Map.of(account(911), read), set(account(911), 9L)));
    assertEquals(Answer.CONFLICT, decide(Map.of(account(911), read), set(account(912), 9L)));
    // The same value again is a write, too.
    long again = version(account(912));
    sql("UPDATE accounts SET balance = 10 WHERE id = 912");
    assertEquals(Answer.CONFLICT, decide(Map.of(account(912), again), set(account(912), 9L)));
    long there = version(account(913));
    sql("DELETE FROM accounts WHERE id = 913");
    assertEquals(Answer.CONFLICT, decide(Map.of(account(913), there), set(account(913), 9L)));
    assertEquals(0L, version(account(914)));
    sql("INSERT INTO accounts VALUES (914, 5)");
    assertEquals(Answer.CONFLICT, decide(Map.of(account(914), 0L), set(account(914), 9L)));
    long now = version(account(914));
    assertEquals(Answer.DONE, store.check(reads(914, now)).answer());
    assertEquals(Answer.DONE, decide(Map.of(account(914), now), set(account(914), 9L)));
    assertEquals(9L, cell("SELECT balance FROM accounts WHERE id = 914"));
  }

  /** The writer waits between its UPDATE, which finds no row, and its INSERT. */
  @Test
  void anInsertOfAnotherProgramBetweenTheTwoStatementsOfAWriteHidesNothing() throws Exception {
    sql(
        "CREATE TABLE slow (id bigint PRIMARY KEY, n bigint)",
        "CREATE FUNCTION wait_for_77() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM set_config('lock_timeout', '0', true);"
            + " PERFORM pg_advisory_xact_lock(77); RETURN NULL; END $$",
        "CREATE TRIGGER slow_down AFTER UPDATE ON slow"
            + " FOR EACH STATEMENT EXECUTE FUNCTION wait_for_77()");
    Mapped<Long> slow = Mapped.table("slow").key("id").value("n", Long.class);
    StoredObject row = slow.row(SQL, 1).object();
    TransactionId id = new TransactionId("sql", 50_000_000 + ++count, count);
    Part part = new Part("sql", List.of(set(row, 7L)), Map.of(), null);
    try (Store slowStore = open(slow);
        Connection other = databases.server().getPostgresDatabase().getConnection();
        Statement statement = other.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(77)");
      FutureTask<Answer> decided =
          new FutureTask<>(
              () -> slowStore.decide(id, part, new Intent(id, List.of(), List.of())).answer());
      Thread writer = new Thread(decided);
      writer.start();
      long end = System.nanoTime() + 30_000_000_000L;
      while (!cell("SELECT count(*) FROM pg_locks"
              + " WHERE locktype = 'advisory' AND objid = 77 AND NOT granted")
          .equals(1L)) {
        assertTrue(System.nanoTime() - end < 0, "the writer waits for the lock");
      }
      statement.execute("INSERT INTO slow VALUES (1, 1)");
      statement.execute("SELECT pg_advisory_unlock(77)");
      assertEquals(Answer.DONE, decided.get());
      assertEquals(7L, cell("SELECT n FROM slow WHERE id = 1"));
    }
  }

  @Test
  void aRowThatATriggerSkipsIsRefused() throws Exception {
    sql(
        "CREATE TABLE skipped (id bigint PRIMARY KEY, n bigint)",
        "INSERT INTO skipped VALUES (1, 10)",
        "CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
        "CREATE TRIGGER skips BEFORE INSERT OR UPDATE ON skipped"
            + " FOR EACH ROW EXECUTE FUNCTION skip()");
    Mapped<Long> skipped = Mapped.table("skipped").key("id").value("n", Long.class);
    try (Store skipping = open(skipped);
        MixedClient client = new MixedClient(List.of(skipping))) {
      Handle<Linearizable, Long> own = SQL.object("not written with what is skipped");
      for (int id = 1; id <= 2; id++) {
        Handle<Linearizable, Long> row = skipped.row(SQL, id);
        IllegalTransactionException e =
            assertThrows(
                IllegalTransactionException.class,
                () -> client.transaction(row.set(value(11L)), own.set(value(1L))));
        assertTrue(e.getMessage().contains("The table skipped has not taken"), e.getMessage());
      }
      Out<Linearizable, Long> out = new Out<>(Linearizable.class);
      assertEquals(null, out.of(client.transaction(out.set(own.get())).results()));
    }
    assertEquals("{10}", cell("SELECT array_agg(n)::text FROM skipped"));
  }

  private static Part reads(long id, long version) {
    return new Part("sql", List.of(), Map.of(account(id), version), null);
  }

  @Test
  void whatAnotherProgramIsWritingIsAConflict() throws Exception {
    sql("INSERT INTO accounts VALUES (921, 10)");
    long read = version(account(921));
    try (Connection other = databases.server().getPostgresDatabase().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("UPDATE accounts SET balance = 3 WHERE id = 921");
      assertEquals(Answer.CONFLICT, decide(Map.of(account(921), read), set(account(921), 4L)));
      assertEquals(Answer.CONFLICT, decide(Map.of(account(921), read), set(account(922), 4L)));
      other.rollback();
    }
    assertEquals(Answer.DONE, decide(Map.of(account(921), read), set(account(921), 4L)));
  }

  @Test
  void whatIsPreparedKeepsOthersFromItsRows() throws Exception {
    sql("INSERT INTO accounts VALUES (931, 10), (932, 10)");
    TransactionId id = new TransactionId("sql", 60_000_000, 1);
    Map<StoredObject, Long> reads = Map.of(account(932), version(account(932)));
    Part part = new Part("sql", List.of(set(account(931), 1L)), reads, null);
    assertEquals(Answer.DONE, store.prepare(id, part).answer());
    for (int each : List.of(931, 932)) {
      SQLException e =
          assertThrows(
              SQLException.class,
              () ->
                  sql(
                      "SET lock_timeout = '100ms'",
                      "UPDATE accounts SET balance = 0 WHERE id = " + each));
      assertEquals("55P03", e.getSQLState());
    }
    assertEquals(Answer.DONE, store.commitPrepared(id).answer());
    assertEquals(1L, cell("SELECT balance FROM accounts WHERE id = 931"));
  }

  @Test
  void manyAtOnceLoseNothing() throws Exception {
    sql("INSERT INTO accounts VALUES (941, 0), (942, 0)");
    List<Handle<Linearizable, Long>> both =
        List.of(ACCOUNTS.row(SQL, 941L), ACCOUNTS.row(SQL, 942L));
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    try (MixedClient client = new MixedClient(List.of(store))) {
      for (int i = 0; i < 4; i++) {
        Handle<Linearizable, Long> one = both.get(i % 2);
        Handle<Linearizable, Long> other = both.get(1 - i % 2);
        Runnable work =
            i == 3
                ? () -> increments("UPDATE accounts SET balance = balance + 1 WHERE id = 941")
                : () -> {
                  for (int n = 0; n < 20; n++) {
                    client.transaction(
                        one.set(one.get().map(v -> v + 1)), other.set(other.get().map(v -> v + 1)));
                  }
                };
        Thread thread = new Thread(work);
        thread.setUncaughtExceptionHandler((none, e) -> failures.add(e));
        threads.add(thread);
        thread.start();
      }
      for (Thread each : threads) {
        each.join();
      }
    }
    assertEquals(List.of(), failures);
    assertEquals(80L, cell("SELECT balance FROM accounts WHERE id = 941"));
    assertEquals(60L, cell("SELECT balance FROM accounts WHERE id = 942"));
  }

  private static void increments(String update) {
    for (int n = 0; n < 20; n++) {
      try {
        sql(update);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  // --- values ------------------------------------------------------------------------------------

  @Test
  void eachTypeComesBackAsItWas() throws Exception {
    StoredObject row = ALL_TYPES.row(SQL, "e,a%s(t)\\\"", -7).object();
    Map<String, Object> values = new java.util.HashMap<>();
    values.put("t", "{\"a\\,'$$ ? NULL");
    values.put("v", "NULL");
    values.put("bytes", new byte[] {0, 1, -1});
    values.put("i", Integer.MIN_VALUE);
    values.put("l", Long.MAX_VALUE);
    values.put("n", new BigDecimal("-1234.50"));
    values.put("is \"it\"", false);
    values.put("at", Instant.parse("2026-11-28T00:30:00.123456Z"));
    values.put("u", UUID.fromString("00000000-0000-0007-0000-000000000009"));
    assertEquals(Answer.DONE, decide(Map.of(), set(row, values)));
    Map<?, ?> found = (Map<?, ?>) store.read(Set.of(row), Set.of()).found().get(row).value();
    assertArrayEquals((byte[]) values.remove("bytes"), (byte[]) found.remove("bytes"));
    assertEquals(values, found);
    assertEquals(
        "2026-11-28T00:30:00.123456+00",
        cell("SELECT to_json(at AT TIME ZONE 'UTC')#>>'{}' || '+00' FROM " + ALL_TYPES_NAME));
    Map<String, Object> nulls = new java.util.HashMap<>();
    ALL_TYPES.values().forEach(each -> nulls.put(each, null));
    assertEquals(Answer.DONE, decide(Map.of(), set(row, nulls)));
    assertEquals(nulls, store.read(Set.of(row), Set.of()).found().get(row).value());
    assertEquals(row.key(), Encoding.key(Encoding.key(row)));
    sql("UPDATE " + ALL_TYPES_NAME + " SET at = 'infinity'");
    StoreException e = assertThrows(StoreException.class, () -> store.read(Set.of(row), Set.of()));
    assertTrue(e.getMessage().contains("column at of the table"), e.getMessage());
    sql("TRUNCATE " + ALL_TYPES_NAME);
  }

  @Test
  void whatTheTableDoesNotTakeIsRefusedAndNothingIsDone() throws Exception {
    sql("INSERT INTO accounts VALUES (951, 10)");
    try (MixedClient client = new MixedClient(List.of(store))) {
      Handle<Linearizable, Long> own = SQL.object("not written");
      IllegalTransactionException e =
          assertThrows(
              IllegalTransactionException.class,
              () -> client.transaction(ACCOUNTS.row(SQL, 951).set(value(-1L)), own.set(value(1L))));
      assertTrue(e.getMessage().contains("accounts_balance_check"), e.getMessage());
      Out<Linearizable, Long> out = new Out<>(Linearizable.class);
      assertEquals(null, out.of(client.transaction(out.set(own.get())).results()));
      Handle<Linearizable, Object> wrong = SQL.object(RowKey.of("accounts", 951));
      refused(client, wrong, "ten", "of the table accounts does not take ten (String)");
      Handle<Linearizable, Object> noKey = SQL.object(RowKey.of("accounts", "0951"));
      refused(client, noKey, 1L, "'0951' is no key of the column id of the table accounts");
      Handle<Linearizable, Object> other = SQL.object(RowKey.of("people", 1));
      refused(client, other, 1L, "was not given");
      Handle<Linearizable, Object> all = SQL.object(ALL_TYPES.row(SQL, "east", 1).object().key());
      refused(client, all, null, "rows are not deleted");
      Map<String, Object> values = new java.util.HashMap<>();
      ALL_TYPES.values().forEach(each -> values.put(each, null));
      values.put("n", new BigDecimal("1.005"));
      refused(client, all, values, "at most 2 decimals");
      values.put("n", null);
      values.put("at", Instant.EPOCH.plusNanos(1));
      refused(client, all, values, "truncate it to 6 digits");
      values.put("at", null);
      values.put("v", "too long");
      refused(client, all, values, "it would be cut; give it at most 5 characters");
    }
    assertEquals(10L, cell("SELECT balance FROM accounts WHERE id = 951"));
  }

  private static void refused(
      MixedClient client, Handle<Linearizable, Object> row, Object value, String why) {
    IllegalTransactionException e =
        assertThrows(
            IllegalTransactionException.class, () -> client.transaction(row.set(value(value))));
    assertTrue(e.getMessage().contains(why), e.getMessage());
  }

  // --- what cannot be mapped ---------------------------------------------------------------------

  private static void refused(Mapped<?> mapped, String... parts) {
    StoreException e = assertThrows(StoreException.class, () -> open(mapped));
    for (String each : parts) {
      assertTrue(e.getMessage().contains(each), e.getMessage());
    }
  }

  @Test
  void whatCannotBeMappedIsRefusedWithTheReason() throws Exception {
    sql(
        "CREATE TABLE odd (id integer PRIMARY KEY, price numeric, when_ timestamp, f real,"
            + " twice integer GENERATED ALWAYS AS (id * 2) STORED, a integer, b integer)",
        "CREATE UNIQUE INDEX ON odd (a) WHERE b > 0",
        "CREATE VIEW seen AS SELECT * FROM odd",
        "CREATE UNLOGGED TABLE careless (id integer PRIMARY KEY, n bigint)",
        "CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic ="
            + " false)",
        "CREATE TABLE blindly (name text COLLATE blind PRIMARY KEY, n bigint)",
        "CREATE TABLE priced (price numeric PRIMARY KEY, n bigint)",
        "CREATE TABLE numbered (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
            + " n bigint UNIQUE, own bigint UNIQUE GENERATED ALWAYS AS (n + 1) STORED)");
    Mapped.Table odd = Mapped.table("odd");
    refused(
        Mapped.table("Odd").key("id").value("a", Integer.class), "the table Odd", "schema public");
    refused(odd.key("no").value("a", Integer.class), "the table odd has no column no", "when_");
    refused(odd.key("id").value("no", Integer.class), "the table odd has no column no");
    refused(
        odd.key("b").value("price", BigDecimal.class), "the table odd", "no unique index", "[b]");
    refused(
        odd.key("a").value("price", BigDecimal.class), "the table odd", "no unique index", "[a]");
    refused(odd.key("id", "a").value("b", Integer.class), "no unique index is on [id, a]");
    refused(
        odd.key("id").value("when_", Instant.class), "odd", "when_", "timestamp", "timestamptz");
    refused(odd.key("id").value("f", Double.class), "odd", "column f of real", "leave it out");
    refused(
        odd.key("id").value("a", Long.class), "odd", "column a", "map it to Integer, not to Long");
    refused(odd.key("id").value("twice", Integer.class), "odd", "computes the column twice");
    Mapped.Table numbered = Mapped.table("numbered");
    refused(numbered.key("id").value("n", Long.class), "numbers the column id", "BY DEFAULT");
    refused(numbered.key("n").value("id", Long.class), "numbers the column id", "leave it out");
    refused(numbered.key("own").value("n", Long.class), "computes the column own", "DROP EXPR");
    refused(Mapped.table("seen").key("id").value("a", Integer.class), "seen is a view");
    refused(Mapped.table("careless").key("id").value("n", Long.class), "careless is unlogged");
    refused(Mapped.table("blindly").key("name").value("n", Long.class), "deterministic collation");
    refused(Mapped.table("priced").key("price").value("n", Long.class), "price of numeric", "uuid");
    StoreException twice =
        assertThrows(
            StoreException.class,
            () -> open(odd.key("id").value("a", Integer.class), odd.key("id").values("b")));
    assertTrue(twice.getMessage().contains("mapped twice"), twice.getMessage());
    assertThrows(IllegalArgumentException.class, () -> odd.key());
    assertThrows(IllegalArgumentException.class, () -> odd.key("id").values("id"));
    assertThrows(IllegalTransactionException.class, () -> ACCOUNTS.row(SQL, 1, 2));
    assertThrows(IllegalTransactionException.class, () -> ACCOUNTS.row(SQL, 1.5));
  }

  @Test
  void aUserWithoutPrivilegesIsRefused() throws Exception {
    sql("CREATE ROLE clerk LOGIN", "GRANT ALL ON SCHEMA public TO clerk", "CREATE DATABASE shop");
    try (Connection connection =
            databases.server().getDatabase("postgres", "shop").getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("GRANT ALL ON SCHEMA public TO clerk");
      statement.execute("CREATE TABLE items (id integer PRIMARY KEY, stock integer)");
      statement.execute("CREATE TABLE hidden (id integer PRIMARY KEY, stock integer)");
      statement.execute("ALTER TABLE hidden ENABLE ROW LEVEL SECURITY");
      statement.execute("GRANT ALL ON hidden TO clerk");
      statement.execute("GRANT SELECT ON items TO clerk");
      Mapped<Integer> items = Mapped.table("items").key("id").value("stock", Integer.class);
      Mapped<Integer> hidden = Mapped.table("hidden").key("id").value("stock", Integer.class);
      StoreException e = assertThrows(StoreException.class, () -> openAsClerk(items));
      assertTrue(e.getMessage().contains("the column id; GRANT INSERT ON items"), e.getMessage());
      statement.execute("GRANT INSERT ON items TO clerk");
      e = assertThrows(StoreException.class, () -> openAsClerk(items));
      assertTrue(
          e.getMessage().contains("the column stock; GRANT UPDATE ON items"), e.getMessage());
      e = assertThrows(StoreException.class, () -> openAsClerk(hidden));
      assertTrue(e.getMessage().contains("hidden hides rows"), e.getMessage());
      statement.execute("GRANT UPDATE (stock) ON items TO clerk");
      try (Store clerks = openAsClerk(items)) {
        StoredObject item = items.row(SQL, 1).object();
        TransactionId id = new TransactionId("sql", 70_000_000, 1);
        Part part = new Part("sql", List.of(set(item, 3)), Map.of(item, 0L), null);
        assertEquals(
            Answer.DONE, clerks.decide(id, part, new Intent(id, List.of(), List.of())).answer());
        assertEquals(3, clerks.read(Set.of(item), Set.of()).found().get(item).value());
      }
    }
  }

  private static Store openAsClerk(Mapped<?> mapped) throws StoreException {
    return new PostgresStore(
        "sql", databases.server().getDatabase("clerk", "shop"), Operations.none(), mapped);
  }
}
