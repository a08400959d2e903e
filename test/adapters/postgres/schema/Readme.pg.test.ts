// The README's picture of the tables is that of the schema. `vitest -u` on this file draws it anew.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { migratedDatabase } from "#test/adapters/postgres/MigratedDatabase.ts"
import { tablesPicture } from "./TablesPicture.ts"

const README = fileURLToPath(new URL("../../../../adapters/postgres/README.md", import.meta.url))

it.live("the picture in the README shows every table and reference", () =>
  Effect.gen(function* () {
    const picture = yield* tablesPicture(yield* migratedDatabase)
    const readme = readFileSync(README, "utf8")
    const drawn = readme.replace(/(?<=```mermaid\n)[^`]*(?=\n```)/, picture)
    expect(drawn).toContain(picture)
    yield* Effect.promise(() => expect(drawn).toMatchFileSnapshot(README))
  })
)
