// Groups of handlers that lay nothing over a request's own context but what stands before them.
import { Context, Effect, Layer, Scope } from "effect"
import { Access, Intake } from "./api/Access.ts"

/**
 * The builder keeps all that was there when a group was built, and copies it for each of its calls. Handlers hold what they were
 * made from themselves, so of all that only the middleware is left.
 */
export const leanGroup = <Group, E>(
  group: Layer.Layer<Group, E, Access | Intake>
): Layer.Layer<Group, E, Access | Intake> =>
  Layer.effectContext(
    Effect.updateContext(Layer.build(group), Context.pick(Access, Intake, Scope.Scope)<Access | Intake | Scope.Scope>)
  )
