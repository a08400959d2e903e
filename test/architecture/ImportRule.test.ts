// The import rule on small sources: what the table grants, what it refuses, and the line of each violation.

import { describe, expect, it } from "vitest"
import { importRule } from "./ImportRule.ts"
import { roomOf } from "./ImportTable.ts"
import { describeViolation, parse } from "./Source.ts"

const violations = (file: string, text: string) => importRule(parse(file, text)).map(describeViolation)

const allowed: ReadonlyArray<readonly [file: string, text: string]> = [
  ["core/domain/pricing/Money.ts", `import { Result } from "effect"`],
  ["core/domain/pricing/Money.ts", `import { Shelf } from "./Shelf.ts"`],
  ["core/domain/ordering/Idempotency.ts", `import { Base64Url } from "effect/encoding"`],
  ["core/domain/webhooks/Signature.ts", `import { Mac } from "effect/crypto"`],
  ["core/decisions/ordering/PlaceOrder.ts", `import { price } from "#core/domain/pricing/Pricing.ts"`],
  ["core/ports/ordering/OrderBook.ts", `import type { Books } from "#core/decisions/Books.ts"`],
  ["core/ports/ordering/OrderBook.ts", `export type { Books } from "#core/decisions/Books.ts"`],
  ["core/usecases/ordering/PlaceOrder.ts", `import { placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"`],
  ["core/usecases/ordering/PlaceOrder.ts", `import { OrderBook } from "#core/ports/ordering/OrderBook.ts"`],
  ["adapters/http/api/Orders.ts", `import { OrderRequest } from "../OrderRequest.ts"`],
  ["adapters/http/Server.ts", `import { PlaceOrder } from "#core/usecases/ordering/PlaceOrder.ts"`],
  ["adapters/memory/ports/ordering/OrderBook.ts", `import { apply } from "#core/decisions/Apply.ts"`],
  ["adapters/postgres/ports/ordering/OrderBook.ts", `import { SqlClient } from "effect/sql"`],
  ["adapters/app/Service.ts", `import { OrderBook } from "#adapters/memory/ports/ordering/OrderBook.ts"`],
  ["adapters/main.ts", `import { settings } from "#adapters/config/Settings.ts"`],
  ["bench/Panes.tsx", `import { Box } from "ink"\nexport const pane = <Box />`],
  ["bench/Agent.ts", `import { Api } from "#adapters/http/api/Api.ts"`],
  ["test/adapters/http/Orders.test.ts", `import { property } from "#test/Property.ts"`],
  ["test/core/Money.test.ts", `import { Money } from "#core/domain/pricing/Money.ts"; import { it } from "vitest"`]
]

