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
package org.orcagrid.server.sizes;

import org.apache.jute.Record;
import org.apache.zookeeper.MultiResponse;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.GetChildren2Response;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetChildrenResponse;
import org.apache.zookeeper.server.Request;

/**
 * What an answer has in it.
 *
 * @param opCode the operation; negative if it is not known
 * @param path whose answer it is; null if it is not known
 * @param body the answer
 */
public record ReplyContent(int opCode, String path, Record body) {

  /** The same, of an answer that the server has given without saying to what. */
  public static ReplyContent of(int opCode, String path, Record body, Request request) {
    boolean isOfChildren = opCode < 0 && body instanceof GetChildrenResponse && request != null;
    return isOfChildren
        ? new ReplyContent(OpCode.getChildren, pathOf(request), body)
        : new ReplyContent(opCode, path, body);
  }

  /** Of a request that was executed: its record is at hand. */
  private static String pathOf(Request request) {
    GetChildrenRequest decoded = request.readRequestRecordNoException(GetChildrenRequest::new);
    return decoded == null ? null : decoded.getPath();
  }

  @Override
  public String toString() {
    String operation = opCode >= 0 ? Request.op2String(opCode) : body.getClass().getSimpleName();
    return "operation="
        + operation
        + " path="
        + (path == null ? "?" : LongFrame.printable(path))
        + parts();
  }

  private String parts() {
    if (body instanceof GetChildrenResponse children) {
      return " children=" + children.getChildren().size();
    }
    if (body instanceof GetChildren2Response children) {
      return " children=" + children.getChildren().size();
    }
    if (body instanceof MultiResponse multi) {
      return " results=" + multi.getResultList().size();
    }
    return "";
  }
}
