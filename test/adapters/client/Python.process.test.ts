// The page for Python, run as it is written: its story against a service with demo data, and its client against scripted answers. Needs
// Python 3.10 or later: without it the test fails.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as TestService from "#test/scenarios/RunningService.ts"
import { blocksOf } from "../ReadmeBlocks.ts"

const PAGE = "adapters/client/python.md"

/** The only block of a section. */
const blockOf = (title: string): string => {
  const blocks = blocksOf(PAGE, title, "python")
  expect(blocks, title).toHaveLength(1)
  return blocks.join("")
}

/** What a program prints that is written beside the page's client. */
const runPython = async (program: string) => {
  const folder = mkdtempSync(join(tmpdir(), "python-"))
  try {
    writeFileSync(join(folder, "backlinks.py"), blockOf("From Python"))
    writeFileSync(join(folder, "program.py"), program)
    const child = spawn("python3", ["program.py"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] })
    const ended = new Promise<number | null>((resolve, reject) => child.once("close", resolve).once("error", reject))
    const [out, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    expect([errors, status]).toEqual(["", 0])
    return out.trimEnd().split("\n")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

layer(TestService.layer({ DEMO: "on", WELCOME_OFFER_PERCENT: "20" }), { excludeTestServices: true })(
  "the story of the page for Python",
  (it) => {
    it.effect("searches, buys, follows and lists, and buys once when it runs twice", () =>
      Effect.gen(function* () {
        const { url } = yield* TestService.RunningService
        const story = blockOf("A purchase").replace("http://127.0.0.1:3000", url)
        const first = yield* Effect.promise(() => runPython(story))
        expect(first.slice(0, 3).every((line) => / 15$/.test(line))).toBe(true)
        expect(first[3]).toMatch(/ is placed: 1 link for 12\.00 EUR/)
        expect(first[4]).toMatch(/^The link is due by /)
        expect(first.slice(5)).toEqual([expect.stringMatching(/ to_assign$/)])
        expect(yield* Effect.promise(() => runPython(story))).toEqual(first)
      })
    )
  }
)

interface Arrived {
  readonly request: string
  readonly key: string | string[] | undefined
  readonly body: string
}

type Answer = (response: ServerResponse) => void

const json = (status: number, body: unknown, headers: IncomingHttpHeaders = {}): Answer => {
  return (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
}

const refusal = (code: string, retryable: boolean): Answer => {
  const error = { code, message: "No.", status: 503, retryable, recovery: "retry", suggestion: "Wait." }
  return json(503, { ok: false, error, request_id: "req_1" }, { "retry-after": "0" })
}

const lost: Answer = (response) => void response.destroy()
const gateway: Answer = (response) => response.writeHead(502, { "retry-after": "0" }).end("<h1>Bad gateway</h1>")
const portal: Answer = (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>")
/** No text in any encoding that JSON may have. */
const binary: Answer = (response) => response.writeHead(200).end(Buffer.from([0x22, 0xff, 0xfe, 0x22]))
const elsewhere: Answer = (response) => response.writeHead(302, { location: "/elsewhere" }).end()

/** Runs a program against these answers, one after the other. `URL` in it is where they are given. */
const against = async (answers: ReadonlyArray<Answer>, program: string) => {
  const arrived: Array<Arrived> = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    arrived.push({ request: `${request.method} ${request.url}`, key: request.headers["idempotency-key"], body })
    const answer = answers[arrived.length - 1] ?? json(500, {})
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    // The server listens on a port, not on a path.
    const { port } = server.address() as AddressInfo
    const lines = await runPython(
      `from backlinks import Client, NoAnswer, Refused\nclient = Client("http://127.0.0.1:${port}/", "sn_test_1")\n${program}`
    )
    return { lines, arrived }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const BUYS = 'print(client.call("POST", "/orders", {"items": []})["summary"])'
const FAILS = `try:\n    ${BUYS}\nexcept Exception as failure:\n    print(type(failure).__name__, getattr(failure, "code", ""))`

describe("the client of the page for Python", () => {
  it("sends again what is retryable or was lost, with one idempotency key", async () => {
    const answers = [refusal("store_unavailable", true), lost, gateway, json(201, { summary: "bought" })]
    const { lines, arrived } = await against(answers, BUYS)
    expect(lines).toEqual(["bought"])
    expect(arrived).toHaveLength(4)
    expect(arrived[0]).toEqual({
      request: "POST /api/v1/agent/orders",
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      body: '{"items": []}'
    })
    expect(new Set(arrived.map((one) => JSON.stringify(one))).size).toBe(1)
  })

  it("raises a refusal that is not retryable, after one attempt, and follows no redirect", async () => {
    const refused = await against([refusal("spend_policy_refused", false)], FAILS)
    expect(refused.lines).toEqual(["Refused spend_policy_refused"])
    const redirected = await against([elsewhere], FAILS)
    expect(redirected.lines).toEqual(["NoAnswer"])
    expect([refused.arrived.length, redirected.arrived.length]).toEqual([1, 1])
  })

  it("leaves the key that it made where no answer comes, with which the page repeats the call", async () => {
    const noAnswer: ReadonlyArray<Answer> = [lost, gateway, elsewhere, portal, binary]
    for (const answer of noAnswer) {
      const repeats = `client.attempts, link = 1, {}\n${blockOf("When no answer comes")}\nprint(bought["summary"])`
      const { lines, arrived } = await against([answer, json(201, { summary: "bought" })], repeats)
      expect(lines).toEqual(["bought"])
      expect(arrived).toHaveLength(2)
      expect(arrived[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
      expect(arrived[1]).toEqual(arrived[0])
    }
    const cause = `client.attempts = 1\ntry:\n    ${BUYS}\nexcept NoAnswer as failure:\n    print(failure.__cause__)`
    expect((await against([gateway], cause)).lines).toEqual(["HTTP Error 502: Bad Gateway"])
  })

  it("walks through all pages", async () => {
    const pages = [json(200, { links: [1, 2], next_cursor: "a b" }), json(200, { links: [3] })]
    const { lines, arrived } = await against(pages, 'print(*client.entries("/links", "links", status=["a", "b"]))')
    expect(lines).toEqual(["1 2 3"])
    expect(arrived.map(({ request, key }) => [request, key])).toEqual([
      ["GET /api/v1/agent/links?status=a&status=b", undefined],
      ["GET /api/v1/agent/links?status=a&status=b&cursor=a+b", undefined]
    ])
  })
})
