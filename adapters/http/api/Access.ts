// The middleware of every endpoint, as definitions that clients import too. The server's side is in `Authentication` and
// `RequestValidation`, one folder up.
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { Caller, Scope } from "#core/domain/ApiKey.ts"

/** The caller of the request, available to every handler. */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("backlinks/adapters/http/CurrentCaller") {}

/** Annotation of an endpoint: the scope that the key needs. */
export class RequiredScope extends Context.Service<RequiredScope, Scope>()("backlinks/adapters/http/RequiredScope") {}

/** Authentication, scope and request rate. A client provides it to add its key to every request. */
export class Access extends HttpApiMiddleware.Service<Access, { provides: CurrentCaller }>()(
  "backlinks/adapters/http/Access",
  {
    requiredForClient: true,
    security: {
      apiKey: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(
          OpenApi.Description,
          "An API key of the account, `sn_live_…` or `sn_test_…`, as `Authorization: Bearer <API_KEY>`."
        )
      )
    }
  }
) {}

/** Checks media type, size, JSON and idempotency header, and reports what the schemas refuse. */
export class RequestValidation extends HttpApiMiddleware.Service<RequestValidation>()(
  "backlinks/adapters/http/RequestValidation"
) {}
