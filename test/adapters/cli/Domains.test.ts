// Domains in any letters, as pages take them: every command and every file that names one stores the name that is looked up.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { OPERATOR_PATH } from "#adapters/operator/OperatorRpcs.ts"
import { operatorService, TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { message } from "#test/adapters/operator/Payloads.ts"
import { buyer, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { call, postOrder, refusalIn } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { SITE_COLUMNS } from "./ImportFiles.ts"
import { file, IssuedKey, refusal, runJson, succeed } from "./RunCommand.ts"

const SPELLINGS = ["müller.example", "MÜLLER.Example", "mu\u0308ller.example", "ｍüller.example", "müller.example."]

layer(operatorService(), { excludeTestServices: true })("a domain in other letters", (it) => {
  it.effect("limits a key, however it is written, to the targets of that host", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      for (const spelling of SPELLINGS) {
        const { accountId } = yield* buyer({ creditCents: 10_000 })
        const { key, text } = yield* runJson(
          IssuedKey,
          "key",
          "issue",
          accountId,
          "--label",
          "agent",
          "--domain",
          spelling
        )
        expect(key.limits.allowedDomains, spelling).toEqual(["xn--mller-kva.example"])
        expect(yield* succeed("key", "limit", key.keyId, "--domain", spelling)).toContain("only xn--mller-kva.example")
        const dryRun = { dry_run: true }
        const within = { ...dryRun, items: [item(siteId, { target_url: "https://www.müller.example/" })] }
        expect((yield* postOrder(text, within)).text).toContain('"status":"dry_run"')
        const without = { ...dryRun, items: [item(siteId, { target_url: "https://muller.example/" })] }
        expect(refusalIn(yield* postOrder(text, without)).code).toBe("spend_policy_refused")
      }
    })
  )

  it.effect("is folded by the service, not only by the command line", () =>
    Effect.gen(function* () {
      const { accountId, keyId } = yield* buyer()
      const body = message("limitKey", { keyId, limits: { allowedDomains: ["müller.example"] } })
      const headers = { "content-type": "application/x-ndjson" }
      expect((yield* call("POST", OPERATOR_PATH, { body, headers, key: TOKEN })).text).toContain(
        "xn--mller-kva.example"
      )
      expect(yield* succeed("key", "list", accountId)).toContain("only xn--mller-kva.example")
    })
  )

  it.effect("is the domain of imported sites and projects", () =>
    Effect.gen(function* () {
      const { accountId } = yield* buyer()
      const site = `${SITE_COLUMNS}\n7100,BÜCHER.example,Books,de,Corail,1,10,90,14,300,4000\n`
      yield* succeed("import", "sites", yield* file("sites.csv", site))
      expect(yield* succeed("site", "show", "7100")).toMatch(/domain +xn--bcher-kva\.example\n/)
      const project = `project_id,account_id,name,domain,language\nprj_idn,${accountId},Books,bücher.example,de\n`
      yield* succeed("import", "projects", yield* file("projects.csv", project))
      expect(yield* succeed("project", "list", accountId)).toContain("xn--bcher-kva.example")
    })
  )

  it.effect("is refused where no page takes it, and nothing changes", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { keyId } = yield* buyer()
      const before = yield* books
      const hidden = ["mül\u200Bler.example", "mül\u202Eler.example", "mül%C3%BCler.example"]
      for (const wrong of [...hidden, "müller", "https://müller.example", "müller.example/x", "10.0.0.7", "co.uk"]) {
        expect(yield* refusal("key", "limit", keyId, "--domain", wrong), wrong).toContain(
          "Must be a public host name alone"
        )
      }
      expect(yield* books).toBe(before)
    })
  )
})
