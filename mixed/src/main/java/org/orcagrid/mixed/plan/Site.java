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

/**
 * A term at one place of a program.
 *
 * @param tag tells it from all other places (the static tag of section 5.2)
 * @param phase in which it is evaluated; {@link Phases#BEFORE_ALL} if that is before the first
 * @param loops around it that run in that phase, by their numbers: the others do not change it
 */
record Site(int tag, Term term, int phase, List<Site> parts, List<Integer> loops) {}
