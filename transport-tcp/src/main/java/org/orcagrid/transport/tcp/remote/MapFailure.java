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
package org.orcagrid.transport.tcp.remote;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.map.SessionEndedException;
import org.orcagrid.ddp.replica.consistency.MapFullException;
import org.orcagrid.ddp.replica.consistency.OtherNodeException;

/** Why a request on maps has failed, by the exception that a member's caller gets. */
enum MapFailure {
  /** {@link SessionEndedException}. */
  SESSION_ENDED(1),
  /** {@link RejectedExecutionException}. */
  OVERLOAD(2),
  /** {@link MapFullException}. */
  FULL(3),
  /** {@link IllegalArgumentException}. */
  ARGUMENT(4),
  /** {@link UnsupportedOperationException}. */
  UNSUPPORTED(5),
  /** {@link IOException}. */
  NOT_AGREED(6),
  /** {@link IllegalStateException}. */
  STATE(7),
  /** {@link NotBegunException}. */
  NOT_BEGUN(8),
  /** {@link OtherNodeException}. */
  OTHER_NODE(9);

  private static final MapFailure[] ALL = values();

  private final int code;

  MapFailure(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  static MapFailure of(Throwable reason) {
    Throwable cause = cause(reason);
    if (cause instanceof NotBegunException) {
      return NOT_BEGUN;
    } else if (cause instanceof SessionEndedException) {
      return SESSION_ENDED;
    } else if (cause instanceof RejectedExecutionException) {
      return OVERLOAD;
    } else if (cause instanceof MapFullException) {
      return FULL;
    } else if (cause instanceof OtherNodeException) {
      return OTHER_NODE;
    } else if (cause instanceof IllegalArgumentException) {
      return ARGUMENT;
    } else if (cause instanceof UnsupportedOperationException) {
      return UNSUPPORTED;
    } else {
      return cause instanceof IOException ? NOT_AGREED : STATE;
    }
  }

  static Throwable cause(Throwable reason) {
    return reason instanceof CompletionException && reason.getCause() != null
        ? reason.getCause()
        : reason;
  }

  static MapFailure of(int code) throws ClientRecord.MalformedException {
    if (code < 1 || code > ALL.length) {
      throw new ClientRecord.MalformedException("a failure of the unknown kind " + code);
    }
    return ALL[code - 1];
  }

  /** The exception at the client. */
  Exception exception(String message) {
    return switch (this) {
      case SESSION_ENDED -> new SessionEndedException(message);
      case OVERLOAD -> new RejectedExecutionException(message);
      case FULL -> new MapFullException(message);
      case ARGUMENT -> new IllegalArgumentException(message);
      case UNSUPPORTED -> new UnsupportedOperationException(message);
      case NOT_AGREED -> new IOException(message);
      case STATE -> new IllegalStateException(message);
      case NOT_BEGUN -> new NotBegunException(message);
      case OTHER_NODE -> new OtherNodeException(message);
    };
  }
}
