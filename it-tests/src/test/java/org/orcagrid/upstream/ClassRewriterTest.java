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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** Assembles what javac makes of the interesting expressions, and reads what became of it. */
class ClassRewriterTest {
  private static final String OBJECT = "java/lang/Object";
  private static final String PEER = "org/apache/zookeeper/server/quorum/QuorumPeer";
  private static final String OUR_PEER = "org/apache/zookeeper/server/quorum/OrcaQuorumPeer";
  private static final String MAIN = "org/apache/zookeeper/server/quorum/QuorumPeerMain";
  private static final String OUR_MAIN = "org/apache/zookeeper/server/quorum/OrcaQuorumPeerMain";
  private static final String NETTY = "org/apache/zookeeper/server/NettyServerCnxnFactory";
  private static final String OUR_NETTY = "org/apache/zookeeper/server/OrcaNettyServerCnxnFactory";

  @Test
  void aNewServerIsOurs() {
    byte[] test = assemble(OBJECT, code -> construct(code, PEER));

    assertEquals(List.of("new " + OUR_PEER, "special " + OUR_PEER + ".<init>"), instructions(test));
  }

  @Test
  void whatIsConstructedWithinTheArgumentsKeepsItsPair() {
    byte[] test =
        assemble(
            OBJECT,
            code -> {
              code.visitTypeInsn(Opcodes.NEW, PEER);
              code.visitInsn(Opcodes.DUP);
              construct(code, OBJECT);
              construct(code, PEER);
              special(code, PEER, "<init>");
            });

    assertEquals(
        List.of(
            "new " + OUR_PEER,
            "new " + OBJECT,
            "special " + OBJECT + ".<init>",
            "new " + OUR_PEER,
            "special " + OUR_PEER + ".<init>",
            "special " + OUR_PEER + ".<init>"),
        instructions(test));
  }

  @Test
  void aSubclassOfAServerKeepsItsSuperclassAndItsSuperCalls() {
    byte[] test =
        assemble(
            PEER,
            code -> {
              special(code, PEER, "<init>");
              construct(code, PEER);
              special(code, PEER, "shutdown");
            });

    assertEquals(PEER, superclass(test));
    assertEquals(
        List.of(
            "special " + PEER + ".<init>",
            "new " + OUR_PEER,
            "special " + OUR_PEER + ".<init>",
            "special " + PEER + ".shutdown"),
        instructions(test));
  }

  @Test
  void aSubclassOfAMainClassExtendsOursWithAllItsSuperCalls() {
    byte[] test =
        assemble(
            MAIN,
            code -> {
              special(code, MAIN, "<init>");
              special(code, MAIN, "getQuorumPeer");
            });

    assertEquals(OUR_MAIN, superclass(test));
    assertEquals(
        List.of("special " + OUR_MAIN + ".<init>", "special " + OUR_MAIN + ".getQuorumPeer"),
        instructions(test));
  }

  @Test
  void aConstructorReferenceIsToOurs() {
    Handle metafactory =
        new Handle(Opcodes.H_INVOKESTATIC, "java/lang/invoke/LambdaMetafactory", "m", "()V", false);
    Handle constructor = new Handle(Opcodes.H_NEWINVOKESPECIAL, PEER, "<init>", "()V", false);
    byte[] test =
        assemble(
            OBJECT,
            code ->
                code.visitInvokeDynamicInsn(
                    "get", "()Ljava/util/function/Supplier;", metafactory, constructor));

    assertEquals(List.of("dynamic " + OUR_PEER), instructions(test));
  }

  @Test
  void aFactoryNamedInAPropertyIsOurs() {
    byte[] test =
        assemble(
            OBJECT,
            code -> {
              code.visitLdcInsn(NETTY.replace('/', '.'));
              code.visitLdcInsn(Type.getObjectType(NETTY));
              code.visitMethodInsn(
                  Opcodes.INVOKEVIRTUAL, "java/lang/Class", "getName", "()V", false);
            });

    assertEquals(
        List.of(
            "constant " + OUR_NETTY.replace('/', '.'),
            "constant L" + OUR_NETTY + ";",
            "call java/lang/Class.getName"),
        instructions(test));
  }

  @Test
  void aFactoryClassThatATestLooksIntoStays() {
    byte[] test =
        assemble(
            OBJECT,
            code -> {
              code.visitLdcInsn(Type.getObjectType(NETTY));
              code.visitMethodInsn(
                  Opcodes.INVOKEVIRTUAL, "java/lang/Class", "getDeclaredMethods", "()V", false);
            });

    assertEquals(0, new ClassRewriter().rewrite(test).changes());
  }

  @Test
  void clearingAPropertyGoesThroughOurDefault() {
    byte[] test =
        assemble(
            OBJECT,
            code ->
                code.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    "java/lang/System",
                    "clearProperty",
                    "(Ljava/lang/String;)Ljava/lang/String;",
                    false));

    assertEquals(
        List.of("call org/orcagrid/upstream/FactoryProperty.clearProperty"), instructions(test));
  }

  @Test
  void aClassWithoutServersIsLeftAlone() {
    byte[] test = assemble(OBJECT, code -> construct(code, OBJECT));

    ClassRewriter.Rewritten rewritten = new ClassRewriter().rewrite(test);

    assertSame(test, rewritten.bytes());
    assertEquals(0, rewritten.changes());
  }

  private static byte[] assemble(String superclass, Consumer<MethodVisitor> body) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "Example", null, superclass, null);
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    code.visitCode();
    body.accept(code);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(8, 8);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void construct(MethodVisitor code, String type) {
    code.visitTypeInsn(Opcodes.NEW, type);
    code.visitInsn(Opcodes.DUP);
    special(code, type, "<init>");
  }

  private static void special(MethodVisitor code, String owner, String name) {
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, owner, name, "()V", false);
  }

  private static String superclass(byte[] test) {
    return read(new ClassRewriter().rewrite(test).bytes()).superName;
  }

  private static ClassNode read(byte[] classFile) {
    ClassNode type = new ClassNode();
    new ClassReader(classFile).accept(type, 0);
    return type;
  }

  /** The rewritten instructions that name a class. */
  private static List<String> instructions(byte[] test) {
    List<String> found = new ArrayList<>();
    read(new ClassRewriter().rewrite(test).bytes())
        .methods
        .get(0)
        .instructions
        .forEach(
            instruction -> {
              if (instruction instanceof TypeInsnNode creation) {
                found.add("new " + creation.desc);
              } else if (instruction instanceof MethodInsnNode call) {
                String kind = call.getOpcode() == Opcodes.INVOKESPECIAL ? "special " : "call ";
                found.add(kind + call.owner + "." + call.name);
              } else if (instruction instanceof LdcInsnNode constant) {
                found.add("constant " + constant.cst);
              } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
                found.add("dynamic " + ((Handle) dynamic.bsmArgs[0]).getOwner());
              }
            });
    return found;
  }
}
