// The thread that renders documents, one after another, and lets requests go before it.
import { readlinkSync } from "node:fs"
import { setPriority } from "node:os"
import { parentPort } from "node:worker_threads"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { fixClock } from "./FixedClock.ts"

export interface RenderRequest {
  readonly id: number
  readonly form: "pdf" | "xml"
  readonly invoice: Invoice
}

export type RenderResponse =
  | { readonly id: number; readonly rendered: Uint8Array | string | null }
  | { readonly id: number; readonly error: string }

/** The lowest but nine: where all cores are busy, the thread that serves orders keeps nearly all of its core. */
const PRIORITY = 10

/** Linux gives each thread an id and a priority. Elsewhere there is no such file, and the priority stays that of the process. */
try {
  const [threadId = ""] = readlinkSync("/proc/thread-self").split("/").slice(-1)
  setPriority(Number(threadId), PRIORITY)
} catch {
  // A document is rendered at any priority.
}

// Before the libraries are loaded, some of which keep `Date`.
fixClock()
const { renderPdf, renderXml } = await import("./Rendering.ts")

const answer = async ({ id, form, invoice }: RenderRequest): Promise<RenderResponse> => {
  try {
    return { id, rendered: form === "pdf" ? await renderPdf(invoice) : await renderXml(invoice) }
  } catch (cause) {
    return { id, error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }
  }
}

let last: Promise<unknown> = Promise.resolve()

parentPort?.on("message", (request: RenderRequest) => {
  // One after another, because the time of issue is that of the whole thread.
  last = last.then(async () => parentPort?.postMessage(await answer(request)))
})
