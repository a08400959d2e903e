// The rooms as data: the folder of each, and what it may import. `ImportRule` enforces it; an import without a grant is refused.
import { type Grant, matches, type Room } from "./Room.ts"

/** The ports' files speak of books, reads and changes; only the stores, which fold changes into books, run decisions' code. */
const decisionTypes: Grant = { to: "core/decisions", typesOnly: true }

/** Sub-paths of effect are unstable, so core keeps to the root and to encodings; one file has the keyed hash, one IP networks. */
const pureEffect: ReadonlyArray<Grant> = [
  { to: "effect" },
  { to: "effect/encoding" },
  { to: "effect/crypto", by: ["core/domain/webhooks/Signature.ts", "core/domain/webhooks/StandardSignature.ts"] },
  { to: "effect/net", by: ["core/domain/shared/PublicAddress.ts"] }
]

/** The root of platform-node loads a Redis client with 650 modules, so its modules are imported one by one. */
const platform: ReadonlyArray<Grant> = [
  { to: "effect" },
  { to: "effect/*" },
  { to: "@effect/platform-node/*" },
  { to: "node:*" }
]

const sql = ["effect/sql", "effect/sql/*", "@effect/sql-*"]
const http = ["effect/http", "effect/http/*", "effect/http-api", "effect/http-api/*", "node:http", "node:https"]

const packageGrant = (to: string): Grant => ({ to })
const factors = ["@simplewebauthn/server", "otpauth"].map(packageGrant)
const pages = packageGrant("adapters/html")
const pdf = ["@cantoo/pdf-lib", "@e-invoice-eu/core", "bidi-js", "fontkit", "pdfmake*"].map(packageGrant)

/** How adapters beside REST read bodies, name requests and list their routes. */
const requests: ReadonlyArray<Grant> = [
  {
    to: "adapters/http",
    files: ["RequestBody", "RequestId"].map((name) => `adapters/http/server/${name}.ts`)
  },
  { to: "adapters/http", files: ["adapters/http/server/RouteTable.ts"], typesOnly: true }
]

/** Fairness among accounts, and the time that a request waits. */
const concurrency: Grant = { to: "adapters/concurrency" }
/** The clock of a request goes through libraries that speak promises. */
const timed = ["effect", "node:async_hooks"].map(packageGrant)

const inward: ReadonlyArray<Grant> = [
  { to: "adapters/contract" },
  { to: "core/usecases" },
  { to: "core/domain" },
  ...platform
]

const outward: ReadonlyArray<Grant> = [{ to: "core/ports" }, { to: "core/domain" }, decisionTypes]

/** The books, the fold of changes into them, and what it changed: the one piece of decisions' code that the stores run. */
const foldFiles = ["Apply", "Books", "Difference"].map((name) => `core/decisions/${name}.ts`)
const fold: Grant = { to: "core/decisions", files: foldFiles }

/** Lists that several rooms take whole. Each grant in them is used by one of these rooms, not by all. */
export const sharedGrants: ReadonlySet<Grant> = new Set([
  ...[pureEffect, platform, requests, inward, outward, [fold, concurrency]].flat()
])

