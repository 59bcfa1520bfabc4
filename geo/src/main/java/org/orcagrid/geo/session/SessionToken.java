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
package org.orcagrid.geo.session;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/**
 * A session as a text that may be handed to whom it belongs, as a cookie: signed, and bound to one
 * store. It is not encrypted: it tells which partitions a session has used, and when, not its keys.
 */
public final class SessionToken {
  /** The most characters of a token. */
  public static final int LENGTH_MAX = 3 << 10;

  private static final int VERSION = 1;
  private static final String ALGORITHM = "HmacSHA256";
  private static final int MAC_BYTES = 16;

  /** Base64 makes four characters of three bytes. */
  private static final int STATE_BYTES_MAX = LENGTH_MAX / 4 * 3 - MAC_BYTES - 2;

  private SessionToken() {}

  /** A token that is refused. */
  public static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** A token is refused for this reason. */
    public RefusedException(String reason) {
      super(reason);
    }
  }

  /**
   * Writes a session; what does not fit is folded into its floor.
   *
   * @param store tells the store from others
   */
  public static String write(SessionState state, TokenKeys keys, long store) {
    int id = keys.signing();
    Encoder out = new Encoder();
    out.putByte(VERSION).putByte(id);
    state.write(out, STATE_BYTES_MAX);
    byte[] signed = out.toBytes();
    out.putRaw(mac(keys.secret(id), signed, store));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(out.toBytes());
  }

  /**
   * Reads a session.
   *
   * @throws RefusedException if it is no token of this store, or was changed
   */
  public static SessionState read(String token, TokenKeys keys, long store) {
    byte[] bytes;
    try {
      bytes = token.length() > LENGTH_MAX ? new byte[0] : Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      bytes = new byte[0];
    }
    if (bytes.length < 2 + MAC_BYTES) {
      throw new RefusedException("It is no session token; begin a new session");
    }
    if (bytes[0] != VERSION) {
      throw new RefusedException(
          "The session token has version "
              + bytes[0]
              + ", not "
              + VERSION
              + "; begin a new session");
    }
    int id = bytes[1] & 0xFF;
    byte[] secret = keys.secret(id);
    if (secret == null) {
      throw new RefusedException(
          "The session token was signed with key "
              + id
              + ", which is not there any more; begin a new session, or add that key");
    }
    byte[] signed = Arrays.copyOf(bytes, bytes.length - MAC_BYTES);
    byte[] its = Arrays.copyOfRange(bytes, signed.length, bytes.length);
    if (!MessageDigest.isEqual(mac(secret, signed, store), its)) {
      throw new RefusedException(
          "The session token was changed, or is of another store; begin a new session");
    }
    try {
      Decoder in = new Decoder(signed);
      in.getByte();
      in.getByte();
      SessionState state = SessionState.read(in);
      in.end();
      return state;
    } catch (MalformedPacketException e) {
      throw new RefusedException("The session token is malformed: " + e.getMessage());
    }
  }

  private static byte[] mac(byte[] secret, byte[] signed, long store) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update(new Encoder().putLong(store).toBytes());
      return Arrays.copyOf(mac.doFinal(signed), MAC_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This JVM has no " + ALGORITHM, e);
    }
  }
}
