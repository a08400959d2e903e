// Routes without a key: health, readiness, and the API's description for programs, people and agents.
import { Cause, Duration, Effect, Layer, Predicate } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { ServiceName, SupportContact } from "#adapters/contract/shared/ServiceDescription.ts"
import { Imprint } from "#adapters/html/Imprint.ts"
import { keptText } from "../docs/KeptText.ts"
import { llmsText } from "../docs/LlmsText.ts"
import { type DocumentOptions, openApiDocument } from "../docs/OpenApiDocument.ts"
import * as DocsStylesheet from "../docs/page/DocsStylesheet.ts"
import { type ReferencePageOptions, referencePage } from "../docs/ReferencePage.ts"
import { withErrorResponses } from "./ErrorResponses.ts"
import type { ServedRoute } from "./RouteTable.ts"

export interface SystemOptions
  extends Omit<DocumentOptions, "supportContact">,
    Partial<Pick<ReferencePageOptions, "members" | "demoKeys">> {
  /** Succeeds when the service can take orders; its errors are logged and not shown. */
  readonly ready: Effect.Effect<unknown, unknown>
}

export const healthRoutes: ReadonlyArray<ServedRoute> = [
  { method: "GET", path: "/healthz" },
  { method: "GET", path: "/readyz" }
]

export const systemRoutes: ReadonlyArray<ServedRoute> = [
  ...healthRoutes,
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/docs" },
  ...DocsStylesheet.routes,
  { method: "GET", path: "/llms.txt" }
]

const READY_TIMEOUT = Duration.seconds(2)

/** Strangers may ask too: a store that is ready is asked once for all probes of this time. */
const READY_FOR = Duration.seconds(1)

const RETRY_AFTER_SECONDS = 5

const status = (text: string) => HttpServerResponse.jsonUnsafe({ ok: true, status: text })

const notReady = { _tag: "StoreUnavailable", retryAfterSeconds: RETRY_AFTER_SECONDS } as const

/** Only a newer schema is shown: it tells the operator to stop this instance. Other reasons are in the log. */
const failureFor = (error: unknown) =>
  Predicate.isTagged(error, "SchemaTooNew") && Predicate.hasProperty(error, "step")
    ? ({ _tag: "SchemaTooNew", step: String(error.step) } as const)
    : notReady

/** The response to a readiness probe. */
const readiness = (ready: SystemOptions["ready"]) =>
  withErrorResponses(
    ready.pipe(
      Effect.timeout(READY_TIMEOUT),
      Effect.matchCauseEffect({
        onFailure: (cause) =>
          Effect.andThen(Effect.logWarning("Not ready", cause), Effect.fail(failureFor(Cause.squash(cause)))),
        onSuccess: () => Effect.succeed(status("ready"))
      })
    )
  )

export const healthLayer = (ready: SystemOptions["ready"]) =>
  Layer.unwrap(
    Effect.map(Effect.cachedInvalidateWithTTL(ready, READY_FOR), ([asked, forget]) =>
      Layer.mergeAll(
        HttpRouter.add("GET", "/healthz", status("alive")),
        HttpRouter.add("GET", "/readyz", readiness(Effect.onError(asked, () => forget)))
      )
    )
  )

export const layer = ({ ready, members = false, demoKeys = [], ...described }: SystemOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const supportContact = yield* SupportContact
      const serviceName = yield* ServiceName
      const document = yield* Effect.cached(Effect.sync(() => openApiDocument({ ...described, supportContact })))
      const json = Effect.map(document, (found) => ({
        text: JSON.stringify(found),
        contentType: "application/json; charset=utf-8"
      }))
      const { publicUrl, oauth } = described
      const reader = {
        ...{ serviceName, publicUrl, members, demoKeys, supportContact, connects: oauth !== null },
        imprint: yield* Imprint
      }
      const forAgents = { text: llmsText(publicUrl), contentType: "text/plain; charset=utf-8" }
      return Layer.mergeAll(
        healthLayer(ready),
        HttpRouter.add("GET", "/openapi.json", yield* keptText(json)),
        HttpRouter.add("GET", "/llms.txt", yield* keptText(Effect.succeed(forAgents))),
        HttpRouter.add(
          "GET",
          "/docs",
          yield* keptText(Effect.flatMap(document, (found) => referencePage(found, reader)))
        ),
        DocsStylesheet.layer
      )
    })
  )
