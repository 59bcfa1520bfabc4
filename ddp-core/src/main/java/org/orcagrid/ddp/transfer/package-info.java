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
/**
 * How a node gets what others have, whatever that is: which of them it asks for how many pages, and
 * again when some are lost; and how much others are told at once. What a page says, and how it is
 * taken over, is the matter of who uses this.
 *
 * <p>May import {@code org.orcagrid.ddp}.
 */
package org.orcagrid.ddp.transfer;