const refused: ReadonlyArray<readonly [file: string, text: string, violation: string]> = [
  ["core/domain/Bad.ts", `import fs from "node:fs"`, "core/domain must not import node:fs"],
  ["core/domain/Bad.ts", `import "node:fs"`, "core/domain must not import node:fs"],
  ["core/domain/Bad.ts", `import type { Stats } from "node:fs"`, "core/domain must not import node:fs"],
  ["core/domain/Bad.ts", `export { join } from "node:path"`, "core/domain must not import node:path"],
  ["core/domain/Bad.ts", `export * from "node:path"`, "core/domain must not import node:path"],
  ["core/domain/Bad.ts", `export type Bad = import("node:fs").Stats`, "core/domain must not import node:fs"],
  ["core/domain/Bad.ts", `export const fs = import("node:fs")`, "core/domain must not import node:fs"],
  ["core/domain/Bad.ts", "export const load = (x: string) => import(x)", "a computed import() cannot be checked"],
  [
    "core/domain/access/ApiKey.ts",
    `import { Digest } from "effect/crypto"`,
    "core/domain must not import effect/crypto"
  ],
  [
    "core/domain/Bad.ts",
    `import { a } from "../decisions/A.ts"`,
    "../decisions/A.ts leaves the room: write #core/decisions/A.ts"
  ],
  [
    "core/domain/Bad.ts",
    `import { a } from "#core/domain/A.ts"`,
    "#core/domain/A.ts is in the same room: write it as ./"
  ],
  [
    "core/domain/Bad.ts",
    `import { a } from "#core/domain/../ports/A.ts"`,
    "core/domain must not import #core/domain/../ports/A.ts"
  ],
  ["core/domain/Bad.ts", `import { a } from "#core/A.ts"`, "#core/A.ts is in no room"],
  ["core/domain/Bad.ts", `import a from "../../package.json"`, "../../package.json is in no room"],
  [
    "core/ports/ordering/OrderBook.ts",
    `import { books } from "#core/decisions/Books.ts"`,
    "core/ports may import only types of core/decisions"
  ],
  // The import itself would stay in the running program, empty.
  [
    "core/ports/A.ts",
    `import { type Books } from "#core/decisions/Books.ts"`,
    "core/ports may import only types of core/decisions"
  ],
  ["core/ports/A.ts", `import { B } from "#core/usecases/B.ts"`, "core/ports must not import #core/usecases/B.ts"],
  [
    "core/usecases/A.ts",
    `import { B } from "#adapters/memory/B.ts"`,
    "core/usecases must not import #adapters/memory/B.ts"
  ],
  ["core/usecases/A.ts", `import { HttpClient } from "effect/http"`, "core/usecases must not import effect/http"],
  [
    "adapters/contract/A.ts",
    `import { B } from "#core/ports/B.ts"`,
    "adapters/contract must not import #core/ports/B.ts"
  ],
  ["adapters/http/A.ts", `import { B } from "#core/ports/B.ts"`, "adapters/http must not import #core/ports/B.ts"],
  ["adapters/http/A.ts", `import { B } from "#adapters/mcp/B.ts"`, "adapters/http must not import #adapters/mcp/B.ts"],
  [
    "adapters/http/A.ts",
    `import { B } from "#adapters/config/Settings.ts"`,
    "adapters/http must not import #adapters/config/Settings.ts"
  ],
  [
    "adapters/http/api/A.ts",
    `import { B } from "../../mcp/B.ts"`,
    "../../mcp/B.ts leaves the room: write #adapters/mcp/B.ts"
  ],
  ["adapters/http/A.ts", `import { SqlClient } from "effect/sql"`, "adapters/http must not import effect/sql"],
  [
    "adapters/memory/A.ts",
    `import { B } from "#core/usecases/B.ts"`,
    "adapters/memory must not import #core/usecases/B.ts"
  ],
  [
    "adapters/memory/A.ts",
    `import { place } from "#core/decisions/Place.ts"`,
    "adapters/memory may import only types of core/decisions"
  ],
  [
    "adapters/payments/A.ts",
    `import { apply } from "#core/decisions/Apply.ts"`,
    "adapters/payments may import only types of core/decisions"
  ],
  ["adapters/main.ts", `import { B } from "#bench/B.ts"`, "programs must not import #bench/B.ts"],
  ["adapters/main.ts", `import { B } from "./http/B.ts"`, "./http/B.ts leaves the room: write #adapters/http/B.ts"],
  ["bench/A.ts", `import { B } from "#adapters/postgres/B.ts"`, "bench must not import #adapters/postgres/B.ts"],
  ["bench/A.ts", `import { B } from "#adapters/http/Handlers.ts"`, "bench must not import #adapters/http/Handlers.ts"],
  [
    "test/A.test.ts",
    `import { B } from "../core/domain/B.ts"`,
    "../core/domain/B.ts leaves the room: write #core/domain/B.ts"
  ],
  ["core/Loose.ts", "export const loose = 1", "belongs to no room"],
  ["adapters/attic/A.ts", "export const a = 1", "belongs to no room"]
]

describe("importRule", () => {
  it.each(allowed)("lets %s have %s", (file, text) => {
    expect(violations(file, text)).toEqual([])
  })

  it.each(refused)("refuses %s: %s", (file, text, violation) => {
    expect(violations(file, text)).toEqual([`${file}:1 ${violation}`])
  })

  it("names the line, and every violation of a file", () => {
    const text = `// “Ünïcode” first ✓\nimport { Result } from "effect"\n\nimport {\n  a,\n  b\n} from "node:fs"\nimport "node:os"\n`
    expect(violations("core/domain/Bad.ts", text)).toEqual([
      "core/domain/Bad.ts:4 core/domain must not import node:fs",
      "core/domain/Bad.ts:8 core/domain must not import node:os"
    ])
  })

  it("ignores comments and strings", () => {
    const text = "// import 'node:fs'\nexport const text = `import fs from \"node:fs\"`"
    expect(violations("core/domain/Text.ts", text)).toEqual([])
  })

  it("throws for a source that does not parse", () => {
    expect(() => parse("core/domain/Bad.ts", "export const =")).toThrow("core/domain/Bad.ts cannot be parsed")
  })
})

describe("roomOf", () => {
  it.each([
    ["adapters/main.ts", "programs"],
    ["adapters/http/api/Orders.ts", "adapters/http"],
    ["core/domain/pricing/Money.ts", "core/domain"],
    ["test/core/domain/pricing/Money.test.ts", "test"],
    ["core/domainish/Money.ts", undefined],
    ["README.md", undefined]
  ])("puts %s into %s", (file, room) => {
    expect(roomOf(file)?.name).toBe(room)
  })
})
