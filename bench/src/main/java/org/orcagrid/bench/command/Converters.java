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
package org.orcagrid.bench.command;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.orcagrid.bench.compare.process.Manner;
import org.orcagrid.bench.load.LoadMode;
import org.orcagrid.bench.load.ReadsFrom;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.system.Systems;
import org.orcagrid.bench.workload.Workload;
import org.orcagrid.transport.tcp.TransportChoice;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Turn option values into the harness's types, or say which values there are. */
final class Converters {
  private Converters() {}

  /** Reads the id of a system. */
  static final class OneSystem implements ITypeConverter<SystemSpec> {
    @Override
    public SystemSpec convert(String value) {
      try {
        return Systems.named(value);
      } catch (IllegalArgumentException e) {
        throw refused(e.getMessage(), e);
      }
    }
  }

  /** Reads the letter of a workload. */
  static final class OneWorkload implements ITypeConverter<Workload> {
    @Override
    public Workload convert(String value) {
      try {
        return Workload.named(value);
      } catch (IllegalArgumentException e) {
        throw refused(e.getMessage(), e);
      }
    }
  }

  /** Reads a load mode. */
  static final class Mode implements ITypeConverter<LoadMode> {
    @Override
    public LoadMode convert(String value) {
      return constant(LoadMode.class, value);
    }
  }

  /** Reads how clients make their operations. */
  static final class OfManner implements ITypeConverter<Manner> {
    @Override
    public Manner convert(String value) {
      return constant(Manner.class, value);
    }
  }

  /** Reads where reads go. */
  static final class Reads implements ITypeConverter<ReadsFrom> {
    @Override
    public ReadsFrom convert(String value) {
      return constant(ReadsFrom.class, value);
    }
  }

  /** Reads which transport is wanted. */
  static final class OneTransport implements ITypeConverter<TransportChoice> {
    @Override
    public TransportChoice convert(String value) {
      try {
        return TransportChoice.parse(value);
      } catch (IllegalArgumentException e) {
        throw refused(e.getMessage(), e);
      }
    }
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String value) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> lowerCase(constant).equals(value))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "there is no '"
                        + value
                        + "'; choose from "
                        + Arrays.stream(type.getEnumConstants())
                            .map(Converters::lowerCase)
                            .collect(Collectors.joining(", "))));
  }

  static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static TypeConversionException refused(String message, Exception cause) {
    TypeConversionException refusal = new TypeConversionException(message);
    refusal.initCause(cause);
    return refusal;
  }
}
