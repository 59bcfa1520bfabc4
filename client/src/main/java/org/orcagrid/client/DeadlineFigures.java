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

/**
 * What has become of deadlines of asynchronous operations, since the grid was started, joined or
 * connected to.
 *
 * @param passed operations whose time-out has passed before they ended: they were told to be
 *     unknown, or not done
 * @param late how many of these have ended since, which was told to nobody
 */
public record DeadlineFigures(long passed, long late) {}
