// Bodies that come in several pieces.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { exchange, head } from "./RawHttp.ts"
import { keys, Stub, stubServer } from "./StubServer.ts"

const HEAD = head("POST", "/api/v1/agent/orders", {
  Authorization: `Bearer ${keys.full}`,
  "Content-Type": "application/json",
  "Transfer-Encoding": "chunked"
})

/** An empty piece is the last one. */
const chunk = (piece: Uint8Array) => [`${piece.length.toString(16)}\r\n`, piece, "\r\n"]

layer(stubServer())("a body in pieces", (it) => {
  it.effect("is read as one, also where a piece ends within a character", () =>
    Effect.gen(function* () {
      const { port, arrivals } = yield* Stub
      const item = { site_id: 1, target_url: "https://shop.example/a", anchor_text: "é", anchor_type: "partial" }
      const body = Buffer.from(JSON.stringify({ items: [item] }))
      const at = body.indexOf("é") + 1
      const pieces = [body.subarray(0, at), body.subarray(at), Buffer.alloc(0)]
      const response = yield* exchange(port, HEAD, ...pieces.flatMap(chunk))
      assert.strictEqual(response.status, 201, response.body)
      const decoded = { items: [{ ...item, format: "new_article", tier2_links: 0 }], dry_run: false }
      assert.deepInclude(arrivals.at(-1)?.request, { payload: decoded })
    })
  )
})
