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
package org.orcagrid.client;

import org.orcagrid.client.map.SessionLostException;

/**
 * The operation was not done, and will not be: its session ended before it was begun. On keys it
 * needs another session. On a map it may be tried again at once: the thread's next operation is of
 * another session, which may not show yet what the thread has seen before.
 */
public final class NotDoneException extends SessionLostException {
  private static final long serialVersionUID = 1L;

  NotDoneException(String why) {
    super(why + "; the operation was not done");
  }

  /** Of an operation on a map, for this reason. */
  public static NotDoneException ofMap(String why) {
    return new NotDoneException(why);
  }
}
