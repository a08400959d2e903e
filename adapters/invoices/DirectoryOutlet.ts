// Hands documents over as files in a directory, such as one that a platform's own client watches. A file appears complete or not at all.
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { Effect, FileSystem, Layer } from "effect"
import type { PlatformError } from "effect/PlatformError"
import { InvoiceOutlet, OutletFailed } from "#core/ports/invoicing/InvoiceOutlet.ts"

/** They hold names and addresses. */
const FILE_MODE = 0o640

/** `NUMBER.pdf` and `NUMBER.xml`, by id where there is no number. The XML is there before the PDF. */
export const layer = (directory: string): Layer.Layer<InvoiceOutlet, never, FileSystem.FileSystem> =>
  Layer.effect(
    InvoiceOutlet,
    Effect.map(FileSystem.FileSystem, (files) => {
      /** On the disk before it has its name. */
      const write = Effect.fnUntraced(function* (name: string, content: Uint8Array) {
        const draft = join(directory, `.${name}.${randomBytes(4).toString("hex")}.part`)
        const written = Effect.gen(function* () {
          const file = yield* files.open(draft, { flag: "wx", mode: FILE_MODE })
          yield* file.writeAll(content)
          yield* file.sync
        })
        yield* Effect.scoped(written).pipe(
          Effect.andThen(files.rename(draft, join(directory, name))),
          Effect.tapError(() => Effect.ignore(files.remove(draft)))
        )
      })

      /** After it, the names are on the disk too. */
      const syncDirectory = Effect.scoped(Effect.flatMap(files.open(directory), (opened) => opened.sync))

      return InvoiceOutlet.of({
        isOn: true,
        accept: Effect.fn("InvoiceOutlet.accept")(
          function* ({ invoice, pdf, xml }) {
            // Numbers and ids have letters, digits, hyphens and underscores alone.
            const name = invoice.facts.number ?? invoice.invoiceId
            if (xml !== null) yield* write(`${name}.xml`, new TextEncoder().encode(xml))
            yield* write(`${name}.pdf`, pdf)
            yield* syncDirectory
          },
          (accepted, { invoice: { invoiceId } }) =>
            Effect.mapError(
              accepted,
              ({ reason }: PlatformError) =>
                new OutletFailed({ invoiceId, reason: `a file was not written: ${reason._tag}` })
            )
        )
      })
    })
  )
