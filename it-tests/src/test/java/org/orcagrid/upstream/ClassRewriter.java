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
package org.orcagrid.upstream;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Makes a compiled test class construct our servers where it constructs ZooKeeper's.
 *
 * <p>Replaced are {@code new} of a server or of a main class, constructor references to them, the
 * superclass of a test's own main class, and the names of connection factories; see {@link
 * Replacements}. Declared types stay as they are, since our classes extend those they replace: so
 * the descriptors, the signatures and the stack map frames of a class remain true, and nothing has
 * to be computed anew.
 */
public final class ClassRewriter {
  /**
   * A class after rewriting.
   *
   * @param bytes the class file
   * @param changes how many instructions and superclasses were replaced
   */
  @SuppressWarnings("ArrayRecordComponent") // goes straight to a file and is never compared
  public record Rewritten(byte[] bytes, int changes) {}

  /** Rewrites one class file; without a change its bytes are the ones given. */
  public Rewritten rewrite(byte[] classFile) {
    ClassNode type = new ClassNode();
    ClassReader reader = new ClassReader(classFile);
    reader.accept(type, 0);

    int changes = 0;
    for (MethodNode method : type.methods) {
      changes += new MethodRewriter(type.superName, method).rewrite();
    }
    String extended = Replacements.extended(type.superName);
    if (!extended.equals(type.superName)) {
      type.superName = extended;
      changes++;
    }
    if (changes == 0) {
      return new Rewritten(classFile, 0);
    }
    ClassWriter writer = new ClassWriter(reader, 0);
    type.accept(writer);
    return new Rewritten(writer.toByteArray(), changes);
  }
}
