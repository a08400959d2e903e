// `import`: nothing is written if the file has an error; batches can be repeated after an outage; thousands of rows by one command.
import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { MAX_ROWS } from "#adapters/operator/calls/CatalogueCalls.ts"
import { operatorService, TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { buyer, insertion, item } from "#test/scenarios/Buyers.ts"
import { OrderBookFaults } from "#test/scenarios/FaultyOrderBook.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { articlesCsv, opportunitiesJson, projectsCsv, SITE_COLUMNS, sitesCsv } from "./ImportFiles.ts"
import { file, refusal, runCommandIn, runJson, succeed } from "./RunCommand.ts"

const Imported = Schema.Struct({ imported: Schema.Int, kind: Schema.String })

/** The books as of the last commit; an identical value means that nothing was written. */
const books = Effect.flatMap(RunningService, ({ books }) => books)

layer(operatorService(), { excludeTestServices: true })("import", (it) => {
  it.effect("imports every kind of file", () =>
    Effect.gen(function* () {
      const { accountId, key } = yield* buyer({ creditCents: 10_000 })
      expect(yield* succeed("import", "sites", yield* file("sites.csv", sitesCsv(1, 3)))).toMatch(
        /^Imported 3 sites from /
      )
      const articles = yield* file("articles.csv", articlesCsv([[7, 1]]))
      expect(yield* runJson(Imported, "import", "articles", articles)).toStrictEqual({ imported: 1, kind: "articles" })
      yield* succeed("import", "projects", yield* file("projects.csv", projectsCsv(accountId, "prj_tea")))
      yield* succeed("import", "opportunities", yield* file("o.json", opportunitiesJson("prj_tea", "opp_tea")))
      yield* succeed("import", "promos", yield* file("promos.csv", "code,percent,fixed_eur\nHALF,50,\nFIVER,,5.00\n"))

      const placed = placedBy(
        yield* postOrder(key, { items: [insertion({ siteId: 1, articleId: 7 })], promo_code: "half" })
      )
      expect(placed).toMatchObject({ gross_total_eur: 12.5, total_eur: 6.25 })
      expect(yield* succeed("project", "plan", accountId, "prj_tea")).toContain("teapots that pour")
    })
  )

  it.effect("imports nothing of a file with errors, and names them all", () =>
    Effect.gen(function* () {
      const before = yield* books
      const rows = sitesCsv(100, 600).split("\n")
      rows[3] = rows[3]?.replace("Nautilus", "Octopus") ?? ""
      rows[599] = rows[599]?.replace("site-", "site/") ?? ""
      const err = yield* refusal("import", "sites", yield* file("sites.csv", rows.join("\n")))
      expect(err).toMatch(
        /^Nothing was imported: .*sites\.csv has 2 errors\.\nline 4, column shelf, "Octopus": .*\nline 600, column domain/
      )
      expect(yield* books).toBe(before)
    })
  )

  it.effect("gives a site that was ordered another domain only with --change-domain, and no domain to two sites", () =>
    Effect.gen(function* () {
      const { key } = yield* buyer({ creditCents: 10_000 })
      yield* succeed("import", "sites", yield* file("sites.csv", sitesCsv(900, 2)))
      placedBy(yield* postOrder(key, { items: [item(900)] }))
      const before = yield* books
      const renamed = yield* file("one.csv", sitesCsv(900, 1).replace("site-900.example", "new-900.example"))
      expect(yield* refusal("import", "sites", renamed)).toMatch(
        /line 2, column domain, "new-900.example": The site was ordered as site-900\.example: its domain changes only with --change-domain/
      )
      const double = yield* file("two.csv", sitesCsv(902, 1).replace("site-902.example", "site-901.example"))
      expect(yield* refusal("import", "sites", double)).toMatch(
        /line 2, column domain, "site-901.example": Site 901 has this domain/
      )
      const rows = sitesCsv(902, 2).replace("site-902.example", "site-903.example")
      expect(yield* refusal("import", "sites", yield* file("both.csv", rows))).toMatch(
        /line 3, column domain, "site-903.example": Is on line 2 already/
      )
      expect(yield* books).toBe(before)
      expect(yield* succeed("import", "sites", renamed, "--change-domain")).toMatch(/^Imported 1 site from /)
      expect(yield* succeed("audit")).toMatch(/site\.replace/)
    })
  )

  it.effect("swaps domains of sites that stand together, and says so where they are too far apart", () =>
    Effect.gen(function* () {
      const [first, count] = [20_000, MAX_ROWS + 1]
      const last = first + MAX_ROWS
      yield* succeed("import", "sites", yield* file("sites.csv", sitesCsv(first, count)))
      const swapped = sitesCsv(first, count)
        .split("\n")
        .map((row) =>
          row
            .replace(`${first},site-${first}.`, `${first},site-${last}.`)
            .replace(`${last},site-${last}.`, `${last},site-${first}.`)
        )
      const refused = yield* refusal("import", "sites", yield* file("sites.csv", swapped.join("\n")))
      expect(refused).toContain(`Site ${last} has this domain`)
      expect(refused).toContain("put them next to each other at the top of the file")
      const [head = "", one = "", ...others] = swapped
      const together = [head, one, others.at(-1) ?? "", ...others.slice(0, -1)].join("\n")
      yield* succeed("import", "sites", yield* file("sites.csv", together))
      expect(yield* succeed("site", "show", `${first}`)).toContain(`site-${last}.example`)
      expect(yield* succeed("site", "show", `${last}`)).toContain(`site-${first}.example`)
    })
  )

  it.effect("shows the first errors and their number", () =>
    Effect.gen(function* () {
      const text = sitesCsv(100, 200).replaceAll("Nautilus", "Octopus")
      const err = yield* refusal("import", "sites", yield* file("sites.csv", text))
      expect(err.split("\n")).toHaveLength(22)
      expect(err).toMatch(/has 66 errors\.[\s\S]*\n… and 46 more\.$/)
    })
  )

  it.effect("looks up references before it sends anything", () =>
    Effect.gen(function* () {
      yield* succeed("import", "sites", yield* file("sites.csv", sitesCsv(50, 1)))
      const before = yield* books
      const missing = (kind: string, name: string, text: string) =>
        Effect.flatMap(file(name, text), (path) => refusal("import", kind, path))
      expect(
        yield* missing(
          "articles",
          "a.csv",
          articlesCsv([
            [70, 50],
            [71, 9_999],
            [72, 9_998]
          ])
        )
      ).toMatch(
        /has 2 errors\.\nline 3, column site_id, "9999": There is no such site.*\nline 4, column site_id, "9998": There is no such site/
      )
      expect(yield* missing("projects", "p.csv", projectsCsv("acc_none", "prj_x"))).toContain(
        'line 2, column account_id, "acc_none": There is no such account.'
      )
      expect(yield* missing("opportunities", "o.json", opportunitiesJson("prj_none", "opp_x"))).toContain(
        'line 1, column project_id, "prj_none": There is no such project; import projects first.'
      )
      const unknownArticles = Array.from(
        { length: MAX_ROWS + 1 },
        (_, nth) => [nth + 1, nth === 250 ? 50 : 10_000 + nth] as const
      )
      expect(yield* missing("articles", "many.csv", articlesCsv(unknownArticles))).toContain(`has ${MAX_ROWS} errors.`)
      expect(yield* books).toBe(before)
    })
  )

  it.effect(
    "says which lines are in and which are not when the service fails in between, and continues from any line",
    () =>
      Effect.gen(function* () {
        const { injectFaults } = yield* OrderBookFaults
        const path = yield* file("sites.csv", sitesCsv(1_000, 2 * MAX_ROWS + 1))
        // All three batches are judged, and one is written; the next is refused as often as it is tried.
        yield* injectFaults(
          "passes",
          "passes",
          "passes",
          "passes",
          ...Array.from({ length: 4 }, () => "is refused" as const)
        )
        const err = yield* refusal("import", "sites", path)
        expect(err).toContain("(store_unavailable)")
        expect(err).toContain("Imported: lines 2 to 501 (500 rows).")
        expect(err).toContain("Unknown: lines 502 to 1001 (500 rows).")
        expect(err).toContain("Not imported: line 1002 (1 row).")
        expect(yield* succeed("import", "sites", path)).toContain("Imported 1,001 sites")
      })
  )

  it.effect("repeats calls after a retryable error", () =>
    Effect.gen(function* () {
      const { injectFaults } = yield* OrderBookFaults
      yield* injectFaults("is refused", "loses its answer")
      expect(yield* succeed("import", "sites", yield* file("sites.csv", sitesCsv(3_000, 1)))).toContain(
        "Imported 1 site from "
      )
      expect(yield* succeed("site", "show", "3000")).toContain("site-3000.example")
    })
  )

  it.effect("imports 2,000 sites by one command, with progress on a terminal", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const progress: Array<string> = []
      const env = { OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN }
      const path = yield* file("sites.csv", sitesCsv(100_000, 2_000))
      const { status, out, err } = yield* runCommandIn({ env, progress }, ["import", "sites", path, "--json"])
      expect(status, err).toBe(0)
      expect(JSON.parse(out)).toStrictEqual({ imported: 2_000, kind: "sites" })
      expect(progress).toContain("\r\u001b[K500 of 2,000 sites imported")
      expect(progress.at(-1)).toBe("\r\u001b[K")
      const { key } = yield* buyer({ creditCents: 10_000 })
      expect(placedBy(yield* postOrder(key, { items: [item(101_999)] })).items_count).toBe(1)
    })
  )

  it.effect("takes the format from --format", () =>
    Effect.gen(function* () {
      const path = yield* file("sites.txt", `${SITE_COLUMNS}\n`)
      expect(yield* refusal("import", "sites", path, "--format", "csv")).toContain("line 1: The file has no rows.")
      expect(yield* refusal("import", "sites", path, "--format", "json")).toContain("This is not JSON")
    })
  )
})
