// A command: the European Union's rules of EN 16931 on the XML of every kind of numbered document. It prints the failed rules of each,
// and fails if there are any. `adapters/invoices/README.md` says where the two files that it needs are.
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import * as Renderer from "#adapters/invoices/InvoiceRenderer.ts"
import { InvoiceRenderer } from "#core/ports/invoicing/InvoiceRenderer.ts"
import { HOSTILE_NAMES, invoiceTo, numbered } from "./IssuedDocuments.ts"

const [saxon = "", rules = ""] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "schematron-"))

/** The failed rules, by their ids. */
const failures = (xml: string): ReadonlyArray<string> => {
  const file = join(folder, "invoice.xml")
  writeFileSync(file, xml)
  const report = execFileSync(
    "java",
    ["-cp", saxon, "net.sf.saxon.Transform", "-warnings:silent", `-s:${file}`, `-xsl:${rules}`],
    { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }
  )
  if (!report.includes("<svrl:fired-rule")) throw new Error("no rule was applied")
  return [...report.matchAll(/<svrl:failed-assert[^>]*?\sid="([^"]+)"/gs)].map(([, id]) => id ?? "")
}

const documents = [
  ...Object.entries(numbered),
  ...HOSTILE_NAMES.map(
    (name) => [`an invoice to ${JSON.stringify(name)}`, invoiceTo(name, `${name}\n1 Berlin`)] as const
  )
]

const check = Effect.gen(function* () {
  const { xml } = yield* InvoiceRenderer
  for (const [name, invoice] of documents) {
    const failed = failures((yield* xml(invoice)) ?? "")
    console.log(`${failed.length === 0 ? "ok" : failed.join(" ")}  ${name}`)
    if (failed.length > 0) process.exitCode = 1
  }
})

await Effect.runPromise(Effect.provide(check, Renderer.layer)).finally(() => rmSync(folder, { recursive: true }))
