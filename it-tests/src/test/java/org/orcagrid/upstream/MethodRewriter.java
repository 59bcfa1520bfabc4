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

import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Rewrites the instructions of one method.
 *
 * <p>{@code new X(…)} is two instructions: NEW makes the object, INVOKESPECIAL of {@code X.<init>}
 * initialises it once the arguments are there. In the constructors of a subclass of X the second
 * one also stands alone, as {@code super(…)}. The two are told apart by counting: compilers nest
 * the pairs, so an initialisation belongs to the innermost NEW that still waits for one, and is the
 * call of the superclass if none does.
 */
final class MethodRewriter {
  private static final String CONSTRUCTOR = "<init>";

  private final String superclass;
  private final MethodNode method;

  /** NEWs of the superclass that have not met their initialisation yet. */
  private int pendingOfSuperclass;

  private int changes;

  MethodRewriter(String superclass, MethodNode method) {
    this.superclass = superclass;
    this.method = method;
  }

  /** Rewrites in place and returns the number of instructions replaced. */
  int rewrite() {
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof TypeInsnNode creation && creation.getOpcode() == Opcodes.NEW) {
        onNew(creation);
      } else if (instruction instanceof MethodInsnNode call) {
        onCall(call);
      } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
        onDynamicCall(dynamic);
      } else if (instruction instanceof LdcInsnNode constant) {
        onConstant(constant);
      }
    }
    return changes;
  }

  private void onNew(TypeInsnNode creation) {
    if (creation.desc.equals(superclass)) {
      pendingOfSuperclass++;
    }
    creation.desc = replaced(creation.desc, Replacements.constructed(creation.desc));
  }

  private void onCall(MethodInsnNode call) {
    if (call.getOpcode() == Opcodes.INVOKESPECIAL) {
      call.owner = replaced(call.owner, specialOwner(call));
    } else if (call.getOpcode() == Opcodes.INVOKESTATIC) {
      String owner = Replacements.staticOwner(call.owner, call.name, call.desc);
      call.owner = replaced(call.owner, owner);
    }
  }

  private String specialOwner(MethodInsnNode call) {
    boolean ofSuperclass = call.owner.equals(superclass);
    if (!call.name.equals(CONSTRUCTOR)) {
      return ofSuperclass ? Replacements.extended(call.owner) : call.owner;
    }
    if (!ofSuperclass) {
      return Replacements.constructed(call.owner);
    }
    if (pendingOfSuperclass == 0) {
      return Replacements.extended(call.owner);
    }
    pendingOfSuperclass--;
    return Replacements.constructed(call.owner);
  }

  private void onDynamicCall(InvokeDynamicInsnNode dynamic) {
    for (int i = 0; i < dynamic.bsmArgs.length; i++) {
      if (dynamic.bsmArgs[i] instanceof Handle handle
          && handle.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
        String owner = Replacements.constructed(handle.getOwner());
        dynamic.bsmArgs[i] =
            replaced(
                handle,
                new Handle(
                    handle.getTag(),
                    owner,
                    handle.getName(),
                    handle.getDesc(),
                    handle.isInterface()));
      }
    }
  }

  private void onConstant(LdcInsnNode constant) {
    if (constant.cst instanceof String name) {
      constant.cst = replaced(name, Replacements.factoryName(name));
    } else if (constant.cst instanceof Type type
        && type.getSort() == Type.OBJECT
        && isNamed(constant)) {
      Type factory = Type.getObjectType(Replacements.factory(type.getInternalName()));
      constant.cst = replaced(type, factory);
    }
  }

  /**
   * Whether a class constant is only asked for its name, as for a system property. Elsewhere, as in
   * a look-up of a private field, the test means ZooKeeper's class.
   */
  private static boolean isNamed(LdcInsnNode constant) {
    AbstractInsnNode next = constant.getNext();
    while (next != null && next.getOpcode() < 0) { // labels, line numbers, frames
      next = next.getNext();
    }
    return next instanceof MethodInsnNode call
        && call.owner.equals("java/lang/Class")
        && call.name.equals("getName");
  }

  private <T> T replaced(T original, T replacement) {
    if (!original.equals(replacement)) {
      changes++;
    }
    return replacement;
  }
}
