// What the thin client makes of a call and its answer: URL, headers, body, and the pages of a list.
import { describe, expect, it } from "vitest"
import { failureOf, json, refusal, scripted } from "./ScriptedClient.ts"

describe("a request", () => {
  it("has path, query and key in their places", async () => {
    const { client, arrived } = scripted([json({ thing: "a" }), json({ things: [] })])
    expect(await client.getThing({ path: { id: "a/b?c" } })).toEqual({ thing: "a" })
    await client.listThings({ query: { tag: ["x y", "z"] } })
    expect(arrived.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET https://links.example/api/things/a%2Fb%3Fc",
      "GET https://links.example/api/things?tag=x+y&tag=z"
    ])
    expect(arrived.map(({ headers }) => [...headers])).toEqual([
      [["authorization", "Bearer sn_test_1"]],
      [["authorization", "Bearer sn_test_1"]]
    ])
  })

  it("rejects without a path parameter, and sends nothing", async () => {
    const { client, arrived } = scripted([])
    // What JavaScript may pass.
    const id = undefined as unknown as string
    expect(await failureOf(client.getThing({ path: { id } }))).toBeInstanceOf(TypeError)
    expect(arrived).toEqual([])
  })

  it("answers a text as text and any other file as bytes", async () => {
    const csv = new Response("a,b\n", { headers: { "content-type": "text/csv; charset=utf-8" } })
    const pdf = new Response(new Uint8Array([37, 80]), { headers: { "content-type": "application/pdf" } })
    const { client } = scripted([csv, pdf])
    expect(await client.downloadThings()).toBe("a,b\n")
    expect([...new Uint8Array(await client.drawThings())]).toEqual([37, 80])
  })
})

describe("a list", () => {
  const pages = () => [
    json({ things: [1, 2], next_cursor: "c1" }),
    json({ things: [], next_cursor: "c2" }),
    json({ things: [3] })
  ]

  it("is its first page when awaited, and asks for no other", async () => {
    const { client, arrived } = scripted(pages())
    expect(await client.listThings()).toEqual({ things: [1, 2], next_cursor: "c1" })
    expect(arrived).toHaveLength(1)
  })

  it("is all entries when iterated, each page under the filters of the first", async () => {
    const { client, arrived } = scripted(pages())
    const all: Array<number> = []
    for await (const thing of client.listThings({ query: { tag: ["x"], offset: 4 } })) all.push(thing)
    expect(all).toEqual([1, 2, 3])
    expect(arrived.map(({ url }) => new URL(url).search)).toEqual([
      "?tag=x&offset=4",
      "?tag=x&cursor=c1",
      "?tag=x&cursor=c2"
    ])
  })

  it("asks for a page only once its entries are needed", async () => {
    const { client, arrived } = scripted(pages())
    for await (const thing of client.listThings()) if (thing === 2) break
    expect(arrived).toHaveLength(1)
  })

  it("says so where the answer has none, and fails where a page does", async () => {
    const none = scripted([json({ thing: "a" })])
    const all = async (client: typeof none.client) => {
      for await (const thing of client.listThings()) expect(thing).toBeDefined()
    }
    expect(await failureOf(all(none.client))).toMatchObject({ message: "The answer has no list of things." })
    const second = scripted([...pages().slice(0, 1), refusal({ code: "validation_failed", retryable: false })])
    expect(await failureOf(all(second.client))).toMatchObject({ code: "validation_failed" })
  })
})