export const rooms: ReadonlyArray<Room> = [
  { name: "core/domain", folder: "core/domain", may: [...pureEffect] },
  { name: "core/decisions", folder: "core/decisions", may: [{ to: "core/domain" }, ...pureEffect] },
  { name: "core/ports", folder: "core/ports", may: [{ to: "core/domain" }, decisionTypes, { to: "effect" }] },
  {
    name: "core/usecases",
    folder: "core/usecases",
    // Hashing and random bytes are services of effect itself, handed in like any other port.
    may: [{ to: "core/*" }, { to: "effect" }, { to: "effect/crypto" }, { to: "effect/encoding" }]
  },
  {
    name: "adapters/contract",
    folder: "adapters/contract",
    may: ["core/domain", "csv-parse/sync", "effect", "effect/encoding", "jsvat-next", "tldts"].map((to) => ({ to }))
  },
  { name: "adapters/client", folder: "adapters/client", may: [{ to: "node:*" }] },
  { name: "adapters/http", folder: "adapters/http", may: [...inward, concurrency, pages], never: sql },
  {
    name: "adapters/html",
    folder: "adapters/html",
    may: [
      { to: "adapters/contract" },
      { to: "adapters/http", files: ["adapters/http/server/RouteTable.ts"], typesOnly: true },
      ...platform
    ],
    never: sql
  },
  {
    name: "adapters/mcp",
    folder: "adapters/mcp",
    // Its tools call the operations that REST serves.
    may: [
      ...inward,
      ...requests,
      { to: "adapters/http", files: ["adapters/http/operations/*"] },
      { to: "@modelcontextprotocol/*" }
    ],
    never: sql
  },
  {
    name: "adapters/web",
    folder: "adapters/web",
    may: [...inward, ...requests, concurrency, { to: "adapters/html" }, { to: "qr" }],
    never: sql
  },
  {
    name: "adapters/oauth",
    folder: "adapters/oauth",
    // Behind its library are the stores, and the service that fetches documents of clients.
    may: [...inward, ...requests, concurrency, ...["adapters/html", "core/ports", "oidc-provider"].map(packageGrant)],
    never: sql
  },
  {
    name: "adapters/operator",
    folder: "adapters/operator",
    may: [...inward, concurrency, { to: "adapters/backup" }],
    never: sql
  },
  {
    name: "adapters/cli",
    folder: "adapters/cli",
    // A client: it calls the operator plane over HTTP, and reads and writes files.
    may: [
      { to: "adapters/operator" },
      { to: "adapters/contract" },
      { to: "adapters/backup" },
      { to: "core/domain" },
      ...platform
    ],
    never: sql
  },
  { name: "adapters/concurrency", folder: "adapters/concurrency", may: timed },
  {
    name: "adapters/backup",
    folder: "adapters/backup",
    may: [{ to: "core/domain" }, ...platform],
    never: [...sql, ...http]
  },
  {
    name: "adapters/postgres",
    folder: "adapters/postgres",
    may: [...outward, fold, concurrency, ...platform, { to: "@effect/sql-pg/*" }],
    never: http
  },
  {
    name: "adapters/memory",
    folder: "adapters/memory",
    may: [
      ...outward,
      fold,
      { to: "core/decisions", files: ["core/decisions/Invariants.ts"] },
      ...["effect", "effect/*"].map(packageGrant)
    ],
    never: [...sql, ...http]
  },
  {
    name: "adapters/outbound",
    folder: "adapters/outbound",
    may: [...outward, ...platform],
    never: sql
  },
  {
    name: "adapters/payments",
    folder: "adapters/payments",
    may: [...outward, ...platform, { to: "stripe" }],
    never: sql
  },
  {
    name: "adapters/mail",
    folder: "adapters/mail",
    may: [
      { to: "core/ports" },
      { to: "core/domain" },
      ...platform,
      { to: "nodemailer" },
      { to: "adapters/html", files: ["adapters/html/Html.ts", "adapters/html/Times.ts"] },
      { to: "adapters/contract", files: ["adapters/contract/shared/Counted.ts"] }
    ],
    never: [...sql, ...http]
  },
  { name: "adapters/factors", folder: "adapters/factors", may: [...outward, ...platform, ...factors], never: http },
  { name: "adapters/invoices", folder: "adapters/invoices", may: [...outward, ...platform, ...pdf], never: http },
  {
    name: "adapters/config",
    folder: "adapters/config",
    may: [
      { to: "core/domain" },
      { to: "adapters/contract", files: ["adapters/contract/shared/ServiceDescription.ts"] },
      { to: "adapters/http", files: ["adapters/http/server/ClientNetwork.ts"], typesOnly: true },
      ...["effect", "effect/encoding", "node:*"].map(packageGrant)
    ]
  },
  {
    name: "adapters/observability",
    folder: "adapters/observability",
    may: [
      { to: "adapters/config" },
      { to: "adapters/contract" },
      { to: "adapters/http", files: ["adapters/http/server/Metrics.ts"] },
      { to: "core/ports" },
      { to: "core/domain" },
      decisionTypes,
      ...["effect", "effect/http", "effect/observability"].map(packageGrant)
    ]
  },
  {
    name: "adapters/demo",
    folder: "adapters/demo",
    may: [
      { to: "core/usecases" },
      { to: "core/domain" },
      decisionTypes,
      { to: "core/decisions", files: ["core/decisions/catalogue/Listings.ts"] },
      { to: "effect" }
    ]
  },
  { name: "adapters/app", folder: "adapters/app", may: [{ to: "*" }], never: ["bench", "test"] },
  { name: "programs", folder: "adapters", shallow: true, may: [{ to: "*" }], never: ["bench", "test"] },
  {
    name: "bench",
    folder: "bench",
    may: [
      ...["core/*", "adapters/contract", "adapters/memory"].map(packageGrant),
      { to: "adapters/http", files: ["adapters/http/api/*"] },
      // The service under test runs whole, in the bench's own process.
      { to: "adapters/app", files: ["adapters/app/Ports.ts", "adapters/app/Service.ts"] },
      { to: "adapters/config" },
      { to: "adapters/client", files: ["adapters/client/WebhookSignature.ts"] },
      // Both write to a terminal, and measure their text by its cells.
      { to: "adapters/operator", files: ["adapters/operator/*Client.ts"] },
      { to: "adapters/cli", files: ["adapters/cli/TerminalText.ts"] },
      // Its agents speak MCP as any assistant does.
      { to: "@modelcontextprotocol/client" },
      ...["ink", "react", "tsx/esm/api"].map(packageGrant),
      ...platform
    ],
    never: sql
  },
  { name: "test", folder: "test", ownAlias: true, may: [{ to: "*" }] }
]

/** The room of `file`; `undefined` for a file in no room. */
export const roomOf = (file: string): Room | undefined =>
  rooms.find(
    ({ folder, shallow }) =>
      matches(`${folder}/*`, file) && !(shallow === true && file.slice(folder.length + 1).includes("/"))
  )
