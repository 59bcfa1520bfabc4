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
package org.orcagrid.mixed.commit;

import java.util.List;
import org.orcagrid.mixed.plan.Operation;
import org.orcagrid.mixed.plan.StoredObject;

/**
 * What a transaction writes to a weaker store.
 *
 * @param group of replicas that the client writes to: the part is committed there and nowhere else
 * @param writes in their order, as values
 */
public record Part(String group, List<Write> writes) {
  /**
   * A write.
   *
   * @param operation null if the object gets the value
   */
  public record Write(StoredObject object, Operation operation, Object value) {}
}
