// What every endpoint requires of its caller, as definitions that clients import too: a key, and a scope of it.
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { Scope } from "#core/domain/access/ApiKey.ts"

/** Annotation of an endpoint: the scope that the key needs. */
export class RequiredScope extends Context.Service<RequiredScope, Scope>()("backlinks/adapters/http/RequiredScope") {}

/** The key of every request, for the documentation and for clients, which add it. The server's side is `operations/Authorization.ts`. */
export class Access extends HttpApiMiddleware.Service<Access>()("backlinks/http/api/Access", {
  requiredForClient: true,
  security: {
    apiKey: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotate(
        OpenApi.Description,
        "An API key of the account, `sn_live_…` or `sn_test_…`, as `Authorization: Bearer <API_KEY>`."
      )
    )
  }
}) {}
