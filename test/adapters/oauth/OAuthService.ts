// The complete service with documents of clients that the test writes, and with a store of grants that can be made to stop: what is
// written after that is lost, as when the process is killed.
import { Context, Effect, Layer } from "effect"
import { portsWithStore } from "#adapters/app/Ports.ts"
import * as Service from "#adapters/app/Service.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import type { OAuthArtifact } from "#core/domain/access/OAuthArtifact.ts"
import { type ClientDocument, ClientDocuments, DocumentRefused } from "#core/ports/access/ClientDocuments.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"

export class OAuthTestbed extends Context.Service<
  OAuthTestbed,
  {
    /** Documents by their URL; a URL that is not here does not answer. */
    readonly documents: Map<string, ClientDocument | DocumentRefused>
    /** Each URL that was fetched. */
    readonly fetched: Array<string>
    /** Whether what is kept of this kind is lost. */
    readonly loses: Set<string>
  }
>()("backlinks/test/OAuthTestbed") {}

type Testbed = OAuthTestbed["Service"]

const testbed = Layer.sync(OAuthTestbed, () => ({ documents: new Map(), fetched: [], loses: new Set<string>() }))

const documentsOf = ({ documents, fetched }: Testbed) =>
  Layer.succeed(ClientDocuments, {
    fetch: (url) =>
      Effect.suspend(() => {
        fetched.push(url)
        const found = documents.get(url) ?? new DocumentRefused({ reason: "unreachable" })
        return found instanceof DocumentRefused ? Effect.fail(found) : Effect.succeed(found)
      })
  })

const losingGrants = ({ loses }: Testbed) =>
  Layer.effect(
    Grants,
    Effect.map(Grants, (grants) => ({
      ...grants,
      upsert: (artifact: OAuthArtifact) =>
        Effect.suspend(() =>
          loses.has(artifact.kind) ? new StoreUnavailable({ retryAfterSeconds: 1 }) : grants.upsert(artifact)
        )
    }))
  )

export const layer = (env: RunningService.Env = {}) => {
  const service = Effect.gen(function* () {
    const config = yield* RunningService.settingsFrom(env)
    const scripted = yield* OAuthTestbed
    return Service.layerWithPorts(config, (url) =>
      Layer.merge(documentsOf(scripted), losingGrants(scripted)).pipe(
        Layer.provideMerge(portsWithStore(config, url, MemoryStore.layer))
      )
    )
  })
  return RunningService.layerInMemoryBooks.pipe(
    Layer.provideMerge(Layer.unwrap(service)),
    Layer.provideMerge(testbed),
    Layer.provideMerge(RunningService.sharedServices)
  )
}
