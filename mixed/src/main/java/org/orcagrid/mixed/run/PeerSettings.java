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
package org.orcagrid.mixed.run;

import javax.net.ssl.SSLContext;

/**
 * Where other clients ask this one, and whom it trusts: both sides show certificates.
 *
 * @param host that others reach it at, as its certificate has it
 * @param port that it listens on; 0 for any that is free
 * @param context with its key, and whom it trusts
 */
public record PeerSettings(String host, int port, SSLContext context) {}
