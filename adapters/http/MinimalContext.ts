// Groups of handlers that add nothing to a request's context but their middleware.
import { Context, Effect, Layer, Scope } from "effect"
import { Access, RequestValidation } from "./api/Access.ts"

/**
 * The builder keeps the context in which a group is built, and copies it for each call. Handlers hold their own dependencies, so the
 * context is reduced to the middleware.
 */
export const withMinimalContext = <Group, E>(
  group: Layer.Layer<Group, E, Access | RequestValidation>
): Layer.Layer<Group, E, Access | RequestValidation> =>
  Layer.effectContext(
    Effect.updateContext(
      Layer.build(group),
      Context.pick(Access, RequestValidation, Scope.Scope)<Access | RequestValidation | Scope.Scope>
    )
  )
