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
package org.orcagrid.bench.myria;

import java.util.List;
import java.util.Map;

/**
 * What was measured.
 *
 * @param highest rates of which 95 % complete, in operations per second
 * @param closely by load, at a share of the highest rate
 * @param atPapersRate the same at 80 % of about what the paper's stores did
 * @param curves by load, at several shares
 */
public record MyriaResult(
    MyriaPlan plan,
    Map<Load, Double> highest,
    Map<Load, Measured> closely,
    Map<Load, Measured> atPapersRate,
    Map<Load, List<Measured>> curves) {}
