// Pages of a catalogue of 100,000 sites, complete and filtered, in every order, beside the same SQL behind Fastify; then the last page
// compared with the first.
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Console, Effect, type Redacted } from "effect"
import { type List, type Page, type Pages, pagesOf } from "./CataloguePages.ts"
import { databaseServer, temporaryFolder } from "./DatabaseServer.ts"
import { drive, figuresOf, type Round } from "./Drive.ts"
import type { Call } from "./HttpConnection.ts"
import { type Load, percentiles, rounded } from "./Load.ts"
import { type Options, optionsFrom } from "./Options.ts"
import { compareWithPeers, missedFloors, type Peers } from "./PeerComparison.ts"
import { seedCatalogue } from "./SeedData.ts"
import { instances, peer } from "./Servers.ts"

const LISTS: ReadonlyArray<List> = [
  { filter: {}, query: {}, sort: "id" },
  { filter: {}, query: {}, sort: "price" },
  { filter: {}, query: {}, sort: "-tf" },
  { filter: {}, query: {}, sort: "-traffic" },
  { filter: { shelves: ["Corail"] }, query: { shelf: "Corail" }, sort: "-tf" },
  { filter: { shelves: ["Plancton"] }, query: { shelf: "Plancton" }, sort: "price" },
  { filter: { minTf: 45 }, query: { min_tf: "45" }, sort: "-tf" },
  { filter: { languages: ["fr"], minTf: 20 }, query: { language: "fr", min_tf: "20" }, sort: "price" },
  { filter: { niches: ["niche 7"] }, query: { niche: "niche 7" }, sort: "-tf" }
]

/** The service keeps pages; its peer does not. */
const FLOORS = { repeated: { handwritten: 1 }, unseen: { handwritten: 0.7 } }

/** The most that the last page may take, as a multiple of the first. */
const LAST_TO_FIRST = 1.5

/** Few enough that a page's time is not mostly a wait for other pages. */
const CONNECTIONS_FOR_DEPTH = 8
const DEPTH_ROUNDS = 9
const DEPTH_SECONDS = 1.5

const inTurn =
  <A>(all: ReadonlyArray<A>) =>
  (n: number): A => {
    const one = all[n % all.length]
    if (one === undefined) throw new Error("no calls to make")
    return one
  }

/** Makes calls of pages in turn, each under its own cursor. */
const unseenCalls = () => {
  let calls = 0
  return (pages: ReadonlyArray<Page>) => (): Call => inTurn(pages)(calls).unseen(calls++)
}

/** A file of statements for pgbench. */
const scriptOf = (pages: ReadonlyArray<Page>) =>
  Effect.gen(function* () {
    const file = join(yield* temporaryFolder, "pages.sql")
    yield* Effect.promise(() => writeFile(file, pages.map(({ sql }) => `${sql};\n`).join("")))
    return file
  })

/** The middle value. */
const median = (values: ReadonlyArray<number>): number => percentiles(values).p50

const showDepth = (name: string, rounds: ReadonlyArray<Round>): Effect.Effect<void> => {
  const { p50Ms, p99Ms } = figuresOf(rounds)
  return Console.log(`${name.padEnd(12)} p50 ${p50Ms.toFixed(1)} ms   p99 ${p99Ms.toFixed(1)} ms`)
}

/** The 99th percentile of the last pages over that of the first: the median of alternating rounds. */
const depth = Effect.fnUntraced(function* (
  baseUrls: ReadonlyArray<string>,
  lists: ReadonlyArray<Pages>,
  unseenInTurn: ReturnType<typeof unseenCalls>
) {
  const driving = { connections: CONNECTIONS_FOR_DEPTH, seconds: DEPTH_SECONDS, expected: 200 }
  const unseen = {
    first: unseenInTurn(lists.map(({ first }) => first)),
    last: unseenInTurn(lists.map(({ last }) => last))
  }
  const turn = (which: keyof typeof unseen) => Effect.tryPromise(() => drive(baseUrls, driving, unseen[which]))
  const rounds = yield* Effect.forEach(Array.from({ length: DEPTH_ROUNDS }), () =>
    Effect.all({ first: turn("first"), last: turn("last") })
  )
  const [first, last] = [rounds.map((round) => round.first), rounds.map((round) => round.last)]
  yield* showDepth("first page", first)
  yield* showDepth("last page", last)
  return rounded(median(rounds.map(({ first, last }) => figuresOf([last]).p99Ms / figuresOf([first]).p99Ms)))
})

const startPeers = Effect.fnUntraced(function* (url: Redacted.Redacted, pages: ReadonlyArray<Page>) {
  return {
    handwritten: {
      servers: [yield* peer("CataloguePage", url)],
      expected: 200,
      call: inTurn(pages.map(({ handwritten }) => handwritten))
    },
    script: { url, file: yield* scriptOf(pages), variables: {}, clients: 16, statements: pages.length }
  } satisfies Peers
})

const compare = Effect.fnUntraced(function* (options: Options) {
  const database = yield* databaseServer
  const url = yield* database("service")
  const key = yield* seedCatalogue(url, options.sites)
  const servers = yield* instances(options.instances, url)
  const baseUrls = servers.map(({ baseUrl }) => baseUrl)
  const [baseUrl = ""] = baseUrls
  const lists = yield* Effect.tryPromise(() => Promise.all(LISTS.map((list) => pagesOf(baseUrl, key, list))))
  const pages = lists.flatMap(({ first, middle, last }) => [first, middle, last])
  const unseenInTurn = unseenCalls()
  const repeated = inTurn(pages.map(({ service }) => service))
  const service = { servers, expected: 200, call: options.unseen ? unseenInTurn(pages) : repeated }
  const peers = options.alone ? null : yield* startPeers(url, pages)
  const summary = yield* compareWithPeers({ name: "catalogue", url, service, peers }, options)
  const lastToFirst = yield* depth(baseUrls, lists, unseenInTurn)
  const missed = [
    ...missedFloors(summary, options.unseen ? FLOORS.unseen : FLOORS.repeated),
    ...(lastToFirst > LAST_TO_FIRST ? [`the last page takes ${lastToFirst} times as long as the first`] : [])
  ]
  return { summary: { ...summary, ratios: { ...summary.ratios, last_page: lastToFirst } }, missed }
}, Effect.scoped)

export const load: Load = (args) => Effect.flatMap(optionsFrom(args), compare)
