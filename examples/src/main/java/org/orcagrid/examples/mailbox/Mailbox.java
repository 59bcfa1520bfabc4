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
package org.orcagrid.examples.mailbox;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.client.GeoException;
import org.orcagrid.geo.client.GeoSession;
import org.orcagrid.geo.client.GeoView;
import org.orcagrid.geo.client.Seen;
import org.orcagrid.geo.client.Written;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;

/**
 * A user's mailbox, as a web mail server of a datacenter has it. It is a folder for each
 * datacenter, with the mails that were delivered there: no key is written in two datacenters, so
 * that no write wins over another one.
 */
final class Mailbox {
  /** So many mails of a folder are kept. */
  static final int KEPT = 5;

  private final GeoView<String, String> folders;
  private final String user;
  private final String here;
  private final List<String> datacenters;

  /**
   * A user's mailbox.
   *
   * @param session of who uses it
   * @param user whose it is
   * @param here the datacenter in which it is used
   * @param datacenters all of them
   */
  Mailbox(GeoSession session, String user, String here, List<String> datacenters) {
    this.folders = session.view("mail", Codec.STRING, Codec.STRING).at(here);
    this.user = user;
    this.here = here;
    this.datacenters = List.copyOf(datacenters);
  }

  /**
   * Delivers a mail.
   *
   * @throws GeoException if it could not be written
   */
  Mail deliver(String from, String text, WriteGuarantee guarantee) {
    while (true) {
      Seen<String> before = folders.get(folder(here), ReadGuarantee.EVENTUAL);
      List<Mail> mails = parse(here, before.value());
      int number = mails.isEmpty() ? 1 : mails.get(mails.size() - 1).number() + 1;
      Mail mail = new Mail(here, number, System.currentTimeMillis(), from, text);
      mails.add(mail);
      Written written = write(before.version(), mails, guarantee);
      if (written.isDone()) {
        return mail;
      }
      // Another mail was delivered in between: this one gets the next number.
    }
  }

  private Written write(Version before, List<Mail> mails, WriteGuarantee guarantee) {
    String lines =
        mails.stream()
            .skip(Math.max(0, mails.size() - KEPT))
            .map(Mail::line)
            .collect(Collectors.joining("\n"));
    return before.isThere()
        ? folders.replace(folder(here), lines, before, guarantee)
        : folders.putIfAbsent(folder(here), lines, guarantee);
  }

  /**
   * What a read has shown.
   *
   * @param mails the newest first
   * @param late null if it is all that was asked for
   */
  record Shown(List<Mail> mails, Late late) {}

  /**
   * Reads all folders at once.
   *
   * @throws GeoException if one of them cannot be read, or not as it is asked for
   */
  Shown read(ReadGuarantee guarantee) {
    List<CompletableFuture<Seen<String>>> reads =
        datacenters.stream().map(each -> folders.getAsync(folder(each), guarantee)).toList();
    List<Mail> mails = new ArrayList<>();
    Late late = null;
    for (int i = 0; i < reads.size(); i++) {
      Seen<String> seen = await(reads.get(i));
      mails.addAll(parse(datacenters.get(i), seen.value()));
      late = seen.isOlder() ? Late.worse(late, Late.of(seen)) : late;
    }
    mails.sort(Comparator.comparingLong(Mail::millis).thenComparing(Mail::number).reversed());
    return new Shown(List.copyOf(mails), late);
  }

  private static <T> T await(CompletableFuture<T> read) {
    try {
      return read.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof GeoException known
          ? known
          : new GeoException("The mailbox cannot be read: " + e.getCause(), e);
    }
  }

  private String folder(String datacenter) {
    return user + "/" + datacenter;
  }

  private static List<Mail> parse(String datacenter, String lines) {
    List<Mail> mails = new ArrayList<>();
    if (lines != null) {
      lines.lines().forEach(line -> mails.add(Mail.parse(datacenter, line)));
    }
    return mails;
  }
}
