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
package org.orcagrid.medium.llpl;

import com.intel.pmem.llpl.AnyHeap;
import org.orcagrid.needs.Need;

/** The Persistent Memory Development Kit. */
final class Pmdk implements Need {
  /** Whether temporary folders are on a DAX file system: the lab (docs/rdma.md) has one. */
  static final boolean DAX = Boolean.getBoolean("orca.lab.dax");

  @Override
  public String what() {
    return "PMDK (apt-get install libpmemobj1 libpmempool1)";
  }

  @Override
  public String missing() {
    try {
      return AnyHeap.MINIMUM_HEAP_SIZE > 0 ? null : "a heap has no least size";
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      return e.getMessage();
    }
  }
}
