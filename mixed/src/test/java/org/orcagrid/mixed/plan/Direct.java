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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs a program as it stands, statement by statement: what its split must be equal to. */
final class Direct {
  private final MapAccess access;
  private final MapAccess before;
  private final Map<Variable, Object> variables = new HashMap<>();

  Direct(MapAccess access) {
    this.access = access;
    this.before = new MapAccess(access);
  }

  Object get(Variable variable) {
    return variables.get(variable);
  }

  void run(Command command) {
    if (command instanceof Command.Write write) {
      access.write(object(write.target()), value(write.value(), access));
    } else if (command instanceof Command.Change change) {
      Object argument = value(change.argument(), access);
      access.change(object(change.target()), change.operation(), argument);
    } else if (command instanceof Command.Assign assign) {
      variables.put(assign.variable(), value(assign.value(), access));
    } else if (command instanceof Command.Block block) {
      block.parts().forEach(this::run);
    } else if (command instanceof Command.Choice choice) {
      boolean is = (boolean) value(choice.condition(), access);
      run(is ? choice.then() : choice.otherwise());
    } else if (command instanceof Command.While loop) {
      while ((boolean) value(loop.condition(), access)) {
        run(loop.body());
      }
    } else if (command instanceof Command.ForEach loop) {
      for (Object each : (Iterable<?>) value(loop.items(), access)) {
        variables.put(loop.item(), each);
        run(loop.body());
      }
    } else if (command instanceof Command.Let let) {
      variables.put(let.variable(), value(let.initial(), access));
      run(let.body());
    }
  }

  private StoredObject object(Target target) {
    if (target instanceof Target.Named named) {
      return named.object();
    }
    Target.Referenced referenced = (Target.Referenced) target;
    return ((Reference) value(referenced.reference(), access)).object();
  }

  private Object value(Term term, MapAccess at) {
    if (term instanceof Term.Constant constant) {
      return constant.value();
    } else if (term instanceof Term.Read read) {
      return at.read(object(read.target()));
    } else if (term instanceof Term.Local local) {
      return variables.get(local.variable());
    } else if (term instanceof Term.Apply apply) {
      List<Object> arguments = new ArrayList<>();
      apply.of().forEach(each -> arguments.add(value(each, at)));
      return apply.function().apply(arguments);
    } else if (term instanceof Term.Weakened weakened) {
      return value(weakened.of(), at);
    }
    return value(((Term.Endorsed) term).of(), before);
  }
}
