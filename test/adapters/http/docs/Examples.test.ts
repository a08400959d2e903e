// The examples of the document: each request is sent to a running demo as it stands, and each answer is what the demo gave. `vitest run`,
// this file and `-u` write them.

import { fileURLToPath } from "node:url"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import * as TestService from "#test/scenarios/RunningService.ts"
import { exampleRecorder } from "./ExampleRecorder.ts"
import { findSites, follow, followQuotes, order } from "./ExamplesOfBuying.ts"
import {
  endWebhooks,
  letExpire,
  listEvents,
  playSandbox,
  readDocuments,
  untilIssued,
  useWebhooks
} from "./ExamplesOfKeeping.ts"
import {
  refuseAccess,
  refuseFaulty,
  refuseForm,
  refuseUnknown,
  refuseWebhooks,
  wordFaults
} from "./ExamplesOfRefusals.ts"
import { refuseChanges, refuseInSandbox, refuseOrders } from "./ExamplesOfRefusedOrders.ts"

const FILE = fileURLToPath(new URL("../../../../adapters/contract/examples.json", import.meta.url))

/** The settings of `npm start` that other tests turn off. */
const DEMO = {
  DEMO: "on",
  PUBLIC_URL: "https://links.example",
  DAILY_ORDER_CAP: "20",
  WELCOME_OFFER_PERCENT: "20",
  RATE_LIMIT_READS: "600",
  RATE_LIMIT_ORDERS: "120"
}

layer(TestService.layer(DEMO), { excludeTestServices: true })("the examples of the document", (it) => {
  it.effect("are what the demo answers, each to a request that is sent as it stands", () =>
    Effect.gen(function* () {
      const recorder = yield* exampleRecorder
      yield* findSites(recorder)
      const bought = yield* order(recorder)
      yield* untilIssued(recorder, bought.order("order_id"), 1)
      yield* untilIssued(recorder, bought.ofProject("order_id"), 1)
      yield* follow(recorder, bought)
      yield* followQuotes(recorder, bought)
      yield* readDocuments(recorder, bought)
      yield* useWebhooks(recorder)
      yield* endWebhooks(recorder)
      const placed = yield* playSandbox(recorder)
      yield* listEvents(recorder, bought)
      yield* refuseAccess(recorder)
      yield* refuseForm(recorder, bought)
      yield* refuseUnknown(recorder, bought)
      yield* refuseOrders(recorder)
      yield* refuseChanges(recorder, bought)
      yield* refuseInSandbox(recorder, placed)
      yield* refuseWebhooks(recorder)
      yield* refuseFaulty(recorder)
      wordFaults(recorder)
      yield* letExpire(recorder)
      yield* Effect.promise(() => expect(recorder.recording()).toMatchFileSnapshot(FILE))
    })
  )
})
