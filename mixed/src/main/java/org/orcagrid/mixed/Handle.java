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
package org.orcagrid.mixed;

import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.plan.Command;
import org.orcagrid.mixed.plan.Reference;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.Target;
import org.orcagrid.mixed.plan.Term;

/**
 * An object of a store, to be read and written (section 3.1). Pass it on as {@link ReadAccess} or
 * {@link WriteAccess} to allow the one or the other. It may be a value of an object, too.
 */
public final class Handle<L extends Level, T>
    implements ReadAccess<L, T>, WriteAccess<L, T>, Reference {
  private final StoredObject object;

  Handle(String store, Class<L> level, Object key) {
    this.object = new StoredObject(store, level, key);
  }

  @Override
  public StoredObject object() {
    return object;
  }

  @Override
  public Expr<L, T> get() {
    return new Expr<>(new Term.Read(new Target.Named(object)));
  }

  @Override
  public Stmt<L> set(Expr<? extends L, ? extends T> value) {
    return new Stmt<>(new Command.Write(new Target.Named(object), value.term()));
  }

  /** Has the store do something to it. */
  public <A> Stmt<L> change(Change<T, A> change, Expr<? extends L, ? extends A> argument) {
    return new Stmt<>(
        new Command.Change(new Target.Named(object), change.operation(), argument.term()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Handle<?, ?> handle && handle.object.equals(object);
  }

  @Override
  public int hashCode() {
    return object.hashCode();
  }

  @Override
  public String toString() {
    return object.toString();
  }
}
