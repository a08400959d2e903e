// Renders documents in a separate thread, so that their 100 ms of CPU do not hold up requests. The thread starts with the first document
// and ends after a minute without one.
import { Worker } from "node:worker_threads"
import { Cache, Effect, Exit, Layer, RcRef, Semaphore } from "effect"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { InvoiceRenderer } from "#core/ports/invoicing/InvoiceRenderer.ts"
import type { RenderRequest, RenderResponse } from "./RenderThread.ts"

type Answer = (response: RenderResponse) => void

class ThreadEnded extends Error {
  override readonly name = "ThreadEnded"
}

/** A running thread. What waits for it when it ends is told so. */
const startThread = Effect.acquireRelease(
  Effect.sync(() => {
    const worker = new Worker(new URL("./RenderThread.ts", import.meta.url))
    worker.unref()
    const waiting = new Map<number, Answer>()
    let ended: string | undefined
    let lastId = 0
    const end = (why: string): void => {
      ended = why
      for (const [id, answer] of waiting) answer({ id, error: why })
      waiting.clear()
    }
    worker.on("message", (response: RenderResponse) => {
      waiting.get(response.id)?.(response)
      waiting.delete(response.id)
    })
    worker.on("error", (cause) => end(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)))
    worker.on("exit", () => end("The rendering thread ended."))

    const ask = (form: RenderRequest["form"], invoice: Invoice) =>
      Effect.callback<RenderResponse, ThreadEnded>((resume) => {
        if (ended !== undefined) return resume(Effect.fail(new ThreadEnded(ended)))
        const id = ++lastId
        waiting.set(id, (response) => resume(Effect.succeed(response)))
        worker.postMessage({ id, form, invoice } satisfies RenderRequest)
        return Effect.sync(() => void waiting.delete(id))
      })

    return { ask, terminate: Effect.promise(() => worker.terminate()) }
  }),
  ({ terminate }) => terminate
)

const IDLE = "1 minute"

/** PDFs of some tens of kilobytes each. */
const KEPT = 200

export const layer = Layer.effect(
  InvoiceRenderer,
  Effect.gen(function* () {
    const thread = yield* RcRef.make({ acquire: startThread, idleTimeToLive: IDLE })
    // The thread renders one after another; what waits here and is no longer wanted never reaches it.
    const turns = yield* Semaphore.make(1)

    const render = (form: RenderRequest["form"], invoice: Invoice) =>
      RcRef.get(thread).pipe(
        Effect.flatMap(({ ask }) => ask(form, invoice)),
        Effect.scoped,
        // A thread that has ended is replaced once; a document that ends two threads is a fault of ours.
        Effect.tapError(() => RcRef.invalidate(thread)),
        Effect.retry({ times: 1 }),
        Effect.orDie,
        Effect.flatMap((response) =>
          "error" in response ? Effect.die(new Error(response.error)) : Effect.succeed(response.rendered)
        ),
        turns.withPermits(1)
      )

    // Requests for one document share its rendering, which ends with the last of them.
    const pdfs = yield* Cache.makeWith(
      Effect.fnUntraced(function* (invoice: Invoice) {
        const pdf = yield* render("pdf", invoice)
        return pdf instanceof Uint8Array ? pdf : yield* Effect.die(new Error("a PDF is bytes"))
      }),
      { capacity: KEPT, timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 hour" : 0) }
    )

    return InvoiceRenderer.of({
      pdf: Effect.fn("InvoiceRenderer.pdf")((invoice) => Cache.get(pdfs, invoice)),
      xml: Effect.fn("InvoiceRenderer.xml")(function* (invoice) {
        const xml = yield* render("xml", invoice)
        return xml instanceof Uint8Array ? yield* Effect.die(new Error("XML is text")) : xml
      })
    })
  })
)
