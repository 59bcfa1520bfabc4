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
package org.orcagrid.mixed.plan;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.level.Level;

/**
 * A program, split.
 *
 * @param endorsed what is evaluated before the first phase
 * @param loops how many there are
 * @param stores that are named in the program, and what each promises
 */
record Split(
    Step program,
    List<Site> endorsed,
    int loops,
    Map<String, Class<? extends Level>> stores,
    Set<PlanRule> rules) {}
